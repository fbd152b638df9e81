//! Sets of cells of boards with more than 128 of them.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use super::CellSet;
use crate::board::geometry::{Cell, Geometry, MAX_CELLS, Size};

/// A set of any number of cells: bit `i % 64` of word `i / 64` is cell `i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wide(Box<[u64]>);

/// The moves from one cell: a list, since a mask would be as long as the board.
#[derive(Debug)]
pub enum WideReach {
    /// The first `count` of `cells`, in increasing index.
    Near {
        /// The cells; those from `count` on mean nothing.
        cells: [Cell; 8],
        /// How many there are.
        count: u8,
    },
    /// Every cell: the player is not placed.
    Everywhere,
}

/// Cells of a [`Wide`] set in increasing index.
#[derive(Clone, Debug)]
pub enum WideCells {
    /// A knight's moves.
    Near {
        /// The cells; those from `count` on mean nothing.
        cells: [Cell; 8],
        /// The next one.
        next: u8,
        /// How many there are.
        count: u8,
    },
    /// All cells of a set, which is copied: the position changes while its moves are tried.
    All {
        /// What is left, the current word's lower bits cleared.
        words: Box<[u64]>,
        /// The current word.
        word: usize,
    },
}

/// The tables of sizes in use. A large board's tables are large, so they go with its last position.
#[derive(Default)]
struct Tables {
    in_use: HashMap<Size, Weak<Geometry<Wide>>>,
    /// The last ones made, if they are not large: a loop that makes a board, drops it and makes the next
    /// would build them anew each time, in a hundred times the time of the board itself.
    last: Option<Arc<Geometry<Wide>>>,
}

/// The most cells of a board whose tables outlive it, some 700 kB.
const KEPT: u32 = 1 << 14;

static TABLES: LazyLock<Mutex<Tables>> = LazyLock::new(Mutex::default);

fn split(cell: Cell) -> (usize, u32) {
    ((cell.0 / 64) as usize, cell.0 % 64)
}

impl CellSet for Wide {
    type Reach = WideReach;
    type Cells = WideCells;
    type Tables = Arc<Geometry<Self>>;
    type Spread = ();
    const CAPACITY: u32 = MAX_CELLS;

    fn words(&self) -> Option<[u64; 2]> {
        None
    }

    fn full(size: Size) -> Self {
        let mut words = vec![u64::MAX; size.cells().div_ceil(64) as usize];
        if let (Some(last), rest @ 1..) = (words.last_mut(), size.cells() % 64) {
            *last = u64::MAX >> (64 - rest);
        }
        Self(words.into())
    }

    fn only(size: Size, cell: Cell) -> Self {
        let mut set = Self(vec![0; size.cells().div_ceil(64) as usize].into());
        set.insert(cell);
        set
    }

    #[inline]
    fn contains(&self, cell: Cell) -> bool {
        let (word, bit) = split(cell);
        self.0[word] >> bit & 1 == 1
    }

    #[inline]
    fn insert(&mut self, cell: Cell) {
        let (word, bit) = split(cell);
        self.0[word] |= 1_u64 << bit;
    }

    #[inline]
    fn remove(&mut self, cell: Cell) {
        let (word, bit) = split(cell);
        self.0[word] &= !(1_u64 << bit);
    }

    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn cells(&self) -> WideCells {
        WideCells::All { words: self.0.clone(), word: 0 }
    }

    fn lowest(&self) -> Option<Cell> {
        let (word, bits) = (0..).zip(&self.0).find(|&(_, &bits)| bits != 0)?;
        Some(Cell(word * 64 + bits.trailing_zeros()))
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(own, other)| own & other).collect())
    }

    fn or(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(own, other)| own | other).collect())
    }

    fn without(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(own, other)| own & !other).collect())
    }

    fn spreading(_: Size) {}

    fn spread(&self, geometry: &Geometry<Self>) -> Self {
        let mut reached = Self(vec![0; self.0.len()].into());
        for cell in self.cells() {
            if let WideReach::Near { cells, count } = geometry.reach(cell.0) {
                cells[..usize::from(*count)].iter().for_each(|&near| reached.insert(near));
            }
        }
        reached
    }

    fn crowded(&self, geometry: &Geometry<Self>) -> [Self; 2] {
        let from = |least| {
            let mut found = self.spread(geometry);
            for cell in found.cells() {
                if self.count_in(geometry.reach(cell.0)) < least {
                    found.remove(cell);
                }
            }
            found
        };
        [from(2), from(3)]
    }

    fn reach(_: Size, moves: impl Iterator<Item = Cell>) -> WideReach {
        let (mut cells, mut count) = ([Cell(0); 8], 0);
        for cell in moves {
            cells[usize::from(count)] = cell;
            count += 1;
        }
        WideReach::Near { cells, count }
    }

    fn everywhere(_: Size) -> WideReach {
        WideReach::Everywhere
    }

    fn in_reach(&self, reach: &WideReach) -> Self {
        let mut found = Self(vec![0; self.0.len()].into());
        self.cells_in(reach).for_each(|cell| found.insert(cell));
        found
    }

    fn cells_in(&self, reach: &WideReach) -> WideCells {
        let WideReach::Near { cells, count } = reach else { return self.cells() };
        let (mut found, mut length) = ([Cell(0); 8], 0);
        for &cell in &cells[..usize::from(*count)] {
            if self.contains(cell) {
                found[usize::from(length)] = cell;
                length += 1;
            }
        }
        WideCells::Near { cells: found, next: 0, count: length }
    }

    fn count_in(&self, reach: &WideReach) -> u32 {
        let WideReach::Near { cells, count } = reach else { return self.count() };
        cells[..usize::from(*count)].iter().map(|&cell| u32::from(self.contains(cell))).sum()
    }

    fn any_in(&self, reach: &WideReach) -> bool {
        let WideReach::Near { cells, count } = reach else { return self.0.iter().any(|&w| w != 0) };
        cells[..usize::from(*count)].iter().any(|&cell| self.contains(cell))
    }

    fn reaches(reach: &WideReach, cell: Cell) -> bool {
        let WideReach::Near { cells, count } = reach else { return true };
        cells[..usize::from(*count)].contains(&cell)
    }

    fn tables(size: Size, build: impl FnOnce() -> Geometry<Self>) -> Self::Tables {
        let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = tables.in_use.get(&size).and_then(Weak::upgrade) {
            return tables;
        }
        tables.in_use.retain(|_, tables| tables.strong_count() > 0);
        let new = Arc::new(build());
        tables.in_use.insert(size, Arc::downgrade(&new));
        if size.cells() <= KEPT {
            tables.last = Some(Arc::clone(&new));
        }
        new
    }
}

impl Iterator for WideCells {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        match self {
            Self::Near { cells, next, count } => (*next < *count).then(|| {
                let cell = cells[usize::from(*next)];
                *next += 1;
                cell
            }),
            Self::All { words, word } => {
                while words.get(*word)? == &0 {
                    *word += 1;
                }
                let bit = words[*word].trailing_zeros();
                words[*word] &= words[*word] - 1;
                #[allow(clippy::cast_possible_truncation, reason = "at most MAX_CELLS / 64")]
                let word = *word as u32;
                Some(Cell(word * 64 + bit))
            }
        }
    }
}
