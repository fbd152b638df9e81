"""What raises in Python, and what only a compiler could stumble over: both are Python's."""

# ruff: noqa: B032, RUF016 - such heuristics are what is tried
# mypy: ignore-errors

import math
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from tests.python.compiled.agreement import agree, agree_or_be_refused

LEAST = -(2**63)


@pytest.mark.parametrize(
    "heuristic",
    [
        lambda game, player: 1.5 | 2,
        lambda game, player: 2 & 1.5 if game.move_count > 3 else 4,
        lambda game, player: game.move_count ^ 1.0,
        lambda game, player: (1, 2, 3)[::0],
        lambda game, player: len((1, 2, 3)[::1.0]),
        lambda game, player: len((1, 2, 3)[1.0:]),
        lambda game, player: len((1, 2, 3)["a":]),
        lambda game, player: len([1, 2, 3][::-1.0]),
        lambda game, player: len([1, 2, 3][::1.0]),
        lambda game, player: len([1, 2, 3][::0]),
        lambda game, player: len(game._board_state[0.0:-3]),
        lambda game, player: len(game._board_state[:-3.0]),
        lambda game, player: round(2.5, 1.0),
        lambda game, player: round(2.5, "a"),
        lambda game, player: round(1e308, -400) + round(2.5, 10**10),
        lambda game, player: -LEAST + game.move_count,
        lambda game, player: abs(LEAST) - game.move_count,
        lambda game, player: ~LEAST + game.move_count,
        lambda game, player: round(2**63 - 1, -1) - game.move_count,
        lambda game, player: int(1e300) > game.move_count,
        lambda game, player: [1, 2][int(1e19)],
        lambda game, player: 2.5 if int(1e300) in (1, 2) else 1.0,
        lambda game, player: math.floor(1e30) + math.ceil(-1e30) + game.move_count,
        lambda game, player: sum(range(0, game.move_count, 2**40)),
        lambda game, player: {(): 5}[()] + ({(): 5}.get((), 1) if () in {(): 1} else 2),
        lambda game, player: max((max, min), key=lambda of: of(game.move_count, 3))(1, 2),
        lambda game, player: max(max, min, max, key=lambda of: of(game.move_count, 3))(1, 2),
        lambda game, player: max((1, (2, 3)), key=lambda item: 1),
        lambda game, player: max(None, 3, key=lambda item: 0 if item is None else item),
        lambda game, player: sum(len(each) for each in [(), ()]) + ([(), ()].count(())) + (() in {()}),
    ],
)
def test_what_only_the_compiler_could_stumble_over_is_pythons(heuristic: Any) -> None:
    agree_or_be_refused(heuristic)


def annotated(game, player):
    items = [1]
    items[1 // 0]: int
    return len(items)


def annotated_attribute(game, player):
    (game.no_such_name): int
    return 3


def annotated_name(game, player):
    items: list[int]
    items = [game.move_count]
    return items[0]


@pytest.mark.parametrize(
    "heuristic",
    [
        annotated,
        annotated_attribute,
        annotated_name,
        lambda game, player: len(game.__get_moves__(loc=(1, 1))),
        lambda game, player: len(game._Board__get_moves(move=(1, 1))),
        lambda game, player: len(game.__get_moves__(move=(1, 1)) + game._Board__get_moves(loc=(1, 1))),
        lambda game, player: len(game.get_legal_moves(player=game.get_opponent(player=player))),
        lambda game, player: game.forecast_move(move=(1, 1)).is_winner(player=player),
        lambda game, player: game.move_is_legal(move=(1, 1)) + game.utility(player=player),
        lambda game, player: game.get_player_location(seat=player) is None,
    ],
)
def test_what_a_call_or_an_annotation_raises_is_pythons(heuristic: Any) -> None:
    agree_or_be_refused(heuristic)


@pytest.mark.parametrize("turns", [3, 60])
def test_calls_that_are_too_deep_for_python_are_pythons(turns: int, tmp_path: Path) -> None:
    links = [f"def link_{place}(number):\n    return link_{place + 1}(number)\n" for place in range(16)]
    steps = "".join(f"    total += number * {place} + len([{place}, number])\n" for place in range(12))
    file = tmp_path / "deep.py"
    file.write_text(
        "".join(links)
        + "def link_16(number):\n    return turn(number)\n"
        + f"def turn(number):\n    total = 0\n{steps}"
        + "    return total if number <= 0 else link_0(number - 1) + total\n"
        + f"def heuristic(game, player):\n    return turn({turns}) + game.move_count\n"
    )
    spec = spec_from_file_location("deep", file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    agree_or_be_refused(module.heuristic)


def a_sum_that_raises(game, player):
    number = game.move_count * 3
    rest = number % 7
    if rest > 3:
        sum(1 for _ in game)
    return number + rest


def an_extreme_that_raises(game, player):
    number = game.move_count * 3
    rest = number % 7
    if rest > 3:
        number = max(1 for _ in game)
    elif rest > 2:
        number = len({1 for _ in game})
    else:
        rest += any(3 for _ in 5) if number > 90 else 3
    return number + rest


@pytest.mark.parametrize("heuristic", [a_sum_that_raises, an_extreme_that_raises])
def test_what_comes_before_a_loop_that_raises_stays(heuristic: Any) -> None:
    agree(heuristic)
