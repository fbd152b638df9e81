//! The two players of a board, and whose turn it is.

use isolation_core::Player;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::equality::{equal, known};

/// What a board's players are called where nobody named them.
pub(crate) const DEFAULT_PLAYERS: [&str; 2] = ["player 1", "player 2"];

/// Which of the players is active, and which one waits.
pub(super) enum Turn {
    /// One of the two, and the other waits: so it is unless somebody writes to the attributes.
    Of(Player),
    /// What `_active_player` and `_inactive_player` were set to.
    Set { active: Py<PyAny>, inactive: Py<PyAny> },
}

/// The players of a board, whose turn it is, and the bits that order its lists of moves: what a board
/// hands on to its copies.
pub(crate) struct Seating {
    pub(super) players: [Py<PyAny>; 2],
    pub(super) turn: Turn,
    pub(crate) order_bits: u64,
    /// Whether the players are two texts that differ: that can never change, and comparing them for
    /// each move is a tenth of a forecast.
    two_names: bool,
}

impl Seating {
    pub(super) fn new(py: Python<'_>, players: [Py<PyAny>; 2], order_bits: u64) -> Self {
        let two_names = differ_in_name(py, &players);
        Self { players, turn: Turn::Of(Player::One), order_bits, two_names }
    }

    pub(super) fn named_by_default(py: Python<'_>) -> Self {
        let names = DEFAULT_PLAYERS.map(|name| PyString::intern(py, name).into_any().unbind());
        Self::new(py, names, 0)
    }

    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Self {
        let turn = match &self.turn {
            Turn::Of(player) => Turn::Of(*player),
            Turn::Set { active, inactive } => {
                Turn::Set { active: active.clone_ref(py), inactive: inactive.clone_ref(py) }
            }
        };
        Self { players: self.players.each_ref().map(|player| player.clone_ref(py)), turn, ..*self }
    }

    pub(super) fn player(&self, player: Player) -> &Py<PyAny> {
        &self.players[player.index()]
    }

    pub(super) fn active(&self) -> &Py<PyAny> {
        match &self.turn {
            Turn::Of(player) => self.player(*player),
            Turn::Set { active, .. } => active,
        }
    }

    pub(super) fn inactive(&self) -> &Py<PyAny> {
        match &self.turn {
            Turn::Of(player) => self.player(player.opponent()),
            Turn::Set { inactive, .. } => inactive,
        }
    }

    pub(super) fn pass_turn(&mut self) {
        match &mut self.turn {
            Turn::Of(player) => *player = player.opponent(),
            Turn::Set { active, inactive } => std::mem::swap(active, inactive),
        }
    }

    /// Changes who is active, who waits, or who is player 1 or 2, each on its own. What is returned is
    /// to be dropped when the board is no longer borrowed: it may run code as it goes.
    #[must_use]
    pub(super) fn set<T>(
        &mut self,
        py: Python<'_>,
        change: impl FnOnce(Written<'_>) -> T,
    ) -> (T, Turn) {
        let mut active = self.active().clone_ref(py);
        let mut inactive = self.inactive().clone_ref(py);
        let [player_1, player_2] = &mut self.players;
        let changed =
            change(Written { player_1, player_2, active: &mut active, inactive: &mut inactive });
        let seat_of = |player: &Py<PyAny>| {
            Player::BOTH.into_iter().find(|&seat| player.is(self.player(seat)))
        };
        let turn = match (seat_of(&active), seat_of(&inactive)) {
            (Some(player), Some(other)) if player != other => Turn::Of(player),
            _ => Turn::Set { active, inactive },
        };
        self.two_names = differ_in_name(py, &self.players);
        (changed, std::mem::replace(&mut self.turn, turn))
    }

    /// Whose location a move writes: the classic rule is that it is player 2's if the active player
    /// equals player 2. May run any code, so it works on a copy of the seating.
    pub(super) fn mover(&self, py: Python<'_>) -> PyResult<Player> {
        let (active, second) = (self.active().bind(py), self.player(Player::Two).bind(py));
        Ok(if equal(active, second)? { Player::Two } else { Player::One })
    }

    /// Whose turn it is in the usual case, in which that is beyond doubt: players of different names of
    /// whom nobody has said who is active.
    #[inline]
    pub(super) fn evident_turn(&self) -> Option<Player> {
        match self.turn {
            Turn::Of(player) if self.two_names => Some(player),
            _ => None,
        }
    }

    /// Whether the players are beyond doubt two, of which one is to move and the other waits. None is no player:
    /// as an argument it means the one to move.
    pub(crate) fn is_plain(&self, py: Python<'_>) -> bool {
        let [first, second] = self.players.each_ref().map(|player| player.bind(py));
        let are_two = known(first, second) == Some(false) && !first.is_none() && !second.is_none();
        are_two && matches!(self.turn, Turn::Of(_))
    }

    /// The mover where it is known without asking anybody.
    #[inline]
    pub(super) fn evident_mover(&self, py: Python<'_>) -> Option<Player> {
        if let Some(player) = self.evident_turn() {
            return Some(player);
        }
        let second = known(self.active().bind(py), self.player(Player::Two).bind(py))?;
        Some(if second { Player::Two } else { Player::One })
    }

    /// Which of the players an object is, where that is known without asking anybody.
    pub(super) fn evident_seat(&self, player: &Bound<'_, PyAny>) -> Option<Player> {
        let [first, second] = self.players.each_ref().map(|seated| seated.bind(player.py()));
        if known(player, first)? {
            Some(Player::One)
        } else {
            known(player, second)?.then_some(Player::Two)
        }
    }

    /// Whose turn it is, where that is beyond doubt; else what is doubtful, since such a board is no
    /// position.
    pub(super) fn clear_mover(&self, py: Python<'_>) -> PyResult<Result<Player, &'static str>> {
        let [first, second] = self.players.each_ref().map(|player| player.bind(py));
        if equal(first, second)? {
            return Ok(Err("player 1 and player 2 are equal"));
        }
        let Turn::Set { active, inactive } = &self.turn else { return self.mover(py).map(Ok) };
        let (active, inactive) = (active.bind(py), inactive.bind(py));
        Ok(if equal(active, first)? && equal(inactive, second)? {
            Ok(Player::One)
        } else if equal(active, second)? && equal(inactive, first)? {
            Ok(Player::Two)
        } else {
            Err("its active and inactive player are not its two players")
        })
    }
}

fn differ_in_name(py: Python<'_>, players: &[Py<PyAny>; 2]) -> bool {
    let [first, second] = players.each_ref().map(|player| player.bind(py));
    first.is_exact_instance_of::<PyString>()
        && second.is_exact_instance_of::<PyString>()
        && known(first, second) == Some(false)
}

/// What [`Seating::set`] may change.
pub(super) struct Written<'a> {
    pub(super) player_1: &'a mut Py<PyAny>,
    pub(super) player_2: &'a mut Py<PyAny>,
    pub(super) active: &'a mut Py<PyAny>,
    pub(super) inactive: &'a mut Py<PyAny>,
}
