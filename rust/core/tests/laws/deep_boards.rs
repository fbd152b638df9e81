//! Boards on which lines are longer than a machine's stack is deep, or lists of moves very long.

use std::thread;
use std::time::{Duration, Instant};

use isolation_core::{
    AnyPosition, Budget, Failure, MAX_PLIES, Method, Mode, Options, Reason, heuristics, perft,
    search, with_position,
};

use crate::clocks::Still;
use crate::positions::{parsed, size};

/// Threads of Python on some systems have no more.
const SMALL_STACK: usize = 512 * 1024;

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(SMALL_STACK).spawn(test).unwrap().join().unwrap();
}

/// Two columns, a knight at the top and one beside it: each goes down for half as many moves as there
/// are rows, and every move is forced after the first.
fn corridor(rows: usize) -> AnyPosition {
    let below = "/2".repeat(rows - 1);
    parsed(&format!("2x{rows} xx{below} 0,0 0,1 1"))
}

#[test]
fn the_deepest_search_fits_a_small_stack() {
    on_a_small_stack(|| {
        let improved = heuristics::find("improved").unwrap();
        with_position!(&corridor(4096), |position| {
            for (method, mode) in [
                (Method::Minimax, Mode::Plain),
                (Method::AlphaBeta, Mode::Plain),
                (Method::AlphaBeta, Mode::Fast),
            ] {
                let options = Options { method, mode, ..Options::new(Budget::depth(MAX_PLIES)) };
                let report = search(position, &mut &*improved, &mut Still, &options).unwrap();
                assert_eq!((report.depth, report.reason), (MAX_PLIES, Reason::Depth));
                assert!(report.nodes >= u64::from(MAX_PLIES));
            }
        });
    });
}

#[test]
fn the_deepest_search_of_a_whole_game_fits_a_small_stack() {
    on_a_small_stack(|| {
        let improved = heuristics::find("improved").unwrap();
        // 2 x 512 rows: each knight makes 255 or 256 moves, so the end comes before the limit.
        with_position!(&corridor(512), |position| {
            let options = Options::new(Budget::depth(u32::MAX));
            let found = search(position, &mut &*improved, &mut Still, &options);
            let options = Options::new(Budget::depth(MAX_PLIES));
            let report = search(position, &mut &*improved, &mut Still, &options).unwrap();
            assert_eq!(report.reason, Reason::Exhausted);
            assert_eq!(found.unwrap().value, report.value);
        });
    });
}

#[test]
fn a_deeper_search_is_refused() {
    let improved = heuristics::find("improved").unwrap();
    with_position!(&corridor(4096), |position| {
        for depth in [MAX_PLIES + 1, u32::MAX] {
            let options = Options::new(Budget::depth(depth));
            let found = search(position, &mut &*improved, &mut Still, &options);
            assert_eq!(found, Err(Failure::TooDeep(depth)));
        }
        // Deepening goes as far as it may, whatever the limit of depth.
        for depth in [None, Some(MAX_PLIES + 1), Some(u32::MAX)] {
            let budget = Budget::new(depth, Some(10_000_000), None).unwrap();
            let found = search(position, &mut &*improved, &mut Still, &Options::new(budget));
            let report = found.unwrap();
            assert_eq!((report.depth, report.reason), (MAX_PLIES, Reason::Depth));
        }
    });
}

#[test]
fn the_deepest_perft_fits_a_small_stack() {
    on_a_small_stack(|| {
        with_position!(&corridor(4096), |position| {
            assert_eq!(perft(position, MAX_PLIES, &mut Still), Ok(1));
            assert_eq!(
                perft(position, MAX_PLIES + 1, &mut Still),
                Err(Failure::TooDeep(MAX_PLIES + 1))
            );
            // No line is longer than there are blank cells, however deep it is asked for.
            assert_eq!(perft(position, 8191, &mut Still), Ok(0));
            assert_eq!(perft(position, u32::MAX, &mut Still), Ok(0));
        });
    });
}

#[test]
fn on_one_row_nobody_moves_after_the_placement() {
    on_a_small_stack(|| {
        let improved = heuristics::find("improved").unwrap();
        for (width, height) in [(5000, 1), (1, 5000)] {
            with_position!(&AnyPosition::empty(size(width, height)), |position| {
                assert_eq!(perft(position, 2, &mut Still), Ok(5000 * 4999));
                assert_eq!(perft(position, 3, &mut Still), Ok(0));
                let mut placed = position.clone();
                let _ = placed.make(size(width, height).cell(0, 0).unwrap());
                let report =
                    search(&placed, &mut &*improved, &mut Still, &Options::new(Budget::depth(5)));
                let report = report.unwrap();
                // Player 1 has no move then: any placement wins, and the first one is taken.
                assert_eq!((report.value, report.nodes), (Some(f64::INFINITY), 1));
                assert_eq!(report.reason, Reason::Exhausted);
            });
        }
    });
}

#[test]
fn a_fast_search_of_a_huge_board_starts_at_once() {
    let null = heuristics::find("null").unwrap();
    with_position!(&AnyPosition::empty(size(1024, 1024)), |position| {
        let options = Options { mode: Mode::Fast, ..Options::new(Budget::nodes(1)) };
        let start = Instant::now();
        let report = search(position, &mut &*null, &mut Still, &options).unwrap();
        assert_eq!((report.nodes, report.reason), (1, Reason::Nodes));
        // A tenth of a second is usual. Asking each of the million moves about the whole board takes
        // minutes, during which no budget and no interruption is looked at.
        assert!(start.elapsed() < Duration::from_secs(10));
    });
}
