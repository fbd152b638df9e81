"""A heuristic that took more than its cost says: its second test, and what is known after that."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from class_scene import facts
from grading_scene import PLAIN, graded, quickly, store

from isolation_fast import Cost
from isolation_fast.cost import in_steps
from isolation_fast.measuring import ObservedCost
from isolation_grader.options import Question
from isolation_grader.report import Report

# They are fixtures, which tests name.
__all__ = ["graded", "quickly", "store"]

# More calls than a measurement makes, with all that it measures again, and fewer than a chunk of games has.
# A game begins with two cells blocked, and a measurement in the middle of one.
QUICK_WHILE_MEASURED = """
begun_with = None

def custom_score(game, player):
    global begun_with
    if begun_with is None:
        begun_with = len(game.get_blank_spaces())
    if begun_with > 35:
        sum(range(3000))
    return float(len(game.get_legal_moves(player)))
"""


def test_who_is_quick_only_while_measured_is_graded_again_at_what_it_took(
    graded: Callable[..., Report],
) -> None:
    # The cost that holds is that of its games, or there would be something to gain.
    report = graded(QUICK_WHILE_MEASURED, budget="work=400")
    (member,) = report.graded
    assert member.earlier is not None
    assert member.earlier.cost is not None
    assert member.grading.cost is not None
    assert (member.earlier.cost.source, member.grading.cost.source) == ("measured", "observed")
    assert member.grading.cost.cost.value > 1.5 * member.earlier.cost.cost.value
    assert member.observed is not None
    assert member.verdict != "not graded"
    # The cost is that of a node whatever the budget: with a smaller one this is quick.
    again = graded(QUICK_WHILE_MEASURED)
    assert again.graded[0].earlier is None
    assert again.graded[0].grading.cost is not None
    assert again.graded[0].grading.cost.cost == member.grading.cost.cost


def test_who_takes_more_than_it_took_in_its_first_test_is_not_graded(
    graded: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    def observed(name: str, cost: Cost, _: object) -> ObservedCost:
        return ObservedCost(name, cost, 1.6, 900)

    monkeypatch.setattr("isolation_fast.tournament.running.observed_cost", observed)
    (member,) = (report := graded(PLAIN, costs=1.0)).graded
    assert (report.verdict, report.reproducible) == ("not graded", False)
    assert member.earlier is not None
    assert member.observed is not None
    # Neither its games nor those before say how strong it is at a cost that it keeps to.
    assert (member.verdict, member.grading.difference, member.grading.rate) == ("not graded", None, None)
    assert member.grading.games > 0
    assert facts(report).best is None
    # Or it could have itself tested again where it is about to lose.
    assert member.grading.alpha == pytest.approx(Question().alpha / 5)
    assert member.problem is not None
    assert member.problem.cause == "overspent"
    assert "its cost in play is not what it was graded at" in member.problem.reason
    assert member.to_dict()["observed"]["ratio"] == 1.6


@pytest.mark.parametrize("ratio", [1.6, None])
def test_one_that_keeps_to_the_cost_of_its_first_test_is_graded_at_it(
    ratio: float | None, graded: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    def observed(name: str, cost: Cost, _: object) -> ObservedCost | None:
        return ObservedCost(name, cost, ratio, 900) if ratio and cost.value == 1 else None

    monkeypatch.setattr("isolation_fast.tournament.running.observed_cost", observed)
    (member,) = graded(PLAIN, costs=1.0).graded
    assert member.problem is None
    assert member.grading.cost is not None
    assert member.grading.difference is not None
    assert (member.verdict in ("better", "not better", "undecided"), member.grading.games > 0) == (True, True)
    if ratio is None:
        assert (member.earlier, member.observed, member.grading.alpha) == (None, None, Question().alpha)
        return
    assert member.earlier is not None
    assert member.earlier.alpha == 0.05
    assert member.grading.alpha == pytest.approx(0.01)
    assert (member.observed is not None, member.grading.cost.source) == (True, "observed")
    assert member.grading.cost.cost == in_steps(Cost(ratio))
