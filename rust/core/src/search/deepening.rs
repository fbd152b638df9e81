//! The root of a search: its order, the choice of the move, and deepening.

use smallvec::SmallVec;

use super::recursion::{FastAlphaBeta, Minimax, PlainAlphaBeta, Strategy, Tree, promise};
use super::{Failure, MAX_PLIES, Method, Mode, Options, Reason, Report};
use crate::board::{Cell, CellSet, Position, shuffle};
use crate::budget::{Budget, Clock, Stop};
use crate::heuristics::{Halt, Heuristic};

/// A move at the root and its place in the root's order, in which ties are decided.
type Ranked = (usize, Cell);

/// The finished search of one depth.
struct Finished {
    best: Ranked,
    value: f64,
    /// In the root's order; only complete where every root move was searched with a full window.
    values: Vec<(Cell, f64)>,
}

pub(super) fn run<S: CellSet, H: Heuristic<S>, C: Clock>(
    tree: Tree<'_, S, H, C>,
    options: &Options,
) -> Result<Report, Failure<H::Error>> {
    match (options.method, options.mode) {
        (Method::Minimax, _) => report::<Minimax, S, H, C>(tree, options),
        (Method::AlphaBeta, Mode::Plain) => report::<PlainAlphaBeta, S, H, C>(tree, options),
        (Method::AlphaBeta, Mode::Fast) => report::<FastAlphaBeta, S, H, C>(tree, options),
    }
}

fn report<T: Strategy, S: CellSet, H: Heuristic<S>, C: Clock>(
    mut tree: Tree<'_, S, H, C>,
    options: &Options,
) -> Result<Report, Failure<H::Error>> {
    let mut order = root_order(&tree.position, options.order_bits);
    let mut report = Report {
        best: order.first().map(|&(_, cell)| cell),
        value: None,
        depth: 0,
        nodes: 0,
        paid: 0,
        reason: Reason::Exhausted,
        root_values: options.root_values.then(Vec::new),
    };
    if order.is_empty() {
        report.value = match tree.evaluate() {
            Ok(value) => Some(value),
            Err(halt) => {
                report.reason = ending(halt)?;
                None
            }
        };
        (report.nodes, report.paid) = (tree.meter.nodes(), tree.meter.paid());
        return Ok(report);
    }
    if T::SORTS {
        order.sort_by_cached_key(|&(rank, cell)| (promise(&tree.position, cell), rank));
    }
    for (depth, plies) in depths::<T, S, _>(&tree.position, &options.budget)? {
        tree.cut = false;
        match one_depth::<T, S, H, C>(&mut tree, &order, plies, options.root_values) {
            Ok(finished) => {
                report.best = Some(finished.best.1);
                report.value = Some(finished.value);
                report.depth = depth;
                report.root_values = options.root_values.then_some(finished.values);
                report.reason = Reason::Depth;
                if T::SORTS {
                    // What was best at this depth is likely to be at the next.
                    let at = order.iter().position(|&ranked| ranked == finished.best);
                    order[..=at.expect("the best move is one of them")].rotate_right(1);
                }
            }
            Err(halt) => report.reason = ending(halt)?,
        }
        if report.reason != Reason::Depth {
            break;
        }
        if !tree.cut {
            report.reason = Reason::Exhausted;
            break;
        }
    }
    (report.nodes, report.paid) = (tree.meter.nodes(), tree.meter.paid());
    Ok(report)
}

/// The reason for which a search ends before its depth, where it has a report nevertheless.
fn ending<E>(halt: Halt<E>) -> Result<Reason, Failure<E>> {
    match halt {
        Halt::Stop(Stop::Nodes) => Ok(Reason::Nodes),
        Halt::Stop(Stop::Time) => Ok(Reason::Time),
        Halt::Stop(Stop::Heuristic) => Ok(Reason::Heuristic),
        Halt::Stop(Stop::Interrupted) => Err(Failure::Interrupted),
        Halt::Heuristic(error) => Err(Failure::Heuristic(error)),
    }
}

/// The moves at the root in their order.
fn root_order<S: CellSet>(position: &Position<S>, bits: u64) -> SmallVec<[Ranked; 8]> {
    let player = position.to_move();
    let mut order: SmallVec<[Cell; 8]> = position.moves(player).collect();
    if let Some(origin) = position.location(player) {
        shuffle(&mut order, bits, origin);
    }
    order.into_iter().enumerate().collect()
}

/// The depths to search, each as reported and in plies.
///
/// Fast searches pass over the odd ones between the first and the last. A depth costs about 1.7 times
/// the one before, so that saves a third of the time to reach a depth, and more than makes up for
/// the budgets that end between two even ones.
fn depths<T: Strategy, S: CellSet, E>(
    position: &Position<S>,
    budget: &Budget,
) -> Result<impl Iterator<Item = (u32, u32)> + use<T, S, E>, Failure<E>> {
    // No line is longer than there are cells.
    let longest = position.blank().count();
    let (first, last) = match budget.depth_limit() {
        Some(depth) if budget.is_depth_alone() => (depth, depth),
        Some(depth) => (1, depth.min(longest).min(MAX_PLIES)),
        None => (1, longest.min(MAX_PLIES)),
    };
    if last.min(longest) > MAX_PLIES {
        return Err(Failure::TooDeep(last));
    }
    let passed_over = move |depth| T::SORTS && first < depth && depth < last && depth % 2 == 1;
    Ok((first..=last)
        .filter(move |&depth| !passed_over(depth))
        .map(move |depth| (depth, depth.min(longest))))
}

/// Searches the root moves, in the order given, to one depth.
#[allow(clippy::float_cmp, reason = "a tie is a tie only where values are equal to the bit")]
fn one_depth<T: Strategy, S: CellSet, H: Heuristic<S>, C: Clock>(
    tree: &mut Tree<'_, S, H, C>,
    order: &[Ranked],
    depth: u32,
    full_windows: bool,
) -> Result<Finished, Halt<H::Error>> {
    let mut found: Option<(Ranked, f64)> = None;
    let mut values = Vec::new();
    for &(rank, cell) in order {
        let alpha = match found {
            Some(_) if full_windows => f64::NEG_INFINITY,
            // A move of an earlier rank wins a tie, so its value must show when it is equal.
            Some(((best, _), value)) if rank < best => value.next_down(),
            Some((_, value)) => value,
            None => f64::NEG_INFINITY,
        };
        let value = tree.value_of_move::<T>(cell, depth, alpha, f64::INFINITY)?;
        // A zero has no sign for the caller, though negation gives it one.
        let value = value + 0.0;
        if full_windows {
            values.push((rank, cell, value));
        }
        // A loop that begins with negative infinity and takes what is larger never takes NaN.
        let value = if value.is_nan() { f64::NEG_INFINITY } else { value };
        let better = found.is_none_or(|((best, _), highest)| {
            value > highest || (value == highest && rank < best)
        });
        if better {
            found = Some(((rank, cell), value));
        }
        // Nothing is better than a win, and where the order is plain nothing later is as good.
        if T::PRUNES && !T::SORTS && !full_windows && value == f64::INFINITY {
            break;
        }
    }
    let (best, value) = found.expect("the root has moves");
    values.sort_by_key(|&(rank, ..)| rank);
    let values = values.into_iter().map(|(_, cell, value)| (cell, value)).collect();
    Ok(Finished { best, value, values })
}
