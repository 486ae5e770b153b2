//! `agros show`: the board, its fields and the score.

use super::input::{Answer, PositionArgs};
use super::score::JsonField;
use super::{Failure, Outcome};
use crate::drawing::board::{self, Style};
use crate::drawing::svg;
use crate::drawing::words::{self, points, side_name};
use crate::files;
use crate::rules::Position;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Draw the board, its fields with controller and value, and the score
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// Write a picture to FILE instead (- is stdout); the last of --moves is
    /// marked
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        if let Some(file) = &self.svg {
            return self.write_svg(file);
        }
        let style = Style::of_stdout();
        self.position.answer(|position| {
            Ok(Shown {
                position: position.to_string(),
                size: position.size(),
                farmers: position.farmers(),
                side: side_name(position.side()),
                stage: words::stage(position),
                passes: position.passes(),
                light: points(position.score().light),
                dark: points(position.score().dark),
                fields: position.fields().into_iter().map(Into::into).collect(),
                shown: *position,
                style,
            })
        })
    }

    fn write_svg(&self, file: &Path) -> Outcome {
        let position = self.position.read_one()?;
        let picture = svg::draw(&position, self.position.last_move());
        if file == Path::new("-") {
            io::stdout().write_all(picture.as_bytes())?;
            return Ok(());
        }
        files::replace(file, picture.as_bytes())
            .map_err(|e| Failure::Work(format!("{}: {e}", file.display())))
    }
}

#[derive(Serialize)]
struct Shown {
    position: String,
    size: u8,
    farmers: u8,
    side: &'static str,
    stage: &'static str,
    passes: u8,
    light: f64,
    dark: f64,
    fields: Vec<JsonField>,
    #[serde(skip)]
    shown: Position,
    #[serde(skip)]
    style: Style,
}

impl Answer for Shown {
    fn write_text(&self, out: &mut dyn Write, batch: bool) -> io::Result<()> {
        if batch {
            // A board takes many lines; a batch has one for each position.
            let line = serde_json::to_string(self).map_err(io::Error::other)?;
            return writeln!(out, "{line}");
        }
        let fields = self.shown.fields();
        board::draw(&self.shown, &[], self.style, out)?;
        writeln!(out, "\n{}", words::turn(&self.shown))?;
        words::list_fields(&fields, out)?;
        let score = self.shown.score();
        writeln!(out, "score: Light {}, Dark {}", score.light, score.dark)?;
        writeln!(out, "{}", self.position)
    }
}
