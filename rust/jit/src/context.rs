//! What machine code works on: memory of a thread, used again by run after run.

use std::mem::offset_of;
use std::sync::Arc;

use isolation_core::program::{Arena, FUEL as WHOLE, Fuel, Program, Root};
use isolation_core::{Cell, CellSet, Player, Position, Size};

use crate::Jitted;

/// The most games that a run may make, as for the machine.
pub(crate) const MOST_GAMES: u16 = 1 << 12;

/// The words that the results of a function take at most: 256 of each class, those of sets twice.
const MOST_RESULTS: usize = 4 * 256;

/// A position in the form that machine code reads and writes.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Game {
    /// The blank cells: the second word only on boards of more than 64 cells.
    pub(crate) blank: [u64; 2],
    /// Each player's cell, or as many as there are cells.
    pub(crate) places: [i64; 2],
    pub(crate) to_move: i64,
    pub(crate) move_count: i64,
}

/// All that machine code reads and writes. Its address is what each function gets first.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Context {
    /// The words of the arena and how many they are: again after whatever may change them.
    pub(crate) words: *mut u64,
    pub(crate) used: usize,
    /// The game asked about, and those that were made.
    pub(crate) games: *mut Game,
    pub(crate) made: i64,
    pub(crate) fuel: Fuel,
    /// Whether a function of the host bailed.
    pub(crate) bailed: u8,
    /// Whether the run has come to a block that is not among the machine code.
    pub(crate) left: u8,
    /// Where a function of the program leaves what it returns.
    pub(crate) results: [u64; MOST_RESULTS],
    /// Integers of the caller, for instructions that the host does.
    pub(crate) scratch: [i64; 256],
    pub(crate) order_bits: u64,
    pub(crate) size: Size,
    pub(crate) arena: Arena,
    all_games: Box<[Game]>,
}

/// The place of a field, as instructions have it.
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "some thousands")]
pub(crate) const fn offset(of: usize) -> i32 {
    of as i32
}

pub(crate) const WORDS: i32 = offset(offset_of!(Context, words));
pub(crate) const USED: i32 = offset(offset_of!(Context, used));
pub(crate) const GAMES: i32 = offset(offset_of!(Context, games));
pub(crate) const MADE: i32 = offset(offset_of!(Context, made));
pub(crate) const FUEL: i32 = offset(offset_of!(Context, fuel));
pub(crate) const BAILED: i32 = offset(offset_of!(Context, bailed));
pub(crate) const LEFT: i32 = offset(offset_of!(Context, left));
pub(crate) const RESULTS: i32 = offset(offset_of!(Context, results));
pub(crate) const ORDER_BITS: i32 = offset(offset_of!(Context, order_bits));
pub(crate) const SCRATCH: i32 = offset(offset_of!(Context, scratch));

impl Context {
    fn new(program: &Program, size: Size) -> Box<Self> {
        let mut context = Box::new(Self {
            words: std::ptr::null_mut(),
            used: 0,
            games: std::ptr::null_mut(),
            made: 0,
            fuel: Fuel::new(0),
            bailed: 0,
            left: 0,
            results: [0; MOST_RESULTS],
            scratch: [0; 256],
            order_bits: 0,
            size,
            arena: Arena::new(program),
            all_games: vec![Game::default(); 1 + usize::from(MOST_GAMES)].into(),
        });
        context.look_at_arena();
        context
    }

    /// Gives back what a run has allocated.
    #[inline]
    fn reset_arena(&mut self) {
        if self.arena.reset() {
            self.look_at_arena();
        }
    }

    /// Notes where the words of the arena are, which may have moved.
    pub(crate) fn look_at_arena(&mut self) {
        let words = self.arena.words_mut();
        self.words = words.as_mut_ptr();
        self.used = words.len();
    }
}

/// Runs a program's machine code, again and again in the same memory. No run finds anything of one before.
#[derive(Debug)]
pub struct Runner {
    jitted: Arc<Jitted>,
    size: Size,
    /// What a run may cost at the most.
    fuel: u32,
    context: Box<Context>,
}

// SAFETY: the pointers of a context lead to memory that it owns itself, and only `run` follows them, which
// has the runner for itself.
#[allow(unsafe_code, reason = "pointers are not sent by themselves")]
unsafe impl Send for Runner {}

impl Runner {
    /// A runner of that machine code.
    #[must_use]
    pub fn new(jitted: Arc<Jitted>) -> Self {
        let size = jitted.size();
        let context = Context::new(jitted.program(), size);
        Self { jitted, size, fuel: WHOLE, context }
    }

    /// The machine code.
    #[must_use]
    pub fn jitted(&self) -> &Arc<Jitted> {
        &self.jitted
    }

    /// Whether the machine code was made for boards of that position's size.
    #[must_use]
    #[inline]
    pub fn fits<S: CellSet>(&self, position: &Position<S>) -> bool {
        position.size() == self.size
    }

    /// What [`Machine::run`](isolation_core::program::Machine::run) returns. None for a board of another size
    /// than the machine code was made for.
    #[inline]
    pub fn run<S: CellSet>(
        &mut self,
        position: &Position<S>,
        player: Player,
        move_count: i64,
        order_bits: u64,
    ) -> Option<f64> {
        self.run_root(&Root::of(position)?, player, move_count, order_bits)
    }

    /// The same for a position in the form that all sets share.
    #[inline]
    pub fn run_root(
        &mut self,
        root: &Root,
        player: Player,
        move_count: i64,
        order_bits: u64,
    ) -> Option<f64> {
        if root.size != self.size {
            return None;
        }
        let context = &mut *self.context;
        let nowhere = Cell(self.size.cells());
        context.all_games[0] = Game {
            blank: root.blank,
            places: root.places.map(|place| place.unwrap_or(nowhere).0.into()),
            to_move: root.to_move as i64,
            move_count,
        };
        context.reset_arena();
        context.games = context.all_games.as_mut_ptr();
        context.made = 0;
        context.fuel = Fuel::new(self.fuel);
        context.bailed = 0;
        context.left = 0;
        context.order_bits = order_bits;
        let value = self.jitted.call(context, player as i64);
        (!value.is_nan()).then_some(value)
    }

    /// Lets runs from now on cost so much at the most, as [`Machine::limit`] does.
    ///
    /// [`Machine::limit`]: isolation_core::program::Machine::limit
    #[inline]
    pub fn limit(&mut self, fuel: u32) {
        self.fuel = fuel;
    }

    /// What the last run cost, if it has a value.
    #[must_use]
    #[inline]
    pub fn spent(&self) -> u32 {
        self.context.fuel.paid_of(self.fuel)
    }

    /// Whether the last run has no value since it would have cost more than it might.
    #[must_use]
    #[inline]
    pub fn is_cut_off(&self) -> bool {
        self.context.fuel.is_cut_off()
    }

    /// Whether the last run found nothing because it came to a block of which there is no machine code: then the
    /// machine is to run it.
    #[must_use]
    #[inline]
    pub fn has_left(&self) -> bool {
        self.context.left != 0
    }
}
