"""Three strikes, in the order of the plan: which games count does not depend on who played them when."""

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest

from isolation_fast.endings import GameEnding
from isolation_fast.playing.entrants import Chunk, ObjectEntrant
from isolation_fast.playing.outcomes import LOST, NOT_PLAYED, WON, ChunkResult
from isolation_fast.playing.records import game_record
from isolation_fast.tournament.openings import RandomOpenings
from isolation_fast.tournament.plan import Pairing, Plan
from isolation_fast.tournament.results import merge
from isolation_fast.tournament.tally import Searched, StrikeCount, Tally

RAISED: tuple[GameEnding, str] = ("raised", "ValueError: no")
FAULTS: list[GameEnding] = ["raised", "timeout", "killed", "no moves"]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("isolation_fast.tournament.plan.PYTHON_OPENINGS", 5)


def plan_of(*pairings: tuple[int, int], openings: int = 10, record: bool = False) -> Plan:
    players = 1 + max(max(each) for each in pairings)
    return Plan(
        "round robin",
        tuple(ObjectEntrant(f"player {each}", b"", "") for each in range(players)),
        tuple(range(players)),
        tuple(Pairing(*each) for each in pairings),
        RandomOpenings(openings),
        record=record,
    )


def counted(plan: Plan, results: Iterable[ChunkResult]) -> Iterator[ChunkResult]:
    """All chunks, given in the order of the plan, with only those of their games that count."""
    strikes = StrikeCount(plan)
    return (strikes.counted(each) for each in results)


def counted_records(
    plan: Plan, results: Iterable[ChunkResult], openings: int | None = None
) -> Iterator[Mapping[str, Any]]:
    """The records of all games that count, in the order in which a tally hands them out."""
    tally = Tally(plan, records=True)
    last = len(plan.openings) if openings is None else openings
    for result in results:
        tally.add(result)
        yield from (each for each in tally.take_records() if each["opening"] < last)


def result_of(chunk: Chunk, outcomes: list[int], **more: Any) -> ChunkResult:
    return ChunkResult(chunk.index, chunk.pairing, chunk.first_opening, bytes(outcomes), **more)


def played(plan: Plan, seed: int, faulty: float) -> list[ChunkResult]:
    """All games of a plan, so often with a fault, as if nobody had ever counted strikes."""
    stream, results = random.Random(seed), []
    for chunk in plan.chunks():
        games = 2 * len(chunk.openings)
        outcomes = [stream.choice((WON, LOST)) for _ in range(games)]
        endings = {
            game: (stream.choice(FAULTS), f"{chunk.index}.{game}")
            for game in range(games)
            if stream.random() < faulty
        }
        records = tuple(
            game_record(chunk, game, moves=[], winner=1, detail=f"{chunk.index}.{game}")
            for game in range(games)
        )
        results.append(result_of(chunk, outcomes, endings=endings, records=records if plan.record else None))
    return results


def counted_one_by_one(plan: Plan, results: list[ChunkResult]) -> list[list[int]]:
    """The law, game by game."""
    strikes = dict.fromkeys(range(len(plan.entrants)), 0)
    outcomes = []
    for result in results:
        pairing = plan.pairings[result.pairing]
        outcomes.append([NOT_PLAYED] * len(result.outcomes))
        for game, outcome in enumerate(result.outcomes):
            if strikes[pairing.first] == 3 or strikes[pairing.second] == 3:
                break
            outcomes[-1][game] = outcome
            if result.endings.get(game, ("no moves", ""))[0] != "no moves":
                strikes[pairing.first if outcome == LOST else pairing.second] += 1
    return outcomes


THREE = ((0, 1), (0, 2), (1, 2))


def test_the_third_strike_counts_and_nothing_behind_it() -> None:
    plan = plan_of((0, 1), openings=5)
    (chunk,) = plan.chunks()
    result = result_of(chunk, [0] * 10, endings=dict.fromkeys((1, 2, 5, 6), RAISED))
    (cut,) = counted(plan, [result])
    assert cut.outcomes == bytes([LOST] * 6 + [NOT_PLAYED] * 4)
    assert sorted(cut.endings) == [1, 2, 5]


def test_who_won_has_no_strike() -> None:
    plan = plan_of((0, 1), (0, 2))
    tally = Tally(plan)
    for chunk in plan.chunks():
        endings = dict.fromkeys(range(3), RAISED) if chunk.index == 0 else {}
        tally.add(result_of(chunk, [WON] * 10, endings=endings))
    assert [tally.strikes.is_broken(each) for each in range(3)] == [False, True, False]
    assert [each.count(NOT_PLAYED) for each in tally.counted().outcomes] == [17, 0]


def test_a_broken_player_plays_against_nobody_any_more() -> None:
    plan = plan_of(*THREE, openings=5)
    first, second, third = plan.chunks()
    results = [
        result_of(first, [LOST] * 10, endings={0: RAISED, 1: RAISED}),
        result_of(second, [LOST] * 10, endings={9: RAISED}),
        result_of(third, [WON] * 10),
    ]
    assert [each.outcomes.count(NOT_PLAYED) for each in counted(plan, results)] == [0, 0, 0]
    results[1] = result_of(second, [LOST] * 10, endings={0: RAISED})
    assert [each.outcomes.count(NOT_PLAYED) for each in counted(plan, results)] == [0, 9, 0]


@pytest.mark.parametrize("seed", range(20))
def test_what_counts_is_found_game_by_game_in_the_order_of_the_plan(seed: int) -> None:
    plan = plan_of(*THREE)
    results = played(plan, seed, faulty=0.05)
    assert [list(each.outcomes) for each in counted(plan, results)] == counted_one_by_one(plan, results)


@pytest.mark.parametrize("seed", range(20))
def test_the_order_in_which_chunks_come_in_makes_no_difference(seed: int) -> None:
    plan = plan_of(*THREE, openings=17)
    results = played(plan, seed, faulty=0.03)
    in_order, shuffled = Tally(plan), Tally(plan)
    for each in results:
        in_order.add(each)
    random.Random(seed).shuffle(results)
    for each in results:
        shuffled.add(each)
    assert shuffled.is_complete
    assert shuffled.counted() == in_order.counted()


@pytest.mark.parametrize("seed", range(20))
def test_games_of_broken_players_need_not_be_played(seed: int) -> None:
    plan = plan_of(*THREE, openings=17)
    results = played(plan, seed, faulty=0.05)
    every, wanted = Tally(plan), Tally(plan)
    for each in results:
        every.add(each)
        if each.index in wanted.missing():
            wanted.add(each)
    assert wanted.is_complete
    assert wanted.missing() == []
    assert wanted.counted() == every.counted()


def test_a_strike_says_against_whom_from_where_and_how() -> None:
    plan = plan_of((0, 1), openings=7)
    tally = Tally(plan)
    for chunk in plan.chunks():
        outcomes = [LOST, LOST, WON, WON, *[WON] * (2 * len(chunk.openings) - 4)]
        tally.add(result_of(chunk, outcomes, endings={1: RAISED, 3: ("timeout", "")}))
    strikes = tally.counted().strikes
    assert [(each.entrant, each.opponent, each.opening, each.is_player_1) for each in strikes] == [
        (0, 1, 0, False),
        (0, 1, 5, False),
        (1, 0, 1, True),
        (1, 0, 6, True),
    ]
    assert [each.ending for each in strikes] == ["raised", "raised", "timeout", "timeout"]


@pytest.mark.parametrize("seed", range(5))
def test_records_are_those_of_games_that_count_opening_by_opening(seed: int) -> None:
    plan = plan_of(*THREE, openings=12, record=True)
    results = played(plan, seed, faulty=0.04)
    expected = [
        (result.first_opening + game // 2, result.pairing, game % 2, f"{result.index}.{game}")
        for result, outcomes in zip(results, counted_one_by_one(plan, results), strict=True)
        for game, outcome in enumerate(outcomes)
        if outcome != NOT_PLAYED
    ]
    random.Random(seed).shuffle(results)
    records = list(counted_records(plan, iter(results)))
    told = [(each["opening"], each["pairing"], each["side"], each["detail"]) for each in records]
    assert told == sorted(expected)
    first = list(counted_records(plan, iter(results), openings=4))
    assert first == [each for each in records if each["opening"] < 4]


def test_what_is_behind_a_cut_breaks_nobody() -> None:
    plan = plan_of((0, 1))
    tally = Tally(plan)
    for chunk in plan.chunks():
        endings = dict.fromkeys((4, 6, 8), RAISED) if chunk.index == 1 else {}
        tally.add(result_of(chunk, [LOST] * 10, endings=endings))
    assert [len(tally.counted(each).strikes) for each in (7, 8, 9, 10)] == [0, 1, 2, 3]
    assert [tally.counted(each).broken for each in (7, 8, 9, 10)] == [
        frozenset(each) for each in ((), (), (), (0,))
    ]
    assert not merge(plan, [], partial=True).broken


def test_who_left_games_before_a_cut_unplayed_is_broken() -> None:
    plan = plan_of((0, 1), (0, 2), openings=5)
    first, second = plan.chunks()
    tally = Tally(plan)
    tally.add(result_of(first, [LOST] * 10, endings=dict.fromkeys((4, 6, 8), RAISED)))
    tally.add(result_of(second, [LOST] * 10))
    counted_openings = tally.counted(2)
    assert counted_openings.strikes == ()
    assert counted_openings.broken == frozenset({0})


def test_a_clock_behind_a_cut_or_behind_the_third_strike_takes_nothing_back() -> None:
    plan = plan_of((0, 1))
    clock: dict[str, Any] = {"reproducible": False, "clock_from": 6}
    first, second = plan.chunks()
    tally = Tally(plan)
    tally.add(result_of(first, [LOST] * 10))
    tally.add(result_of(second, [LOST] * 10, **clock))
    assert [tally.counted(each).reproducible for each in (5, 8, 9, 10)] == [True, True, False, False]
    for third, reproducible in ((5, True), (6, False)):
        struck = result_of(first, [LOST] * 10, endings=dict.fromkeys((0, 1, third), RAISED), **clock)
        assert next(counted(plan, [struck])).reproducible is reproducible


def searching(chunk: Chunk, **more: Any) -> ChunkResult:
    """A chunk whose numbers say whose they are: the first entrant of a pairing has searched the less."""
    of_chunk: dict[str, Any] = {"nodes": (1, 10), "turns": (100, 1000), "nans": (10_000, 100_000)}
    return result_of(chunk, [LOST, WON] * len(chunk.openings), **of_chunk, **more)


def test_nodes_turns_and_nans_are_those_of_the_entrant_that_searched() -> None:
    # One entrant is the first of a pairing, one the second, and one both in turn.
    plan = plan_of((0, 1), (1, 2))
    tally = Tally(plan)
    for chunk in plan.chunks():
        tally.add(searching(chunk))
    assert tally.counted().searched == (
        Searched(2, 200, 20_000),
        Searched(2 * 11, 2 * 1100, 2 * 110_000),
        Searched(20, 2000, 200_000),
    )


def test_what_was_searched_is_known_where_whole_chunks_were_left_out() -> None:
    plan = plan_of((0, 1), (1, 2))
    broken, part, *rest = plan.chunks()
    tally = Tally(plan)
    # The third strike in the last game of a chunk: all of it counts, and the next one is not played.
    tally.add(searching(broken, endings=dict.fromkeys((4, 6, 8), RAISED)))
    for chunk in (part, *rest):
        if chunk.index in tally.missing():
            tally.add(searching(chunk))
    assert tally.strikes.is_broken(0)
    assert tally.is_complete
    assert tally.counted().outcomes[0].count(NOT_PLAYED) == 11
    # In the middle of one: only the sum over the chunk is known, so nothing of its two players is.
    assert tally.counted().searched == (None, None, Searched(20, 2000, 200_000))
    whole = Tally(plan)
    whole.add(result_of(broken, [LOST] * 10, nodes=(1, 10), endings=dict.fromkeys((7, 8, 9), RAISED)))
    for chunk in (part, *rest):
        if chunk.index in whole.missing():
            whole.add(searching(chunk))
    assert whole.is_complete
    assert [each and each.nodes for each in whole.counted().searched] == [1, 10 + 2, 20]
