//! How fast the engine is without Python: one JSON object of figures on stdout.
//!
//! `cargo run --release -p isolation-core --example speed`; `make bench` runs it and compares.

#![allow(clippy::cast_precision_loss, reason = "counts of nodes as rates for people")]

use std::fmt::Debug;
use std::hint::black_box;
use std::time::Instant;

use isolation_core::{
    Agent, AnyPosition, Budget, CellSet, Clock, Halt, Heuristic, Meter, Mode, Options, Player,
    Position, Random, Size, StopWatch, heuristics, heuristics::Work, perft, perft_made, play_game,
    search, with_position,
};

/// Two placed knights in the open: on 7 by 7 and, as far from the edges, on 11 by 9.
const SMALL: &str = "7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1";
const MEDIUM: &str = "11x9 11/11/11/11/3x7/11/6x4/11/11 4,3 6,6 1";

/// The best of several runs: noise on a shared machine only ever adds.
fn best_of<T>(runs: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut best: Option<(f64, T)> = None;
    for _ in 0..runs {
        let start = Instant::now();
        let result = black_box(work());
        let seconds = start.elapsed().as_secs_f64();
        if best.as_ref().is_none_or(|(least, _)| seconds < *least) {
            best = Some((seconds, result));
        }
    }
    best.expect("at least one run")
}

/// A heuristic that is asked for the value of each leaf, one after the other.
struct OneByOne<'h, H>(&'h mut H);

impl<S: CellSet, H: Heuristic<S>> Heuristic<S> for OneByOne<'_, H> {
    type Error = H::Error;

    fn nodes_between_looks(&self, cells: u32) -> u64 {
        self.0.nodes_between_looks(cells)
    }

    #[inline]
    fn evaluate<C: Clock>(
        &mut self,
        position: &Position<S>,
        player: Player,
        meter: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<H::Error>> {
        self.0.evaluate(position, player, meter)
    }
}

/// Counts the nodes of a search that asks its heuristic so.
struct SearchOneByOne<'s, S: CellSet>(&'s Position<S>, Options);

impl<S: CellSet, E: Debug> Work<S, E> for SearchOneByOne<'_, S> {
    type Output = u64;

    fn with<H: Heuristic<S, Error = E>>(self, heuristic: &mut H) -> u64 {
        let mut clock = StopWatch::start();
        search(self.0, &mut OneByOne(heuristic), &mut clock, &self.1).expect("a report").nodes
    }
}

fn nodes_searched<S: CellSet>(position: &Position<S>, options: &Options) -> u64 {
    let improved = heuristics::find("improved").expect("improved is registered");
    search(position, &mut &*improved, &mut StopWatch::start(), options).expect("a report").nodes
}

/// Nanoseconds a node of plain fixed-depth alpha-beta with `improved`, and of the same where it is asked
/// for each leaf: in turn, so that both meet the same noise.
fn alphabeta(text: &str, depth: u32) -> [f64; 2] {
    let any: AnyPosition = text.parse().expect("a position");
    let improved = heuristics::find("improved").expect("improved is registered");
    let options = Options::new(Budget::depth(depth));
    let mut least = [f64::INFINITY; 2];
    for _ in 0..15 {
        let of_both = with_position!(&any, |position| [
            best_of(1, || nodes_searched(position, &options)),
            best_of(1, || (&*improved).lend(SearchOneByOne(position, options))),
        ]);
        for (least, (seconds, nodes)) in least.iter_mut().zip(of_both) {
            *least = least.min(seconds * 1e9 / nodes as f64);
        }
    }
    least
}

/// Seconds of deepening to depth 20 from ten openings, together: they differ three times in size.
fn deepening(mode: Mode) -> f64 {
    let budget = Budget::new(Some(20), Some(u64::MAX), None).expect("a budget");
    let options = Options { mode, ..Options::new(budget) };
    let mut random = Random::from_seed(1);
    (0..10)
        .map(|_| {
            let opening = random_opening(&mut random);
            best_of(2, || nodes_searched(&opening, &options)).0
        })
        .sum()
}

/// Both players placed at random on 7 by 7.
fn random_opening(random: &mut Random) -> Position<u64> {
    let mut position = Position::<u64>::empty(Size::new(7, 7).expect("a size"));
    for _ in 0..2 {
        let player = position.to_move();
        let choice = random.below(position.mobility(player)) as usize;
        let cell = position.moves(player).nth(choice).expect("a blank cell");
        let _ = position.make(cell);
    }
    position
}

/// Games a second of two agents from random openings.
fn games(agent: &Agent, count: u64) -> f64 {
    let (seconds, ()) = best_of(5, || {
        let (mut random, mut clock) = (Random::from_seed(0), StopWatch::start());
        for seed in 0..count {
            let start = random_opening(&mut random);
            black_box(play_game([agent, agent], &start, seed, &mut clock)).expect("a game");
        }
    });
    count as f64 / seconds
}

fn main() {
    let any: AnyPosition = SMALL.parse().expect("a position");
    let improved = heuristics::find("improved").expect("improved is registered");
    let (made_seconds, _) = best_of(15, || with_position!(&any, |p| perft_made(&mut p.clone(), 8)));
    // perft_made returns leaves; the nodes it made are those of all depths.
    let nodes: u64 = (1..=8)
        .map(|depth| {
            with_position!(&any, |p| perft(p, depth, &mut StopWatch::start())).expect("a count")
        })
        .sum();
    let (bulk_seconds, leaves) = best_of(15, || {
        with_position!(&any, |p| perft(p, 9, &mut StopWatch::start())).expect("a count")
    });
    let [narrow, one_by_one] = alphabeta(SMALL, 12);
    let [medium, _] = alphabeta(MEDIUM, 10);
    let at_depth_3 = Agent::AlphaBeta {
        heuristic: improved.clone().into(),
        allowance: Budget::depth(3).into(),
        mode: Mode::Plain,
    };
    let at_2000_nodes = Agent::AlphaBeta {
        heuristic: improved.into(),
        allowance: Budget::nodes(2000).into(),
        mode: Mode::Plain,
    };
    let (plain, fast) = (deepening(Mode::Plain), deepening(Mode::Fast));
    println!("{{");
    println!("  \"perft_made_ns\": {:.3},", made_seconds * 1e9 / nodes as f64);
    println!("  \"perft_bulk_leaves_per_second\": {:.0},", leaves as f64 / bulk_seconds);
    println!("  \"alphabeta_ns\": {narrow:.3},");
    println!("  \"one_by_one_ns\": {one_by_one:.3},");
    println!("  \"alphabeta_128_ns\": {medium:.3},");
    println!("  \"plain_depth_20_seconds\": {plain:.4},");
    println!("  \"fast_depth_20_seconds\": {fast:.4},");
    println!("  \"games_depth_3_per_second\": {:.0},", games(&at_depth_3, 20_000));
    println!("  \"games_2000_nodes_per_second\": {:.0},", games(&at_2000_nodes, 1_000));
    println!("  \"games_random_per_second\": {:.0}", games(&Agent::Random, 200_000));
    println!("}}");
}
