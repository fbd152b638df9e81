//! `Board`: the classic board's face over the engine's position.
//!
//! Methods take `&Bound<Self>` and borrow for as long as no Python code can run: comparing players,
//! taking a move apart and even making a list may call anybody's code, which may use this board.

mod methods;
mod object;
mod seating;
mod state;

use isolation_core::{AnyPosition, Cell, Player, Size, with_position};
use pyo3::prelude::*;
use pyo3::types::PyList;

pub(crate) use seating::Seating;
use seating::Turn;

use crate::equality::{equal, surely_different, surely_equal};
use crate::errors;
use crate::moves::{GivenMove, list, listed};

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
#[pyclass(subclass, dict, weakref, module = "isolation_fast", name = "Board")]
pub(crate) struct Board {
    /// The position, its side to move being the classic initiative; where `state` is there, only
    /// its size counts.
    position: AnyPosition,
    seating: Seating,
    move_count: i64,
    /// `_board_state`, once somebody has touched it.
    state: Option<Py<PyList>>,
}

/// A board at the root of a search: copied out, so that nothing holds the board itself.
pub(crate) struct Root {
    pub(crate) position: AnyPosition,
    pub(crate) seating: Seating,
    pub(crate) move_count: i64,
}

impl Root {
    /// The very object that is to move.
    pub(crate) fn player<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.seating.active().bind(py).clone()
    }
}

impl Board {
    /// A board on which it is the turn of the position's side to move.
    pub(crate) fn new(position: AnyPosition, mut seating: Seating, move_count: i64) -> Self {
        seating.turn = Turn::Of(with_position!(&position, |position| position.to_move()));
        Self { position, seating, move_count, state: None }
    }

    fn size(&self) -> Size {
        with_position!(&self.position, |position| position.size())
    }

    /// Looks at the position as the board's list has it, if there is one, without copying it if not.
    /// `look` must not run Python.
    fn look<T>(slf: &Bound<'_, Self>, look: impl FnOnce(&AnyPosition) -> T) -> PyResult<T> {
        let (list, size) = {
            let board = slf.borrow();
            match &board.state {
                None => return Ok(look(&board.position)),
                Some(list) => (list.clone_ref(slf.py()), board.size()),
            }
        };
        Ok(look(&state::read(list.bind(slf.py()), size)?))
    }

    /// The position, the side to move being whose location the next move writes.
    pub(crate) fn position_to_move(slf: &Bound<'_, Self>) -> PyResult<AnyPosition> {
        let mover = Self::mover(slf)?;
        let mut position = Self::look(slf, AnyPosition::clone)?;
        with_position!(&mut position, |position| position.set_to_move(mover));
        Ok(position)
    }

    /// The board as the root of a search, if it is a position in which it is clear who is to move.
    pub(crate) fn checked_root(slf: &Bound<'_, Self>) -> PyResult<Root> {
        let py = slf.py();
        let seating = slf.borrow().seating.clone_ref(py);
        let mover = seating.clear_mover(py)?;
        let mut position = object::strict_position(slf)?;
        with_position!(&mut position, |position| position.set_to_move(mover));
        Ok(Root { position, seating, move_count: slf.borrow().move_count })
    }

    fn mover(slf: &Bound<'_, Self>) -> PyResult<Player> {
        let py = slf.py();
        if let Some(mover) = slf.borrow().seating.evident_mover(py) {
            return Ok(mover);
        }
        // A copy, since the players' `==` may change the board.
        let seating = slf.borrow().seating.clone_ref(py);
        seating.mover(py)
    }

    /// Which of the players an object is: the first one that it equals.
    pub(crate) fn seat_of(slf: &Bound<'_, Self>, player: &Bound<'_, PyAny>) -> PyResult<Player> {
        let py = slf.py();
        let players = {
            let board = slf.borrow();
            let [first, second] = &board.seating.players;
            if surely_equal(player, first) {
                return Ok(Player::One);
            }
            if surely_equal(player, second) && surely_different(player, first.bind(py)) {
                return Ok(Player::Two);
            }
            [first.clone_ref(py), second.clone_ref(py)]
        };
        if equal(player, players[0].bind(py))? {
            Ok(Player::One)
        } else if equal(player, players[1].bind(py))? {
            Ok(Player::Two)
        } else {
            Err(errors::stranger(py, player, &players))
        }
    }

    fn active<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyAny> {
        slf.borrow().seating.active().bind(slf.py()).clone()
    }

    fn inactive<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyAny> {
        slf.borrow().seating.inactive().bind(slf.py()).clone()
    }

    /// Whether the active player has no move.
    fn is_over(slf: &Bound<'_, Self>) -> PyResult<bool> {
        let active = Self::active(slf);
        if !slf.is_exact_instance_of::<Self>() {
            // A subclass may have its own idea of what is legal.
            return Ok(!slf.call_method1("get_legal_moves", (active,))?.is_truthy()?);
        }
        let seat = Self::seat_of(slf, &active)?;
        Self::look(slf, |position| !with_position!(position, |position| position.can_move(seat)))
    }

    /// The moves from a place, as the board lists them.
    fn moves_from<'py>(
        slf: &Bound<'py, Self>,
        place: impl FnOnce(&AnyPosition) -> Option<Cell>,
    ) -> PyResult<Bound<'py, PyList>> {
        let bits = slf.borrow().seating.order_bits;
        let (size, cells) = Self::look(slf, |position| {
            let size = with_position!(position, |position| position.size());
            (size, listed(position, place(position), bits))
        })?;
        list(slf.py(), size, &cells)
    }

    /// The board's `_board_state`, from now on the truth.
    fn touched<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        let py = slf.py();
        let position = {
            let board = slf.borrow();
            if let Some(list) = &board.state {
                return Ok(list.bind(py).clone());
            }
            board.position.clone()
        };
        let list = state::write(py, &position)?;
        slf.borrow_mut().state = Some(list.clone().unbind());
        Ok(list)
    }

    /// The classic list as it is drawn, without touching the board.
    fn shown_state<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyList>> {
        state::write(slf.py(), &Self::look(slf, AnyPosition::clone)?)
    }

    /// Another shape for the same list, as the classic board would read it.
    fn reshape(slf: &Bound<'_, Self>, size: Size) -> PyResult<()> {
        if slf.borrow().size() != size {
            Self::touched(slf)?;
            slf.borrow_mut().position = AnyPosition::empty(size);
        }
        Ok(())
    }

    fn duplicate(slf: &Bound<'_, Self>) -> PyResult<Self> {
        let py = slf.py();
        let (copy, list) = {
            let board = slf.borrow();
            let list = board.state.as_ref().map(|list| list.clone_ref(py));
            let (position, seating) = (board.position.clone(), board.seating.clone_ref(py));
            (Self { position, seating, move_count: board.move_count, state: None }, list)
        };
        let Some(list) = list else { return Ok(copy) };
        let list = list.bind(py).as_sequence().to_list()?;
        Ok(Self { state: Some(list.unbind()), ..copy })
    }

    /// The cell of a move, if it is on the board.
    fn cell_of<'py>(slf: &Bound<'py, Self>, given: &Bound<'py, PyAny>) -> PyResult<Cell> {
        let parsed = GivenMove::new(given)?;
        let size = slf.borrow().size();
        parsed.cell(size, given)?.ok_or_else(|| {
            let board = match object::text(slf) {
                Ok(text) => format!("{size} board '{text}'"),
                Err(_) => format!("{size} board"),
            };
            parsed.off_board(&board)
        })
    }

    /// Makes a move on a board that only the caller holds.
    fn step(&mut self, py: Python<'_>, mover: Player, cell: Cell) -> PyResult<()> {
        match &self.state {
            None => with_position!(&mut self.position, |position| position.jump(mover, cell)),
            Some(list) => state::apply(list.bind(py), self.size(), mover, cell)?,
        }
        self.seating.pass_turn();
        self.move_count = self.move_count.wrapping_add(1);
        Ok(())
    }
}
