//! A heuristic that searches the last two plies itself changes nothing but the time.

use std::convert::Infallible;
use std::time::Duration;

use isolation_core::heuristics::{self, last_plies};
use isolation_core::{
    Budget, CellSet, Clock, Failure, Halt, Heuristic, Meter, Method, Mode, Options, Player,
    Position, Random, Report, search, with_position,
};
use proptest::prelude::*;

use crate::clocks::Ticking;
use crate::positions::{affordable_depth, any_position};

/// What a heuristic does where it may search the last plies.
#[derive(Clone, Copy)]
enum Last {
    OneByOne,
    AtOnce,
    /// Now this and now that, by the position.
    Either,
}

/// A function of the position, which wants a look at the clock after so many nodes.
struct Valued<V> {
    value: V,
    last: Last,
    between_looks: u64,
}

impl<S: CellSet, V: Fn(&Position<S>, Player) -> f64> Heuristic<S> for Valued<V> {
    type Error = Infallible;

    fn nodes_between_looks(&self, _: u32) -> u64 {
        self.between_looks
    }

    fn evaluate<C: Clock>(
        &mut self,
        position: &Position<S>,
        player: Player,
        _: &mut Meter<'_, C>,
    ) -> Result<f64, Halt<Infallible>> {
        Ok((self.value)(position, player))
    }

    fn last_plies(
        &mut self,
        position: &Position<S>,
        player: Player,
        alpha: f64,
        beta: f64,
    ) -> Option<(f64, u64)> {
        let at_once = match self.last {
            Last::OneByOne => false,
            Last::AtOnce => true,
            Last::Either => position.hash().is_multiple_of(2),
        };
        at_once.then(|| last_plies(position, player, alpha, beta, &self.value))
    }
}

/// Few values: ties, infinities without proof, zeros of both signs and NaN.
fn arbitrary<S: CellSet>(seed: u64, position: &Position<S>, player: Player) -> f64 {
    const VALUES: [f64; 8] =
        [f64::NAN, -f64::NAN, f64::NEG_INFINITY, -1.5, -0.0, 0.0, 1.0, f64::INFINITY];
    let mut random = Random::from_seed(seed ^ position.hash() ^ u64::from(player.number()));
    VALUES[random.below(8) as usize]
}

/// How a search is limited: depth, nodes, milliseconds, and the question at which somebody interrupts it.
type Limits = (u32, Option<u64>, Option<u64>, Option<u32>);

fn any_limits() -> impl Strategy<Value = Limits> {
    use proptest::option::of;
    (1..9_u32, of(1..3000_u64), of(1..200_u64), of(1..40_u32))
}

/// All that a search shows: its report, every bit of it, and what it asked of its clock.
fn shown<S: CellSet, H: Heuristic<S, Error = Infallible>>(
    position: &Position<S>,
    heuristic: &mut H,
    options: &Options,
    interrupted_at: Option<u32>,
) -> String {
    let mut clock = Ticking { interrupted_at, ..Ticking::default() };
    let report: Result<Report, Failure<_>> = search(position, heuristic, &mut clock, options);
    format!("{report:?} {clock:?}")
}

fn all_options(
    (depth, nodes, milliseconds, _): Limits,
    bits: u64,
) -> impl Iterator<Item = Options> {
    let time = milliseconds.map(Duration::from_millis);
    // Minimax needs an end.
    let nodes = Some(nodes.unwrap_or(20_000));
    let walks = [
        (Method::Minimax, Mode::Plain),
        (Method::AlphaBeta, Mode::Plain),
        (Method::AlphaBeta, Mode::Fast),
    ];
    walks.into_iter().flat_map(move |(method, mode)| {
        [false, true].map(|root_values| {
            let budget = Budget::new(Some(depth), nodes, time).unwrap();
            Options { method, mode, order_bits: bits, root_values, ..Options::new(budget) }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn native_heuristics_find_what_they_would_one_by_one(
        any in any_position(), limits in any_limits(), bits in any::<u64>()
    ) {
        with_position!(&any, |position| {
            let looking: Vec<_> = heuristics::all().iter().filter(|each| !each.walks()).collect();
            let native = looking[usize::try_from(bits % looking.len() as u64).unwrap()];
            for options in all_options(limits, bits) {
                let mut one_by_one = Valued {
                    value: |position: &Position<_>, player| native.value(position, player),
                    last: Last::OneByOne,
                    between_looks: native.nodes_between_looks(position.size().cells()),
                };
                prop_assert_eq!(
                    shown(position, &mut &**native, &options, limits.3),
                    shown(position, &mut one_by_one, &options, limits.3),
                    "{} {:?}", native.name, options
                );
            }
        });
    }

    #[test]
    fn any_values_are_found_as_one_by_one(
        any in any_position(), limits in any_limits(), bits in any::<u64>(),
        between_looks in prop_oneof![Just(1_u64), Just(7), Just(64), Just(1024)],
    ) {
        with_position!(&any, |position| {
            for options in all_options(limits, bits) {
                let [at_once, either, one_by_one] =
                    [Last::AtOnce, Last::Either, Last::OneByOne].map(|last| {
                        let value = |position: &_, player| arbitrary(bits, position, player);
                        let mut heuristic = Valued { value, last, between_looks };
                        shown(position, &mut heuristic, &options, limits.3)
                    });
                prop_assert_eq!(&at_once, &one_by_one, "{:?}", options);
                prop_assert_eq!(&either, &one_by_one, "{:?}", options);
            }
        });
    }

    #[test]
    fn a_depth_alone_is_searched_as_one_by_one(any in any_position(), bits in any::<u64>()) {
        with_position!(&any, |position| {
            for depth in 1..=affordable_depth(position, 1_000) {
                let [at_once, one_by_one] = [Last::AtOnce, Last::OneByOne].map(|last| {
                    let value = |position: &_, player| arbitrary(bits, position, player);
                    let mut heuristic = Valued { value, last, between_looks: 1024 };
                    shown(position, &mut heuristic, &Options::new(Budget::depth(depth)), None)
                });
                prop_assert_eq!(at_once, one_by_one);
            }
        });
    }
}
