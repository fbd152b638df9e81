//! All widths of a set of cells say the same, wherever two of them fit.

use isolation_core::{
    Agent, AnyPosition, Budget, Cell, CellSet, Game, Geometry, Method, Mode, NativeHeuristic,
    Options, Player, Position, Report, Wide, heuristics, perft, play_game, search, with_position,
};
use proptest::prelude::*;

use crate::clocks::Still;
use crate::positions::{affordable_depth, any_position, in_width, one_of_quick, quick};

/// All that a position can be asked for.
#[derive(Debug, PartialEq)]
struct Answers {
    text: String,
    hash: u64,
    blank: (u32, Vec<Cell>),
    moves: [Vec<Cell>; 2],
    counts: [(u32, bool); 2],
    values: Vec<[f64; 2]>,
    lines: u64,
    reports: Vec<Report>,
    game: Game,
}

fn answers<S: CellSet>(position: &Position<S>, depth: u32, bits: u64) -> Answers {
    let reported = |heuristic: &NativeHeuristic, method, mode| {
        let budget = Budget::new(None, Some(300), None).unwrap();
        let options = Options {
            method,
            mode,
            order_bits: bits,
            root_values: bits.is_multiple_of(2),
            ..Options::new(budget)
        };
        search(position, &mut &*heuristic, &mut Still, &options).unwrap()
    };
    let by_all_searches = |heuristic: &NativeHeuristic| {
        [
            reported(heuristic, Method::Minimax, Mode::Plain),
            reported(heuristic, Method::AlphaBeta, Mode::Plain),
            reported(heuristic, Method::AlphaBeta, Mode::Fast),
        ]
    };
    let greedy = Agent::Greedy(heuristics::find("improved").unwrap().into());
    Answers {
        text: position.to_string(),
        hash: position.hash(),
        blank: (position.blank().count(), position.blank().cells().collect()),
        moves: Player::BOTH.map(|player| position.moves(player).collect()),
        counts: Player::BOTH.map(|player| (position.mobility(player), position.can_move(player))),
        values: quick(position)
            .map(|heuristic| Player::BOTH.map(|player| heuristic.value(position, player)))
            .collect(),
        lines: perft(position, depth, &mut Still).unwrap(),
        reports: by_all_searches(one_of_quick(position, bits)).to_vec(),
        game: play_game([&Agent::Random, &greedy], position, bits, &mut Still).unwrap(),
    }
}

fn crowded_cells_are_counted<S: CellSet>(position: &Position<S>) {
    let geometry = Geometry::<S>::of(position.size());
    let cells = || (0..position.size().cells()).map(Cell);
    for (found, least) in position.blank().crowded(&geometry).into_iter().zip([2, 3]) {
        let expected = cells().filter(|&cell| position.mobility_from(cell) >= least);
        assert_eq!(found.cells().collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_crowded_cell_has_so_many_blank_ones_in_reach(any in any_position()) {
        with_position!(&any, |position| crowded_cells_are_counted(position));
    }

    #[test]
    fn widths_agree(any in any_position(), bits in any::<u64>()) {
        let (narrow, medium): (Option<Position<u64>>, Option<Position<u128>>) = match &any {
            AnyPosition::Narrow(position) => (Some(position.clone()), Some(in_width(position))),
            AnyPosition::Medium(position) => (None, Some(position.clone())),
            AnyPosition::Wide(_) => (None, None),
        };
        let Some(medium) = medium else { return Ok(()) };
        let depth = affordable_depth(&medium, 2_000);
        let wide: Position<Wide> = in_width(&medium);
        let said = answers(&wide, depth, bits);
        prop_assert_eq!(&answers(&medium, depth, bits), &said);
        if let Some(narrow) = narrow {
            prop_assert_eq!(&answers(&narrow, depth, bits), &said);
        }
    }
}

#[test]
fn a_board_gets_the_narrowest_width() {
    for (width, height, expected) in [
        (8, 8, "narrow"),
        (64, 1, "narrow"),
        (13, 5, "medium"),
        (1, 65, "medium"),
        (16, 8, "medium"),
        (43, 3, "wide"),
        (1, 129, "wide"),
    ] {
        let any = AnyPosition::empty(crate::positions::size(width, height));
        let found = match any {
            AnyPosition::Narrow(_) => "narrow",
            AnyPosition::Medium(_) => "medium",
            AnyPosition::Wide(_) => "wide",
        };
        assert_eq!(found, expected, "{width}x{height}");
    }
}
