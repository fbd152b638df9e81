//! A single game between two agents.

use super::agent::{Agent, Choice};
use super::random::Random;
use crate::board::{Cell, CellSet, Player, Position};
use crate::budget::{Clock, Stop};
use crate::exact::Outcome;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnding {
    /// The player to move had no move.
    NoMoves,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Who won.
    pub winner: Player,
    /// The moves from the start on, each with what its chooser made of it.
    pub turns: Vec<Choice>,
    /// What each player searched.
    pub nodes: [u64; 2],
    /// How it ended.
    pub ending: GameEnding,
    /// Who wins each position with best play, as [`judge`](crate::judge) says; empty where nobody asked.
    pub outcomes: Vec<Outcome>,
}

impl Game {
    /// Where the moves led to, from the start on.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.turns.iter().filter_map(|turn| turn.cell)
    }
}

/// Long games are games on boards of many thousand cells.
const MOVES_BETWEEN_LOOKS: usize = 64;

/// Plays a game to its end. All chance in it comes from the seed.
///
/// # Errors
/// [`Stop::Interrupted`] where the clock says so.
pub fn play_game<S: CellSet, C: Clock>(
    agents: [&Agent; 2],
    start: &Position<S>,
    seed: u64,
    clock: &mut C,
) -> Result<Game, Stop> {
    let mut random = Random::from_seed(seed);
    let order_bits = random.next_bits();
    let mut position = start.clone();
    let mut turns = Vec::new();
    let mut nodes = [0; 2];
    loop {
        // Agents whose moves are quick do not look themselves.
        if turns.len() % MOVES_BETWEEN_LOOKS == 0 && clock.interrupted() {
            return Err(Stop::Interrupted);
        }
        let player = position.to_move();
        let agent = agents[player.index()];
        let choice = agent.choose(&position, order_bits, &mut random, clock)?;
        nodes[player.index()] += choice.nodes;
        let Some(cell) = choice.cell else {
            return Ok(Game {
                winner: player.opponent(),
                turns,
                nodes,
                ending: GameEnding::NoMoves,
                outcomes: Vec::new(),
            });
        };
        let _ = position.make(cell);
        turns.push(choice);
    }
}
