//! Who wins: what is plain to see of a move, and the recursion for the rest.

use smallvec::SmallVec;

use super::hunt::{self, hunter_wins};
use crate::board::{Cell, CellSet, Position, Size};
use crate::budget::{Clock, Meter, Stop};

/// A position that is being solved, and what it has taken.
pub(super) struct Solver<'a, S: CellSet, C> {
    pub(super) position: Position<S>,
    pub(super) meter: Meter<'a, C>,
    /// Who wins a position for the player to move, where that need not be searched.
    pub(super) known: fn(&Position<S>) -> Option<bool>,
}

/// What is plain to see of a move, without trying the replies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    /// The opponent is left without a move: the game is over with this one.
    Wins,
    /// It leaves the mover without a next move, or with one that the opponent can take: the game is
    /// over after one more.
    Loses,
    /// Neither. The number says how soon to try it, smallest first.
    Open(i64),
}

impl<'a, S: CellSet, C: Clock> Solver<'a, S, C> {
    pub(super) fn new(
        position: &Position<S>,
        meter: Meter<'a, C>,
        known: fn(&Position<S>) -> Option<bool>,
    ) -> Self {
        Self { position: position.clone(), meter, known }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    /// Whether a move wins.
    pub(super) fn move_wins(&mut self, to: Cell) -> Result<bool, Stop> {
        match self.sight(to) {
            Sight::Wins => Ok(true),
            Sight::Loses => Ok(false),
            Sight::Open(_) if completes_image(&self.position, to) => Ok(true),
            Sight::Open(_) => self.after(to, |solver| match (solver.known)(&solver.position) {
                Some(opponent_wins) => Ok(!opponent_wins),
                None => Ok(!solver.wins()?),
            }),
        }
    }

    /// Whether the player to move wins. Both players can move.
    fn wins(&mut self) -> Result<bool, Stop> {
        match hunt::Sight::of(&self.position) {
            Some(hunt::Sight::HunterWins) => return Ok(true),
            Some(hunt::Sight::PreyWins) => return Ok(false),
            Some(hunt::Sight::Open(round)) => {
                return hunter_wins(self.position.geometry(), &round, &mut self.meter);
            }
            None => {}
        }
        self.meter.spend()?;
        // 1. A move that wins at sight ends it, one that loses at sight is not tried.
        let Some(open) = Open::moves::<S>(&self.position, completes_image) else {
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

    /// What is plain to see of a move.
    pub(super) fn sight(&self, to: Cell) -> Sight {
        let opponent = self.position.to_move().opponent();
        sight(&self.position, self.position.mobility(opponent), to)
    }

    /// All moves, the most promising first.
    pub(super) fn promising(&self) -> Vec<Cell> {
        let mut moves: Vec<Cell> = self.position.moves(self.position.to_move()).collect();
        moves.sort_by_cached_key(|&to| match self.sight(to) {
            Sight::Wins => i64::MIN,
            Sight::Loses => i64::MAX,
            Sight::Open(promise) => promise + lateness(&self.position, to),
        });
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
        let replies = position.mobility(position.to_move().opponent());
        let is_placing = position.location(position.to_move()).is_none();
        let mut moves = SmallVec::new();
        for to in position.moves(position.to_move()) {
            let promise = match sight(position, replies, to) {
                Sight::Wins => return None,
                Sight::Loses => continue,
                Sight::Open(_) if also(position, to) => return None,
                Sight::Open(promise) => promise,
            };
            let promise = if is_placing { promise + lateness(position, to) } else { promise };
            moves.push(promise << 32 | i64::from(to.0));
        }
        Some(Self { moves })
    }
}

impl Iterator for Open {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        let mut least = *self.moves.first()?;
        let mut place = 0;
        for (at, &key) in self.moves.iter().enumerate().skip(1) {
            if key < least {
                (place, least) = (at, key);
            }
        }
        self.moves.swap_remove(place);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the low half")]
        Some(Cell(least as u32))
    }
}

/// How much later to try a placement on the colour on which the other knight stands.
///
/// Knights change colour with every move. On most boards the player to move wins from two placed knights
/// if, and with few exceptions only if, both stand on the same colour: so such a placement mostly loses.
/// Measured on 7 by 7 with one knight in the centre: half the nodes to a first winning reply.
fn lateness<S: CellSet>(position: &Position<S>, to: Cell) -> i64 {
    const LATE: i64 = 64;
    let other = position.location(position.to_move().opponent());
    if other.is_some_and(|other| have_same_colour(position.size(), other, to)) { LATE } else { 0 }
}

/// What is plain to see of a move, where the opponent has so many replies before it.
#[inline]
fn sight<S: CellSet>(position: &Position<S>, replies: u32, to: Cell) -> Sight {
    let opponent = position.to_move().opponent();
    let takes = u32::from(position.reaches(opponent, to));
    if replies == takes {
        return Sight::Wins;
    }
    let exits = position.mobility_from(to);
    let is_single = exits == 1 && {
        let only = position.moves_from(Some(to)).next().expect("there is one");
        position.reaches(opponent, only)
    };
    if exits == 0 || is_single {
        return Sight::Loses;
    }
    // 2 x (the opponent's replies) - (own next moves), without what is the same for all moves.
    Sight::Open(-2 * i64::from(takes) - i64::from(exits))
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
pub(super) fn mirrors<S: CellSet>(size: Size, blank: &S, to: Cell, other: Cell) -> bool {
    let image = |cell: Cell| Cell(size.cells() - 1 - cell.0);
    other == image(to)
        && blank
            .cells()
            .all(|cell| cell == to || (image(cell) != cell && blank.contains(image(cell))))
}

/// Whether a move of the player to move does so.
#[inline]
pub(super) fn completes_image<S: CellSet>(position: &Position<S>, to: Cell) -> bool {
    let other = position.location(position.to_move().opponent());
    other.is_some_and(|other| mirrors(position.size(), position.blank(), to, other))
}

/// Whether two cells are both dark or both light.
pub(super) fn have_same_colour(size: Size, one: Cell, other: Cell) -> bool {
    let [one, other] = [one, other].map(|cell| size.coordinates(cell));
    (one.0 + one.1 + other.0 + other.1) % 2 == 0
}
