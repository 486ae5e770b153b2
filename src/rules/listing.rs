//! Lists of positions, one a line.

use super::Position;

/// Reads position strings, one a line, with the numbers of their lines; empty lines
/// and what follows a `#` are skipped.
///
/// # Errors
/// For a line that is no position or a finished game; the message names the line.
///
/// ```
/// let list = "# two boards\nstart:8\n\nstart:10 # with five farmers each\n";
/// let positions = agros::rules::listing::read(list).unwrap();
/// assert_eq!(positions.len(), 2);
/// assert_eq!((positions[1].0, positions[1].1.size()), (4, 10));
/// ```
pub fn read(text: &str) -> Result<Vec<(usize, Position)>, String> {
    let mut positions = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let position: Position = line
            .parse()
            .map_err(|error| format!("line {number}: {error}"))?;
        if position.is_over() {
            return Err(format!("line {number}: the game is over"));
        }
        positions.push((number, position));
    }
    Ok(positions)
}
