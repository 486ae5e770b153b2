//! `agros play`: a game against a person in the terminal.
//!
//! This file reads the command line and lines; [`dialogue`] answers them;
//! [`keeper`] keeps the game in a file, so that neither Ctrl-C nor a power cut
//! loses it.

mod dialogue;
mod keeper;

use super::searching::EngineArgs;
use super::{Failure, Outcome, complain};
use crate::arena::parse_duration;
use crate::drawing::board::Style;
use crate::engine::Engine;
use crate::files;
use crate::play::{LEVELS, Level, Record};
use crate::rules::{Position, Side};
use clap::ValueEnum;
use dialogue::{Dialogue, Settings, Then};
use keeper::{Farewell, Keeper};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Play against the engine in the terminal
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where to begin: a position string, start, start:SIZE or
    /// start:SIZE:FARMERS
    #[arg(value_name = "POS", default_value = "start")]
    position: String,

    /// Who you are
    #[arg(long, value_enum, default_value_t = Person::Light)]
    side: Person,

    /// The engine's strength, from 1 (weakest) to 8 (full)
    #[arg(long, value_name = "L", default_value_t = 3,
          value_parser = clap::value_parser!(u8).range(1..=LEVELS.len() as i64))]
    level: u8,

    /// The engine's time for a move, at most
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = parse_duration)]
    time: Duration,

    /// Keep the game in FILE [default: agros-game.txt, or the first
    /// agros-game-N.txt that is free]
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    save: Option<PathBuf>,

    /// Go on with the game in FILE, and keep it there
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    resume: Option<PathBuf>,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Who the person is.
#[derive(Clone, Copy, ValueEnum)]
enum Person {
    Light,
    Dark,
    Both,
    Neither,
}

impl Person {
    fn plays(self, side: Side) -> bool {
        match self {
            Person::Light => side == Side::Light,
            Person::Dark => side == Side::Dark,
            Person::Both => true,
            Person::Neither => false,
        }
    }
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let (record, keeper) = self.game()?;
        let options = self.engine.options()?;
        let level = Level::of(self.level).unwrap_or(LEVELS[0]);
        let stop = Arc::new(AtomicBool::new(false));
        let reading = Arc::new(AtomicBool::new(false));
        handle_interrupts(&stop, &reading, keeper.farewell())?;
        let dialogue = Dialogue::new(Settings {
            record,
            persons: Side::BOTH.map(|side| self.side.plays(side)),
            level,
            time: self.time,
            seed: options.seed,
            style: Style::of_stdout(),
            thinker: Box::new(Engine::new(options)),
            keeper,
            stop,
        });
        converse(dialogue, &reading)
    }

    /// The game to begin or to go on with, and where it is kept.
    fn game(&self) -> Result<(Record, Keeper), Failure> {
        if let Some(path) = &self.resume {
            let text = files::read_text(path, files::LONGEST_TEXT)
                .map_err(|e| Failure::Usage(format!("{}: {e}", path.display())))?;
            let record: Record = text
                .parse()
                .map_err(|e| Failure::Usage(format!("{}: {e}", path.display())))?;
            return Ok((record, Keeper::going_on(path.clone())));
        }
        let position: Position = self
            .position
            .parse()
            .map_err(|e| Failure::Usage(format!("{e}")))?;
        let keeper = match &self.save {
            Some(path) if path.exists() => {
                let reason = format!("{0} exists; --resume {0} goes on with it", path.display());
                return Err(Failure::Usage(reason));
            }
            Some(path) => Keeper::going_on(path.clone()),
            None => Keeper::new(),
        };
        Ok((Record::new(position), keeper))
    }
}

/// Lets Ctrl-C and its like end the engine's thinking. An editor on a terminal
/// sees Ctrl-C itself while it reads; what reaches us then, and on a terminal
/// that can't be edited on, is meant to end the program.
fn handle_interrupts(
    stop: &Arc<AtomicBool>,
    reading: &Arc<AtomicBool>,
    farewell: Farewell,
) -> Outcome {
    let (stop, reading) = (Arc::clone(stop), Arc::clone(reading));
    ctrlc::set_handler(move || {
        if reading.load(Ordering::Relaxed) {
            let _ = write!(io::stdout(), "\n{farewell}");
            std::process::exit(0);
        }
        stop.store(true, Ordering::Relaxed);
    })
    .map_err(|e| Failure::Work(e.to_string()))
}

/// Reads lines and answers them until the person has had enough.
fn converse(mut dialogue: Dialogue, reading: &AtomicBool) -> Outcome {
    let mut editor = DefaultEditor::new().map_err(|e| Failure::Work(e.to_string()))?;
    let mut out = io::stdout();
    dialogue.greet(&mut out)?;
    loop {
        if dialogue.engine_moves(&mut out)? == Then::Quit {
            break;
        }
        out.flush()?;
        reading.store(true, Ordering::Relaxed);
        let line = editor.readline(&dialogue.prompt());
        reading.store(false, Ordering::Relaxed);
        match line {
            Ok(line) => {
                let _ = editor.add_history_entry(&line);
                if dialogue.answer(&line, &mut out)? == Then::Quit {
                    break;
                }
            }
            Err(ReadlineError::Interrupted | ReadlineError::Eof) => break,
            // Bytes that are no text: the person may try again.
            Err(ReadlineError::Io(e)) if e.kind() == io::ErrorKind::InvalidData => {
                complain("that line is not UTF-8");
            }
            Err(e) => return Err(Failure::Work(e.to_string())),
        }
    }
    dialogue.farewell(&mut out)?;
    Ok(())
}
