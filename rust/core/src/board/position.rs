//! A position: which cells are blank, where the players stand, whose turn it is.

use super::cells::CellSet;
use super::geometry::{Cell, Geometry, Size};
use super::player::Player;

/// A position of the game.
///
/// ```
/// use isolation_core::{Player, Position, Size};
///
/// let size = Size::new(7, 7)?;
/// let mut position = Position::<u64>::empty(size);
/// let before = position.clone();
/// let undo = position.make(size.cell(2, 3).unwrap());
/// assert_eq!(position.to_move(), Player::Two);
/// position.unmake(undo);
/// assert_eq!(position, before);
/// # Ok::<(), isolation_core::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position<S: CellSet> {
    geometry: S::Tables,
    blank: S,
    /// The cell of the player to move and of the other, or [`Geometry::nowhere`]. In this order and
    /// not by player: the next moves then depend on one load fewer, measured as a tenth of a node.
    places: [u32; 2],
    to_move: Player,
}

/// What [`Position::make`] changed, for [`Position::unmake`].
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Undo {
    from: u32,
}

impl<S: CellSet> Position<S> {
    /// The empty board, player 1 to place.
    #[must_use]
    pub fn empty(size: Size) -> Self {
        let geometry = Geometry::<S>::of(size);
        Self {
            blank: S::full(size),
            places: [geometry.nowhere(); 2],
            to_move: Player::One,
            geometry,
        }
    }

    /// Width and height.
    #[must_use]
    pub fn size(&self) -> Size {
        self.geometry.size()
    }

    /// The tables of the board's size.
    #[inline]
    pub(crate) fn geometry(&self) -> &Geometry<S> {
        &self.geometry
    }

    /// Whose turn it is.
    #[must_use]
    #[inline]
    pub fn to_move(&self) -> Player {
        self.to_move
    }

    /// The cells that nobody has visited.
    #[must_use]
    #[inline]
    pub fn blank(&self) -> &S {
        &self.blank
    }

    /// A player's cell, or [`Geometry::nowhere`].
    #[inline]
    fn place_of(&self, player: Player) -> u32 {
        self.places[usize::from(player != self.to_move)]
    }

    /// Where a player stands, if placed.
    #[must_use]
    pub fn location(&self, player: Player) -> Option<Cell> {
        let place = self.place_of(player);
        (place != self.geometry.nowhere()).then_some(Cell(place))
    }

    /// A player whose cell is not blocked, if there is one: then this is no position of the game.
    #[must_use]
    pub fn knight_on_blank_cell(&self) -> Option<Player> {
        Player::BOTH
            .into_iter()
            .find(|&player| self.location(player).is_some_and(|cell| self.blank.contains(cell)))
    }

    /// The moves of a player from where it stands, whoever's turn it is, in increasing index.
    #[must_use]
    #[inline]
    pub fn moves(&self, player: Player) -> S::Cells {
        self.blank.cells_in(self.geometry.reach(self.place_of(player)))
    }

    /// The same as a set.
    #[must_use]
    #[inline]
    pub fn set_of_moves(&self, player: Player) -> S {
        self.blank.in_reach(self.geometry.reach(self.place_of(player)))
    }

    /// How many moves a player has.
    #[must_use]
    #[inline]
    pub fn mobility(&self, player: Player) -> u32 {
        self.blank.count_in(self.geometry.reach(self.place_of(player)))
    }

    /// Whether a player has any move.
    #[must_use]
    #[inline]
    pub fn can_move(&self, player: Player) -> bool {
        self.blank.any_in(self.geometry.reach(self.place_of(player)))
    }

    /// Whether a player is to move and has no move: it has lost.
    #[must_use]
    #[inline]
    pub fn is_stuck(&self, player: Player) -> bool {
        self.to_move == player && !self.can_move(player)
    }

    /// The moves that a knight on `from`, or a player not placed, would have.
    #[must_use]
    pub fn moves_from(&self, from: Option<Cell>) -> S::Cells {
        let place = from.map_or(self.geometry.nowhere(), |cell| cell.0);
        self.blank.cells_in(self.geometry.reach(place))
    }

    /// How many blank cells a knight's move from `from` there are.
    #[must_use]
    #[inline]
    pub fn mobility_from(&self, from: Cell) -> u32 {
        self.blank.count_in(self.geometry.reach(from.0))
    }

    /// How many of the cells around `cell`, a king's move away, are blank.
    #[must_use]
    #[inline]
    pub fn space_around(&self, cell: Cell) -> u32 {
        self.blank.count_in(self.geometry.neighbours(cell))
    }

    /// Whether a player could go to a cell if it were blank.
    #[must_use]
    #[inline]
    pub fn reaches(&self, player: Player, cell: Cell) -> bool {
        S::reaches(self.geometry.reach(self.place_of(player)), cell)
    }

    /// Moves the player to move to a blank cell. That it is in reach is the caller's business.
    #[inline]
    pub fn make(&mut self, to: Cell) -> Undo {
        debug_assert!(self.blank.contains(to), "moves go to blank cells");
        let [from, waiting] = self.places;
        self.blank.remove(to);
        self.places = [waiting, to.0];
        self.to_move = self.to_move.opponent();
        Undo { from }
    }

    /// Takes the last [`make`](Self::make) back.
    #[inline]
    pub fn unmake(&mut self, undo: Undo) {
        let [waiting, to] = self.places;
        self.blank.insert(Cell(to));
        self.places = [undo.from, waiting];
        self.to_move = self.to_move.opponent();
    }

    /// Puts a player on any cell, blank or not, blocks it, and passes the turn, as the classic
    /// `apply_move` does without asking.
    pub fn jump(&mut self, player: Player, to: Cell) {
        *self = self.after_jump(player, to);
    }

    /// The position after such a jump.
    #[must_use]
    #[inline]
    pub fn after_jump(&self, player: Player, to: Cell) -> Self {
        let mut blank = self.blank.clone();
        blank.remove(to);
        let mut places = [self.places[1], self.places[0]];
        places[usize::from(player == self.to_move)] = to.0;
        Self { geometry: self.geometry.clone(), blank, places, to_move: self.to_move.opponent() }
    }

    /// Blocks a cell.
    pub fn block(&mut self, cell: Cell) {
        self.blank.remove(cell);
    }

    /// Says where a player stands, and changes nothing else. A cell that is not blocked makes no
    /// sense: block it first.
    pub fn place(&mut self, player: Player, to: Option<Cell>) {
        self.places[usize::from(player != self.to_move)] =
            to.map_or(self.geometry.nowhere(), |cell| cell.0);
    }

    /// Says whose turn it is.
    pub fn set_to_move(&mut self, player: Player) {
        if self.to_move != player {
            self.to_move = player;
            self.places.swap(0, 1);
        }
    }
}

impl<S: CellSet> PartialEq for Position<S> {
    fn eq(&self, other: &Self) -> bool {
        self.size() == other.size()
            && self.blank == other.blank
            && self.places == other.places
            && self.to_move == other.to_move
    }
}

impl<S: CellSet> Eq for Position<S> {}
