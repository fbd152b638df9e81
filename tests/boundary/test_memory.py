"""Boards and the memory they live in: the garbage collector, what must not grow, and several threads."""

import gc
import pickle
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import Board, perft, search

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"
BACKSTOP_SECONDS = 120


# The garbage collector.

# A crash would end the process, so it runs in one of its own.
ALWAYS_COLLECTING = """
    import copy
    import gc
    import pickle

    from isolation_fast import Board, search

    class Mine(Board):
        pass

    class Slotted(Board):
        __slots__ = ("extra",)

    gc.set_threshold(1)
    for kind in (Board, Mine, Slotted):
        for width, height in ((7, 7), (11, 9), (15, 15)):
            for player in (object(), "me", ["a", "list"]):
                for _ in range({times}):
                    board = kind(player, "you", width, height)
                    board.apply_move((1, 2))
                    board.apply_move((3, 3))
                    board.note = [board]
                    copies = [board.copy(), copy.copy(board), board.forecast_move(board.get_legal_moves()[0])]
                    copies.append(Board.from_text(board.to_text()))
                    copies[0]._board_state[0] = 0
            board = pickle.loads(pickle.dumps(board))
            for _ in range({times}):
                pickle.loads(pickle.dumps(board)).get_legal_moves()
            assert search(board, lambda game, player: len(game.get_legal_moves(player)), depth=2).depth == 2
    print("alive")
"""


def test_a_collection_may_come_at_any_moment_of_a_board_s_life() -> None:
    script = textwrap.dedent(ALWAYS_COLLECTING).format(times=300)
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", script],
        capture_output=True,
        text=True,
        timeout=BACKSTOP_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr


class Holder:
    """A player, or anything else, that holds on to a board."""

    board: Any = None


def as_player() -> Any:
    player = Holder()
    player.board = Board(player, "you")
    return player.board


def as_both_players() -> Any:
    player = Holder()
    player.board = Board("me", player)
    player.board.apply_move((0, 0))
    return player.board.copy()


def as_attribute() -> Any:
    board = Board()
    board.myself = board  # type: ignore[attr-defined]
    return board


def in_its_board_state() -> Any:
    board = Board()
    board._board_state.append(board)
    return board


def through_a_copy() -> Any:
    player = Holder()
    board = Board(player, player)
    player.board = board.forecast_move((2, 2))
    return board


@pytest.mark.parametrize(
    "cycle", [as_player, as_both_players, as_attribute, in_its_board_state, through_a_copy]
)
def test_a_board_that_leads_back_to_itself_is_collected(cycle: Callable[[], Any]) -> None:
    board = cycle()
    alive = weakref.ref(board)
    gc.collect()
    assert alive() is board
    del board
    gc.collect()
    assert alive() is None


def test_what_a_board_keeps_is_let_go_with_it() -> None:
    player, attribute = Holder(), Holder()
    board = Board(player, "you")
    board.note = attribute  # type: ignore[attr-defined]
    report = search(board, "improved", depth=1)
    alive = [weakref.ref(player), weakref.ref(attribute)]
    del player, attribute
    assert all(reference() is not None for reference in alive)
    del board
    assert [reference() for reference in alive] == [None, None]
    assert report.depth == 1


# What must not grow.

# The smallest allocation takes 16 bytes, so a leak of one in two would show.
ALLOWED_BYTES_EACH = 8


def resident_bytes() -> int:
    """Memory of this process: now where the system says it, else its highest so far, else Python's blocks."""
    statistics = Path("/proc/self/statm")
    if statistics.exists():
        import resource

        return int(statistics.read_text().split()[1]) * resource.getpagesize()
    if sys.platform == "darwin":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return sys.getallocatedblocks() * 16


def growth(work: Callable[[], object], times: int) -> int:
    """Bytes by which the process grew while it worked, beyond what the first tenth of the work took."""
    for _ in range(times // 10):
        work()
    gc.collect()
    before = resident_bytes()
    for _ in range(times):
        work()
    gc.collect()
    return resident_bytes() - before


MID_GAME = Board.from_text(START)
WIDE = Board.from_text("15x15 " + "/".join(["15"] * 15) + " - - 1")
TOUCHED = Board.from_text(START)
STATE = TOUCHED._board_state


def attempt(refused: Callable[[], object], error: type[Exception]) -> None:
    try:
        refused()
    except error:
        return
    raise AssertionError(f"no {error.__name__}")


def score(game: Board, player: Any) -> float:
    return float(len(game.get_legal_moves(player)))


def failing_score(game: Board, player: Any) -> float:
    raise LookupError("on purpose")


MANY: dict[str, Callable[[], object]] = {
    "boards": Board,
    "wide boards": lambda: Board(width=15, height=15),
    "copies": MID_GAME.copy,
    "copies of a touched board": TOUCHED.copy,
    "forecasts": lambda: MID_GAME.forecast_move((2, 4)),
    "legal moves": MID_GAME.get_legal_moves,
    "legal moves of a touched board": TOUCHED.get_legal_moves,
    "blank spaces": MID_GAME.get_blank_spaces,
    "texts": MID_GAME.to_text,
    "hashes": MID_GAME.hash,
    "board states": lambda: Board()._board_state,
    "readings": lambda: Board.from_text(START),
    "picklings": lambda: pickle.loads(pickle.dumps(MID_GAME)),
    "native searches": lambda: search(MID_GAME, "improved", depth=1, root_values=True),
    "wide native searches": lambda: search(WIDE.forecast_move((7, 7)), "null", nodes=10),
    "searches with a Python heuristic": lambda: search(MID_GAME, score, depth=1),
    "perfts": lambda: perft(MID_GAME, 1),
    "moves off the board": lambda: attempt(lambda: MID_GAME.apply_move((9, 9)), ValueError),
    "moves that are none": lambda: attempt(lambda: MID_GAME.forecast_move(None), TypeError),  # type: ignore[arg-type]
    "strangers": lambda: attempt(lambda: MID_GAME.get_legal_moves("stranger"), RuntimeError),
    "texts that do not parse": lambda: attempt(lambda: Board.from_text("7x7 8"), ValueError),
    "boards of no size": lambda: attempt(lambda: Board(width=0), ValueError),
    "heuristics that raise": lambda: attempt(lambda: search(MID_GAME, failing_score, depth=2), LookupError),
    "budgets that are none": lambda: attempt(lambda: search(MID_GAME, "open", depth=0), ValueError),
}


@pytest.mark.parametrize("name", MANY)
def test_two_hundred_thousand_of_them_leave_nothing_behind(name: str) -> None:
    assert growth(MANY[name], 200_000) < 200_000 * ALLOWED_BYTES_EACH


# Threads.

# Long enough that moves of another thread fall into the search, short enough to be done some ten times.
NODES = 10_000_000
MOVES = [(1, 2), (3, 3), (2, 4), (5, 4), (4, 5), (3, 5), (6, 4), (4, 3)]


def run_together(*tasks: Callable[[], None]) -> None:
    """Run each task in a thread of its own; an error in one is raised here, a deadlock fails."""
    errors: list[BaseException] = []

    def guarded(task: Callable[[], None]) -> None:
        try:
            task()
        except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=[task], daemon=True) for task in tasks]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + BACKSTOP_SECONDS
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    if errors:
        raise errors[0]
    assert not any(thread.is_alive() for thread in threads), "deadlock"


def native(board: Board) -> Any:
    return search(board, "improved", nodes=NODES, seed=1)


def played_on(board: Board) -> list[Board]:
    """Copies of the board before the game of `MOVES` and after each of its moves."""
    line = [board.copy()]
    for move in MOVES:
        line.append(line[-1].forecast_move(move))
    return line


@pytest.mark.parametrize("touched", [False, True], ids=["native", "with a _board_state in use"])
def test_one_thread_plays_on_the_board_that_another_searches(touched: bool) -> None:
    board = Board()
    if touched:
        assert board._board_state[-1] is None
    line = played_on(board)
    assert all(line[k].move_is_legal(move) for k, move in enumerate(MOVES))
    alone = [native(position) for position in line]
    searching = threading.Semaphore(0)
    found: list[tuple[int, Any, int]] = []

    def search_it() -> None:
        for _ in MOVES:
            before = board.move_count
            searching.release()
            report = native(board)
            found.append((before, report, board.move_count))

    def play_on_it() -> None:
        for number, move in enumerate(MOVES, start=1):
            assert searching.acquire(timeout=BACKSTOP_SECONDS)
            time.sleep(0.005)
            board.apply_move(move)
            assert board.to_text() == line[number].to_text()
            assert board.get_legal_moves() == line[number].get_legal_moves()
            other = Board(width=9, height=11)
            for step in MOVES:
                other.apply_move(step)
            assert search(board, score, depth=1) == search(line[number], score, depth=1)

    run_together(search_it, play_on_it)
    assert board.to_text() == line[-1].to_text()
    # A search sees the board as it is when it begins, whatever is played on it afterwards.
    assert all(report in alone[before : after + 1] for before, report, after in found)
    assert any(after > before for before, _, after in found)


def test_threads_that_search_one_board_do_not_meet() -> None:
    board = Board.from_text(START)
    text, alone = board.to_text(), native(board)
    slow_alone = search(board, score, depth=4, seed=1)
    counted = perft(board, 7)

    def natively() -> None:
        assert [native(board) for _ in range(3)] == [alone] * 3

    def with_a_python_heuristic() -> None:
        assert [search(board, score, depth=4, seed=1) for _ in range(3)] == [slow_alone] * 3

    def counting() -> None:
        assert [perft(board, 7) for _ in range(3)] == [counted] * 3

    run_together(natively, natively, with_a_python_heuristic, with_a_python_heuristic, counting)
    assert board.to_text() == text


def test_other_threads_go_on_during_native_work() -> None:
    board = Board.from_text(START)

    def steps_during(milliseconds: int) -> int:
        ended, steps = threading.Event(), 0

        def work() -> None:
            try:
                search(board, "improved", ms=milliseconds)
            finally:
                ended.set()

        def step() -> None:
            nonlocal steps
            while not ended.is_set():
                steps += 1
                time.sleep(0.001)

        run_together(work, step)
        return steps

    # On a busy machine others may have the processors for a while.
    assert any(steps_during(milliseconds) > 10 for milliseconds in (300, 3_000, 30_000))
