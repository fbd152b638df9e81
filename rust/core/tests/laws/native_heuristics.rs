//! Heuristics as objects: the registry, variants, sums, and walks that end with a budget.

use std::sync::Arc;
use std::time::Duration;

use isolation_core::heuristics::{
    self, MOST_NESTED, MOST_PARTS, NativeHeuristic, SumError, VariantError, find, weighted_sum,
};
use isolation_core::{
    AnyPosition, Budget, CellSet, Clock, Failure, Options, Player, Position, Reason, Stop, search,
    with_position,
};
use proptest::prelude::*;

use crate::by_hand::Board;
use crate::clocks::Still;
use crate::positions::{any_position, narrow, parsed, quick};

const OPENING: &str = "7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1";

fn named(name: &str) -> Arc<NativeHeuristic> {
    find(name).unwrap_or_else(|| panic!("{name} is not registered"))
}

fn sum(parts: &[(&str, f64)]) -> Arc<NativeHeuristic> {
    weighted_sum(parts.iter().map(|&(name, weight)| (named(name), weight)).collect()).unwrap()
}

/// A position near the end of a game, with a tree of some thousands.
fn late() -> Position<u64> {
    narrow("5x5 1x3/5/2x2/x4/5 2,2 3,0 1")
}

#[test]
fn names_are_unique_and_found() {
    for heuristic in heuristics::all() {
        assert!(Arc::ptr_eq(&named(&heuristic.name), heuristic));
        assert_eq!(heuristic.base(), Some(heuristic.name.as_str()));
        assert!(!heuristic.summary.is_empty() && !heuristic.formula.is_empty());
    }
}

#[test]
fn the_worked_examples_of_the_families_are_right() {
    let position = late();
    for (name, value) in [
        ("mobility_difference", 4.0),
        ("aggressive", 2.0),
        ("weighted_open", 6.0),
        ("close_to_center", 2.0),
        ("far_from_opponent", 3.0),
        ("space", 8.0),
        ("space_difference", 3.0),
        ("blend", 6.52),
    ] {
        let found = named(name).value(&position, Player::One);
        assert!((found - value).abs() < 1e-12, "{name} is {found}");
    }
    let crowded = narrow("5x5 xxx2/xx3/2x2/x4/5 2,2 3,0 1");
    assert_eq!(
        named("aggressive_open_cluster").value(&crowded, Player::One).to_bits(),
        3.8_f64.to_bits()
    );
    let corridor = narrow("3x3 1x1/1x1/2x 0,1 2,2 1");
    for (name, values) in [("continuations", [5.0, 6.0]), ("longest_win", [0.0, 6.0])] {
        let found = Player::BOTH.map(|player| named(name).value(&corridor, player));
        assert_eq!(found.map(f64::to_bits), values.map(f64::to_bits), "{name}");
    }
}

#[test]
fn a_variant_has_the_values_it_was_given() {
    let bold = named("aggressive").variant(&[("factor", 3.0)]).unwrap();
    assert_eq!(bold.name, "aggressive(factor=3.0)");
    assert_eq!(bold.value(&late(), Player::One).to_bits(), 0.0_f64.to_bits());
    let staged = named("staged_continuations").variant(&[("late", 0.1)]).unwrap();
    assert_eq!(staged.name, "staged_continuations(early=0.7, late=0.1)");
    let again = staged.variant(&[("late", 0.2)]).unwrap();
    assert_eq!(again.name, "staged_continuations");
}

#[test]
fn a_variant_that_there_is_not_is_refused() {
    let refused = |name: &str, changes: &[(&str, f64)]| named(name).variant(changes).err().unwrap();
    assert!(matches!(refused("bfs", &[("r", 0.5)]), VariantError::NoParameters(_)));
    assert!(matches!(refused("aggressive", &[("facter", 1.0)]), VariantError::Unknown { .. }));
    for r in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let error = refused("knight_decay_2", &[("r", r)]);
        assert_eq!(error.to_string(), format!("r must be from 0 to 1, not {r}"));
    }
}

#[test]
fn a_sum_that_there_is_not_is_refused() {
    assert_eq!(weighted_sum(vec![]).err(), Some(SumError::Empty));
    let weight = weighted_sum(vec![(named("bfs"), f64::NAN)]).err();
    assert!(matches!(weight, Some(SumError::Weight { .. })));
    let parts = vec![(named("bfs"), 1.0); usize::try_from(MOST_PARTS).unwrap()];
    assert!(weighted_sum(parts[1..].to_vec()).is_ok());
    assert_eq!(weighted_sum(parts).err(), Some(SumError::TooLarge(MOST_PARTS + 1)));
    let mut nested = named("bfs");
    for _ in 0..MOST_NESTED {
        nested = weighted_sum(vec![(named("open"), 1.0), (nested, 1.0)]).unwrap();
    }
    assert_eq!(weighted_sum(vec![(nested, 1.0)]).err(), Some(SumError::TooDeep(MOST_NESTED + 1)));
}

#[test]
fn an_infinite_part_is_a_verdict_that_no_weight_changes() {
    // Player 1 is to move and cannot; neither can player 2.
    let over = narrow("3x3 xxx/x1x/xxx 0,1 2,2 1");
    for (parts, value) in [
        (&[("improved", -1.0), ("open", 0.5)][..], f64::NEG_INFINITY),
        (&[("improved", 0.0), ("bfs", 1.0)], f64::NEG_INFINITY),
        (&[("bfs", -2.0), ("improved", 1.0)], f64::INFINITY),
        (&[("space", 2.0), ("aggressive", 1.0)], 2.0),
    ] {
        let found = sum(parts).value(&over, Player::One);
        assert_eq!(found.to_bits(), value.to_bits(), "{parts:?}");
    }
}

#[test]
fn what_is_too_large_for_a_float_is_the_largest() {
    let parts = [("open", f64::MAX), ("open", f64::MAX), ("open", -1.0)];
    assert_eq!(sum(&parts).value(&late(), Player::One).to_bits(), f64::MAX.to_bits());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_sum_is_its_parts(any in any_position(), weight in -3.0..3.0_f64) {
        with_position!(&any, |position| {
            let pairs = [("bfs", "close_to_center"), ("open", "improved"), ("space", "aggressive")];
            let board = Board::of(position);
            for player in Player::BOTH {
                let named_sum = sum(&[("bfs", 1.0), ("close_to_opponent", 1.0)]);
                let expected = named("bfs_close_to_opponent").value(position, player);
                let found = named_sum.value(position, player);
                prop_assert_eq!(found.to_bits(), expected.to_bits());
                for (first, second) in pairs {
                    let [one, two] = [first, second].map(|name| board.score(name, player));
                    let expected = if one.is_infinite() { one } else { one + weight * two } + 0.0;
                    let found = sum(&[(first, 1.0), (second, weight)]).value(position, player);
                    prop_assert_eq!(found.to_bits(), expected.to_bits());
                }
            }
        });
    }

    #[test]
    fn no_value_is_nan(any in any_position()) {
        with_position!(&any, |position| {
            for heuristic in quick(position) {
                for player in Player::BOTH {
                    prop_assert!(!heuristic.value(position, player).is_nan());
                }
            }
        });
    }

    #[test]
    fn a_walk_is_granted_what_it_takes_and_no_less(any in any_position()) {
        with_position!(&any, |position| {
            let board = Board::of(position);
            for heuristic in quick(position).filter(|heuristic| heuristic.walks()) {
                let needed = board.walked(&heuristic.name);
                let within = |nodes| heuristic.value_within(position, Player::One, nodes, &mut Still);
                prop_assert_eq!(within(needed.max(1)), Ok(heuristic.value(position, Player::One)));
                if needed > 1 {
                    prop_assert_eq!(within(needed - 1), Err(Stop::Nodes));
                }
            }
        });
    }
}

#[test]
fn walked_positions_are_nodes_of_the_search() {
    let walk = named("continuations");
    for nodes in [1, 2, 1000, 100_000] {
        let options = Options::new(Budget::nodes(nodes));
        let report = search(&narrow(OPENING), &mut &*walk, &mut Still, &options).unwrap();
        assert_eq!((report.nodes, report.reason, report.depth), (nodes, Reason::Nodes, 0));
        assert!(report.best.is_some() && report.value.is_none());
    }
}

/// A millisecond passes at each look; somebody asks for an end at the tenth.
#[derive(Default)]
struct Impatient(u32);

impl Clock for Impatient {
    fn now(&mut self) -> Duration {
        self.0 += 1;
        Duration::from_millis(self.0.into())
    }

    fn interrupted(&mut self) -> bool {
        self.0 += 1;
        self.0 >= 10
    }
}

#[test]
fn a_walk_ends_with_the_time_and_by_an_interruption() {
    let walk = named("continuations_difference");
    let timed = Options::new(Budget::new(None, None, Some(Duration::from_millis(4))).unwrap());
    let report = search(&narrow(OPENING), &mut &*walk, &mut Impatient(0), &timed).unwrap();
    assert_eq!(report.reason, Reason::Time);
    let deep = Options::new(Budget::depth(1));
    let interrupted = search(&narrow(OPENING), &mut &*walk, &mut Impatient(0), &deep);
    assert_eq!(interrupted, Err(Failure::Interrupted));
    let alone = walk.value_within(&narrow(OPENING), Player::One, u64::MAX, &mut Impatient(0));
    assert_eq!(alone, Err(Stop::Interrupted));
}

#[test]
fn a_sum_with_a_walk_ends_with_the_budget_too() {
    let both = sum(&[("open", 1.0), ("longest_win", 0.5)]);
    assert!(both.walks());
    let found = both.value_within(&narrow(OPENING), Player::One, 50, &mut Still);
    assert_eq!(found, Err(Stop::Nodes));
    let value = both.value(&late(), Player::One);
    let parts = ["open", "longest_win"].map(|name| named(name).value(&late(), Player::One));
    assert_eq!(value.to_bits(), (parts[0] + 0.5 * parts[1]).to_bits());
}

fn value<S: CellSet>(position: &Position<S>, name: &str) -> f64 {
    named(name).value(position, Player::One)
}

#[test]
fn a_walk_down_a_long_line_needs_no_deep_stack() {
    let below = "/2".repeat(20_000);
    let corridor: AnyPosition = parsed(&format!("2x20001 xx{below} 0,0 0,1 1"));
    let walk = move || with_position!(&corridor, |position| value(position, "continuations"));
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(walk).unwrap();
    // Every move is forced after the first; in the last of 20,000 positions player 1 has lost.
    assert_eq!(thread.join().unwrap().to_bits(), 19_999.0_f64.to_bits());
}
