//! `_board_state`: the classic board's list, which people read and write.
//!
//! ```text
//! [cell 0, cell 1, ..., initiative, player 2's cell or None, player 1's cell or None]
//! ```
//!
//! A board is native until somebody touches the list. From then on the list is the truth for that
//! board: every operation reads it before, and `apply_move` writes it after.

use isolation_core::{AnyPosition, Cell, CellSet, Player, Position, Size, with_position};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList};

use crate::errors::{Error, shown};

/// Where a player's cell stands in the list, counted from its end.
fn from_end(player: Player) -> usize {
    match player {
        Player::One => 1,
        Player::Two => 2,
    }
}

/// The list of a position, its side to move as the initiative.
pub(super) fn write<'py>(py: Python<'py>, position: &AnyPosition) -> PyResult<Bound<'py, PyList>> {
    with_position!(position, |position| {
        let cells = position.size().cells();
        let blocked =
            (0..cells).map(|cell| Some(u32::from(!position.blank().contains(Cell(cell)))));
        let initiative = Some(u32::from(position.to_move() == Player::Two));
        let place = |player| position.location(player).map(|cell| cell.0);
        let entries: Vec<Option<u32>> =
            blocked.chain([initiative, place(Player::Two), place(Player::One)]).collect();
        PyList::new(py, entries)
    })
}

/// What somebody assigned: a list is taken as it is, of anything else a list is made.
pub(super) fn given<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    match value.cast::<PyList>() {
        Ok(list) => Ok(list.clone()),
        Err(_) => value
            .try_iter()?
            .collect::<PyResult<Vec<_>>>()
            .and_then(|entries| PyList::new(value.py(), entries)),
    }
}

/// The position that a list says; its side to move is the initiative. May run any code, where the
/// entries are no plain integers.
pub(super) fn read(list: &Bound<'_, PyList>, size: Size) -> PyResult<AnyPosition> {
    let length = list.len();
    // More are no harm: the classic board looks up cells from the front and the rest from the back.
    require_length(length, size)?;
    let mut position = AnyPosition::empty(size);
    with_position!(&mut position, |position| {
        read_cells(list, position)?;
        for player in Player::BOTH {
            let entry = list.get_item(length - from_end(player))?;
            position.place(player, read_place(&entry, size, player)?);
        }
        if !is_zero(&list.get_item(length - 3)?)? {
            position.set_to_move(Player::Two);
        }
    });
    Ok(position)
}

fn require_length(length: usize, size: Size) -> PyResult<()> {
    let least = size.cells() as usize + 3;
    if length < least {
        let problem = format!("it has {length} entries, not {least} for a {size} board");
        return Err(Error::State(problem).into());
    }
    Ok(())
}

/// Refuses a list that says anything that a position does not: [`read`] reads more than that.
pub(super) fn require_plain(list: &Bound<'_, PyList>, position: &AnyPosition) -> PyResult<()> {
    let py = list.py();
    let plain = write(py, position)?;
    if list.len() != plain.len() {
        let problem = format!("it has {} entries, not {}", list.len(), plain.len());
        return Err(Error::State(problem).into());
    }
    for index in 0..plain.len() {
        let entry = list.get_item(index)?;
        if !entry.eq(plain.get_item(index)?)? {
            return Err(Error::State(format!("entry {index} is {}", shown(&entry))).into());
        }
    }
    Ok(())
}

fn read_cells<S: CellSet>(list: &Bound<'_, PyList>, position: &mut Position<S>) -> PyResult<()> {
    let py = list.py();
    // There is one 0 and one 1 in the interpreter, so most entries are known by their address.
    let (zero, one) = (0_u8.into_pyobject(py)?, 1_u8.into_pyobject(py)?);
    for cell in (0..position.size().cells()).map(Cell) {
        let entry = list.get_item(cell.index())?;
        if entry.is(&one) || (!entry.is(&zero) && !is_zero(&entry)?) {
            position.block(cell);
        }
    }
    Ok(())
}

/// What the classic board asks of a cell: whether it equals 0.
fn is_zero(entry: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Ok(number) = entry.cast_exact::<PyInt>() {
        return Ok(number.extract::<i64>().is_ok_and(|number| number == 0));
    }
    entry.eq(0_u8)
}

fn read_place(entry: &Bound<'_, PyAny>, size: Size, player: Player) -> PyResult<Option<Cell>> {
    if entry.is_none() {
        return Ok(None);
    }
    match entry.extract::<u32>() {
        Ok(index) if index < size.cells() => Ok(Some(Cell(index))),
        _ => {
            let problem = format!(
                "player {} stands on {}, not None or an index below {}",
                player.number(),
                shown(entry),
                size.cells()
            );
            Err(Error::State(problem).into())
        }
    }
}

/// Does in the list what the classic `apply_move` does.
pub(super) fn apply(
    list: &Bound<'_, PyList>,
    size: Size,
    mover: Player,
    cell: Cell,
) -> PyResult<()> {
    let length = list.len();
    require_length(length, size)?;
    list.set_item(length - from_end(mover), cell.0)?;
    list.set_item(cell.index(), 1_u8)?;
    let initiative = list.get_item(length - 3)?;
    list.set_item(length - 3, initiative.bitxor(1_u8)?)
}
