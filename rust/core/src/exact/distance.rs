//! How long the game lasts when the winner wins as soon as it can and the loser resists as long as it
//! can, and a line of such play.
//!
//! The winner makes the last move: a won position lasts an odd number of moves, a lost one an even
//! number. So each question is one of yes or no, asked for ever more moves: is it over within 2, 4, 6?

use super::Outcome;
use super::outcome::{Open, Sight, Solver, completes_image};
use crate::board::{Cell, CellSet};
use crate::budget::{Clock, Stop};

impl<S: CellSet, C: Clock> Solver<'_, S, C> {
    /// How many moves the game still has, a move of known outcome included. Of a winning move it is asked
    /// whether that is one more than `left`; it was asked for all fewer before.
    pub(super) fn distance_by(
        &mut self,
        to: Cell,
        outcome: Outcome,
        left: u32,
    ) -> Result<Option<u32>, Stop> {
        match self.sight(to) {
            Sight::Wins => return Ok(Some(1)),
            Sight::Loses => return Ok(Some(2)),
            Sight::Open(_) => {}
        }
        if outcome == Outcome::Win {
            let survives = self.after(to, |solver| solver.survives(left))?;
            return Ok((!survives).then_some(1 + left));
        }
        let mut left = 3;
        while !self.after(to, |solver| solver.wins_within(left))? {
            left += 2;
        }
        Ok(Some(1 + left))
    }

    /// Whether the player to move can win within so many moves of both, an odd number from 3 on. Both
    /// players can move.
    fn wins_within(&mut self, moves: u32) -> Result<bool, Stop> {
        self.meter.spend()?;
        // A mirrored position is won, but who knows how soon.
        let Some(open) = Open::moves::<S>(&self.position, |_, _| false) else {
            return Ok(true);
        };
        for to in open {
            if !self.after(to, |solver| solver.survives(moves - 1))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the player to move can avoid to have lost after so many moves of both, an even number from
    /// 2 on. Both players can move.
    fn survives(&mut self, moves: u32) -> Result<bool, Stop> {
        self.meter.spend()?;
        // A move that loses at sight ends the game with the next one.
        let Some(open) = Open::moves::<S>(&self.position, completes_image) else {
            return Ok(true);
        };
        for to in open {
            // After any other move it goes on for two more.
            if moves == 2 || !self.after(to, |solver| solver.wins_within(moves - 1))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Plays to the end of the game and adds the moves to the line: best play where the distance is known,
    /// else any winning move against the most promising ones.
    ///
    /// The position is then the last one.
    pub(super) fn play_out(
        &mut self,
        mut wins: bool,
        mut distance: Option<u32>,
        line: &mut Vec<Cell>,
    ) -> Result<(), Stop> {
        while let Some(to) = match distance {
            Some(distance) => self.move_of_distance(wins, distance)?,
            None => self.move_of_outcome(wins)?,
        } {
            let _ = self.position.make(to);
            line.push(to);
            wins = !wins;
            distance = distance.map(|distance| distance - 1);
        }
        Ok(())
    }

    /// The first winning move, or the most promising one of a player without any.
    pub(super) fn move_of_outcome(&mut self, wins: bool) -> Result<Option<Cell>, Stop> {
        for to in self.promising() {
            if !wins || self.move_wins(to)? {
                return Ok(Some(to));
            }
        }
        Ok(None)
    }

    /// The first move that keeps the distance: the winner's of the shortest wins, the loser's of the
    /// longest resistances.
    fn move_of_distance(&mut self, wins: bool, distance: u32) -> Result<Option<Cell>, Stop> {
        for to in self.promising() {
            let keeps = match (self.sight(to), distance) {
                (Sight::Loses, _) => distance == 2,
                (Sight::Open(_), 1) => false,
                // A lost move that is not plain to see lasts four moves or more.
                (Sight::Wins, _) | (Sight::Open(_), 4) => true,
                (Sight::Open(_), _) if wins => {
                    !self.after(to, |solver| solver.survives(distance - 1))?
                }
                (Sight::Open(_), _) => {
                    !self.after(to, |solver| solver.wins_within(distance - 3))?
                }
            };
            if keeps {
                return Ok(Some(to));
            }
        }
        Ok(None)
    }
}
