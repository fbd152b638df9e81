//! Players whose work is counted: programs in searches and games.

use std::num::NonZeroUsize;
use std::sync::Arc;

use isolation_core::heuristics::CountedHeuristic;
use isolation_core::program::{Function, Instruction as Op, Program, prices};
use isolation_core::{
    Agent, Allowance, AnyPosition, Budget, CellSet, Choice, Game, GameEnding, Halt, Heuristic,
    Meter, Mode, NoValue, Options, Player, Position, Random, Reason, Report, Scorer, Series, Stop,
    heuristics, search, with_position,
};
use proptest::prelude::*;

use crate::clocks::Still;
use crate::positions::{any_position, narrow};

fn of(code: Vec<Op>) -> Arc<Program> {
    let (parameters, results) = ([2, 0, 0], [0, 1, 0]);
    let entry = Function { registers: [6, 2, 0], parameters, results, code };
    let floats = vec![f64::NEG_INFINITY, f64::INFINITY];
    Arc::new(Program::new(vec![entry], vec![], floats, vec![]).unwrap())
}

/// What `improved` is, as a program.
fn improved() -> Arc<Program> {
    of(vec![
        Op::IsLoser(2, 0, 1),
        Op::JumpIfNot(2, 4),
        Op::ConstF(0, 0),
        Op::Ret(),
        Op::IsWinner(2, 0, 1),
        Op::JumpIfNot(2, 8),
        Op::ConstF(0, 1),
        Op::Ret(),
        Op::Mobility(2, 0, 1),
        Op::Opponent(3, 1),
        Op::Mobility(3, 0, 3),
        Op::SubI(2, 2, 3),
        Op::IToF(0, 2),
        Op::Ret(),
    ])
}

/// As many as there are moves left; no value once so many were made.
fn mobility_until(moves: i32) -> Arc<Program> {
    of(vec![
        Op::MoveCount(2, 0),
        Op::JumpLtN(2, moves, 3),
        Op::Bail(),
        Op::Mobility(2, 0, 1),
        Op::IToF(0, 2),
        Op::Ret(),
    ])
}

fn agents(scorer: &Scorer) -> Vec<Agent> {
    let alpha_beta = |budget: Budget, mode| Agent::AlphaBeta {
        heuristic: scorer.clone(),
        allowance: budget.into(),
        mode,
    };
    vec![
        Agent::Greedy(scorer.clone()),
        Agent::Minimax { heuristic: scorer.clone(), depth: 2 },
        alpha_beta(Budget::nodes(90), Mode::Plain),
        alpha_beta(Budget::nodes(90).at_most_depth(3), Mode::Fast),
    ]
}

fn chosen<S: CellSet>(agent: &Agent, position: &Position<S>) -> Choice {
    agent.choose(position, 5, &mut Random::from_seed(1), &mut Still).unwrap()
}

fn searched<S: CellSet>(position: &Position<S>, budget: Budget) -> Report {
    let mut heuristic = CountedHeuristic::new(&improved(), 5);
    let options = Options { order_bits: 5, ..Options::new(budget) };
    search(position, &mut heuristic, &mut Still, &options).unwrap()
}

/// What a search has spent.
fn spent(report: &Report) -> u64 {
    report.nodes * u64::from(prices::NODE) + report.paid
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_program_plays_as_the_heuristic_that_it_is(any in any_position()) {
        let native = agents(&heuristics::find("improved").unwrap().into());
        let counted = agents(&improved().into());
        with_position!(&any, |position| {
            for (native, counted) in native.iter().zip(&counted) {
                let (expected, found) = (chosen(native, position), chosen(counted, position));
                prop_assert_eq!(Choice { paid: 0, ..found }, expected);
                prop_assert!(found.paid > 0 || found.value.is_none());
            }
        });
    }

    #[test]
    fn a_value_may_cost_all_that_it_may_and_no_more(any in any_position(), left in 0_u64..20_000) {
        with_position!(&any, |position| {
            let evaluated = |most, work| {
                let budget = Budget::depth(1).with_work(work, 1);
                let mut meter_clock = Still;
                let mut meter = Meter::new(&budget, 64, &mut meter_clock);
                let mut heuristic = CountedHeuristic::new(&improved(), 5).with_most(most);
                let value = heuristic.evaluate(position, position.to_move(), &mut meter);
                (value, meter.paid())
            };
            let (value, price) = evaluated(None, u64::MAX);
            prop_assert_eq!(evaluated(Some(price), u64::MAX), (value.clone(), price));
            let (position, player) = (position.to_string(), position.to_move());
            let lost = Err(Halt::Heuristic(NoValue { position, player, costs_too_much: true }));
            prop_assert_eq!(evaluated(Some(price - 1), u64::MAX).0, lost.clone());
            // Where less is left of the turn than a value may cost, the turn ends.
            let expected = if left >= price { value } else { Err(Halt::Stop(Stop::Nodes)) };
            prop_assert_eq!(evaluated(Some(price), left).0, expected);
            let tighter = if left < price - 1 { Err(Halt::Stop(Stop::Nodes)) } else { lost };
            prop_assert_eq!(evaluated(Some(price - 1), left).0, tighter);
        });
    }

    #[test]
    fn a_profile_adds_up_to_what_was_paid(any in any_position()) {
        with_position!(&any, |position| {
            let budget = Budget::depth(2);
            let mut heuristic = CountedHeuristic::profiling(&improved(), 5);
            let options = Options { order_bits: 5, ..Options::new(budget) };
            let report = search(position, &mut heuristic, &mut Still, &options).unwrap();
            prop_assert_eq!(&report, &searched(position, budget));
            let paid = heuristic.profile().unwrap().paid().iter().flatten().sum::<u64>();
            prop_assert_eq!(paid, report.paid);
        });
    }

    #[test]
    fn work_is_spent_to_less_than_a_node(any in any_position(), share in 0.0..1.2_f64) {
        with_position!(&any, |position| {
            let depth = Budget::nodes(400).at_most_depth(4);
            let whole = searched(position, depth);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
            let work = (spent(&whole) as f64 * share) as u64;
            let part = searched(position, depth.with_work(work, prices::NODE));
            prop_assert!(spent(&part) <= work);
            if work >= spent(&whole) {
                prop_assert_eq!(part, whole);
            } else {
                prop_assert_eq!(part.reason, Reason::Nodes);
                prop_assert!(work - spent(&part) < u64::from(prices::NODE));
                prop_assert!(part.nodes <= whole.nodes && part.depth <= whole.depth);
                // What was not finished does not count.
                let same = searched(position, Budget::depth(part.depth));
                prop_assert!(part.depth == 0 || (part.best, part.value) == (same.best, same.value));
            }
        });
    }
}

#[test]
fn a_unit_of_work_is_a_node_with_improved_where_the_position_is() {
    let bands = [(19, 0), (20, 1), (24, 1), (25, 2), (30, 3), (34, 3), (35, 4), (47, 4)];
    for (blank, band) in bands {
        let mut position = Position::<u64>::empty(narrow("7x7 7/7/7/7/7/7/7 - - 1").size());
        while position.blank().count() > blank {
            let player = position.to_move();
            position.jump(player, position.blank().cells().next().unwrap());
        }
        let work = 2000 * u64::from(prices::NODES_WITH_IMPROVED[band].1);
        let budget = Allowance::with_work(Budget::depth(9), 2000).on(&position);
        assert_eq!(budget, Budget::depth(9).with_work(work, prices::NODE), "{blank} blank");
    }
}

fn played(agents: [&Agent; 2], threads: usize) -> Vec<Game> {
    let text = "7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1";
    let openings: Vec<AnyPosition> = vec![text.parse().unwrap(); 4];
    let series =
        Series { agents, openings: &openings, first_opening: 3, seed: 11, exact: Some(99) };
    series.play(NonZeroUsize::new(threads).unwrap(), &mut Still, |game| game).unwrap()
}

fn working(program: Arc<Program>) -> Agent {
    let allowance = Allowance::with_work(Budget::depth(30), 200);
    Agent::AlphaBeta { heuristic: program.into(), allowance, mode: Mode::Plain }
}

#[test]
fn games_of_programs_do_not_depend_on_the_threads() {
    let counted = working(improved());
    let alone = played([&counted, &Agent::Random], 1);
    assert_eq!(played([&counted, &Agent::Random], 3), alone);
    for game in alone {
        let most: u64 = game.turns.iter().map(|turn| turn.paid).max().unwrap();
        assert!(most > 0 && game.paid.iter().sum::<u64>() >= most);
        // Nobody spent more in a turn than its work.
        let limit = 200 * u64::from(prices::NODES_WITH_IMPROVED[4].1);
        assert!(
            game.turns.iter().all(|turn| turn.paid + turn.nodes * u64::from(prices::NODE) <= limit)
        );
    }
}

#[test]
fn a_game_ends_where_a_program_has_no_value() {
    let (failing, other) = (working(mobility_until(9)), working(improved()));
    for (number, game) in played([&failing, &other], 2).iter().enumerate() {
        let own = if number % 2 == 0 { Player::One } else { Player::Two };
        assert_eq!(game.winner, own.opponent());
        let GameEnding::NoValue(NoValue { position, player, .. }) = &game.ending else {
            panic!("{:?}", game.ending);
        };
        assert_eq!(*player, own);
        let position: AnyPosition = position.parse().unwrap();
        with_position!(&position, |position| assert_eq!(49 - position.blank().count(), 9));
    }
}

#[test]
fn random_numbers_of_python_are_those_of_python() {
    let bits = |seed| Random::of_python(seed).next_bits();
    assert_eq!(bits(0), 0x629f_6fbe_d82c_07cd);
    assert_eq!(bits(5), 0x4164_d839_9f76_7c45);
    assert_eq!(bits(0x1234_5678_9abc_def0), 0x9667_97a8_d95c_3778);
    let mut random = Random::of_python(11);
    let last = (0..700).map(|_| random.next_bits()).last();
    assert_eq!(last, Some(0x0ec7_3bf6_8401_115f));
    let mut random = Random::of_python((1 << 63) + 7);
    let drawn = [1, 2, 3, 7, 8, 49, 5, 5, 5].map(|bound| random.below(bound));
    assert_eq!(drawn, [0, 0, 1, 6, 2, 3, 4, 3, 0]);
}
