//! Moves, their undoing, the hash and the notation.

use std::cmp::Ordering;

use isolation_core::{
    AnyPosition, Cell, CellSet, Player, Position, heuristics, perft, perft_made, with_position,
};
use proptest::prelude::*;

use crate::by_hand::Board;
use crate::clocks::Still;
use crate::positions::{affordable_depth, any_position, in_width, parsed, quick};

/// Makes and takes back all lines of so many plies, and says whether each was restored.
fn restored<S: CellSet>(position: &mut Position<S>, plies: u32) -> bool {
    let before = position.clone();
    plies == 0
        || position.moves(position.to_move()).all(|cell| {
            let undo = position.make(cell);
            let changed = !position.blank().contains(cell)
                && position.location(before.to_move()) == Some(cell)
                && position.to_move() != before.to_move()
                && position.hash() != before.hash();
            let below = restored(position, plies - 1);
            position.unmake(undo);
            changed && below && *position == before && position.hash() == before.hash()
        })
}

fn values<S: CellSet>(position: &Position<S>) -> Vec<f64> {
    let both = |heuristic: &heuristics::NativeHeuristic| {
        Player::BOTH.map(|player| heuristic.value(position, player))
    };
    quick(position).flat_map(|heuristic| both(heuristic)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn undo_restores_all(mut any in any_position()) {
        with_position!(&mut any, |position| {
            let plies = affordable_depth(position, 2_000).min(5);
            prop_assert!(restored(position, plies));
        });
    }

    #[test]
    fn a_move_is_listed_iff_it_is_legal(any in any_position()) {
        with_position!(&any, |position| {
            let by_hand = Board::of(position);
            let size = position.size();
            for player in Player::BOTH {
                let listed: Vec<Cell> = position.moves(player).collect();
                let legal: Vec<Cell> = (0..size.cells())
                    .map(Cell)
                    .filter(|&cell| {
                        let (row, column) = size.coordinates(cell);
                        by_hand.is_legal(player, (row.into(), column.into()))
                    })
                    .collect();
                prop_assert_eq!(&listed, &legal);
                prop_assert_eq!(position.mobility(player) as usize, legal.len());
                prop_assert_eq!(position.can_move(player), !legal.is_empty());
                let from: Vec<Cell> = position.moves_from(position.location(player)).collect();
                prop_assert_eq!(&from, &legal);
                for cell in (0..size.cells()).map(Cell) {
                    let may = position.reaches(player, cell) && position.blank().contains(cell);
                    prop_assert_eq!(may, legal.contains(&cell));
                }
            }
            let blank = (0..size.cells()).map(Cell).filter(|&cell| position.blank().contains(cell));
            prop_assert_eq!(position.blank().cells().collect::<Vec<_>>(), blank.collect::<Vec<_>>());
        });
    }

    #[test]
    fn the_text_says_the_whole_position(any in any_position()) {
        let text = any.to_string();
        let read: AnyPosition = text.parse().unwrap();
        prop_assert_eq!(&read, &any);
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn hash_and_heuristics_do_not_depend_on_history(mut any in any_position()) {
        let read = parsed(&any.to_string());
        let scratch = with_position!(&read, |position| (position.hash(), values(position)));
        with_position!(&mut any, |position| {
            prop_assert_eq!((position.hash(), values(position)), scratch.clone());
            let _ = perft_made(position, affordable_depth(position, 500));
            prop_assert_eq!((position.hash(), values(position)), scratch);
        });
    }

    #[test]
    fn values_are_those_by_hand(any in any_position()) {
        with_position!(&any, |position| {
            let by_hand = Board::of(position);
            for heuristic in quick(position) {
                for player in Player::BOTH {
                    let value = heuristic.value(position, player);
                    let expected = by_hand.score(&heuristic.name, player);
                    let equal = value.partial_cmp(&expected) == Some(Ordering::Equal);
                    prop_assert!(equal, "{} is {value}, not {expected}", heuristic.name);
                }
            }
        });
    }

    #[test]
    fn counting_the_last_moves_is_making_them(mut any in any_position()) {
        with_position!(&mut any, |position| {
            for depth in 0..=affordable_depth(position, 5_000) {
                let counted = perft(position, depth, &mut Still).unwrap();
                prop_assert_eq!(counted, perft_made(position, depth));
            }
        });
    }

    #[test]
    fn a_jump_is_a_move_without_a_question(mut any in any_position(), place in any::<u32>()) {
        with_position!(&mut any, |position| {
            let (player, before) = (position.to_move(), position.clone());
            let to = Cell(place % position.size().cells());
            position.jump(player, to);
            prop_assert_eq!(position.location(player), Some(to));
            prop_assert_eq!(position.location(player.opponent()), before.location(player.opponent()));
            prop_assert_eq!(position.to_move(), player.opponent());
            let mut blank: Vec<Cell> = before.blank().cells().collect();
            blank.retain(|&cell| cell != to);
            prop_assert_eq!(position.blank().cells().collect::<Vec<_>>(), blank);
            if before.blank().contains(to) {
                let mut moved = before;
                let _ = moved.make(to);
                prop_assert_eq!(&*position, &moved);
            }
        });
    }

    #[test]
    fn different_positions_have_different_hashes(one in any_position(), other in any_position()) {
        let hash = |any: &AnyPosition| with_position!(any, |position| position.hash());
        prop_assert_eq!(one == other, hash(&one) == hash(&other));
    }

    #[test]
    fn a_copy_by_parts_is_the_position(any in any_position()) {
        with_position!(&any, |position| prop_assert_eq!(&in_width(position), position));
    }
}
