//! `agros tournament`: engines play each other.

use super::{Failure, Outcome, complain};
use crate::arena::identity::{identify, sha256};
use crate::arena::journal::{self, FORMAT, Header, Journal, Record};
use crate::arena::limit::{Limit, parse_clock, parse_duration};
use crate::arena::openings::Openings;
use crate::arena::progress::Progress;
use crate::arena::report::Report;
use crate::arena::schedule::{Format, Shard};
use crate::arena::settings::Settings;
use crate::arena::statistics::Sprt;
use crate::arena::tournament::{Close, Tournament};
use crate::files;
use crate::rules::Position;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Let engines play each other under a referee
///
/// A player is mcts, greedy, random or rollouts, with parameters as in
/// mcts:nodes=200,threads=1,name=weak, or a program that speaks UGI as in
/// 'cmd:"./other ugi",name=other' (in a shell with both quotes). Every opening is
/// played twice, the colours exchanged.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Two players or more
    #[arg(value_name = "PLAYER", required_unless_present_any = ["resume", "sprt"])]
    players: Vec<String>,

    /// match (two players), round-robin or gauntlet (the first against the
    /// others); by the number of players if not given
    #[arg(long, value_enum)]
    format: Option<FormatName>,

    /// Games of each pairing, an even number
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: usize,

    /// Cells along a side of the board
    #[arg(long, value_name = "N", default_value_t = 10)]
    size: u8,

    /// Farmers a side (the usual number of the size if not given)
    #[arg(long, value_name = "F")]
    farmers: Option<u8>,

    /// random placements, none (the players place), or a file of position
    /// strings
    #[arg(long, value_name = "random|none|FILE", default_value = "random")]
    openings: String,

    /// Decides openings and what players do by chance
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Simulations a move
    #[arg(long, value_name = "N", group = "limit")]
    nodes: Option<u64>,

    /// Time a move, as 1s or 500ms (100ms if there is no limit)
    #[arg(long, value_name = "T", group = "limit")]
    time: Option<String>,

    /// Time for the whole game and increment, as 1m+500ms
    #[arg(long, value_name = "T+T", group = "limit")]
    clock: Option<String>,

    /// How much too long a move may take before it loses
    #[arg(long, value_name = "T", default_value = "25ms")]
    margin: String,

    /// How much longer than allowed to wait for an answer
    #[arg(long, value_name = "T", default_value = "30s")]
    watchdog: String,

    /// Games side by side (the cores available if not given)
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,

    /// Threads a player (the cores shared by the games if not given)
    #[arg(long, value_name = "T")]
    threads: Option<usize>,

    /// Memory a player
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    hash: usize,

    /// Stop by a sequential test on normalised Elo, as elo0=0 elo1=20
    /// [alpha=0.05 beta=0.05]
    #[arg(long, value_name = "NAME=VALUE", num_args = 1..)]
    sprt: Vec<String>,

    /// Play a fixed part of the schedule, as 2/8
    #[arg(long, value_name = "K/N")]
    shard: Option<String>,

    /// The journal to write (a new file in this folder if not given)
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    journal: Option<PathBuf>,

    /// Go on with a journal; its settings hold, only --concurrency may differ
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "format", "sprt", "shard"])]
    resume: Option<PathBuf>,

    /// The report as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FormatName {
    Match,
    RoundRobin,
    Gauntlet,
}

impl Args {
    pub(crate) fn run(mut self) -> Outcome {
        let json = self.json;
        let ready = match self.resume.take() {
            Some(path) => self.resume(&path),
            None => self.begin(),
        };
        ready.map_err(Failure::Usage)?.run(json)
    }

    fn begin(mut self) -> Result<Ready, String> {
        let shard = self.shard.take().map(|text| text.parse()).transpose();
        let shard: Option<Shard> = shard.map_err(|error| format!("--shard: {error}"))?;
        let concurrency = self.concurrency()?;
        let settings = self.settings(concurrency)?;
        let tournament = Tournament::new(settings.clone(), shard)?;
        let header = Header {
            agros_journal: FORMAT,
            version: env!("CARGO_PKG_VERSION").into(),
            players: identify(&settings.specs()?, &settings.names())?,
            settings,
            shard,
        };
        let path = self.journal.unwrap_or_else(new_name);
        let journal = Journal::create(&path, &header)?;
        Ok(Ready {
            tournament,
            header,
            played: Vec::new(),
            journal,
            path,
            concurrency,
        })
    }

    fn resume(&self, path: &Path) -> Result<Ready, String> {
        let contents = journal::read(path)?;
        let header = &contents.header;
        for note in &contents.notes {
            complain(note);
        }
        if openings_hash(&header.settings.openings)? != header.settings.openings_sha256 {
            return Err("the openings file has changed since the journal began".into());
        }
        let tournament = Tournament::new(header.settings.clone(), header.shard)?;
        let now = identify(&header.settings.specs()?, &header.settings.names())?;
        for (then, now) in header.players.iter().zip(&now) {
            if then.sha256 != now.sha256 {
                let (name, program) = (&then.name, now.path.clone().unwrap_or_default());
                let program = program.display();
                complain(&format!(
                    "warning: {program} of player '{name}' has changed"
                ));
            }
        }
        Ok(Ready {
            concurrency: self.concurrency()?,
            tournament,
            journal: Journal::resume(path, &contents)?,
            header: header.clone(),
            played: contents.records,
            path: path.to_owned(),
        })
    }

    fn concurrency(&self) -> Result<usize, String> {
        match self.concurrency {
            None => Ok(cores()),
            Some(games @ 1..=1024) => Ok(games),
            Some(games) => Err(format!("--concurrency: {games} is not 1 to 1024")),
        }
    }

    fn settings(&mut self, concurrency: usize) -> Result<Settings, String> {
        self.take_players_from_sprt();
        let openings = match self.openings.as_str() {
            "random" => Openings::Random,
            "none" => Openings::None,
            file => Openings::File(file.into()),
        };
        if !self.games.is_multiple_of(2) || self.games == 0 {
            return Err(format!(
                "--games: {} is not an even number: each opening is played twice",
                self.games
            ));
        }
        let sprt = (!self.sprt.is_empty()).then(|| self.sprt.join(" ").parse::<Sprt>());
        let sprt = sprt.transpose().map_err(|error| format!("--{error}"))?;
        let millis = |name: &str, text: &str| match parse_duration(text) {
            Ok(time) => Ok(time.as_millis() as u64),
            Err(error) => Err(format!("--{name}: {error}")),
        };
        let within = |name: &str, value: usize, most: usize| match value {
            value if (1..=most).contains(&value) => Ok(value),
            value => Err(format!("--{name}: {value} is not 1 to {most}")),
        };
        let threads = self
            .threads
            .unwrap_or_else(|| (cores() / concurrency).max(1));
        let settings = Settings {
            format: match (self.format, self.players.len()) {
                (Some(FormatName::Match), _) | (None, 0..=2) => Format::Match,
                (Some(FormatName::Gauntlet), _) => Format::Gauntlet,
                (Some(FormatName::RoundRobin) | None, _) => Format::RoundRobin,
            },
            players: std::mem::take(&mut self.players),
            rounds: self.games / 2,
            size: self.size,
            farmers: self
                .farmers
                .unwrap_or_else(|| Position::usual_farmers(self.size)),
            openings_sha256: openings_hash(&openings)?,
            openings,
            seed: self.seed,
            limit: self.limit()?,
            margin_ms: millis("margin", &self.margin)?,
            watchdog_ms: millis("watchdog", &self.watchdog)?,
            threads: within("threads", threads, 256)?,
            hash: within("hash", self.hash, 1 << 16)?,
            sprt,
        };
        settings.check()?;
        warn_of_crowd(concurrency, &settings);
        Ok(settings)
    }

    /// `--sprt elo0=0 elo1=20 mcts greedy` also names two players.
    fn take_players_from_sprt(&mut self) {
        let is_ours = |word: &String| {
            let name = word.split('=').next().unwrap_or("");
            let players = crate::arena::players::spec::BUILT_IN;
            let kind = name.split(':').next().unwrap_or("");
            kind != "cmd" && players.iter().all(|(known, ..)| *known != kind)
        };
        let (sprt, players) = std::mem::take(&mut self.sprt)
            .into_iter()
            .partition(is_ours);
        self.sprt = sprt;
        self.players.extend::<Vec<String>>(players);
    }

    fn limit(&self) -> Result<Limit, String> {
        if let Some(nodes) = self.nodes {
            return format!("nodes={nodes}").parse();
        }
        if let Some(clock) = &self.clock {
            return parse_clock(clock).map_err(|error| format!("--clock: {error}"));
        }
        let time = self.time.as_deref().unwrap_or("100ms");
        parse_duration(time)
            .and_then(|_| format!("time={time}").parse())
            .map_err(|error| format!("--time: {error}"))
    }
}

/// A tournament with its journal, ready to be played.
struct Ready {
    tournament: Tournament,
    header: Header,
    played: Vec<Record>,
    journal: Journal,
    path: PathBuf,
    concurrency: usize,
}

impl Ready {
    fn run(mut self, json: bool) -> Outcome {
        complain(&format!("journal {}", self.path.display()));
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        // Without a handler Ctrl-C ends us at once; the journal is whole then too.
        let _ = ctrlc::set_handler(move || told.store(true, Ordering::Relaxed));
        let scheduled = 2 * self.tournament.pairs().len();
        let mut progress = Progress::new(self.tournament.settings(), &self.played, scheduled);
        let close = self.tournament.run(
            &mut self.journal,
            &self.played,
            self.concurrency,
            &stop,
            &mut progress,
        );
        progress.finish();
        let close = close.map_err(Failure::Work)?;
        let contents = journal::read(&self.path).map_err(Failure::Work)?;
        let report = Report::of(&self.header, &contents.records);
        print(&report, json)?;
        if close == Close::Stopped {
            let path = self.path.display();
            return Err(Failure::Work(format!("stopped; --resume {path} goes on")));
        }
        if report.has_faults() {
            return Err(Failure::Work(
                "games were lost by time, illegal moves, crashes or stalls".into(),
            ));
        }
        Ok(())
    }
}

/// Prints a report.
pub(super) fn print(report: &Report, json: bool) -> Outcome {
    let mut out = io::stdout().lock();
    if json {
        let line = serde_json::to_string(report).map_err(|e| Failure::Work(e.to_string()))?;
        writeln!(out, "{line}")?;
    } else {
        write!(out, "{report}")?;
    }
    Ok(out.flush()?)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

fn warn_of_crowd(concurrency: usize, settings: &Settings) {
    let own = settings.specs().unwrap_or_default();
    let threads = own.iter().filter_map(|spec| spec.threads).max();
    let threads = threads.unwrap_or(0).max(settings.threads);
    let cores = cores();
    if concurrency * threads > cores {
        complain(&format!(
            "warning: {concurrency} games × {threads} threads on {cores} cores: times and \
             strengths will suffer"
        ));
    }
}

fn openings_hash(openings: &Openings) -> Result<Option<String>, String> {
    match openings {
        Openings::File(path) => sha256(path, files::LONGEST_TEXT)
            .map(Some)
            .map_err(|error| format!("{}: {error}", path.display())),
        _ => Ok(None),
    }
}

/// A name for a journal that no file has yet.
fn new_name() -> PathBuf {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = now.unwrap_or(Duration::ZERO).as_secs();
    let names = (0..1000).map(|n| match n {
        0 => PathBuf::from(format!("tournament-{seconds}.jsonl")),
        n => PathBuf::from(format!("tournament-{seconds}-{n}.jsonl")),
    });
    let mut free = names.skip_while(|name| name.exists());
    free.next().unwrap_or_else(|| "tournament.jsonl".into())
}
