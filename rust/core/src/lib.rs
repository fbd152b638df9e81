//! Rules, search and players of knight's Isolation.
//!
//! Two players stand on a board of cells. The first move of each is a free placement; from then on
//! each moves like a chess knight to a cell that nobody has visited. A player who cannot move loses.
//!
//! The files are the glossary of the game, in layers of which each knows those above it alone:
//!
//! | layer | what it holds |
//! |---|---|
//! | `board` | a [`Size`] and its [`Geometry`], sets of [cells](cells), a [`Position`] with its moves, as a text too |
//! | `budget` | a [`Budget`], the [`Meter`] that counts it, the [`Clock`] |
//! | [`heuristics`] | what a position is worth |
//! | `search` | the [search](search()) and [`perft`] |
//! | `exact` | who wins with best play: [`solve`] |
//! | `play` | [`Agent`]s that choose moves within an [`Allowance`], the [game](play_game) between two of them, series of games |
//!
//! ```
//! use isolation_core::{AnyPosition, heuristics, search, Budget, Options, StopWatch};
//!
//! let position: AnyPosition = "7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1".parse()?;
//! let improved = heuristics::find("improved").unwrap();
//! let options = Options::new(Budget::depth(4));
//! let report = isolation_core::with_position!(&position, |position| {
//!     search(position, &mut &*improved, &mut StopWatch::start(), &options)
//! }).unwrap();
//! assert_eq!(report.depth, 4);
//! # Ok::<(), isolation_core::NotationError>(())
//! ```
//!
//! This crate reads no file and no clock but through [`Clock`], and knows nothing of Python.

mod board;
mod budget;
mod exact;
pub mod heuristics;
mod play;
pub mod program;
mod search;
mod side_by_side;

pub use board::{
    AnyPosition, Cell, CellSet, Geometry, KNIGHT_STEPS, MAX_CELLS, NotationError, Player, Position,
    Size, SizeError, Undo, Wide, cells, shuffle, shuffle_from,
};
pub use budget::{Budget, BudgetError, Clock, Meter, Stop, StopWatch};
pub use exact::{GradedMove, Judged, Outcome, Solution, Wanted, judge, solve, strategy};
pub use heuristics::{Halt, Heuristic, NativeHeuristic, NoValue};
pub use play::{
    Agent, Allowance, Chance, Choice, Game, GameEnding, Random, Scorer, Series, game_stream,
    play_game,
};
pub use search::{
    Failure, MAX_PLIES, Method, Mode, Options, Reason, Report, perft, perft_made, search,
};
