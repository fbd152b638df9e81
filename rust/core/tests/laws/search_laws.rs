//! Minimax is what its definition says, and alpha-beta is minimax.

use std::convert::Infallible;

use isolation_core::{
    Budget, Cell, CellSet, Clock, Failure, Halt, Heuristic, Meter, Method, Mode, NativeHeuristic,
    Options, Player, Position, Random, Reason, Report, heuristics, search, shuffle, with_position,
};
use proptest::prelude::*;

use crate::by_hand::Board;
use crate::clocks::Still;
use crate::positions::{affordable_depth, any_position, narrow, one_of_quick};

/// Few values, thus many ties, infinities without proof and zeros of both signs among them.
struct Arbitrary(u64);

impl<S: CellSet> Heuristic<S> for Arbitrary {
    type Error = Infallible;

    fn nodes_between_looks(&self, _: u32) -> u64 {
        16
    }

    fn evaluate<C: Clock>(
        &mut self,
        position: &Position<S>,
        player: Player,
        _: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<Infallible>> {
        const VALUES: [f64; 8] =
            [f64::NEG_INFINITY, -1.5, -0.0, 0.0, 1.0, f64::MAX, f64::INFINITY, f64::MIN_POSITIVE];
        let mut random = Random::from_seed(self.0 ^ position.hash() ^ u64::from(player.number()));
        Ok(VALUES[random.below(8) as usize])
    }
}

/// Few values, NaN among them; or in the place of NaN the worst value for who moved to the position.
struct WithNan {
    seed: u64,
    replaced: bool,
}

impl<S: CellSet> Heuristic<S> for WithNan {
    type Error = Infallible;

    fn nodes_between_looks(&self, _: u32) -> u64 {
        16
    }

    fn evaluate<C: Clock>(
        &mut self,
        position: &Position<S>,
        player: Player,
        _: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<Infallible>> {
        const VALUES: [f64; 6] =
            [f64::NAN, -f64::NAN, f64::NEG_INFINITY, f64::INFINITY, 0.0, f64::MIN_POSITIVE];
        let mut random = Random::from_seed(self.seed ^ position.hash());
        let value = VALUES[random.below(6) as usize];
        Ok(match value.is_nan() && self.replaced {
            true if position.to_move() == player => f64::INFINITY,
            true => f64::NEG_INFINITY,
            false => value,
        })
    }
}

fn searched<S: CellSet, H: Heuristic<S, Error = Infallible>>(
    position: &Position<S>,
    heuristic: &mut H,
    options: &Options,
) -> Report {
    search(position, heuristic, &mut Still, options).unwrap()
}

/// The moves at the root in their order.
fn root_order<S: CellSet>(position: &Position<S>, bits: u64) -> Vec<Cell> {
    let mut order: Vec<Cell> = position.moves(position.to_move()).collect();
    if let Some(origin) = position.location(position.to_move()) {
        shuffle(&mut order, bits, origin);
    }
    order
}

/// The first of the largest.
fn first_best(values: &[(Cell, f64)]) -> (Cell, f64) {
    let mut best = values[0];
    for &(cell, value) in values {
        if value > best.1 {
            best = (cell, value);
        }
    }
    best
}

/// What does not depend on how the tree was walked.
fn answer(report: &Report) -> (Option<Cell>, Option<f64>, u32) {
    (report.best, report.value, report.depth)
}

/// All ways of walking the tree give minimax's answer; those that were asked give its root values.
fn all_walks_agree<S: CellSet, H: Heuristic<S, Error = Infallible>>(
    position: &Position<S>,
    heuristic: &mut H,
    depth: u32,
    bits: u64,
) -> Result<(), TestCaseError> {
    let plain = Options { order_bits: bits, ..Options::new(Budget::depth(depth)) };
    let of_minimax = Options { method: Method::Minimax, root_values: true, ..plain };
    let minimax = searched(position, heuristic, &of_minimax);
    let values = minimax.root_values.clone().unwrap();
    let cells: Vec<Cell> = values.iter().map(|&(cell, _)| cell).collect();
    prop_assert_eq!(&cells, &root_order(position, bits));
    if !values.is_empty() {
        let (cell, value) = first_best(&values);
        prop_assert_eq!(answer(&minimax), (Some(cell), Some(value), depth));
        // Negating a zero gives it a sign, which people would see printed.
        prop_assert!(values.iter().all(|(_, value)| *value != 0.0 || value.is_sign_positive()));
    }
    for mode in [Mode::Plain, Mode::Fast] {
        for root_values in [false, true] {
            let report = searched(position, heuristic, &Options { mode, root_values, ..plain });
            prop_assert_eq!(answer(&report), answer(&minimax), "{:?}", mode);
            prop_assert!(report.nodes <= minimax.nodes);
            prop_assert_eq!(report.root_values, root_values.then(|| values.clone()));
            // What alpha-beta leaves out may have been cut by depth; all that it saw, minimax saw.
            prop_assert!(report.reason == minimax.reason || minimax.reason == Reason::Depth);
            // Deepening comes to the same.
            let budget = Budget::new(Some(depth), Some(u64::MAX), None).unwrap();
            let deepened =
                searched(position, heuristic, &Options { budget, mode, root_values, ..plain });
            if deepened.reason == Reason::Depth {
                prop_assert_eq!(answer(&deepened), answer(&minimax), "{:?}", mode);
            }
            // Where it ends early, what it found stands.
            prop_assert_eq!(deepened.value, minimax.value, "{:?}", mode);
        }
    }
    Ok(())
}

/// Minimax by its definition: the value of each root move, and the positions generated.
fn minimax_by_hand<S: CellSet>(
    position: &Position<S>,
    heuristic: &NativeHeuristic,
    depth: u32,
    bits: u64,
) -> (Vec<(Cell, f64)>, u64) {
    let board = Board::of(position);
    let size = position.size();
    let mut nodes = 0;
    let values = root_order(position, bits)
        .into_iter()
        .map(|cell| {
            let (row, column) = size.coordinates(cell);
            nodes += 1;
            let after = board.after((row.into(), column.into()));
            (cell, after.minimax(&heuristic.name, position.to_move(), depth - 1, &mut nodes))
        })
        .collect();
    (values, nodes)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn alphabeta_is_minimax(any in any_position(), bits in any::<u64>()) {
        with_position!(&any, |position| {
            let depth = affordable_depth(position, 1_500);
            all_walks_agree(position, &mut one_of_quick(position, bits), depth, bits)?;
        });
    }

    #[test]
    fn alphabeta_is_minimax_for_any_values(any in any_position(), bits in any::<u64>()) {
        with_position!(&any, |position| {
            for depth in 1..=affordable_depth(position, 300) {
                all_walks_agree(position, &mut Arbitrary(bits), depth, bits)?;
            }
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn nan_is_the_worst_value_for_who_moves_to_it(
        any in any_position(), seed in any::<u64>(), root_values in any::<bool>()
    ) {
        with_position!(&any, |position| {
            // Of the value of the position itself nobody makes anything.
            if !position.can_move(position.to_move()) {
                return Ok(());
            }
            for depth in 1..=affordable_depth(position, 300) {
                for (method, mode) in [
                    (Method::Minimax, Mode::Plain),
                    (Method::AlphaBeta, Mode::Plain),
                    (Method::AlphaBeta, Mode::Fast),
                ] {
                    let budget = Budget::new(Some(depth), Some(u64::MAX), None).unwrap();
                    let plain = Options::new(budget);
                    let options = Options { method, mode, order_bits: seed, root_values, ..plain };
                    let [mut found, expected] = [false, true].map(|replaced| {
                        searched(position, &mut WithNan { seed, replaced }, &options)
                    });
                    for (_, value) in found.root_values.iter_mut().flatten() {
                        *value = if value.is_nan() { f64::NEG_INFINITY } else { *value };
                    }
                    prop_assert_eq!(found, expected, "{:?} {:?}", method, mode);
                }
            }
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn minimax_is_its_definition(any in any_position(), bits in any::<u64>()) {
        with_position!(&any, |position| {
            let depth = affordable_depth(position, 300);
            let mut heuristic = one_of_quick(position, bits);
            let (values, nodes) = minimax_by_hand(position, heuristic, depth, bits);
            let options = Options {
                method: Method::Minimax,
                order_bits: bits,
                root_values: true,
                ..Options::new(Budget::depth(depth))
            };
            let report = searched(position, &mut heuristic, &options);
            prop_assert_eq!(report.nodes, nodes);
            prop_assert_eq!(report.root_values.unwrap(), values);
        });
    }

    #[test]
    fn without_a_move_the_value_is_the_heuristics(any in any_position(), depth in 1..2000_u32) {
        with_position!(&any, |position| {
            if position.can_move(position.to_move()) {
                return Ok(());
            }
            for budget in [Budget::depth(depth), Budget::nodes(depth.into())] {
                let improved = heuristics::find("improved").unwrap();
                let options = Options { root_values: true, ..Options::new(budget) };
                let report = searched(position, &mut &*improved, &options);
                prop_assert_eq!(report, Report {
                    best: None,
                    value: Some(f64::NEG_INFINITY),
                    depth: 0,
                    nodes: 0,
                    paid: 0,
                    reason: Reason::Exhausted,
                    root_values: Some(vec![]),
                });
            }
        });
    }
}

/// Fails at its so-manieth call.
struct Failing(u32);

impl Heuristic<u64> for Failing {
    type Error = &'static str;

    fn nodes_between_looks(&self, _: u32) -> u64 {
        16
    }

    fn evaluate<C: Clock>(
        &mut self,
        _: &Position<u64>,
        _: Player,
        _: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<&'static str>> {
        self.0 = self.0.checked_sub(1).ok_or(Halt::Heuristic("no more"))?;
        Ok(0.0)
    }
}

#[test]
fn a_heuristics_error_comes_back_as_itself() {
    let position = narrow("5x5 5/1x3/5/3x1/5 1,1 3,3 1");
    for calls in 0..20 {
        for mode in [Mode::Plain, Mode::Fast] {
            let options = Options { mode, ..Options::new(Budget::nodes(10_000)) };
            let found = search(&position, &mut Failing(calls), &mut Still, &options);
            assert_eq!(found, Err(Failure::Heuristic("no more")));
        }
    }
}
