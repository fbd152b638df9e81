//! Exact play: budgets, threads, widths, lines.

use std::num::NonZeroUsize;
use std::time::Duration;

use isolation_core::{
    AnyPosition, Budget, Cell, CellSet, Clock, Outcome, Position, Random, Solution, Stop, Wanted,
    Wide, judge, solve, strategy, with_position,
};
use proptest::prelude::*;

use crate::clocks::Still;
use crate::exact_agrees::after;
use crate::positions::{any_position, in_width, narrow, random_position, size};

/// One thread.
const ONE: NonZeroUsize = NonZeroUsize::MIN;

pub(crate) fn solved<S: CellSet>(position: &Position<S>, wanted: Wanted) -> Solution {
    solve(position, wanted, true, None, ONE, &mut Still).unwrap()
}

#[test]
fn the_second_player_wins_where_both_place_freely() {
    for (width, height) in [(3, 3), (3, 5), (5, 5), (5, 6)] {
        let empty = Position::<u64>::empty(size(width, height));
        assert_eq!(solved(&empty, Wanted::Outcome).outcome, Outcome::Loss, "{width}x{height}");
    }
}

/// The second player answers every move with its image: on no such board is a cell its own image.
#[test]
fn boards_with_an_even_side_need_no_search() {
    for (width, height) in [(8, 8), (7, 8), (10, 9), (12, 12), (30, 30)] {
        with_position!(&AnyPosition::empty(size(width, height)), |empty| {
            let solution = solved(empty, Wanted::Outcome);
            assert_eq!(solution.outcome, Outcome::Loss, "{width}x{height}");
            assert_eq!(solution.nodes, width * height);
        });
    }
}

#[test]
fn without_a_move_the_game_is_lost() {
    let stuck = solved(&narrow("1x4 x/x/1/1 0,0 1,0 1"), Wanted::Distances);
    assert_eq!((stuck.outcome, stuck.distance()), (Outcome::Loss, Some(0)));
    assert!(stuck.moves.is_empty() && stuck.line.is_empty());
    assert_eq!(stuck.nodes, 0);
}

/// Walks along a strategy: each reply must be a move; gives how many replies were used.
fn walk(position: &Position<u64>, replies: &[Cell]) -> usize {
    let mut used = 0;
    for to in position.moves(position.to_move()) {
        let moved = after(position, to);
        let reply = replies[used];
        assert!(moved.moves(moved.to_move()).any(|cell| cell == reply), "{moved}");
        used += 1;
        used += walk(&after(&moved, reply), &replies[used..]);
    }
    used
}

#[test]
fn a_strategy_replies_to_every_move_where_the_player_to_move_loses_and_is_none_elsewhere() {
    let mut random = Random::from_seed(13);
    let mut lost = 0;
    for _ in 0..200 {
        let position = random_position(6, 6, 20, &mut random);
        let found = strategy(&position, &mut Still).unwrap();
        let outcome = solved(&position, Wanted::Outcome).outcome;
        assert_eq!(found.is_some(), outcome == Outcome::Loss, "{position}");
        if let Some(replies) = found {
            assert_eq!(walk(&position, &replies), replies.len());
            lost += 1;
        }
    }
    assert!((20..180).contains(&lost), "{lost}");
}

#[test]
fn a_budget_that_ends_leaves_unknown_what_is_not_certain() {
    let position = random_position(7, 7, 33, &mut Random::from_seed(3));
    let full = solved(&position, Wanted::Distances);
    let mut unknown = 0;
    for nodes in (1..=full.nodes).step_by(97) {
        let part =
            solve(&position, Wanted::Distances, true, Some(Budget::nodes(nodes)), ONE, &mut Still)
                .unwrap();
        assert_eq!(part.nodes, nodes);
        assert!([full.outcome, Outcome::Unknown].contains(&part.outcome));
        unknown += u32::from(part.outcome == Outcome::Unknown);
        for (known, found) in full.moves.iter().zip(&part.moves) {
            assert!([known.outcome, Outcome::Unknown].contains(&found.outcome));
            assert!([known.distance, None].contains(&found.distance));
        }
        assert!(full.line.starts_with(&part.line));
        if part.distance().is_some() {
            assert_eq!(part.distance(), full.distance());
        }
    }
    assert!(unknown > 0);
    let exact =
        solve(&position, Wanted::Distances, true, Some(Budget::nodes(full.nodes)), ONE, &mut Still)
            .unwrap();
    assert_eq!(exact, full);
}

#[test]
fn a_board_beyond_all_lines_is_unknown() {
    with_position!(&AnyPosition::empty(size(33, 33)), |empty| {
        let solution = solved(empty, Wanted::Outcome);
        assert_eq!((solution.outcome, solution.nodes), (Outcome::Unknown, 0));
    });
}

/// A second passes at each look.
struct Fast(u64);

impl Clock for Fast {
    fn now(&mut self) -> Duration {
        self.0 += 1;
        Duration::from_secs(self.0)
    }
}

#[test]
fn a_time_that_is_up_leaves_the_rest_unknown() {
    let empty = Position::<u128>::empty(size(9, 9));
    let budget = Budget::new(None, None, Some(Duration::from_secs(10))).unwrap();
    let solution = solve(&empty, Wanted::Moves, true, Some(budget), ONE, &mut Fast(0)).unwrap();
    assert_eq!(solution.outcome, Outcome::Unknown);
    assert!((1..100_000).contains(&solution.nodes), "{}", solution.nodes);
}

/// Wants an end when it is asked first.
struct Impatient;

impl Clock for Impatient {
    fn now(&mut self) -> Duration {
        Duration::ZERO
    }

    fn interrupted(&mut self) -> bool {
        true
    }
}

#[test]
fn an_interruption_ends_it_without_a_solution() {
    let empty = Position::<u128>::empty(size(9, 9));
    for wanted in [Wanted::Outcome, Wanted::Moves, Wanted::Line, Wanted::Distances] {
        let interrupted = solve(&empty, wanted, true, None, ONE, &mut Impatient);
        assert_eq!(interrupted, Err(Stop::Interrupted));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn all_widths_have_the_same_solution(any in any_position()) {
        let AnyPosition::Narrow(position) = any else { return Ok(()) };
        let solution = |wanted| solve(&position, wanted, true, Some(Budget::nodes(5_000)), ONE, &mut Still);
        let medium = in_width::<_, u128>(&position);
        let wide = in_width::<_, Wide>(&position);
        for wanted in [Wanted::Outcome, Wanted::Moves, Wanted::Line, Wanted::Distances] {
            prop_assert_eq!(solve(&medium, wanted, true, Some(Budget::nodes(5_000)), ONE, &mut Still), solution(wanted));
            prop_assert_eq!(solve(&wide, wanted, true, Some(Budget::nodes(5_000)), ONE, &mut Still), solution(wanted));
        }
    }

    #[test]
    fn in_a_line_the_winner_keeps_its_win(any in any_position()) {
        with_position!(&any, |position| {
            let solution = solve(position, Wanted::Line, true, Some(Budget::nodes(50_000)), ONE, &mut Still);
            let solution = solution.unwrap();
            let (mut on_line, mut expected) = (position.clone(), solution.outcome);
            for &to in &solution.line {
                prop_assert!(on_line.moves(on_line.to_move()).any(|cell| cell == to));
                let _ = on_line.make(to);
                expected = if expected == Outcome::Win { Outcome::Loss } else { Outcome::Win };
                let budget = Some(Budget::nodes(50_000));
                let found = solve(&on_line, Wanted::Outcome, true, budget, ONE, &mut Still).unwrap().outcome;
                prop_assert!([expected, Outcome::Unknown].contains(&found));
            }
            if solution.nodes < 50_000 && solution.outcome != Outcome::Unknown {
                prop_assert!(!on_line.can_move(on_line.to_move()));
            }
        });
    }

    #[test]
    fn a_game_is_judged_as_its_positions_are(any in any_position(), seed: u64) {
        with_position!(&any, |start| {
            let (mut random, mut position) = (Random::from_seed(seed), start.clone());
            let (mut moves, mut expected) = (Vec::new(), Vec::new());
            loop {
                let budget = Some(Budget::nodes(1_000));
                expected.push(solve(&position, Wanted::Outcome, true, budget, ONE, &mut Still).unwrap().outcome);
                let legal: Vec<Cell> = position.moves(position.to_move()).collect();
                if legal.is_empty() {
                    break;
                }
                let drawn = random.below(u32::try_from(legal.len()).unwrap());
                moves.push(legal[drawn as usize]);
                let _ = position.make(moves[moves.len() - 1]);
            }
            let judged = judge(start, &moves, Some(1_000), &mut Still).unwrap();
            prop_assert_eq!(judged.outcomes.len(), expected.len());
            let decided = judged.outcomes.iter().position(|&each| each != Outcome::Unknown).unwrap();
            prop_assert!(!judged.outcomes[decided..].contains(&Outcome::Unknown));
            for (found, expected) in judged.outcomes[decided..].iter().zip(&expected[decided..]) {
                prop_assert!(*expected == Outcome::Unknown || found == expected);
            }
            // It takes no more for a position than to solve it does.
            prop_assert!(decided == 0 || expected[..decided].contains(&Outcome::Unknown));
        });
    }

    #[test]
    fn threads_change_nothing(any in any_position(), nodes in 1_u64..20_000) {
        with_position!(&any, |position| {
            let budget = Some(Budget::nodes(nodes));
            for wanted in [Wanted::Outcome, Wanted::Moves, Wanted::Distances] {
                let on_one = solve(position, wanted, true, budget, ONE, &mut Still);
                let threads = NonZeroUsize::new(3).unwrap();
                prop_assert_eq!(solve(position, wanted, true, budget, threads, &mut Still), on_one);
            }
        });
    }

    #[test]
    fn asking_for_less_gives_the_same(any in any_position()) {
        with_position!(&any, |position| {
            let all = solve(position, Wanted::Distances, true, Some(Budget::nodes(50_000)), ONE, &mut Still).unwrap();
            let outcome = solve(position, Wanted::Outcome, true, Some(Budget::nodes(50_000)), ONE, &mut Still).unwrap();
            let moves = solve(position, Wanted::Moves, true, Some(Budget::nodes(50_000)), ONE, &mut Still).unwrap();
            prop_assert_eq!(outcome.outcome, all.outcome);
            prop_assert_eq!(moves.outcome, all.outcome);
            for (known, found) in all.moves.iter().zip(&moves.moves) {
                prop_assert_eq!((known.cell, known.outcome), (found.cell, found.outcome));
                prop_assert_eq!(found.distance, None);
            }
            prop_assert!(moves.line.is_empty() && outcome.line.is_empty());
        });
    }
}
