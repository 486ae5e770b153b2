//! A program that speaks UGI, as a player.
//!
//! It is started when its first game begins, and anew after it crashed or was
//! ended for not answering.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::process::Process;
use super::{Answer, Defaults, Fault, Player, Spec, Turn};
use crate::arena::Limit;

/// The player.
pub(super) struct External {
    words: Vec<String>,
    /// Options to set, the player's own after those of the tournament.
    wishes: Vec<(String, String)>,
    patience: Duration,
    process: Option<Process>,
    /// The options that the program said it has.
    options: Vec<String>,
}

impl External {
    pub(super) fn new(words: &[String], spec: &Spec, defaults: &Defaults) -> External {
        let threads = spec.threads.unwrap_or(defaults.threads);
        let hash = spec.hash.unwrap_or(defaults.hash);
        let mut wishes = vec![
            ("Threads".to_owned(), threads.to_string()),
            ("Hash".to_owned(), hash.to_string()),
        ];
        wishes.extend(spec.options.iter().cloned());
        External {
            words: words.to_vec(),
            wishes,
            patience: defaults.patience,
            process: None,
            options: Vec::new(),
        }
    }

    /// Does something with the running program; a fault ends the program, so
    /// that the next game starts it anew.
    fn with_process<T>(
        &mut self,
        f: impl FnOnce(&mut Process) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let process = self
            .process
            .as_mut()
            .ok_or_else(|| Fault::Crash("not running".into()))?;
        let result = f(process);
        if result.is_err() {
            process.kill();
            self.process = None;
        }
        result
    }

    fn start(&mut self, abandoned: &AtomicBool) -> Result<(), Fault> {
        self.process = Some(Process::start(&self.words)?);
        let deadline = Instant::now() + self.patience;
        self.options = self
            .with_process(|process| introduce(process, deadline, abandoned))
            .map_err(|fault| during(fault, "at its start"))?;
        let wishes = std::mem::take(&mut self.wishes);
        let set = wishes
            .iter()
            .try_for_each(|(name, value)| self.set(name, value));
        self.wishes = wishes;
        set
    }

    /// Sets an option, if the program has it.
    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let known = self.options.iter().find(|o| o.eq_ignore_ascii_case(name));
        match known.cloned() {
            Some(name) => self.with_process(|process| {
                process.say(&format!("setoption name {name} value {value}"))
            }),
            None => Ok(()),
        }
    }
}

impl Player for External {
    fn new_game(&mut self, seed: u64, abandoned: &AtomicBool) -> Result<(), Fault> {
        if self.process.is_none() {
            self.start(abandoned)?;
        }
        // Many programs keep a seed in 31 bits.
        self.set("Seed", &(seed & 0x7fff_ffff).to_string())?;
        let deadline = Instant::now() + self.patience;
        self.with_process(|process| {
            process.say("uginewgame")?;
            process.say("isready")?;
            loop {
                if process.hear(deadline, abandoned)?.0 == "readyok" {
                    return Ok(());
                }
            }
        })
        .map_err(|fault| during(fault, "before the game"))
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let position = position_order(turn);
        let go = go_order(turn);
        self.with_process(|process| {
            process.forget_lines()?;
            process.say(&position)?;
            process.say(&go)?;
            let asked = Instant::now();
            let deadline = asked + turn.patience;
            let mut nodes = None;
            loop {
                let (line, at) = process.hear(deadline, turn.abandoned)?;
                let mut words = line.split_whitespace();
                match words.next() {
                    Some("bestmove") => {
                        return Ok(Answer {
                            text: words.next().unwrap_or("").to_owned(),
                            taken: at.saturating_duration_since(asked),
                            nodes,
                        });
                    }
                    Some("info") => nodes = nodes_of(&line).or(nodes),
                    _ => {}
                }
            }
        })
    }
}

/// Says `ugi` and gathers the names of the options until `ugiok`.
fn introduce(
    process: &mut Process,
    deadline: Instant,
    abandoned: &AtomicBool,
) -> Result<Vec<String>, Fault> {
    const MOST_OPTIONS: usize = 1000;
    process.say("ugi")?;
    let mut options = Vec::new();
    loop {
        let (line, _) = process.hear(deadline, abandoned)?;
        if line == "ugiok" {
            return Ok(options);
        }
        let name = line
            .strip_prefix("option name ")
            .and_then(|rest| rest.split_once(" type "));
        if let Some((name, _)) = name
            && options.len() < MOST_OPTIONS
        {
            options.push(name.to_owned());
        }
    }
}

fn during(fault: Fault, when: &str) -> Fault {
    match fault {
        Fault::Crash(reason) => Fault::Crash(format!("{when}: {reason}")),
        Fault::Stall(reason) => Fault::Stall(format!("{when}: {reason}")),
        Fault::Abandoned => Fault::Abandoned,
    }
}

fn position_order(turn: &Turn<'_>) -> String {
    let mut order = format!("position fen {}", turn.opening);
    if !turn.moves.is_empty() {
        order.push_str(" moves");
        for mv in turn.moves {
            let _ = write!(order, " {mv}");
        }
    }
    order
}

fn go_order(turn: &Turn<'_>) -> String {
    let own = turn.clock();
    match own.limit() {
        Limit::Nodes(nodes) => format!("go nodes {nodes}"),
        Limit::Time(time) => format!("go movetime {}", time.as_millis().max(1)),
        Limit::Clock { .. } => {
            // An opponent under another kind of limit has no clock to show.
            let [light, dark] = turn.clocks.map(|clock| match clock.limit() {
                Limit::Clock { increment, .. } => (clock.remaining(), increment),
                _ => (own.remaining(), Duration::ZERO),
            });
            format!(
                "go p1time {} p2time {} p1inc {} p2inc {}",
                light.0.as_millis(),
                dark.0.as_millis(),
                light.1.as_millis(),
                dark.1.as_millis()
            )
        }
    }
}

/// The number after the word `nodes` of an info line.
fn nodes_of(line: &str) -> Option<u64> {
    if line.contains(" string ") {
        return None;
    }
    let mut words = line.split_whitespace().skip_while(|&word| word != "nodes");
    words.nth(1)?.parse().ok()
}
