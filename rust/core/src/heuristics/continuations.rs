//! Continuations: the whole tree of play below a position, walked to its ends. The formulas alone.
//!
//! ```text
//!       0   1   2
//!   0 | . | p | . |     p is scored and to move, q the opponent, x blocked. p has one move, to the
//!   1 | . | x | . |     lower left; then q has one, to the left; and so on until p has none left:
//!   2 | . | . | q |     each has moved three times. Of the 6 positions below p has lost in the last:
//!                       continuations  5 for p, 6 for q       longest_win  0 for p, 6 for q
//! ```
//!
//! A position walked is a node of the search's budget, and the walk ends with it. One walk is enough for
//! both players: every node counts once.

use super::entry::Entry;
use super::formula::{TreeFormula, TreeMeter};
use crate::board::{CellSet, Player, Position};
use crate::budget::Stop;

pub(super) fn registry() -> Vec<Entry> {
    vec![
        Entry::walking(
            "continuations",
            "the positions that may follow, all lines of play counted, but those the player has lost in",
            "nodes below in the tree of play, without those where p is to move and cannot",
            |_| Continuations::OwnOnly,
        )
        .called("D", "heuristic6"),
        Entry::walking(
            "continuations_difference",
            "the player's continuations less the opponent's",
            "continuations(p) - continuations(o)",
            |_| Continuations::Difference,
        )
        .called("D", "heuristic5"),
        Entry::walking(
            "longest_win",
            "the moves of the longest line of play that the player wins",
            "plies of the longest line from here that p wins; 0 where there is none",
            |_| LongestWin { difference: false },
        )
        .called("D", "our reading of heuristic6's text"),
        Entry::walking(
            "longest_win_difference",
            "the moves of the longest line of play that the player wins, less the opponent's",
            "longest_win(p) - longest_win(o)",
            |_| LongestWin { difference: true },
        )
        .called("D", "our reading of heuristic5's text"),
    ]
}

/// The count for the player, or less the one for its opponent.
#[derive(Clone, Copy)]
pub(super) enum Continuations {
    OwnOnly,
    Difference,
}

impl TreeFormula for Continuations {
    fn value<S: CellSet>(
        &self,
        position: &Position<S>,
        player: Player,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<f64, Stop> {
        let tree = Tree::below(position, meter)?;
        #[allow(clippy::cast_precision_loss, reason = "nobody walks more than 2^53 positions")]
        let [own, other] =
            [player, player.opponent()].map(|side| (tree.nodes - tree.lost[side.index()]) as f64);
        Ok(match self {
            Self::OwnOnly => own,
            Self::Difference => own - other,
        })
    }
}

struct LongestWin {
    difference: bool,
}

impl TreeFormula for LongestWin {
    fn value<S: CellSet>(
        &self,
        position: &Position<S>,
        player: Player,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<f64, Stop> {
        let tree = Tree::below(position, meter)?;
        let [own, other] =
            [player, player.opponent()].map(|side| f64::from(tree.longest_win[side.index()]));
        Ok(if self.difference { own - other } else { own })
    }
}

/// What the tree of play below a position holds.
#[derive(Default)]
struct Tree {
    nodes: u64,
    /// By player: how many nodes are a loss, and how many moves lead to the farthest win.
    lost: [u64; 2],
    longest_win: [u32; 2],
}

impl Tree {
    /// Walks the tree. Its lines are as long as there are cells, so they are kept on a stack of our own
    /// and not the machine's.
    fn below<S: CellSet>(
        position: &Position<S>,
        meter: &mut TreeMeter<'_, '_>,
    ) -> Result<Self, Stop> {
        let mut position = position.clone();
        let (mut tree, mut line) = (Self::default(), Vec::new());
        let mut plies = 1;
        let mut moves = position.moves(position.to_move());
        loop {
            if let Some(cell) = moves.next() {
                meter.spend()?;
                tree.nodes += 1;
                let undo = position.make(cell);
                let side = position.to_move();
                if position.can_move(side) {
                    line.push((moves, undo));
                    moves = position.moves(side);
                    plies += 1;
                    continue;
                }
                tree.lost[side.index()] += 1;
                let longest = &mut tree.longest_win[side.opponent().index()];
                *longest = plies.max(*longest);
                position.unmake(undo);
            } else if let Some((rest, undo)) = line.pop() {
                position.unmake(undo);
                moves = rest;
                plies -= 1;
            } else {
                return Ok(tree);
            }
        }
    }
}
