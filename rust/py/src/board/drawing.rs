//! How a board is shown, by the Python that draws for the reference board too.

use isolation_core::Size;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::Board;

/// The classic text.
pub(super) fn text<'py>(
    board: &Bound<'py, Board>,
    symbols: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = board.py();
    let symbols = match symbols {
        Some(symbols) => symbols,
        None => ("1", "2").into_pyobject(py)?.into_any(),
    };
    let (size, state) = shown(board)?;
    py.import("isolation_fast.board.drawing")?.getattr("classic_text")?.call1((
        size.width(),
        size.height(),
        state,
        symbols,
    ))
}

/// The SVG picture, so many pixels along its longer side.
pub(super) fn svg<'py>(board: &Bound<'py, Board>, pixels: i64) -> PyResult<Bound<'py, PyAny>> {
    let py = board.py();
    let to_move = Board::mover(board)?.number();
    let (size, state) = shown(board)?;
    py.import("isolation_fast.board.drawing")?.getattr("board_svg")?.call1((
        size.width(),
        size.height(),
        state,
        to_move,
        pixels,
    ))
}

fn shown<'py>(board: &Bound<'py, Board>) -> PyResult<(Size, Bound<'py, PyList>)> {
    Ok((Board::content(board).size(), Board::shown_state(board)?))
}
