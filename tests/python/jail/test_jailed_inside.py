"""The inside of a jailed process, asked by a small referee: what is asked, what it answers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

import pytest
from inside_referee import GOOD, OPENING, ROOT, Referee, Start

from isolation_fast import AlphaBetaPlayer, Board
from isolation_fast.budgets import Budget
from isolation_fast.endings import GameEnding
from isolation_fast.process import Kind
from isolation_fast.searching import Mode
from isolation_fast.submission import as_player, load
from isolation_fast.submission.asking import order_bits_of, reseed
from isolation_fast.worker.messages import (
    Faulted,
    Game,
    Load,
    Loaded,
    MoveAsked,
    Moved,
    SearchAsked,
)

GAMES: Final[list[tuple[dict[str, int], Mode]]] = [
    ({"depth": 2}, "plain"),
    ({"nodes": 150}, "plain"),
    ({"depth": 3, "nodes": 90}, "plain"),
    ({"nodes": 300}, "fast"),
]


def turns(players: tuple[Any, Any], board: Board) -> Iterator[tuple[int, str, Any]]:
    """Play a game as a tournament does: whose turn it is, in which position, and the move."""
    while board.get_legal_moves():
        mover = 0 if board.active_player == "player 1" else 1
        game = board.copy()
        game._player_1, game._player_2 = players
        game._active_player, game._inactive_player = players[mover], players[1 - mover]
        move = players[mover].get_move(game, lambda: 150.0)
        yield mover, board.to_text(), move
        board.apply_move(move)


@pytest.mark.parametrize("member", ["custom_score", "custom_score_2"])
def test_a_search_in_the_jail_is_the_search_without_it(start: Start, tmp_path: Path, member: str) -> None:
    referee = start(GOOD, member)
    reseed(11)
    player = as_player(load(tmp_path / "game_agent.py", players_alone=True), member)
    loaded = referee.ask(Load(11))
    assert loaded == Loaded(("custom_score", "custom_score_2"), ("CustomPlayer",), (), "heuristic")
    opponent = AlphaBetaPlayer("improved", depth=1)
    for game, (limits, mode) in enumerate(GAMES):
        side = game % 2
        player.budget, player.mode = Budget(**limits), mode
        referee.ask(Game(OPENING, game, order_bits_of(game), 1 if side else 0))
        reseed(game)
        players = (opponent, player) if side else (player, opponent)
        since: list[Any] = []
        for mover, position, move in turns(players, Board.from_text(OPENING)):
            if mover == side:
                moved = referee.ask(SearchAsked(tuple(since), position, mode=mode, nan="course", **limits))
                expected = Moved.made(move, player.report, moved.asked)
                assert moved == replace(expected, paid=moved.paid)
                assert moved.asked > 0
                since = []
            since.append(move)


def test_a_player_in_the_jail_is_asked_as_without_it(start: Start, tmp_path: Path) -> None:
    referee = start(GOOD, "CustomPlayer")
    assert referee.ask(Load(3)).member_is == "player"
    reseed(3)
    submission = load(tmp_path / "game_agent.py", players_alone=True)
    players = (submission.players["CustomPlayer"](), AlphaBetaPlayer("open", depth=1))
    for stream in (5, 6):
        reseed(stream)
        referee.ask(Game(OPENING, stream, order_bits_of(stream), 0))
        since: list[Any] = []
        for mover, _, move in turns(players, Board.from_text(OPENING)):
            if mover == 0:
                assert referee.ask(MoveAsked(tuple(since))) == Moved.made(move)
                since = []
            since.append(move)


def test_a_search_by_time_counts_the_processs_own(start: Start) -> None:
    referee = start(GOOD)
    referee.ask(Load(1))
    referee.ask(Game(OPENING, 1, 2, 0))
    report = referee.ask(SearchAsked((), OPENING, ms=30.0)).report
    assert report.reason == "time"
    assert report.depth >= 1


def test_without_a_member_there_is_a_list_and_no_player(start: Start) -> None:
    referee = start(GOOD, None)
    assert referee.ask(Load(0)) == Loaded(("custom_score", "custom_score_2"), ("CustomPlayer",), ())
    referee.ask(Game(OPENING, 1, 2, 0))
    assert referee.ask(SearchAsked((), OPENING, depth=1)).ending == "raised"


DEEDS: Final[list[tuple[str, GameEnding, str]]] = [
    ("return 1 // 0", "raised", "by zero {place}"),
    ("raise SystemExit('PASSED')", "raised", "SystemExit: PASSED {place}"),
    ("raise KeyboardInterrupt", "raised", "KeyboardInterrupt {place}"),
    ("return deep(1)", "raised", "RecursionError: maximum recursion depth exceeded"),
    (
        "return float('nan')",
        "bad answer",
        "NaN is neither larger nor smaller than any score, and heuristic `custom_score` returned nan",
    ),
    (
        "return 'PASSED'",
        "bad answer",
        "a score is a real number that a float can hold, and heuristic `custom_score` returned 'PASSED' for",
    ),
    ("return None", "bad answer", "returned None for"),
    ("return bytearray(1 << 40)", "out of memory", "MemoryError {place}"),
    ("return slowly([])", "out of memory", "MemoryError (game_agent.py:5 in slowly)"),
    ("import mmap; mmap.mmap(-1, 10**11)", "out of memory", "OSError: [Errno 12] "),
    ("raise OSError(12, 'x')", "out of memory", "OSError: [Errno 12] x {place}"),
    ("raise RuntimeError('Permission denied')", "raised", "RuntimeError: Permission denied {place}"),
    ('raise RuntimeError("so I can\'t start new thread")', "raised", "RuntimeError: so I can't"),
    ("raise OSError('Operation not permitted')", "raised", "OSError: Operation not permitted {place}"),
    ("raise ImportError('x: Permission denied')", "raised", "ImportError: x: Permission denied {place}"),
    ("raise PermissionError('mine')", "raised", "PermissionError: mine {place}"),
    ("import ctypes; ctypes.CDLL('/usr/lib/x.so')", "raised", "OSError"),
    (
        "open('/etc/passwd')",
        "refused",
        "open('/etc/passwd'): the jail lets a submission read no file but those of its folder",
    ),
    (
        "open('/usr/results.json', 'w')",
        "refused",
        "open('/usr/results.json', 'w'): the jail lets a submission write no file; remove it",
    ),
    ("os.fork()", "refused", "os.fork(): the jail lets a submission start no process; "),
    ("import threading; threading.Thread().start()", "refused", "start no thread; use one"),
    (
        "import socket; socket.socket()",
        "refused",
        "socket.socket(): the jail lets a submission open no connection",
    ),
    ("import isolation_fast as i; i.search(game, 'open', depth=9)", "refused", "EngineLockedError: search"),
    ("import sys; sys._getframe(2).f_globals['_native'].serve(0, 1, None)", "refused", "once in a process"),
    ("import isolation_fast.reference.heuristics", "refused", "EngineLockedError: reference of"),
    ("import isolation_fast._native", "refused", "EngineLockedError: _native of isolation_fast"),
    ("from isolation_fast.endings import Fault; raise Fault('no moves', '')", "raised", "Fault: ('no"),
    ("raise type('Evil', (Exception,), {'__str__': lambda self: 1 // 0})()", "raised", "Evil {place}"),
    ("raise type('E\\x1b[2J', (Exception,), {})('\\x1b]0;x')", "raised", "E\\x1b[2J: \\x1b]0;x {place}"),
]


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> list[Faulted]:
    """What came of the deeds, done one after the other in one process."""
    lines = ["import os", "def deep(more): return 1 + deep(more)", "def slowly(kept):", "    while True:"]
    lines += ["        kept.append(bytearray(50_000))"]
    for number, (body, _, _) in enumerate(DEEDS):
        lines += [f"def deed_{number}(game, player):", f"    {body}"]
    deeds = ", ".join(f"deed_{number}" for number in range(len(DEEDS)))
    lines += [f"deeds = iter([{deeds}])", "def custom_score(game, player): return next(deeds)(game, player)"]
    file = tmp_path_factory.mktemp("deeds") / "game_agent.py"
    file.write_text("\n".join(lines))
    referee = Referee(file, "custom_score", memory=700)
    referee.ask(Load(0))
    referee.ask(Game(OPENING, 1, 2, 0))
    found = [referee.ask(SearchAsked((), OPENING, depth=2, nan="refuse")) for _ in DEEDS]
    referee.close()
    return found


@pytest.mark.parametrize("number", range(len(DEEDS)))
def test_what_a_heuristic_does_instead_is_told(faults: list[Faulted], number: int) -> None:
    _, ending, told = DEEDS[number]
    fault = faults[number]
    line = 7 + 2 * number
    assert fault.ending == ending
    assert told.format(place=f"(game_agent.py:{line} in deed_{number})") in fault.detail
    if ending != "bad answer":
        assert f'File "game_agent.py", line {line}, in deed_{number}\n' in fault.trace


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import game_agents", "imports game_agents"),
        ("def custom_score(game, player) return 1", "game_agent.py:1: Python cannot parse it"),
        ("raise SystemExit(0)", "importing it ends the program"),
        ("1 / 0", "game_agent.py:1: importing it raises ZeroDivisionError"),
        (
            "open('/etc/passwd')",
            "refused: open('/etc/passwd'): the jail lets a submission read no file but those of its folder "
            "and of Python; remove it: no heuristic needs it (game_agent.py:1 in <module>; "
            "PermissionError: [Errno 13] Permission denied: '/etc/passwd')",
        ),
        ("x = bytearray(1 << 40)", "out of memory: MemoryError (game_agent.py:1 in <module>)"),
        ("import mmap; mmap.mmap(-1, 10**11)", "out of memory: OSError: [Errno 12]"),
        ("raise RuntimeError('Permission denied')", "game_agent.py:1: importing it raises RuntimeError"),
        ("import tensorflow", "it imports tensorflow, which is not installed; pip install tensorflow"),
        ("def custom_score_2(game, player): return 1.0", "'custom_score'"),
        ("", "it has no heuristic"),
    ],
)
def test_what_cannot_be_loaded_says_why(start: Start, source: str, told: str) -> None:
    fault = start(source).ask(Load(0))
    assert (fault.ending, told in fault.detail) == ("not loaded", True), fault
    # Who reads it does not trust the submission: it is neither to be run nor to say what is installed.
    assert "full traceback" not in fault.detail
    assert "or install the" not in fault.detail


ANSWERED: Final[list[tuple[str, Any]]] = [
    ("return (9, -3)", Moved.made((9, -3))),
    ("return (True, 2)", Moved.made((1, 2))),
    ("return (1 << 70, 0)", Faulted("illegal move", "it answered (1180591620717411303424, 0)")),
    ("return [0, 0]", Faulted("bad answer", "a move is a tuple (row, column), and it answered [0, 0]")),
    ("return None", Faulted("bad answer", "a move is a tuple (row, column), and it answered None")),
    ("return moves.pop()", "it took its move "),
    ("return (Odd(), 0)", "after its turn: SystemExit: 3 (game_agent.py:3 in __index__)"),
    ("raise SystemExit", "SystemExit (game_agent.py:19 in deed_7)"),
]


def test_what_a_player_answers_is_handed_on_or_told(start: Start) -> None:
    lines = ["class Odd:", "    def __index__(self):", "        raise SystemExit(3)"]
    for number, (body, _) in enumerate(ANSWERED):
        lines += [f"def deed_{number}(moves):", f"    {body}"]
    deeds = ", ".join(f"deed_{number}" for number in range(len(ANSWERED)))
    lines += [f"deeds = iter([{deeds}])", "class P:", "    def get_move(self, game, moves, time_left):"]
    referee = start("\n".join([*lines, "        return next(deeds)(moves)\n"]), "P")
    assert referee.ask(Load(0)).member_is == "player"
    referee.ask(Game(OPENING, 1, 2, 0))
    for _, answer in ANSWERED:
        given = referee.ask(MoveAsked((), 500.0))
        if isinstance(answer, str):
            assert answer in given.detail
        else:
            assert (given if isinstance(answer, Moved) else Faulted(given.ending, given.detail)) == answer


def test_a_players_clock_counts_down_by_what_it_uses(start: Start) -> None:
    body = "    def get_move(self, game, time_left):\n        first = time_left()\n"
    body += "        while time_left() > first - 20: pass\n        return (int(first), int(time_left()))\n"
    referee = start(f"class P:\n{body}", "P")
    referee.ask(Load(0))
    referee.ask(Game(OPENING, 1, 2, 0))
    first, second = referee.ask(MoveAsked((), 500.0)).move
    assert 400 < first <= 500
    assert second <= first - 19


MISASKED: Final[list[tuple[bytes, str]]] = [
    (SearchAsked((), OPENING.replace("3,3 1", "3,3 2"), depth=1).content(), "not at the position"),
    (SearchAsked(((2, 4),), OPENING, depth=1).content(), "not at the position"),
    (SearchAsked((), OPENING).content(), "form that there is not"),
    (SearchAsked((), OPENING, depth=1).content()[:-20], "form that there is not"),
    (SearchAsked((), OPENING, depth=1).content()[:23], "form that there is not"),
    (b"", "form that there is not"),
    (bytes(20) + b"\2" + SearchAsked((), OPENING, depth=1).content()[21:], "form that there is not"),
    (bytes(21) + b"\2" + SearchAsked((), OPENING, depth=1).content()[22:], "form that there is not"),
]


def test_a_search_that_is_not_the_boards_or_of_no_form_is_refused(start: Start) -> None:
    referee = start(GOOD)
    referee.ask(Load(1))
    for content, told in MISASKED:
        referee.ask(Game(OPENING, 1, 2, 0))
        fault = referee.ask_bytes(Kind.SEARCH, content)
        assert (fault.ending, told in fault.detail) == ("protocol broken", True), fault
    # It goes on all the same.
    referee.ask(Game(OPENING, 1, 2, 0))
    assert referee.ask(SearchAsked((), OPENING, depth=1)).report.depth == 1


def test_a_heuristic_of_the_engine_is_refused(start: Start) -> None:
    source = """
        import gc, sys
        def custom_score(game, player):
            (handler,) = [each for each in gc.get_objects() if type(each).__name__ == "Handler"]
            handler._player.score = sys._getframe(1).f_globals["_native"].heuristic("improved")
            return 1.0
    """
    referee = start(dedent(source))
    referee.ask(Load(1))
    referee.ask(Game(OPENING, 1, 2, 0))
    assert type(referee.ask(SearchAsked((), OPENING, depth=1))) is Moved
    fault = referee.ask(SearchAsked((), OPENING, depth=1))
    assert (fault.ending, "one of the engine's" in fault.detail) == ("refused", True), fault


def test_a_board_that_the_submission_has_changed_is_not_searched(start: Start) -> None:
    source = """
        import gc
        def custom_score(game, player):
            (handler,) = [each for each in gc.get_objects() if type(each).__name__ == "Handler"]
            handler._board.apply_move((0, 0))
            return 1.0
    """
    referee = start(dedent(source))
    referee.ask(Load(1))
    referee.ask(Game(OPENING, 1, 2, 0))
    move = referee.ask(SearchAsked((), OPENING, depth=1)).move
    board = Board.from_text(OPENING)
    for cell in (move, (5, 4)):
        board.apply_move(cell)
    assert referee.ask(SearchAsked((move, (5, 4)), board.to_text(), depth=1)).ending == "protocol broken"


def test_a_signal_handler_that_raises_at_any_moment_makes_faults_and_no_more(start: Start) -> None:
    source = """
        import signal
        def wake(*_):
            raise SystemExit("woken")
        signal.signal(signal.SIGALRM, wake)
        def custom_score(game, player):
            signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
            return 1.0
    """
    referee = start(dedent(source))
    referee.ask(Load(1))
    for _ in range(300):
        begun = referee.ask(Game(OPENING, 1, 2, 0))
        asked = referee.ask(SearchAsked((), OPENING, depth=1))
        for answer in (begun, asked):
            assert not isinstance(answer, Faulted) or answer.ending in ("raised", "protocol broken")


def test_a_request_of_no_kind_is_refused(start: Start) -> None:
    referee = start(GOOD)
    for kind in (0, 1, 6, 22, 255):
        assert "no request of kind" in referee.ask_bytes(kind, b"").detail


def test_what_is_printed_comes_before_the_answer_and_the_process_ends_with_its_referee(start: Start) -> None:
    source = """
        import atexit, sys
        print("loading")
        atexit.register(print, "never")
        def custom_score(game, player):
            print("asked", end="")
            sys.stdout.flush = None
            return 1.0
    """
    referee = start(dedent(source))
    referee.ask(Load(1))
    assert referee.process.stdout is not None
    assert os.read(referee.process.stdout.fileno(), 100) == b"loading\n"
    referee.ask(Game(OPENING, 1, 2, 0))
    referee.ask(SearchAsked((), OPENING, depth=1))
    assert os.read(referee.process.stdout.fileno(), 5) == b"asked"
    status, _, stderr = referee.close()
    assert (status, stderr) == (0, b"")


def test_a_process_that_is_not_locked_serves_nobody() -> None:
    script = "from isolation_fast._native import serve; serve(0, 1, None)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False
    )
    assert "EngineLockedError: the engine answers its referee once" in ended.stderr
