//! Native heuristics: the objects that searches receive.

use std::convert::Infallible;
use std::sync::Arc;

use super::entry::{Entry, Parameter, VariantError};
use super::formula::{Code, EveryWidth};
use super::{Ending, Halt, Heuristic, Work};
use crate::board::{CellSet, Player, Position};
use crate::budget::{Budget, Clock, Meter, Stop, StopWatch};

/// How many positions a heuristic may walk where there is no search whose budget it would be.
pub const WALK_LIMIT: u64 = 10_000_000;

/// Where a heuristic comes from.
pub(super) enum Origin {
    /// The registry: the entry, and the values of its parameters.
    Registry(&'static Entry, Vec<f64>),
    /// A weighted sum of others.
    Sum(Vec<(Arc<NativeHeuristic>, f64)>),
}

/// A heuristic that runs at full speed: of the registry, a variant of one, or a weighted sum.
///
/// ```
/// use isolation_core::{Player, Position, heuristics};
///
/// let aggressive = heuristics::find("aggressive").unwrap();
/// let bolder = aggressive.variant(&[("factor", 3.0)]).unwrap();
/// assert_eq!(bolder.name, "aggressive(factor=3.0)");
/// let position: Position<u64> = Position::empty(isolation_core::Size::new(7, 7)?);
/// assert_eq!(bolder.value(&position, Player::One), 49.0 - 3.0 * 49.0);
/// # Ok::<(), isolation_core::SizeError>(())
/// ```
pub struct NativeHeuristic {
    /// The name under which it is registered; of others one that says what they are.
    pub name: String,
    /// What it measures, in one line.
    pub summary: String,
    /// How it is worked out, in one line.
    pub formula: String,
    pub(super) code: Code,
    pub(super) origin: Origin,
}

impl NativeHeuristic {
    /// The heuristic of an entry as it is registered.
    pub(super) fn registered(entry: &'static Entry) -> Arc<Self> {
        Self::of_entry(entry, entry.parameters.iter().map(|parameter| parameter.default).collect())
    }

    fn of_entry(entry: &'static Entry, values: Vec<f64>) -> Arc<Self> {
        let changed = entry
            .parameters
            .iter()
            .zip(&values)
            .any(|(each, value)| each.default.to_bits() != value.to_bits());
        let name = if changed {
            let given = entry.parameters.iter().zip(&values);
            let given: Vec<String> =
                given.map(|(each, value)| format!("{}={value:?}", each.name)).collect();
            format!("{}({})", entry.name, given.join(", "))
        } else {
            entry.name.clone()
        };
        Arc::new(Self {
            name,
            summary: entry.summary.to_owned(),
            formula: entry.formula.to_owned(),
            code: (entry.build)(&values),
            origin: Origin::Registry(entry, values),
        })
    }

    /// The name of the registered heuristic that it is, or is a variant of; a sum has none.
    #[must_use]
    pub fn base(&self) -> Option<&str> {
        match &self.origin {
            Origin::Registry(entry, _) => Some(&entry.name),
            Origin::Sum(_) => None,
        }
    }

    /// The letter of the report that describes it.
    #[must_use]
    pub fn report(&self) -> Option<&'static str> {
        match &self.origin {
            Origin::Registry(entry, _) => entry.source.0,
            Origin::Sum(_) => None,
        }
    }

    /// What that report calls it.
    #[must_use]
    pub fn label(&self) -> Option<&'static str> {
        match &self.origin {
            Origin::Registry(entry, _) => entry.source.1,
            Origin::Sum(_) => None,
        }
    }

    /// What becomes of it at the end of a game; a sum goes by its parts.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        match &self.origin {
            Origin::Registry(entry, _) => Some(entry.ending),
            Origin::Sum(_) => None,
        }
    }

    /// Its parameters and their values.
    pub fn parameters(&self) -> impl Iterator<Item = (&Parameter, f64)> {
        let (parameters, values): (&[Parameter], &[f64]) = match &self.origin {
            Origin::Registry(entry, values) => (&entry.parameters, values),
            Origin::Sum(_) => (&[], &[]),
        };
        parameters.iter().zip(values.iter().copied())
    }

    /// The parts of a sum and their weights; of others none.
    #[must_use]
    pub fn parts(&self) -> &[(Arc<Self>, f64)] {
        match &self.origin {
            Origin::Registry(..) => &[],
            Origin::Sum(parts) => parts,
        }
    }

    /// Whether it walks the tree below a position, and so takes nodes of a budget itself.
    #[must_use]
    pub fn walks(&self) -> bool {
        matches!(self.code, Code::Walking(_))
    }

    /// The same heuristic with other values of some parameters.
    ///
    /// # Errors
    /// Where it has no such parameter, or one may not have that value.
    pub fn variant(&self, changes: &[(&str, f64)]) -> Result<Arc<Self>, VariantError> {
        let (entry, mut values) = match &self.origin {
            Origin::Registry(entry, values) if !entry.parameters.is_empty() => {
                (*entry, values.clone())
            }
            _ => return Err(VariantError::NoParameters(self.name.clone())),
        };
        for &(name, value) in changes {
            let Some(at) = entry.parameters.iter().position(|each| each.name == name) else {
                return Err(VariantError::Unknown {
                    heuristic: self.name.clone(),
                    parameter: name.to_owned(),
                    allowed: entry.parameters.iter().map(|each| each.name).collect(),
                });
            };
            let parameter = entry.parameters[at];
            if !(parameter.lowest..=parameter.highest).contains(&value) {
                return Err(VariantError::OutOfRange { parameter, value });
            }
            // A zero has no sign: it would show in the name.
            values[at] = value + 0.0;
        }
        Ok(Self::of_entry(entry, values))
    }

    /// The value of a position for a player. Where the heuristic walks, as far as it takes: see
    /// [`value_within`](Self::value_within) for a bound.
    ///
    /// # Panics
    /// Not within a lifetime.
    #[must_use]
    #[inline]
    pub fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        match &self.code {
            Code::Looking(formula) => formula.value(position, player),
            Code::Walking(_) => {
                let endless =
                    self.value_within(position, player, u64::MAX, &mut StopWatch::start());
                endless.expect("nobody counts to 2^64, and a stop watch does not interrupt")
            }
        }
    }

    /// The value of a position for a player, of a heuristic that may walk so many positions.
    ///
    /// # Errors
    /// Where it would walk more, or the clock says that somebody wants an end.
    pub fn value_within<S: CellSet, C: Clock>(
        &self,
        position: &Position<S>,
        player: Player,
        nodes: u64,
        clock: &mut C,
    ) -> Result<f64, Stop> {
        let mut meter = Meter::new(&Budget::nodes(nodes), NODES_BETWEEN_LOOKS, clock);
        self.metered_value(position, player, &mut meter)
    }

    /// The value of a position for a player, of whose walk a meter counts the positions.
    ///
    /// # Errors
    /// Where the meter grants no more.
    #[inline]
    pub(crate) fn metered_value<S: CellSet, C: Clock>(
        &self,
        position: &Position<S>,
        player: Player,
        meter: &mut Meter<'_, C>,
    ) -> Result<f64, Stop> {
        match &self.code {
            Code::Looking(formula) => Ok(formula.value(position, player)),
            Code::Walking(walk) => meter.lend(|meter| walk.value(position, player, meter)),
        }
    }

    /// How many nodes may pass between two looks at the clock.
    #[must_use]
    pub fn nodes_between_looks(&self, cells: u32) -> u64 {
        // The time of the slowest formulas grows with the cells of the board, and that of a sum with
        // its parts.
        let slower = u64::from(cells.div_ceil(64)) * self.size();
        (NODES_BETWEEN_LOOKS / slower).max(1)
    }
}

/// A node of the fastest takes some 5 ns and a look at the clock some 25: a thousandth part of the time,
/// and the budget is overrun by 5 µs; by 0.2 ms where a node takes 200 ns.
const NODES_BETWEEN_LOOKS: u64 = 1024;

impl<S: CellSet> Heuristic<S> for &NativeHeuristic {
    type Error = Infallible;

    fn nodes_between_looks(&self, cells: u32) -> u64 {
        NativeHeuristic::nodes_between_looks(self, cells)
    }

    fn evaluate<C: Clock>(
        &mut self,
        position: &Position<S>,
        player: Player,
        meter: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<Infallible>> {
        Ok(self.metered_value(position, player, meter)?)
    }

    fn lend<W: Work<S, Infallible>>(&mut self, work: W) -> W::Output {
        match &self.code {
            Code::Looking(formula) => work.with(&mut Looking(&**formula, self)),
            Code::Walking(_) => work.with(self),
        }
    }
}

/// A heuristic that does not walk, during one search: what others need costs it nothing.
struct Looking<'h>(&'h dyn EveryWidth, &'h NativeHeuristic);

impl<S: CellSet> Heuristic<S> for Looking<'_> {
    type Error = Infallible;

    fn nodes_between_looks(&self, cells: u32) -> u64 {
        self.1.nodes_between_looks(cells)
    }

    #[inline]
    fn evaluate<C: Clock>(
        &mut self,
        position: &Position<S>,
        player: Player,
        _: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<Infallible>> {
        Ok(self.0.value(position, player))
    }

    #[inline]
    fn last_plies(
        &mut self,
        position: &Position<S>,
        player: Player,
        alpha: f64,
        beta: f64,
    ) -> Option<(f64, u64)> {
        self.0.last_plies(position, player, alpha, beta)
    }
}
