//! A budget for each move of a game, which may depend on how full the board is.

use crate::board::{CellSet, Position};
use crate::budget::Budget;
use crate::program::prices;

/// What a player may spend on a move: a budget, and where a node costs more at one stage of the game
/// than at another, how many of them each band of blank cells allows.
///
/// ```
/// use isolation_core::{Allowance, AnyPosition, Budget, with_position};
///
/// // 500 nodes while less than half of the board is blank, then 2,000.
/// let allowance = Allowance::banded(Budget::nodes(2000), vec![(0.5, 500), (1.0, 2000)]);
/// let late: AnyPosition = "3x3 xx1/xxx/2x 0,1 1,0 1".parse()?;
/// let budget = with_position!(&late, |position| allowance.on(position));
/// assert_eq!(budget, Budget::nodes(500));
/// # Ok::<(), isolation_core::NotationError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Allowance {
    budget: Budget,
    /// By rising share of blank cells: the share below which a band lies, and its nodes.
    bands: Vec<(f64, u64)>,
    /// As many nodes with `improved`, by the price list.
    work: Option<u64>,
    /// What one value may take, in the same nodes.
    value_work: Option<u64>,
}

impl Allowance {
    /// A budget, of whose nodes each band allows only so many. A position whose share of blank cells is
    /// below none of the shares is of the last band.
    #[must_use]
    pub fn banded(budget: Budget, bands: Vec<(f64, u64)>) -> Self {
        Self { budget, bands, work: None, value_work: None }
    }

    /// A budget with work besides: as much as so many nodes with `improved` cost where the position is.
    ///
    /// It is spent by prices, which programs pay: other heuristics do not.
    #[must_use]
    pub fn with_work(budget: Budget, nodes: u64) -> Self {
        Self { work: Some(nodes), ..budget.into() }
    }

    /// The same, of which one value of a program may take as much as so many nodes with `improved`.
    #[must_use]
    pub fn with_value_work(self, nodes: Option<u64>) -> Self {
        Self { value_work: nodes, ..self }
    }

    /// What one value may cost in a search of this position, in nanoseconds of the price list.
    #[must_use]
    pub fn of_a_value<S: CellSet>(&self, position: &Position<S>) -> Option<u64> {
        self.value_work.map(|nodes| nodes.saturating_mul(with_improved(share_of(position)).into()))
    }

    /// The budget for a move in this position.
    #[must_use]
    pub fn on<S: CellSet>(&self, position: &Position<S>) -> Budget {
        let share = share_of(position);
        let mut budget = self.budget;
        if let Some(nodes) = self.work {
            let all = nodes.saturating_mul(with_improved(share).into());
            budget = budget.with_work(all, prices::NODE);
        }
        of_band(share, &self.bands).map_or(budget, |nodes| budget.at_most_nodes(nodes))
    }
}

/// Which part of a board is blank.
fn share_of<S: CellSet>(position: &Position<S>) -> f64 {
    f64::from(position.blank().count()) / f64::from(position.size().cells())
}

/// The price of a node with `improved`.
fn with_improved(share: f64) -> u32 {
    of_band(share, &prices::NODES_WITH_IMPROVED).unwrap_or(prices::NODE)
}

/// What is said of the band that a share of blank cells is in; of the last one, where it is in none.
fn of_band<T: Copy>(share: f64, bands: &[(f64, T)]) -> Option<T> {
    let band = bands.iter().find(|(below, _)| share < *below);
    Some(band.or(bands.last())?.1)
}

impl From<Budget> for Allowance {
    /// The same budget for every move.
    fn from(budget: Budget) -> Self {
        Self::banded(budget, Vec::new())
    }
}
