//! The size of a board, its cells, and which of them are a knight's move apart.

use std::fmt;
use std::iter;
use std::sync::OnceLock;

use super::cells::CellSet;

/// The most cells a board may have: a million, some 40 MB of tables.
pub const MAX_CELLS: u32 = 1 << 20;

/// A knight's moves as (rows down, columns right): column by column, each from the top, so that the
/// cells they lead to are in increasing index.
pub const KNIGHT_STEPS: [(i64, i64); 8] =
    [(-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)];

/// Width and height of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u32,
    height: u32,
}

impl Size {
    /// A single cell.
    pub const SMALLEST: Self = Self { width: 1, height: 1 };

    /// A board of so many columns and rows.
    ///
    /// # Errors
    /// Where a side is zero or the board has more than [`MAX_CELLS`] cells.
    #[allow(clippy::cast_possible_truncation, reason = "both sides are at most MAX_CELLS by then")]
    pub fn new(width: u64, height: u64) -> Result<Self, SizeError> {
        if width == 0 || height == 0 {
            return Err(SizeError::Empty { width, height });
        }
        match width.checked_mul(height) {
            Some(cells) if cells <= u64::from(MAX_CELLS) => {
                Ok(Self { width: width as u32, height: height as u32 })
            }
            _ => Err(SizeError::TooLarge { width, height }),
        }
    }

    /// Number of columns.
    #[must_use]
    pub const fn width(self) -> u32 {
        self.width
    }

    /// Number of rows.
    #[must_use]
    pub const fn height(self) -> u32 {
        self.height
    }

    /// Number of cells.
    #[must_use]
    pub const fn cells(self) -> u32 {
        self.width * self.height
    }

    /// The cell in that row and column, if there is one.
    #[must_use]
    #[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "checked before")]
    pub fn cell(self, row: i64, column: i64) -> Option<Cell> {
        let inside = (0..i64::from(self.height)).contains(&row)
            && (0..i64::from(self.width)).contains(&column);
        inside.then(|| Cell(row as u32 + column as u32 * self.height))
    }

    /// Row and column of a cell.
    #[must_use]
    pub const fn coordinates(self, cell: Cell) -> (u32, u32) {
        (cell.0 % self.height, cell.0 / self.height)
    }

    /// The cells a knight's move away from `cell`, in increasing index.
    pub fn knight_moves(self, cell: Cell) -> impl Iterator<Item = Cell> {
        let (row, column) = self.coordinates(cell);
        self.knight_moves_from(i64::from(row), i64::from(column))
    }

    /// The cells around one, a king's move away, in increasing index.
    pub fn neighbours(self, cell: Cell) -> impl Iterator<Item = Cell> {
        let (row, column) = self.coordinates(cell);
        let (row, column) = (i64::from(row), i64::from(column));
        (column - 1..=column + 1)
            .flat_map(move |aside| {
                (row - 1..=row + 1).filter_map(move |down| self.cell(down, aside))
            })
            .filter(move |&near| near != cell)
    }

    /// The cells a knight's move away from any place, even one off the board, in increasing index.
    pub fn knight_moves_from(self, row: i64, column: i64) -> impl Iterator<Item = Cell> {
        KNIGHT_STEPS.into_iter().filter_map(move |(down, right)| {
            self.cell(row.checked_add(down)?, column.checked_add(right)?)
        })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A board that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// A side is zero.
    #[error("a board of {width}x{height} has no cells: both sides must be at least 1")]
    Empty {
        /// Columns asked for.
        width: u64,
        /// Rows asked for.
        height: u64,
    },
    /// More cells than [`MAX_CELLS`].
    #[error("a board of {width}x{height} is too large: at most {MAX_CELLS} cells are allowed")]
    TooLarge {
        /// Columns asked for.
        width: u64,
        /// Rows asked for.
        height: u64,
    },
}

/// A cell, by its index: `row + column * height`, as the classic board counts.
///
/// ```text
///        column 0   1   2
///  row 0       0   3   6
///  row 1       1   4   7      a board of width 3 and height 3;
///  row 2       2   5   8      bit i of a set of cells stands for cell i
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u32);

impl Cell {
    /// The index as a subscript.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The tables of one size of board, shared by all positions on it.
#[derive(Debug)]
pub struct Geometry<S: CellSet> {
    size: Size,
    /// For each cell the knight's moves from it, and last, for a player who is not placed, all
    /// cells: so that no move generation asks whether a player is placed.
    reach: Box<[S::Reach]>,
    spread: S::Spread,
    /// What only some heuristics need, made when one asks for it first.
    neighbours: OnceLock<Box<[S::Reach]>>,
    weights: OnceLock<Box<[f64]>>,
    rings: OnceLock<Box<[Box<[S]>]>>,
}

impl<S: CellSet> Geometry<S> {
    /// The tables for boards of that size: kept and shared where the set keeps them.
    ///
    /// # Panics
    /// Where the set cannot hold so many cells.
    #[must_use]
    pub fn of(size: Size) -> S::Tables {
        assert!(size.cells() <= S::CAPACITY, "a {size} board does not fit this set of cells");
        S::tables(size, || Self::build(size))
    }

    fn build(size: Size) -> Self {
        let reach = (0..size.cells())
            .map(Cell)
            .map(|cell| S::reach(size, size.knight_moves(cell)))
            .chain([S::everywhere(size)])
            .collect();
        Self {
            size,
            reach,
            spread: S::spreading(size),
            neighbours: OnceLock::new(),
            weights: OnceLock::new(),
            rings: OnceLock::new(),
        }
    }

    /// Width and height.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The knight's moves from `place`, an index of a cell or [`Self::nowhere`].
    #[inline]
    pub(crate) fn reach(&self, place: u32) -> &S::Reach {
        &self.reach[place as usize]
    }

    /// What spreading a set of cells needs.
    #[inline]
    pub(crate) fn spread(&self) -> &S::Spread {
        &self.spread
    }

    /// The up to eight cells around one, a king's move away.
    pub(crate) fn neighbours(&self, cell: Cell) -> &S::Reach {
        let of_all = self.neighbours.get_or_init(|| {
            let cells = (0..self.size.cells()).map(Cell);
            cells.map(|cell| S::reach(self.size, self.size.neighbours(cell))).collect()
        });
        &of_all[cell.index()]
    }

    /// A number for each cell, worked out once: always by the same function.
    pub(crate) fn weights(&self, weight: impl Fn(Size, Cell) -> f64) -> &[f64] {
        self.weights.get_or_init(|| {
            (0..self.size.cells()).map(|cell| weight(self.size, Cell(cell))).collect()
        })
    }

    /// The cells 0, 1, 2, … knight's moves from one on an empty board, kept for all cells. Not for
    /// sets of any size: theirs would take memory by the square of the cells.
    pub(crate) fn kept_rings(&self, from: Cell) -> Option<&[S]> {
        let of_all = (S::CAPACITY < MAX_CELLS).then(|| {
            self.rings.get_or_init(|| {
                let cells = (0..self.size.cells()).map(Cell);
                cells.map(|from| self.rings(from, &S::full(self.size)).collect()).collect()
            })
        })?;
        Some(&of_all[from.index()])
    }

    /// The cells 0, 1, 2, … knight's moves from one, when only cells of `through` are stepped on.
    pub(crate) fn rings(&self, from: Cell, through: &S) -> impl Iterator<Item = S> {
        let start = S::only(self.size, from);
        let mut unseen = through.without(&start);
        iter::successors(Some(start), move |ring| {
            let next = ring.spread(self).and(&unseen);
            unseen = unseen.without(&next);
            (!next.is_empty()).then_some(next)
        })
    }

    /// The place of a player who is not placed.
    #[inline]
    pub(crate) fn nowhere(&self) -> u32 {
        self.size.cells()
    }
}
