//! Rules, search and players of knight's Isolation.
//!
//! Two players stand on a board of cells. The first move of each is a free placement; from then on
//! each moves like a chess knight to a cell that nobody has visited. Who cannot move loses.
//!
//! The files are the glossary of the game: a [`Size`] and its [`Geometry`], sets of [cells](cells),
//! a [`Position`] with its moves, [`perft`], [heuristics], [`Budget`]s, the [search], the [`Agent`]s
//! that choose moves within an [`Allowance`] and the [game](play_game) between two of them.
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

mod agent;
mod allowance;
mod any;
mod budget;
pub mod cells;
mod error;
mod game;
mod geometry;
mod hash;
pub mod heuristics;
mod notation;
mod order;
mod perft;
mod player;
mod position;
mod random;
mod search;
mod series;

pub use agent::{Agent, Choice};
pub use allowance::Allowance;
pub use any::AnyPosition;
pub use budget::{Budget, BudgetError, Clock, Meter, Stop, StopWatch};
pub use cells::{CellSet, Wide};
pub use error::{NotationError, SizeError};
pub use game::{Ending, Game, play_game};
pub use geometry::{Cell, Geometry, KNIGHT_STEPS, MAX_CELLS, Size};
pub use heuristics::{Heuristic, NativeHeuristic};
pub use order::{shuffle, shuffle_from};
pub use perft::{perft, perft_made};
pub use player::Player;
pub use position::{Position, Undo};
pub use random::Random;
pub use search::{Failure, Halt, MAX_PLIES, Method, Mode, Options, Reason, Report, search};
pub use series::{Series, game_stream};
