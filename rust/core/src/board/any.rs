//! A position on a board of any size: the one place where the width of the set is chosen.

use std::any::Any;

use super::cells::{CellSet, Wide};
use super::geometry::Size;
use super::position::Position;

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

/// A position that is borrowed, by the width of its set.
pub(crate) enum ByWidth<'p> {
    Narrow(&'p Position<u64>),
    Medium(&'p Position<u128>),
    Wide(&'p Position<Wide>),
}

impl<S: CellSet> Position<S> {
    /// The position as what it is, for code that has a version for each width: the compiler knows the
    /// set, so nothing of the choice is left at run time.
    #[inline]
    pub(crate) fn by_width(&self) -> ByWidth<'_> {
        let any: &dyn Any = self;
        any.downcast_ref()
            .map(ByWidth::Narrow)
            .or_else(|| any.downcast_ref().map(ByWidth::Medium))
            .or_else(|| any.downcast_ref().map(ByWidth::Wide))
            .expect("there are three sets of cells")
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

pub(crate) use with_position;
