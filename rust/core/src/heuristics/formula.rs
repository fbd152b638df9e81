//! Formulas: written once for all widths of set, and called by a pointer that has a version for each.

use super::last_plies;
use crate::board::{ByWidth, CellSet, Player, Position, Wide};
use crate::budget::{Clock, Meter, Stop};

/// The formula of a native heuristic, written once for all widths.
pub(super) trait Formula: Send + Sync + 'static {
    fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64;
}

/// A [`Formula`] as a pointer: its versions for the three widths.
pub(super) trait EveryWidth: Send + Sync {
    /// On boards of up to 64 cells.
    fn narrow(&self, position: &Position<u64>, player: Player) -> f64;
    /// On boards of up to 128 cells.
    fn medium(&self, position: &Position<u128>, player: Player) -> f64;
    /// On larger boards.
    fn wide(&self, position: &Position<Wide>, player: Player) -> f64;

    /// [`last_plies`] on boards of up to 64 cells.
    fn narrow_last_plies(
        &self,
        position: &Position<u64>,
        player: Player,
        alpha: f64,
        beta: f64,
    ) -> (f64, u64);

    /// [`last_plies`] on boards of up to 128 cells.
    fn medium_last_plies(
        &self,
        position: &Position<u128>,
        player: Player,
        alpha: f64,
        beta: f64,
    ) -> (f64, u64);
}

impl<F: Formula> EveryWidth for F {
    fn narrow(&self, position: &Position<u64>, player: Player) -> f64 {
        self.value(position, player)
    }

    fn medium(&self, position: &Position<u128>, player: Player) -> f64 {
        self.value(position, player)
    }

    fn wide(&self, position: &Position<Wide>, player: Player) -> f64 {
        self.value(position, player)
    }

    fn narrow_last_plies(
        &self,
        position: &Position<u64>,
        player: Player,
        alpha: f64,
        beta: f64,
    ) -> (f64, u64) {
        last_plies(position, player, alpha, beta, |leaf, player| self.value(leaf, player))
    }

    fn medium_last_plies(
        &self,
        position: &Position<u128>,
        player: Player,
        alpha: f64,
        beta: f64,
    ) -> (f64, u64) {
        last_plies(position, player, alpha, beta, |leaf, player| self.value(leaf, player))
    }
}

impl dyn EveryWidth + '_ {
    /// The value by the version for the position's set.
    #[inline]
    pub(super) fn value<S: CellSet>(&self, position: &Position<S>, player: Player) -> f64 {
        match position.by_width() {
            ByWidth::Narrow(position) => self.narrow(position, player),
            ByWidth::Medium(position) => self.medium(position, player),
            ByWidth::Wide(position) => self.wide(position, player),
        }
    }

    /// [`last_plies`] by the version for the position's set. None for the wide one: its copies allocate,
    /// which takes longer than to make a move and take it back.
    #[inline]
    pub(super) fn last_plies<S: CellSet>(
        &self,
        position: &Position<S>,
        player: Player,
        alpha: f64,
        beta: f64,
    ) -> Option<(f64, u64)> {
        match position.by_width() {
            ByWidth::Narrow(found) => Some(self.narrow_last_plies(found, player, alpha, beta)),
            ByWidth::Medium(found) => Some(self.medium_last_plies(found, player, alpha, beta)),
            ByWidth::Wide(_) => None,
        }
    }
}

/// What a walk asks for each position. The clock is read seldom enough to be a pointer.
pub(super) type TreeMeter<'m, 'c> = Meter<'m, dyn Clock + 'c>;

/// A formula that walks the tree below a position, and asks a meter for each position there.
pub(super) trait TreeFormula: Send + Sync + 'static {
    fn value<S: CellSet>(
        &self,
        position: &Position<S>,
        player: Player,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<f64, Stop>;
}

/// A [`TreeFormula`] as a pointer: its versions for the three widths.
pub(super) trait EveryWidthWalked: Send + Sync {
    /// On boards of up to 64 cells.
    ///
    /// # Errors
    /// Where the meter grants no more, here and below.
    fn narrow(
        &self,
        position: &Position<u64>,
        player: Player,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<f64, Stop>;

    /// On boards of up to 128 cells.
    ///
    /// # Errors
    /// As above.
    fn medium(
        &self,
        position: &Position<u128>,
        player: Player,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<f64, Stop>;

    /// On larger boards.
    ///
    /// # Errors
    /// As above.
    fn wide(
        &self,
        position: &Position<Wide>,
        player: Player,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<f64, Stop>;
}

impl<W: TreeFormula> EveryWidthWalked for W {
    fn narrow(
        &self,
        position: &Position<u64>,
        player: Player,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<f64, Stop> {
        self.value(position, player, meter)
    }

    fn medium(
        &self,
        position: &Position<u128>,
        player: Player,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<f64, Stop> {
        self.value(position, player, meter)
    }

    fn wide(
        &self,
        position: &Position<Wide>,
        player: Player,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<f64, Stop> {
        self.value(position, player, meter)
    }
}

impl dyn EveryWidthWalked + '_ {
    /// The value by the version for the position's set.
    #[inline]
    pub(super) fn value<S: CellSet>(
        &self,
        position: &Position<S>,
        player: Player,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<f64, Stop> {
        match position.by_width() {
            ByWidth::Narrow(position) => self.narrow(position, player, meter),
            ByWidth::Medium(position) => self.medium(position, player, meter),
            ByWidth::Wide(position) => self.wide(position, player, meter),
        }
    }
}

/// What a heuristic runs.
pub(super) enum Code {
    /// Looks at the position alone.
    Looking(Box<dyn EveryWidth>),
    /// Walks the tree below the position, at least on some boards.
    Walking(Box<dyn EveryWidthWalked>),
}
