"""The work of a turn is held to its budget, and that of all turns to their cost, from outside."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from isolation_fast import Board, Cost, UnknownCostError
from isolation_fast.cli import main
from isolation_fast.cost import node_alone
from isolation_fast.measuring import (
    MOST_OF_A_TURN,
    NOT_COMPILED,
    CompiledUse,
    Meter,
    Spent,
    observed_cost,
)
from isolation_fast.measuring.in_play import HICCUP, LEAST_OF_A_STAGE, TURN_SECONDS, WARMING
from isolation_fast.tournament import Match, Run, entrant

Write = Callable[..., Path]

# A game begins with two cells blocked, and a measurement in the middle of one. A call takes many times
# as long there, so that a busy machine decides nothing.
QUICK_WHILE_MEASURED = """
begun_with = None

def custom_score(game, player):
    global begun_with
    if begun_with is None:
        begun_with = len(game.get_blank_spaces())
    if begun_with > 35:
        sum(range(20_000))
    return float(len(game.get_legal_moves(player)))
"""
HONEST = """
def custom_score(game, player):
    sum(range(2_000))
    return float(len(game.get_legal_moves(player)))
"""
NODE = 1e-5
WORK = 2000.0


class Slowing:
    """A yardstick of a machine that becomes slower; it is noticed when it is measured anew."""

    def __init__(self, times: float = 1.0) -> None:
        self.times, self.measured_anew = times, 0

    def __call__(self, anew: bool) -> list[float]:
        self.measured_anew += anew
        return [NODE * (self.times if anew else 1.0)] * 5


def seconds(work: float, nodes: int) -> float:
    """The CPU time of a turn that took that work, of which the nodes themselves are a part."""
    return HICCUP + TURN_SECONDS + NODE * (work - nodes * node_alone().at(49, 49))


def warmed_up(cost: float = 2.0, node_seconds: Callable[[bool], list[float]] | None = None) -> Meter:
    """A meter of a process that has warmed up as long as it may."""
    meter = Meter(WORK, Cost(cost), Slowing())
    assert meter.add(Board(), 0, seconds(WORK + WARMING, 0), 0.0) == pytest.approx(1.0)
    meter.node_seconds = node_seconds or meter.node_seconds
    return meter


def test_a_turn_is_measured_in_the_work_of_its_budget_whatever_nodes_it_claims() -> None:
    meter = warmed_up()
    for nodes in (1, 500, 1000):
        assert meter.add(Board(), nodes, seconds(3 * WORK, nodes), 0.0) == pytest.approx(3.0)
    assert meter.add(Board(), 1000, seconds(WORK, 1000), 0.0) == pytest.approx(1.0)


def test_what_is_asked_of_boards_is_work() -> None:
    meter = warmed_up()
    assert meter.add(Board(), 0, 0.0, asked=5000.0) == pytest.approx(2.5)


def test_what_a_compiled_heuristic_saves_buys_nothing() -> None:
    meter = warmed_up()

    def charged(seconds: float, compiled: CompiledUse) -> float:
        before = sum(meter.spent.took)
        meter.add(Board(), 1000, seconds, 0.0, compiled)
        return sum(meter.spent.took) - before

    in_python = charged(seconds(WORK, 1000), NOT_COMPILED)
    took = seconds(WORK, 1000) - HICCUP - TURN_SECONDS
    for engine in (0.0, took / 10, took / 2):
        compiled = CompiledUse(1000, 0, engine, took)
        here = HICCUP + TURN_SECONDS + engine
        assert charged(here, compiled) == pytest.approx(in_python)
        # What Python does besides is charged on top.
        assert charged(here + NODE * WORK, compiled) == pytest.approx(in_python + WORK)


def test_a_sample_that_took_long_makes_no_turn_too_long() -> None:
    compiled = CompiledUse(values=1000, seconds=0.0, as_python=10 * NODE * WORK)
    assert warmed_up().add(Board(), 1000, seconds(WORK, 1000), 0.0, compiled) == pytest.approx(1.0)


def test_a_compiled_form_that_is_slower_than_python_is_charged_its_time() -> None:
    meter = warmed_up(1.0)
    long = 5 * NODE * WORK
    compiled = CompiledUse(values=1, seconds=long, as_python=long / 10)
    assert meter.add(Board(), 0, HICCUP + TURN_SECONDS + long, 0.0, compiled) == pytest.approx(5.0)


@pytest.mark.parametrize("turns", [(1.0,), (0.0, 1.0), (0.25, 0.0, 0.5, 0.2)], ids=str)
def test_a_process_may_warm_up_once_in_whichever_turns_it_does(turns: tuple[float, ...]) -> None:
    # A heuristic that a first, cheap turn asked too seldom is compiled in the second one.
    meter = Meter(WORK, Cost(2.0), Slowing())
    for part in turns:
        took = meter.add(Board(), 1000, seconds(WORK + part * WARMING, 1000), 0.0)
        assert took == pytest.approx(1.0)
    # All turns together have it counted.
    total = len(turns) * (WORK + HICCUP / NODE) + sum(turns) * WARMING
    assert sum(meter.spent.took) == pytest.approx(total)
    assert meter.add(Board(), 1000, seconds(5 * WORK, 1000), 0.0) > MOST_OF_A_TURN


def test_a_machine_that_became_slower_makes_no_turn_too_long() -> None:
    same, slower = Slowing(), Slowing(3.0)
    taken = []
    for yardstick in (same, slower):
        meter = warmed_up(node_seconds=yardstick)
        taken.append(meter.add(Board(), 0, seconds(4 * WORK, 0), 0.0))
        assert yardstick.measured_anew == 1
    assert taken[0] == pytest.approx(4.0)
    assert taken[1] < MOST_OF_A_TURN


def chunks_of(*took: float) -> list[Spent]:
    """Chunks that took so much at each stage, of 1,000 that their nodes cost."""
    return [Spent(200, (each,) * 5, (1000.0,) * 5) for each in took]


def test_all_turns_together_are_held_to_their_cost() -> None:
    within = chunks_of(1150.0, 1190.0, 1170.0)
    beyond = chunks_of(1350.0, 1390.0, 1370.0)
    # Only most of a chunk in three: the sum is too much, and known too badly.
    unsure = chunks_of(500.0, 500.0, 3000.0)
    for chunks in (within, unsure, [], [Spent()]):
        assert observed_cost("mine", Cost(2.0), chunks) is None
    observed = observed_cost("mine", Cost(2.0, (4.0, 2.0, 2.0, 1.0, 1.0)), beyond)
    assert observed is not None
    assert observed.turns == 600
    assert observed.ratio == pytest.approx(1.37)
    assert observed.cost.value == pytest.approx(2.74)
    assert observed.cost.by_band == pytest.approx((5.48, 2.74, 2.74, 1.37, 1.37))


def test_who_spends_unevenly_is_held_to_its_cost_as_well() -> None:
    # Half of its chunks near the most that a turn may take: their spread is no excuse.
    observed = observed_cost("mine", Cost(2.0), chunks_of(*(900.0, 1900.0) * 7))
    assert observed is not None
    assert observed.ratio == pytest.approx(1.4)


def test_what_is_saved_at_one_stage_pays_for_no_other() -> None:
    took = tuple(LEAST_OF_A_STAGE * times for times in (0.5, 0.9, 1.9, 1.9, 0.3))
    saving = [Spent(200, took, (LEAST_OF_A_STAGE,) * 5)] * 10
    given = Cost(1.0, (1.0, 1.0, 0.5, 0.5, 3.0))
    observed = observed_cost("mine", given, saving)
    assert observed is not None
    assert observed.ratio == pytest.approx(1.9)
    # Where it saves it is graded at what it said.
    assert observed.cost.by_band == pytest.approx((1.0, 1.0, 0.95, 0.95, 3.0))
    assert "at one stage of the game" in str(observed)
    # Of less work nothing is known.
    assert observed_cost("mine", given, [Spent(200, took, (LEAST_OF_A_STAGE - 1,) * 5)] * 10) is None


def test_who_claims_no_nodes_has_taken_what_it_took_for_nothing() -> None:
    assert observed_cost("mine", Cost(2.0), [Spent(9, (8_000.0,) * 5)]) is not None


def test_who_is_quick_only_while_measured_overspends(write_submission: Write) -> None:
    file = write_submission(QUICK_WHILE_MEASURED) / "game_agent.py"
    plan = Match(f"{file}:custom_score", "Random", games=20, budget="work=300").plan()
    with Run(plan, workers=1) as run:
        player = run.play().player("game_agent.py:custom_score")
        (observed,) = run.timings().observed_costs
    assert player.is_broken
    assert player.endings["overspent"] == 3
    assert observed.name == "game_agent.py:custom_score"
    assert observed.ratio > MOST_OF_A_TURN


def test_a_given_cost_is_held_to_as_well(write_submission: Write) -> None:
    file = write_submission(HONEST.replace("2_000", "20_000")) / "game_agent.py"
    plan = Match(f"{file}:custom_score@cost=1", "Random", games=20, budget="work=300").plan()
    with Run(plan, workers=1) as run:
        assert run.play().player("game_agent.py:custom_score").endings["overspent"] == 3
        assert run.timings().observed_costs


def test_what_a_chunk_spent_is_in_its_line_and_survives_an_interruption(
    write_submission: Write, tmp_path: Path
) -> None:
    file = write_submission(QUICK_WHILE_MEASURED) / "game_agent.py"
    plan = Match(f"{file}:custom_score", "Random", games=20, budget="work=300").plan()
    journal = tmp_path / "run.jsonl"
    with Run(plan, workers=1, journal=journal) as run:
        run.play()
        before = run.timings().observed_costs
    with Run(plan, workers=1, journal=journal, resume=True) as run:
        run.play()
        assert run.timings().observed_costs == before != ()


def test_what_the_referee_adds_up_is_no_result(write_submission: Write) -> None:
    file = write_submission(HONEST) / "game_agent.py"
    plan = Match(f"{file}:custom_score", "Random", games=4, budget="work=100").plan()
    with Run(plan, workers=1) as run:
        result = run.play()
        printed = json.dumps(run.timings().to_dict())
    assert "spent" not in json.dumps(result.to_dict())
    assert "observed_costs" in printed


def test_the_command_tells_what_was_observed(
    write_submission: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_submission(QUICK_WHILE_MEASURED) / "game_agent.py"
    arguments = [f"{file}:custom_score", "Random", "--kind", "match", "--games", "20", "--workers", "1"]
    assert main(["tournament", *arguments, "--budget", "work=300"]) == 1
    assert "times the work that its cost says" in capsys.readouterr().err


def test_what_cannot_be_measured_in_the_jail_says_why(write_submission: Write) -> None:
    source = "def custom_score(game, player):\n    open('/etc/passwd')\n    return 0.0\n"
    file = write_submission(source) / "game_agent.py"
    assert entrant(f"{file}:custom_score").name == "game_agent.py:custom_score"
    with pytest.raises(UnknownCostError, match=r"cannot be measured: .*Permission.*; give it a cost="):
        Match(f"{file}:custom_score", "Random", games=2).plan()
