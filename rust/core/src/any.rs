//! A position on a board of any size: the one place where the width of the set is chosen.

use crate::cells::Wide;
use crate::geometry::Size;
use crate::position::Position;

/// A position, by the width of the set that its board needs.
#[derive(Debug, PartialEq, Eq)]
pub enum AnyPosition {
    /// Up to 64 cells.
    Narrow(Position<u64>),
    /// Up to 128 cells.
    Medium(Position<u128>),
    /// More.
    Wide(Position<Wide>),
}

impl Clone for AnyPosition {
    fn clone(&self) -> Self {
        match self {
            Self::Narrow(position) => Self::Narrow(position.clone()),
            Self::Medium(position) => Self::Medium(position.clone()),
            Self::Wide(position) => Self::Wide(position.clone()),
        }
    }

    /// Field by field where the width stays: a new one, moved into its place as a whole, is read before
    /// it has been written, and takes twice the time.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Narrow(place), Self::Narrow(position)) => place.clone_from(position),
            (place, source) => *place = source.clone(),
        }
    }
}

impl AnyPosition {
    /// The empty board, player 1 to place.
    #[must_use]
    pub fn empty(size: Size) -> Self {
        match size.cells() {
            ..=64 => Self::Narrow(Position::empty(size)),
            65..=128 => Self::Medium(Position::empty(size)),
            _ => Self::Wide(Position::empty(size)),
        }
    }
}

impl From<Position<u64>> for AnyPosition {
    fn from(position: Position<u64>) -> Self {
        Self::Narrow(position)
    }
}

impl From<Position<u128>> for AnyPosition {
    fn from(position: Position<u128>) -> Self {
        Self::Medium(position)
    }
}

impl From<Position<Wide>> for AnyPosition {
    fn from(position: Position<Wide>) -> Self {
        Self::Wide(position)
    }
}

/// Runs the same expression on a position of whichever width.
///
/// ```
/// use isolation_core::{AnyPosition, Player, Size, with_position};
///
/// let position = AnyPosition::empty(Size::new(11, 9)?);
/// assert_eq!(with_position!(&position, |p| p.mobility(Player::One)), 99);
/// # Ok::<(), isolation_core::SizeError>(())
/// ```
#[macro_export]
macro_rules! with_position {
    ($any:expr, |$position:ident| $body:expr) => {
        match $any {
            $crate::AnyPosition::Narrow($position) => $body,
            $crate::AnyPosition::Medium($position) => $body,
            $crate::AnyPosition::Wide($position) => $body,
        }
    };
}
