//! Sets of cells, in three widths.
//!
//! A board of up to 64 cells is a `u64`, of up to 128 a `u128`, and a larger one a boxed slice of
//! words, [`Wide`]. The set owns move generation: integers do it by a mask and a population count,
//! the wide one by neighbour lists. Nothing else in the crate knows which of them it works on.

mod integer;
mod wide;

use std::fmt::Debug;
use std::ops::Deref;

use crate::board::geometry::{Cell, Geometry, Size};

pub use integer::Bits;
pub use wide::{Wide, WideCells};

/// A set of cells of one board. The three sets of this crate are all there are:
/// [`AnyPosition`](crate::AnyPosition) names them.
pub trait CellSet: Clone + Debug + PartialEq + Eq + Send + Sync + Sized + 'static {
    /// The knight's moves from one cell, in the form that suits this set.
    type Reach: Debug + Send + Sync;
    /// Cells in increasing index.
    type Cells: Iterator<Item = Cell> + Clone + Debug;
    /// How positions hold the tables of their board's size.
    type Tables: Deref<Target = Geometry<Self>> + Clone + Debug + Send + Sync;
    /// What [`spread`](Self::spread) needs besides the moves from each cell.
    type Spread: Debug + Send + Sync;
    /// The most cells it can hold.
    const CAPACITY: u32;

    /// All cells of a board.
    fn full(size: Size) -> Self;
    /// One cell of a board.
    fn only(size: Size, cell: Cell) -> Self;
    /// Whether the cell is in the set.
    fn contains(&self, cell: Cell) -> bool;
    /// Puts a cell in.
    fn insert(&mut self, cell: Cell);
    /// Takes a cell out.
    fn remove(&mut self, cell: Cell);
    /// How many cells there are.
    fn count(&self) -> u32;
    /// The cells, in increasing index.
    fn cells(&self) -> Self::Cells;
    /// The same as two words, where the set holds at most 128.
    fn words(&self) -> Option<[u64; 2]>;

    /// The first of them.
    fn lowest(&self) -> Option<Cell>;
    /// Whether there are none.
    fn is_empty(&self) -> bool;
    /// The cells that are in both sets.
    #[must_use]
    fn and(&self, other: &Self) -> Self;
    /// The cells that are in either set.
    #[must_use]
    fn or(&self, other: &Self) -> Self;
    /// The cells that are in this set and not in the other.
    #[must_use]
    fn without(&self, other: &Self) -> Self;

    /// Prepares [`spread`](Self::spread) for boards of a size.
    fn spreading(size: Size) -> Self::Spread;
    /// All cells a knight's move from any cell of the set.
    #[must_use]
    fn spread(&self, geometry: &Geometry<Self>) -> Self;
    /// All cells a knight's move from two cells of the set or more, and from three or more.
    #[must_use]
    fn crowded(&self, geometry: &Geometry<Self>) -> [Self; 2];

    /// Prepares the moves from one cell.
    fn reach(size: Size, moves: impl Iterator<Item = Cell>) -> Self::Reach;
    /// Prepares the moves of a player who is not placed: everywhere.
    fn everywhere(size: Size) -> Self::Reach;
    /// The cells of the set that are in reach.
    #[must_use]
    fn in_reach(&self, reach: &Self::Reach) -> Self;
    /// The cells of the set that are in reach, in increasing index.
    fn cells_in(&self, reach: &Self::Reach) -> Self::Cells;
    /// How many cells of the set are in reach.
    fn count_in(&self, reach: &Self::Reach) -> u32;
    /// Whether any cell of the set is in reach.
    fn any_in(&self, reach: &Self::Reach) -> bool;

    /// Whether that cell is in reach, blank or not.
    fn reaches(reach: &Self::Reach, cell: Cell) -> bool;

    /// The tables of a size: the ones at hand, or new ones.
    fn tables(size: Size, build: impl FnOnce() -> Geometry<Self>) -> Self::Tables;
}
