//! Clocks of our own, and searches that end by them.

use std::convert::Infallible;
use std::time::Duration;

use isolation_core::{
    Agent, Budget, CellSet, Clock, Failure, Halt, Heuristic, Meter, NativeHeuristic, Options,
    Player, Position, Random, Reason, Report, Size, Stop, Wide, heuristics, perft, search,
};

use crate::positions::narrow;

const OPENING: &str = "7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1";
const MILLISECOND: Duration = Duration::from_millis(1);

/// Time stands still, and nobody interrupts.
pub(crate) struct Still;

impl Clock for Still {
    fn now(&mut self) -> Duration {
        Duration::ZERO
    }
}

/// A millisecond passes at each look; counts what it was asked.
#[derive(Debug, Default)]
pub(crate) struct Ticking {
    pub(crate) looks: u32,
    pub(crate) asked_for_interruption: u32,
    pub(crate) interrupted_at: Option<u32>,
}

impl Clock for Ticking {
    fn now(&mut self) -> Duration {
        self.looks += 1;
        MILLISECOND * self.looks
    }

    fn interrupted(&mut self) -> bool {
        self.asked_for_interruption += 1;
        self.interrupted_at.is_some_and(|at| self.asked_for_interruption >= at)
    }
}

/// `improved`, looking at the clock every `LOOK` nodes.
struct Watchful<'h, const LOOK: u64>(&'h NativeHeuristic);

impl<S: CellSet, const LOOK: u64> Heuristic<S> for Watchful<'_, LOOK> {
    type Error = Infallible;

    fn nodes_between_looks(&self, _: u32) -> u64 {
        LOOK
    }

    fn evaluate<C: Clock>(
        &mut self,
        position: &Position<S>,
        player: Player,
        _: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<Infallible>> {
        Ok(self.0.value(position, player))
    }
}

fn watched<const LOOK: u64>(
    budget: Budget,
    clock: &mut Ticking,
) -> Result<Report, Failure<Infallible>> {
    let improved = heuristics::find("improved").unwrap();
    search(&narrow(OPENING), &mut Watchful::<LOOK>(&improved), clock, &Options::new(budget))
}

fn milliseconds(count: u32) -> Budget {
    Budget::new(None, None, Some(MILLISECOND * count)).unwrap()
}

fn ends_at_the_first_look_after_its_time<const LOOK: u64>() {
    for time in 1..200 {
        let mut clock = Ticking::default();
        let report = watched::<LOOK>(milliseconds(time), &mut clock).unwrap();
        assert_eq!(report.reason, Reason::Time);
        // One look at the start; the next, before the first node, shows that one millisecond is over.
        assert_eq!(report.nodes, LOOK * u64::from(time - 1));
        assert_eq!(clock.looks, time + 1);
    }
}

#[test]
fn a_search_ends_at_the_first_look_after_its_time() {
    ends_at_the_first_look_after_its_time::<1>();
    ends_at_the_first_look_after_its_time::<7>();
    ends_at_the_first_look_after_its_time::<64>();
}

#[test]
fn a_native_heuristic_lets_1024_nodes_pass_between_looks() {
    let improved = heuristics::find("improved").unwrap();
    for time in [1, 2, 50] {
        let mut clock = Ticking::default();
        let options = Options::new(milliseconds(time));
        let report = search(&narrow(OPENING), &mut &*improved, &mut clock, &options).unwrap();
        assert_eq!((report.reason, report.nodes), (Reason::Time, 1024 * u64::from(time - 1)));
    }
}

#[test]
fn what_time_cuts_short_is_what_nodes_cut_short() {
    for time in 2..150 {
        let timed = watched::<7>(milliseconds(time), &mut Ticking::default()).unwrap();
        let counted = watched::<7>(Budget::nodes(timed.nodes), &mut Ticking::default()).unwrap();
        assert_eq!(Report { reason: Reason::Nodes, ..timed }, counted);
    }
}

#[test]
fn the_first_limit_to_run_out_ends_the_search() {
    for (depth, nodes, time, reason) in [
        (2, 10_000, 10_000, Reason::Depth),
        (20, 500, 10_000, Reason::Nodes),
        (20, 10_000, 100, Reason::Time),
        // On the same node: nodes are looked at first.
        (20, 400, 401, Reason::Nodes),
    ] {
        let budget = Budget::new(Some(depth), Some(nodes), Some(MILLISECOND * time)).unwrap();
        let report = watched::<1>(budget, &mut Ticking::default()).unwrap();
        assert_eq!(report.reason, reason, "{budget:?}");
    }
}

#[test]
fn time_is_not_read_where_it_is_not_limited() {
    let mut clock = Ticking::default();
    watched::<1>(Budget::nodes(2000), &mut clock).unwrap();
    assert_eq!(clock.looks, 0);
    // And without a deadline nobody needs a look at each node.
    assert!((2000 / 64..=2000 / 64 + 1).contains(&clock.asked_for_interruption));
}

#[test]
fn an_interruption_ends_a_search_at_the_next_look() {
    for at in 1..100 {
        let mut clock = Ticking { interrupted_at: Some(at), ..Ticking::default() };
        assert_eq!(watched::<7>(Budget::depth(20), &mut clock), Err(Failure::Interrupted));
        assert_eq!(clock.asked_for_interruption, at);
    }
}

#[test]
fn an_interruption_ends_a_greedy_placement() {
    let size = Size::new(100, 100).unwrap();
    let greedy = Agent::Greedy(heuristics::find("open").unwrap().into());
    let mut clock = Ticking { interrupted_at: Some(2), ..Ticking::default() };
    let mut random = Random::from_seed(0);
    let choice = greedy.choose(&Position::<Wide>::empty(size), 0, &mut random, &mut clock);
    assert_eq!((choice, clock.asked_for_interruption), (Err(Halt::Stop(Stop::Interrupted)), 2));
}

#[test]
fn an_interruption_ends_perft() {
    for at in 1..20 {
        let mut clock = Ticking { interrupted_at: Some(at), ..Ticking::default() };
        assert_eq!(perft(&narrow(OPENING), 30, &mut clock), Err(Failure::Interrupted));
        assert_eq!(clock.asked_for_interruption, at);
    }
}
