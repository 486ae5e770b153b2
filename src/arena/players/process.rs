//! A running program: spoken to line by line, watched, and always reaped.
//!
//! Three threads serve its pipes, so that a program which doesn't read, or
//! writes without end, can hold up nobody: one writes orders, one reads lines
//! and notes when each came, one keeps the end of what it says on stderr.
//! Every queue and line is bounded.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::Fault;

/// Longer lines are cut here, in bytes.
const LONGEST_LINE: usize = 64 * 1024;
/// A line that has grown to this, in bytes, will not end.
const FLOOD: usize = 16 << 20;
/// Lines that wait to be heard before the program has to wait.
const MOST_LINES: usize = 1024;
/// Orders that wait to be read.
const MOST_ORDERS: usize = 64;
/// How much of the end of stderr is kept, in bytes.
const STDERR_TAIL: usize = 2048;
/// How many lines of it are told, and how many characters.
const LAST_LINES: usize = 3;
const LONGEST_WORDS: usize = 300;
/// How long a program may take to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(1000);
/// How often waiting looks up to see whether the game is abandoned.
const GLANCE: Duration = Duration::from_millis(20);

/// What the reading thread tells.
enum Event {
    Line(String, Instant),
    Flood,
}

/// The running program. Dropping it ends it.
pub(super) struct Process {
    child: Child,
    lines: Receiver<Event>,
    orders: Option<SyncSender<String>>,
    stderr: Arc<Mutex<Vec<u8>>>,
    stderr_thread: JoinHandle<()>,
    reaped: bool,
}

impl Process {
    /// Starts the program named by the first word.
    pub(super) fn start(words: &[String]) -> Result<Process, Fault> {
        let crash = |error: &dyn std::fmt::Display| Fault::Crash(format!("can't start: {error}"));
        let (program, arguments) = words.split_first().ok_or_else(|| crash(&"no program"))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // A group of its own: Ctrl-C reaches it through us alone, and what it
        // has started ends with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| crash(&error))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            let _ = child.kill();
            let _ = child.wait();
            return Err(crash(&"no pipes"));
        };
        let (orders, to_write) = mpsc::sync_channel(MOST_ORDERS);
        let (heard, lines) = mpsc::sync_channel(MOST_LINES);
        let tail = Arc::new(Mutex::new(Vec::new()));
        thread::spawn(move || write_orders(stdin, &to_write));
        thread::spawn(move || read_lines(stdout, &heard));
        let kept = Arc::clone(&tail);
        let stderr_thread = thread::spawn(move || keep_tail(stderr, &kept));
        Ok(Process {
            child,
            lines,
            orders: Some(orders),
            stderr: tail,
            stderr_thread,
            reaped: false,
        })
    }

    /// Says a line to the program.
    pub(super) fn say(&mut self, line: &str) -> Result<(), Fault> {
        let sent = match &self.orders {
            Some(orders) => orders.try_send(format!("{line}\n")),
            None => return Err(self.crash()),
        };
        match sent {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(Fault::Stall("does not read its input".into())),
            Err(TrySendError::Disconnected(_)) => Err(self.crash()),
        }
    }

    /// Waits for the next line; also tells when it came.
    pub(super) fn hear(
        &mut self,
        deadline: Instant,
        abandoned: &AtomicBool,
    ) -> Result<(String, Instant), Fault> {
        loop {
            if abandoned.load(Ordering::Relaxed) {
                return Err(Fault::Abandoned);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(Event::Line(line, at)) if at <= deadline => return Ok((line, at)),
                Ok(Event::Flood) => {
                    return Err(Fault::Stall(format!(
                        "wrote {} MiB without the end of a line",
                        FLOOD >> 20
                    )));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
                Err(RecvTimeoutError::Timeout) if !left.is_zero() => {}
                Ok(Event::Line(..)) | Err(RecvTimeoutError::Timeout) => {
                    return Err(Fault::Stall("no answer".into()));
                }
            }
        }
    }

    /// Forgets lines that came unasked, at most a queue full.
    pub(super) fn forget_lines(&mut self) -> Result<(), Fault> {
        for _ in 0..MOST_LINES {
            match self.lines.try_recv() {
                Ok(_) => {}
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Err(self.crash()),
            }
        }
        Ok(())
    }

    /// Describes how the program ended; ends it if it only closed its output.
    fn crash(&mut self) -> Fault {
        let status = match self.wait(Duration::from_millis(200)) {
            Some(status) => status,
            None => {
                self.kill();
                "closed its output".into()
            }
        };
        // Its last words may still be on their way.
        let deadline = Instant::now() + Duration::from_millis(200);
        while !self.stderr_thread.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        let kept = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        let last = last_words(&String::from_utf8_lossy(&kept));
        Fault::Crash(if last.is_empty() {
            status
        } else {
            format!("{status}; its last words: {last}")
        })
    }

    /// Waits for the end; its exit status as text, or `None` if it goes on.
    fn wait(&mut self, patience: Duration) -> Option<String> {
        let deadline = Instant::now() + patience;
        while !self.has_ended() {
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
        self.kill_group();
        self.reaped = true;
        Some(match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        })
    }

    /// Whether the program has ended; on Unix without reaping it, so that its
    /// number still stands for its group.
    fn has_ended(&mut self) -> bool {
        #[cfg(unix)]
        if let Some(pid) = self.pid() {
            use rustix::process::{WaitId, WaitIdOptions, waitid};
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
            return !matches!(waitid(WaitId::Pid(pid), options), Ok(None));
        }
        !matches!(self.child.try_wait(), Ok(None))
    }

    #[cfg(unix)]
    fn pid(&self) -> Option<rustix::process::Pid> {
        let pid = i32::try_from(self.child.id()).ok()?;
        rustix::process::Pid::from_raw(pid)
    }

    /// Ends what the program has started. Must come before it is reaped.
    fn kill_group(&self) {
        #[cfg(unix)]
        if let Some(group) = self.pid() {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }

    /// Ends the program and what it has started, at once.
    pub(super) fn kill(&mut self) {
        if self.reaped {
            return;
        }
        self.kill_group();
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.reaped = true;
    }
}

impl Drop for Process {
    /// `quit` and the end of input first, force a second later.
    fn drop(&mut self) {
        if self.reaped {
            return;
        }
        let _ = self.say("quit");
        self.orders = None;
        if !self.reaped && self.wait(FAREWELL).is_none() {
            self.kill();
        }
    }
}

/// The last lines that say something, in one. The very last seldom tells the reason:
/// of a panic in Rust, it says how to get a backtrace.
fn last_words(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    let one = last.join(" | ");
    one.chars()
        .filter(|c| !c.is_control())
        .take(LONGEST_WORDS)
        .collect()
}

fn write_orders(mut stdin: impl Write, orders: &Receiver<String>) {
    while let Ok(order) = orders.recv() {
        if stdin.write_all(order.as_bytes()).is_err() || stdin.flush().is_err() {
            return;
        }
    }
}

/// Sends each line, cut at [`LONGEST_LINE`], until the output ends, floods or
/// nobody listens.
fn read_lines(output: impl Read, heard: &SyncSender<Event>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        let chunk = match io::BufRead::fill_buf(&mut output) {
            Ok(chunk) if !chunk.is_empty() => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            _ => return,
        };
        let end = chunk.iter().position(|&b| b == b'\n');
        let used = end.unwrap_or(chunk.len());
        let room = LONGEST_LINE - line.len();
        line.extend_from_slice(&chunk[..used.min(room)]);
        length += used;
        io::BufRead::consume(&mut output, used + usize::from(end.is_some()));
        if end.is_some() {
            let text = String::from_utf8_lossy(&line).trim().to_owned();
            if heard.send(Event::Line(text, Instant::now())).is_err() {
                return;
            }
            line.clear();
            length = 0;
        } else if length > FLOOD {
            let _ = heard.send(Event::Flood);
            return;
        }
    }
}

fn keep_tail(mut stderr: impl Read, tail: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 1024];
    loop {
        match stderr.read(&mut chunk) {
            Ok(0) => return,
            Ok(count) => {
                let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
                tail.extend_from_slice(&chunk[..count]);
                let excess = tail.len().saturating_sub(STDERR_TAIL);
                tail.drain(..excess);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
