//! Runs one hot operation of the rules core a number of times, for a tool
//! that counts instructions.
//!
//! `counts OPERATION PASSES [SIZE]` prints the number of operations done on
//! the board of that size (8, 10 or 12; 10 if none is given), `counts
//! mailbox-OPERATION ...` does them by the slow reference, `counts operations` names
//! them. Two runs with different passes give the instructions of one operation
//! without the start-up: their difference over that of the operations.

#[path = "../../../tests/bridge/mod.rs"]
pub mod bridge;
#[path = "../../../tests/reference/mod.rs"]
pub mod reference;
#[path = "../../../benches/workload/mod.rs"]
mod workload;

use agros::rules::BoardSize;
use agros::rules::geometry::{Size8, Size10, Size12};
use std::process::ExitCode;
use workload::{Workload, operations};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(answer) => {
            println!("{answer}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("counts: {reason}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[String]) -> Result<String, String> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (name, passes, size) = match *args {
        ["operations"] => return Ok(names()),
        [name, passes] => (name, passes, "10"),
        [name, passes, size] => (name, passes, size),
        _ => return Err("expected OPERATION PASSES [SIZE] or operations".to_string()),
    };
    let passes = passes
        .parse()
        .map_err(|_| format!("passes {passes:?} is not a number"))?;
    match size {
        "8" => count::<Size8>(name, passes),
        "10" => count::<Size10>(name, passes),
        "12" => count::<Size12>(name, passes),
        _ => Err(format!("size {size:?} is not 8, 10 or 12")),
    }
}

/// The operations, one a line, the reference's too.
fn names() -> String {
    let operations = operations::<Size10>();
    let own = operations.iter().map(|o| o.name.to_string());
    let twins = operations.iter().filter(|o| o.mailbox.is_some());
    let twins = twins.map(|o| format!("mailbox-{}", o.name));
    own.chain(twins).collect::<Vec<_>>().join("\n")
}

/// Does so many passes; the number of operations in them.
fn count<S: BoardSize>(name: &str, passes: u32) -> Result<String, String> {
    let mut work = Workload::<S>::new(false).ok_or("no positions of this size")?;
    let operations = operations::<S>();
    let pass = match name.strip_prefix("mailbox-") {
        None => operations
            .iter()
            .find(|o| o.name == name)
            .map(|o| o.library),
        Some(name) => operations
            .iter()
            .find(|o| o.name == name)
            .and_then(|o| o.mailbox),
    };
    let pass = pass.ok_or_else(|| format!("no operation {name:?}"))?;
    let done: u64 = (0..passes).map(|_| pass(&mut work)).sum();
    Ok(done.to_string())
}
