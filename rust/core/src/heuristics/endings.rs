//! What becomes of a formula at the end of a game. A search asks there too.

use super::formula::Formula;
use crate::board::{CellSet, Player, Position};

/// The three ways of ending a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// T: -inf where the player is to move and cannot, inf where its opponent is and cannot.
    TerminalAware,
    /// S: inf where the opponent has no move, else -inf where the player has none, whoever's turn it
    /// is.
    StuckAware,
    /// The formula alone, at the end of a game too.
    Plain,
}

/// A formula with the ending T.
pub(super) struct TerminalAware<F>(pub(super) F);

/// A formula with the ending S.
pub(super) struct StuckAware<F>(pub(super) F);

impl<F: Formula> Formula for TerminalAware<F> {
    #[inline]
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        finished(position, player).unwrap_or_else(|| self.0.value(position, player))
    }
}

impl<F: Formula> Formula for StuckAware<F> {
    #[inline]
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        if !position.can_move(player.opponent()) {
            f64::INFINITY
        } else if !position.can_move(player) {
            f64::NEG_INFINITY
        } else {
            self.0.value(position, player)
        }
    }
}

/// The value of a finished game, if it is one. The player to move who has no move has lost.
#[inline]
pub(super) fn finished<S: CellSet>(position: &Position<S>, player: Player) -> Option<f64> {
    if position.can_move(position.to_move()) {
        None
    } else if position.to_move() == player {
        Some(f64::NEG_INFINITY)
    } else {
        Some(f64::INFINITY)
    }
}
