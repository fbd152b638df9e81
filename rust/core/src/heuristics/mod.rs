//! Heuristics: what a search asks for the worth of a position.
//!
//! [`Heuristic`] is the one trait that searches know; its error is a type, so that native ones
//! cannot fail and a caller's own function can, in the same search. The native ones are listed in
//! one registry, [`all`], family by family:
//!
//! | family | what its heuristics measure |
//! |---|---|
//! | `baselines` | what the course itself offers |
//! | `mobility` | moves, now and one step on |
//! | `weights` | moves and cells, by how near they are to the middle |
//! | `distance` | the way to the centre and to the opponent |
//! | `decay` | blank cells, by their distance on an empty board |
//! | `floods` | cells in reach, by their distance through blank ones |
//! | `space` | blank cells around a player |
//! | `continuations` | the whole tree of play below a position |
//! | `blends` | mobility and space by how full the board is, and the tree near the end |
//! | `clusters` | the least occupied part of the board |
//!
//! In formulas p is the player that is scored and o its opponent; L(x) are the moves of x, all blank
//! cells before it is placed; loc(x) is its cell; H and W are the board's height and width, q the share
//! of its cells that are blank. What needs the cell of a player who is not placed counts 0.

mod baselines;
mod blends;
mod clusters;
mod continuations;
mod counted;
mod decay;
mod distance;
mod endings;
mod entry;
mod floods;
mod formula;
mod last_plies;
mod mobility;
mod native;
mod space;
mod sums;
mod weights;

use std::sync::{Arc, LazyLock};

use crate::board::{Cell, CellSet, Player, Position};
use crate::budget::{Clock, Meter, Stop};

pub use counted::{CountedHeuristic, NoValue};
pub use endings::Ending;
use entry::Entry;
pub use entry::{Parameter, VariantError};
pub use last_plies::last_plies;
pub use native::{NativeHeuristic, WALK_LIMIT};
pub use sums::{MOST_NESTED, MOST_PARTS, SumError, weighted_sum};

/// Anything that gives a position a value.
pub trait Heuristic<S: CellSet> {
    /// What can go wrong.
    type Error;

    /// How many nodes may pass between two looks at the clock, on a board of so many cells: few where
    /// a node is expensive.
    fn nodes_between_looks(&self, cells: u32) -> u64;

    /// The value of a position for a player: larger is better, infinities are allowed. Native ones never
    /// return NaN; of a caller's own function a search compares it as [`search`](crate::search()) says.
    ///
    /// A heuristic that generates positions itself asks the search's meter for each.
    ///
    /// # Errors
    /// Whatever the heuristic's own code may fail with, and where it wants the search to end, or the
    /// meter does.
    fn evaluate<C: Clock>(
        &mut self,
        position: &Position<S>,
        player: Player,
        meter: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<Self::Error>>;

    /// The value of a position for the player to move, two plies above the end of a line, and the nodes of
    /// these plies: where the heuristic can search them itself, quicker than it is asked for each value.
    ///
    /// [`last_plies`] is that search, and says what it must find. Where this is none, which is no error and
    /// may change from position to position, the search asks for the values one by one.
    #[inline]
    fn last_plies(
        &mut self,
        _position: &Position<S>,
        _player: Player,
        _alpha: f64,
        _beta: f64,
    ) -> Option<(f64, u64)> {
        None
    }

    /// Called for each move that a search makes, before it asks about a position after it.
    #[inline]
    fn entered(&mut self, _: Cell) {}

    /// Called when the last of these moves is taken back.
    #[inline]
    fn left(&mut self) {}

    /// Lends the heuristic to work that asks about many positions, in the form that answers quickest:
    /// that is chosen once, and not at each position.
    fn lend<W: Work<S, Self::Error>>(&mut self, work: W) -> W::Output
    where
        Self: Sized,
    {
        work.with(self)
    }
}

/// Work with a heuristic whose type it learns last.
pub trait Work<S: CellSet, E> {
    /// What comes of it.
    type Output;

    /// Does it.
    fn with<H: Heuristic<S, Error = E>>(self, heuristic: &mut H) -> Self::Output;
}

/// Why a search unwinds before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt<E> {
    /// As a spent budget ends a search; by [`Stop::Heuristic`] where it is the heuristic's wish.
    Stop(Stop),
    /// The heuristic failed.
    Heuristic(E),
}

impl<E> From<Stop> for Halt<E> {
    #[inline]
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// All native heuristics, in the order in which they are listed to people.
#[must_use]
pub fn all() -> &'static [Arc<NativeHeuristic>] {
    static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        [
            baselines::registry(),
            mobility::registry(),
            weights::registry(),
            distance::registry(),
            decay::registry(),
            floods::registry(),
            space::registry(),
            continuations::registry(),
            blends::registry(),
            clusters::registry(),
        ]
        .into_iter()
        .flatten()
        .collect()
    });
    static ALL: LazyLock<Vec<Arc<NativeHeuristic>>> =
        LazyLock::new(|| ENTRIES.iter().map(NativeHeuristic::registered).collect());
    &ALL
}

/// The native heuristic with that name.
#[must_use]
pub fn find(name: &str) -> Option<Arc<NativeHeuristic>> {
    all().iter().find(|heuristic| heuristic.name == name).cloned()
}
