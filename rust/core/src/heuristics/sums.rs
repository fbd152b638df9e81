//! Weighted sums of heuristics.
//!
//! An infinite value of a part is a verdict on the game, won or lost, and no amount: no weight makes it
//! more, less or its opposite. Where parts are infinite, the sum is what the first of them says. So where
//! all parts end a game in the same way the sum is that of their plain formulas, and it ends a game once
//! and in that way: `bfs` and `close_to_opponent` make `bfs_close_to_opponent`. Else each part keeps its
//! own ending. What is too large for a float is the largest float. No sum is NaN.

use std::sync::Arc;

use super::formula::{Code, Formula, TreeFormula, TreeMeter};
use super::native::{NativeHeuristic, Origin};
use crate::board::{CellSet, Player, Position};
use crate::budget::Stop;

/// The most heuristics that a sum may be made of, sums within it counted as well as their parts.
pub const MOST_PARTS: u64 = 1000;

/// How many sums may be within each other: bounds the machine's stack, and Python's.
pub const MOST_NESTED: u64 = 50;

/// Why there is no such sum.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SumError {
    /// Nothing to sum.
    #[error("a weighted sum needs at least one heuristic")]
    Empty,
    /// A weight that is infinite or NaN.
    #[error("the weight of {heuristic} must be a finite number, not {weight}")]
    Weight {
        /// The part's name.
        heuristic: String,
        /// Its weight.
        weight: f64,
    },
    /// More than [`MOST_PARTS`].
    #[error("a weighted sum of {0} heuristics is too large: at most {MOST_PARTS} are allowed")]
    TooLarge(u64),
    /// More than [`MOST_NESTED`].
    #[error("{0} weighted sums within each other are too many: at most {MOST_NESTED} are allowed")]
    TooDeep(u64),
}

/// The sum of heuristics, each times its weight, in the order given.
///
/// ```
/// use isolation_core::heuristics::{find, weighted_sum};
///
/// let parts = [("bfs", 1.0), ("close_to_opponent", 0.3)];
/// let sum = weighted_sum(parts.map(|(name, weight)| (find(name).unwrap(), weight)).into()).unwrap();
/// assert_eq!(sum.name, "weighted_sum(bfs=1.0, close_to_opponent=0.3)");
/// ```
///
/// # Errors
/// Where there is nothing to sum, too much, or a weight that is no finite number.
pub fn weighted_sum(
    parts: Vec<(Arc<NativeHeuristic>, f64)>,
) -> Result<Arc<NativeHeuristic>, SumError> {
    if parts.is_empty() {
        return Err(SumError::Empty);
    }
    if let Some((part, weight)) = parts.iter().find(|(_, weight)| !weight.is_finite()) {
        return Err(SumError::Weight { heuristic: part.name.clone(), weight: *weight });
    }
    let size = 1 + parts.iter().map(|(part, _)| part.size()).sum::<u64>();
    if size > MOST_PARTS {
        return Err(SumError::TooLarge(size));
    }
    let nested = 1 + parts.iter().map(|(part, _)| part.nested()).max().unwrap_or(0);
    if nested > MOST_NESTED {
        return Err(SumError::TooDeep(nested));
    }
    let written = |format: fn(&NativeHeuristic, f64) -> String, between: &str| {
        let all: Vec<String> = parts.iter().map(|(part, weight)| format(part, *weight)).collect();
        all.join(between)
    };
    let arguments = written(|part, weight| format!("{}={weight:?}", part.name), ", ");
    let formula = written(|part, weight| format!("{weight:?} · {}", part.name), " + ");
    let names = written(|part, _| part.name.clone(), ", ");
    Ok(Arc::new(NativeHeuristic {
        name: format!("weighted_sum({arguments})"),
        summary: format!("the weighted sum of {names}"),
        formula,
        code: if parts.iter().any(|(part, _)| part.walks()) {
            Code::Walking(Box::new(Sum(parts.as_slice().into())))
        } else {
            Code::Looking(Box::new(Sum(parts.as_slice().into())))
        },
        origin: Origin::Sum(parts),
    }))
}

impl NativeHeuristic {
    /// How many heuristics it is made of.
    pub(super) fn size(&self) -> u64 {
        1 + self.parts().iter().map(|(part, _)| part.size()).sum::<u64>()
    }

    /// How many sums it is, one within the other; 0 where it is none.
    fn nested(&self) -> u64 {
        self.parts().iter().map(|(part, _)| 1 + part.nested()).max().unwrap_or(0)
    }
}

struct Sum(Box<[(Arc<NativeHeuristic>, f64)]>);

impl Formula for Sum {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        let mut total = Total::default();
        for (part, weight) in &self.0 {
            total.add(*weight, part.value(position, player));
        }
        total.value()
    }
}

impl TreeFormula for Sum {
    fn value<S: CellSet>(
        &self,
        position: &Position<S>,
        player: Player,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<f64, Stop> {
        let mut total = Total::default();
        for (part, weight) in &self.0 {
            total.add(
                *weight,
                match &part.code {
                    Code::Looking(formula) => formula.value(position, player),
                    Code::Walking(walk) => walk.value(position, player, meter)?,
                },
            );
        }
        Ok(total.value())
    }
}

#[derive(Default)]
struct Total {
    sum: f64,
    verdict: Option<f64>,
}

impl Total {
    #[inline]
    fn add(&mut self, weight: f64, value: f64) {
        let bounded = |number: f64| number.clamp(f64::MIN, f64::MAX);
        if value.is_infinite() {
            self.verdict.get_or_insert(value);
        } else {
            self.sum = bounded(self.sum + bounded(weight * value));
        }
    }

    #[inline]
    fn value(self) -> f64 {
        self.verdict.unwrap_or(self.sum)
    }
}
