//! The methods of `Board` as Python sees them: the classic board's, and ours.

use isolation_core::{AnyPosition, CellSet, Player, Size, with_position};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyTuple};

use super::arguments::Given;
use super::content::Content;
use super::seating::{self, Seating};
use super::{Board, Visits, asked, drawing, object, overrides, state};
use crate::equality::equal;
use crate::errors::{Error, Result, shown};
use crate::moves::{GivenMove, coordinates, list};

#[pymethods]
impl Board {
    /// What an entry of `_board_state` is for a blank cell.
    #[classattr]
    const BLANK: u8 = 0;

    /// What a player's location is before it is placed.
    #[classattr]
    #[pyo3(name = "NOT_MOVED")]
    fn not_moved(py: Python<'_>) -> Py<PyAny> {
        py.None()
    }

    #[new]
    // Any arguments, since those of a subclass may be others than `__init__` here takes.
    #[pyo3(
        signature = (*_args, **_kwargs),
        text_signature = "(player_1='player 1', player_2='player 2', width=7, height=7)"
    )]
    fn __new__(
        py: Python<'_>,
        _args: &Bound<'_, PyTuple>,
        _kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let size = Size::new(7, 7).map_err(Error::from)?;
        let seating = Seating::named_by_default(py);
        Ok(Self::new(AnyPosition::empty(size), seating, 0, Visits::none(size)))
    }

    #[pyo3(signature = (
        player_1 = Given(None), player_2 = Given(None), width = Given(None), height = Given(None)
    ))]
    fn __init__<'py>(
        slf: &Bound<'py, Self>,
        player_1: Given<'py>,
        player_2: Given<'py>,
        width: Given<'py>,
        height: Given<'py>,
    ) -> PyResult<()> {
        let py = slf.py();
        let size = object::size(&width.or_seven(py)?, &height.or_seven(py)?)?;
        let [name_1, name_2] = seating::DEFAULT_PLAYERS;
        let players = [player_1.or_name(py, name_1), player_2.or_name(py, name_2)];
        let seating = Seating::new(py, players, object::draw_order_bits(py)?);
        let new = Content::new(AnyPosition::empty(size), seating, 0, Visits::none(size));
        let old = std::mem::replace(&mut *Self::content_mut(slf), new);
        // Outside the borrow: what goes may run code as it goes.
        drop(old);
        Ok(())
    }

    /// The board of a position in the text notation.
    ///
    /// That is `WIDTHxHEIGHT ROWS KNIGHT1 KNIGHT2 SIDE`: rows from the top down with `/` between them,
    /// a number for a run of blank cells and `x` for a blocked one; knights as `row,column`, or `-`
    /// before they are placed; 1 or 2 for the side to move.
    ///
    /// >>> Board.from_text("5x4 5/2x2/5/5 1,2 - 2").get_player_location("player 1")
    /// (1, 2)
    #[staticmethod]
    #[pyo3(
        signature = (text, player_1 = Given(None), player_2 = Given(None)),
        text_signature = "(text, player_1='player 1', player_2='player 2')"
    )]
    fn from_text<'py>(
        py: Python<'py>,
        text: &str,
        player_1: Given<'py>,
        player_2: Given<'py>,
    ) -> Result<Self> {
        let [name_1, name_2] = seating::DEFAULT_PLAYERS;
        let players = [player_1.or_name(py, name_1), player_2.or_name(py, name_2)];
        object::from_text(py, text, players, || object::draw_order_bits(py))
    }

    /// The position in the text notation, as `from_text` reads it; the players' names are not in it.
    ///
    /// >>> Board(width=5, height=4).to_text()
    /// '5x4 5/5/5/5 - - 1'
    fn to_text(slf: &Bound<'_, Self>) -> PyResult<String> {
        object::text(slf)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        object::repr(slf)
    }

    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.call_method0("to_string")
    }

    /// Number of columns.
    #[getter]
    fn get_width(slf: &Bound<'_, Self>) -> u32 {
        Self::content(slf).size().width()
    }

    #[setter]
    fn set_width(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let height = Self::content(slf).size().height().into_pyobject(slf.py())?;
        Self::reshape(slf, object::size(value, &height)?)
    }

    /// Number of rows.
    #[getter]
    fn get_height(slf: &Bound<'_, Self>) -> u32 {
        Self::content(slf).size().height()
    }

    #[setter]
    fn set_height(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let width = Self::content(slf).size().width().into_pyobject(slf.py())?;
        Self::reshape(slf, object::size(&width, value)?)
    }

    /// Number of moves made.
    #[getter]
    fn get_move_count(slf: &Bound<'_, Self>) -> i64 {
        Self::content(slf).move_count
    }

    #[setter]
    fn set_move_count(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let count = value
            .extract()
            .map_err(|_| Error::NoCount { name: "move_count", value: shown(value) })?;
        Self::content_mut(slf).move_count = count;
        Ok(())
    }

    /// The bits that order the lists of moves, drawn from `random` by `Board()`; copies have the same.
    #[getter(_order_bits)]
    fn private_order_bits(slf: &Bound<'_, Self>) -> u64 {
        Self::content(slf).seating.order_bits
    }

    #[setter(_order_bits)]
    fn set_private_order_bits(slf: &Bound<'_, Self>, value: u64) {
        Self::content_mut(slf).seating.order_bits = value;
    }

    /// The cells that player 2 went to, as the bits of an integer.
    #[getter(_second_visits)]
    fn private_second_visits<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let visits = Self::content(slf).visits.clone();
        visits.to_python(slf.py())
    }

    #[setter(_second_visits)]
    fn set_private_second_visits(slf: &Bound<'_, Self>, value: &Bound<'_, PyInt>) -> PyResult<()> {
        let visits = Visits::from_python(value, Self::content(slf).size())?;
        Self::content_mut(slf).visits = visits;
        Ok(())
    }

    /// The player whose turn it is.
    #[getter]
    fn active_player<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyAny> {
        Self::active(slf)
    }

    /// The player who waits.
    #[getter]
    fn inactive_player<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyAny> {
        Self::inactive(slf)
    }

    #[getter(_active_player)]
    fn private_active_player<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyAny> {
        Self::active(slf)
    }

    #[setter(_active_player)]
    fn set_private_active_player(slf: &Bound<'_, Self>, value: Py<PyAny>) {
        Self::replace_player(slf, value, |written| written.active);
    }

    #[getter(_inactive_player)]
    fn private_inactive_player<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyAny> {
        Self::inactive(slf)
    }

    #[setter(_inactive_player)]
    fn set_private_inactive_player(slf: &Bound<'_, Self>, value: Py<PyAny>) {
        Self::replace_player(slf, value, |written| written.inactive);
    }

    #[getter(_player_1)]
    fn private_player_1(slf: &Bound<'_, Self>) -> Py<PyAny> {
        Self::content(slf).seating.player(Player::One).clone_ref(slf.py())
    }

    #[setter(_player_1)]
    fn set_private_player_1(slf: &Bound<'_, Self>, value: Py<PyAny>) {
        Self::replace_player(slf, value, |written| written.player_1);
    }

    #[getter(_player_2)]
    fn private_player_2(slf: &Bound<'_, Self>) -> Py<PyAny> {
        Self::content(slf).seating.player(Player::Two).clone_ref(slf.py())
    }

    #[setter(_player_2)]
    fn set_private_player_2(slf: &Bound<'_, Self>, value: Py<PyAny>) {
        Self::replace_player(slf, value, |written| written.player_2);
    }

    #[getter(_board_state)]
    fn private_board_state<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        Self::touched(slf)
    }

    #[setter(_board_state)]
    fn set_private_board_state(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let list = state::given(value)?;
        let old = Self::content_mut(slf).state.replace(list.unbind());
        drop(old);
        Ok(())
    }

    /// The other player.
    ///
    /// >>> Board("Ann", "Ben").get_opponent("Ann")
    /// 'Ben'
    fn get_opponent<'py>(
        slf: &Bound<'py, Self>,
        player: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        asked::count(asked::PLAYER);
        Self::opponent(slf, player)
    }

    /// An independent board with the same players, which lists its moves in the same order.
    ///
    /// >>> board = Board()
    /// >>> board.copy().apply_move((0, 0))
    /// >>> board.move_count
    /// 0
    fn copy(slf: &Bound<'_, Self>) -> PyResult<Self> {
        asked::count(asked::COPY);
        let native = {
            let content = Self::content(slf);
            content.state.is_none().then(|| content.without_list(slf.py()))
        };
        native.map_or_else(|| Self::duplicate(slf), Ok).map(Self::from)
    }

    /// A copy of the board on which the move was made; the board itself stays as it is.
    ///
    /// >>> Board("Ann", "Ben").forecast_move((2, 3)).get_player_location("Ann")
    /// (2, 3)
    fn forecast_move<'py>(
        slf: &Bound<'py, Self>,
        r#move: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        if !overrides::is_plain(slf) {
            // A subclass's own `copy` and `apply_move` take part, as on the classic board.
            let copy = slf.call_method0("copy")?;
            copy.call_method1("apply_move", (r#move,))?;
            return Ok(copy);
        }
        asked::count(asked::FORECAST);
        let given = GivenMove::new(r#move)?;
        let usual = {
            let content = Self::content(slf);
            let step = content.evident_step(py, &given);
            step.map(|(mover, cell)| Self::from(content.child(py, mover, cell)))
        };
        if let Some(child) = usual {
            return Ok(Bound::new(py, child)?.into_any());
        }
        let child = Bound::new(py, Self::from(Self::duplicate(slf)?))?;
        Self::step(&child, r#move, &given)?;
        Ok(child.into_any())
    }

    /// Puts the active player on a cell of the board, blocks the cell, and passes the turn.
    ///
    /// Any cell of the board will do, blank or not; for others there is an `IllegalMoveError`.
    ///
    /// >>> board = Board("Ann", "Ben")
    /// >>> board.apply_move((2, 3))
    /// >>> board.active_player, board.move_count
    /// ('Ben', 1)
    fn apply_move<'py>(slf: &Bound<'py, Self>, r#move: &Bound<'py, PyAny>) -> PyResult<()> {
        asked::count(asked::FORECAST - asked::COPY);
        let given = GivenMove::new(r#move)?;
        Self::step(slf, r#move, &given)
    }

    /// Whether a cell is on the board and blank. How far it is from the player is not asked.
    ///
    /// >>> Board().move_is_legal((6, 6)), Board().move_is_legal((6, 7))
    /// (True, False)
    fn move_is_legal<'py>(slf: &Bound<'py, Self>, r#move: &Bound<'py, PyAny>) -> PyResult<bool> {
        asked::count(asked::CELL);
        let given = GivenMove::new(r#move)?;
        Self::look(slf, |position| {
            with_position!(position, |position| {
                given.cell(position.size()).is_some_and(|cell| position.blank().contains(cell))
            })
        })
    }

    /// The blank cells, from the first column on.
    ///
    /// >>> Board(width=3, height=2).get_blank_spaces()
    /// [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    fn get_blank_spaces<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        Self::moves_from(slf, |_| None)
    }

    /// Where a player stands, as (row, column); None before it is placed.
    ///
    /// >>> board = Board.from_text("3x3 1x1/3/3 0,1 - 2", "Ann", "Ben")
    /// >>> board.get_player_location("Ann"), board.get_player_location("Ben")
    /// ((0, 1), None)
    fn get_player_location<'py>(
        slf: &Bound<'py, Self>,
        player: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        asked::count(asked::CELL);
        let seat = Self::seat_of(slf, player)?;
        let (size, cell) = Self::look(slf, |position| {
            with_position!(position, |position| (position.size(), position.location(seat)))
        })?;
        Ok(cell.map(|cell| coordinates(slf.py(), size, cell)))
    }

    /// A new list of the cells that a player, by default the active one, may move to.
    ///
    /// Blank cells a knight's move away, in an order that depends on the board's bits and the
    /// player's cell; all blank cells, column by column, while the player is not placed.
    ///
    /// >>> sorted(Board.from_text("3x3 1x1/3/3 0,1 - 2", "Ann", "Ben").get_legal_moves("Ann"))
    /// [(2, 0), (2, 2)]
    #[pyo3(signature = (player = None))]
    fn get_legal_moves<'py>(
        slf: &Bound<'py, Self>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !overrides::is_plain(slf)
            && let Some(moves) = overrides::legal_moves(slf, player)?
        {
            return Ok(moves);
        }
        let evident = Self::content(slf).evident_moves(slf.py(), player);
        if let Some((size, cells)) = evident {
            asked::count(asked::moves(cells.len(), size));
            return list(slf.py(), size, &cells).map(Bound::into_any);
        }
        let seat = match player {
            Some(player) => Self::seat_of(slf, player)?,
            None => Self::seat_of(slf, &Self::active(slf))?,
        };
        Self::moves_from(slf, |position| {
            with_position!(position, |position| position.location(seat))
        })
        .map(Bound::into_any)
    }

    /// The moves from any cell, or from None: the classic board's private method as Python mangles it.
    #[pyo3(name = "_Board__get_moves")]
    fn get_moves<'py>(
        slf: &Bound<'py, Self>,
        loc: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !overrides::is_plain(slf)
            && let Some(moves) = overrides::moves_from_place(slf, loc)?
        {
            return Ok(moves);
        }
        Self::moves_from_place(slf, loc).map(Bound::into_any)
    }

    /// Whether it is the other player's turn, who has no move.
    ///
    /// >>> Board.from_text("3x3 1x1/3/x1x 0,1 2,2 1", "Ann", "Ben").is_winner("Ben")
    /// True
    fn is_winner<'py>(slf: &Bound<'py, Self>, player: &Bound<'py, PyAny>) -> PyResult<bool> {
        Ok(equal(player, &Self::inactive(slf))? && Self::is_over(slf)?)
    }

    /// Whether it is this player's turn and there is no move.
    ///
    /// >>> Board.from_text("3x3 1x1/3/x1x 0,1 2,2 1", "Ann", "Ben").is_loser("Ann")
    /// True
    fn is_loser<'py>(slf: &Bound<'py, Self>, player: &Bound<'py, PyAny>) -> PyResult<bool> {
        Ok(equal(player, &Self::active(slf))? && Self::is_over(slf)?)
    }

    /// inf for the winner of a finished game, -inf for its loser, 0.0 while the game goes on.
    ///
    /// >>> Board.from_text("3x3 1x1/3/x1x 0,1 2,2 1", "Ann", "Ben").utility("Ann")
    /// -inf
    fn utility<'py>(slf: &Bound<'py, Self>, player: &Bound<'py, PyAny>) -> PyResult<f64> {
        if !Self::is_over(slf)? {
            Ok(0.0)
        } else if equal(player, &Self::inactive(slf))? {
            Ok(f64::INFINITY)
        } else if equal(player, &Self::active(slf))? {
            Ok(f64::NEG_INFINITY)
        } else {
            Ok(0.0)
        }
    }

    /// A number that is the same for the same position, whoever plays. Boards themselves are equal,
    /// and keys of a dict, only where they are one object.
    ///
    /// >>> Board("Ann", "Ben").hash() == Board("Eve", "Joe").hash()
    /// True
    fn hash<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        asked::count(asked::HASH);
        object::hash(slf)
    }

    /// The position drawn with characters, each line ended by a newline and a carriage return.
    ///
    /// >>> print(Board.from_text("3x2 1x1/xxx 1,0 1,2 2").to_string().replace("\r", ""))
    ///      0   1   2
    /// 0  |   | - |   |
    /// 1  | 1 | - | 2 |
    #[pyo3(signature = (symbols = None), text_signature = "($self, /, symbols=('1', '2'))")]
    fn to_string<'py>(
        slf: &Bound<'py, Self>,
        symbols: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        drawing::text(slf, symbols)
    }

    /// What `to_string` returns; it prints nothing. The course's older name.
    ///
    /// >>> Board().print_board() == str(Board())
    /// True
    fn print_board<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.call_method0("to_string")
    }

    /// The position drawn as an SVG picture, `size` pixels along its longer side. Notebooks show it
    /// for a board by themselves.
    ///
    /// >>> Board().to_svg(size=200).startswith("<svg")
    /// True
    #[pyo3(signature = (*, size = 360))]
    fn to_svg<'py>(slf: &Bound<'py, Self>, size: i64) -> PyResult<Bound<'py, PyAny>> {
        drawing::svg(slf, size)
    }

    /// What a notebook shows.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.call_method0("to_svg")
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        object::shallow_copy(slf)
    }

    #[pyo3(text_signature = "($self, protocol)")]
    fn __reduce_ex__<'py>(
        slf: &Bound<'py, Self>,
        _protocol: &Bound<'py, PyAny>,
    ) -> PyResult<object::Reduced<'py>> {
        object::reduced(slf)
    }

    fn __setstate__(slf: &Bound<'_, Self>, state: &Bound<'_, PyAny>) -> Result<()> {
        object::restore(slf, state)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.content.for_collector().map_or(Ok(()), |content| content.traverse(&visit))
    }

    fn __clear__(slf: &Bound<'_, Self>) {
        let nobody = Seating::named_by_default(slf.py());
        let old = {
            let mut board = Self::content_mut(slf);
            (std::mem::replace(&mut board.seating, nobody), board.state.take())
        };
        drop(old);
    }
}
