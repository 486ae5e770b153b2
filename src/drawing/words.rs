//! Sentences about a position: whose turn, the score, each field and why it
//! is whose it is.

use crate::rules::{Field, HalfPoints, Position, Side};
use std::io::{self, Write};

/// A side, as JSON has it.
#[must_use]
pub const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Light => "light",
        Side::Dark => "dark",
    }
}

/// Points as JSON has them: a number with at most one decimal.
#[must_use]
pub fn points(half: HalfPoints) -> f64 {
    f64::from(half.0) / 2.0
}

/// The stage of the game, as JSON has it too.
#[must_use]
pub fn stage(position: &Position) -> &'static str {
    if position.is_over() {
        "over"
    } else if position.is_placing() {
        "placement"
    } else {
        "moving"
    }
}

/// Whose turn it is, in words.
#[must_use]
pub fn turn(position: &Position) -> String {
    let side = position.side();
    match stage(position) {
        "over" => match position.margin().0.signum() {
            1 => "The game is over: Light wins.".into(),
            -1 => "The game is over: Dark wins.".into(),
            _ => "The game is over: a draw.".into(),
        },
        "placement" => format!("{side} to place a farmer."),
        _ if position.passes() == 1 => format!("{side} to move; {} has passed.", side.other()),
        _ => format!("{side} to move."),
    }
}

/// Why a field is whose it is: the first place where the crops beside it
/// differ.
///
/// ```
/// use agros::{drawing::words::why, rules::Position};
///
/// let position: Position = "L4,x2,D3/x4/x4/x4 L 1 0".parse()?;
/// assert_eq!(why(&position.fields()[0]), "4 beats 3");
/// # Ok::<(), agros::rules::ParsePositionError>(())
/// ```
#[must_use]
pub fn why(field: &Field) -> String {
    let [light, dark] = &field.crops;
    if light.is_empty() && dark.is_empty() {
        return "no farmer beside it".into();
    }
    let Some(at) = (0..light.len().max(dark.len())).find(|&i| light.get(i) != dark.get(i)) else {
        return "equal crops".into();
    };
    let which = [
        "", "second ", "third ", "fourth ", "fifth ", "sixth ", "seventh ",
    ]
    .get(at)
    .copied()
    .unwrap_or_default();
    match (light.get(at), dark.get(at)) {
        (Some(l), Some(d)) => format!("{which}{} beats {}", l.max(d), l.min(d)),
        (Some(one), None) | (None, Some(one)) if at == 0 => format!("{one} beats none"),
        (Some(one), None) | (None, Some(one)) => format!("{which}{one} beats none"),
        (None, None) => String::new(),
    }
}

/// Lists the fields that farmers touch, the most valuable first.
///
/// # Errors
/// Those of `out`.
pub fn list_fields(fields: &[Field], out: &mut dyn Write) -> io::Result<()> {
    let mut touched: Vec<&Field> = fields
        .iter()
        .filter(|f| f.crops.iter().any(|crops| !crops.is_empty()))
        .collect();
    touched.sort_by_key(|field| std::cmp::Reverse(field.value));
    for field in &touched {
        let verdict = match field.controller {
            Some(side) => format!("{side}'s ({}), worth {}", why(field), field.value),
            None => format!("nobody's ({})", why(field)),
        };
        let cells = field.cells.len();
        writeln!(
            out,
            "field at {:<3} {cells:>3} {}  Light {}, Dark {}: {verdict}",
            field.cells[0].to_string(),
            if cells == 1 { "cell, " } else { "cells," },
            crops(&field.crops[0]),
            crops(&field.crops[1]),
        )?;
    }
    let lonely = fields.len() - touched.len();
    if lonely > 0 {
        let s = if lonely == 1 { "" } else { "s" };
        writeln!(out, "{lonely} field{s} without a farmer beside")?;
    }
    Ok(())
}

/// A list of crops in words.
fn crops(crops: &[u8]) -> String {
    if crops.is_empty() {
        return "none".into();
    }
    let crops: Vec<String> = crops.iter().map(ToString::to_string).collect();
    crops.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_the_first_difference() {
        let field = |light: &[u8], dark: &[u8]| Field {
            cells: vec!["a1".parse().unwrap()],
            crops: [light.to_vec(), dark.to_vec()],
            controller: Some(Side::Light),
            value: 1,
        };
        for (light, dark, reason) in [
            (&[4u8][..], &[3u8, 3, 3][..], "4 beats 3"),
            (&[4, 2], &[4, 1], "second 2 beats 1"),
            (&[4], &[4, 1], "second 1 beats none"),
            (&[4, 4], &[4, 4], "equal crops"),
            (&[], &[1], "1 beats none"),
            (&[], &[], "no farmer beside it"),
        ] {
            assert_eq!(why(&field(light, dark)), reason);
        }
    }
}
