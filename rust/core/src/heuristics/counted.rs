//! A heuristic that is a program, with its work counted by prices.

use std::sync::Arc;

use super::{Halt, Heuristic};
use crate::board::{CellSet, Player, Position};
use crate::budget::{Clock, Meter, Stop};
use crate::program::{FUEL, Machine, Program, Root, Runner};

/// A run may take some hundredths of a second.
const NODES_BETWEEN_LOOKS: u64 = 16;

/// A program during one search.
///
/// Each run pays its price to the search's meter, and may cost no more than is left there: where it would, the
/// search ends as by a spent budget.
pub struct CountedHeuristic<S: CellSet> {
    machine: Machine<S>,
    /// What runs the program in place of the machine.
    runner: Option<Box<dyn Runner>>,
    order_bits: u64,
}

/// A program has no value for a position: `CPython` is to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoValue {
    /// In the text notation.
    pub position: String,
    /// Whose value it is.
    pub player: Player,
}

impl<S: CellSet> CountedHeuristic<S> {
    /// For a search on a board whose moves these bits order.
    #[must_use]
    pub fn new(program: &Arc<Program>, order_bits: u64) -> Self {
        Self::run_by(program, None, order_bits)
    }

    /// The same, with what runs the program on that board in place of the machine.
    #[must_use]
    pub fn run_by(
        program: &Arc<Program>,
        runner: Option<Box<dyn Runner>>,
        order_bits: u64,
    ) -> Self {
        Self { machine: Machine::new(Arc::clone(program)), runner, order_bits }
    }

    /// The value of a position, what it cost, and whether it was cut off at what it may cost at the most.
    #[inline]
    fn run(
        &mut self,
        position: &Position<S>,
        player: Player,
        most: u32,
    ) -> (Option<f64>, u32, bool) {
        // Each move of a game blocks one cell.
        let moves = (position.size().cells() - position.blank().count()).into();
        if let Some(runner) = &mut self.runner
            && let Some(root) = Root::of(position)
        {
            runner.limit(most);
            let value = runner.run(&root, player, moves, self.order_bits);
            return (value, runner.spent(), runner.is_cut_off());
        }
        self.machine.limit(most);
        let value = self.machine.run(position, player, moves, self.order_bits);
        (value, self.machine.spent(), self.machine.is_cut_off())
    }
}

impl<S: CellSet> Heuristic<S> for CountedHeuristic<S> {
    type Error = NoValue;

    fn nodes_between_looks(&self, _: u32) -> u64 {
        NODES_BETWEEN_LOOKS
    }

    fn evaluate<C: Clock>(
        &mut self,
        position: &Position<S>,
        player: Player,
        meter: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<NoValue>> {
        let left = meter.work_left().and_then(|left| u32::try_from(left).ok());
        let most = left.map_or(FUEL, |left| left.min(FUEL));
        let (value, spent, is_cut_off) = self.run(position, player, most);
        meter.pay(spent.into())?;
        match value {
            Some(value) => Ok(value),
            None if is_cut_off && most < FUEL => Err(Halt::Stop(Stop::Nodes)),
            None => Err(Halt::Heuristic(NoValue { position: position.to_string(), player })),
        }
    }
}
