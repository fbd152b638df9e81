//! The last two plies of a search, in one loop that the compiler sees whole.
//!
//! The search above it makes each move in memory, spends each node, and asks for each value through a
//! pointer. Here the formula is known, the nodes are granted before, and positions stay in registers: most
//! nodes are in these plies, and a node of all takes three fifths of the time.

use crate::board::{CellSet, Player, Position};

/// The value of a position for the player to move, who can, and the nodes of the two plies below it: that
/// of alpha-beta which tries replies in increasing index and takes the values of positions for `player`
/// from `value`. With NaN for `alpha` and `beta` no line is left out.
#[inline]
pub fn last_plies<S: CellSet>(
    position: &Position<S>,
    player: Player,
    alpha: f64,
    beta: f64,
    mut value: impl FnMut(&Position<S>, Player) -> f64,
) -> (f64, u64) {
    let mut nodes = 0;
    let best = if position.to_move() == player {
        best_reply::<S, true, false>(position, alpha, beta, &mut nodes, &mut value)
    } else {
        best_reply::<S, false, false>(position, alpha, beta, &mut nodes, &mut value)
    };
    (best, nodes)
}

/// One of the plies: whether the player to move is the one that values are for (`OWN`), and whether it is
/// the last one are settled when it is compiled.
#[inline(always)]
#[allow(clippy::inline_always, reason = "a position that is passed on is written to memory")]
fn best_reply<S: CellSet, const OWN: bool, const LAST: bool>(
    position: &Position<S>,
    mut alpha: f64,
    beta: f64,
    nodes: &mut u64,
    value: &mut impl FnMut(&Position<S>, Player) -> f64,
) -> f64 {
    let mover = position.to_move();
    let mut best = f64::NEG_INFINITY;
    for cell in position.moves(mover) {
        *nodes += 1;
        let next = position.after_jump(mover, cell);
        let found = if !LAST && next.can_move(mover.opponent()) {
            -if OWN {
                best_reply::<S, false, true>(&next, -beta, -alpha, nodes, value)
            } else {
                best_reply::<S, true, true>(&next, -beta, -alpha, nodes, value)
            }
        } else if OWN {
            value(&next, mover)
        } else {
            -value(&next, mover.opponent())
        };
        // False where the value is NaN.
        if found > best {
            best = found;
        }
        if best >= beta {
            break;
        }
        if best > alpha {
            alpha = best;
        }
    }
    best
}
