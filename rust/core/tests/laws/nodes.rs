//! Budgets of nodes, tried with every number up to the whole count.

use isolation_core::{
    Budget, CellSet, Method, Mode, Options, Position, Reason, Report, heuristics, search,
    with_position,
};

use crate::clocks::Still;
use crate::positions::parsed;

const POSITIONS: [&str; 7] = [
    "7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1",
    "5x5 5/1x3/5/3x1/5 1,1 3,3 2",
    "4x4 x3/4/4/3x 0,0 3,3 1",
    "3x3 3/3/3 - - 1",
    "4x3 x3/4/4 0,0 - 2",
    "13x5 13/6x6/13/5x7/13 1,6 3,5 1",
    "43x3 43/20x22/12x30 1,20 2,12 2",
];
const MOST_DEPTH: u32 = 5;
const MOST_NODES: u64 = 6_000;

fn searched<S: CellSet>(position: &Position<S>, budget: Budget, template: Options) -> Report {
    let improved = heuristics::find("improved").unwrap();
    search(position, &mut &*improved, &mut Still, &Options { budget, ..template }).unwrap()
}

/// The finished depths of a deepening, each with the nodes spent by its end; depths with one search
/// each, so it holds where a depth's nodes do not depend on the depths before.
fn depth_by_depth<S: CellSet>(position: &Position<S>, template: Options) -> Vec<Report> {
    let mut finished = Vec::new();
    let mut nodes = 0;
    for depth in 1..=MOST_DEPTH {
        let report = searched(position, Budget::depth(depth), template);
        nodes += report.nodes;
        let exhausted = report.reason == Reason::Exhausted;
        finished.push(Report { nodes, ..report });
        if exhausted || nodes > MOST_NODES {
            break;
        }
    }
    finished
}

/// Deepening with each budget: the last depth that it pays for, and no node more than it grants.
fn every_budget<S: CellSet>(position: &Position<S>, template: Options) {
    let finished = depth_by_depth(position, template);
    let all = finished.last().unwrap();
    let first = searched(position, Budget::nodes(1), template).best;
    for nodes in 1..=all.nodes + 2 {
        let budget = Budget::new(Some(all.depth), Some(nodes), None).unwrap();
        let report = searched(position, budget, template);
        let expected = if nodes >= all.nodes {
            all.clone()
        } else {
            match finished.iter().rev().find(|depth| depth.nodes <= nodes) {
                Some(paid) => Report { nodes, reason: Reason::Nodes, ..paid.clone() },
                None => Report {
                    best: first,
                    value: None,
                    depth: 0,
                    nodes,
                    paid: 0,
                    reason: Reason::Nodes,
                    root_values: template.root_values.then(Vec::new),
                },
            }
        };
        assert_eq!(report, expected, "{position} with {nodes} nodes, {template:?}");
    }
}

#[test]
fn the_node_after_the_last_of_the_budget_is_refused() {
    for text in POSITIONS {
        with_position!(&parsed(text), |position| {
            for method in [Method::AlphaBeta, Method::Minimax] {
                for (order_bits, root_values) in [(0, false), (7, true), (u64::MAX, false)] {
                    let template = Options {
                        method,
                        order_bits,
                        root_values,
                        ..Options::new(Budget::depth(1))
                    };
                    every_budget(position, template);
                }
            }
        });
    }
}

#[test]
fn a_fast_search_keeps_to_its_nodes_too() {
    for text in POSITIONS {
        with_position!(&parsed(text), |position| {
            for order_bits in 0..5 {
                let plain = Options { order_bits, ..Options::new(Budget::depth(1)) };
                let fast = Options { mode: Mode::Fast, ..plain };
                let mut depth_before = 0;
                for nodes in 1..1500 {
                    let report = searched(position, Budget::nodes(nodes), fast);
                    assert!(report.nodes <= nodes);
                    assert!(report.nodes == nodes || report.reason != Reason::Nodes);
                    assert!(report.depth >= depth_before, "more nodes never see less");
                    depth_before = report.depth;
                    if report.depth == 0 {
                        let first = searched(position, Budget::nodes(1), plain).best;
                        assert_eq!((report.best, report.value), (first, None));
                    } else if nodes % 50 == 0 {
                        let same = searched(position, Budget::depth(report.depth), plain);
                        assert_eq!((report.best, report.value), (same.best, same.value));
                    }
                }
            }
        });
    }
}

#[test]
fn a_fast_search_needs_fewer_nodes() {
    for text in ["7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1", "11x9 11/11/3x7/11/11/8x2/11/11/11 2,3 5,8 2"] {
        with_position!(&parsed(text), |position| {
            let budget = Budget::new(Some(14), Some(u64::MAX), None).unwrap();
            let plain = searched(position, budget, Options::new(budget));
            let fast =
                searched(position, budget, Options { mode: Mode::Fast, ..Options::new(budget) });
            // At this depth six of ten; with the order turned round, more than plain.
            assert!(4 * fast.nodes < 3 * plain.nodes, "{} of {}", fast.nodes, plain.nodes);
        });
    }
}
