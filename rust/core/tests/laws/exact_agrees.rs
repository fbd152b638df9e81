//! Exact play against brute force, a second solver, and what other programs found.

use std::collections::HashMap;

use isolation_core::{Cell, CellSet, Outcome, Player, Position, Random, Wanted};

use crate::by_hand::Board;
use crate::exact::solved;
use crate::positions::{random_position, size};
use crate::second_solver::SecondSolver;

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

pub(crate) fn after<S: CellSet>(position: &Position<S>, to: Cell) -> Position<S> {
    let mut after = position.clone();
    let _ = after.make(to);
    after
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

/// Every position after both placements.
fn openings(width: u64, height: u64) -> Vec<Position<u64>> {
    let empty = Position::<u64>::empty(size(width, height));
    let placed = |position: &Position<u64>| {
        let after = |to| after(position, to);
        position.moves(position.to_move()).map(after).collect::<Vec<_>>()
    };
    placed(&empty).iter().flat_map(placed).collect()
}

/// How many openings the first player wins, and how many the second.
fn openings_won(width: u64, height: u64) -> (usize, usize) {
    let openings = openings(width, height);
    let wins = |opening: &&Position<u64>| solved(*opening, Wanted::Outcome).outcome == Outcome::Win;
    let won = openings.iter().filter(wins).count();
    (won, openings.len() - won)
}

/// Compares every position of these boards with brute force; gives how many there are.
fn compare_every_position(boards: impl Iterator<Item = (u64, u64)>) -> usize {
    let of_board = |(width, height)| {
        let (mut brute, positions) = every_position(width, height);
        for position in &positions {
            brute.compare(position);
        }
        positions.len()
    };
    boards.map(of_board).sum()
}

#[test]
fn every_position_of_every_board_to_4_by_4_is_as_brute_force_says() {
    let boards = (1..=4).flat_map(|width| (1..=4).map(move |height| (width, height)));
    let positions = compare_every_position(boards);
    assert!(positions > 100_000, "{positions}");
}

#[test]
fn every_position_of_a_smaller_board_with_a_side_of_5_is_as_brute_force_says() {
    compare_every_position((1..=3).flat_map(|side| [(side, 5), (5, side)]));
}

#[test]
#[ignore = "minutes"]
fn every_position_of_4_by_5_is_as_brute_force_says() {
    let positions = compare_every_position([(4, 5), (5, 4)].into_iter());
    assert!(positions > 3_000_000, "{positions}");
}

/// Compares the outcome of each move with a second solver.
fn compare_with_second_solver(position: &Position<u64>) {
    let (mut second, [own, opponent]) = SecondSolver::of(position);
    let solution = solved(position, Wanted::Moves);
    let moves = second.moves(own);
    assert_eq!(solution.moves.len(), moves.len());
    for to in moves {
        let (row, column) = second.row_and_column(to);
        let cell = position.size().cell(row, column);
        let graded = solution.moves.iter().find(|graded| Some(graded.cell) == cell).unwrap();
        let expected = if second.move_wins(to, opponent) { Outcome::Win } else { Outcome::Loss };
        assert_eq!(graded.outcome, expected, "{position} {cell:?}");
    }
    let wins = solution.moves.iter().any(|graded| graded.outcome == Outcome::Win);
    assert_eq!(solution.outcome == Outcome::Win, wins, "{position}");
}

/// Compares so many random positions of 7 by 7 with so many blank cells.
fn compare_random_positions(seed: u64, counts: &[(u32, u32)]) {
    let mut random = Random::from_seed(seed);
    for &(blank, count) in counts {
        for _ in 0..count {
            compare_with_second_solver(&random_position(7, 7, blank, &mut random));
        }
    }
}

#[test]
fn openings_of_5_by_5_are_as_a_second_solver_says() {
    openings(5, 5).iter().for_each(compare_with_second_solver);
}

#[test]
#[ignore = "minutes, and gigabytes"]
fn openings_of_5_by_5_are_as_brute_force_says() {
    let mut brute = BruteForce::default();
    for opening in openings(5, 5) {
        let (wins, _) = brute.judge(&opening);
        let solution = solved(&opening, Wanted::Moves);
        assert_eq!(solution.outcome == Outcome::Win, wins, "{opening}");
        for graded in solution.moves {
            let (opponent_wins, _) = brute.judge(&after(&opening, graded.cell));
            assert_eq!(graded.outcome == Outcome::Loss, opponent_wins, "{opening}");
        }
    }
}

#[test]
fn random_positions_are_as_a_second_solver_says() {
    compare_random_positions(
        13,
        &[(41, 10), (38, 90), (35, 200), (32, 200), (29, 200), (25, 200), (20, 100)],
    );
}

#[test]
#[ignore = "minutes"]
fn early_positions_are_as_a_second_solver_says() {
    compare_random_positions(17, &[(47, 20), (45, 30), (43, 50)]);
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
