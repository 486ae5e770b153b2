//! The server over loopback, against those who mean it no good: whatever they
//! send is refused within bounds, and everyone else goes on being answered.
#![cfg(feature = "serve")]

use agros::engine::{Engine, Options};
use agros::play::{Budget, Thinker, Thought};
use agros::rules::Position;
use agros::serve::{self, MakeThinker, Settings};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

fn start(searches: usize, longest: Duration) -> SocketAddr {
    let engine = || {
        Box::new(Engine::new(Options {
            hash_mib: 4,
            ..Options::default()
        })) as Box<dyn Thinker>
    };
    start_with(searches, longest, Box::new(engine))
}

/// Starts a server; it lives as long as the test program.
fn start_with(searches: usize, longest: Duration, thinker: MakeThinker) -> SocketAddr {
    let settings = Settings {
        address: "127.0.0.1:0".parse().unwrap(),
        hosts: Vec::new(),
        searches,
        longest,
        thinker,
    };
    let (tell, hear) = mpsc::channel();
    thread::spawn(move || serve::run(settings, |address| tell.send(address).unwrap()));
    hear.recv().unwrap()
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    stream
}

/// Sends bytes and reads the answer to its end, as far as it comes.
fn send(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = connect(address);
    // The server may refuse, and close, before it has read everything.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn status(answer: &str) -> u16 {
    let code = answer.split(' ').nth(1).unwrap_or_default();
    code.parse().unwrap_or(0)
}

fn post(path: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn get(address: SocketAddr, path: &str) -> String {
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    send(address, head.as_bytes())
}

fn is_answering(address: SocketAddr) -> bool {
    status(&get(address, "/api/info")) == 200
}

fn running(address: SocketAddr) -> u64 {
    let answer = get(address, "/api/info");
    let body = answer.split("\r\n\r\n").nth(1).unwrap();
    let info: serde_json::Value = serde_json::from_str(body).unwrap();
    info["running"].as_u64().unwrap()
}

fn eventually(condition: impl Fn() -> bool) -> bool {
    let end = Instant::now() + Duration::from_secs(5);
    while Instant::now() < end {
        if condition() {
            return true;
        }
        thread::sleep(Duration::from_millis(10));
    }
    condition()
}

/// Begins an analysis without end and reads the first of it.
fn open_analysis(address: SocketAddr) -> TcpStream {
    let mut stream = connect(address);
    stream
        .write_all(&post("/api/think", br#"{"start":"start:10:5"}"#))
        .unwrap();
    let mut seen = Vec::new();
    let mut buffer = [0; 4096];
    while !String::from_utf8_lossy(&seen).contains("event: thinking") {
        let length = stream.read(&mut buffer).unwrap();
        assert!(length > 0, "{}", String::from_utf8_lossy(&seen));
        seen.extend_from_slice(&buffer[..length]);
    }
    stream
}

const LONG: Duration = Duration::from_secs(600);

#[test]
fn the_page_and_the_api_answer() {
    let address = start(2, LONG);
    for path in ["/", "/page/main.js", "/page/style.css", "/api/info"] {
        assert_eq!(status(&get(address, path)), 200, "{path}");
    }
    for path in [
        "/page/nothing.js",
        "/page/../Cargo.toml",
        "/api/nothing",
        "/page/",
    ] {
        assert_eq!(status(&get(address, path)), 404, "{path}");
    }
    assert_eq!(status(&get(address, "/api/view")), 405);
    let game = br#"{"start":"start:8:3","moves":["e4","d6"]}"#;
    let view = send(address, &post("/api/view", game));
    assert!(view.contains(r#""position":"x8/x8/x3,D1,x4/x8/x4,L1,x3/x8/x8/x8 D 3 0""#));
    let record = send(address, &post("/api/game", game));
    assert!(record.contains("1.e4 2.d6 *"), "{record}");
    assert!(send(address, &post("/api/picture", game)).contains("<svg "));
}

#[test]
fn the_engine_s_move_is_told_at_the_end_of_its_thought() {
    let address = start(2, LONG);
    let ask = br#"{"start":"start:8:3","moves":["e4"],"level":5}"#;
    let answer = send(address, &post("/api/think", ask));
    assert_eq!(status(&answer), 200);
    let data = answer.split("event: done\ndata: ").nth(1).unwrap();
    let thought: serde_json::Value = serde_json::from_str(data.lines().next().unwrap()).unwrap();
    let mv = thought["move"].as_str().unwrap().parse().unwrap();
    let mut position: Position = "start:8:3".parse().unwrap();
    position.play("e4".parse().unwrap()).unwrap();
    assert!(position.is_legal(mv));
    // A finished game has no move, and that is no failure.
    let over = br#"{"start":"L4,x2,D3/x4/x1,l,x2/x4 L 1 2","level":8}"#;
    let answer = send(address, &post("/api/think", over));
    assert!(
        answer.contains("event: done") && !answer.contains("\"move\""),
        "{answer}"
    );
}

#[test]
fn foreign_hosts_and_origins_are_refused_everywhere() {
    let address = start(1, LONG);
    for path in ["/", "/page/main.js", "/api/info"] {
        for headers in [
            "Host: evil.example",
            "Host: localhost:1",
            "Host: localhost\r\nOrigin: http://evil.example",
            "Host: localhost\r\nOrigin: null",
            "Host: localhost\r\nHost: evil.example",
            "X: no host",
        ] {
            let request = format!("GET {path} HTTP/1.1\r\n{headers}\r\nConnection: close\r\n\r\n");
            let code = status(&send(address, request.as_bytes()));
            assert!(code == 403 || code == 400, "{path} {headers}: {code}");
        }
    }
    // A form of another site could send this without being asked.
    let form = b"POST /api/think HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n\
                 Connection: close\r\nContent-Length: 2\r\n\r\n{}";
    assert_eq!(status(&send(address, form)), 415);
    assert!(is_answering(address));
}

#[test]
fn what_is_too_large_is_refused() {
    let address = start(1, LONG);
    let large = vec![b'['; 10 << 20];
    for path in ["/api/view", "/api/game", "/api/think", "/api/picture"] {
        let code = status(&send(address, &post(path, &large)));
        // 0: the answer was lost, as the connection closed under the flood.
        assert!(code == 413 || code == 0, "{path}: {code}");
    }
    // The same without saying how long it is.
    let mut chunked = b"POST /api/view HTTP/1.1\r\nHost: localhost\r\nContent-Type: \
        application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        .to_vec();
    for _ in 0..64 {
        chunked.extend(b"4000\r\n");
        chunked.extend(vec![b' '; 0x4000]);
        chunked.extend(b"\r\n");
    }
    let code = status(&send(address, &chunked));
    assert!(code == 413 || code == 0, "{code}");
    let moves = vec!["\"pass\""; 10_000].join(",");
    let body = format!(r#"{{"start":"start:10:5","moves":[{moves}]}}"#);
    let code = status(&send(address, &post("/api/view", body.as_bytes())));
    assert!(code == 413 || code == 0, "{code}");
    let head = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n",
        "x".repeat(1 << 20)
    );
    let code = status(&send(address, head.as_bytes()));
    assert!(code == 431 || code == 0, "{code}");
    assert!(is_answering(address));
}

#[test]
fn ten_thousand_positions_are_answered_one_by_one() {
    let address = start(1, LONG);
    let mut stream = connect(address);
    let request = String::from_utf8(post("/api/view", br#"{"start":"start:3:1"}"#))
        .unwrap()
        .replace("Connection: close", "Connection: keep-alive");
    let mut answer = vec![0; 64 * 1024];
    for i in 0..10_000 {
        stream.write_all(request.as_bytes()).unwrap();
        let length = stream.read(&mut answer).unwrap();
        assert!(answer[..length].starts_with(b"HTTP/1.1 200"), "request {i}");
    }
    assert!(is_answering(address));
}

#[test]
fn bad_bytes_are_refused() {
    let address = start(1, LONG);
    for body in [
        &b"\xff\xfe"[..],
        b"{\"start\":\"\xff\"}",
        b"{\"start\":\"\\ud800\"}",
        b"",
        b"null",
        b"[]",
        b"{\"start\":7}",
        b"{\"start\":\"start:99\"}",
        b"{\"moves\":[\"\\u0000\"]}",
        b"{\"text\":\"\"}",
        b"{\"text\":\"start:4:1\\na1 a1\"}",
    ] {
        let answer = send(address, &post("/api/view", body));
        assert_eq!(status(&answer), 400, "{}", String::from_utf8_lossy(body));
        assert!(answer.contains(r#"{"error":""#));
    }
    for ask in [
        &br#"{"level":0}"#[..],
        br#"{"level":256}"#,
        br#"{"nodes":0}"#,
        br#"{"nodes":-1}"#,
        br#"{"time_ms":1e400}"#,
    ] {
        assert_eq!(status(&send(address, &post("/api/think", ask))), 400);
    }
    for raw in [
        &b"\x00\x01\x02\r\n\r\n"[..],
        b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: \xff\r\nConnection: close\r\n\r\n",
        b"GET /page/%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /page/%2e%2e%2fCargo.toml HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"BREW / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ] {
        let code = status(&send(address, raw));
        assert!(code == 0 || (400..500).contains(&code), "{raw:?}: {code}");
    }
    assert!(is_answering(address));
}

#[test]
fn slow_clients_keep_nobody_waiting_and_are_let_go() {
    let address = start(1, LONG);
    let started = Instant::now();
    let slow: Vec<TcpStream> = (0..200)
        .map(|i| {
            let mut stream = connect(address);
            let request = post("/api/view", &[b' '; 100]);
            // Half of them stop in the head, half of them in the body.
            let length = if i % 2 == 0 { 20 } else { request.len() - 50 };
            stream.write_all(&request[..length]).unwrap();
            stream
        })
        .collect();
    let asked = Instant::now();
    assert!(is_answering(address));
    assert!(asked.elapsed() < Duration::from_secs(2));
    for mut stream in slow {
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
        }
        let code = status(&String::from_utf8_lossy(&answer));
        assert!(code == 0 || code == 408, "{code}");
    }
    assert!(started.elapsed() < Duration::from_secs(15));
    assert!(is_answering(address));
}

#[test]
fn searches_are_bounded_and_end_with_their_listeners() {
    let address = start(2, LONG);
    let (first, second) = (open_analysis(address), open_analysis(address));
    assert_eq!(running(address), 2);
    let third = send(address, &post("/api/think", br#"{"start":"start:8:3"}"#));
    assert_eq!(status(&third), 503);
    drop(first);
    let fourth = open_analysis(address);
    drop((second, fourth));
    assert!(eventually(|| running(address) == 0));
    for _ in 0..50 {
        drop(open_analysis(address));
    }
    assert!(eventually(|| running(address) == 0));
}

#[test]
fn a_reader_who_stalls_holds_a_search_no_longer_than_its_time() {
    let address = start(1, Duration::from_millis(300));
    let stalled = open_analysis(address);
    assert!(eventually(|| running(address) == 0));
    drop(open_analysis(address));
    drop(stalled);
}

/// A thinker with a bug.
struct Faulty;

impl Thinker for Faulty {
    fn think(
        &mut self,
        _: &Position,
        _: &Budget,
        _: &AtomicBool,
        _: &mut dyn FnMut(&Thought),
    ) -> Thought {
        panic!("a bug in the engine")
    }
}

#[test]
fn a_search_that_panics_fails_alone() {
    let address = start_with(1, LONG, Box::new(|| Box::new(Faulty)));
    for _ in 0..3 {
        let answer = send(address, &post("/api/think", b"{}"));
        assert_eq!(status(&answer), 200);
        assert!(answer.contains("event: failed"), "{answer}");
    }
    // A place is given back a moment after the answer that it failed.
    assert!(eventually(|| running(address) == 0));
}

#[test]
fn no_json_makes_the_server_fail() {
    use rand::{Rng, RngExt};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    const WORDS: [&str; 26] = [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"start\"",
        "\"moves\"",
        "\"text\"",
        "\"level\"",
        "\"time_ms\"",
        "\"nodes\"",
        "\"lines\"",
        "\"start:4:1\"",
        "\"a1\"",
        "\"pass\"",
        "\"a1b2\"",
        "0",
        "1",
        "-1",
        "1e9",
        "99999999999999999999",
        "null",
        "true",
        "\"\\u0000\"",
        "\"x4/x4\"",
    ];
    fn body(rng: &mut impl Rng) -> String {
        let mut word = || WORDS[rng.random_range(0..WORDS.len())];
        // Half of them well formed as far as the first value, so that more
        // than the JSON reader is met.
        let first = format!(
            "{{\"start\":\"start:4:1\",\"time_ms\":1,{}:{}",
            word(),
            word()
        );
        let rest: String = (0..4).map(|_| word()).collect();
        match word() {
            "{" | "}" | "[" | "]" => rest,
            ":" | "," => format!("{first}{rest}"),
            _ => format!("{first}}}"),
        }
    }
    let address = start(2, Duration::from_millis(20));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut seen = [0; 2];
    for i in 0..2000 {
        let path = ["/api/view", "/api/game", "/api/picture", "/api/think"][i % 4];
        let body = body(&mut rng);
        let code = status(&send(address, &post(path, body.as_bytes())));
        assert!([200, 400].contains(&code), "{path} {body}: {code}");
        seen[usize::from(code == 200)] += 1;
    }
    assert!(seen.iter().all(|&n| n > 50), "{seen:?}");
}
