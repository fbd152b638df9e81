//! What can be wrong with what a caller hands in.

use crate::geometry::MAX_CELLS;

/// A board that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// A side is zero.
    #[error("a board of {width}x{height} has no cells: both sides must be at least 1")]
    Empty {
        /// Columns asked for.
        width: u64,
        /// Rows asked for.
        height: u64,
    },
    /// More cells than [`MAX_CELLS`].
    #[error("a board of {width}x{height} is too large: at most {MAX_CELLS} cells are allowed")]
    TooLarge {
        /// Columns asked for.
        width: u64,
        /// Rows asked for.
        height: u64,
    },
}

/// A text that is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a position: {problem} (expected e.g. \"7x7 7/7/3x3/7/7/7/7 2,3 - 2\")")]
pub struct NotationError {
    /// The text as it was given, shortened where it is long.
    pub text: String,
    /// What is wrong with it.
    pub problem: String,
}
