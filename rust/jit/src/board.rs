//! What machine code knows of the board that it was made for.

use cranelift_codegen::ir::Type;
use cranelift_codegen::ir::types::{I64, I128};
use isolation_core::program::prices;
use isolation_core::{Cell, Size};

/// The most cells that a set in registers holds.
pub(crate) const MOST_CELLS: u32 = 128;

/// The size of the board, and a table of sets of cells. A set is one word on boards of up to 64 cells, and two
/// on larger ones, the lower first.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) width: i64,
    pub(crate) height: i64,
    pub(crate) cells: i64,
    /// What it costs to list all blank cells.
    pub(crate) blank_price: u32,
    /// The knight's moves from each cell, and last all cells: those of a player who is not placed.
    pub(crate) reach: Box<[u64]>,
}

impl Board {
    pub(crate) fn new(size: Size) -> Self {
        let cells = || (0..size.cells()).map(Cell);
        let words = if size.cells() > 64 { 2 } else { 1 };
        let reach = cells().map(|cell| set_of(size.knight_moves(cell))).chain([set_of(cells())]);
        #[allow(clippy::cast_possible_truncation, reason = "each half by itself")]
        let halves = |set: u128| [set as u64, (set >> 64) as u64];
        Self {
            width: size.width().into(),
            height: size.height().into(),
            cells: size.cells().into(),
            blank_price: prices::blank(size.cells()),
            reach: reach.flat_map(|set| halves(set).into_iter().take(words)).collect(),
        }
    }

    /// The type of a set of cells.
    pub(crate) fn set(&self) -> Type {
        if self.cells > 64 { I128 } else { I64 }
    }
}

fn set_of(cells: impl Iterator<Item = Cell>) -> u128 {
    cells.fold(0, |set, cell| set | 1 << cell.0)
}
