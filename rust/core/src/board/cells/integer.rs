//! Sets of cells in one integer: bit `i` is cell `i`.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::CellSet;
use crate::board::geometry::{Cell, Geometry, Size};

/// The cells of an integer set, lowest bit first.
#[derive(Clone, Debug)]
pub struct Bits<Word>(Word);

/// A knight's moves from many cells at once. Bit `row + column * height`: a step down is a shift by 1 and
/// one to the right a shift by the height.
///
/// ```text
///   steps down and right        as shifts, on a board of height 7
///      -2,-1     -2,+1             -9      +5
///   -1,-2           -1,+2       -15           +13
///            from                      from
///   +1,-2           +1,+2       -13           +15
///      +2,-1     +2,+1             -5      +9
/// ```
///
/// A cell goes up or down first, unless it would leave its column: that is what the masks are for. What
/// leaves the board to the left or right leaves the word, or is no cell.
#[derive(Clone, Copy, Debug)]
pub struct Shifts<Word> {
    /// The cells that have one more, or two more, above them, and below them.
    above: [Word; 2],
    below: [Word; 2],
    /// The height and twice the height, and all cells; 0 and none where the board is no wider than that.
    aside: [(u32, Word); 2],
}

/// Every operation of one word type. A macro and not a trait over integers: each shift must be
/// made on the set's own type, and here there is no other type around.
macro_rules! integer_set {
    ($word:ty, $tables:ident) => {
        /// The tables of every size seen so far. They are few and small, so they are kept for ever:
        /// copying a position then counts no references, a tenth of making a board.
        static $tables: LazyLock<Mutex<HashMap<Size, &'static Geometry<$word>>>> =
            LazyLock::new(Mutex::default);

        impl CellSet for $word {
            type Reach = Self;
            type Cells = Bits<Self>;
            type Tables = &'static Geometry<Self>;
            type Spread = Shifts<Self>;
            const CAPACITY: u32 = Self::BITS;

            #[inline]
            #[allow(
                clippy::cast_lossless,
                clippy::cast_possible_truncation,
                reason = "each half by itself"
            )]
            fn words(&self) -> Option<[u64; 2]> {
                let cells = *self as u128;
                Some([cells as u64, (cells >> 64) as u64])
            }

            fn full(size: Size) -> Self {
                Self::MAX >> (Self::BITS - size.cells())
            }

            #[inline]
            fn only(_: Size, cell: Cell) -> Self {
                let one: Self = 1;
                one << cell.0
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

            #[inline]
            fn lowest(&self) -> Option<Cell> {
                self.cells().next()
            }

            #[inline]
            fn is_empty(&self) -> bool {
                *self == 0
            }

            #[inline]
            fn and(&self, other: &Self) -> Self {
                self & other
            }

            #[inline]
            fn or(&self, other: &Self) -> Self {
                self | other
            }

            #[inline]
            fn without(&self, other: &Self) -> Self {
                self & !other
            }

            fn spreading(size: Size) -> Shifts<Self> {
                let rows = |wanted: &dyn Fn(u32) -> bool| {
                    let cells = (0..size.cells()).map(Cell);
                    Self::reach(size, cells.filter(|&cell| wanted(size.coordinates(cell).0)))
                };
                Shifts {
                    above: [1, 2].map(|steps| rows(&|row| row >= steps)),
                    below: [1, 2].map(|steps| rows(&|row| row + steps < size.height())),
                    aside: [1, 2].map(|columns| {
                        if columns < size.width() {
                            (columns * size.height(), Self::full(size))
                        } else {
                            (0, 0)
                        }
                    }),
                }
            }

            #[inline]
            fn spread(&self, geometry: &Geometry<Self>) -> Self {
                let shifts = geometry.spread();
                let [by_one, by_two] = [(0, 1), (1, 2)].map(|(at, steps)| {
                    (self & shifts.above[at]) >> steps | (self & shifts.below[at]) << steps
                });
                let [(near, on_near), (far, on_far)] = shifts.aside;
                (by_two << near | by_two >> near) & on_near
                    | (by_one << far | by_one >> far) & on_far
            }

            #[inline]
            fn crowded(&self, geometry: &Geometry<Self>) -> [Self; 2] {
                let shifts = geometry.spread();
                let [(up, down), (far_up, far_down)] = [(0, 1), (1, 2)].map(|(at, steps)| {
                    ((self & shifts.above[at]) >> steps, (self & shifts.below[at]) << steps)
                });
                let [(near, on_near), (far, on_far)] = shifts.aside;
                let (mut one, mut two, mut three) = (0, 0, 0);
                for (cells, columns, on) in [
                    (far_up, near, on_near),
                    (far_down, near, on_near),
                    (up, far, on_far),
                    (down, far, on_far),
                ] {
                    for aside in [cells << columns & on, cells >> columns & on] {
                        three |= two & aside;
                        two |= one & aside;
                        one |= aside;
                    }
                }
                [two, three]
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
            fn in_reach(&self, reach: &Self) -> Self {
                self & reach
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

integer_set!(u64, TABLES_64);
integer_set!(u128, TABLES_128);
