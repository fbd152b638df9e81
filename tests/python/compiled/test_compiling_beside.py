"""Where a function is compiled: in the search that asks it often, or beside one that goes by a clock."""

import importlib
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from isolation_fast import search
from isolation_fast.compiled import compiled_of, random_positions, using
from tests.python.compiled.conftest import difference_of_moves

BOARD = random_positions(1)[0]


def moves(game: Any, player: Any) -> int:
    """In the way of the course."""
    own = len(game.get_legal_moves(player))
    return own - len(game.get_legal_moves(game.get_opponent(player)))


@pytest.fixture
def slow_compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Event, Event]]:
    """A compiler that says when it has begun, and waits until it may go on."""
    began, may_end = Event(), Event()

    def lower(source: Any, _make: Any) -> Any:
        began.set()
        may_end.wait()
        return difference_of_moves()

    monkeypatch.setattr(using, "compiler", lambda: lower)
    yield began, may_end
    may_end.set()
    wait_for_compiler()


def wait_for_compiler() -> None:
    for thread in threading.enumerate():
        if thread.name == using.THREAD:
            thread.join()


def test_a_search_by_the_clock_does_not_wait_for_the_compiler(
    slow_compiler: tuple[Event, Event],
) -> None:
    began, may_end = slow_compiler

    # Of codes of their own: functions of one code are compiled as often as all of them together pay for.
    def beside(game: Any, player: Any) -> int:
        return moves(game, player)

    def another(game: Any, player: Any) -> int:
        return moves(game, player)

    expected = search(BOARD, moves, depth=4, ms=1e6, compile=False)
    while not began.is_set():
        assert search(BOARD, beside, depth=4, ms=1e6) == expected
    used = using.use_of(beside)
    assert used is not None
    assert not used.is_ready
    # It goes on with Python, and no second one is compiled meanwhile.
    for heuristic in (beside, another):
        for _ in range(4):
            assert search(BOARD, heuristic, depth=4, ms=1e6) == expected
    assert used.values == 0
    # It has the interpreter for milliseconds at a time: a turn ends so much earlier.
    with using.within(150.0) as ms:
        assert ms == 150.0 - using.COURTESY
    assert sum(thread.name == using.THREAD for thread in threading.enumerate()) == 1
    may_end.set()
    wait_for_compiler()
    assert used.is_ready
    assert search(BOARD, beside, depth=4, ms=1e6) == expected
    assert used.values > 0


def test_a_search_goes_on_with_the_program_that_was_made_beside_it(
    slow_compiler: tuple[Event, Event],
) -> None:
    began, may_end = slow_compiler

    calls = 0

    def waiting(game: Any, player: Any) -> int:
        nonlocal calls
        calls += 1
        if calls == 1200:
            began.wait()
            may_end.set()
            wait_for_compiler()
        return moves(game, player)

    heuristic = waiting
    expected = search(BOARD, moves, depth=8, ms=1e6, compile=False)
    assert search(BOARD, heuristic, depth=8, ms=1e6) == expected
    used = using.use_of(heuristic)
    assert used is not None
    assert used.values > 3000 > calls


def test_a_search_without_a_clock_compiles_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []

    def lower(source: Any, _make: Any) -> Any:
        threads.append(threading.current_thread())
        return difference_of_moves()

    def unhurried(game: Any, player: Any) -> int:
        return moves(game, player)

    monkeypatch.setattr(using, "compiler", lambda: lower)
    search(BOARD, unhurried, nodes=3000)
    assert threads == [threading.current_thread()]


ENDING = """
import threading
from isolation_fast import Board, search
from isolation_fast.compiled import using
began = threading.Event()
def lower(source, make):
    began.set()
    while True:
        pass
using.compiler = lambda: lower
def heuristic(game, player):
    return float(len(game.get_legal_moves(player)))
while not began.is_set():
    search(Board(), heuristic, depth=3, ms=1e6)
print("ends")
"""


def test_an_interpreter_ends_while_something_is_compiled(tmp_path: Path) -> None:
    script = tmp_path / "ending.py"
    script.write_text(ENDING)
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ends\n", "")


DOUBTFUL = """
def heuristic(game, player):
    return 1.0 if game.move_count is 3 else 0.0
"""


def test_python_warns_of_a_file_once_and_others_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "doubtful.py").write_text(DOUBTFUL)
    monkeypatch.syspath_prepend(tmp_path)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        heuristic = importlib.import_module("doubtful").heuristic
        compiled_of(heuristic)
        assert [each.category for each in caught] == [SyntaxWarning]
        compile("1 is 1", "another.py", "exec")
        assert len(caught) == 2
