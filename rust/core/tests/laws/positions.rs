//! Random positions of all sizes and stages, and the same position in another width.

use std::sync::Arc;

use isolation_core::{
    AnyPosition, Cell, CellSet, NativeHeuristic, Player, Position, Random, Size, heuristics, perft,
    with_position,
};
use proptest::prelude::*;

use crate::clocks::Still;

/// Both sides of every width of a set, in several shapes.
const EDGES: [(u64, u64); 12] = [
    (8, 8),
    (64, 1),
    (4, 16),
    (13, 5),
    (5, 13),
    (11, 9),
    (16, 8),
    (128, 1),
    (2, 64),
    (43, 3),
    (3, 43),
    (12, 12),
];

pub(crate) fn size(width: u64, height: u64) -> Size {
    Size::new(width, height).unwrap()
}

pub(crate) fn parsed(text: &str) -> AnyPosition {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// A position on a board of up to 64 cells: for laws that have nothing to do with widths.
pub(crate) fn narrow(text: &str) -> Position<u64> {
    match parsed(text) {
        AnyPosition::Narrow(position) => position,
        _ => panic!("{text} has more than 64 cells"),
    }
}

fn any_size() -> impl Strategy<Value = Size> {
    prop_oneof![
        3 => (1..=9_u64, 1..=9_u64),
        1 => prop::sample::select(&EDGES),
    ]
    .prop_map(|(width, height)| size(width, height))
}

prop_compose! {
    /// A position after so many random moves on a board some cells of which were blocked before.
    pub(crate) fn any_position()(
        size in any_size(),
        seed in any::<u64>(),
        plies in 0..30_u32,
        blocked in prop_oneof![Just(0_u32), 0..70_u32],
        unchecked in prop::bool::weighted(0.2),
    ) -> AnyPosition {
        let mut any = AnyPosition::empty(size);
        let mut random = Random::from_seed(seed);
        with_position!(&mut any, |position| {
            scatter(position, &mut random, blocked);
            wander(position, &mut random, plies, unchecked);
        });
        any
    }
}

/// Blocks that many cells of a hundred, and gives either player the turn.
fn scatter<S: CellSet>(position: &mut Position<S>, random: &mut Random, percent: u32) {
    for cell in (0..position.size().cells()).map(Cell) {
        if random.below(100) < percent {
            position.block(cell);
        }
    }
    position.set_to_move(Player::BOTH[random.below(2) as usize]);
}

/// Makes random moves, if asked some of them to any cell at all.
fn wander<S: CellSet>(
    position: &mut Position<S>,
    random: &mut Random,
    plies: u32,
    unchecked: bool,
) {
    for _ in 0..plies {
        let moves: Vec<Cell> = position.moves(position.to_move()).collect();
        if unchecked && random.below(6) == 0 {
            let to = Cell(random.below(position.size().cells()));
            position.jump(position.to_move(), to);
        } else if moves.is_empty() {
            return;
        } else {
            let _ =
                position.make(moves[random.below(u32::try_from(moves.len()).unwrap()) as usize]);
        }
    }
}

/// The same position in another width, which must be wide enough.
pub(crate) fn in_width<S: CellSet, T: CellSet>(position: &Position<S>) -> Position<T> {
    let mut same = Position::empty(position.size());
    for cell in (0..position.size().cells()).map(Cell) {
        if !position.blank().contains(cell) {
            same.block(cell);
        }
    }
    for player in Player::BOTH {
        same.place(player, position.location(player));
    }
    same.set_to_move(position.to_move());
    same
}

/// The largest depth, 12 at most, to which there are no more than so many lines; at least 1.
pub(crate) fn affordable_depth<S: CellSet>(position: &Position<S>, most_lines: u64) -> u32 {
    let lines = |depth: &u32| perft(position, *depth, &mut Still).unwrap();
    (2..=12).take_while(|depth| lines(depth) <= most_lines).last().unwrap_or(1)
}

/// How many positions may be walked for one value.
const QUICK: u64 = 300;

/// The heuristics that can be asked about the position, and those below it, in a moment: all of those
/// that do not walk, and those that do where there is little to walk.
pub(crate) fn quick<S: CellSet>(
    position: &Position<S>,
) -> impl Iterator<Item = &'static Arc<NativeHeuristic>> {
    let tree = heuristics::find("continuations").unwrap();
    let little = tree.value_within(position, Player::One, QUICK, &mut Still).is_ok();
    heuristics::all().iter().filter(move |heuristic| little || !heuristic.walks())
}

/// Any one of them: for laws that are dear to try.
pub(crate) fn one_of_quick<S: CellSet>(
    position: &Position<S>,
    bits: u64,
) -> &'static NativeHeuristic {
    let count = quick(position).count() as u64;
    quick(position).nth(usize::try_from(bits % count).unwrap()).unwrap()
}

/// A position after random moves, with so many blank cells left and a move to make.
pub(crate) fn random_position(
    width: u64,
    height: u64,
    blank: u32,
    random: &mut Random,
) -> Position<u64> {
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
