//! Those who choose moves.

use std::sync::Arc;

use super::allowance::Allowance;
use super::random::Random;
use crate::board::{Cell, CellSet, Position};
use crate::budget::{Budget, Clock, Meter, Stop};
use crate::heuristics::NativeHeuristic;
use crate::search::{Failure, MAX_PLIES, Method, Mode, Options, Reason, Report, search};

/// A player that needs nobody's help.
#[derive(Clone)]
pub enum Agent {
    /// Any legal move, each as likely.
    Random,
    /// The move after which the heuristic is largest; of equal ones the largest (row, column).
    Greedy(Arc<NativeHeuristic>),
    /// Minimax to a fixed depth.
    Minimax {
        /// What it maximises.
        heuristic: Arc<NativeHeuristic>,
        /// How many plies it looks ahead.
        depth: u32,
    },
    /// Alpha-beta, deepening unless the budget is a depth alone.
    AlphaBeta {
        /// What it maximises.
        heuristic: Arc<NativeHeuristic>,
        /// What it may spend on a move.
        allowance: Allowance,
        /// In which order it tries replies.
        mode: Mode,
    },
}

/// A chosen move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Where to; none where there is no legal move.
    pub cell: Option<Cell>,
    /// What it is worth to the chooser; none where nothing was finished, or chance chose.
    pub value: Option<f64>,
    /// The moves looked ahead for that value.
    pub depth: u32,
    /// What was searched for it.
    pub nodes: u64,
    /// Why the search ended; none where nothing was searched.
    pub reason: Option<Reason>,
}

impl Agent {
    /// Chooses a move for the player to move.
    ///
    /// # Errors
    /// [`Stop::Interrupted`] where the clock says so. Depths beyond [`MAX_PLIES`] are cut
    /// to it.
    pub fn choose<S: CellSet, C: Clock>(
        &self,
        position: &Position<S>,
        order_bits: u64,
        random: &mut Random,
        clock: &mut C,
    ) -> Result<Choice, Stop> {
        match self {
            Self::Random => Ok(random_move(position, random)),
            Self::Greedy(heuristic) => greedy_move(position, heuristic, clock),
            Self::Minimax { heuristic, depth } => {
                let budget = Budget::depth(*depth).at_most_depth(MAX_PLIES);
                let options =
                    Options { method: Method::Minimax, order_bits, ..Options::new(budget) };
                searched_move(position, heuristic, clock, &options)
            }
            Self::AlphaBeta { heuristic, allowance, mode } => {
                let budget = allowance.on(position).at_most_depth(MAX_PLIES);
                let options = Options { mode: *mode, order_bits, ..Options::new(budget) };
                searched_move(position, heuristic, clock, &options)
            }
        }
    }
}

fn random_move<S: CellSet>(position: &Position<S>, random: &mut Random) -> Choice {
    let player = position.to_move();
    let cell = match position.mobility(player) {
        0 => None,
        count => position.moves(player).nth(random.below(count) as usize),
    };
    Choice { cell, value: None, depth: 0, nodes: 0, reason: None }
}

fn greedy_move<S: CellSet, C: Clock>(
    position: &Position<S>,
    heuristic: &NativeHeuristic,
    clock: &mut C,
) -> Result<Choice, Stop> {
    let player = position.to_move();
    let mut after = position.clone();
    let mut meter = Meter::unlimited(heuristic.nodes_between_looks(position.size().cells()), clock);
    let mut best = None;
    for cell in position.moves(player) {
        meter.spend()?;
        let undo = after.make(cell);
        let value = heuristic.metered_value(&after, player, &mut meter)?;
        after.unmake(undo);
        let score = (value, position.size().coordinates(cell));
        if best.is_none_or(|(largest, _)| score > largest) {
            best = Some((score, cell));
        }
    }
    Ok(Choice {
        cell: best.map(|(_, cell)| cell),
        value: best.map(|((value, _), _)| value),
        depth: u32::from(best.is_some()),
        reason: Some(Reason::Depth),
        nodes: meter.nodes(),
    })
}

fn searched_move<S: CellSet, C: Clock>(
    position: &Position<S>,
    heuristic: &NativeHeuristic,
    clock: &mut C,
    options: &Options,
) -> Result<Choice, Stop> {
    match search(position, &mut &*heuristic, clock, options) {
        Ok(Report { best, value, depth, nodes, reason, .. }) => {
            Ok(Choice { cell: best, value, depth, nodes, reason: Some(reason) })
        }
        Err(Failure::Interrupted) => Err(Stop::Interrupted),
        Err(Failure::TooDeep(depth)) => unreachable!("depth {depth} was cut to what is allowed"),
        Err(Failure::Heuristic(never)) => match never {},
    }
}
