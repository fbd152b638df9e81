//! Small boards solved to the end, against brute force and against what another program found.

use isolation_core::{
    AnyPosition, Budget, CellSet, Mode, Options, Position, Reason, heuristics, search,
    with_position,
};

use crate::by_hand::Board;
use crate::clocks::Still;
use crate::positions::size;

/// Whether the player to move wins, by a search to the end of every line.
fn mover_wins<S: CellSet>(position: &Position<S>, mode: Mode) -> bool {
    let null = heuristics::find("null").unwrap();
    let options = Options { mode, ..Options::new(Budget::depth(position.size().cells())) };
    let report = search(position, &mut &*null, &mut Still, &options).unwrap();
    assert_eq!(report.reason, Reason::Exhausted);
    // In a finished game the value is never that of a game that goes on.
    assert!(report.value.unwrap().is_infinite());
    report.value == Some(f64::INFINITY)
}

/// All positions after both placements.
fn openings<S: CellSet>(empty: &Position<S>) -> Vec<Position<S>> {
    let after_one = |position: &Position<S>| {
        let moves = position.moves(position.to_move());
        moves
            .map(|cell| {
                let mut after = position.clone();
                let _ = after.make(cell);
                after
            })
            .collect::<Vec<_>>()
    };
    after_one(empty).iter().flat_map(after_one).collect()
}

#[test]
fn a_search_to_the_end_is_brute_force() {
    for (width, height) in [(1, 4), (2, 3), (2, 5), (3, 3), (3, 4), (4, 3)] {
        with_position!(&AnyPosition::empty(size(width, height)), |empty| {
            for opening in openings(empty) {
                let expected = Board::of(&opening).mover_wins();
                for mode in [Mode::Plain, Mode::Fast] {
                    assert_eq!(mover_wins(&opening, mode), expected, "{opening}");
                }
            }
        });
    }
}

#[test]
fn openings_are_won_as_another_program_found() {
    for (width, height, first, second) in
        [(3, 3, 24, 48), (3, 5, 110, 100), (3, 7, 220, 200), (4, 4, 64, 176), (4, 5, 160, 220)]
    {
        with_position!(&AnyPosition::empty(size(width, height)), |empty| {
            let openings = openings(empty);
            let won = openings.iter().filter(|opening| mover_wins(opening, Mode::Fast)).count();
            assert_eq!((won, openings.len() - won), (first, second), "{width}x{height}");
        });
    }
}

#[test]
fn the_second_player_wins_where_both_place_freely() {
    for (width, height) in [(3, 3), (3, 4), (3, 5), (4, 4)] {
        with_position!(&AnyPosition::empty(size(width, height)), |empty| {
            assert!(!mover_wins(empty, Mode::Fast), "{width}x{height}");
        });
    }
}
