//! Those who choose moves.

use std::sync::Arc;

use super::allowance::Allowance;
use super::random::Random;
use crate::board::{Cell, CellSet, Position, shuffle};
use crate::budget::{Budget, Clock, Meter, Stop};
use crate::heuristics::{CountedHeuristic, Halt, Heuristic, NativeHeuristic, NoValue};
use crate::program::{Program, Runners};
use crate::search::{Failure, MAX_PLIES, Method, Mode, Options, Reason, Report, search};

/// A player that needs nobody's help.
#[derive(Clone)]
pub enum Agent {
    /// Any legal move, each as likely.
    Random,
    /// The move after which the heuristic is largest; of equal ones the largest (row, column).
    Greedy(Scorer),
    /// Minimax to a fixed depth.
    Minimax {
        /// What it maximises.
        heuristic: Scorer,
        /// How many plies it looks ahead.
        depth: u32,
    },
    /// Alpha-beta, deepening unless the budget is a depth alone.
    AlphaBeta {
        /// What it maximises.
        heuristic: Scorer,
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
    /// What a program paid for it.
    pub paid: u64,
    /// Why the search ended; none where nothing was searched.
    pub reason: Option<Reason>,
}

/// What a player maximises.
#[derive(Clone)]
pub enum Scorer {
    /// A heuristic of the engine.
    Native(Arc<NativeHeuristic>),
    /// One that was compiled; it pays for what it does. What runs it is the machine, or one of these.
    Program(Arc<Program>, Option<Arc<dyn Runners>>),
}

impl From<Arc<NativeHeuristic>> for Scorer {
    fn from(heuristic: Arc<NativeHeuristic>) -> Self {
        Self::Native(heuristic)
    }
}

impl From<Arc<Program>> for Scorer {
    fn from(program: Arc<Program>) -> Self {
        Self::Program(program, None)
    }
}

impl Agent {
    /// Whether it asks a program.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        match self {
            Self::Random => false,
            Self::Greedy(heuristic)
            | Self::Minimax { heuristic, .. }
            | Self::AlphaBeta { heuristic, .. } => matches!(heuristic, Scorer::Program(..)),
        }
    }

    /// Chooses a move for the player to move.
    ///
    /// # Errors
    /// [`Stop::Interrupted`] where the clock says so, and [`NoValue`] where a program has none. Depths beyond
    /// [`MAX_PLIES`] are cut to it.
    pub fn choose<S: CellSet, C: Clock>(
        &self,
        position: &Position<S>,
        order_bits: u64,
        random: &mut Random,
        clock: &mut C,
    ) -> Result<Choice, Halt<NoValue>> {
        let mut most = None;
        let (heuristic, options) = match self {
            Self::Random => return Ok(random_move(position, order_bits, random)),
            Self::Greedy(heuristic) => (heuristic, None),
            Self::Minimax { heuristic, depth } => {
                let budget = Budget::depth(*depth).at_most_depth(MAX_PLIES);
                let options = Options { method: Method::Minimax, ..Options::new(budget) };
                (heuristic, Some(options))
            }
            Self::AlphaBeta { heuristic, allowance, mode } => {
                let budget = allowance.on(position).at_most_depth(MAX_PLIES);
                most = allowance.of_a_value(position);
                (heuristic, Some(Options { mode: *mode, ..Options::new(budget) }))
            }
        };
        let options = options.map(|options| Options { order_bits, ..options });
        let work = Turn { position, clock, options };
        match heuristic {
            Scorer::Native(native) => work.choice(&mut &**native, |never| match never {}),
            Scorer::Program(program, runners) => {
                let runner = runners.as_ref().and_then(|them| them.runner(position.size()));
                let counted = CountedHeuristic::new(program, order_bits).with_most(most);
                work.choice(&mut counted.run_by(runner), |none| none)
            }
        }
    }
}

fn random_move<S: CellSet>(position: &Position<S>, order_bits: u64, random: &mut Random) -> Choice {
    let player = position.to_move();
    let mut moves: Vec<Cell> = position.moves(player).collect();
    if let (true, Some(origin)) = (random.is_of_python(), position.location(player)) {
        shuffle(&mut moves, order_bits, origin);
    }
    let count = u32::try_from(moves.len()).expect("a board has fewer cells");
    let cell = (count > 0).then(|| moves[random.below(count) as usize]);
    Choice { cell, value: None, depth: 0, nodes: 0, paid: 0, reason: None }
}

/// A turn of a player that scores positions: a search, or the best move at once where there are no options.
struct Turn<'t, S: CellSet, C> {
    position: &'t Position<S>,
    clock: &'t mut C,
    options: Option<Options>,
}

impl<S: CellSet, C: Clock> Turn<'_, S, C> {
    fn choice<H: Heuristic<S>>(
        self,
        heuristic: &mut H,
        error: impl Fn(H::Error) -> NoValue,
    ) -> Result<Choice, Halt<NoValue>> {
        let Some(options) = self.options else {
            return self.greedy(heuristic).map_err(|halt| match halt {
                Halt::Stop(stop) => Halt::Stop(stop),
                Halt::Heuristic(failure) => Halt::Heuristic(error(failure)),
            });
        };
        match search(self.position, heuristic, self.clock, &options) {
            Ok(Report { best, value, depth, nodes, paid, reason, .. }) => {
                Ok(Choice { cell: best, value, depth, nodes, paid, reason: Some(reason) })
            }
            Err(Failure::Interrupted) => Err(Halt::Stop(Stop::Interrupted)),
            Err(Failure::TooDeep(depth)) => {
                unreachable!("depth {depth} was cut to what is allowed")
            }
            Err(Failure::Heuristic(failure)) => Err(Halt::Heuristic(error(failure))),
        }
    }

    fn greedy<H: Heuristic<S>>(self, heuristic: &mut H) -> Result<Choice, Halt<H::Error>> {
        let Self { position, clock, .. } = self;
        let (player, size) = (position.to_move(), position.size());
        let mut after = position.clone();
        let mut meter = Meter::unlimited(heuristic.nodes_between_looks(size.cells()), clock);
        let mut best = None;
        for cell in position.moves(player) {
            meter.spend()?;
            let undo = after.make(cell);
            let value = heuristic.evaluate(&after, player, &mut meter)?;
            after.unmake(undo);
            let score = (value, size.coordinates(cell));
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
            paid: meter.paid(),
        })
    }
}
