"""Numbers and pairs of numpy's, each against CPython with numpy: its own division, truths and overflow."""

# mypy: ignore-errors

import math
from collections.abc import Iterator
from typing import Any

import pytest

from isolation_fast.compiled import functions
from tests.python.compiled.agreement import agree, agree_or_be_refused, refusal

np = pytest.importorskip("numpy")
norm = np.linalg.norm
COMPILED: list[Any] = []
TRAPS: list[Any] = []
REFUSED: list[Any] = []


def compiles(function):
    COMPILED.append(function)
    return function


def trap(function):
    TRAPS.append(function)
    return function


def refused(function):
    REFUSED.append(function)
    return function


@pytest.fixture(autouse=True)
def warnings_are_no_news() -> Iterator[None]:
    with np.errstate(all="ignore"):
        yield


def difference(game, player):
    return len(game.get_legal_moves(player)) - len(game.get_legal_moves(game.get_opponent(player)))


@compiles
def signed_squares(game, player):
    delta = float(difference(game, player))
    return np.sign(delta) * (delta**2) + np.sign(difference(game, player)) / 4 + np.sign(-0.0)


@compiles
def distances(game, player):
    mine, other = game.get_player_location(player), game.get_player_location(game.get_opponent(player))
    if not mine or not other:
        return 0.5
    center = game.width / 2.0, game.height / 2.0
    far = float(norm(np.subtract(mine, other)))
    near = -1 * np.linalg.norm(np.array(mine) - np.array((3, 3)))
    return far + near * 2 - norm(np.subtract(mine, center))


@compiles
def sums(game, player):
    mine, other = game.get_player_location(player), game.get_player_location(game.get_opponent(player))
    if not mine or not other:
        return 0.0
    far = np.sum([abs(a - b) for a, b in zip(mine, other, strict=False)])
    if far == 3:
        return 2.0
    if far < 5:
        return np.mean([row for row, _ in game.get_blank_spaces()]) - far
    return np.mean(mine) / 3


@compiles
def squares(game, player):
    place = game.get_player_location(player)
    if place is None:
        return np.square(game.width) - 1
    far = np.square(place[0] - game.height / 2) + np.square(place[1] - round(game.width / 2))
    least = min(np.square(place[0]), np.square(place[1]))
    return float(np.square(7) - far) + int(least) + abs(-1 * least) + math.sqrt(np.sqrt(least))


@compiles
def truths(game, player):
    far = np.abs(difference(game, player))
    if not far or (far > 2 and far != 4) or far in (7, 8):
        return math.floor(far * 1.5) + bool(far)
    return 7 if far < np.sqrt(2.5) else far


@compiles
def items_of_an_array(game, player):
    place = game.get_player_location(player)
    if place is None:
        return -1
    away = 2 * np.array(place) - np.array((2.5, 3)) / 2
    return away[0] - away[-1] * 3


@trap
def nothing_is_added_up(game, player):
    return 0 * -np.sum([row for row, _ in game.get_legal_moves(player)]) + 1 / (-0.0 - np.sum(()))


@trap
def truths_are_added(game, player):
    far = np.square(difference(game, player))
    return (far > 1) + (far > 4)


@trap
def truths_are_negated(game, player):
    return -(np.square(difference(game, player)) > 1)


@trap
def nothing_divides(game, player):
    return 1 / np.square(difference(game, player))


@trap
def what_wraps(game, player):
    big = np.square(3_000_000_000 + difference(game, player))
    return big * big


@trap
def what_overflows(game, player):
    return np.square(1e200 * difference(game, player)) + np.square(float("inf"))


@trap
def a_list_is_repeated(game, player):
    return len([0, 1] * np.square(difference(game, player)))


@trap
def a_tuple_is_multiplied(game, player):
    return ((1, 2) * np.square(difference(game, player)))[1] + (np.square(3) * (1, 2))[0]


@trap
def compared_with_a_tuple(game, player):
    return 1 if np.square(difference(game, player)) == (1, 2) else 2


@trap
def looked_for_among_tuples(game, player):
    return 1 if np.square(difference(game, player)) in [(1, 2), (3, 4)] else 2


@trap
def negative_powers(game, player):
    return np.square(difference(game, player)) ** -1


@trap
def changed_in_its_place(game, player):
    one = np.array((game.width, game.height))
    other = one
    one += 1
    return other[0] - one[1]


@trap
def an_array_as_a_truth(game, player):
    return 1 if np.array((1, difference(game, player))) else 2


@trap
def an_array_is_compared(game, player):
    return 1 if np.array((1, 2)) == np.array((1, difference(game, player))) else 2


@trap
def an_array_by_a_truth(game, player):
    return np.array((1, 2))[difference(game, player) > 0]


@trap
def rounding(game, player):
    far = np.square(difference(game, player))
    return round(far) + math.floor(far / 2) + math.trunc(far) + round(far > 1)


@trap
def is_it_one(game, player):
    one = np.square(1)
    return (one is True) + isinstance(one, int) + (one is None) + {1: 5}.get(one, 0) + len({one, 1})


@trap
def sums_of_floats(game, player):
    return np.sum([row / 3 for row, _ in game.get_blank_spaces()]) + np.sum([0.1] * 9)


@trap
def uneven_norms(game, player):
    return norm((0.1, difference(game, player) / 3))


@trap
def a_sum_in_a_loop(game, player):
    total = 0
    for row, _ in game.get_legal_moves(player):
        total += np.square(row)
    return total + sum(np.square(row) for row, _ in game.get_legal_moves(player))


@refused
def powers(game, player):
    return np.power(1.5, difference(game, player))


@refused
def many_items(game, player):
    return np.array(game.get_blank_spaces()).shape[0]


def test_a_sum_of_floats_of_both_kinds_is_refused_where_python_makes_up_for_rounding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def heuristic(game, player):
        return sum([row / 3 if row % 2 else np.square(row / 3) for row, _ in game.get_blank_spaces()])

    monkeypatch.setattr(functions, "COMPENSATED", True)
    assert refusal(heuristic).construct == "sum"


@pytest.mark.parametrize("function", COMPILED)
def test_numpy_is_as_in_python(function: Any) -> None:
    agree(function, bails=function is sums)


@pytest.mark.parametrize("function", TRAPS)
def test_traps_of_numpy(function: Any) -> None:
    agree_or_be_refused(function)


@pytest.mark.parametrize("function", REFUSED)
def test_what_of_numpy_is_refused(function: Any) -> None:
    assert "numpy" in refusal(function).message
