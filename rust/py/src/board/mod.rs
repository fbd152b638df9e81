//! `Board`: the classic board's face over the engine's position.
//!
//! Methods take `&Bound<Self>` and borrow for as long as no Python code can run: comparing players,
//! taking a move apart and even making a list may call anybody's code, which may use this board.

mod arguments;
pub(crate) mod asked;
mod content;
mod drawing;
mod early;
mod methods;
mod object;
mod overrides;
mod seating;
mod state;
mod visits;

use isolation_core::{AnyPosition, Cell, Player, Size, with_position};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3::wrap_pyfunction;

use content::Content;
pub(crate) use object::board_in_order;
use seating::Written;
pub(crate) use seating::{DEFAULT_PLAYERS, Seating};
pub(crate) use visits::Visits;

use crate::attached::{Attached, Exclusive, Shared};
use crate::equality::equal;
use crate::errors::Error;
use crate::moves::{GivenMove, list, listed, listed_from_outside};

/// A position of knight's Isolation with its two players, as the classic course code knows it.
///
/// Players are any objects that compare by `==`. The active player makes the next move; the first move
/// of each is a free placement. Neither `apply_move` nor `forecast_move` asks whether a move is legal.
///
/// >>> from isolation_fast import Board
/// >>> board = Board("Ann", "Ben")
/// >>> board.apply_move((2, 3))
/// >>> board.apply_move((0, 0))
/// >>> sorted(board.get_legal_moves())
/// [(0, 2), (0, 4), (1, 1), (1, 5), (3, 1), (3, 5), (4, 2), (4, 4)]
/// >>> board
/// Board.from_text('7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1', 'Ann', 'Ben')
#[pyclass(frozen, subclass, dict, weakref, module = "isolation_fast", name = "Board")]
pub(crate) struct Board {
    content: Attached<Content>,
}

impl From<Content> for Board {
    fn from(content: Content) -> Self {
        Self { content: Attached::new(content) }
    }
}

/// Gives the class what is written in Python: the oldest private names, and its `play`.
///
/// It is no method of ours that calls `play`: players think for long, and a thread that Python ends while
/// they do must not have frames of ours below them.
pub(crate) fn complete(py: Python<'_>) -> PyResult<()> {
    overrides::prepare(py);
    let board = py.get_type::<Board>();
    board.setattr("play", py.import("isolation_fast.board.turns")?.getattr("play")?)?;
    let readers = PyDict::new(py);
    readers.set_item("__board_state__", wrap_pyfunction!(early::rows, py)?)?;
    readers.set_item("__last_player_move__", wrap_pyfunction!(early::moves, py)?)?;
    py.import("isolation_fast.board.early_names")?
        .call_method1("give_to", (board, readers))
        .map(drop)
}

/// A board at the root of a search: copied out, so that nothing holds the board itself.
pub(crate) struct Root {
    pub(crate) position: AnyPosition,
    pub(crate) seating: Seating,
    pub(crate) move_count: i64,
    pub(crate) visits: Visits,
}

impl Root {
    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Self {
        Self {
            position: self.position.clone(),
            seating: self.seating.clone_ref(py),
            visits: self.visits.clone(),
            ..*self
        }
    }

    /// Makes a move of the player to move.
    pub(crate) fn make(&mut self, cell: Cell) {
        let mover = with_position!(&mut self.position, |position| {
            let mover = position.to_move();
            position.jump(mover, cell);
            mover
        });
        self.visits.note(mover, cell);
        self.seating.pass_turn();
        self.move_count = self.move_count.wrapping_add(1);
    }

    /// A board at that place.
    pub(crate) fn into_board(self) -> Board {
        Board::new(self.position, self.seating, self.move_count, self.visits)
    }

    /// The very object that is to move.
    pub(crate) fn player<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.seating.active().bind(py)
    }
}

impl Board {
    /// A board on which it is the turn of the position's side to move.
    pub(crate) fn new(
        position: AnyPosition,
        seating: Seating,
        move_count: i64,
        visits: Visits,
    ) -> Self {
        Content::new(position, seating, move_count, visits).into()
    }

    fn content<'b>(slf: &'b Bound<'_, Self>) -> Shared<'b, Content> {
        slf.get().content.borrow(slf.py())
    }

    fn content_mut<'b>(slf: &'b Bound<'_, Self>) -> Exclusive<'b, Content> {
        let mut content = slf.get().content.borrow_mut(slf.py());
        if let Some(views) = content.views.take() {
            drop(content);
            // Outside the borrow: what goes may run code as it goes.
            drop(views);
            content = slf.get().content.borrow_mut(slf.py());
        }
        content
    }

    /// Looks at the position as the board's list has it, if there is one, without copying it if not.
    /// `look` must not run Python.
    fn look<T>(slf: &Bound<'_, Self>, look: impl FnOnce(&AnyPosition) -> T) -> PyResult<T> {
        let (list, size) = {
            let board = Self::content(slf);
            match &board.state {
                None => return Ok(look(&board.position)),
                Some(list) => (list.clone_ref(slf.py()), board.size()),
            }
        };
        Ok(look(&state::read(list.bind(slf.py()), size)?))
    }

    /// Writes the position into a place for one and gives which player somebody is, by default the one to
    /// move; in the usual case in which nobody needs to be asked.
    #[inline]
    pub(crate) fn copy_evident_position(
        slf: &Bound<'_, Self>,
        player: Option<&Bound<'_, PyAny>>,
        place: &mut AnyPosition,
    ) -> Option<Player> {
        let content = Self::content(slf);
        let [mover, seat] = content.evident_seats(player)?;
        place.clone_from(&content.position);
        with_position!(place, |position| position.set_to_move(mover));
        Some(seat)
    }

    /// The board as a program sees it, and which player somebody is; None where a program could not know all
    /// that the board's methods go by, or somebody would have to be asked.
    pub(crate) fn plain_root(
        slf: &Bound<'_, Self>,
        player: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<(Root, Player)>> {
        let py = slf.py();
        let has_own = || slf.getattr("__dict__").and_then(|own| own.len()).map(|count| count > 0);
        if !overrides::is_plain(slf) || has_own()? {
            return Ok(None);
        }
        let content = Self::content(slf);
        if content.state.is_some() || !content.seating.is_plain(py) {
            return Ok(None);
        }
        let seating = &content.seating;
        let seat = player.unwrap_or_else(|| seating.active().bind(py));
        let (Some(mover), Some(seat)) = (seating.evident_mover(py), seating.evident_seat(seat))
        else {
            return Ok(None);
        };
        // An equal text that is another object: `is` tells them apart.
        if player.is_some_and(|player| !player.is(seating.player(seat))) {
            return Ok(None);
        }
        let mut position = content.position.clone();
        with_position!(&mut position, |position| position.set_to_move(mover));
        let seating = content.seating.clone_ref(py);
        let (move_count, visits) = (content.move_count, content.visits.clone());
        Ok(Some((Root { position, seating, move_count, visits }, seat)))
    }

    /// The position, if it is clear who is to move; else what is not.
    pub(crate) fn clear_position(
        slf: &Bound<'_, Self>,
    ) -> PyResult<Result<AnyPosition, &'static str>> {
        let py = slf.py();
        let seating = Self::content(slf).seating.clone_ref(py);
        let mover = match seating.clear_mover(py)? {
            Ok(mover) => mover,
            Err(doubt) => return Ok(Err(doubt)),
        };
        let mut position = Self::look(slf, AnyPosition::clone)?;
        with_position!(&mut position, |position| position.set_to_move(mover));
        Ok(Ok(position))
    }

    /// The board as the root of a search, if it is a position in which it is clear who is to move.
    pub(crate) fn checked_root(slf: &Bound<'_, Self>) -> PyResult<Root> {
        let py = slf.py();
        let seating = Self::content(slf).seating.clone_ref(py);
        let mover = seating.clear_mover(py)?.map_err(Error::Turn)?;
        let mut position = object::strict_position(slf)?;
        with_position!(&mut position, |position| position.set_to_move(mover));
        let content = Self::content(slf);
        Ok(Root {
            position,
            seating,
            move_count: content.move_count,
            visits: content.visits.clone(),
        })
    }

    fn mover(slf: &Bound<'_, Self>) -> PyResult<Player> {
        let py = slf.py();
        if let Some(mover) = Self::content(slf).seating.evident_mover(py) {
            return Ok(mover);
        }
        // A copy, since the players' `==` may change the board.
        let seating = Self::content(slf).seating.clone_ref(py);
        seating.mover(py)
    }

    /// Which of the players an object is: the first one that it equals.
    pub(crate) fn seat_of(slf: &Bound<'_, Self>, player: &Bound<'_, PyAny>) -> PyResult<Player> {
        let py = slf.py();
        let players = {
            let board = Self::content(slf);
            if let Some(seat) = board.seating.evident_seat(player) {
                return Ok(seat);
            }
            board.seating.players.each_ref().map(|player| player.clone_ref(py))
        };
        if equal(player, players[0].bind(py))? {
            Ok(Player::One)
        } else if equal(player, players[1].bind(py))? {
            Ok(Player::Two)
        } else {
            Err(Error::stranger(player, &players).into())
        }
    }

    fn active<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyAny> {
        Self::content(slf).seating.active().bind(slf.py()).clone()
    }

    fn inactive<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyAny> {
        Self::content(slf).seating.inactive().bind(slf.py()).clone()
    }

    /// Whoever of the active and the inactive player the given one is not.
    fn opponent<'py>(
        slf: &Bound<'py, Self>,
        player: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (active, inactive) = (Self::active(slf), Self::inactive(slf));
        if equal(player, &active)? {
            Ok(inactive)
        } else if equal(player, &inactive)? {
            Ok(active)
        } else {
            let players = Self::content(slf).seating.clone_ref(slf.py()).players;
            Err(Error::stranger(player, &players).into())
        }
    }

    /// Whether the active player has no move.
    #[inline]
    fn is_over(slf: &Bound<'_, Self>) -> PyResult<bool> {
        if !overrides::is_plain(slf) {
            return overrides::is_over(slf);
        }
        let active = Self::active(slf);
        let seat = Self::seat_of(slf, &active)?;
        let (moves, size) = Self::look(slf, |position| {
            with_position!(position, |position| (position.mobility(seat), position.size()))
        })?;
        asked::count(asked::moves(moves as usize, size));
        Ok(moves == 0)
    }

    /// The moves from a place, as the board lists them.
    fn moves_from<'py>(
        slf: &Bound<'py, Self>,
        place: impl FnOnce(&AnyPosition) -> Option<Cell>,
    ) -> PyResult<Bound<'py, PyList>> {
        let bits = Self::content(slf).seating.order_bits;
        let (size, cells) = Self::look(slf, |position| {
            let size = with_position!(position, |position| position.size());
            (size, listed(position, place(position), bits))
        })?;
        asked::count(asked::moves(cells.len(), size));
        list(slf.py(), size, &cells)
    }

    /// The moves from what somebody gave as a place: a cell, None, or a pair outside the board.
    fn moves_from_place<'py>(
        slf: &Bound<'py, Self>,
        place: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let Some(given) = place.map(GivenMove::new).transpose()? else {
            return Self::moves_from(slf, |_| None);
        };
        let bits = Self::content(slf).seating.order_bits;
        let (size, cells) = Self::look(slf, |position| {
            let size = with_position!(position, |position| position.size());
            let cells = match given.cell(size) {
                Some(cell) => listed(position, Some(cell), bits),
                None => listed_from_outside(position, &given, bits),
            };
            (size, cells)
        })?;
        asked::count(asked::moves(cells.len(), size));
        list(slf.py(), size, &cells)
    }

    /// Writes one of the four names of the players.
    fn replace_player(
        slf: &Bound<'_, Self>,
        value: Py<PyAny>,
        place: impl for<'a> FnOnce(Written<'a>) -> &'a mut Py<PyAny>,
    ) {
        let old = Self::content_mut(slf)
            .seating
            .set(slf.py(), |written| std::mem::replace(place(written), value));
        drop(old);
    }

    /// The board's `_board_state`, from now on the truth.
    fn touched<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        let py = slf.py();
        let position = {
            let board = Self::content(slf);
            if let Some(list) = &board.state {
                return Ok(list.bind(py).clone());
            }
            board.position.clone()
        };
        let list = state::write(py, &position)?;
        Self::content_mut(slf).state = Some(list.clone().unbind());
        Ok(list)
    }

    /// The classic list as it is drawn, without touching the board.
    fn shown_state<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        state::write(slf.py(), &Self::look(slf, AnyPosition::clone)?)
    }

    /// Another shape for the same list, as the classic board would read it.
    fn reshape(slf: &Bound<'_, Self>, size: Size) -> PyResult<()> {
        if Self::content(slf).size() != size {
            Self::touched(slf)?;
            let mut content = Self::content_mut(slf);
            content.position = AnyPosition::empty(size);
            content.visits = content.visits.resized(size);
        }
        Ok(())
    }

    fn duplicate(slf: &Bound<'_, Self>) -> PyResult<Content> {
        let py = slf.py();
        let (mut copy, list) = {
            let content = Self::content(slf);
            (content.without_list(py), content.state.as_ref().map(|list| list.clone_ref(py)))
        };
        if let Some(list) = list {
            copy.state = Some(list.bind(py).as_sequence().to_list()?.unbind());
        }
        Ok(copy)
    }

    fn off_board(slf: &Bound<'_, Self>, given: &Bound<'_, PyAny>) -> Error {
        let size = Self::content(slf).size();
        let board = match object::text(slf) {
            Ok(text) => format!("{size} board '{text}'"),
            Err(_) => format!("{size} board"),
        };
        Error::off_board(given, board)
    }

    /// Makes a move.
    fn step(slf: &Bound<'_, Self>, r#move: &Bound<'_, PyAny>, given: &GivenMove) -> PyResult<()> {
        let py = slf.py();
        let mover = Self::mover(slf)?;
        // The size is asked for last: the move's `__index__` and the players' `==` may have changed it.
        let size = Self::content(slf).size();
        let cell = given.cell(size).ok_or_else(|| Self::off_board(slf, r#move))?;
        let list = {
            let mut board = Self::content_mut(slf);
            match &board.state {
                None => {
                    board.make(mover, cell);
                    return Ok(());
                }
                Some(list) => list.clone_ref(py),
            }
        };
        state::apply(list.bind(py), size, mover, cell)?;
        Self::content_mut(slf).pass_turn(mover, cell);
        Ok(())
    }
}
