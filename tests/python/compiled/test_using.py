"""A function's program is asked first, and every result is what the function alone gives."""

import gc
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from math import inf, nan
from typing import Any

import pytest

from isolation_fast import Board, evaluate_many, search
from isolation_fast.compiled import (
    Refusal,
    compiled_of,
    explain,
    not_compiling,
    random_positions,
    using,
)
from isolation_fast.exceptions import CompilationWarning
from isolation_fast.players import AlphaBetaPlayer
from tests.python.compiled.conftest import Compiler, always_bailing, difference_of_moves, wrong_late

BOARDS = random_positions(24)
SEARCHES: list[dict[str, Any]] = [
    {"depth": 4},
    {"nodes": 3000},
    {"nodes": 3000, "mode": "fast"},
    {"depth": 3, "method": "minimax", "root_values": True, "seed": 3},
    {"depth": 3, "ms": 1e6},
]
FACTOR = 1


def moves(game: Any, player: Any) -> int:
    """In the way of the course."""
    own = len(game.get_legal_moves(player))
    return own - len(game.get_legal_moves(game.get_opponent(player)))


def heuristic_of(name: str, answer: Callable[[Any, Any], Any] = moves) -> Callable[[Any, Any], Any]:
    """A new function of that name, of which nothing is known yet."""

    def made(game: Any, player: Any) -> Any:
        return answer(game, player)

    made.__name__ = name
    return made


@pytest.mark.parametrize("bails_at", [None, 0, 1])
def test_searches_find_the_same(compiler: Compiler, bails_at: int | None) -> None:
    compiler(same=difference_of_moves(bails_at=bails_at))
    compiled = heuristic_of("same")
    assert not isinstance(compiled_of(compiled), Refusal)
    for board in BOARDS:
        for options in SEARCHES:
            assert search(board, compiled, **options) == search(board, moves, compile=False, **options)
    used = using.use_of(compiled)
    assert used is not None
    assert used.values > 10_000
    assert (used.bails > 0) == (bails_at is not None)


def test_many_values_are_the_same(compiler: Compiler) -> None:
    compiler(many=difference_of_moves(bails_at=2))
    compiled = heuristic_of("many")
    compiled_of(compiled)
    texts = [board.to_text() for board in BOARDS]
    given: list[Any] = [*BOARDS, *texts, Board("a", "b", width=9, height=9), Board(width=30, height=10)]
    for boards in (given * 5, iter(given), tuple(given)):
        expected = [float(moves(*asked(each))) for each in given]
        assert list(evaluate_many(boards, compiled))[: len(given)] == expected
    used = using.use_of(compiled)
    assert used is not None
    assert used.values > used.bails > 0


def test_many_values_follow_what_python_changes_between_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    class Changing(Board):
        def get_legal_moves(self, player: object = None) -> Any:
            global FACTOR
            FACTOR = 7
            return super().get_legal_moves(player)

    def weighted(game: Any, player: Any) -> int:
        return FACTOR * len(game.get_legal_moves(player))

    def given() -> Iterator[Board]:
        global FACTOR
        for factor, board in enumerate(BOARDS):
            FACTOR = factor // 8
            yield board

    # The attribute is put back at the end.
    monkeypatch.setattr(sys.modules[__name__], "FACTOR", 1)
    boards: list[Any] = [*BOARDS[:4], Changing("Ann", "Ben"), *BOARDS[4:]]
    for each in (given, lambda: boards):
        monkeypatch.setattr(sys.modules[__name__], "FACTOR", 1)
        expected = list(evaluate_many(each(), weighted, compile=False))
        monkeypatch.setattr(sys.modules[__name__], "FACTOR", 1)
        assert not isinstance(compiled_of(weighted), Refusal)
        assert list(evaluate_many(each(), weighted)) == expected


def asked(given: Any) -> tuple[Any, Any]:
    board = Board.from_text(given) if isinstance(given, str) else given
    return board, board.active_player


def test_a_function_that_is_asked_often_is_compiled_by_itself(compiler: Compiler) -> None:
    compiler(often=difference_of_moves())

    # Of a code of its own: functions of one code are compiled as often as all of them together pay for.
    def often(game: Any, player: Any) -> int:
        return moves(game, player)

    heuristic = often
    search(BOARDS[0], heuristic, nodes=500)
    used = using.use_of(heuristic)
    assert used is not None
    assert not used.is_ready
    search(BOARDS[0], heuristic, nodes=5000)
    assert used.is_ready
    assert used.values > 1000


def test_closures_of_one_code_are_compiled_as_often_as_it_pays(compiler: Compiler) -> None:
    compiler(closure=difference_of_moves())
    ready = 0
    for number in range(20):

        def closure(game: Any, player: Any, added: int = number) -> float:
            return float(moves(game, player) + 0 * added)

        heuristic = closure
        search(BOARDS[0], heuristic, nodes=2000)
        used = using.use_of(heuristic)
        assert used is not None
        ready += used.is_ready
    assert 2 <= ready <= 14


def test_a_changed_global_ends_the_program_until_it_is_compiled_anew(compiler: Compiler) -> None:
    compiler(changed=difference_of_moves())
    heuristic = heuristic_of("changed")
    used = compiled_of(heuristic)
    assert not isinstance(used, Refusal)
    search(BOARDS[0], heuristic, depth=3)
    before = used.values
    try:
        globals()["float"] = int
        search(BOARDS[0], heuristic, depth=3)
        assert used.values == before
        assert not used.is_ready
    finally:
        del globals()["float"]
    assert compiled_of(heuristic) is used
    assert used.is_ready


def test_a_bail_in_which_the_function_changes_its_world_ends_the_program(compiler: Compiler) -> None:
    compiler(changing=difference_of_moves(bails_at=0))

    def answer(game: Any, player: Any) -> float:
        if moves(game, player) == 0:
            globals()["float"] = float
            return 0.0
        return 100.0 if "float" in globals() else float(moves(game, player))

    results = []
    for compile_it in (True, False):
        heuristic = heuristic_of("changing", answer)
        compiled_of(heuristic)
        try:
            results.append(search(BOARDS[5], heuristic, depth=4, compile=compile_it))
        finally:
            globals().pop("float", None)
    assert results[0] == results[1]


@pytest.mark.parametrize("where", ["search", "values"])
def test_a_difference_is_reported_once_and_python_decides(compiler: Compiler, where: str) -> None:
    compiler(wrong=difference_of_moves(added=1))
    heuristic = heuristic_of("wrong")
    used = compiled_of(heuristic)
    assert not isinstance(used, Refusal)

    def result(function: Any, *, compile_it: bool = True) -> Any:
        if where == "search":
            return search(BOARDS[3], function, depth=4, compile=compile_it)
        return list(evaluate_many(BOARDS, function, compile=compile_it))

    with pytest.warns(CompilationWarning, match="defect of isolation_fast") as warned:
        found = result(heuristic)
    assert len(warned) == 1
    assert repr(BOARDS[0].to_text().partition(" ")[0])[1:-1] in str(warned[0].message)
    assert found == result(moves, compile_it=False)
    assert used.is_off
    assert result(heuristic) == found
    using._wrong.clear()


def board_after(moves: int, width: int, height: int) -> Board:
    """A board on which so many moves were made, each the first that was legal."""
    board = Board(width=width, height=height)
    for _ in range(moves):
        board.apply_move(sorted(board.get_legal_moves())[0])
    return board


# Of the larger board no machine code is made.
@pytest.mark.parametrize("size", [(7, 7), (13, 10)])
@pytest.mark.parametrize("where", ["search", "last plies", "values", "player"])
def test_a_branch_that_is_first_reached_late_is_compared_at_once(
    compiler: Compiler, where: str, size: tuple[int, int]
) -> None:
    late = board_after(12, *size)
    compiler(late=wrong_late(15))
    heuristic = heuristic_of("late")
    used = compiled_of(heuristic)
    assert not isinstance(used, Refusal)
    for moves_before in [*range(2, 7)] * 2:
        search(board_after(moves_before, *size), heuristic, depth=7)
    # The next of each 1,024 comes too late.
    evaluate_many([board_after(5, *size)] * (1024 - used.values % 1024 + 1), heuristic)
    before = used.values
    assert before > 10_000

    def result(function: Any, *, compile_it: bool = True) -> Any:
        if where == "values":
            boards = [board_after(count, *size) for count in (3, 4, 15, 5)]
            return list(evaluate_many(boards, function, compile=compile_it))
        if where == "player":
            player = AlphaBetaPlayer(function, depth=3, compile=compile_it)
            return player.get_move(late.copy(), lambda: inf), player.report
        return search(late, function, depth=3 if where == "search" else 4, compile=compile_it)

    with pytest.warns(CompilationWarning, match="defect of isolation_fast") as warned:
        found = result(heuristic)
    assert len(warned) == 1
    assert found == result(moves, compile_it=False)
    assert used.is_off
    assert used.values < before + 1000
    assert "difference was found" in str(compiled_of(heuristic))
    using._wrong.clear()


def test_a_known_branch_is_seldom_compared(compiler: Compiler) -> None:
    compiler(known=difference_of_moves(bails_at=100))
    calls = 0

    def counted(game: Any, player: Any) -> int:
        nonlocal calls
        calls += 1
        return moves(game, player)

    heuristic = heuristic_of("known", counted)
    used = compiled_of(heuristic)
    assert not isinstance(used, Refusal)
    for board in BOARDS:
        search(board, heuristic, nodes=5000)
    assert used.values > 10_000
    assert calls <= 64 + 2 * 4 + used.values // 1024 + 1


def test_a_difference_found_while_measuring_is_reported(compiler: Compiler) -> None:
    compiler(measured=difference_of_moves(added=1))
    heuristic = heuristic_of("measured")
    with pytest.warns(CompilationWarning, match="defect"):
        assert not explain(heuristic, measure=True).compiles
    using._wrong.clear()


def test_a_program_that_bails_often_is_given_up(compiler: Compiler) -> None:
    compiler(bailing=always_bailing())
    heuristic = heuristic_of("bailing")
    used = compiled_of(heuristic)
    assert not isinstance(used, Refusal)
    assert search(BOARDS[0], heuristic, depth=5) == search(BOARDS[0], moves, depth=5, compile=False)
    assert used.is_off
    assert (used.values, used.bails) == (0, 64)


def test_exceptions_of_the_function_come_with_their_notes(compiler: Compiler) -> None:
    compiler(raising=difference_of_moves(bails_at=1))

    def answer(game: Any, player: Any) -> float:
        if moves(game, player) == 1:
            raise ZeroDivisionError("of its own")
        return float(moves(game, player))

    notes = []
    for compile_it in (True, False):
        heuristic = heuristic_of("raising", answer)
        compiled_of(heuristic)
        with pytest.raises(ZeroDivisionError) as raised:
            search(BOARDS[4], heuristic, depth=4, compile=compile_it)
        notes.append(getattr(raised.value, "__notes__", None))
    assert notes[0] == notes[1]
    assert notes[0]


def test_nan_is_counted_as_without(compiler: Compiler) -> None:
    compiler(nans=difference_of_moves(bails_at=1))
    results = []
    for compile_it in (True, False):
        heuristic = heuristic_of("nans", lambda g, p: nan if moves(g, p) == 1 else float(moves(g, p)))
        compiled_of(heuristic)
        results.append(search(BOARDS[4], heuristic, depth=4, nan="course", compile=compile_it))
    assert results[0] == results[1]
    assert results[0].nans > 0


class Equal:
    """A player that says what it is equal to."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equal) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


@pytest.mark.parametrize(
    ("players", "asked_of_it"),
    [(("a", "b"), True), ((object(), object()), True), ((Equal("a"), Equal("b")), False), ((1, 2), False)],
)
def test_only_plain_players_are_for_programs(
    compiler: Compiler, players: tuple[Any, Any], asked_of_it: bool
) -> None:
    compiler(players=difference_of_moves())
    heuristic = heuristic_of("players")
    used = compiled_of(heuristic)
    assert not isinstance(used, Refusal)
    board = Board.from_text(BOARDS[6].to_text(), *players)
    assert search(board, heuristic, depth=3) == search(board, moves, depth=3, compile=False)
    assert (used.values > 0) == asked_of_it


class OwnBoard(Board):
    """As people subclass the classic board."""

    def get_legal_moves(self, player: object = None) -> Any:
        return super().get_legal_moves(player)[:1]


def test_boards_in_doubt_are_for_python(compiler: Compiler) -> None:
    compiler(boards=difference_of_moves())
    heuristic = heuristic_of("boards")
    used = compiled_of(heuristic)
    assert not isinstance(used, Refusal)
    own = OwnBoard()
    for move in ((2, 3), (4, 4)):
        own.apply_move(move)
    marked, touched = Board.copy(BOARDS[8]), Board.copy(BOARDS[8])
    touched._board_state[0] = 0
    marked.get_legal_moves = lambda player=None: []  # type: ignore[method-assign]
    boards = [own, marked, touched]
    assert list(evaluate_many(boards, heuristic)) == [
        float(moves(each, each.active_player)) for each in boards
    ]
    assert used.values == 0


def test_nothing_is_compiled_where_it_is_turned_off(compiler: Compiler) -> None:
    compiler(off=difference_of_moves())
    heuristic = heuristic_of("off")
    with not_compiling():
        assert using.use_of(heuristic) is None
        search(BOARDS[0], heuristic, nodes=3000)
    used = using.use_of(heuristic)
    assert used is not None
    assert used.values == 0
    search(BOARDS[0], heuristic, nodes=3000, compile=False)
    assert used.values == 0


def test_a_debugger_sees_each_call(compiler: Compiler) -> None:
    compiler(debugged=difference_of_moves())
    heuristic = heuristic_of("debugged")
    before = sys.gettrace()
    sys.settrace(lambda *_: None)
    try:
        assert using.use_of(heuristic) is None
    finally:
        sys.settrace(before)


def test_a_defect_of_the_compiler_leaves_the_function_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(source: Any, _make: Any) -> Any:
        raise AssertionError(f"of {source}")

    monkeypatch.setattr(using, "compiler", lambda: failing)
    heuristic = heuristic_of("defect")
    found = compiled_of(heuristic)
    assert isinstance(found, Refusal)
    assert found.construct == using.DEFECT
    assert search(BOARDS[0], heuristic, nodes=3000) == search(BOARDS[0], moves, nodes=3000, compile=False)


def test_other_threads_run_while_a_program_is_asked(compiler: Compiler) -> None:
    compiler(threads=difference_of_moves())
    heuristic = heuristic_of("threads")
    compiled_of(heuristic)
    went_on = threading.Event()
    results: list[Any] = []

    def searching() -> None:
        while not went_on.is_set():
            results.append(search(BOARDS[2], heuristic, depth=4))

    threads = [threading.Thread(target=searching) for _ in range(3)]
    for thread in threads:
        thread.start()
    while len(results) < 12:
        gc.collect(0)
    went_on.set()
    for thread in threads:
        thread.join()
    assert set(map(str, results)) == {str(search(BOARDS[2], moves, depth=4, compile=False))}


def test_what_is_known_of_a_function_goes_with_it(compiler: Compiler) -> None:
    compiler(going=difference_of_moves())
    heuristic = heuristic_of("going")
    used = weakref.ref(compiled_of(heuristic))
    known = weakref.ref(heuristic)
    search(BOARDS[0], heuristic, nodes=3000)
    del heuristic
    gc.collect()
    assert known() is None
    # One record of its code is kept, to count what the code's functions are asked.
    assert len([each for each in (used(),) if each is not None]) <= 1
