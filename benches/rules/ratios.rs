//! The table at the end of a run, read from what criterion has written.

use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Nanoseconds of one operation by the library and by the reference, and the
/// second over the first, for every bench of this run.
pub(crate) fn table(results: &Path, groups: &[&str], boards: &[&str], began: SystemTime) -> String {
    let mut text = format!(
        "\n{:<12} {:<9} {:>11} {:>11} {:>7}\n",
        "operation", "board", "agros", "mailbox", "ratio"
    );
    let mut rows = 0;
    for group in groups {
        for board in boards {
            let time = |who: &str| nanoseconds(&results.join(group).join(who), board, began);
            let Some(own) = time("agros") else { continue };
            rows += 1;
            let _ = match time("mailbox") {
                Some(other) => writeln!(
                    text,
                    "{group:<12} {board:<9} {own:>8.1} ns {other:>8.1} ns {:>7.1}",
                    other / own
                ),
                None => writeln!(text, "{group:<12} {board:<9} {own:>8.1} ns"),
            };
        }
    }
    if rows == 0 { String::new() } else { text }
}

/// The median time of one operation, if it was measured in this run.
fn nanoseconds(folder: &Path, board: &str, began: SystemTime) -> Option<f64> {
    // Criterion replaces what some file systems don't take.
    let folder = folder.join(board.replace('/', "_")).join("new");
    let estimates = folder.join("estimates.json");
    if fs::metadata(&estimates).ok()?.modified().ok()? < began {
        return None;
    }
    let read = |path: &Path| serde_json::from_slice::<Value>(&fs::read(path).ok()?).ok();
    let pass = read(&estimates)?["median"]["point_estimate"].as_f64()?;
    let done = read(&folder.join("benchmark.json"))?["throughput"]["Elements"].as_f64()?;
    Some(pass / done)
}
