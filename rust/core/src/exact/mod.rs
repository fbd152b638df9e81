//! Exact play: who wins a position, which of its moves win, and how long the game lasts with best play.
//!
//! No heuristic takes part. A solver goes through the game to its end until the result is certain, or
//! until its budget is spent: then the result is [`Outcome::Unknown`]. A node is one entry of the
//! recursion, at a position where both players can move.
//!
//! ```text
//!   outcome.rs    who wins: sight of a move, then the recursion
//!   distance.rs   how soon, and a line of best play
//! ```

mod distance;
mod outcome;

use crate::board::{Cell, CellSet, Position};
use crate::budget::{Budget, Clock, Meter, Stop};
use crate::search::MAX_PLIES;
use outcome::Solver;

/// Native nodes between two looks at the clock: some ten microseconds.
const NODES_BETWEEN_LOOKS: u64 = 1024;

/// The result with best play of both, for the player to move or for the one who makes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A certain win.
    Win,
    /// A certain loss.
    Loss,
    /// The budget was spent before.
    Unknown,
}

impl Outcome {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Unknown => "unknown",
        }
    }

    const fn of(wins: bool) -> Self {
        if wins { Self::Win } else { Self::Loss }
    }
}

/// What to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// Who wins: the moves after a winning one are not looked at.
    Outcome,
    /// The outcome of every move.
    Moves,
    /// Also a line to the end of the game, in which the winner keeps its win.
    Line,
    /// Also how long the game lasts after each move; in the line the winner wins as soon as it can, and
    /// the loser resists as long as it can.
    Distances,
}

/// A move and what comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GradedMove {
    /// Where to.
    pub cell: Cell,
    /// The result for the player who makes it.
    pub outcome: Outcome,
    /// With best play, how many moves of both players the game still has, this one included.
    pub distance: Option<u32>,
}

/// What a solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The result for the player to move.
    pub outcome: Outcome,
    /// Every move in increasing index.
    pub moves: Vec<GradedMove>,
    /// Where it was wanted: a line of play to the end of the game, or as far as the budget reached.
    pub line: Vec<Cell>,
    /// What it took.
    pub nodes: u64,
}

impl Solution {
    /// With best play, how many moves the game still has.
    #[must_use]
    pub fn distance(&self) -> Option<u32> {
        if self.moves.is_empty() {
            return Some(0);
        }
        let of_best = self.moves.iter().filter(|graded| graded.outcome == self.outcome);
        let distances: Option<Vec<u32>> = of_best.map(|graded| graded.distance).collect();
        match self.outcome {
            Outcome::Win => distances?.into_iter().min(),
            Outcome::Loss => distances?.into_iter().max(),
            Outcome::Unknown => None,
        }
    }
}

/// Solves a position for the player to move, within the nodes and the time of a budget if there is one.
///
/// A depth means nothing here. A position with more than [`MAX_PLIES`] blank cells is
/// not tried: all of it is unknown.
///
/// # Errors
/// [`Stop::Interrupted`] where the clock says so.
///
/// ```
/// use isolation_core::{Outcome, Position, Size, StopWatch, Wanted, solve};
///
/// let empty = Position::<u64>::empty(Size::new(5, 5)?);
/// let solution = solve(&empty, Wanted::Moves, None, &mut StopWatch::start()).unwrap();
/// assert_eq!(solution.outcome, Outcome::Loss);
/// # Ok::<(), isolation_core::SizeError>(())
/// ```
pub fn solve<S: CellSet, C: Clock>(
    position: &Position<S>,
    wanted: Wanted,
    budget: Option<Budget>,
    clock: &mut C,
) -> Result<Solution, Stop> {
    let meter = match budget {
        Some(budget) => Meter::new(&budget, NODES_BETWEEN_LOOKS, clock),
        None => Meter::unlimited(NODES_BETWEEN_LOOKS, clock),
    };
    let mut solver = Solver::new(position, meter);
    let moves = position.moves(position.to_move());
    let mut solution = Solution {
        outcome: Outcome::Unknown,
        moves: moves
            .map(|cell| GradedMove { cell, outcome: Outcome::Unknown, distance: None })
            .collect(),
        line: Vec::new(),
        nodes: 0,
    };
    if solution.moves.is_empty() || position.blank().count() <= MAX_PLIES {
        match solver.fill(&mut solution, wanted) {
            Ok(()) | Err(Stop::Nodes | Stop::Time) => {}
            Err(stop) => return Err(stop),
        }
    }
    solution.nodes = solver.nodes();
    Ok(solution)
}

impl<S: CellSet, C: Clock> Solver<'_, S, C> {
    /// Finds out what is wanted, the most important first: what is written into the solution stays
    /// there when the budget is spent.
    fn fill(&mut self, solution: &mut Solution, wanted: Wanted) -> Result<(), Stop> {
        // 1. Who wins: a win is certain with the first winning move, a loss with the last losing one.
        for to in self.promising() {
            let wins = self.move_wins(to)?;
            let graded = solution.moves.iter_mut().find(|graded| graded.cell == to);
            graded.expect("it is one of them").outcome = Outcome::of(wins);
            if wins {
                solution.outcome = Outcome::Win;
                if wanted == Wanted::Outcome {
                    return Ok(());
                }
            }
        }
        if solution.outcome == Outcome::Unknown {
            solution.outcome = Outcome::Loss;
        }
        // 2. How soon.
        if wanted == Wanted::Distances {
            for graded in &mut solution.moves {
                graded.distance = Some(self.distance_by(graded.cell, graded.outcome)?);
            }
        }
        // 3. A line.
        if wanted >= Wanted::Line {
            let distance = solution.distance();
            self.play_out(solution.outcome == Outcome::Win, distance, &mut solution.line)?;
        }
        Ok(())
    }
}
