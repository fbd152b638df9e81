//! When deepening ends, and what it then reports.

use std::convert::Infallible;

use isolation_core::{
    Budget, CellSet, Clock, Halt, Heuristic, Meter, Mode, Options, Player, Position, Reason,
    Report, heuristics, search, with_position,
};
use proptest::prelude::*;

use crate::clocks::Still;
use crate::positions::{any_position, narrow};

fn searched<S: CellSet>(position: &Position<S>, name: &str, options: &Options) -> Report {
    search(position, &mut &*heuristics::find(name).unwrap(), &mut Still, options).unwrap()
}

fn budget(depth: Option<u32>, nodes: Option<u64>) -> Options {
    Options::new(Budget::new(depth, nodes, None).unwrap())
}

#[test]
fn a_depth_alone_beyond_the_end_of_the_game_is_reported_as_asked_for() {
    let position = narrow("3x3 x2/3/2x 0,0 2,2 1");
    let at_the_end = searched(&position, "improved", &budget(Some(7), None));
    assert_eq!(at_the_end.reason, Reason::Exhausted);
    for depth in [8, 9, 100, 1025, u32::MAX] {
        let report = searched(&position, "improved", &budget(Some(depth), None));
        assert_eq!(report, Report { depth, ..at_the_end.clone() });
    }
}

#[test]
fn deepening_reports_the_depth_at_which_it_was_exhausted() {
    let position = narrow("3x3 x2/3/2x 0,0 2,2 1");
    let whole = searched(&position, "null", &budget(None, Some(1_000_000)));
    assert_eq!(whole.reason, Reason::Exhausted);
    assert!(whole.depth > 2);
    for depth in 1..20 {
        let report = searched(&position, "null", &budget(Some(depth), Some(1_000_000)));
        let (expected, reason) = if depth < whole.depth {
            (depth, Reason::Depth)
        } else {
            (whole.depth, Reason::Exhausted)
        };
        assert_eq!((report.depth, report.reason), (expected, reason));
    }
}

/// Sees a win, or with a minus a loss, wherever it looks.
struct Certain(f64);

impl Heuristic<u64> for Certain {
    type Error = Infallible;

    fn nodes_between_looks(&self, _: u32) -> u64 {
        1024
    }

    fn evaluate<C: Clock>(
        &mut self,
        _: &Position<u64>,
        _: Player,
        _: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<Infallible>> {
        Ok(self.0)
    }
}

#[test]
fn an_infinite_value_does_not_end_deepening() {
    let position = narrow("7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1");
    for value in [f64::INFINITY, f64::NEG_INFINITY] {
        for mode in [Mode::Plain, Mode::Fast] {
            let options = Options { mode, ..budget(None, Some(2_000)) };
            let report = search(&position, &mut Certain(value), &mut Still, &options).unwrap();
            assert_eq!((report.value, report.reason), (Some(value), Reason::Nodes));
            assert!(report.depth > 3);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..Default::default() })]

    #[test]
    fn exhausted_means_that_a_deeper_search_finds_the_same(
        any in any_position(),
        bits in any::<u64>(),
        nodes in 1..3_000_u64,
    ) {
        with_position!(&any, |position| {
            for mode in [Mode::Plain, Mode::Fast] {
                for name in ["null", "open", "center", "improved"] {
                    let options = Options { mode, order_bits: bits, ..budget(None, Some(nodes)) };
                    let report = searched(position, name, &options);
                    prop_assert!(report.nodes <= nodes);
                    if report.reason != Reason::Exhausted || report.depth == 0 {
                        prop_assert!(report.reason == Reason::Nodes || report.best.is_none());
                        continue;
                    }
                    for more in [1, 2, 5, 100] {
                        let deeper = Options {
                            budget: Budget::depth(report.depth + more),
                            order_bits: bits,
                            ..Options::new(Budget::depth(1))
                        };
                        let deeper = searched(position, name, &deeper);
                        prop_assert_eq!((deeper.best, deeper.value), (report.best, report.value));
                        // In another order a search may look at lines that go on.
                        prop_assert!(deeper.reason == Reason::Exhausted || mode == Mode::Fast);
                    }
                }
            }
        });
    }

    #[test]
    fn a_search_can_be_repeated(any in any_position(), bits in any::<u64>(), nodes in 1..2_000_u64) {
        with_position!(&any, |position| {
            for mode in [Mode::Plain, Mode::Fast] {
                let options = Options { mode, order_bits: bits, ..budget(None, Some(nodes)) };
                let again = searched(position, "improved", &options);
                prop_assert_eq!(searched(position, "improved", &options), again);
            }
        });
    }
}
