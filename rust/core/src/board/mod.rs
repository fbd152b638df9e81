//! The board: its cells, the position on it, and texts of both. Knows no heuristic, no budget, no search.

mod any;
pub mod cells;
pub(crate) mod geometry;
mod hash;
mod notation;
mod order;
mod player;
mod position;

pub use any::AnyPosition;
pub(crate) use any::{ByWidth, with_position};
pub use cells::{CellSet, Wide};
pub use geometry::{Cell, Geometry, KNIGHT_STEPS, MAX_CELLS, Size, SizeError};
pub(crate) use hash::{GOLDEN, mix};
pub use notation::NotationError;
pub use order::{shuffle, shuffle_from};
pub use player::Player;
pub use position::{Position, Undo};
