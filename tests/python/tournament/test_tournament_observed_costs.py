"""Heuristics that are quick while their cost is measured: what they take in games is added up and told."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from isolation_fast import Cost, UnknownCostError
from isolation_fast.cli import main
from isolation_fast.measuring import CpuUse, observed_cost
from isolation_fast.tournament import Match, Run, entrant

Write = Callable[..., Path]

# A game begins with two cells blocked, and a measurement in the middle of one.
QUICK_WHILE_MEASURED = """
begun_with = None

def custom_score(game, player):
    global begun_with
    if begun_with is None:
        begun_with = len(game.get_blank_spaces())
    if begun_with > 35:
        sum(range(1000))
    return float(len(game.get_legal_moves(player)))
"""
# The engine's boards answer at once, so its calls take less time in games than while they are measured.
ASKS_BOARDS_IN_GAMES = """
begun_with = None

def custom_score(game, player):
    global begun_with
    if begun_with is None:
        begun_with = len(game.get_blank_spaces())
    if begun_with <= 35:
        return 0.0 * sum(range(500))
    reached = [cell for move in game.get_legal_moves(player) for cell in game._Board__get_moves(move)]
    return float(sum(len(game._Board__get_moves(cell)) for cell in reached))
"""
HONEST = """
def custom_score(game, player):
    sum(range(2_000))
    return float(len(game.get_legal_moves(player)))
"""


PER_CALL = (1e-6,) * 5


def test_what_was_measured_and_little_more_is_nothing_to_tell() -> None:
    uses = [CpuUse(10, [2000] * 5, seconds) for seconds in (0.001, 0.010, 0.016)]
    assert observed_cost("mine", Cost(2.0), PER_CALL, uses) is None
    assert observed_cost("mine", Cost(2.0), PER_CALL, [CpuUse()]) is None


def test_a_slow_chunk_is_told_with_the_cost_at_that_speed() -> None:
    uses = [CpuUse(10, [2000] * 5, seconds) for seconds in (0.012, 0.032, 0.022)]
    observed = observed_cost("mine", Cost(2.0), PER_CALL, uses)
    assert observed is not None
    assert observed.ratio == pytest.approx(3.0)
    assert observed.cost == pytest.approx(6.0)
    assert (observed.chunks, observed.of) == (2, 3)


def test_calls_are_compared_with_those_of_their_band() -> None:
    per_call = (1e-6, 1e-6, 1e-6, 1e-6, 1e-4)
    assert observed_cost("mine", Cost(2.0), per_call, [CpuUse(1, [0, 0, 0, 0, 1000], 0.1)]) is None
    assert observed_cost("mine", Cost(2.0), per_call, [CpuUse(1, [1000, 0, 0, 0, 0], 0.1)]) is not None


@pytest.mark.parametrize("source", [QUICK_WHILE_MEASURED, ASKS_BOARDS_IN_GAMES])
def test_who_is_quick_only_while_measured_is_flagged(source: str, write_submission: Write) -> None:
    file = write_submission(source) / "game_agent.py"
    plan = Match(f"{file}:custom_score", "Random", games=20, budget="work=300").plan()
    with Run(plan, workers=1) as run:
        run.play()
        (observed,) = run.timings().observed_costs
    assert observed.name == "game_agent.py:custom_score"
    assert observed.ratio > 1.5
    assert observed.cost == observed.measured.value * observed.ratio


def test_what_the_referee_adds_up_is_no_result(write_submission: Write) -> None:
    file = write_submission(HONEST) / "game_agent.py"
    plan = Match(f"{file}:custom_score", "Random", games=4, budget="work=100").plan()
    with Run(plan, workers=1) as run:
        result = run.play()
        printed = json.dumps(run.timings().to_dict())
    assert "cpu" not in json.dumps(result.to_dict()["players"])
    assert "observed_costs" in printed
    assert plan == replace(plan, measured={})
    assert "measured" not in json.dumps(plan.described())


def test_the_command_tells_what_was_observed(
    write_submission: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_submission(QUICK_WHILE_MEASURED) / "game_agent.py"
    arguments = [f"{file}:custom_score", "Random", "--kind", "match", "--games", "20", "--workers", "1"]
    assert main(["tournament", *arguments, "--budget", "work=300"]) == 0
    told = capsys.readouterr().err
    assert "times the CPU time per call that was measured, in 1 of 1 chunks: observed cost" in told


def test_what_cannot_be_measured_in_the_jail_says_why(write_submission: Write) -> None:
    source = "def custom_score(game, player):\n    open('/etc/passwd')\n    return 0.0\n"
    file = write_submission(source) / "game_agent.py"
    assert entrant(f"{file}:custom_score").name == "game_agent.py:custom_score"
    with pytest.raises(UnknownCostError, match=r"cannot be measured: .*Permission.*; give it a cost="):
        Match(f"{file}:custom_score", "Random", games=2).plan()
