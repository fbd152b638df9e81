//! Exact play against brute force, and against what other programs found.

use std::collections::HashMap;
use std::time::Duration;

use isolation_core::{
    AnyPosition, Budget, Cell, CellSet, Clock, Outcome, Player, Position, Random, Solution, Stop,
    Wanted, Wide, solve, with_position,
};
use proptest::prelude::*;

use crate::by_hand::Board;
use crate::clocks::Still;
use crate::positions::{any_position, in_width, narrow, size};

/// Blank cells, both knights, and who is to move: all that the rest of the game depends on.
type Key = (u64, [Option<Cell>; 2], Player);

/// Every line of play to its end: who wins each position, and after how many moves.
#[derive(Default)]
struct BruteForce {
    known: HashMap<Key, (bool, u32)>,
}

impl BruteForce {
    fn key(position: &Position<u64>) -> Key {
        let places = Player::BOTH.map(|player| position.location(player));
        (*position.blank(), places, position.to_move())
    }

    /// Whether the player to move wins, and how many moves the game still has.
    fn judge(&mut self, position: &Position<u64>) -> (bool, u32) {
        let key = Self::key(position);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let (mut soonest, mut longest) = (None::<u32>, 0);
        for to in position.moves(position.to_move()) {
            let (opponent_wins, moves) = self.judge(&after(position, to));
            if opponent_wins {
                longest = longest.max(moves + 1);
            } else {
                soonest = Some(soonest.map_or(moves + 1, |least| least.min(moves + 1)));
            }
        }
        let judged = soonest.map_or((false, longest), |moves| (true, moves));
        self.known.insert(key, judged);
        judged
    }

    /// Compares all that a solution says with brute force.
    fn compare(&mut self, position: &Position<u64>) {
        let solution = solved(position, Wanted::Distances);
        let (wins, moves) = self.judge(position);
        assert_eq!(solution.outcome == Outcome::Win, wins, "{position}");
        assert_ne!(solution.outcome, Outcome::Unknown, "{position}");
        assert_eq!(solution.distance(), Some(moves), "{position}");
        let cells: Vec<Cell> = solution.moves.iter().map(|graded| graded.cell).collect();
        assert_eq!(cells, position.moves(position.to_move()).collect::<Vec<_>>());
        for graded in &solution.moves {
            let (opponent_wins, rest) = self.judge(&after(position, graded.cell));
            assert_eq!(graded.outcome == Outcome::Loss, opponent_wins, "{position}");
            assert_eq!(graded.distance, Some(rest + 1), "{position} {:?}", graded.cell);
        }
        // Each move of the line keeps result and distance, and the game ends with the last.
        let mut on_line = position.clone();
        for (made, &to) in solution.line.iter().enumerate() {
            assert!(on_line.reaches(on_line.to_move(), to) && on_line.blank().contains(to));
            let _ = on_line.make(to);
            let left = moves - u32::try_from(made + 1).unwrap();
            assert_eq!(self.judge(&on_line), (left % 2 == 1, left), "{position}");
        }
        assert!(!on_line.can_move(on_line.to_move()), "{position}");
    }
}

fn after<S: CellSet>(position: &Position<S>, to: Cell) -> Position<S> {
    let mut after = position.clone();
    let _ = after.make(to);
    after
}

fn solved<S: CellSet>(position: &Position<S>, wanted: Wanted) -> Solution {
    solve(position, wanted, None, &mut Still).unwrap()
}

/// Every position that play can reach from the empty board.
fn every_position(width: u64, height: u64) -> (BruteForce, Vec<Position<u64>>) {
    let mut brute = BruteForce::default();
    brute.judge(&Position::empty(size(width, height)));
    let of_key = |&(blank, places, to_move): &Key| {
        let mut position = Position::<u64>::empty(size(width, height));
        let blocked = |cell: &Cell| blank >> cell.0 & 1 == 0;
        let cells = (0..position.size().cells()).map(Cell);
        cells.filter(blocked).for_each(|cell| position.block(cell));
        for player in Player::BOTH {
            position.place(player, places[player.index()]);
        }
        position.set_to_move(to_move);
        position
    };
    let positions = brute.known.keys().map(of_key).collect();
    (brute, positions)
}

/// A position after random moves, with so many blank cells left and a move to make.
fn random_position(width: u64, height: u64, blank: u32, random: &mut Random) -> Position<u64> {
    loop {
        let mut position = Position::<u64>::empty(size(width, height));
        while position.blank().count() > blank && position.can_move(position.to_move()) {
            let player = position.to_move();
            let choice = random.below(position.mobility(player)) as usize;
            let to = position.moves(player).nth(choice).unwrap();
            let _ = position.make(to);
        }
        if position.can_move(position.to_move()) {
            return position;
        }
    }
}

/// How many openings the first player wins, and how many the second.
fn openings_won(width: u64, height: u64) -> (usize, usize) {
    let empty = Position::<u64>::empty(size(width, height));
    let placed = |position: &Position<u64>| {
        let after = |to| after(position, to);
        position.moves(position.to_move()).map(after).collect::<Vec<_>>()
    };
    let openings: Vec<_> = placed(&empty).iter().flat_map(placed).collect();
    let wins = |opening: &&Position<u64>| solved(*opening, Wanted::Outcome).outcome == Outcome::Win;
    let won = openings.iter().filter(wins).count();
    (won, openings.len() - won)
}

#[test]
fn every_position_of_every_board_to_4_by_4_is_as_brute_force_says() {
    let mut positions_seen = 0;
    for (width, height) in (1..=4).flat_map(|width| (1..=4).map(move |height| (width, height))) {
        let (mut brute, positions) = every_position(width, height);
        for position in &positions {
            brute.compare(position);
        }
        positions_seen += positions.len();
    }
    assert!(positions_seen > 100_000, "{positions_seen}");
}

#[test]
fn longer_and_larger_boards_are_as_brute_force_says() {
    let mut random = Random::from_seed(7);
    for (width, height, blank) in [(4, 5, 14), (5, 4, 16), (5, 5, 15), (5, 5, 17), (9, 2, 14)] {
        for _ in 0..40 {
            let position = random_position(width, height, blank, &mut random);
            BruteForce::default().compare(&position);
        }
    }
}

#[test]
fn late_positions_are_as_the_game_by_hand_says() {
    let mut random = Random::from_seed(11);
    for (blank, count) in [(22, 100), (18, 300), (12, 300)] {
        for _ in 0..count {
            let position = random_position(7, 7, blank, &mut random);
            let solution = solved(&position, Wanted::Moves);
            let board = Board::of(&position);
            assert_eq!(solution.outcome == Outcome::Win, board.mover_wins(), "{position}");
            for graded in solution.moves {
                let (row, column) = position.size().coordinates(graded.cell);
                let opponent_wins = board.after((row.into(), column.into())).mover_wins();
                assert_eq!(graded.outcome == Outcome::Loss, opponent_wins, "{position}");
            }
        }
    }
}

#[test]
fn openings_are_won_as_another_program_found() {
    for (width, height, first, second) in [
        (3, 3, 24, 48),
        (3, 5, 110, 100),
        (3, 9, 342, 360),
        (4, 4, 64, 176),
        (4, 7, 364, 392),
        (5, 4, 160, 220),
        (5, 5, 296, 304),
        (5, 6, 420, 450),
        (6, 6, 576, 684),
    ] {
        assert_eq!(openings_won(width, height), (first, second), "{width}x{height}");
    }
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

#[test]
fn a_budget_that_ends_leaves_unknown_what_is_not_certain() {
    let position = random_position(7, 7, 33, &mut Random::from_seed(3));
    let full = solved(&position, Wanted::Distances);
    let mut unknown = 0;
    for nodes in (1..=full.nodes).step_by(97) {
        let part =
            solve(&position, Wanted::Distances, Some(Budget::nodes(nodes)), &mut Still).unwrap();
        assert_eq!(part.nodes, nodes);
        assert!([full.outcome, Outcome::Unknown].contains(&part.outcome));
        unknown += u32::from(part.outcome == Outcome::Unknown);
        for (known, found) in full.moves.iter().zip(&part.moves) {
            assert!([known.outcome, Outcome::Unknown].contains(&found.outcome));
            assert!([known.distance, None].contains(&found.distance));
        }
        assert!(full.line.starts_with(&part.line));
    }
    assert!(unknown > 0);
    let exact =
        solve(&position, Wanted::Distances, Some(Budget::nodes(full.nodes)), &mut Still).unwrap();
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
    let solution = solve(&empty, Wanted::Moves, Some(budget), &mut Fast(0)).unwrap();
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
        let interrupted = solve(&empty, wanted, None, &mut Impatient);
        assert_eq!(interrupted, Err(Stop::Interrupted));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn all_widths_have_the_same_solution(any in any_position()) {
        let AnyPosition::Narrow(position) = any else { return Ok(()) };
        let solution = |wanted| solve(&position, wanted, Some(Budget::nodes(5_000)), &mut Still);
        let medium = in_width::<_, u128>(&position);
        let wide = in_width::<_, Wide>(&position);
        for wanted in [Wanted::Outcome, Wanted::Moves, Wanted::Line, Wanted::Distances] {
            prop_assert_eq!(solve(&medium, wanted, Some(Budget::nodes(5_000)), &mut Still), solution(wanted));
            prop_assert_eq!(solve(&wide, wanted, Some(Budget::nodes(5_000)), &mut Still), solution(wanted));
        }
    }

    #[test]
    fn in_a_line_the_winner_keeps_its_win(any in any_position()) {
        with_position!(&any, |position| {
            let solution = solve(position, Wanted::Line, Some(Budget::nodes(50_000)), &mut Still);
            let solution = solution.unwrap();
            let (mut on_line, mut expected) = (position.clone(), solution.outcome);
            for &to in &solution.line {
                prop_assert!(on_line.moves(on_line.to_move()).any(|cell| cell == to));
                let _ = on_line.make(to);
                expected = if expected == Outcome::Win { Outcome::Loss } else { Outcome::Win };
                let budget = Some(Budget::nodes(50_000));
                let found = solve(&on_line, Wanted::Outcome, budget, &mut Still).unwrap().outcome;
                prop_assert!([expected, Outcome::Unknown].contains(&found));
            }
            if solution.nodes < 50_000 && solution.outcome != Outcome::Unknown {
                prop_assert!(!on_line.can_move(on_line.to_move()));
            }
        });
    }

    #[test]
    fn asking_for_less_gives_the_same(any in any_position()) {
        with_position!(&any, |position| {
            let all = solve(position, Wanted::Distances, Some(Budget::nodes(50_000)), &mut Still).unwrap();
            let outcome = solve(position, Wanted::Outcome, Some(Budget::nodes(50_000)), &mut Still).unwrap();
            let moves = solve(position, Wanted::Moves, Some(Budget::nodes(50_000)), &mut Still).unwrap();
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
