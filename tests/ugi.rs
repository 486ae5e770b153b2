//! The protocol server, driven in memory: what it answers, how fast, and that
//! nothing makes it panic or leaves a `go` without its one answer.

use agros::protocol::{Settings, serve};
use agros::rules::Position;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::{self, BufReader, PipeWriter, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.engine.hash_mib = 8;
    settings
}

/// What the server answers to a whole input.
fn answers(input: &str) -> Vec<String> {
    let mut output = Vec::new();
    serve(input.as_bytes(), &mut output, settings()).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn best_moves(lines: &[String]) -> Vec<&str> {
    let best = lines
        .iter()
        .filter_map(|line| line.strip_prefix("bestmove "));
    best.collect()
}

/// A server on the other end of a pipe.
struct Session {
    input: Option<PipeWriter>,
    lines: Receiver<String>,
    server: Option<JoinHandle<io::Result<()>>>,
}

/// Sends whole lines to the test.
struct Lines(Sender<String>, Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.1)).unwrap();
                let _ = self.0.send(line);
            } else {
                self.1.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Session {
    fn start() -> Session {
        let (reader, input) = io::pipe().unwrap();
        let (sender, lines) = mpsc::channel();
        let server = thread::spawn(move || {
            serve(
                BufReader::new(reader),
                Lines(sender, Vec::new()),
                settings(),
            )
        });
        Session {
            input: Some(input),
            lines,
            server: Some(server),
        }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The next line that isn't an `info` of the search, and how long it took.
    fn hear(&self) -> (String, Duration) {
        let start = Instant::now();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(10)).unwrap();
            if !line.starts_with("info nodes") {
                return (line, start.elapsed());
            }
        }
    }

    /// Closes the input; how long the server took to end, and what it said.
    fn close(mut self) -> (Duration, Vec<String>) {
        let start = Instant::now();
        drop(self.input.take());
        self.server.take().unwrap().join().unwrap().unwrap();
        (start.elapsed(), self.lines.try_iter().collect())
    }
}

#[test]
fn the_introduction_names_every_option_of_the_contract() {
    let lines = answers("ugi\n");
    assert!(lines[0].starts_with("id name Agros"));
    assert!(lines[1].starts_with("id author "));
    assert_eq!(lines.last().unwrap(), "ugiok");
    for name in ["Threads", "Hash", "MultiPV", "Seed", "BoardSize", "Farmers"] {
        let start = format!("option name {name} type spin default ");
        let line = lines.iter().find(|line| line.starts_with(&start)).unwrap();
        assert!(line.contains(" min ") && line.contains(" max "), "{line}");
    }
}

#[test]
fn a_search_tells_info_lines_and_one_move() {
    let lines = answers("setoption name MultiPV value 3\nposition startpos\ngo nodes 200\n");
    let best = best_moves(&lines);
    assert_eq!(best.len(), 1);
    let start = Position::start(10, 5).unwrap();
    assert!(start.is_legal(best[0].parse().unwrap()));
    let info = |k: usize| format!(" multipv {k} score cp ");
    for k in 1..=3 {
        let line = lines.iter().find(|line| line.contains(&info(k))).unwrap();
        assert!(line.starts_with("info nodes 200 time "), "{line}");
        let pv = line.split(" pv ").nth(1).unwrap();
        let mut position = start;
        for mv in pv.split(' ') {
            position.play(mv.parse().unwrap()).unwrap();
        }
    }
    assert!(!lines.iter().any(|line| line.contains("multipv 4")));
}

#[test]
fn finished_games_have_no_move_and_queries_are_answered() {
    let over = "x3/x1,L2,x1/D1,x2 L 1 2";
    let input = format!(
        "position fen {over}\ngo nodes 9\nstop\ngo infinite\nstop\nquery gameover\nquery result\nquery p1turn\n\
         query fen\nposition startpos moves e5 e6\nquery p1turn\nquery gameover\nquery result\n"
    );
    let lines = answers(&input);
    assert_eq!(best_moves(&lines), ["none", "none"]);
    let told: Vec<&str> = lines
        .iter()
        .filter_map(|l| l.strip_prefix("response "))
        .collect();
    assert_eq!(
        told,
        ["true", "p1win", "true", over, "false", "false", "none"]
    );
}

#[test]
fn options_change_the_board_and_bad_ones_are_refused() {
    let lines = answers(
        "setoption name boardsize value 8\nquery fen\nsetoption name Farmers value 5\nquery fen\n\
         setoption name BoardSize value 3\nsetoption name Threads value 0\n\
         setoption name Ponder value true\nsetoption\n",
    );
    assert_eq!(lines[0], "response x8/x8/x8/x8/x8/x8/x8/x8 L 3 0");
    assert_eq!(lines[1], "response x8/x8/x8/x8/x8/x8/x8/x8 L 5 0");
    for (line, reason) in lines[2..]
        .iter()
        .zip(["farmers", "Threads", "Ponder", "unknown"])
    {
        assert!(
            line.starts_with("info string ") && line.contains(reason),
            "{line}"
        );
    }
}

#[test]
fn any_line_ending_will_do_and_a_bad_position_changes_nothing() {
    let lines = answers("isready\r\nisready\risready\n\n\r\nposition fen x3 L 1 0\nquery p1turn");
    assert_eq!(lines[..3], ["readyok", "readyok", "readyok"]);
    assert!(lines[3].starts_with("info string position: board"));
    assert_eq!(lines[4], "response true");
    let long = "x".repeat(200_000);
    let lines = answers(&format!("{long}\nisready\n{long}"));
    assert!(lines[0].starts_with("info string a line longer"));
    assert_eq!(lines[1], "readyok");
    assert!(lines[2].starts_with("info string a line longer"));
}

#[test]
fn a_limit_that_cannot_be_read_still_gets_an_answer() {
    for go in [
        "go nodes x",
        "go movetime",
        "go nodes -5",
        "go depth 3",
        "go p2time 100",
    ] {
        let lines = answers(&format!("position startpos\n{go}\n"));
        assert_eq!(best_moves(&lines).len(), 1, "{go}");
    }
}

#[test]
fn during_a_search_it_is_ready_refuses_changes_and_stops_at_once() {
    let mut session = Session::start();
    session.say("position startpos");
    session.say("go infinite");
    thread::sleep(Duration::from_millis(200));
    session.say("isready");
    let (line, took) = session.hear();
    assert_eq!(line, "readyok");
    assert!(took < Duration::from_millis(50), "{took:?}");
    for refused in [
        "go nodes 5",
        "position startpos",
        "setoption name Hash value 1",
    ] {
        session.say(refused);
        let (line, _) = session.hear();
        assert!(line.starts_with("info string refused"), "{line}");
    }
    session.say("stop");
    let (line, took) = session.hear();
    assert!(line.starts_with("bestmove "), "{line}");
    assert!(took < Duration::from_millis(100), "{took:?}");
    // Right after the answer everything is possible again.
    session.say("position startpos moves e5\ngo nodes 5");
    assert!(session.hear().0.starts_with("bestmove "));
    session.say("stop\nisready");
    assert_eq!(session.hear().0, "readyok");
}

#[test]
fn the_end_of_input_ends_everything_within_a_second() {
    for (go, answers) in [("go infinite", 1), ("go movetime 60000", 1), ("isready", 0)] {
        let mut session = Session::start();
        session.say("position startpos");
        session.say(go);
        thread::sleep(Duration::from_millis(100));
        let (took, lines) = session.close();
        assert!(took < Duration::from_secs(1), "{go}: {took:?}");
        assert_eq!(best_moves(&lines).len(), answers, "{go}");
    }
}

#[test]
fn quit_during_a_search_still_answers_it() {
    let mut session = Session::start();
    session.say("go infinite\nquit");
    assert!(session.hear().0.starts_with("bestmove "));
    assert!(session.close().0 < Duration::from_millis(500));
}

#[test]
fn a_search_keeps_its_time() {
    let mut session = Session::start();
    for (go, most) in [
        ("go movetime 100", 100),
        ("go p1time 100 p1inc 0", 60),
        ("go movetime 0", 20),
    ] {
        session.say("position startpos\nisready");
        session.hear();
        session.say(go);
        let (_, took) = session.hear();
        // Other tests run at the same time.
        assert!(took < Duration::from_millis(most + 50), "{go}: {took:?}");
    }
}

/// A random line: an order, a damaged order, or noise.
fn random_line(rng: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    const ORDERS: [&str; 26] = [
        "ugi",
        "isready",
        "uginewgame",
        "position startpos",
        "position startpos moves b2 c3 a1 b1 b2b3 pass",
        "position fen x3/x1,D1,x1/L1,x2 L 1 0",
        "position fen x3/x1,D1,x1/L1,x2 L 1 0 moves a1a2 pass pass",
        "position fen x4/x2,L2,x1/x1,D4,x2/x4 L 1 1",
        "position fen x3/x1,D0,x1/L1,x2 L 1 0",
        "go nodes 3",
        "go nodes 1",
        "go movetime 0",
        "go movetime 1",
        "go p1time 1 p2time 1 p1inc 1 p2inc 1",
        "go nodes x",
        "go nodes 99999999999999999999999",
        "go",
        "stop",
        "query p1turn",
        "query gameover",
        "query result",
        "query fen",
        "setoption name BoardSize value 4",
        "setoption name MultiPV value 2",
        "setoption name Seed value 7",
        "debug on \u{fffd}",
    ];
    let mut line = ORDERS[rng.random_range(0..ORDERS.len())]
        .as_bytes()
        .to_vec();
    if rng.random_range(0..3) == 0 {
        for _ in 0..rng.random_range(1..4) {
            let at = rng.random_range(0..=line.len());
            match rng.random_range(0..3) {
                0 => line.insert(at, rng.random()),
                1 if at < line.len() => drop(line.remove(at)),
                _ => line.truncate(at),
            }
        }
    }
    // Only so that the session goes on to the last line.
    if String::from_utf8_lossy(&line)
        .split_whitespace()
        .eq(["quit"])
    {
        line.clear();
    }
    line
}

#[test]
fn a_hundred_thousand_random_lines_do_no_harm() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut input = b"setoption name BoardSize value 3\nsetoption name Hash value 1\n".to_vec();
    let mut lines = 0;
    while lines < 100_000 {
        for _ in 0..rng.random_range(1..6) {
            let line = random_line(&mut rng);
            // A damaged option may ask for much memory; that is no harm, but slow.
            if !String::from_utf8_lossy(&line).contains("Hash") {
                input.extend(line);
                input.push(b'\n');
                lines += 1;
            }
        }
        // Most searches are ended by a later line, as a real program would.
        input.extend(b"stop\n");
    }
    input.extend(b"stop\nisready\n");
    let mut output = Vec::new();
    serve(&input[..], &mut output, settings()).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert!(output.ends_with("readyok\n"));
    let is_answer = |line: &&str| line.starts_with("bestmove ");
    let is_refusal = |line: &&str| line.starts_with("info string refused");
    assert!(output.lines().filter(is_answer).count() > 10_000);
    assert!(output.lines().filter(is_refusal).count() > 100);
}

/// Every `go` is answered by one `bestmove` or refused, never both or neither.
#[test]
fn every_go_has_one_answer() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut input = String::from("setoption name BoardSize value 4\n");
    let mut searches = 0;
    for _ in 0..5_000 {
        let line = match rng.random_range(0..6) {
            0 => "go nodes 20",
            1 => "go movetime 0",
            2 => "go infinite",
            3 => "position startpos moves b2",
            4 => "isready",
            _ => "stop",
        };
        searches += usize::from(line.starts_with("go"));
        input += line;
        input.push('\n');
    }
    let lines = answers(&input);
    let refusal = "info string refused: go during a search, stop it first";
    let refused = lines.iter().filter(|line| *line == refusal).count();
    assert!(refused > 100, "{refused} of {searches}");
    assert_eq!(best_moves(&lines).len() + refused, searches);
}
