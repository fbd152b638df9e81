//! What each instruction of a program costs in the runs of a machine.

use std::sync::Arc;

use super::coverage::Trapped;
use super::fuel::Fuel;
use super::{Instruction, Program, prices};

/// What each instruction of each function has cost, in nanoseconds as [`prices`] have them.
///
/// A run that is profiled meets a trap at each instruction: others pay nothing for it.
#[derive(Debug)]
pub struct Profile {
    traps: Trapped,
    costs: Costs,
}

#[derive(Debug)]
pub(super) struct Costs {
    paid: Vec<Vec<u64>>,
    /// The instruction that runs, where it may cost more by size, and what was left when it began.
    last: Option<(usize, usize, u32)>,
}

impl Profile {
    pub(super) fn new(program: &Arc<Program>) -> Self {
        let lengths = program.functions().iter().map(|function| function.code.len());
        let traps = lengths.clone().map(|length| vec![Instruction::Bail(); length]).collect();
        let paid = lengths.map(|length| vec![0; length]).collect();
        Self { traps, costs: Costs { paid, last: None } }
    }

    /// For each function, what each of its instructions has cost so far.
    #[must_use]
    pub fn paid(&self) -> &[Vec<u64>] {
        &self.costs.paid
    }

    /// What a run needs of it.
    pub(super) fn of_run(&mut self) -> (&Trapped, &mut Costs) {
        self.costs.last = None;
        (&self.traps, &mut self.costs)
    }
}

impl Costs {
    /// Notes that an instruction begins: until the next one, what is paid is paid for its size.
    pub(super) fn note(&mut self, function: usize, at: usize, is: Instruction, fuel: &Fuel) {
        let left = fuel.left();
        if let Some((function, at, before)) = self.last.take() {
            self.paid[function][at] += u64::from(before - left);
        }
        self.paid[function][at] += u64::from(prices::price(is));
        self.last = prices::grows(is).then_some((function, at, left));
    }
}
