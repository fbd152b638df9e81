//! What may run a program in place of the machine: with the same values, for the same prices.

use crate::board::{Cell, CellSet, Player, Position, Size};

/// A position in the form that all sets of at most 128 cells have in common.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// The board's size.
    pub size: Size,
    /// The blank cells: the second word only on boards of more than 64 cells.
    pub blank: [u64; 2],
    /// Where each player stands.
    pub places: [Option<Cell>; 2],
    /// Whose turn it is.
    pub to_move: Player,
}

impl Root {
    /// That form of a position; none of a larger board.
    #[inline]
    pub fn of<S: CellSet>(position: &Position<S>) -> Option<Self> {
        Some(Self {
            size: position.size(),
            blank: position.blank().words()?,
            places: Player::BOTH.map(|player| position.location(player)),
            to_move: position.to_move(),
        })
    }
}

/// Runs a program as [`Machine`](super::Machine) does, whose methods these are.
pub trait Runner: Send {
    /// Lets runs from now on cost so much at the most.
    fn limit(&mut self, fuel: u32);
    /// The value of a position for a player.
    fn run(&mut self, root: &Root, player: Player, move_count: i64, order_bits: u64)
    -> Option<f64>;
    /// What the last run cost.
    fn spent(&self) -> u32;
    /// Whether the last run has no value since it would have cost more than it might.
    fn is_cut_off(&self) -> bool;
}

/// Where runners of a program come from.
pub trait Runners: Send + Sync {
    /// One for boards of that size. Without one the machine runs the program.
    fn runner(&self, size: Size) -> Option<Box<dyn Runner>>;
}
