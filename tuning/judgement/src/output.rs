//! The fitted weights as Rust source, written and read back.

use std::fmt::Write;
use std::path::Path;

use agros::evaluation::features::{Features, NAMES};
use agros::evaluation::weights::{self, STAGES, Table, Weights};

/// Writes the table, whole or not at all.
pub(crate) fn write(path: &Path, table: &[Weights]) -> Result<(), String> {
    let mut text = String::from(
        "//! Fitted weights. Made by the package in `tuning/`; not to be edited.\n\n\
         use crate::evaluation::weights::{Table, Weights};\n\n/// One row for each stage.\n\
         #[rustfmt::skip]\n#[allow(clippy::approx_constant)]\npub(super) static TABLE: Table = [\n",
    );
    text.push_str("    // ");
    text.push_str(&NAMES.join(", "));
    text.push('\n');
    let list = |weights: &Features| {
        weights
            .iter()
            .map(|weight| format!("{weight:.4}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    for (weights, stage) in table.iter().zip(STAGES) {
        let _ = write!(
            text,
            "    // Stage {stage}.\n    Weights {{\n        winning: [{}],\n        margin: [{}],\n        policy: [{}],\n    }},\n",
            list(&weights.winning),
            list(&weights.margin),
            list(&weights.policy),
        );
    }
    text.push_str("];\n");
    let part = path.with_extension("part");
    std::fs::write(&part, text)
        .and_then(|()| std::fs::rename(&part, path))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a table.
pub(crate) fn read(path: &Path) -> Result<Box<Table>, String> {
    let named = |error: String| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| named(error.to_string()))?;
    weights::read(&text).map_err(named)
}
