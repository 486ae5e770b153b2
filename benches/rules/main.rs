//! The rules core timed against the slow reference of the tests.
//!
//! One group an operation, in it three boards, each by the library (`agros`)
//! and by the reference (`mailbox`). What an operation is, and on which
//! positions, is in `workload`; criterion's throughput counts operations.
//! After the last group a table has the times of this run and their ratios.

#[path = "../../tests/bridge/mod.rs"]
pub mod bridge;
mod cpu_time;
mod ratios;
#[path = "../../tests/reference/mod.rs"]
pub mod reference;
#[path = "../workload/mod.rs"]
mod workload;

use agros::rules::BoardSize;
use agros::rules::geometry::{Size8, Size10, Size12};
use cpu_time::CpuTime;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput};
use std::path::Path;
use std::time::{Duration, SystemTime};
use workload::{Workload, operations};

/// Sizes and farmers a player.
const BOARDS: [&str; 3] = ["8×8/3", "10×10/5", "12×12/7"];

fn main() {
    let began = SystemTime::now();
    let results = Path::new(env!("CARGO_TARGET_TMPDIR")).join("criterion");
    let mut criterion = Criterion::default()
        .with_measurement(CpuTime(WallTime))
        .output_directory(&results)
        .without_plots()
        .sample_size(20)
        .nresamples(5_000)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1200))
        .configure_from_args();
    let names: Vec<&str> = operations::<Size10>().iter().map(|o| o.name).collect();
    for name in &names {
        let mut group = criterion.benchmark_group(*name);
        group.sampling_mode(SamplingMode::Flat);
        bench::<Size8>(&mut group, name, BOARDS[0]);
        bench::<Size10>(&mut group, name, BOARDS[1]);
        bench::<Size12>(&mut group, name, BOARDS[2]);
        group.finish();
    }
    criterion.final_summary();
    print!("{}", ratios::table(&results, &names, &BOARDS, began));
}

/// One operation on one board, by the library and right after it by the
/// reference.
fn bench<S: BoardSize>(group: &mut BenchmarkGroup<CpuTime>, name: &str, board: &str) {
    let mut work = Workload::<S>::new(true).expect("positions of this size");
    let operations = operations::<S>();
    let Some(operation) = operations.iter().find(|o| o.name == name) else {
        return;
    };
    let passes = [
        ("agros", Some(operation.library)),
        ("mailbox", operation.mailbox),
    ];
    for (who, pass) in passes {
        let Some(pass) = pass else { continue };
        // Random games differ in length from pass to pass: their mean.
        let trials = if name == "playout" { 64 } else { 1 };
        let done: u64 = (0..trials).map(|_| pass(&mut work)).sum();
        group.throughput(Throughput::Elements(done / trials));
        group.bench_function(BenchmarkId::new(who, board), |b| b.iter(|| pass(&mut work)));
    }
}
