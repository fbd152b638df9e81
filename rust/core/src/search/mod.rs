//! Minimax, alpha-beta and iterative deepening.
//!
//! The contract, whatever the pruning: the value is the minimax value at that depth, with the
//! heuristic asked at depth 0 and where there is no move, always for the player at the root; the
//! move is the first one with that value in the root's order. A node is a child position generated.
//! A NaN is worse than every number for the player who moves to its position, as to a loop that begins
//! with the worst value and takes what compares as better.
//! Deepening ends by its budget, or when no line of the last depth was cut by depth; never because
//! a value is infinite, since heuristics return infinities without proof. An unfinished depth is
//! discarded.

mod deepening;
mod perft;
mod recursion;

use crate::board::{Cell, CellSet, Position};
use crate::budget::{Budget, Clock, Meter};
use crate::heuristics::{Heuristic, Work};

pub use perft::{perft, perft_made};

/// The deepest a search may look: bounds the machine's stack. Lines longer than this exist only on
/// boards of more than a thousand cells.
pub const MAX_PLIES: u32 = 1024;

/// How the tree is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every line.
    Minimax,
    /// Lines that cannot matter are left out.
    AlphaBeta,
}

/// In which order alpha-beta tries replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// In increasing index: it counts the nodes that everybody's alpha-beta counts.
    Plain,
    /// Those first that leave the opponent few replies: fewer nodes, the same answer.
    Fast,
}

/// What to search, and how.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What may be spent.
    pub budget: Budget,
    /// How the tree is walked.
    pub method: Method,
    /// In which order replies are tried.
    pub mode: Mode,
    /// The 64 bits that shuffle the root's moves.
    pub order_bits: u64,
    /// Whether the value of each root move is wanted: then none is pruned at the root.
    pub root_values: bool,
}

impl Options {
    /// Plain alpha-beta with that budget.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self {
            budget,
            method: Method::AlphaBeta,
            mode: Mode::Plain,
            order_bits: 0,
            root_values: false,
        }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The depth asked for was searched.
    Depth,
    /// The nodes were spent.
    Nodes,
    /// The time was up.
    Time,
    /// Every line was followed to the end of the game.
    Exhausted,
    /// The heuristic ended it.
    Heuristic,
}

impl Reason {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Nodes => "nodes",
            Self::Time => "time",
            Self::Exhausted => "exhausted",
            Self::Heuristic => "heuristic",
        }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The chosen move; none where there is no legal one.
    pub best: Option<Cell>,
    /// Its value for the player at the root; none where not even depth 1 was finished.
    pub value: Option<f64>,
    /// The last depth that was finished.
    pub depth: u32,
    /// All nodes of all depths, those of an unfinished one included.
    pub nodes: u64,
    /// What the heuristic paid, by the prices of [`program`](crate::program).
    pub paid: u64,
    /// Why it ended.
    pub reason: Reason,
    /// Where asked for: each root move and its value, in the root's order.
    pub root_values: Option<Vec<(Cell, f64)>>,
}

/// Why a search has no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure<E> {
    /// Somebody asked for an end.
    Interrupted,
    /// The heuristic failed.
    Heuristic(E),
    /// The depth asked for, on this board, is beyond [`MAX_PLIES`].
    TooDeep(u32),
}

/// Searches a position for the player to move.
///
/// # Errors
/// See [`Failure`]. Running out of budget is none: it ends the search, and the report says so.
pub fn search<S: CellSet, H: Heuristic<S>, C: Clock>(
    position: &Position<S>,
    heuristic: &mut H,
    clock: &mut C,
    options: &Options,
) -> Result<Report, Failure<H::Error>> {
    heuristic.lend(Search { position, clock, options })
}

/// A search before it knows the form of its heuristic.
struct Search<'s, S: CellSet, C> {
    position: &'s Position<S>,
    clock: &'s mut C,
    options: &'s Options,
}

impl<S: CellSet, C: Clock, E> Work<S, E> for Search<'_, S, C> {
    type Output = Result<Report, Failure<E>>;

    fn with<H: Heuristic<S, Error = E>>(self, heuristic: &mut H) -> Self::Output {
        let between_looks = heuristic.nodes_between_looks(self.position.size().cells());
        let meter = Meter::new(&self.options.budget, between_looks, self.clock);
        deepening::run(recursion::Tree::new(self.position, heuristic, meter), self.options)
    }
}
