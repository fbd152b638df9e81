//! Who wins: what is plain to see of a move, and the recursion for the rest.

use smallvec::SmallVec;

use crate::board::{Cell, CellSet, Position};
use crate::budget::{Clock, Meter, Stop};
use crate::search::promise;

/// A position that is being solved, and what it has taken.
pub(super) struct Solver<'a, S: CellSet, C> {
    pub(super) position: Position<S>,
    pub(super) meter: Meter<'a, C>,
}

/// What is plain to see of a move, without trying the replies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    /// The opponent is left without a move: the game is over with this one.
    Wins,
    /// The next move of whoever made it is impossible, or the opponent can make it so: the game is
    /// over after one more.
    Loses,
    /// Neither.
    Open,
}

impl<'a, S: CellSet, C: Clock> Solver<'a, S, C> {
    pub(super) fn new(position: &Position<S>, meter: Meter<'a, C>) -> Self {
        Self { position: position.clone(), meter }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    /// Whether a move wins.
    pub(super) fn move_wins(&mut self, to: Cell) -> Result<bool, Stop> {
        match sight(&self.position, to) {
            Sight::Wins => Ok(true),
            Sight::Loses => Ok(false),
            Sight::Open if mirrors(&self.position, to) => Ok(true),
            Sight::Open => Ok(!self.after(to, Self::wins)?),
        }
    }

    /// Whether the player to move wins. Both players can move.
    ///
    /// A stateless recursion. Measured on 7 by 7: the first move tried cuts at nine of ten winning
    /// nodes; a table of positions saved a tenth of the nodes and no time, since few positions are
    /// reached in two ways; proof-number search was several times slower.
    fn wins(&mut self) -> Result<bool, Stop> {
        self.meter.spend()?;
        // 1. A move that wins at sight ends it, one that loses at sight is not tried.
        let Some(open) = Open::moves::<S>(&self.position, mirrors) else {
            return Ok(true);
        };
        // 2. Try the others, the most promising first, until one leaves the opponent lost.
        for to in open {
            if !self.after(to, Self::wins)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What `ask` says after a move, which is taken back.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is the recursion itself")]
    pub(super) fn after<T>(
        &mut self,
        to: Cell,
        ask: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let undo = self.position.make(to);
        let answer = ask(self);
        self.position.unmake(undo);
        answer
    }

    /// All moves, the most promising first.
    pub(super) fn promising(&self) -> Vec<Cell> {
        let mut moves: Vec<Cell> = self.position.moves(self.position.to_move()).collect();
        moves.sort_by_key(|&to| promise_of(&self.position, to));
        moves
    }
}

/// Moves to try, the most promising first.
pub(super) struct Open {
    /// Promise in the high half, cell in the low one. Picked one at a time: the first often suffices.
    moves: SmallVec<[i64; 8]>,
}

impl Open {
    /// The moves of which nothing is plain to see; none where one of them wins at sight or by `also`.
    #[inline]
    pub(super) fn moves<S: CellSet>(
        position: &Position<S>,
        also: impl Fn(&Position<S>, Cell) -> bool,
    ) -> Option<Self> {
        let mut moves = SmallVec::new();
        for to in position.moves(position.to_move()) {
            match sight(position, to) {
                Sight::Wins => return None,
                Sight::Loses => {}
                Sight::Open if also(position, to) => return None,
                Sight::Open => moves.push(promise_of(position, to) << 32 | i64::from(to.0)),
            }
        }
        Some(Self { moves })
    }
}

impl Iterator for Open {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        let (place, _) = self.moves.iter().enumerate().min_by_key(|&(_, key)| key)?;
        let key = self.moves.swap_remove(place);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the low half")]
        Some(Cell(key as u32))
    }
}

/// How soon to try a move, smallest first: as a search does; but a placement on the other knight's colour is
/// tried late.
///
/// Knights change colour with every move. On most boards the player to move wins from two placed knights
/// if, and with few exceptions only if, both stand on the same colour: so such a placement mostly loses.
/// Measured on 7 by 7 with one knight in the centre: half the nodes to a first winning reply.
#[inline]
fn promise_of<S: CellSet>(position: &Position<S>, to: Cell) -> i64 {
    const LATE: i64 = 64;
    let is_late = position.location(position.to_move()).is_none()
        && position
            .location(position.to_move().opponent())
            .is_some_and(|other| is_dark(position, other) == is_dark(position, to));
    promise(position, to) + if is_late { LATE } else { 0 }
}

/// What is plain to see of a move.
#[inline]
pub(super) fn sight<S: CellSet>(position: &Position<S>, to: Cell) -> Sight {
    let opponent = position.to_move().opponent();
    if position.mobility(opponent) == u32::from(position.reaches(opponent, to)) {
        return Sight::Wins;
    }
    let mut exits = position.moves_from(Some(to));
    match (exits.next(), exits.next()) {
        (None, _) => Sight::Loses,
        (Some(only), None) if position.reaches(opponent, only) => Sight::Loses,
        _ => Sight::Open,
    }
}

/// The colour of a cell, as on a chess board.
fn is_dark<S: CellSet>(position: &Position<S>, cell: Cell) -> bool {
    let (row, column) = position.size().coordinates(cell);
    (row + column) % 2 == 1
}

/// Whether a move makes the position its own image under the half turn. Then it wins: whatever the
/// opponent does, its image is a move, as long as no cell is its own image.
///
/// ```text
///   o x .        cell i and cell 8 - i are images of each other; the knights stand on 0 and 8,
///   . x .        and where 1 can go, so can 2 in the other direction
///   . x o
/// ```
#[inline]
pub(super) fn mirrors<S: CellSet>(position: &Position<S>, to: Cell) -> bool {
    let image = |cell: Cell| Cell(position.size().cells() - 1 - cell.0);
    position.location(position.to_move().opponent()) == Some(image(to))
        && position.blank().cells().all(|cell| {
            cell == to || (image(cell) != cell && position.blank().contains(image(cell)))
        })
}
