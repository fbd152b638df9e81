"""What is the same object, what is walked once, who a player is: traps that numbers alone do not show."""

# ruff: noqa: B023, B905, F821, RUF015, RUF060 - such heuristics are what is tried
# mypy: ignore-errors

import inspect
import math
import subprocess
import sys
from collections.abc import Callable
from math import isfinite, isnan
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from isolation_fast import Board, evaluate_many
from isolation_fast.compiled import can_be_compiled, compiled_of, explain
from isolation_fast.compiled.programs import lower
from isolation_fast.compiled.source import Source
from tests.python.compiled.agreement import agree, agree_or_be_refused, boards, expected, refusal

OUTSIDE = 5


def helper_of(number: int, earlier: Any) -> Any:
    def own() -> int:
        return number

    return own if earlier is None else earlier()


def closure_with_a_global() -> Callable[[Any, Any], float]:
    OUTSIDE = 7  # noqa: N806 - named as the global is

    def heuristic(game: Any, player: Any) -> float:
        def inner():
            global OUTSIDE
            return OUTSIDE

        return inner() * 10 + OUTSIDE

    return heuristic


def earlier_closure(game: Any, player: Any) -> float:
    found = None
    for number in (1, 2):
        found = helper_of(number, found)
    return found


def default_of_an_earlier_turn(game: Any, player: Any) -> float:
    number, first = 0, None
    while True:
        made = lambda kept=number: kept  # noqa: E731 - so it is written
        if number == 0:
            first = made
        number += 1
        if number == 3:
            break
    return first()


def generator_inside(game: Any, player: Any) -> float:
    def nothing():
        return
        yield

    return 1.0 if nothing() else 2.0


def annotated_inside(game: Any, player: Any) -> float:
    def inner(moves: List[int]) -> float:
        return 1.0

    return inner([])


REFUSED: list[Callable[[Any, Any], Any]] = [
    lambda game, player: len == len,
    lambda game, player: len in (max, len),
    lambda game, player: range(3) == range(3),
    lambda game, player: game._board_state == game._board_state,
    lambda game, player: game.copy == game.copy,
    lambda game, player: {1: 2}.keys() == {1},
    lambda game, player: 1 if range(game.move_count - game.move_count) else 2,
    lambda game, player: 1 if {}.values() else 2,
    lambda game, player: not {}.items(),
    lambda game, player: len({}.keys() or [1]),
    lambda game, player: len(reversed([1, 2])),
    lambda game, player: reversed([1, 2])[0],
    lambda game, player: len(zip((1, 2), (3, 4))),
    lambda game, player: sum(once := reversed([1, 2])) + sum(once),
    lambda game, player: (lambda pair: sum(pair[0]) + sum(pair[0]))((map(abs, [1]), 1)),
    lambda game, player: (lambda items: sum(items[0]) + sum(items[0]))([reversed([1])]),
    lambda game, player: (lambda found: sum(found[1]) + sum(found[1]))({1: reversed([1])}),
    lambda game, player: 1 if game.get_legal_moves() in {} else 2,
    generator_inside,
    annotated_inside,
    closure_with_a_global(),
]


@pytest.mark.parametrize("heuristic", REFUSED)
def test_what_depends_on_which_object_it_is_is_left_to_python(heuristic: Callable[[Any, Any], Any]) -> None:
    assert refusal(heuristic).message


def test_a_function_keeps_what_it_was_made_with() -> None:
    agree(earlier_closure)
    agree(default_of_an_earlier_turn)


def test_a_reversed_list_is_walked_as_it_is_by_then() -> None:
    def changed(game, player):
        items, found = [1, 2, 3], 0
        for item in reversed(items):
            found = found * 10 + item
            items[0] = 9
        return found

    def grown(game, player):
        moves, found = game.get_legal_moves(player), 0
        for move in reversed(moves):
            found = (found * 7 + move[0] * 2 + move[1]) % 1_000_003
            moves.append((0, 0))
        return found

    def shortened(game, player):
        items, found = [1, 2, 3, 4], 0
        for item in reversed(items):
            found = found * 10 + item
            items.pop()
        return found

    agree(changed)
    agree(grown)
    agree(shortened, bails=True)
    agree(lambda game, player: sum(i * m[0] for i, m in enumerate(reversed(game.get_legal_moves(player)))))
    agree(lambda game, player: sum(number * 3 % 7 for number in reversed(range(2, game.move_count))))


def test_what_gives_known_items_is_taken_apart() -> None:
    def apart(game, player):
        (one, two), other = zip((1, 2), (3, 4))
        last, first = reversed((5, game.move_count))
        return one + 10 * two + 100 * other[0] + 1_000 * last + tuple(reversed((1, 7)))[0] + first

    agree(apart)


@pytest.mark.parametrize(
    "heuristic",
    [
        lambda game, player: [1, 2].pop(index=0),
        lambda game, player: {1: 2}.get(5, default=7),
        lambda game, player: next((item for item in (1, 2) if item > 5), default=3),
        lambda game, player: [3, 1].sort(lambda item: -item) or 1,
        lambda game, player: len(list(iterable=[1])),
        lambda game, player: int(x=3.5),
        lambda game, player: sum(iterable=[1]),
    ],
)
def test_arguments_that_have_no_name_raise(heuristic: Callable[[Any, Any], Any]) -> None:
    assert expected(heuristic, boards()[0], "ann") is None
    agree(heuristic, bails=True)


def test_defaults_and_annotations_inside_compile_where_nothing_hangs_on_them() -> None:
    def weighed(game, player):
        def weigh(move: tuple, by: "anything" = 3) -> float:
            return move[0] * by

        total = 0
        for move in game.get_legal_moves(player):
            adding = lambda one, by=2: one * by + weigh(move)  # noqa: E731
            total += adding(move[1])
        return total

    def of_each_turn(game, player):
        total = 0
        for number in range(5):
            times = lambda factor, kept=number: factor * kept  # noqa: E731
            total += times(game.move_count)
        return total

    agree(weighed)
    agree(of_each_turn)


def test_a_module_imported_inside_is_the_one_that_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def rooted(game: Any, player: Any) -> float:
        import math as other

        return other.sqrt(game.move_count)

    source = Source.of(rooted)
    lower(source)
    assert source.guard.holds()
    monkeypatch.setitem(sys.modules, "math", ModuleType("math"))
    assert not source.guard.holds()


class Names(dict):
    def __missing__(self, name: str) -> object:
        return {"weight": 2.5}[name]


def test_a_module_that_makes_names_up_is_left_to_python(tmp_path: Path) -> None:
    file = tmp_path / "made_up.py"
    file.write_text("def heuristic(game, player):\n    return weight * game.move_count\n")
    names = Names(__builtins__=__builtins__)
    exec(compile(file.read_text(), str(file), "exec"), names)
    assert not explain(names["heuristic"]).compiles


def test_assertions_do_nothing_where_python_is_told_so(tmp_path: Path) -> None:
    file = tmp_path / "asserting.py"
    file.write_text(
        "from isolation_fast import Board\n"
        "from isolation_fast.compiled.programs import lower\n"
        "from isolation_fast.compiled.source import Source\n"
        "def heuristic(game, player):\n"
        "    items = [1, 2, 3]\n"
        "    assert items.pop()\n"
        "    return len(items)\n"
        "board = Board('ann', 'ben')\n"
        "print(lower(Source.of(heuristic)).run(board, 'ann'), float(heuristic(board, 'ann')))\n"
    )
    for options, value in ([], "2.0 2.0\n"), (["-O"], "3.0 3.0\n"):
        ran = subprocess.run([sys.executable, *options, file], check=True, capture_output=True, text=True)
        assert ran.stdout == value


def test_players_are_told_apart_as_python_does() -> None:
    def who(game, player):
        is_active = 1 if player is game.active_player else 2
        return is_active + (10 if player is None else 20) + 100 * len(game.get_legal_moves(player))

    assert compiled_of(who).is_ready
    named = [Board("ann", "ben") for _ in range(5)]
    nobody = [Board(None, "ben") for _ in range(5)]
    for given, player in (named, "ann"), (named, "".join(["a", "nn"])), (nobody, None), (named, None):
        own = evaluate_many(given, who, player=player, compile=False)
        assert list(evaluate_many(given, who, player=player)) == list(own)


def nested(depth: int) -> int:
    return 1 + nested(depth - 1) if depth else 0


def of_nested_calls(game: Any, player: Any) -> float:
    return nested(60) + len(game.get_legal_moves(player))


def test_where_python_has_no_room_for_calls_it_raises() -> None:
    def below(depth: int, of: Callable[[], Any]) -> Any:
        return below(depth - 1, of) if depth else of()

    assert compiled_of(of_nested_calls).is_ready
    assert below(10, lambda: can_be_compiled(of_nested_calls))
    room = sys.getrecursionlimit() - 200
    depth = room - len(inspect.stack(0))
    assert not below(depth, lambda: can_be_compiled(of_nested_calls))


class Alike:
    """Equal to `len`, and found under it in a dict."""

    def __eq__(self, other):
        return other is len

    def __hash__(self):
        return hash(len)

    def __call__(self, items):
        return 99

    def __getattr__(self, name):
        raise ValueError(name)


class AlikeClasses(type):
    def __eq__(cls, other):
        return other is int or other is cls

    def __hash__(cls):
        return hash(int)


class AlikeInt(int, metaclass=AlikeClasses):
    def __new__(cls, number):
        return 7

    def __add__(self, other):
        return 77


alike_len, alike_number = Alike(), int.__new__(AlikeInt, 5)
isnan, isinf = isfinite, isnan


def of_names_that_mean_others(game, player):
    numbers = [game.move_count / 3, -math.inf, math.inf]
    found = [isnan(number) + 2 * isinf(number) + 4 * math.isinf(number) for number in numbers]
    return found[0] * 100 + found[1] * 10 + found[2]


@pytest.mark.parametrize(
    "heuristic",
    [
        lambda game, player: alike_len(game.get_legal_moves()),
        lambda game, player: AlikeInt(game.move_count),
        lambda game, player: alike_number + game.move_count,
        lambda game, player: sum([alike_number, game.move_count]),
        of_names_that_mean_others,
        lambda game, player: sum(map(isnan, [game.move_count / 3, -math.inf, math.inf])),
    ],
)
def test_what_equals_a_builtin_is_none(heuristic: Callable[[Any, Any], Any]) -> None:
    agree_or_be_refused(heuristic)


@pytest.mark.parametrize(
    "change",
    [
        "builtins.max = min",
        "builtins.abs = lambda x: 3",
        "math.fabs = math.sqrt",
        "Board.utility = lambda *_: 9.0",
    ],
)
def test_what_was_replaced_before_anything_was_compiled_is_not_taken_for_pythons(
    change: str, tmp_path: Path
) -> None:
    file = tmp_path / "replacing.py"
    file.write_text(
        "import builtins, math\n"
        "from isolation_fast import Board, evaluate_many\n"
        f"{change}\n"
        "from isolation_fast.compiled import compiled_of\n"
        "def heuristic(game, player):\n"
        "    return max(game.move_count, 4) + abs(-5) + math.fabs(16) + game.utility(player)\n"
        "board = Board('ann', 'ben')\n"
        "compiled_of(heuristic)\n"
        "print(list(evaluate_many([board] * 3, heuristic)) == [heuristic(board, 'ann')] * 3)\n"
    )
    command = [sys.executable, "-W", "error", file]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "True\n"
