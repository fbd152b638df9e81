"""Costs measured in the jail: as outside it, by its referee's clock."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from time import sleep

import pytest

from isolation_fast import Cost, measuring
from isolation_fast.compiled import not_compiling
from isolation_fast.cost import BANDS, counted
from isolation_fast.endings import Fault
from isolation_fast.jail import Assignment, Limits, Output, Pool, counts_of, measure_cost, shared_yardstick
from isolation_fast.jail.yardstick import Yardstick
from isolation_fast.measuring import Sample, Timing, from_samples, positions
from isolation_fast.process import Child
from isolation_fast.submission import as_player
from isolation_fast.worker.messages import Measure, Measured

Write = Callable[..., Path]

# Loops that take a hundred times what the rest of a call takes, so that a busy machine decides nothing.
SUBMISSION = """
import gc

def honest(game, player):
    return float(len(game.get_legal_moves(player))) + 0.0 * sum(range(12000))

def claiming_too_many(game, player):
    for each in gc.get_objects():
        if type(each).__name__ == "Measuring":
            type(each).nodes_of = lambda measuring, heuristic, players, asked: asked.nodes + 1
    return 0.0

def reading_the_clock(game, player):
    assert player.time_left() == 150.0
    return 0.0

def raising(game, player):
    return {}["missing"]

def endless(game, player):
    while game:
        pass
    return 0.0

def printing(game, player):
    print("printed")
    return 0.0

class Own:
    def get_move(self, game, time_left):
        return (0, 0)
"""


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """Processes for the tests of this module."""
    with Pool() as made:
        yield made


@pytest.fixture(scope="module")
def measured(pool: Pool, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Cost | None]:
    """Measure a member of the submission, with few nodes; once, whichever tests ask for the same."""
    file = tmp_path_factory.mktemp("submission") / "game_agent.py"
    file.write_text(SUBMISSION)

    @cache
    def measure(member: str, *, nodes: int = 60, rounds: int = 1, seconds: float = 60.0) -> Cost | None:
        return measure_cost(Assignment(file, member), pool=pool, nodes=nodes, rounds=rounds, seconds=seconds)

    return measure


def test_a_cost_is_what_it_is_outside_the_jail(
    measured: Callable[..., Cost | None], write_submission: Write
) -> None:
    # So many nodes that a search takes longer than the caches that two processes take from each other.
    inside = measured("honest", nodes=300)
    player = as_player(write_submission(SUBMISSION), "honest", nodes=1)
    with player.submission.activated():
        outside = measuring.measure(player.score, rounds=1, nodes=300, player=player.stand_in)
    assert inside is not None
    # A busy machine slows the one and not the other.
    assert outside.value / 2 < inside.value < outside.value * 2


def test_more_nodes_than_were_asked_for_are_no_answer(
    measured: Callable[..., Cost | None],
) -> None:
    with pytest.raises(Fault) as caught:
        measured("claiming_too_many")
    assert caught.value.ending == "protocol broken"


def test_a_player_has_no_cost(measured: Callable[..., Cost | None]) -> None:
    assert measured("Own") is None


def test_the_clock_of_its_player_stands_still_while_it_is_measured_on_the_reference_board(
    measured: Callable[..., Cost | None],
) -> None:
    assert measured("reading_the_clock") is not None


@pytest.mark.parametrize(
    ("member", "ending", "detail"),
    [
        ("raising", "raised", "KeyError: 'missing'"),
        ("endless", "timeout", "of CPU time"),
        ("missing", "not loaded", "unknown heuristic"),
    ],
)
def test_what_cannot_be_measured_is_a_fault_that_says_why(
    member: str, ending: str, detail: str, measured: Callable[..., Cost | None]
) -> None:
    with pytest.raises(Fault) as caught:
        measured(member, seconds=0.5)
    assert caught.value.ending == ending
    assert detail in caught.value.detail


def test_who_sleeps_is_not_waited_for_for_ever(pool: Pool, write_submission: Write) -> None:
    source = "import time\n\ndef custom_score(game, player):\n    time.sleep(0.02)\n    return 0.0\n"
    file = write_submission(source) / "game_agent.py"
    limits = Limits(wall_factor=0.5)
    with pytest.raises(
        Fault, match=r"measuring it takes more than 2 s of CPU time, or 1 s by the wall clock"
    ):
        measure_cost(Assignment(file, "custom_score"), limits, pool=pool, nodes=20, seconds=2.0)
    asked = iter([False] * 5)
    with pytest.raises(KeyboardInterrupt):
        measure_cost(
            Assignment(file, "custom_score"), pool=pool, nodes=20, interrupted=lambda: next(asked, True)
        )


COUNTABLE = """
import random

def moves(game, player):
    return float(len(game.get_legal_moves(player)))

def looping(game, player):
    found = 0.0
    for row, column in game.get_legal_moves(player):
        for each in range(30):
            found += row * column + each
    return found

def lucky(game, player):
    return random.random()

def endless(game, player):
    while game:
        pass
    return 0.0
"""


def test_what_a_compiled_heuristic_does_is_counted_the_same_again(
    pool: Pool, write_submission: Write
) -> None:
    file = write_submission(COUNTABLE) / "game_agent.py"
    found = {
        name: [counts_of(Assignment(file, name), pool=pool, nodes=60) for _ in range(2)]
        for name in ("moves", "looping")
    }
    moves, looping = (found[name][0] for name in ("moves", "looping"))
    assert found == {"moves": [moves] * 2, "looping": [looping] * 2}
    assert moves is not None
    assert looping is not None
    assert all(0 < each <= 300 for each in moves.nodes)
    assert all(each > 0 for each in moves.fuel)
    assert all(loops > 1.5 * straight for loops, straight in zip(looping.fuel, moves.fuel, strict=True))
    assert counted(looping).value > counted(moves).value


def test_only_what_compiles_is_counted(pool: Pool, write_submission: Write) -> None:
    file = write_submission(COUNTABLE) / "game_agent.py"
    assert counts_of(Assignment(file, "lucky"), pool=pool, nodes=60) is None
    with not_compiling():
        assert counts_of(Assignment(file, "moves"), pool=pool, nodes=60) is None
    with pytest.raises(Fault, match="CPU time"):
        counts_of(Assignment(file, "endless"), pool=pool, nodes=60, seconds=2.0)


@pytest.mark.parametrize("agrees", [True, False])
def test_a_counted_cost_is_taken_where_a_round_of_measuring_agrees(
    agrees: bool, pool: Pool, write_submission: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    assignment = Assignment(write_submission(COUNTABLE) / "game_agent.py", "looping")
    asked: list[tuple[Cost, Cost]] = []

    def agree(one: Cost, other: Cost) -> bool:
        asked.append((one, other))
        return agrees

    monkeypatch.setattr("isolation_fast.jail.measuring.agree", agree)
    cost = measure_cost(assignment, pool=pool, nodes=60)
    counts = counts_of(assignment, pool=pool, nodes=60)
    assert counts is not None
    assert asked[0][0] == counted(counts)
    assert (cost == counted(counts)) is agrees
    assert (len(asked) <= 2) is agrees


def test_what_it_prints_is_handed_over(pool: Pool, write_submission: Write) -> None:
    outputs: list[Output] = []
    file = write_submission(SUBMISSION) / "game_agent.py"
    limits = Limits(output=100)
    measure_cost(
        Assignment(file, "printing"), limits, pool=pool, rounds=1, nodes=20, on_output=outputs.append
    )
    (output,) = outputs
    assert output.stdout.startswith(b"printed\nprinted\n")
    assert len(output.stdout) == 100
    assert output.dropped > 0


def test_a_node_of_the_yardstick_takes_a_while_in_each_band_and_is_remembered_for_a_moment() -> None:
    yardstick = shared_yardstick()
    first = yardstick.node_seconds(os.getpid())
    assert len(first) == len(BANDS)
    assert all(0 < each < 0.1 for each in first)
    assert yardstick.node_seconds(os.getpid(), anew=True) != first


def test_a_yardstick_whose_process_is_gone_starts_another() -> None:
    yardstick = Yardstick()
    position = positions()[0][-1]
    assert yardstick.measure(position, 50, 0, near=os.getpid()).nodes == 50
    yardstick.close()
    assert yardstick.measure(position, 50, 0, near=os.getpid()).nodes == 50
    yardstick.close()


def state_of(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


def test_who_is_compared_with_the_yardstick_is_stopped_while_that_is_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured: list[Timing] = []
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])

    def timing(*_: object) -> Timing:
        while state_of(busy.pid) != "T":
            sleep(0.001)
        measured.append(Timing(50, 0.001))
        return measured[-1]

    try:
        yardstick = Yardstick()
        monkeypatch.setattr(yardstick, "_measured", timing)
        yardstick.measure(positions()[0][-1], 50, 0, near=busy.pid)
        yardstick.node_seconds(busy.pid, anew=True)
        assert len(measured) > len(BANDS)
        while state_of(busy.pid) == "T":
            sleep(0.001)
    finally:
        busy.kill()
        busy.wait()
    # It has ended since: there is nothing to stop.
    monkeypatch.setattr(yardstick, "_measured", lambda *_: Timing(50, 0.001))
    assert yardstick.measure(positions()[0][-1], 50, 0, near=busy.pid).nodes == 50


def test_a_clock_that_does_not_move_is_no_division_by_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    def still(process: Child, asked: Measure) -> tuple[Measured, float]:
        return Measured(asked.nodes), 0.0

    monkeypatch.setattr(Yardstick, "_answer", staticmethod(still))
    with Yardstick() as yardstick:
        assert all(each > 0 for each in yardstick.node_seconds(os.getpid()))
        timing = yardstick.measure(positions()[0][-1], 50, 0, near=os.getpid())
    found = from_samples([Sample(0, 4, timing, Timing(50, 0.0))])
    assert 0 < found.value < float("inf")
