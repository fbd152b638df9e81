//! Methods that a subclass has of its own: the others go by them, as the classic board's methods do.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use isolation_core::{KNIGHT_STEPS, shuffle_from};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use smallvec::SmallVec;

use super::Board;
use crate::moves::GivenMove;

/// What decides the moves from a cell.
const DECIDE_MOVES: [&str; 2] = ["get_blank_spaces", "move_is_legal"];
/// What decides the legal moves of a player.
const DECIDE_LEGAL_MOVES: [&str; 4] =
    ["get_player_location", "_Board__get_moves", DECIDE_MOVES[0], DECIDE_MOVES[1]];

/// The class itself, kept here because every small method looks first whether its board is of a subclass:
/// to have it looked up took a twentieth of `get_legal_moves`.
static CLASS: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(null_mut());

/// Notes the class.
pub(super) fn prepare(py: Python<'_>) {
    CLASS.store(py.get_type::<Board>().as_type_ptr(), Ordering::Relaxed);
}

/// Whether it is a board of the class itself, all of whose methods are ours.
///
/// A method that was set on such a board alone is called by its name, but the others do not go by it:
/// to look for one took a twentieth of `get_legal_moves` and of `is_loser`.
#[inline]
pub(super) fn is_plain(board: &Bound<'_, Board>) -> bool {
    board.get_type_ptr() == CLASS.load(Ordering::Relaxed)
}

/// Whether one of these methods is not ours.
fn any(board: &Bound<'_, Board>, names: &[&str]) -> PyResult<bool> {
    let (class, ours) = (board.get_type(), board.py().get_type::<Board>());
    for name in names {
        if !class.getattr(name)?.is(&ours.getattr(name)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the active player has no move, by the board's own idea of what is legal.
#[cold]
pub(super) fn is_over(board: &Bound<'_, Board>) -> PyResult<bool> {
    let moves = board.call_method1("get_legal_moves", (Board::active(board),))?;
    Ok(!moves.is_truthy()?)
}

/// The legal moves of a player by the board's own methods; None where those are ours.
pub(super) fn legal_moves<'py>(
    board: &Bound<'py, Board>,
    player: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !any(board, &DECIDE_LEGAL_MOVES)? {
        return Ok(None);
    }
    let player = player.map_or_else(|| Board::active(board), Bound::clone);
    let location = board.call_method1("get_player_location", (player,))?;
    board.call_method1("_Board__get_moves", (location,)).map(Some)
}

/// The moves from a place by the board's own methods; None where those are ours.
pub(super) fn moves_from_place<'py>(
    board: &Bound<'py, Board>,
    place: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !any(board, &DECIDE_MOVES)? {
        return Ok(None);
    }
    let py = board.py();
    let Some(place) = place else { return board.call_method0("get_blank_spaces").map(Some) };
    let Some((row, column)) = GivenMove::new(place)?.pair() else {
        return Ok(Some(PyList::empty(py).into_any()));
    };
    let mut moves: SmallVec<[Bound<'_, PyTuple>; 8]> = SmallVec::new();
    for (down, right) in KNIGHT_STEPS {
        let r#move = (row.wrapping_add(down), column.wrapping_add(right)).into_pyobject(py)?;
        if board.call_method1("move_is_legal", (&r#move,))?.is_truthy()? {
            moves.push(r#move);
        }
    }
    let (size, bits) = {
        let content = Board::content(board);
        (content.size(), content.seating.order_bits)
    };
    let origin = column.wrapping_mul(i64::from(size.height())).wrapping_add(row);
    shuffle_from(&mut moves, bits, origin.cast_unsigned());
    Ok(Some(PyList::new(py, moves)?.into_any()))
}
