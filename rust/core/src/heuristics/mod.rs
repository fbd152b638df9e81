//! Heuristics: what a search asks for the worth of a position.
//!
//! [`Heuristic`] is the one trait that searches know; its error is a type, so that native ones
//! cannot fail and a caller's own function can, in the same search. The native ones are listed in
//! one registry, [`all`].

mod baselines;

use std::convert::Infallible;
use std::sync::{Arc, LazyLock};

use crate::cells::{CellSet, Wide};
use crate::geometry::Cell;
use crate::player::Player;
use crate::position::Position;

/// Anything that gives a position a value.
pub trait Heuristic<S: CellSet> {
    /// What can go wrong.
    type Error;
    /// How many nodes may pass between two looks at the clock: few where a node is expensive.
    const NODES_BETWEEN_LOOKS: u64;

    /// The value of a position for a player: larger is better, infinities are allowed, NaN is not.
    ///
    /// # Errors
    /// Whatever the heuristic's own code may fail with.
    fn evaluate(&mut self, position: &Position<S>, player: Player) -> Result<f64, Self::Error>;

    /// Told of each move that a search makes, before it asks about a position behind it.
    #[inline]
    fn entered(&mut self, _: Cell) {}

    /// Told when the last of these moves is taken back.
    #[inline]
    fn left(&mut self) {}

    /// Whether an error of its own means that the search should end as if its budget were spent.
    #[inline]
    fn ends_search(&self, _: &Self::Error) -> bool {
        false
    }
}

/// The formula of a native heuristic, written once for all widths.
trait Formula: Send + Sync {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64;
}

/// A [`Formula`] behind a pointer: its versions for the three widths.
pub trait EveryWidth: Send + Sync {
    /// On boards of up to 64 cells.
    fn narrow(&self, position: &Position<u64>, player: Player) -> f64;
    /// On boards of up to 128 cells.
    fn medium(&self, position: &Position<u128>, player: Player) -> f64;
    /// On larger boards.
    fn wide(&self, position: &Position<Wide>, player: Player) -> f64;
}

impl<F: Formula> EveryWidth for F {
    fn narrow(&self, position: &Position<u64>, player: Player) -> f64 {
        self.value(position, player)
    }

    fn medium(&self, position: &Position<u128>, player: Player) -> f64 {
        self.value(position, player)
    }

    fn wide(&self, position: &Position<Wide>, player: Player) -> f64 {
        self.value(position, player)
    }
}

/// A heuristic that runs at full speed, and its entry in the registry.
pub struct NativeHeuristic {
    /// The name under which it is registered.
    pub name: &'static str,
    /// What it measures, in one line.
    pub summary: &'static str,
    formula: Box<dyn EveryWidth>,
}

impl NativeHeuristic {
    fn new(
        name: &'static str,
        summary: &'static str,
        formula: impl Formula + 'static,
    ) -> Arc<Self> {
        Arc::new(Self { name, summary, formula: Box::new(formula) })
    }

    /// The value of a position for a player.
    #[must_use]
    #[inline]
    pub fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        S::value_of(&*self.formula, position, player)
    }
}

impl<S: CellSet> Heuristic<S> for &NativeHeuristic {
    type Error = Infallible;
    // A node takes some 5 ns and a look at the clock some 25: a thousandth part of the time, and
    // the budget is overrun by 5 µs at the most.
    const NODES_BETWEEN_LOOKS: u64 = 1024;

    #[inline]
    fn evaluate(&mut self, position: &Position<S>, player: Player) -> Result<f64, Infallible> {
        Ok(self.value(position, player))
    }
}

/// All native heuristics, in the order in which they are listed to people.
#[must_use]
pub fn all() -> &'static [Arc<NativeHeuristic>] {
    static ALL: LazyLock<Vec<Arc<NativeHeuristic>>> =
        LazyLock::new(|| [baselines::registry()].into_iter().flatten().collect());
    &ALL
}

/// The native heuristic with that name.
#[must_use]
pub fn find(name: &str) -> Option<Arc<NativeHeuristic>> {
    all().iter().find(|heuristic| heuristic.name == name).cloned()
}

/// Ending T, terminal-aware: the value of a finished game, if it is one. The player to move who
/// has no move has lost.
#[inline]
fn finished<S: CellSet>(position: &Position<S>, player: Player) -> Option<f64> {
    if position.can_move(position.to_move()) {
        None
    } else if position.to_move() == player {
        Some(f64::NEG_INFINITY)
    } else {
        Some(f64::INFINITY)
    }
}
