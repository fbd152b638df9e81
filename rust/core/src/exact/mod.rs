//! Exact play: who wins a position, which of its moves win, and how long the game lasts with best play.
//!
//! No heuristic takes part. A solver goes through the game to its end until the result is certain, or
//! until its budget is spent: then the result is [`Outcome::Unknown`]. A node is one entry of the
//! recursion, at a position where both players can move and the winner is not plain to see.
//!
//! ```text
//!   openings.rs   who wins the openings of 7 by 7, from a table
//!   outcome.rs    who wins: sight of a move, placements, the first move of a prey
//!   hunt.rs       who wins from there on: the recursion that takes the time
//!   ahead.rs      the root's moves on several threads
//!   distance.rs   how soon, and a line of best play
//!   judge.rs      who wins each position of a game
//!   strategy.rs   a winning reply to every move there could ever be
//! ```

mod ahead;
mod distance;
mod hunt;
mod judge;
mod openings;
mod outcome;
mod strategy;

use std::num::NonZeroUsize;

use crate::board::{Cell, CellSet, Position};
use crate::budget::{Budget, Clock, Meter, Stop};
use crate::search::MAX_PLIES;
pub use judge::{Judged, judge};
use outcome::{Sight, Solver};
pub use strategy::strategy;

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
    /// Whether all of it is from the table: nothing was searched.
    pub looked_up: bool,
}

impl Solution {
    /// With best play, how many moves the game still has.
    #[must_use]
    pub fn distance(&self) -> Option<u32> {
        if self.moves.is_empty() {
            return Some(0);
        }
        let mut of_best = self.moves.iter().filter(|graded| graded.outcome == self.outcome);
        match self.outcome {
            // The soonest win is found first.
            Outcome::Win => of_best.filter_map(|graded| graded.distance).min(),
            Outcome::Loss => {
                of_best.try_fold(0, |most, graded| graded.distance.map(|left| most.max(left)))
            }
            Outcome::Unknown => None,
        }
    }
}

/// Solves a position for the player to move, within the nodes and the time of a budget if there is one.
///
/// On several threads the root's moves are looked at side by side, each with the whole budget. Solution and
/// nodes are those of one thread, unless the time ends it. A depth means nothing here. A position with more
/// than [`MAX_PLIES`] blank cells is not tried: all of it is unknown. With `table`, who wins the openings of
/// 7 by 7 is looked up, at no node; proofs, and tests of the table, do without.
///
/// # Errors
/// [`Stop::Interrupted`] where the clock says so.
///
/// ```
/// use std::num::NonZeroUsize;
/// use isolation_core::{Outcome, Position, Size, StopWatch, Wanted, solve};
///
/// let empty = Position::<u64>::empty(Size::new(5, 5)?);
/// let (threads, clock) = (NonZeroUsize::MIN, &mut StopWatch::start());
/// let solution = solve(&empty, Wanted::Moves, true, None, threads, clock).unwrap();
/// assert_eq!(solution.outcome, Outcome::Loss);
/// # Ok::<(), isolation_core::SizeError>(())
/// ```
pub fn solve<S: CellSet, C: Clock>(
    position: &Position<S>,
    wanted: Wanted,
    table: bool,
    budget: Option<Budget>,
    threads: NonZeroUsize,
    clock: &mut C,
) -> Result<Solution, Stop> {
    let known = if table { openings::wins } else { |_: &Position<S>| None };
    let mut solver = Solver::new(position, meter(budget, clock), known);
    let moves = position.moves(position.to_move());
    let mut solution = Solution {
        outcome: Outcome::Unknown,
        moves: moves
            .map(|cell| GradedMove { cell, outcome: Outcome::Unknown, distance: None })
            .collect(),
        line: Vec::new(),
        nodes: 0,
        looked_up: false,
    };
    if solution.moves.is_empty() || position.blank().count() <= MAX_PLIES {
        match solver.fill(&mut solution, wanted, threads) {
            Ok(()) | Err(Stop::Nodes | Stop::Time) => {}
            Err(stop) => return Err(stop),
        }
    }
    solution.nodes = solver.nodes();
    solution.looked_up = solution.nodes == 0 && known(position).is_some();
    Ok(solution)
}

fn meter<C: Clock>(budget: Option<Budget>, clock: &mut C) -> Meter<'_, C> {
    match budget {
        Some(budget) => Meter::new(&budget, NODES_BETWEEN_LOOKS, clock),
        None => Meter::unlimited(NODES_BETWEEN_LOOKS, clock),
    }
}

impl<S: CellSet, C: Clock> Solver<'_, S, C> {
    /// Finds out what is wanted, the most important first: what is written into the solution stays
    /// there when the budget is spent.
    fn fill(
        &mut self,
        solution: &mut Solution,
        wanted: Wanted,
        threads: NonZeroUsize,
    ) -> Result<(), Stop> {
        // 1. Who wins.
        self.grade(solution, wanted, threads)?;
        // 2. How soon, and a line: the moves that win at sight, then the winning moves are asked for ever more
        // moves, all of them, until the soonest win is known. Then the line, then the other moves.
        let wins = solution.outcome == Outcome::Win;
        let mut left = 2;
        if wanted == Wanted::Distances {
            for graded in &mut solution.moves {
                if matches!(self.sight(graded.cell), Sight::Wins) {
                    graded.distance = Some(1);
                }
            }
            while wins && solution.distance().is_none() {
                self.find_distances(solution, Outcome::Win, left, threads)?;
                left += 2;
            }
            if !wins {
                self.find_distances(solution, Outcome::Loss, u32::MAX, threads)?;
            }
        }
        if wanted >= Wanted::Line {
            let root = self.position.clone();
            self.play_out(wins, solution.distance(), &mut solution.line)?;
            self.position = root;
        }
        if wanted == Wanted::Distances && wins {
            while solution
                .moves
                .iter()
                .any(|each| each.outcome == Outcome::Win && each.distance.is_none())
            {
                self.find_distances(solution, Outcome::Win, left, threads)?;
                left += 2;
            }
            self.find_distances(solution, Outcome::Loss, u32::MAX, threads)?;
        }
        Ok(())
    }

    /// Finds out how long the game lasts after the moves of one outcome that have no distance yet, up to one
    /// and so many moves more where they win.
    fn find_distances(
        &mut self,
        solution: &mut Solution,
        outcome: Outcome,
        left: u32,
        threads: NonZeroUsize,
    ) -> Result<(), Stop> {
        let is_open = |each: &&mut GradedMove| each.outcome == outcome && each.distance.is_none();
        let moves: Vec<&mut GradedMove> = solution.moves.iter_mut().filter(is_open).collect();
        let cells: Vec<Cell> = moves.iter().map(|each| each.cell).collect();
        let ahead = self.ahead(
            threads,
            &cells,
            |solver, to| solver.distance_by(to, outcome, left),
            |_| false,
        )?;
        for (number, graded) in moves.into_iter().enumerate() {
            let to = graded.cell;
            graded.distance =
                self.answer(&ahead, number, |solver| solver.distance_by(to, outcome, left))?;
        }
        Ok(())
    }

    /// Finds out who wins, and by which moves: where only the outcome is wanted, by one of them at the most.
    fn grade(
        &mut self,
        solution: &mut Solution,
        wanted: Wanted,
        threads: NonZeroUsize,
    ) -> Result<(), Stop> {
        // What is known of the position says it of each move only if all of them lose.
        match (self.known)(&self.position) {
            Some(true) if wanted == Wanted::Outcome => {
                solution.outcome = Outcome::Win;
                return Ok(());
            }
            Some(false) => {
                solution.outcome = Outcome::Loss;
                solution.moves.iter_mut().for_each(|graded| graded.outcome = Outcome::Loss);
                return Ok(());
            }
            _ => {}
        }
        // A win is certain with the first winning move, a loss with the last losing one.
        let moves = self.promising();
        let is_enough = |&wins: &bool| wins && wanted == Wanted::Outcome;
        #[allow(
            clippy::redundant_closure_for_method_calls,
            reason = "it is called for any lifetime"
        )]
        let ahead = self.ahead(threads, &moves, |solver, to| solver.move_wins(to), is_enough)?;
        for (number, &to) in moves.iter().enumerate() {
            let wins = self.answer(&ahead, number, |solver| solver.move_wins(to))?;
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
        Ok(())
    }
}
