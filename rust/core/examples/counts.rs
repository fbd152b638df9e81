//! One fixed amount of work, for counting its instructions: `counts perft` or `counts search`.
//!
//! `make counts` runs it under callgrind and compares with the committed figures. Instructions, unlike
//! seconds, do not depend on what else the machine does. The work is large enough that starting the
//! process does not show, and small enough for an emulator.

use std::process::ExitCode;

use isolation_core::{
    AnyPosition, Budget, Options, StopWatch, heuristics, perft, search, with_position,
};

/// Two knights in the open, so that neither corner nor edge decides.
const POSITION: &str = "7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1";
const PERFT_DEPTH: u32 = 12;
const SEARCH_DEPTH: u32 = 16;

fn leaves(any: &AnyPosition) -> u64 {
    with_position!(any, |position| perft(position, PERFT_DEPTH, &mut StopWatch::start()))
        .expect("nobody interrupts")
}

fn nodes(any: &AnyPosition) -> u64 {
    let improved = heuristics::find("improved").expect("improved is registered");
    let options = Options::new(Budget::depth(SEARCH_DEPTH));
    with_position!(any, |position| search(
        position,
        &mut &*improved,
        &mut StopWatch::start(),
        &options
    ))
    .expect("a native heuristic does not fail")
    .nodes
}

fn main() -> ExitCode {
    let any: AnyPosition = POSITION.parse().expect("a position");
    match std::env::args().nth(1).as_deref() {
        Some("perft") => println!("perft {PERFT_DEPTH}: {} leaves", leaves(&any)),
        Some("search") => println!("search {SEARCH_DEPTH}: {} nodes", nodes(&any)),
        _ => {
            eprintln!("usage: counts perft|search");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
