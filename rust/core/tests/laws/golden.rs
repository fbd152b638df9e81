//! Positions whose moves, values and outcomes other code than ours worked out.

use std::num::NonZeroUsize;

use isolation_core::{
    AnyPosition, Budget, CellSet, Method, Mode, Options, Outcome, Player, Position, Reason, Wanted,
    heuristics, search, solve, with_position,
};
use serde_json::Value;

use crate::clocks::Still;
use crate::positions::size;
use crate::vectors::{cell_of, lines_of, number_of};

/// What is followed to the end of every line in a moment.
const MOST_BLANK_TO_SOLVE: u32 = 20;

fn played(line: &Value) -> AnyPosition {
    let of = |key: &str| line[key].as_u64().unwrap();
    let mut any = AnyPosition::empty(size(of("width"), of("height")));
    with_position!(&mut any, |position| {
        for place in line["moves"].as_array().unwrap() {
            let to = cell_of(position.size(), place).unwrap();
            position.jump(position.to_move(), to);
        }
    });
    any
}

fn moves_agree<S: CellSet>(position: &Position<S>, line: &Value) {
    for player in Player::BOTH {
        let mut found: Vec<(u32, u32)> =
            position.moves(player).map(|cell| position.size().coordinates(cell)).collect();
        found.sort_unstable();
        let expected = line["legal"][player.index()].as_array().unwrap();
        let found: Vec<Value> =
            found.iter().map(|&(row, column)| [row, column].to_vec().into()).collect();
        assert_eq!(&found, expected, "{position}");
    }
}

fn values_agree<S: CellSet>(position: &Position<S>, line: &Value) {
    for (name, values) in line["values"].as_object().unwrap() {
        let heuristic = heuristics::find(name).unwrap();
        for player in Player::BOTH {
            let expected = number_of(&values[player.index()]).unwrap();
            let found = heuristic.value(position, player);
            let equal = found.total_cmp(&expected).is_eq() || (found - expected).abs() < 1e-9;
            assert!(equal, "{name} is {found}, not {expected} for {player:?} at {position}");
        }
    }
}

fn minimax_agrees<S: CellSet>(position: &Position<S>, line: &Value) -> usize {
    let mut compared = 0;
    for (key, name, depth) in [("minimax3_improved", "improved", 3), ("minimax2_open", "open", 2)] {
        let Some(expected) = line.get(key) else { continue };
        let heuristic = heuristics::find(name).unwrap();
        let alphabeta = Options::new(Budget::depth(depth));
        let minimax = Options { method: Method::Minimax, ..alphabeta };
        let report = search(position, &mut &*heuristic, &mut Still, &minimax).unwrap();
        let value = number_of(&expected[0]).unwrap();
        assert_eq!((report.value, report.nodes), (Some(value), expected[1].as_u64().unwrap()));
        for mode in [Mode::Plain, Mode::Fast] {
            let options = Options { mode, ..alphabeta };
            let same = search(position, &mut &*heuristic, &mut Still, &options).unwrap();
            assert_eq!(same.value, Some(value), "{position}");
        }
        compared += 1;
    }
    compared
}

fn outcome_agrees<S: CellSet>(position: &Position<S>, line: &Value) {
    let Some(wins) = line.get("side_to_move_wins").and_then(Value::as_bool) else { return };
    if position.blank().count() > MOST_BLANK_TO_SOLVE {
        return;
    }
    let null = heuristics::find("null").unwrap();
    let options =
        Options { mode: Mode::Fast, ..Options::new(Budget::depth(MOST_BLANK_TO_SOLVE + 1)) };
    let report = search(position, &mut &*null, &mut Still, &options).unwrap();
    let value = if wins { f64::INFINITY } else { f64::NEG_INFINITY };
    assert_eq!((report.value, report.reason), (Some(value), Reason::Exhausted), "{position}");
}

fn solution_agrees<S: CellSet>(position: &Position<S>, line: &Value) -> bool {
    let Some(wins) = line.get("side_to_move_wins").and_then(Value::as_bool) else { return false };
    let solution =
        solve(position, Wanted::Outcome, true, None, NonZeroUsize::MIN, &mut Still).unwrap();
    let outcome = if wins { Outcome::Win } else { Outcome::Loss };
    assert_eq!(solution.outcome, outcome, "{position}");
    true
}

#[test]
fn golden_positions_are_as_others_found_them() {
    let lines = lines_of("golden.jsonl");
    let (mut compared, mut solved) = (0, 0);
    for line in &lines {
        with_position!(&played(line), |position| {
            moves_agree(position, line);
            values_agree(position, line);
            compared += minimax_agrees(position, line);
            outcome_agrees(position, line);
            solved += usize::from(solution_agrees(position, line));
        });
    }
    assert!(lines.len() >= 50 && compared >= 50 && solved >= 50, "{solved}");
}
