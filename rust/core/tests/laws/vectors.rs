//! The files of `tests/vectors`, which pytest reads too.

use std::fs;
use std::path::Path;

use isolation_core::{
    AnyPosition, Budget, Cell, CellSet, Method, Options, Position, Size, heuristics, perft,
    perft_made, search, shuffle, with_position,
};
use serde_json::Value;

use crate::clocks::Still;
use crate::positions::parsed;

pub(crate) fn lines_of(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors").join(name);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!lines.is_empty());
    lines
}

/// A number, or an infinity as text.
pub(crate) fn number_of(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

/// A cell as [row, column].
pub(crate) fn cell_of(size: Size, place: &Value) -> Option<Cell> {
    size.cell(place[0].as_i64()?, place[1].as_i64()?)
}

fn text_of<'a>(line: &'a Value, key: &str) -> &'a str {
    line[key].as_str().unwrap_or_else(|| panic!("{key} of {line}"))
}

#[test]
fn perft_counts() {
    for line in lines_of("perft.jsonl") {
        let mut any = parsed(text_of(&line, "position"));
        with_position!(&mut any, |position| {
            for (depth, count) in (1..).zip(line["counts"].as_array().unwrap()) {
                let count = count.as_u64().unwrap();
                assert_eq!(perft(position, depth, &mut Still), Ok(count), "{position}");
                assert_eq!(perft_made(position, depth), count, "{position}");
            }
        });
    }
}

#[test]
fn notation() {
    for line in lines_of("notation.jsonl") {
        let found = text_of(&line, "text").parse::<AnyPosition>();
        match (line.get("canonical").and_then(Value::as_str), found) {
            (Some(canonical), Ok(position)) => assert_eq!(position.to_string(), canonical),
            (None, Err(error)) => {
                let expected = text_of(&line, "error");
                assert!(error.to_string().contains(expected), "{error} does not say {expected:?}");
            }
            (_, found) => panic!("{line} gives {found:?}"),
        }
    }
}

#[test]
fn order_of_moves() {
    for line in lines_of("order.jsonl") {
        let of = |key: &str| line[key].as_u64().unwrap();
        let origin = Cell(u32::try_from(of("origin")).unwrap());
        let mut order: Vec<u64> = (0..of("count")).collect();
        shuffle(&mut order, of("bits"), origin);
        let expected: Vec<u64> =
            line["order"].as_array().unwrap().iter().map(|place| place.as_u64().unwrap()).collect();
        assert_eq!(order, expected, "{line}");
        with_position!(&parsed(text_of(&line, "position")), |position| {
            assert_eq!(position.location(position.to_move()), Some(origin));
            let mut moves: Vec<Cell> = position.moves(position.to_move()).collect();
            shuffle(&mut moves, of("bits"), origin);
            let places = line["moves"].as_array().unwrap();
            let expected: Vec<Cell> =
                places.iter().map(|place| cell_of(position.size(), place).unwrap()).collect();
            assert_eq!(moves, expected, "{line}");
        });
    }
}

fn search_agrees<S: CellSet>(position: &Position<S>, line: &Value) {
    let heuristic = heuristics::find(text_of(line, "heuristic")).unwrap();
    let depth = line["budget"]["depth"].as_u64().map(|depth| u32::try_from(depth).unwrap());
    let budget = Budget::new(depth, line["budget"]["nodes"].as_u64(), None).unwrap();
    let method = match text_of(line, "method") {
        "minimax" => Method::Minimax,
        _ => Method::AlphaBeta,
    };
    let order_bits = line["bits"].as_u64().unwrap();
    let options = Options { method, order_bits, ..Options::new(budget) };
    let report = search(position, &mut &*heuristic, &mut Still, &options).unwrap();
    assert_eq!(report.best, cell_of(position.size(), &line["move"]), "{line}");
    assert_eq!(report.value, number_of(&line["value"]), "{line}");
    let (nodes, depth) = (Value::from(report.nodes), Value::from(report.depth));
    assert_eq!((&nodes, &depth), (&line["nodes"], &line["depth"]), "{line}");
    assert_eq!(report.reason.as_str(), text_of(line, "reason"), "{line}");
}

#[test]
fn searches() {
    for line in lines_of("search.jsonl") {
        with_position!(&parsed(text_of(&line, "position")), |position| {
            search_agrees(position, &line);
        });
    }
}
