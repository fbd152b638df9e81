//! A whole strategy: a reply to every move that the other player could ever make.

use super::outcome::Solver;
use crate::board::{Cell, CellSet, Position};
use crate::budget::{Clock, Meter, Stop};

/// Replies that win for the opponent of the player to move; none where the player to move wins.
///
/// They stand in the order of a walk: for each move of the player to move, by increasing index, the
/// reply, and then all replies of the position after both.
///
/// ```text
///   move a -> reply 1      1, all replies after (a, 1),
///   move b -> reply 2      2, all replies after (b, 2)
/// ```
///
/// # Errors
/// [`Stop::Interrupted`] where the clock says so.
///
/// ```
/// use isolation_core::{Cell, Position, Size, StopWatch, strategy};
///
/// let mut placed = Position::<u64>::empty(Size::new(3, 3)?);
/// placed.make(Cell(4));
/// placed.make(Cell(0));
/// // From the centre there is no move, so nothing needs a reply.
/// assert_eq!(strategy(&placed, &mut StopWatch::start()), Ok(Some(Vec::new())));
/// # Ok::<(), isolation_core::SizeError>(())
/// ```
pub fn strategy<S: CellSet, C: Clock>(
    position: &Position<S>,
    clock: &mut C,
) -> Result<Option<Vec<Cell>>, Stop> {
    let mut solver =
        Solver::new(position, Meter::unlimited(super::NODES_BETWEEN_LOOKS, clock), |_| None);
    let mut replies = Vec::new();
    Ok(solver.add_replies(&mut replies)?.then_some(replies))
}

impl<S: CellSet, C: Clock> Solver<'_, S, C> {
    /// Adds the replies of a position; false where a move has none that wins.
    fn add_replies(&mut self, replies: &mut Vec<Cell>) -> Result<bool, Stop> {
        for to in self.position.moves(self.position.to_move()) {
            let answered = self.after(to, |solver| {
                let Some(reply) = solver.move_of_outcome(true)? else { return Ok(false) };
                replies.push(reply);
                solver.after(reply, |solver| solver.add_replies(replies))
            })?;
            if !answered {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
