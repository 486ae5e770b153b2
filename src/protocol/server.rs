//! Answers a program that speaks UGI.
//!
//! One thread reads lines and answers at once whatever needs no search; a
//! search has a thread of its own, which also prints its `info` lines and its
//! one `bestmove`. Who prints holds the lock of the output for whole lines.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use super::options::{self, Declared, Settings};
use super::order::{self, Go, Order};
use crate::engine::{Clock, Engine, Limits, Report};
use crate::rules::{Position, Side};

/// The longest line, in bytes; the longest games need a tenth of it.
const LONGEST_LINE: usize = 64 * 1024;
/// How often a search tells how far it is.
const REPORT_EVERY: Duration = Duration::from_millis(500);
/// How long a limited search may go on after the end of input.
const LAST_GRACE: Duration = Duration::from_millis(600);
/// How often waiting looks up.
const GLANCE: Duration = Duration::from_millis(2);

/// Serves until `quit` or the end of input. A search that is then under way
/// still gives its answer.
///
/// ```
/// use agros::protocol::{Settings, serve};
/// let input = b"position fen x3/x3/L1,D1,x1 L 1 2\ngo nodes 10\n";
/// let mut output = Vec::new();
/// serve(&input[..], &mut output, Settings::default())?;
/// assert_eq!(output, b"bestmove none\n");
/// # std::io::Result::Ok(())
/// ```
///
/// # Errors
/// When input or output fail.
pub fn serve(
    mut input: impl BufRead,
    output: impl Write + Send,
    settings: Settings,
) -> io::Result<()> {
    let shared = Shared {
        output: Mutex::new(Output {
            to: output,
            error: None,
        }),
        stop: AtomicBool::new(false),
        busy: AtomicBool::new(false),
    };
    let result = thread::scope(|scope| {
        let mut server = Server {
            shared: &shared,
            scope,
            position: settings.start().unwrap_or_else(|_| default_start()),
            engine: Some(Engine::new(settings.engine.clone())),
            settings,
            search: None,
        };
        let result = server.read_all(&mut input);
        server.stop();
        result
    });
    let output = shared.output.into_inner();
    let error = output.unwrap_or_else(PoisonError::into_inner).error;
    result.and(error.map_or(Ok(()), Err))
}

fn default_start() -> Position {
    Settings::default()
        .start()
        .expect("the default board holds its farmers")
}

/// What the reading and the searching thread share.
struct Shared<W> {
    output: Mutex<Output<W>>,
    stop: AtomicBool,
    /// A search has not given its answer yet.
    busy: AtomicBool,
}

struct Output<W> {
    to: W,
    /// The first error; after it nothing more is written.
    error: Option<io::Error>,
}

impl<W: Write> Shared<W> {
    /// Writes whole lines and flushes them.
    fn say(&self, lines: &str) {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if output.error.is_some() {
            return;
        }
        let written = output.to.write_all(lines.as_bytes());
        output.error = written.and_then(|()| output.to.flush()).err();
    }

    fn complain(&self, reason: &str) {
        self.say(&format!("info string {reason}\n"));
    }
}

struct Server<'scope, 'env, W> {
    shared: &'env Shared<W>,
    scope: &'scope Scope<'scope, 'env>,
    settings: Settings,
    position: Position,
    /// Lent to the search while there is one.
    engine: Option<Engine>,
    search: Option<ScopedJoinHandle<'scope, Engine>>,
}

impl<'env, W: Write + Send> Server<'_, 'env, W> {
    fn read_all(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            match read_line(input, &mut line)? {
                Line::End => {
                    self.last_grace();
                    return Ok(());
                }
                Line::TooLong => {
                    let reason = format!("a line longer than {LONGEST_LINE} bytes is ignored");
                    self.shared.complain(&reason);
                }
                Line::Whole => match order::read(&String::from_utf8_lossy(&line)) {
                    Err(reason) => self.shared.complain(&reason),
                    Ok(None) => {}
                    Ok(Some(Order::Quit)) => return Ok(()),
                    Ok(Some(order)) => self.obey(order),
                },
            }
        }
    }

    fn obey(&mut self, order: Order) {
        let say = |lines: &str| self.shared.say(lines);
        match order {
            Order::Ugi => say(&format!(
                "id name Agros {}\nid author the Agros authors\n{}ugiok\n",
                env!("CARGO_PKG_VERSION"),
                Declared(&self.settings)
            )),
            Order::IsReady => say("readyok\n"),
            Order::QueryTurn => say(&response(self.position.side() == Side::Light)),
            Order::QueryGameOver => say(&response(self.position.is_over())),
            Order::QueryResult => say(&response(result(&self.position))),
            Order::QueryFen => say(&response(self.position)),
            Order::Stop => self.stop(),
            Order::Quit => {}
            Order::SetOption { .. } | Order::NewGame | Order::Position { .. } | Order::Go(_) => {
                if self.shared.busy.load(Ordering::Acquire) {
                    let name = order.name();
                    let reason = format!("refused: {name} during a search, stop it first");
                    self.shared.complain(&reason);
                } else {
                    self.take_back_engine();
                    self.change(order);
                }
            }
        }
    }

    /// What can't be done during a search.
    fn change(&mut self, order: Order) {
        let result = match order {
            Order::SetOption { name, value } => self.set_option(&name, &value),
            Order::NewGame => {
                if let Some(engine) = &mut self.engine {
                    engine.clear();
                }
                self.settings
                    .start()
                    .map(|start| self.position = start)
                    .map_err(|error| format!("uginewgame: {error}"))
            }
            Order::Position { from, moves } => self.set_position(from, &moves),
            Order::Go(go) => {
                self.go(&go);
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(reason) = result {
            self.shared.complain(&reason);
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let before = (self.settings.board_size, self.settings.farmers);
        options::set(&mut self.settings, name, value)?;
        if let Some(engine) = &mut self.engine {
            engine.set_options(self.settings.engine.clone());
        }
        // Another board: `startpos` until the next `position`.
        if before != (self.settings.board_size, self.settings.farmers) {
            let start = self.settings.start();
            self.position = start.map_err(|error| format!("startpos: {error}"))?;
        }
        Ok(())
    }

    fn set_position(&mut self, from: Option<Position>, moves: &[String]) -> Result<(), String> {
        let from = match from {
            Some(position) => position,
            None => self
                .settings
                .start()
                .map_err(|error| format!("position: {error}"))?,
        };
        self.position = order::play(from, moves)?;
        Ok(())
    }

    fn go(&mut self, go: &Go) {
        for complaint in &go.complaints {
            self.shared.complain(complaint);
        }
        let Some(engine) = self.engine.take() else {
            return;
        };
        let task = Task {
            position: self.position,
            limits: limits(go, &self.position, &self.settings),
            waits_for_stop: is_infinite(go) && !self.position.is_over(),
            multipv: self.settings.multipv,
        };
        self.shared.stop.store(false, Ordering::Relaxed);
        self.shared.busy.store(true, Ordering::Release);
        let shared = self.shared;
        self.search = Some(self.scope.spawn(move || task.run(engine, shared)));
    }

    /// Ends the search, if there is one, and waits for its answer.
    fn stop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.take_back_engine();
    }

    fn take_back_engine(&mut self) {
        if let Some(search) = self.search.take() {
            let settings = &self.settings.engine;
            self.engine = Some(
                search
                    .join()
                    .unwrap_or_else(|_| Engine::new(settings.clone())),
            );
        }
    }

    /// Lets a search with a limit of its own come to its end, for a while.
    fn last_grace(&self) {
        let deadline = Instant::now() + LAST_GRACE;
        while self.shared.busy.load(Ordering::Acquire) && Instant::now() < deadline {
            thread::sleep(GLANCE);
        }
    }
}

fn is_infinite(go: &Go) -> bool {
    let limited = go.nodes.is_some() || go.movetime.is_some() || go.time != [None, None];
    go.infinite || !limited && go.complaints.is_empty()
}

fn limits(go: &Go, position: &Position, settings: &Settings) -> Limits {
    let mut limits = Limits {
        overhead: settings.overhead,
        report_every: Some(REPORT_EVERY),
        keep_going: is_infinite(go),
        ..Limits::default()
    };
    if is_infinite(go) {
        return limits;
    }
    limits.nodes = go.nodes;
    limits.time = go.movetime;
    limits.clock = go
        .clock(position.side())
        .map(|(remaining, increment)| Clock {
            remaining,
            increment,
            moves_to_go: 0,
        });
    // Nothing that could be read would end the search: an answer at once is
    // better than none.
    if limits.nodes.is_none() && limits.time.is_none() && limits.clock.is_none() {
        limits.nodes = Some(1);
    }
    limits
}

/// One search.
struct Task {
    position: Position,
    limits: Limits,
    waits_for_stop: bool,
    multipv: usize,
}

impl Task {
    fn run<W: Write>(self, mut engine: Engine, shared: &Shared<W>) -> Engine {
        let tell = |report: &Report| shared.say(&info(report, self.multipv));
        let report = engine.search(&self.position, &self.limits, &shared.stop, &mut |r| tell(r));
        tell(&report);
        // `infinite` is over when the other side says so.
        while self.waits_for_stop && !shared.stop.load(Ordering::Relaxed) {
            thread::sleep(GLANCE);
        }
        let best = report.best().map_or("none".into(), |mv| mv.to_string());
        // Before the answer, because the next order may follow it at once.
        shared.busy.store(false, Ordering::Release);
        shared.say(&format!("bestmove {best}\n"));
        engine
    }
}

/// The `info` lines of a report.
fn info(report: &Report, multipv: usize) -> String {
    let micros = report.time.as_micros().max(1);
    let nps = u128::from(report.nodes) * 1_000_000 / micros;
    let lines = report.lines.iter().take(multipv).enumerate();
    let lines = lines.map(|(index, line)| {
        let pv: Vec<String> = line.pv.iter().map(ToString::to_string).collect();
        format!(
            "info nodes {} time {} nps {nps} hashfull {} multipv {} score cp {} pv {}\n",
            report.nodes,
            report.time.as_millis(),
            report.hashfull,
            index + 1,
            (f64::from(line.margin) * 100.0).round() as i64,
            pv.join(" ")
        )
    });
    lines.collect()
}

fn response(value: impl std::fmt::Display) -> String {
    format!("response {value}\n")
}

fn result(position: &Position) -> &'static str {
    match position.margin().0.signum() {
        _ if !position.is_over() => "none",
        1 => "p1win",
        -1 => "p2win",
        _ => "draw",
    }
}

/// What was read.
enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads up to the next `\n` or `\r`, at most [`LONGEST_LINE`] bytes of it.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    let mut length = 0_usize;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = chunk.iter().position(|&b| b == b'\n' || b == b'\r');
        let used = end.unwrap_or(chunk.len());
        let room = LONGEST_LINE - line.len();
        line.extend_from_slice(&chunk[..used.min(room)]);
        length = length.saturating_add(used);
        let nothing_left = chunk.is_empty();
        input.consume(used + usize::from(end.is_some()));
        if length > LONGEST_LINE && (end.is_some() || nothing_left) {
            return Ok(Line::TooLong);
        }
        if end.is_some() || nothing_left && length > 0 {
            return Ok(Line::Whole);
        }
        if nothing_left {
            return Ok(Line::End);
        }
    }
}
