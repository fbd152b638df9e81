//! Many games: what they are, whoever plays them.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use isolation_core::{
    Agent, AnyPosition, Budget, Clock, Game, Mode, Series, Stop, game_stream, heuristics,
    play_game, with_position,
};

use crate::clocks::Still;

const OPENINGS: [&str; 3] = [
    "7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1",
    "3x3 x2/3/2x 0,0 2,2 2",
    "11x9 11/11/11/11/3x7/11/6x4/11/11 4,3 6,6 1",
];

fn openings(times: usize) -> Vec<AnyPosition> {
    OPENINGS.repeat(times).iter().map(|text| text.parse().unwrap()).collect()
}

fn searcher() -> Agent {
    let heuristic = heuristics::find("improved").unwrap().into();
    Agent::AlphaBeta { heuristic, allowance: Budget::nodes(300).into(), mode: Mode::Plain }
}

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

#[test]
fn the_games_do_not_depend_on_the_threads() {
    let (openings, agents) = (openings(10), [&searcher(), &Agent::Random]);
    let series = Series { agents, openings: &openings, first_opening: 5, seed: 11, exact: None };
    let alone: Vec<Game> = series.play(threads(1), &mut Still, |game| game).unwrap();
    assert_eq!(alone.len(), series.games());
    for count in [2, 3, 8, 1000] {
        assert_eq!(series.play(threads(count), &mut Still, |game| game).unwrap(), alone);
    }
}

#[test]
fn each_opening_is_played_from_both_sides_with_a_stream_of_its_own() {
    let (openings, agents) = (openings(1), [&searcher(), &Agent::Random]);
    let series = Series { agents, openings: &openings, first_opening: 40, seed: 3, exact: None };
    let games = series.play(threads(2), &mut Still, |game| game).unwrap();
    for (number, game) in games.iter().enumerate() {
        let (opening, side) = (number / 2, number % 2);
        let seats = [agents[side], agents[1 - side]];
        let seed = game_stream(3, 40 + opening as u64, side as u64);
        let alone =
            with_position!(&openings[opening], |start| play_game(seats, start, seed, &mut Still));
        assert_eq!(*game, alone.unwrap());
    }
}

#[test]
fn a_series_cut_in_two_is_the_same_series() {
    let (openings, agents) = (openings(1), [&Agent::Random, &Agent::Random]);
    let whole = Series { agents, openings: &openings, first_opening: 0, seed: 9, exact: None };
    let play = |series: &Series<'_>| series.play(threads(2), &mut Still, |game| game).unwrap();
    let first = Series { openings: &openings[..1], ..whole };
    let second = Series { openings: &openings[1..], first_opening: 1, ..whole };
    assert_eq!([play(&first), play(&second)].concat(), play(&whole));
}

#[test]
fn streams_differ() {
    let mut seen = HashSet::new();
    for seed in 0..20 {
        for opening in 0..200 {
            assert!(seen.insert(game_stream(seed, opening, 0)));
            assert!(seen.insert(game_stream(seed, opening, 1)));
        }
    }
}

/// Somebody wants an end at the first look.
struct Impatient<'l>(&'l AtomicUsize);

impl Clock for Impatient<'_> {
    fn now(&mut self) -> Duration {
        Duration::ZERO
    }

    fn interrupted(&mut self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        true
    }
}

#[test]
fn somebody_who_wants_an_end_gets_it_on_any_number_of_threads() {
    // More than anybody plays in a lifetime.
    let heuristic = heuristics::find("improved").unwrap().into();
    let endless =
        Agent::AlphaBeta { heuristic, allowance: Budget::nodes(1 << 40).into(), mode: Mode::Plain };
    let openings = openings(1000);
    let series = Series {
        agents: [&endless, &endless],
        openings: &openings,
        first_opening: 0,
        seed: 0,
        exact: None,
    };
    for count in [1, 2] {
        let looks = AtomicUsize::new(0);
        let ended = series.play(threads(count), &mut Impatient(&looks), |_| ());
        assert_eq!(ended.unwrap_err(), Stop::Interrupted);
        assert!(looks.into_inner() >= 1);
    }
}

#[test]
fn no_openings_make_no_games() {
    let series = Series {
        agents: [&Agent::Random, &Agent::Random],
        openings: &[],
        first_opening: 0,
        seed: 0,
        exact: None,
    };
    assert!(series.play(threads(2), &mut Still, |game| game).unwrap().is_empty());
}
