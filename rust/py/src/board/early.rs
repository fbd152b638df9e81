//! The oldest private names of a board's state. Submissions of that time read them cell by cell, as the
//! attributes that they were: so they are built once, and kept until the board changes.

use isolation_core::{Cell, CellSet, Player, Position, with_position};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyType, PyWeakrefReference};

use super::{Board, Visits};
use crate::moves::coordinates;

/// What was read by these names, while nothing has changed since.
#[derive(Default)]
pub(super) struct Views {
    pub(super) rows: Option<Py<PyAny>>,
    pub(super) moves: Option<Py<PyAny>>,
}

/// A place of one of the two.
type Place = for<'v> fn(&'v mut Views) -> &'v mut Option<Py<PyAny>>;

/// `__board_state__`: a list of rows, whose cells are 0 while blank, else the number of the player who went
/// there.
#[pyfunction]
pub(super) fn rows<'py>(board: &Bound<'py, Board>) -> PyResult<Bound<'py, PyAny>> {
    static ROWS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    kept(
        board,
        |views| &mut views.rows,
        |board| {
            let py = board.py();
            let [_, second] = seats(board)?;
            let visits = Board::content(board).visits.clone();
            let entries = Board::look(board, |position| {
                with_position!(position, |position| entries(position, second, &visits))
            })?;
            let class = ROWS.import(py, "isolation_fast.board.early_names", "Rows")?;
            let weak = PyWeakrefReference::new(board)?;
            let rows = entries.iter().enumerate().map(|(number, row)| {
                let row = class.call1((PyList::new(py, row)?,))?;
                row.setattr("place", (&weak, number))?;
                PyResult::Ok(row)
            });
            let rows = class.call1((rows.collect::<PyResult<Vec<_>>>()?,))?;
            rows.setattr("place", (&weak, py.None()))?;
            Ok(rows)
        },
    )
}

/// `__last_player_move__`: a dict from each player to its cell.
#[pyfunction]
pub(super) fn moves<'py>(board: &Bound<'py, Board>) -> PyResult<Bound<'py, PyAny>> {
    static LOCATIONS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    kept(
        board,
        |views| &mut views.moves,
        |board| {
            let py = board.py();
            let seats = seats(board)?;
            let (size, cells) = Board::look(board, |position| {
                with_position!(position, |position| {
                    (position.size(), seats.map(|seat| position.location(seat)))
                })
            })?;
            let players = Board::content(board).seating.clone_ref(py).players;
            let class = LOCATIONS.import(py, "isolation_fast.board.early_names", "Locations")?;
            let locations = class.call0()?;
            // The class's own way of setting an item would write it back.
            let dict = locations.cast::<PyDict>().map_err(PyErr::from)?;
            for (player, cell) in players.iter().zip(cells) {
                dict.set_item(player, cell.map(|cell| coordinates(py, size, cell)))?;
            }
            locations.setattr("place", PyWeakrefReference::new(board)?)?;
            Ok(locations)
        },
    )
}

/// Whose locations the board gives for its two players: those of the first, where they are equal.
fn seats(board: &Bound<'_, Board>) -> PyResult<[Player; 2]> {
    let py = board.py();
    let players = Board::content(board).seating.clone_ref(py).players;
    let [first, second] = players.each_ref().map(|player| Board::seat_of(board, player.bind(py)));
    Ok([first?, second?])
}

fn entries<S: CellSet>(position: &Position<S>, second: Player, visits: &Visits) -> Vec<Vec<u8>> {
    let (size, blank) = (position.size(), position.blank());
    let second = position.location(second);
    let entry = |cell: Cell| match blank.contains(cell) {
        true => 0,
        false if Some(cell) == second || visits.holds(cell) => 2,
        false => 1,
    };
    (0..size.height())
        .map(|row| {
            (0..size.width()).map(|column| entry(Cell(row + column * size.height()))).collect()
        })
        .collect()
}

/// What was built before, or is built now. Where somebody holds the board's list, it may change unseen.
fn kept<'py>(
    board: &Bound<'py, Board>,
    place: Place,
    make: impl FnOnce(&Bound<'py, Board>) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = board.py();
    {
        let mut content = board.get().content.borrow_mut(py);
        if content.state.is_none()
            && let Some(known) = place(content.views.get_or_insert_default())
        {
            return Ok(known.bind(py).clone());
        }
    }
    let view = make(board)?;
    // A player's `__hash__` may have changed the board meanwhile: then there are no views any more.
    if let Some(views) = &mut board.get().content.borrow_mut(py).views {
        *place(views) = Some(view.clone().unbind());
    }
    Ok(view)
}
