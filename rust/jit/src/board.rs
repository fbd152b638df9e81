//! What machine code knows of the board that it was made for.

use cranelift_codegen::ir::Type;
use cranelift_codegen::ir::types::{I64, I128};
use isolation_core::{Cell, Size};

/// The most cells that a set in registers holds.
pub(crate) const MOST_CELLS: u32 = 128;

/// The size of the board, and tables of sets of cells. A set is one word on boards of up to 64 cells, and two
/// on larger ones, the lower first.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) width: i64,
    pub(crate) height: i64,
    pub(crate) cells: i64,
    /// The knight's moves from each cell, and last all cells: those of a player who is not placed.
    pub(crate) reach: Box<[u64]>,
    /// The cells around each cell.
    pub(crate) around: Box<[u64]>,
    /// For [`Self::spread`]: the cells that have one more above them, two more, and the same below.
    pub(crate) above: [u128; 2],
    pub(crate) below: [u128; 2],
}

impl Board {
    pub(crate) fn new(size: Size) -> Self {
        let cells = || (0..size.cells()).map(Cell);
        let words = if size.cells() > 64 { 2 } else { 1 };
        let table = |sets: &mut dyn Iterator<Item = u128>| {
            #[allow(clippy::cast_possible_truncation, reason = "each half by itself")]
            sets.flat_map(|set| [set as u64, (set >> 64) as u64].into_iter().take(words)).collect()
        };
        let rows = |wanted: &dyn Fn(u32) -> bool| {
            set_of(cells().filter(|&cell| wanted(size.coordinates(cell).0)))
        };
        Self {
            width: size.width().into(),
            height: size.height().into(),
            cells: size.cells().into(),
            reach: table(
                &mut cells().map(|cell| set_of(size.knight_moves(cell))).chain([set_of(cells())]),
            ),
            around: table(&mut cells().map(|cell| set_of(size.neighbours(cell)))),
            above: [1, 2].map(|steps| rows(&|row| row >= steps)),
            below: [1, 2].map(|steps| rows(&|row| row + steps < size.height())),
        }
    }

    /// All its cells.
    pub(crate) fn full(&self) -> u128 {
        u128::MAX >> (i64::from(MOST_CELLS) - self.cells)
    }

    /// The type of a set of cells.
    pub(crate) fn set(&self) -> Type {
        if self.cells > 64 { I128 } else { I64 }
    }
}

fn set_of(cells: impl Iterator<Item = Cell>) -> u128 {
    cells.fold(0, |set, cell| set | 1 << cell.0)
}
