//! The `agros` command: it only dispatches.

use std::process::ExitCode;

fn main() -> ExitCode {
    agros::commands::run()
}
