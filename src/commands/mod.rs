//! The command line: one file a command, each with its arguments and a `run`.
//!
//! What commands share is here ([`Failure`], the table of commands) and in
//! [`input`] (positions from arguments and from stdin). stdout carries the
//! answer alone; everything else goes to stderr. Exit status: 0 done, 1 the
//! work itself failed, 2 bad usage or a bad position.

mod analyze;
mod bench;
mod bestmove;
mod export;
mod input;
mod machine;
mod moves;
mod perft;
mod play;
mod replay;
mod report;
mod score;
mod searching;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod solve;
mod tournament;
mod ugi;

use clap::{Parser, Subcommand};
use std::io;
use std::process::ExitCode;

/// An engine for the board game Agros.
#[derive(Parser)]
#[command(version, about, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Bestmove(bestmove::Args),
    Analyze(analyze::Args),
    Show(show::Args),
    Moves(moves::Args),
    Score(score::Args),
    Perft(perft::Args),
    Solve(solve::Args),
    Tournament(Box<tournament::Args>),
    Report(report::Args),
    Export(export::Args),
    Replay(replay::Args),
    Ugi(ugi::Args),
    Play(play::Args),
    Bench(bench::Args),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
}

/// Why a command ended without doing its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Bad usage or a bad position: status 2, one line on stderr.
    Usage(String),
    /// The work itself failed: status 1.
    Work(String),
    /// A batch with bad lines, each already reported: status 2.
    BadLines,
    /// Reading or writing failed.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

/// How a command ends.
pub(crate) type Outcome = Result<(), Failure>;

impl Command {
    fn run(self) -> Outcome {
        match self {
            Command::Bestmove(args) => args.run(),
            Command::Analyze(args) => args.run(),
            Command::Show(args) => args.run(),
            Command::Moves(args) => args.run(),
            Command::Score(args) => args.run(),
            Command::Perft(args) => args.run(),
            Command::Solve(args) => args.run(),
            Command::Tournament(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::Export(args) => args.run(),
            Command::Replay(args) => args.run(),
            Command::Ugi(args) => args.run(),
            Command::Play(args) => args.run(),
            Command::Bench(args) => args.run(),
            #[cfg(feature = "serve")]
            Command::Serve(args) => args.run(),
        }
    }
}

/// Reads the command line and runs the command it names.
#[must_use]
pub fn run() -> ExitCode {
    match machine::objection() {
        Some(reason) => {
            let _ = io::Write::write_all(&mut io::stderr(), reason.as_bytes());
            ExitCode::from(2)
        }
        None => run_here(),
    }
}

/// The same on a machine that can run this build: nothing of it may be moved
/// before the question.
#[inline(never)]
fn run_here() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    match cli.command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => fail(2, &message),
        Err(Failure::Work(message)) => fail(1, &message),
        Err(Failure::BadLines) => ExitCode::from(2),
        // Whoever read our output has had enough: that is no failure.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Io(error)) => fail(1, &error.to_string()),
    }
}

fn fail(status: u8, message: &str) -> ExitCode {
    complain(message);
    ExitCode::from(status)
}

/// Prints one line on stderr, if stderr is still there.
pub(crate) fn complain(message: &str) {
    use std::io::Write;
    let line = message.replace(['\n', '\r'], " ");
    let _ = writeln!(io::stderr(), "agros: {line}");
}

/// Help and version go to stdout; a usage error is one line on stderr.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::from(2);
    }
    let text = error.render().to_string();
    let message = text
        .split("\n\nUsage:")
        .next()
        .unwrap_or_default()
        .split("\n\nFor more")
        .next()
        .unwrap_or_default()
        .trim_start_matches("error: ");
    let words: Vec<&str> = message.split_whitespace().collect();
    fail(2, &words.join(" "))
}
