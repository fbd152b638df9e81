//! What a board holds, and what can be done with it without running any Python.

use isolation_core::{AnyPosition, Cell, Player, Size, with_position};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::early::Views;
use super::seating::{Seating, Turn};
use super::visits::Visits;
use crate::moves::{Cells, GivenMove, listed};

/// What a board holds.
pub(super) struct Content {
    /// The position, its side to move being the classic initiative; where `state` is there, only
    /// its size counts.
    pub(super) position: AnyPosition,
    pub(super) seating: Seating,
    pub(super) move_count: i64,
    pub(super) visits: Visits,
    /// `_board_state`, once somebody has touched it.
    pub(super) state: Option<Py<PyList>>,
    /// What was read by the oldest names; `Board::content_mut` drops it.
    pub(super) views: Option<Box<Views>>,
}

impl Content {
    /// A board on which it is the turn of the position's side to move.
    pub(super) fn new(
        position: AnyPosition,
        mut seating: Seating,
        move_count: i64,
        visits: Visits,
    ) -> Self {
        seating.turn = Turn::Of(with_position!(&position, |position| position.to_move()));
        Self { position, seating, move_count, visits, state: None, views: None }
    }

    pub(super) fn size(&self) -> Size {
        with_position!(&self.position, |position| position.size())
    }

    /// The moves of a player, in the usual case: found in one borrow, without asking anybody. A borrow
    /// costs as much as finding the moves.
    pub(super) fn evident_moves<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> Option<(Size, Cells)> {
        if self.state.is_some() {
            return None;
        }
        let player = player.unwrap_or_else(|| self.seating.active().bind(py));
        let seat = self.seating.evident_seat(player)?;
        let from = with_position!(&self.position, |position| position.location(seat));
        Some((self.size(), listed(&self.position, from, self.seating.order_bits)))
    }

    /// Who is to move, and which player somebody is, by default the one to move; in the usual case: found in
    /// one borrow, without asking anybody. A tenth of what it takes otherwise.
    #[inline]
    pub(super) fn evident_seats(&self, player: Option<&Bound<'_, PyAny>>) -> Option<[Player; 2]> {
        if self.state.is_some() {
            return None;
        }
        let mover = self.seating.evident_turn()?;
        let seat = match player {
            Some(player) => self.seating.evident_seat(player)?,
            None => mover,
        };
        Some([mover, seat])
    }

    /// Shows the garbage collector every object that the board holds.
    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        for player in &self.seating.players {
            visit.call(player)?;
        }
        if let Turn::Set { active, inactive } = &self.seating.turn {
            visit.call(active)?;
            visit.call(inactive)?;
        }
        if let Some(views) = &self.views {
            visit.call(&views.rows)?;
            visit.call(&views.moves)?;
        }
        visit.call(&self.state)
    }

    /// A copy of all but the list.
    pub(super) fn without_list(&self, py: Python<'_>) -> Self {
        Self {
            position: self.position.clone(),
            seating: self.seating.clone_ref(py),
            move_count: self.move_count,
            visits: self.visits.clone(),
            state: None,
            views: None,
        }
    }

    /// The board after a move.
    #[inline]
    pub(super) fn child(&self, py: Python<'_>, mover: Player, cell: Cell) -> Self {
        let mut seating = self.seating.clone_ref(py);
        seating.pass_turn();
        let mut visits = self.visits.clone();
        visits.note(mover, cell);
        Self {
            position: with_position!(&self.position, |p| p.after_jump(mover, cell).into()),
            seating,
            move_count: self.move_count.wrapping_add(1),
            visits,
            state: None,
            views: None,
        }
    }

    /// What a move changes, in the usual case, likewise.
    pub(super) fn evident_step(&self, py: Python<'_>, given: &GivenMove) -> Option<(Player, Cell)> {
        if self.state.is_some() {
            return None;
        }
        Some((self.seating.evident_mover(py)?, given.cell(self.size())?))
    }

    /// Makes a move on a native board.
    pub(super) fn make(&mut self, mover: Player, cell: Cell) {
        with_position!(&mut self.position, |position| position.jump(mover, cell));
        self.pass_turn(mover, cell);
    }

    /// What a move changes besides the position.
    pub(super) fn pass_turn(&mut self, mover: Player, cell: Cell) {
        self.visits.note(mover, cell);
        self.seating.pass_turn();
        self.move_count = self.move_count.wrapping_add(1);
    }
}
