//! What a board needs as a Python object: its text, copies and pickles.

use isolation_core::{AnyPosition, CellSet, Size, with_position};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyInt, PyList, PyString, PyTuple, PyType};

use super::content::Content;
use super::seating::{DEFAULT_PLAYERS, Seating};
use super::visits::Visits;
use super::{Board, state};
use crate::errors::{Error, Result};

/// 64 bits from Python's `random`, so that `random.seed` repeats a script.
pub(super) fn draw_order_bits(py: Python<'_>) -> PyResult<u64> {
    static RANDOM: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    // The module is looked up once, the function each time: somebody may have replaced it.
    let random = RANDOM.get_or_try_init(py, || py.import("random").map(Bound::unbind))?.bind(py);
    random.getattr(intern!(py, "getrandbits"))?.call1((64_u8,))?.extract()
}

/// The board of a position in the text notation.
pub(super) fn from_text(
    py: Python<'_>,
    text: &str,
    players: [Py<PyAny>; 2],
    order_bits: impl FnOnce() -> PyResult<u64>,
) -> Result<Board> {
    let position: AnyPosition = text.parse()?;
    // Each move of a game blocks one cell.
    let (size, moves) =
        with_position!(&position, |p| (p.size(), p.size().cells() - p.blank().count()));
    let seating = Seating::new(py, players, order_bits()?);
    Ok(Board::new(position, seating, i64::from(moves), Visits::none(size)))
}

/// The board of a position whose lists of moves are ordered by the given bits: nothing is drawn from `random`.
#[pyfunction]
pub(crate) fn board_in_order(
    py: Python<'_>,
    text: &str,
    player_1: Py<PyAny>,
    player_2: Py<PyAny>,
    order_bits: u64,
) -> Result<Board> {
    from_text(py, text, [player_1, player_2], || Ok(order_bits))
}

/// A width and height that somebody gave.
pub(super) fn size(width: &Bound<'_, PyAny>, height: &Bound<'_, PyAny>) -> Result<Size> {
    let side = |name, given: &Bound<'_, PyAny>| {
        given.extract::<u64>().map_err(|_| Error::side(name, given))
    };
    Ok(Size::new(side("width", width)?, side("height", height)?)?)
}

/// The notation of a board whose state is a position.
pub(super) fn text(board: &Bound<'_, Board>) -> PyResult<String> {
    let mover = Board::mover(board)?;
    let mut position = strict_position(board)?;
    with_position!(&mut position, |position| position.set_to_move(mover));
    Ok(position.to_string())
}

/// The position of a board whose state is one in every entry.
pub(super) fn strict_position(board: &Bound<'_, Board>) -> PyResult<AnyPosition> {
    let py = board.py();
    let position = Board::look(board, AnyPosition::clone)?;
    let list = Board::content(board).state.as_ref().map(|list| list.clone_ref(py));
    if let Some(list) = list {
        state::require_plain(list.bind(py), &position)?;
    }
    match with_position!(&position, |position| position.knight_on_blank_cell()) {
        None => Ok(position),
        Some(player) => {
            let problem =
                format!("player {} stands on a cell that is not blocked", player.number());
            Err(Error::State(problem).into())
        }
    }
}

/// `Board.from_text(...)`, with the players where they are names that somebody gave.
pub(super) fn repr(board: &Bound<'_, Board>) -> PyResult<String> {
    let py = board.py();
    let text = match text(board) {
        Ok(text) => text,
        Err(error) => {
            let size = Board::content(board).size();
            let doubt = if error.is_instance_of::<PyValueError>(py) {
                "_board_state is no position"
            } else {
                "players cannot be compared"
            };
            return Ok(format!("<Board {size} whose {doubt}>"));
        }
    };
    let [first, second] = Board::content(board).seating.clone_ref(py).players;
    let text = PyString::new(py, &text).repr()?;
    let names = [first, second].map(|player| player.into_bound(py).cast_into_exact::<PyString>());
    let [Ok(first), Ok(second)] = names else { return Ok(format!("Board.from_text({text})")) };
    if first == DEFAULT_PLAYERS[0] && second == DEFAULT_PLAYERS[1] {
        return Ok(format!("Board.from_text({text})"));
    }
    Ok(format!("Board.from_text({text}, {}, {})", first.repr()?, second.repr()?))
}

/// The same number for the same state; any other for what is no position.
pub(super) fn hash<'py>(board: &Bound<'py, Board>) -> PyResult<Bound<'py, PyAny>> {
    let py = board.py();
    let state = Board::content(board).state.as_ref().map(|list| list.clone_ref(py));
    let position = match state {
        None => Board::content(board).position.clone(),
        Some(list) => {
            let list = list.into_bound(py);
            let size = Board::content(board).size();
            match state::read(&list, size) {
                // The list may say more than a position does, such as a 2 for a blocked cell.
                Ok(position) if list.eq(state::write(py, &position)?)? => position,
                // Equal lists have equal hashes, and entries that have none count by their text.
                _ => {
                    let hash = list.to_tuple().hash().or_else(|_| list.str()?.hash())?;
                    return Ok(hash.into_pyobject(py)?.into_any());
                }
            }
        }
    };
    let hash = with_position!(&position, |position| position.hash());
    Ok(hash.into_pyobject(py)?.into_any())
}

/// An independent board of the same class, with the same players and attributes.
pub(super) fn shallow_copy<'py>(board: &Bound<'py, Board>) -> PyResult<Bound<'py, PyAny>> {
    let py = board.py();
    let (copier, (class,), state) = reduced(board)?;
    let copy = copier.call1((class,))?;
    let entries: Vec<Bound<'py, PyAny>> = state.iter().collect();
    let [list, attributes] = [&entries[1], &entries[8]].map(|entry| entry.call_method0("copy"));
    let mut entries = entries.clone();
    (entries[1], entries[8]) = (list?, attributes?);
    copy.call_method1("__setstate__", (PyTuple::new(py, entries)?,))?;
    Ok(copy)
}

/// What pickle keeps: how to make an empty board of the class, and its state.
pub(super) type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyType>,), Bound<'py, PyTuple>);

/// Takes a board apart for pickle and for copies.
pub(super) fn reduced<'py>(board: &Bound<'py, Board>) -> PyResult<Reduced<'py>> {
    let py = board.py();
    let maker = py.import("copyreg")?.getattr("__newobj__")?;
    let (content, list) = {
        let content = Board::content(board);
        let list = content.state.as_ref().map(|list| list.clone_ref(py));
        (content.without_list(py), list)
    };
    let (size, seating) = (content.size(), content.seating);
    let touched = list.is_some();
    let list = match list {
        Some(list) => list.into_bound(py),
        None => state::write(py, &content.position)?,
    };
    let players = (&seating.players[0], &seating.players[1], seating.active(), seating.inactive());
    let state = (
        (size.width(), size.height()),
        list,
        touched,
        players.0,
        players.1,
        players.2,
        players.3,
        (content.move_count, seating.order_bits, content.visits.to_python(py)?),
        board.getattr("__dict__")?,
    );
    Ok((maker, (board.get_type(),), state.into_pyobject(py)?))
}

/// What [`reduced`] takes apart.
type State<'py> = (
    (u64, u64),
    Bound<'py, PyList>,
    bool,
    Py<PyAny>,
    Py<PyAny>,
    Py<PyAny>,
    Py<PyAny>,
    (i64, u64, Bound<'py, PyInt>),
    Bound<'py, PyDict>,
);

/// Puts a board together again.
pub(super) fn restore(board: &Bound<'_, Board>, state: &Bound<'_, PyAny>) -> Result<()> {
    let py = board.py();
    let ((width, height), list, touched, player_1, player_2, active, inactive, numbers, attributes): State<'_> =
        state.extract()?;
    let (move_count, order_bits, visits) = numbers;
    let size = Size::new(width, height)?;
    let visits = Visits::from_python(&visits, size)?;
    let mut seating = Seating::new(py, [player_1, player_2], order_bits);
    let ((), _) = seating.set(py, |written| {
        *written.active = active;
        *written.inactive = inactive;
    });
    let (position, list) = if touched {
        (AnyPosition::empty(size), Some(list.unbind()))
    } else {
        (state::read(&list, size)?, None)
    };
    let old = {
        let mut board = Board::content_mut(board);
        let state = list;
        std::mem::replace(
            &mut *board,
            Content { position, seating, move_count, visits, state, views: None },
        )
    };
    // Outside the borrow: the old players may go with it, and run code as they go.
    drop(old);
    let own = board.getattr("__dict__")?.cast_into::<PyDict>().map_err(PyErr::from)?;
    Ok(own.update(attributes.as_mapping())?)
}
