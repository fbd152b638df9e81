//! Play: agents that choose moves within an allowance, a game between two of them, and series of games.

mod agent;
mod allowance;
mod game;
mod random;
mod series;
mod twister;

pub use agent::{Agent, Choice, Scorer};
pub use allowance::Allowance;
pub use game::{Chance, Game, GameEnding, play_game};
pub use random::Random;
pub use series::{Series, game_stream};
