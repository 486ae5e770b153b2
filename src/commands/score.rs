//! `agros score`: the score as things stand.

use super::Outcome;
use super::input::{Answer, PositionArgs};
use crate::drawing::words::{points, side_name};
use crate::rules::{Field, Position, Score};
use serde::Serialize;
use std::io::{self, Write};

/// Print the score: LIGHT DARK
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        self.position.answer(|position| Ok(Scores::of(position)))
    }
}

/// A field as JSON has it.
#[derive(Serialize)]
pub(super) struct JsonField {
    cells: Vec<String>,
    light: Vec<u8>,
    dark: Vec<u8>,
    controller: Option<&'static str>,
    value: u32,
}

impl From<Field> for JsonField {
    fn from(field: Field) -> Self {
        let [light, dark] = field.crops;
        JsonField {
            cells: field.cells.iter().map(ToString::to_string).collect(),
            light,
            dark,
            controller: field.controller.map(side_name),
            value: field.value,
        }
    }
}

#[derive(Serialize)]
struct Scores {
    light: f64,
    dark: f64,
    fields: Vec<JsonField>,
    #[serde(skip)]
    score: Score,
}

impl Scores {
    fn of(position: &Position) -> Scores {
        let score = position.score();
        Scores {
            light: points(score.light),
            dark: points(score.dark),
            fields: position.fields().into_iter().map(Into::into).collect(),
            score,
        }
    }
}

impl Answer for Scores {
    fn write_text(&self, out: &mut dyn Write, _batch: bool) -> io::Result<()> {
        writeln!(out, "{}", self.score)
    }
}
