"""Playing on until an interval is narrow: a verdict stays as its test has found it."""

from typing import Any

import pytest

from isolation_fast import InvalidArgumentError
from isolation_fast.endings import GameEnding
from isolation_fast.playing.outcomes import ChunkResult
from isolation_fast.statistics import difference_to_baseline
from isolation_fast.tournament import Gauntlet, Match, Plan, Sprt, run
from isolation_fast.tournament.sequential import SequentialWatch
from isolation_fast.tournament.tally import Tally

H0, ERROR, MARGIN = 0.6, 0.002, 0.04
ROSTER = ["Random", "Greedy", "AB_Open@depth=1"]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a run ends near the block that ends it."""
    monkeypatch.setattr("isolation_fast.tournament.plan.NATIVE_GAMES_PER_CHUNK", (2, 2))


def gauntlet(games: int = 1600) -> Plan:
    return Gauntlet(["AB_Improved@depth=1"], ROSTER, games=games, seed=7).plan()


def asked(**options: Any) -> Sprt:
    return Sprt(H0, H0 + 0.1, baseline_error=ERROR, **options)


def test_what_is_played_after_a_test_changes_nothing_of_what_it_found() -> None:
    alone, measured = (run(gauntlet(), sprt=asked(margin=margin)) for margin in (None, MARGIN))
    assert alone.sequential == measured.sequential
    (found,) = alone.sequential
    assert found.result.decision is not None
    assert found.result.count == alone.openings < measured.openings


def test_it_plays_until_the_interval_is_as_narrow_as_asked_for_and_no_longer() -> None:
    means = run(gauntlet(), sprt=asked(margin=MARGIN)).players[0].block_means
    before, after = (
        difference_to_baseline(each, baseline_rate=H0, baseline_error=ERROR).interval.margin
        for each in (means[:-1], means)
    )
    assert after <= MARGIN < before


def test_a_test_reads_no_more_than_its_most_and_the_run_goes_on() -> None:
    close = Sprt(H0, H0 + 0.001, most=12, margin=MARGIN)
    result = run(gauntlet(), sprt=close)
    (found,) = result.sequential
    assert (found.result.decision, found.result.count) == (None, 12)
    assert result.openings > 12
    assert run(gauntlet(), sprt=Sprt(H0, H0 + 0.001, most=12)).openings == 12


def played(faulty: int, ending: GameEnding = "no value") -> SequentialWatch:
    """A watch of blocks that are all won, but for one with a game that its player lost by a fault."""
    plan = gauntlet(games=80)
    tally, watch = Tally(plan), SequentialWatch(plan, asked(margin=0.001))
    for chunk in plan.chunks():
        is_it = chunk.first_opening == faulty and chunk.pairing == 0
        outcomes, endings = (bytes([0, 1]), {0: (ending, "")}) if is_it else (bytes([1, 1]), {})
        tally.add(ChunkResult(chunk.index, chunk.pairing, chunk.first_opening, outcomes, endings))
        watch.look(tally)
    return watch


def test_a_fault_after_the_test_ends_the_games_before_it_and_changes_no_verdict() -> None:
    watch, other = played(faulty=30), played(faulty=99)
    assert watch.outcome == other.outcome
    assert watch.outcome.result.decision == "H1"
    assert (watch.ended_after, other.ended_after) == (30, None)


def test_a_fault_before_the_test_has_decided_counts() -> None:
    assert played(faulty=3).ended_after is None
    assert played(faulty=3).outcome.result.llr < played(faulty=99).outcome.result.llr


def test_a_match_has_no_blocks_to_measure() -> None:
    with pytest.raises(InvalidArgumentError, match="margin= is for gauntlets"):
        run(Match("Random", "Greedy", games=4).plan(), sprt=Sprt(0.5, 0.6, margin=0.02))
    with pytest.raises(InvalidArgumentError, match="margin must be"):
        Sprt(0.5, 0.6, margin=1.5)
    with pytest.raises(InvalidArgumentError, match="most must be"):
        Sprt(0.5, 0.6, most=1)
