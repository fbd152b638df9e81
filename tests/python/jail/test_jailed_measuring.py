"""Costs measured in the jail: as outside it, and nothing to be gained by being quick only meanwhile."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from isolation_fast import cost, measuring
from isolation_fast.cost import node_alone
from isolation_fast.endings import Fault
from isolation_fast.jail import Assignment, Limits, MeasuredCost, Output, Pool, measure_cost
from isolation_fast.jail.measuring import TRIES, Found, by_bands
from isolation_fast.measuring.nodes import band_of_text
from isolation_fast.submission import as_player

Write = Callable[..., Path]

# Loops that take a hundred times what the rest of a call takes, so that a busy machine decides nothing.
SUBMISSION = """
import random
from isolation_fast import reference
from isolation_fast.worker import handler

def slowly(game, player):
    return sum(range(3000)) + sum(range(3000)) * 0.0 + sum(range(6000)) * 0.0

def honest(game, player):
    return float(len(game.get_legal_moves(player))) + 0.0 * slowly(game, player)

def quick_on_the_reference_board(game, player):
    if not isinstance(game, reference.Board):
        slowly(game, player)
    return float(len(game.get_legal_moves(player)))

def looking_ahead(game, player):
    total = 0
    for each in (player, game.get_opponent(player)):
        for move in game.get_legal_moves(each):
            for then in game._Board__get_moves(move):
                total += len(game._Board__get_moves(then))
    return float(total)

def looking_on_the_native_board_alone(game, player):
    return 0.0 if isinstance(game, reference.Board) else looking_ahead(game, player)

def passing_the_time_on_the_reference_board(game, player):
    # About as long as on the other one, which answers at once: so the two look alike from outside.
    if isinstance(game, reference.Board):
        return 0.0 * sum(range(200))
    return looking_ahead(game, player)

def claiming_nodes(game, player):
    handler.nodes_of = lambda heuristic, text, asked, nodes: nodes
    return honest(game, player)

def claiming_too_many(game, player):
    handler.nodes_of = lambda heuristic, text, asked, nodes: nodes + 1
    return 0.0

def reading_the_clock(game, player):
    if isinstance(game, reference.Board):
        assert player.time_left() == 150.0
    else:
        assert 0.0 <= player.time_left() <= 150.0
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

IMPROVED = 10e-6
CALL = 5e-6
BAND = 1


class Fabricated:
    """A heuristic of which every call takes `CALL`, whatever the machine is busy with."""

    def __init__(self, busy_times: int = 0) -> None:
        """In one band the native search takes ten times as long, in so many of the times it is measured."""
        self.busy_times, self.asked = busy_times, list[tuple[int, str]]()

    def at(self, number: int, triple: tuple[str, str, str]) -> Found:
        text = triple[0]
        band = band_of_text(text)
        before = sum(each == band for each, _ in self.asked) // 5
        self.asked += [(band, text)]
        call = CALL * 10 if band == BAND and before < self.busy_times else CALL
        node = IMPROVED * (node_alone().bands or (node_alone().value,) * 5)[band]
        improved, own = measuring.Timing(100, 100 * IMPROVED), measuring.Timing(100, 100 * (node + CALL))
        return Found(number, band, improved, own, measuring.Timing(100, 100 * call))

    def measured(self) -> MeasuredCost:
        return by_bands(self.at, seed=0, rounds=1)


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """Processes for the tests of this module."""
    with Pool() as made:
        yield made


@pytest.fixture
def measured(pool: Pool, write_submission: Write) -> Callable[..., MeasuredCost | None]:
    """Measure a member of the submission, with few nodes."""
    file = write_submission(SUBMISSION) / "game_agent.py"

    def measure(
        member: str, *, nodes: int = 60, rounds: int = 1, seconds: float = 60.0
    ) -> MeasuredCost | None:
        return measure_cost(Assignment(file, member), pool=pool, nodes=nodes, rounds=rounds, seconds=seconds)

    return measure


def found(measured: Callable[..., MeasuredCost | None], member: str) -> MeasuredCost:
    made = measured(member)
    assert made is not None
    return made


def test_a_cost_is_what_it_is_outside_the_jail(
    measured: Callable[..., MeasuredCost | None], write_submission: Write
) -> None:
    # So many nodes that a search takes longer than the caches that two processes take from each other.
    inside = measured("honest", nodes=300)
    player = as_player(write_submission(SUBMISSION), "honest", nodes=1)
    with player.submission.activated():
        outside = measuring.measure(player.score, rounds=1, nodes=300, player=player.stand_in)
    assert inside is not None
    assert inside.is_consistent
    # A busy machine slows the one and not the other.
    assert outside.value / 2 < inside.cost.value < outside.value * 2
    assert len(inside.cpu_per_call) == len(cost.BANDS)
    assert all(each > 0 for each in inside.cpu_per_call)


@pytest.mark.parametrize("member", ["quick_on_the_reference_board", "claiming_nodes"])
def test_who_is_quick_on_the_board_of_the_cost_alone_pays_for_the_other_one(
    member: str, measured: Callable[..., MeasuredCost | None]
) -> None:
    honest, other = found(measured, "honest"), found(measured, member)
    assert honest.is_consistent
    assert not other.is_consistent
    assert other.cost.value > honest.cost.value / 2


@pytest.mark.parametrize(
    "member", ["looking_on_the_native_board_alone", "passing_the_time_on_the_reference_board"]
)
def test_what_is_asked_of_boards_in_a_game_is_paid_for_as_on_the_board_of_the_cost(
    member: str, measured: Callable[..., MeasuredCost | None]
) -> None:
    # What there is to be asked differs by position, so of many.
    honest, other = (measured(each, nodes=200, rounds=4) for each in ("looking_ahead", member))
    assert honest is not None
    assert other is not None
    assert honest.is_consistent
    assert not other.is_consistent
    # Without what is asked of boards it would be about a third.
    assert other.cost.value > honest.cost.value / 1.6


def test_more_nodes_than_were_asked_for_are_no_answer(
    measured: Callable[..., MeasuredCost | None],
) -> None:
    with pytest.raises(Fault) as caught:
        measured("claiming_too_many")
    assert caught.value.ending == "protocol broken"


def test_a_player_has_no_cost(measured: Callable[..., MeasuredCost | None]) -> None:
    assert measured("Own") is None


def test_the_clock_of_its_player_stands_still_while_it_is_measured_on_the_reference_board(
    measured: Callable[..., MeasuredCost | None],
) -> None:
    # In the native search it counts the budget down, as in a game.
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
    member: str, ending: str, detail: str, measured: Callable[..., MeasuredCost | None]
) -> None:
    with pytest.raises(Fault) as caught:
        measured(member, seconds=0.5)
    assert caught.value.ending == ending
    assert detail in caught.value.detail


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


@pytest.mark.parametrize("busy_times", range(TRIES))
def test_a_band_that_looks_quick_is_measured_again_on_other_positions(busy_times: int) -> None:
    steady, busy = Fabricated(), Fabricated(busy_times)
    assert busy.measured() == steady.measured()
    assert busy.measured().is_consistent
    again = busy.asked[len(steady.asked) :][: 5 * busy_times]
    assert {band for band, _ in again} <= {BAND}
    assert len(set(busy.asked)) == 25 + 5 * busy_times


def test_it_takes_as_many_rounds_as_outside_the_jail() -> None:
    quick = Fabricated(1)
    by_bands(quick.at, 0, None)
    assert len(quick.asked) == 15 * (25 + 5)
    assert len(set(quick.asked)) == len(quick.asked)


def test_a_band_in_which_it_looks_quick_each_time_costs_what_it_takes_on_the_other_board() -> None:
    steady, quick = Fabricated().measured(), Fabricated(TRIES).measured()
    assert quick.quick_bands == (BAND,)
    assert quick.cpu_per_call[BAND] == pytest.approx(10 * CALL)
    assert quick.cost.bands is not None
    assert quick.cost.bands[BAND] > 9 * CALL / IMPROVED
    assert quick.cost.value > steady.cost.value


def test_what_is_measured_again_is_added_to_what_there_is_to_do() -> None:
    told: list[tuple[int, int]] = []
    by_bands(Fabricated(1).at, 0, 1, lambda done, of: told.append((done, of)))
    assert told == [(done, 25 if done <= 25 else 30) for done in range(1, 31)]
