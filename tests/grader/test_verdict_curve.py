"""How often a verdict is right, on a small scale: simulated with drawn blocks, and played.

The bars are those of the documents with room for a few hundred tests; the figures are in docs/verdicts.md.
"""

import importlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from isolation_grader import Question
from isolation_grader.options import Terms

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
RUNS = 800
SEED = 7

# Simulated statistics and some thousand played games.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def verdicts() -> Any:
    """The benchmark that makes the tables of the documents."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(BENCHMARKS))
        return importlib.import_module("verdicts")


def terms(heuristics: int) -> Terms:
    return Question().terms("counted", heuristics)


def better(verdicts: Any, points: float, heuristics: int = 1) -> float:
    """How often a heuristic that is so much better is called so, in percent."""
    nearest = min(verdicts.PLAYERS, key=lambda player: abs(player.points - points))
    found = verdicts.simulated(terms(heuristics), nearest, points, RUNS, SEED).share("H1")
    assert isinstance(found, float)
    return found


def maker_of_tests(verdicts: Any, heuristics: int) -> Callable[[], Any]:
    """What makes the test of one of so many heuristics, against the recorded baseline."""
    return partial(verdicts.made_test, terms(heuristics), verdicts.EQUAL.rate, verdicts.BASELINE_ERROR)


@pytest.mark.parametrize("heuristics", [1, 3])
def test_one_that_is_as_good_is_rarely_called_better(verdicts: Any, heuristics: int) -> None:
    assert better(verdicts, 0.0, heuristics) <= 2 / heuristics


@pytest.mark.parametrize("heuristics", [1, 3])
def test_one_that_is_five_points_better_is_nearly_always_found(verdicts: Any, heuristics: int) -> None:
    assert better(verdicts, 5.0, heuristics) >= 90


def test_one_that_is_five_points_worse_is_never_called_better(verdicts: Any) -> None:
    assert better(verdicts, -5.0) == 0


def test_none_of_three_that_are_as_good_is_called_better_in_nineteen_of_twenty_submissions(
    verdicts: Any,
) -> None:
    assert verdicts.any_better("counted", 3, RUNS, SEED) <= 2


def test_who_is_stronger_is_called_better_more_often(verdicts: Any) -> None:
    shares = [better(verdicts, points) for points in (-5.0, 0.0, 2.5, 5.0, 10.0)]
    assert shares == sorted(shares)


def test_the_recorded_players_are_about_as_good_as_what_is_simulated_with_them(verdicts: Any) -> None:
    for player in verdicts.PLAYERS:
        assert sum(player.blocks) == verdicts.MEASURED_BLOCKS
        assert 100 * (player.rate - verdicts.EQUAL.rate) == pytest.approx(player.points, abs=0.5, rel=0.15)


def test_improved_is_rarely_called_better_than_itself_in_played_games(verdicts: Any) -> None:
    test = maker_of_tests(verdicts, 1)
    means = verdicts.block_means("AB:improved", 600, SEED)
    decisions = [test().extend(run).decision for run in verdicts.cut(means, test, terms(1).blocks)]
    assert len(decisions) >= 5
    assert decisions.count("H0") > len(decisions) / 2
    assert decisions.count("H1") <= 2


def test_improved_is_rarely_called_better_on_openings_that_are_drawn(verdicts: Any) -> None:
    # The bar is 1 %. More than 4 of 60 at 1 % is a chance of 1 in 3,000, and the seed is fixed.
    curve, measured = verdicts.equal_graded(60, SEED)
    assert sum(0.0 in each.interval for each in measured) >= 52
    assert all(each.interval.margin <= 0.02 for each in measured)
    assert len({result.count for result in curve.results}) > 5
    assert sum(result.decision == "H1" for result in curve.results) <= 4
    assert curve.share("H0") > 75


def test_a_run_ends_where_its_test_decides_and_the_next_begins_behind_it(verdicts: Any) -> None:
    test, most = maker_of_tests(verdicts, 3), terms(1).blocks
    means = verdicts.drawn(verdicts.EQUAL, 0.0, SEED)(1000)
    runs = list(verdicts.cut(means, test, most))
    joined = [mean for run in runs for mean in run]
    assert joined == means[: len(joined)]
    assert len(means) - len(joined) < most
    for run in runs:
        result = test().extend(run)
        assert result.count == len(run)
        assert result.decision or len(run) == most
