"""Where a function's source is found, when it is not what runs, and what a guard sees."""

import ast
import gc
import importlib.util
import math
import weakref
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from isolation_fast import Board
from isolation_fast.compiled import Refusal
from isolation_fast.compiled.source import Source

WEIGHTS = [1, 2]
TABLE = {"a": [1.0], "b": (2, {3})}


def plain(game: Any, player: Any) -> float:
    return float(len(game.get_legal_moves(player)))


def weighted(weight: float) -> Callable[[Any, Any], float]:
    def inner(game: Any, player: Any) -> float:
        return weight * plain(game, player)

    return inner


first, second = (lambda game, player: 1.0), (lambda game, player: 2.0)
OUTER: list[Callable[[float], Callable[[Any, Any], float]]] = [
    lambda weight: lambda game, player: weight * plain(game, player)
]


def text_of(function: Any) -> str:
    return ast.unparse(Source.of(function).tree)


def written(folder: Path, text: str, name: str = "heuristic") -> ModuleType:
    file = folder / f"{name}.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_of_two_lambdas_on_a_line_has_its_own_source() -> None:
    assert [text_of(each).partition(": ")[2] for each in (first, second)] == ["1.0", "2.0"]


def test_a_lambda_is_told_from_the_one_around_it() -> None:
    assert text_of(OUTER[0]).startswith("lambda weight")
    assert text_of(OUTER[0](2.0)).startswith("lambda game, player")


def test_a_function_that_has_run_often_is_still_its_source() -> None:
    for _ in range(5000):
        plain(Board(), "player 1")
    assert text_of(plain).startswith("def plain")


def test_a_name_means_what_closure_module_and_builtins_say() -> None:
    source = Source.of(weighted(3.0))
    assert source.lookup("weight") == 3.0
    assert source.lookup("plain") is plain
    assert source.lookup("len") is len
    with pytest.raises(KeyError):
        source.lookup("nothing of that name")


def test_a_file_that_was_changed_since_it_was_loaded_is_not_the_source(tmp_path: Path) -> None:
    module = written(tmp_path, "def f(game, player):\n    return 1.0\n")
    assert "1.0" in text_of(module.f)
    (tmp_path / "heuristic.py").write_text("def f(game, player):\n    return 2.00\n")
    with pytest.raises(Refusal, match="not the code that runs"):
        Source.of(module.f)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (len, "no plain function"),
        (eval("lambda game, player: 1.0"), "not found"),
        (Board.get_legal_moves, "no plain function"),
    ],
)
def test_what_has_no_source_is_refused(function: Any, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        Source.of(function)


def test_a_generator_is_refused() -> None:
    def generator(game: Any, player: Any) -> Any:
        yield plain(game, player)

    with pytest.raises(Refusal, match="generator"):
        Source.of(generator)


def test_names_that_a_class_changes_are_refused(tmp_path: Path) -> None:
    text = "class C:\n    @staticmethod\n    def f(game, player):\n        return game.__x + 1.0\n"
    with pytest.raises(Refusal, match="two underscores"):
        Source.of(written(tmp_path, text).C.f)


# ---- the guard

TEXT = """
import math
W = [1, [2], {"a": 3}]
K = 5
def helper(x):
    return x + K
def f(game, player, scale=2):
    return helper(W[0]) * scale + math.pi + abs(K)
"""


def guarded(module: ModuleType) -> Source:
    source = Source.of(module.f)
    helper = source.helper(source.lookup("helper"))
    helper.lookup("K")
    source.constant(source.lookup("W"))
    source.attribute(source.lookup("math"), "pi")
    source.lookup("abs")
    source.default("scale")
    return source


@pytest.mark.parametrize(
    "change",
    [
        lambda module: setattr(module, "K", 6),
        lambda module: setattr(module, "W", [1, [2], {"a": 3}]),
        lambda module: module.W.append(1),
        lambda module: module.W[1].clear(),
        lambda module: module.W[2].update(a=4),
        lambda module: setattr(module, "abs", round),
        lambda module: setattr(module, "math", ModuleType("math")),
        lambda module: setattr(module, "helper", lambda x: x),
        lambda module: setattr(module.helper, "__code__", (lambda x: x).__code__),
        lambda module: setattr(module.f, "__code__", (lambda game, player, scale: 1).__code__),
        lambda module: setattr(module.f, "__defaults__", (3,)),
        lambda module: delattr(module, "K"),
    ],
)
def test_a_guard_sees_each_change(change: Callable[[ModuleType], object], tmp_path: Path) -> None:
    module = written(tmp_path, TEXT)
    source = guarded(module)
    assert source.guard.holds()
    change(module)
    assert not source.guard.holds()


def test_a_guard_sees_what_is_set_in_another_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = guarded(written(tmp_path, TEXT))
    monkeypatch.setattr(math, "pi", 3.0)
    assert not source.guard.holds()


def test_a_guard_sees_a_method_put_in_the_place_of_one_of_the_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source.of(plain)
    assert source.guard.holds()
    with monkeypatch.context() as patch:
        patch.setattr(Board, "utility", lambda board, player: 0.0)
        assert not source.guard.holds()
    assert source.guard.holds()


def test_a_guard_keeps_nothing_alive(tmp_path: Path) -> None:
    module = written(tmp_path, TEXT)
    source = guarded(module)
    guard, function = source.guard, weakref.ref(module.f)
    del module, source
    gc.collect()
    assert function() is None
    assert not guard.holds()


def test_a_comment_that_is_no_utf_8_hides_no_source(tmp_path: Path) -> None:
    file = tmp_path / "accented.py"
    file.write_bytes(b"# caf\xe9\n" + TEXT.encode())
    spec = importlib.util.spec_from_file_location("accented", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert Source.of(module.f).lookup is not None


def test_a_name_that_is_not_defined_is_guarded_too(tmp_path: Path) -> None:
    module = written(tmp_path, TEXT)
    source = Source.of(module.f)
    with pytest.raises(KeyError):
        source.lookup("later")
    assert source.guard.holds()
    module.later = 1  # type: ignore[attr-defined] # it is made here
    assert not source.guard.holds()
