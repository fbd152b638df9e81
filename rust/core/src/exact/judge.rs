//! A game that was played: who wins each of its positions with best play.
//!
//! From the end backwards: a position before a lost one is won, without a search.
//!
//! ```text
//!   start . . . w  w  l  w  l        w: the player to move wins, l: loses
//!               |  `- kept: the opponent is lost after it
//!               `- threw away: the opponent wins after it
//! ```

use super::outcome::Solver;
use super::{Outcome, meter, openings};
use crate::board::{Cell, CellSet, Position};
use crate::budget::{Budget, Clock, Stop};
use crate::search::MAX_PLIES;

/// What [`judge`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// For the player to move: at the start, and after each move.
    pub outcomes: Vec<Outcome>,
    /// What it took.
    pub nodes: u64,
}

/// Finds out who wins each position of a game, with at most so many nodes for each position.
///
/// What comes before a position that is not decided is unknown too: still more cells are blank there.
///
/// # Errors
/// [`Stop::Interrupted`] where the clock says so.
///
/// # Panics
/// Where a move is not legal.
pub fn judge<S: CellSet, C: Clock>(
    start: &Position<S>,
    moves: &[Cell],
    nodes: Option<u64>,
    clock: &mut C,
) -> Result<Judged, Stop> {
    let mut positions = vec![start.clone()];
    for &to in moves {
        let mut position = positions[positions.len() - 1].clone();
        let is_legal = position.blank().contains(to) && position.reaches(position.to_move(), to);
        assert!(is_legal, "a move of a game is legal");
        let _ = position.make(to);
        positions.push(position);
    }
    let known = |position| openings::wins(position).map(Outcome::of);
    let known: Vec<Option<Outcome>> = positions.iter().map(known).collect();
    let mut judged = Judged { outcomes: vec![Outcome::Unknown; positions.len()], nodes: 0 };
    for (at, position) in positions.iter().enumerate().rev() {
        judged.outcomes[at] = match (judged.outcomes.get(at + 1), known[at]) {
            (Some(Outcome::Loss), _) => Outcome::Win,
            (Some(Outcome::Unknown), _) => break,
            (_, Some(known)) => known,
            _ if at > 0 && known[at - 1] == Some(Outcome::Loss) => Outcome::Win,
            // The move that was made loses.
            (after, _) => {
                let lost = after.map(|_| moves[at]);
                outcome(position, lost, nodes.map(Budget::nodes), clock, &mut judged.nodes)?
            }
        };
    }
    Ok(judged)
}

/// Who wins a position, where one move may be known to lose.
fn outcome<S: CellSet, C: Clock>(
    position: &Position<S>,
    lost: Option<Cell>,
    budget: Option<Budget>,
    clock: &mut C,
    nodes: &mut u64,
) -> Result<Outcome, Stop> {
    let mut solver = Solver::new(position, meter(budget, clock), openings::wins);
    let moves = solver.promising();
    if !moves.is_empty() && position.blank().count() > MAX_PLIES {
        return Ok(Outcome::Unknown);
    }
    let mut found = Outcome::Loss;
    for to in moves.into_iter().filter(|&to| Some(to) != lost) {
        match solver.move_wins(to) {
            Ok(false) => continue,
            Ok(true) => found = Outcome::Win,
            Err(Stop::Interrupted) => return Err(Stop::Interrupted),
            Err(_) => found = Outcome::Unknown,
        }
        break;
    }
    *nodes += solver.nodes();
    Ok(found)
}
