//! Many games between two agents, from openings that each are played from both sides, on several threads.

use std::num::NonZeroUsize;

use super::agent::Agent;
use super::game::{Chance, Game, play_game};
use crate::board::{AnyPosition, Cell, GOLDEN, mix, with_position};
use crate::budget::{Clock, Stop};
use crate::exact::judge;
use crate::side_by_side::side_by_side;

/// The 64 bits of chance of one game: they depend on which game it is, and on nothing else. Side 0 is the
/// game in which the first agent is player 1.
#[must_use]
pub fn game_stream(seed: u64, opening: u64, side: u64) -> u64 {
    let place = (2 * opening + side).wrapping_add(1);
    mix(mix(seed.wrapping_add(GOLDEN)) ^ place.wrapping_mul(GOLDEN))
}

/// What is to be played.
#[derive(Clone, Copy)]
pub struct Series<'s> {
    /// The two who play: the first begins the first game from each opening.
    pub agents: [&'s Agent; 2],
    /// Where games begin: two from each.
    pub openings: &'s [AnyPosition],
    /// The number of the first of these openings, where they are a part of a longer list.
    pub first_opening: u64,
    /// Decides, together with an opening's number, all chance in its games.
    pub seed: u64,
    /// With so many nodes for each position, who wins it is found out once a game is over; none: not at all.
    pub exact: Option<u64>,
}

impl Series<'_> {
    /// How many games they are.
    #[must_use]
    pub fn games(&self) -> usize {
        2 * self.openings.len()
    }

    /// Plays all games, on so many threads. What is kept of each comes in the order of the openings, and of
    /// the sides: however many threads there are, it is the same.
    ///
    /// # Errors
    /// [`Stop::Interrupted`] where the clock says so.
    ///
    /// # Panics
    /// Where the system gives no thread.
    pub fn play<T: Send, C: Clock>(
        &self,
        threads: NonZeroUsize,
        clock: &mut C,
        keep: impl Fn(Game) -> T + Sync,
    ) -> Result<Vec<T>, Stop> {
        if threads.get().min(self.games()) <= 1 {
            return (0..self.games()).map(|number| Ok(keep(self.game(number, clock)?))).collect();
        }
        side_by_side(threads, self.games(), clock, |number, clock| {
            Ok(keep(self.game(number, clock)?))
        })
    }

    fn game<C: Clock>(&self, number: usize, clock: &mut C) -> Result<Game, Stop> {
        let (opening, side) = (number / 2, number % 2);
        let seed = game_stream(self.seed, self.first_opening + opening as u64, side as u64);
        let [first, second] = self.agents;
        let (agents, entrants) =
            if side == 0 { ([first, second], [0, 1]) } else { ([second, first], [1, 0]) };
        let is_counted = agents.into_iter().any(Agent::is_counted);
        let chance = if is_counted { Chance::OfPython(seed, entrants) } else { Chance::Own(seed) };
        with_position!(&self.openings[opening], |start| {
            let mut game = play_game(agents, start, chance, clock)?;
            if self.exact.is_some() {
                let moves: Vec<Cell> = game.cells().collect();
                game.outcomes = judge(start, &moves, self.exact, clock)?.outcomes;
            }
            Ok(game)
        })
    }
}
