//! Those who choose moves, and games between them.

use std::sync::Arc;
use std::time::Duration;

use isolation_core::{
    Agent, Allowance, AnyPosition, Budget, Cell, CellSet, Choice, Game, GameEnding, Mode,
    NativeHeuristic, Options, Player, Position, Random, Reason, Report, heuristics, play_game,
    search, with_position,
};
use proptest::prelude::*;

use crate::by_hand::Board;
use crate::clocks::Still;
use crate::positions::{any_position, parsed, quick, size};

fn named(name: &str) -> Arc<NativeHeuristic> {
    heuristics::find(name).unwrap()
}

fn all_agents() -> Vec<Agent> {
    let fast = Agent::AlphaBeta {
        heuristic: named("open").into(),
        allowance: Budget::new(Some(3), Some(60), None).unwrap().into(),
        mode: Mode::Fast,
    };
    vec![
        Agent::Random,
        Agent::Greedy(named("improved").into()),
        Agent::Minimax { heuristic: named("center").into(), depth: 1 },
        Agent::AlphaBeta {
            heuristic: named("improved").into(),
            allowance: Budget::nodes(40).into(),
            mode: Mode::Plain,
        },
        fast,
    ]
}

fn chosen<S: CellSet>(agent: &Agent, position: &Position<S>, seed: u64) -> Choice {
    agent.choose(position, seed, &mut Random::from_seed(seed), &mut Still).unwrap()
}

/// Plays the moves by hand: each is legal, and the loser has none left.
fn obeys_the_rules<S: CellSet>(game: &Game, start: &Position<S>) -> Result<(), TestCaseError> {
    let mut board = Board::of(start);
    for cell in game.cells() {
        let (row, column) = start.size().coordinates(cell);
        let place = (row.into(), column.into());
        prop_assert!(board.is_legal(board.side(), place));
        board = board.after(place);
    }
    prop_assert!(board.moves(board.side()).is_empty());
    prop_assert_eq!(game.winner, board.side().opponent());
    prop_assert_eq!(&game.ending, &GameEnding::NoMoves);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn games_obey_the_rules_and_can_be_repeated(any in any_position(), seed in any::<u64>()) {
        with_position!(&any, |start| {
            for first in &all_agents() {
                for second in &all_agents() {
                    let game = play_game([first, second], start, seed, &mut Still).unwrap();
                    obeys_the_rules(&game, start)?;
                    let again = play_game([first, second], start, seed, &mut Still).unwrap();
                    prop_assert_eq!(game, again);
                }
            }
        });
    }

    #[test]
    fn greedy_takes_the_largest_and_of_equals_the_largest_cell(any in any_position(), seed: u64) {
        with_position!(&any, |position| {
            for heuristic in quick(position) {
                let board = Board::of(position);
                let moves = board.moves(position.to_move());
                let worth = |&place: &(i64, i64)| {
                    (board.after(place).score(&heuristic.name, position.to_move()), place)
                };
                let best = moves.iter().map(worth).reduce(|a, b| if b > a { b } else { a });
                let walked: u64 =
                    moves.iter().map(|&place| board.after(place).walked(&heuristic.name)).sum();
                let cell = best.and_then(|(_, (row, column))| position.size().cell(row, column));
                let choice = chosen(&Agent::Greedy(Arc::clone(heuristic).into()), position, seed);
                let (value, depth) = (best.map(|(value, _)| value), u32::from(best.is_some()));
                let nodes = moves.len() as u64 + walked;
                prop_assert_eq!(choice, Choice { cell, value, depth, nodes, paid: 0, reason: Some(Reason::Depth) });
            }
        });
    }

    #[test]
    fn a_searching_agent_plays_what_its_search_finds(any in any_position(), bits in any::<u64>()) {
        with_position!(&any, |position| {
            let budget = Budget::nodes(bits % 500 + 1);
            for mode in [Mode::Plain, Mode::Fast] {
                let options = Options { mode, order_bits: bits, ..Options::new(budget) };
                let report = search(position, &mut &*named("improved"), &mut Still, &options).unwrap();
                let agent = Agent::AlphaBeta { heuristic: named("improved").into(), allowance: budget.into(), mode };
                let Report { best: cell, value, depth, nodes, reason, .. } = report;
                let expected = Choice { cell, value, depth, nodes, paid: 0, reason: Some(reason) };
                prop_assert_eq!(chosen(&agent, position, bits), expected);
            }
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn an_agent_searches_the_nodes_that_the_positions_band_allows(
        any in any_position(),
        nodes in prop::array::uniform3(1_u64..300),
        most in 1_u64..300,
    ) {
        with_position!(&any, |position| {
            let bands = vec![(0.4, nodes[0]), (0.7, nodes[1]), (1.0, nodes[2])];
            let [blank, cells] = [position.blank().count(), position.size().cells()];
            // Below 4 and 7 tenths; a board that is all blank is of the last band.
            let band = if 10 * blank < 4 * cells {
                0
            } else if 10 * blank < 7 * cells {
                1
            } else {
                2
            };
            let budget = Budget::nodes(nodes[band].min(most));
            let allowance = Allowance::banded(Budget::nodes(most), bands);
            prop_assert_eq!(allowance.on(position), budget);
            let agent = |allowance| {
                Agent::AlphaBeta { heuristic: named("open").into(), allowance, mode: Mode::Plain }
            };
            prop_assert_eq!(
                chosen(&agent(allowance), position, most),
                chosen(&agent(budget.into()), position, most)
            );
        });
    }
}

#[test]
fn bands_limit_nodes_and_leave_depth_and_time_alone() {
    let budget = Budget::new(Some(5), Some(400), Some(Duration::from_secs(1))).unwrap();
    let allowance = Allowance::banded(budget, vec![(1.0, 100)]);
    let expected = Budget::new(Some(5), Some(100), Some(Duration::from_secs(1))).unwrap();
    with_position!(&AnyPosition::empty(size(7, 7)), |position| {
        assert_eq!(allowance.on(position), expected);
        assert_eq!(Allowance::from(budget).on(position), budget);
    });
}

#[test]
fn random_plays_every_move_about_as_often() {
    with_position!(&parsed("7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1"), |position| {
        let moves: Vec<Cell> = position.moves(Player::One).collect();
        let mut random = Random::from_seed(2017);
        let mut counts = vec![0_u32; moves.len()];
        for _ in 0..8_000 {
            let choice = Agent::Random.choose(position, 0, &mut random, &mut Still).unwrap();
            assert_eq!(choice.nodes, 0);
            let at = moves.iter().position(|&cell| Some(cell) == choice.cell);
            counts[at.expect("it is legal")] += 1;
        }
        // 1,000 each, give or take five standard deviations.
        assert!(counts.iter().all(|count| (850..=1150).contains(count)), "{counts:?}");
    });
}

#[test]
fn games_of_different_seeds_differ() {
    with_position!(&AnyPosition::empty(size(7, 7)), |start| {
        let game =
            |seed| play_game([&Agent::Random, &Agent::Random], start, seed, &mut Still).unwrap();
        let mut games: Vec<Vec<u32>> =
            (0..100).map(|seed| game(seed).cells().map(|cell| cell.0).collect()).collect();
        games.sort();
        games.dedup();
        assert_eq!(games.len(), 100);
    });
}

#[test]
fn depths_beyond_what_is_allowed_are_cut_to_it() {
    let rows = "/2".repeat(4095);
    with_position!(&parsed(&format!("2x4096 xx{rows} 0,0 0,1 1")), |position| {
        for agent in [
            Agent::Minimax { heuristic: named("null").into(), depth: 5000 },
            Agent::AlphaBeta {
                heuristic: named("null").into(),
                allowance: Budget::depth(u32::MAX).into(),
                mode: Mode::Fast,
            },
        ] {
            assert!(chosen(&agent, position, 1).cell.is_some());
        }
    });
}
