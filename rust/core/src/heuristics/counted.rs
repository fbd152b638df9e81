//! A heuristic that is a program, with its work counted by prices.

use std::sync::Arc;

use super::{Halt, Heuristic};
use crate::board::{CellSet, Player, Position};
use crate::budget::{Clock, Meter, Stop};
use crate::program::{FUEL, Machine, Profile, Program, Root, Runner};

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
    /// What one value may cost.
    most: u32,
}

/// A program has no value for a position: `CPython` is to be asked, or the value takes too much work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoValue {
    /// In the text notation.
    pub position: String,
    /// Whose value it is.
    pub player: Player,
    /// Whether it would cost more than one value may.
    pub costs_too_much: bool,
}

impl<S: CellSet> CountedHeuristic<S> {
    /// For a search on a board whose moves these bits order.
    #[must_use]
    pub fn new(program: &Arc<Program>, order_bits: u64) -> Self {
        Self::of(Machine::new(Arc::clone(program)), order_bits)
    }

    /// The same that notes what each instruction costs.
    #[must_use]
    pub fn profiling(program: &Arc<Program>, order_bits: u64) -> Self {
        Self::of(Machine::profiling(Arc::clone(program)), order_bits)
    }

    fn of(machine: Machine<S>, order_bits: u64) -> Self {
        Self { machine, runner: None, order_bits, most: FUEL }
    }

    /// What each instruction has cost so far, where that is noted.
    #[must_use]
    pub fn profile(&self) -> Option<&Profile> {
        self.machine.profile()
    }

    /// The same, of which one value may cost so many nanoseconds, if any number is given.
    #[must_use]
    pub fn with_most(mut self, price: Option<u64>) -> Self {
        self.most = price.and_then(|price| u32::try_from(price).ok()).unwrap_or(FUEL).min(FUEL);
        self
    }

    /// The same, with what runs the program on that board in place of the machine, if there is any.
    #[must_use]
    pub fn run_by(mut self, runner: Option<Box<dyn Runner>>) -> Self {
        self.runner = runner;
        self
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
        let left = left.filter(|&left| left < self.most);
        let (value, spent, is_cut_off) = self.run(position, player, left.unwrap_or(self.most));
        meter.pay(spent.into())?;
        match value {
            Some(value) => Ok(value),
            None if is_cut_off && left.is_some() => Err(Halt::Stop(Stop::Nodes)),
            None => Err(Halt::Heuristic(NoValue {
                position: position.to_string(),
                player,
                costs_too_much: is_cut_off && self.most < FUEL,
            })),
        }
    }
}
