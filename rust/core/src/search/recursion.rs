//! The recursion below the root: one for minimax and both modes of alpha-beta.

use crate::board::{Cell, CellSet, Player, Position};
use crate::budget::{Clock, Meter};
use crate::heuristics::{Halt, Heuristic};

/// What differs between the searches, settled when they are compiled.
pub(super) trait Strategy {
    /// Whether lines that cannot matter are left out.
    const PRUNES: bool;
    /// Whether replies are tried in the order of promise.
    const SORTS: bool;
}

pub(super) struct Minimax;
pub(super) struct PlainAlphaBeta;
pub(super) struct FastAlphaBeta;

impl Strategy for Minimax {
    const PRUNES: bool = false;
    const SORTS: bool = false;
}

impl Strategy for PlainAlphaBeta {
    const PRUNES: bool = true;
    const SORTS: bool = false;
}

impl Strategy for FastAlphaBeta {
    const PRUNES: bool = true;
    const SORTS: bool = true;
}

/// The tree below a position, and what its search has used and seen.
pub(super) struct Tree<'a, S: CellSet, H, C> {
    pub(super) position: Position<S>,
    /// The player at the root: values are for it.
    pub(super) player: Player,
    pub(super) meter: Meter<'a, C>,
    /// Whether a line of this depth was cut by depth.
    pub(super) cut: bool,
    heuristic: &'a mut H,
}

impl<'a, S: CellSet, H: Heuristic<S>, C: Clock> Tree<'a, S, H, C> {
    pub(super) fn new(position: &Position<S>, heuristic: &'a mut H, meter: Meter<'a, C>) -> Self {
        Self {
            position: position.clone(),
            player: position.to_move(),
            meter,
            cut: false,
            heuristic,
        }
    }

    /// The heuristic's value of the position for the player at the root.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Result<f64, Halt<H::Error>> {
        self.heuristic.evaluate(&self.position, self.player, &mut self.meter)
    }

    /// Makes a move, searches what is below it, and takes it back. The value is for the player who
    /// made the move.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "one function for each ply, not two")]
    pub(super) fn value_of_move<T: Strategy>(
        &mut self,
        cell: Cell,
        depth: u32,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, Halt<H::Error>> {
        self.meter.spend()?;
        let undo = self.position.make(cell);
        self.heuristic.entered(cell);
        let below = self.value::<T>(depth - 1, -beta, -alpha);
        self.heuristic.left();
        self.position.unmake(undo);
        below.map(|value| -value)
    }

    /// The value for the player to move: exact where it lies between `alpha` and `beta`, else a bound
    /// on the same side of them.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "most nodes end here, and each would be a call more: a quarter of the time"
    )]
    fn value<T: Strategy>(
        &mut self,
        depth: u32,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, Halt<H::Error>> {
        // 1. At the end of the line or of the game ask the heuristic.
        if depth == 0 {
            self.cut = self.cut || self.position.can_move(self.position.to_move());
            return self.leaf();
        }
        if !self.position.can_move(self.position.to_move()) {
            return self.leaf();
        }
        // 2. Near the end of the line let it search itself, if it can.
        if depth == 2
            && let Some(value) = self.last_plies::<T>(alpha, beta)
        {
            return Ok(value);
        }
        // 3. Else try every reply.
        self.best_reply::<T>(depth, alpha, beta)
    }

    /// The value of the best reply, the best one so far narrowing what is left to find out.
    #[inline(never)]
    fn best_reply<T: Strategy>(
        &mut self,
        depth: u32,
        mut alpha: f64,
        beta: f64,
    ) -> Result<f64, Halt<H::Error>> {
        let mut best = f64::NEG_INFINITY;
        let mut replies = Replies::<S>::new::<T>(&self.position, depth);
        while let Some(cell) = replies.next::<T>() {
            let value = self.value_of_move::<T>(cell, depth, alpha, beta)?;
            // False where the value is NaN.
            if value > best {
                best = value;
            }
            // Good enough that the opponent will not let it come to this: cut.
            if T::PRUNES {
                if best >= beta {
                    break;
                }
                if best > alpha {
                    alpha = best;
                }
            }
        }
        Ok(best)
    }

    /// The value two plies above the end of a line by the heuristic's own search, where it has one. It
    /// reads no clock and sees no line cut: so only where no look is due, and where one was seen before.
    #[inline]
    fn last_plies<T: Strategy>(&mut self, alpha: f64, beta: f64) -> Option<f64> {
        const { assert!(!T::SORTS || SORTED_FROM_DEPTH > 2, "it sorts no replies") };
        let side = self.position.to_move();
        // The opponent's replies only become fewer by the move.
        let [moves, replies] =
            [side, side.opponent()].map(|player| u64::from(self.position.mobility(player)));
        if !self.cut || !self.meter.grants(moves + moves * replies) {
            return None;
        }
        let [alpha, beta] = if T::PRUNES { [alpha, beta] } else { [f64::NAN; 2] };
        let (value, nodes) = self.heuristic.last_plies(&self.position, self.player, alpha, beta)?;
        self.meter.count(nodes);
        Some(value)
    }

    /// The heuristic's value for the player to move.
    #[inline]
    fn leaf(&mut self) -> Result<f64, Halt<H::Error>> {
        let value = self.evaluate()?;
        Ok(if self.position.to_move() == self.player { value } else { -value })
    }
}

/// Time of deepening to depth 20 over plain, mean of ten openings, by the least depth that is sorted:
/// 2: 0.31, 3: 0.30, 4: 0.27, 5: 0.28, though the nodes grow from 0.16 to 0.24 of plain's.
const SORTED_FROM_DEPTH: u32 = 4;

/// How soon to try a move, smallest first: 2 × (opponent's replies) - (own next moves).
///
/// Without making the move: it takes from the opponent's replies, which are the same for all moves
/// and left out, at most the cell itself.
///
/// Measured: three to six times fewer nodes at depth 20. Searching later moves with a null window
/// first was tried and gained nothing, nor did a table of positions.
#[inline]
pub(super) fn promise<S: CellSet>(position: &Position<S>, cell: Cell) -> i64 {
    let takes_a_reply = position.reaches(position.to_move().opponent(), cell);
    -2 * i64::from(takes_a_reply) - i64::from(position.mobility_from(cell))
}

/// The replies to try, in order.
struct Replies<S: CellSet> {
    /// In increasing index, where they are not sorted.
    natural: S::Cells,
    /// Promise in the high half, cell in the low one: the smallest is next, and of equal promise
    /// the lowest index. Picked one at a time, since the first often cuts off the rest.
    sorted: Option<([i64; 8], usize)>,
}

impl<S: CellSet> Replies<S> {
    #[inline]
    fn new<T: Strategy>(position: &Position<S>, depth: u32) -> Self {
        let player = position.to_move();
        let natural = position.moves(player);
        // Far from the leaves the order decides how much is cut; near them finding it costs more than
        // it saves. A player who is not placed may go anywhere: not sorted either.
        if !T::SORTS || depth < SORTED_FROM_DEPTH || position.location(player).is_none() {
            return Self { natural, sorted: None };
        }
        let (mut moves, mut count) = ([0; 8], 0);
        for cell in natural.clone() {
            moves[count] = promise(position, cell) << 32 | i64::from(cell.0);
            count += 1;
        }
        Self { natural, sorted: Some((moves, count)) }
    }

    #[inline]
    fn next<T: Strategy>(&mut self) -> Option<Cell> {
        // Where nothing is sorted, nothing but this is left of it.
        let (true, Some((moves, count))) = (T::SORTS, &mut self.sorted) else {
            return self.natural.next();
        };
        *count = count.checked_sub(1)?;
        let left = &mut moves[..=*count];
        let mut least = 0;
        for at in 1..left.len() {
            if left[at] < left[least] {
                least = at;
            }
        }
        left.swap(least, *count);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the low half")]
        Some(Cell(left[*count] as u32))
    }
}
