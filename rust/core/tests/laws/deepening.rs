//! When deepening ends, and what it then reports.

use isolation_core::{
    Budget, CellSet, Method, Mode, Options, Position, Reason, Report, heuristics, search,
    with_position,
};
use proptest::prelude::*;

use crate::clocks::Still;
use crate::positions::{any_position, parsed};

fn searched<S: CellSet>(position: &Position<S>, name: &str, options: &Options) -> Report {
    search(position, &mut &*heuristics::find(name).unwrap(), &mut Still, options).unwrap()
}

fn budget(depth: Option<u32>, nodes: Option<u64>) -> Options {
    Options::new(Budget::new(depth, nodes, None).unwrap())
}

#[test]
fn a_depth_alone_beyond_the_end_of_the_game_is_reported_as_asked_for() {
    with_position!(&parsed("3x3 x2/3/2x 0,0 2,2 1"), |position| {
        let at_the_end = searched(position, "improved", &budget(Some(7), None));
        for depth in [8, 9, 100, 1025, u32::MAX] {
            let report = searched(position, "improved", &budget(Some(depth), None));
            assert_eq!(report, Report { depth, ..at_the_end.clone() });
            assert_eq!(report.reason, Reason::Exhausted);
        }
    });
}

#[test]
fn deepening_reports_the_depth_at_which_it_was_exhausted() {
    with_position!(&parsed("3x3 x2/3/2x 0,0 2,2 1"), |position| {
        let unlimited = searched(position, "null", &budget(None, Some(1_000_000)));
        assert_eq!(unlimited.reason, Reason::Exhausted);
        for depth in 1..20 {
            let report = searched(position, "null", &budget(Some(depth), Some(1_000_000)));
            let (expected, reason) = if depth < unlimited.depth {
                (depth, Reason::Depth)
            } else {
                (unlimited.depth, Reason::Exhausted)
            };
            assert_eq!((report.depth, report.reason), (expected, reason));
        }
    });
}

#[test]
fn an_infinite_value_does_not_end_deepening() {
    // The mover wins within the horizon, by a move that is not the first; other lines go on.
    with_position!(&parsed("5x5 x1x2/4x/5/5/5 0,0 1,4 1"), |position| {
        let minimax = Options { method: Method::Minimax, ..budget(None, Some(40_000)) };
        let report = searched(position, "null", &minimax);
        assert_eq!(report.reason, Reason::Nodes);
        assert!(report.depth > 1);
    });
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
                        prop_assert_eq!(deeper.reason, Reason::Exhausted);
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
