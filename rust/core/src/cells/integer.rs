//! Sets of cells in one integer: bit `i` is cell `i`.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::CellSet;
use crate::geometry::{Cell, Geometry, Size};
use crate::heuristics::EveryWidth;
use crate::player::Player;
use crate::position::Position;

/// The cells of an integer set, lowest bit first.
#[derive(Clone, Debug)]
pub struct Bits<Word>(Word);

/// Every operation of one word type. A macro and not a trait over integers: each shift must be
/// made on the set's own type, and here there is no other type around.
macro_rules! integer_set {
    ($word:ty, $tables:ident, $version:ident) => {
        /// The tables of every size seen so far. They are few and small, so they are kept for ever:
        /// copying a position then counts no references, a tenth of making a board.
        static $tables: LazyLock<Mutex<HashMap<Size, &'static Geometry<$word>>>> =
            LazyLock::new(Mutex::default);

        impl CellSet for $word {
            type Reach = Self;
            type Cells = Bits<Self>;
            type Tables = &'static Geometry<Self>;
            const CAPACITY: u32 = Self::BITS;

            fn full(size: Size) -> Self {
                Self::MAX >> (Self::BITS - size.cells())
            }

            #[inline]
            fn contains(&self, cell: Cell) -> bool {
                self >> cell.0 & 1 == 1
            }

            #[inline]
            fn insert(&mut self, cell: Cell) {
                let one: Self = 1;
                *self |= one << cell.0;
            }

            #[inline]
            fn remove(&mut self, cell: Cell) {
                let one: Self = 1;
                *self &= !(one << cell.0);
            }

            #[inline]
            fn count(&self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn cells(&self) -> Bits<Self> {
                Bits(*self)
            }

            fn reach(_: Size, moves: impl Iterator<Item = Cell>) -> Self {
                let mut mask: Self = 0;
                moves.for_each(|cell| mask.insert(cell));
                mask
            }

            fn everywhere(size: Size) -> Self {
                Self::full(size)
            }

            #[inline]
            fn cells_in(&self, reach: &Self) -> Bits<Self> {
                Bits(self & reach)
            }

            #[inline]
            fn count_in(&self, reach: &Self) -> u32 {
                (self & reach).count_ones()
            }

            #[inline]
            fn any_in(&self, reach: &Self) -> bool {
                self & reach != 0
            }

            #[inline]
            fn reaches(reach: &Self, cell: Cell) -> bool {
                reach.contains(cell)
            }

            #[inline]
            fn value_of(
                formula: &dyn EveryWidth,
                position: &Position<Self>,
                player: Player,
            ) -> f64 {
                formula.$version(position, player)
            }

            fn tables(size: Size, build: impl FnOnce() -> Geometry<Self>) -> Self::Tables {
                let mut tables = $tables.lock().unwrap_or_else(PoisonError::into_inner);
                tables.entry(size).or_insert_with(|| Box::leak(Box::new(build())))
            }
        }

        impl Iterator for Bits<$word> {
            type Item = Cell;

            #[inline]
            fn next(&mut self) -> Option<Cell> {
                if self.0 == 0 {
                    return None;
                }
                let cell = Cell(self.0.trailing_zeros());
                self.0 &= self.0 - 1;
                Some(cell)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let count = self.0.count_ones() as usize;
                (count, Some(count))
            }
        }

        impl ExactSizeIterator for Bits<$word> {}
    };
}

integer_set!(u64, TABLES_64, narrow);
integer_set!(u128, TABLES_128, medium);
