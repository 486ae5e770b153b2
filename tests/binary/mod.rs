//! The `agros` binary as a user runs it.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;

/// Runs `agros` with these arguments and this standard input.
pub fn agros(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agros"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("agros starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_string();
    // Some commands end before they have read it all.
    let writer = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("agros ends");
    writer.join().expect("the writer ends");
    output
}

/// Output as text.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}
