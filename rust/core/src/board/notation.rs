//! The text notation of positions: one line, five fields.
//!
//! ```text
//! position = size " " rows " " knight " " knight " " side
//! size     = WIDTH "x" HEIGHT
//! rows     = row { "/" row }       HEIGHT of them, from row 0 down
//! row      = { NUMBER | "x" }      a run of that many blank cells; one blocked cell
//! knight   = ROW "," COLUMN | "-"  player 1, then player 2; "-" while not placed
//! side     = "1" | "2"             who is to move
//!
//!        0   1   2
//!  0   |   |   |   |
//!  1   | 1 |   | - |    is  "3x4 3/x1x/3/1x1 1,0 3,1 1"
//!  2   |   |   |   |
//!  3   |   | 2 |   |
//! ```
//!
//! A knight's own cell is blocked. Both may stand on one cell, since unchecked moves can bring
//! them there. Two numbers cannot stand side by side, so a position is written in one way; when
//! read, leading zeros and more white space will do.

use std::fmt::{self, Write};
use std::str::FromStr;

use super::any::{AnyPosition, with_position};
use super::cells::CellSet;
use super::geometry::{Cell, Size};
use super::player::Player;
use super::position::Position;

/// A text that is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a position: {problem} (expected e.g. \"7x7 7/7/3x3/7/7/7/7 2,3 - 2\")")]
pub struct NotationError {
    /// The text as it was given, shortened where it is long.
    pub text: String,
    /// What is wrong with it.
    pub problem: String,
}

impl<S: CellSet> fmt::Display for Position<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size();
        write!(f, "{size} ")?;
        for row in 0..size.height() {
            if row > 0 {
                f.write_char('/')?;
            }
            let mut run = 0;
            for column in 0..size.width() {
                if self.blank().contains(Cell(row + column * size.height())) {
                    run += 1;
                    continue;
                }
                if run > 0 {
                    write!(f, "{run}")?;
                    run = 0;
                }
                f.write_char('x')?;
            }
            if run > 0 {
                write!(f, "{run}")?;
            }
        }
        for player in Player::BOTH {
            match self.location(player) {
                Some(cell) => {
                    let (row, column) = size.coordinates(cell);
                    write!(f, " {row},{column}")?;
                }
                None => f.write_str(" -")?,
            }
        }
        write!(f, " {}", self.to_move().number())
    }
}

impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_position!(self, |position| position.fmt(f))
    }
}

impl FromStr for AnyPosition {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        parse(text).map_err(|problem| NotationError {
            text: shortened(text, 200),
            problem: shortened(&problem, 200),
        })
    }
}

/// The text, or its beginning: errors are read by people.
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

fn parse(text: &str) -> Result<AnyPosition, String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let &[size, rows, knight_1, knight_2, to_move] = fields.as_slice() else {
        return Err(format!(
            "it has {} field{}, not the 5 of size, rows, knight 1, knight 2, side",
            fields.len(),
            if fields.len() == 1 { "" } else { "s" },
        ));
    };
    let size = parse_size(size)?;
    let mut any = AnyPosition::empty(size);
    with_position!(&mut any, |position| {
        parse_rows(position, rows)?;
        place_knight(position, Player::One, knight_1)?;
        place_knight(position, Player::Two, knight_2)?;
        position.set_to_move(match to_move {
            "1" => Player::One,
            "2" => Player::Two,
            _ => return Err(format!("the side to move is {to_move:?}, not 1 or 2")),
        });
    });
    Ok(any)
}

/// A decimal number without sign; the largest there is for one that is larger still.
fn number(digits: &str) -> Option<u64> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().unwrap_or(u64::MAX))
}

fn parse_size(field: &str) -> Result<Size, String> {
    let (width, height) = field
        .split_once('x')
        .and_then(|(width, height)| number(width).zip(number(height)))
        .ok_or_else(|| format!("the size is {field:?}, not WIDTHxHEIGHT"))?;
    Size::new(width, height).map_err(|error| error.to_string())
}

fn parse_rows<S: CellSet>(position: &mut Position<S>, field: &str) -> Result<(), String> {
    let size = position.size();
    let rows: Vec<&str> = field.split('/').collect();
    if rows.len() != size.height() as usize {
        return Err(format!("it has {} rows, not {}", rows.len(), size.height()));
    }
    for (row, text) in (0..).zip(rows) {
        let cells = parse_row(position, row, text)?;
        if cells != u64::from(size.width()) {
            return Err(format!("row {row} has {cells} cells, not {}", size.width()));
        }
    }
    Ok(())
}

/// Blocks what the row says, and returns how many cells it has.
fn parse_row<S: CellSet>(position: &mut Position<S>, row: u32, text: &str) -> Result<u64, String> {
    let size = position.size();
    let mut column: u64 = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first == 'x' {
            if column < u64::from(size.width()) {
                let cell = size.cell(i64::from(row), column.cast_signed());
                position.block(cell.expect("row and column are on the board"));
            }
            column += 1;
            rest = &rest[1..];
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        match number(&rest[..end]) {
            Some(u64::MAX) => return Err(format!("row {row} has {} cells and more", &rest[..end])),
            Some(run @ 1..) => column = column.saturating_add(run),
            Some(0) => return Err(format!("row {row} has a run of 0 cells")),
            None => return Err(format!("row {row} has {first:?}, not a number or x")),
        }
        rest = &rest[end..];
    }
    Ok(column)
}

fn place_knight<S: CellSet>(
    position: &mut Position<S>,
    player: Player,
    field: &str,
) -> Result<(), String> {
    if field == "-" {
        return Ok(());
    }
    let who = format!("knight {}", player.number());
    let (row, column) = field
        .split_once(',')
        .and_then(|(row, column)| number(row).zip(number(column)))
        .ok_or_else(|| format!("{who} is {field:?}, not ROW,COLUMN or -"))?;
    let cell = i64::try_from(row)
        .ok()
        .zip(i64::try_from(column).ok())
        .and_then(|(row, column)| position.size().cell(row, column))
        .ok_or_else(|| format!("{who} is on {field}, outside the {} board", position.size()))?;
    if position.blank().contains(cell) {
        return Err(format!("{who} is on {field}, a cell that is not blocked (x)"));
    }
    position.place(player, Some(cell));
    Ok(())
}
