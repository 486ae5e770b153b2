//! `agros analyze`: what the engine thinks of each move.
//!
//! On a terminal the board and the table refresh while it thinks, and Ctrl-C
//! ends it early with what is known by then. Elsewhere there is the table at
//! the end, or JSON.

use super::input::{Answer, PositionArgs};
use super::score::side_name;
use super::searching::SearchArgs;
use super::{Failure, Outcome};
use crate::drawing::board::{self, Style};
use crate::drawing::words;
use crate::engine::{Engine, Limits, Line, Proven, Report};
use crate::rules::{Move, Position};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Moves of a line of play that the table shows.
const LONGEST_LINE: usize = 8;
/// Time between two pictures on a terminal.
const REFRESH: Duration = Duration::from_millis(100);

/// Rank the moves: visits, win %, expected margin, what is proven, the line
///
/// The numbers are the view of the side to move. On a terminal they refresh
/// while the engine thinks; Ctrl-C ends it early.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    search: SearchArgs,

    /// So many of the best moves
    #[arg(long, value_name = "K", default_value = "5")]
    multipv: NonZeroUsize,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let mut engine = self.search.engine()?;
        let mut limits = Limits {
            keep_going: true,
            ..self.search.limits()
        };
        if self.is_live() {
            limits.report_every = Some(REFRESH);
            return self.run_live(&mut engine, &limits);
        }
        let most = self.multipv.get();
        self.position.answer(|position| {
            let report = engine.search(position, &limits, &AtomicBool::new(false), &mut |_| ());
            Ok(Analysis::of(&report, most))
        })
    }

    /// Whether the table can refresh in place.
    fn is_live(&self) -> bool {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        !self.position.is_batch() && !self.position.json && !dumb && io::stdout().is_terminal()
    }

    fn run_live(&self, engine: &mut Engine, limits: &Limits) -> Outcome {
        let position = self.position.read_one()?;
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        ctrlc::set_handler(move || told.store(true, Ordering::Relaxed))
            .map_err(|e| Failure::Work(e.to_string()))?;
        let mut screen = Screen::new(&position, self.multipv.get());
        let mut shown = Ok(());
        let report = engine.search(&position, limits, &stop, &mut |report| {
            if shown.is_ok() {
                shown = screen.show(report);
            }
        });
        shown?;
        screen.show(&report)?;
        Ok(())
    }
}

/// A board with a table beside it, drawn over the one before.
struct Screen {
    board: Vec<String>,
    most: usize,
    /// Lines of the picture on the terminal now.
    drawn: usize,
}

impl Screen {
    fn new(position: &Position, most: usize) -> Screen {
        let mut board = Vec::new();
        // Writing into a vector can't fail.
        let _ = board::draw(position, &[], Style::of_stdout(), &mut board);
        let mut board: Vec<String> = String::from_utf8_lossy(&board)
            .lines()
            .map(str::to_owned)
            .collect();
        board.push(words::turn(position));
        let width = board.iter().map(|line| width(line)).max().unwrap_or(0) + 3;
        for line in &mut board {
            let blanks = width - self::width(line);
            line.push_str(&" ".repeat(blanks));
        }
        Screen {
            board,
            most,
            drawn: 0,
        }
    }

    fn show(&mut self, report: &Report) -> io::Result<()> {
        let analysis = Analysis::of(report, self.most);
        let mut table = vec![format!(
            "{}, {} ms, {} nodes/s",
            analysis.heading(),
            analysis.time_ms,
            report.nodes_per_second()
        )];
        table.extend(analysis.table());
        let height = self.board.len().max(table.len());
        // Without line wrap, a line that is too long can't spoil the picture.
        let mut picture = String::from("\x1b[?7l");
        if self.drawn > 0 {
            picture += &format!("\x1b[{}A", self.drawn);
        }
        let blank = " ".repeat(self.board.first().map_or(0, |line| width(line)));
        for row in 0..height {
            let left = self.board.get(row).unwrap_or(&blank);
            let right = table.get(row).map_or("", String::as_str);
            picture += &format!("\r{left}{right}\x1b[K\n");
        }
        picture += "\x1b[J\x1b[?7h";
        self.drawn = height;
        let mut out = io::stdout().lock();
        out.write_all(picture.as_bytes())?;
        out.flush()
    }
}

/// Columns that a line takes: its characters without colour codes.
fn width(line: &str) -> usize {
    let mut columns = 0;
    let mut in_code = false;
    for c in line.chars() {
        match (in_code, c) {
            (false, '\x1b') => in_code = true,
            (false, _) => columns += 1,
            (true, 'm') => in_code = false,
            (true, _) => {}
        }
    }
    columns
}

/// A ranked list of moves, from the view of the side to move.
#[derive(Serialize)]
struct Analysis {
    perspective: &'static str,
    /// The chance to win, a draw counting half.
    winrate: f64,
    /// The expected final margin in points.
    margin: f64,
    /// `win`, `draw` or `loss` where the result is proven.
    proven: Option<&'static str>,
    nodes: u64,
    time_ms: u64,
    stop: Option<&'static str>,
    seed: u64,
    lines: Vec<Ranked>,
}

/// A move of the list.
#[derive(Serialize)]
struct Ranked {
    #[serde(rename = "move")]
    mv: String,
    visits: u32,
    winrate: f64,
    margin: f64,
    proven: Option<&'static str>,
    /// What is proven, in words.
    #[serde(skip)]
    proof: String,
    pv: Vec<String>,
}

impl Ranked {
    fn of(line: &Line) -> Ranked {
        Ranked {
            mv: line.mv.to_string(),
            visits: line.visits,
            winrate: round(line.winrate, 1e4),
            margin: round(line.margin, 1e2),
            proven: line.proven.map(Proven::result),
            proof: line.proven.map_or("-".into(), |proven| proven.to_string()),
            pv: line.pv.iter().map(Move::to_string).collect(),
        }
    }

    fn line(&self) -> String {
        let moves = &self.pv[..self.pv.len().min(LONGEST_LINE)];
        moves.join(" ")
    }
}

impl Analysis {
    fn of(report: &Report, most: usize) -> Analysis {
        Analysis {
            perspective: side_name(report.perspective),
            winrate: round(report.winrate, 1e4),
            margin: round(report.margin, 1e2),
            proven: report.proven.map(Proven::result),
            nodes: report.nodes,
            time_ms: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
            stop: report.stop.map(|stop| stop.name()),
            seed: report.seed,
            lines: report.lines.iter().take(most).map(Ranked::of).collect(),
        }
    }

    /// Whose view it is, and how the whole position stands.
    fn heading(&self) -> String {
        format!(
            "{}'s view: wins {:.1} %, margin {:+.1}, {} nodes",
            if self.perspective == "light" {
                "Light"
            } else {
                "Dark"
            },
            100.0 * self.winrate,
            self.margin,
            self.nodes
        )
    }

    /// The table, its head first; columns as wide as they need to be.
    fn table(&self) -> Vec<String> {
        let proof = self.lines.iter().map(|line| line.proof.len());
        let proof = proof.max().unwrap_or(0).max("proven".len());
        let row = |mv: &str, visits: &str, win: &str, margin: &str, proven: &str, line: &str| {
            let row = format!("{mv:<7} {visits:>9} {win:>6} {margin:>7}  {proven:<proof$}  {line}");
            row.trim_end().to_owned()
        };
        let head = row("move", "visits", "win %", "margin", "proven", "line");
        let rows = self.lines.iter().map(|line| {
            row(
                &line.mv,
                &line.visits.to_string(),
                &format!("{:.1}", 100.0 * line.winrate),
                &format!("{:+.1}", line.margin),
                &line.proof,
                &line.line(),
            )
        });
        std::iter::once(head).chain(rows).collect()
    }
}

/// Rounds to so many parts of one.
fn round(value: f32, parts: f64) -> f64 {
    (f64::from(value) * parts).round() / parts
}

impl Answer for Analysis {
    fn write_text(&self, out: &mut dyn Write, batch: bool) -> io::Result<()> {
        if batch {
            let rows = self.table().split_off(1).into_iter();
            let rows: Vec<String> = rows
                .map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect();
            let none = if rows.is_empty() { "none" } else { "" };
            return writeln!(out, "{none}{}", rows.join("; "));
        }
        writeln!(out, "{}", self.heading())?;
        if self.lines.is_empty() {
            return writeln!(out, "The game is over: there is no move.");
        }
        self.table()
            .iter()
            .try_for_each(|row| writeln!(out, "{row}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_codes_take_no_columns() {
        assert_eq!(width("\x1b[1;38;5;222;48;5;236mL1 \x1b[0m·"), 4);
        assert_eq!(width(""), 0);
    }
}
