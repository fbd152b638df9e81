//! A single game between two agents.

use super::agent::{Agent, Choice};
use super::random::Random;
use super::series::game_stream;
use crate::board::{Cell, CellSet, Player, Position};
use crate::budget::{Clock, Stop};
use crate::exact::Outcome;
use crate::heuristics::{Halt, NoValue};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameEnding {
    /// The player to move had no move.
    NoMoves,
    /// The program of the player to move had no value for a position.
    NoValue(NoValue),
}

/// Where all chance in a game comes from.
#[derive(Clone, Copy, Debug)]
pub enum Chance {
    /// The engine's own stream of this seed.
    Own(u64),
    /// Python's `random`, as in games that are played there: the stream of the game, and for each player whether
    /// it is the first or the second of its pairing.
    OfPython(u64, [u64; 2]),
}

impl From<u64> for Chance {
    fn from(seed: u64) -> Self {
        Self::Own(seed)
    }
}

impl Chance {
    /// The bits that order the board's moves, and what the two players draw from.
    fn dealt(self) -> (u64, Vec<Random>) {
        match self {
            Self::Own(seed) => {
                let mut random = Random::from_seed(seed);
                (random.next_bits(), vec![random])
            }
            Self::OfPython(stream, entrants) => {
                let own = |entrant| Random::of_python(game_stream(stream, entrant, 0));
                (Random::of_python(stream).next_bits(), entrants.map(own).into())
            }
        }
    }
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
    /// What each player's program paid.
    pub paid: [u64; 2],
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

/// Plays a game to its end.
///
/// # Errors
/// [`Stop::Interrupted`] where the clock says so.
pub fn play_game<S: CellSet, C: Clock>(
    agents: [&Agent; 2],
    start: &Position<S>,
    chance: impl Into<Chance>,
    clock: &mut C,
) -> Result<Game, Stop> {
    let (order_bits, mut randoms) = chance.into().dealt();
    let mut position = start.clone();
    let mut turns = Vec::new();
    let (mut nodes, mut paid) = ([0; 2], [0; 2]);
    let (winner, ending) = loop {
        // Agents whose moves are quick do not look themselves.
        if turns.len() % MOVES_BETWEEN_LOOKS == 0 && clock.interrupted() {
            return Err(Stop::Interrupted);
        }
        let player = position.to_move();
        // Both draw from one where there is one.
        let random = player.index().min(randoms.len() - 1);
        let random = &mut randoms[random];
        let choice = match agents[player.index()].choose(&position, order_bits, random, clock) {
            Ok(choice) => choice,
            Err(Halt::Stop(stop)) => return Err(stop),
            Err(Halt::Heuristic(none)) => break (player.opponent(), GameEnding::NoValue(none)),
        };
        nodes[player.index()] += choice.nodes;
        paid[player.index()] += choice.paid;
        let Some(cell) = choice.cell else { break (player.opponent(), GameEnding::NoMoves) };
        let _ = position.make(cell);
        turns.push(choice);
    };
    Ok(Game { winner, turns, nodes, paid, ending, outcomes: Vec::new() })
}
