//! A budget for each move of a game, which may depend on how full the board is.

use crate::board::{CellSet, Position};
use crate::budget::Budget;

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
}

impl Allowance {
    /// A budget, of whose nodes each band allows only so many. A position whose share of blank cells is
    /// below none of the shares is of the last band.
    #[must_use]
    pub fn banded(budget: Budget, bands: Vec<(f64, u64)>) -> Self {
        Self { budget, bands }
    }

    /// The budget for a move in this position.
    #[must_use]
    pub fn on<S: CellSet>(&self, position: &Position<S>) -> Budget {
        let Some(last) = self.bands.last() else {
            return self.budget;
        };
        let share = f64::from(position.blank().count()) / f64::from(position.size().cells());
        let band = self.bands.iter().find(|(below, _)| share < *below);
        self.budget.at_most_nodes(band.unwrap_or(last).1)
    }
}

impl From<Budget> for Allowance {
    /// The same budget for every move.
    fn from(budget: Budget) -> Self {
        Self { budget, bands: Vec::new() }
    }
}
