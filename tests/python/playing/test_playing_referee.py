"""One game under the referee: who is asked, how games end, what is counted."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Literal

import pytest

from isolation_fast import AlphaBetaPlayer, Board, GreedyPlayer, RandomPlayer, SearchReport, play_game
from isolation_fast.endings import Fault
from isolation_fast.playing.referee import Beginning, PlayedGame, play
from isolation_fast.playing.seats import PlayerSeat
from isolation_fast.submission.asking import reseed

EMPTY = "7x7 7/7/7/7/7/7/7 - - 1"
STARTED = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"
SECOND_TO_MOVE = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 2"


class First:
    """Goes to the first legal cell."""

    def __init__(self) -> None:
        self.asked = 0

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Any:
        self.asked += 1
        return self.answer(game)

    def answer(self, game: Any) -> Any:
        moves = game.get_legal_moves()
        assert moves, "who has no move is not asked"
        return moves[0]


def played(
    player_1: Any, player_2: Any, opening: str = STARTED, *, seed: int = 1, **rules: Any
) -> PlayedGame:
    first, second = (
        each if isinstance(each, PlayerSeat) else PlayerSeat(each) for each in (player_1, player_2)
    )
    return play(first, second, opening, stream=seed, **rules)


@pytest.mark.parametrize("opening", [EMPTY, STARTED, SECOND_TO_MOVE, "3x3 3/3/3 - - 2"])
@pytest.mark.parametrize("seed", range(3))
def test_a_game_goes_as_under_play(opening: str, seed: int) -> None:
    game = played(AlphaBetaPlayer("improved", nodes=60), First(), opening, seed=seed)
    reseed(seed)

    class Classic(First):
        def answer(self, game: Any) -> Any:
            return next(iter(game.get_legal_moves()), (-1, -1))

    board = Board.from_text(opening, AlphaBetaPlayer("improved", nodes=60), Classic())
    winner, history, outcome = board.play(time_limit=inf)
    assert [list(move) for move in game.moves] == history
    assert (game.ending, outcome) == ("no moves", "illegal move")
    assert winner is (board._player_1, board._player_2)[1 - game.loser]


def test_turns_and_nodes_are_those_of_each_player() -> None:
    searching, first = AlphaBetaPlayer("improved", nodes=60), First()
    for opening in (STARTED, SECOND_TO_MOVE):
        before, asked = searching.searched_nodes, first.asked
        game = played(searching, first, opening)
        assert game.nodes == [searching.searched_nodes - before, 0]
        assert game.turns[1] == first.asked - asked
        assert sum(game.turns) == len(game.moves)
        mine = slice(opening == SECOND_TO_MOVE, None, 2)
        others = slice(opening == STARTED, None, 2)
        assert sum(report.nodes for report in game.reports[mine] if report) == game.nodes[0]
        assert [report.move for report in game.reports[mine] if report] == game.moves[mine]
        assert set(game.reports[others]) == {None}


def test_a_report_counts_for_the_move_that_it_was_made_for() -> None:
    class Once(AlphaBetaPlayer):
        def get_move(self, game: Any, time_left: Callable[[], float]) -> Any:
            if self.report is None:
                return super().get_move(game, time_left)
            return game.get_legal_moves()[0]

    game = played(Once("open", nodes=30), First())
    assert [report is None for report in game.reports[::2]] == [False] + [True] * (len(game.reports[::2]) - 1)


def test_a_player_without_a_move_is_not_asked() -> None:
    first, second = First(), First()
    game = played(first, second, "2x2 x1/1x 0,0 1,1 1")
    assert (game.loser, game.ending, game.moves, first.asked) == (0, "no moves", [], 0)
    assert played(first, second, "2x2 x1/1x 0,0 1,1 2").loser == 1


def test_what_players_change_on_their_copy_changes_nothing() -> None:
    class Changing(First):
        def answer(self, game: Any) -> Any:
            moves = game.get_legal_moves()
            for move in moves:
                game.apply_move(move)
            return moves[0]

    assert played(Changing(), Changing()).ending == "no moves"


def test_the_time_stands_still_for_who_is_not_bound_by_it() -> None:
    seen: list[float] = []

    class Looking(First):
        def get_move(self, game: Any, time_left: Callable[[], float]) -> Any:
            seen.append(time_left())
            return self.answer(game)

    game = played(Looking(), First(), time_limit=0.001)
    assert (game.ending, set(seen), game.by_clock) == ("no moves", {0.001}, False)


def test_who_is_bound_by_the_time_loses_by_it() -> None:
    game = played(PlayerSeat(First(), limited=True), First(), time_limit=0.0)
    assert (game.loser, game.ending, game.by_clock) == (0, "timeout", True)
    assert game.detail == "it answered after the turn's 0 ms"


def test_a_clock_has_decided_where_a_player_saw_that_little_was_left() -> None:
    class Waiting(First):
        def __init__(self, until: float) -> None:
            self.until = until

        def get_move(self, game: Any, time_left: Callable[[], float]) -> Any:
            while time_left() > self.until:
                pass
            return self.answer(game)

    # A limit that no pause of the machine uses up.
    for until, decided in ((59_999.0, False), (70_000.0, False)):
        game = played(PlayerSeat(Waiting(until), limited=True), First(), time_limit=60_000.0)
        assert (game.ending, game.by_clock) == ("no moves", decided)
    game = played(PlayerSeat(Waiting(2.0), limited=True), First(), time_limit=10.0)
    assert game.by_clock


def test_a_budget_in_milliseconds_is_decided_by_the_clock() -> None:
    assert played(PlayerSeat(First(), goes_by_clock=True), First()).by_clock
    assert not played(PlayerSeat(First(), goes_by_clock=True), First(), "2x2 x1/1x 0,0 1,1 1").by_clock


def test_players_of_the_first_layout_get_the_list_of_legal_moves() -> None:
    class Early:
        def get_move(self, game: Any, legal_moves: Any, time_left: Callable[[], float]) -> Any:
            assert legal_moves == game.get_legal_moves()
            return legal_moves[0]

    class Greedy:
        def get_move(self, game: Any, legal_moves: Any, time_left: Callable[[], float]) -> Any:
            return legal_moves.pop()

    assert played(Early(), Early(), EMPTY).ending == "no moves"
    assert played(Early(), Greedy(), EMPTY).ending == "illegal move"


@pytest.mark.parametrize(
    ("answer", "ending"),
    [
        (None, "bad answer"),
        ([3, 1], "bad answer"),
        ((3.0, 1.0), "bad answer"),
        ((3, 1, 2), "bad answer"),
        ("31", "bad answer"),
        ((-1, -1), "illegal move"),
        ((99, 99), "illegal move"),
        ((1, 2), "illegal move"),
        (ZeroDivisionError(), "raised"),
        (SystemExit(1), "raised"),
        (KeyboardInterrupt(), "raised"),
        (GeneratorExit(), "raised"),
        (MemoryError(), "raised"),
    ],
)
def test_each_answer_that_is_no_move_has_its_ending(answer: object, ending: str) -> None:
    class Answering(First):
        def answer(self, game: Any) -> Any:
            if isinstance(answer, BaseException):
                raise answer
            return answer

    game = played(First(), Answering())
    assert (game.loser, game.ending, len(game.moves), len(game.reports)) == (1, ending, 1, 1)
    assert type(answer).__name__ in game.detail if ending == "raised" else repr(answer) in game.detail


def test_integers_of_other_types_are_cells() -> None:
    numpy = pytest.importorskip("numpy")

    class Numpy(First):
        def answer(self, game: Any) -> Any:
            return tuple(numpy.array(game.get_legal_moves()[0]))

    game = played(Numpy(), First())
    assert game.ending == "no moves"
    assert {type(each) for move in game.moves for each in move} == {int}


def test_an_equality_that_raises_is_the_players_own_fault() -> None:
    class Touchy(First):
        def __eq__(self, other: object) -> bool:
            raise RuntimeError("no comparisons")

        __hash__ = object.__hash__

    assert played(Touchy(), GreedyPlayer()).ending == "raised"
    assert played(Touchy(), RandomPlayer(), "2x2 x1/1x 0,0 1,1 1").ending == "no moves"


def test_a_game_is_decided_by_its_seed() -> None:
    games = [played(RandomPlayer(), First(), EMPTY, seed=seed).moves for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


@pytest.mark.parametrize(("opening", "first"), [(STARTED, 0), (SECOND_TO_MOVE, 1)])
@pytest.mark.parametrize("faulty", [(0,), (1,), (0, 1)])
def test_who_cannot_begin_loses_and_if_neither_can_it_is_who_moves_first(
    opening: str, first: Literal[0, 1], faulty: tuple[int, ...]
) -> None:
    class Sick(PlayerSeat):
        def begin(self, game: Beginning) -> None:
            raise Fault("hung", f"player {game.side + 1} is not there", by_clock=game.side == 1)

    one, other = ((Sick if side in faulty else PlayerSeat)(First(), side) for side in (0, 1))
    game = played(one, other, opening)
    loser = first if len(faulty) == 2 else faulty[0]
    assert (game.loser, game.ending, game.detail) == (loser, "hung", f"player {loser + 1} is not there")
    assert (game.moves, game.turns, game.nodes, game.by_clock) == ([], (0, 0), [0, 0], loser == 1)


@pytest.mark.parametrize("opening", [STARTED, SECOND_TO_MOVE])
@pytest.mark.parametrize("mine", [0, 1])
def test_a_nan_is_counted_for_the_player_whose_heuristic_returned_it(opening: str, mine: int) -> None:
    def sometimes(game: Any, player: Any) -> float:
        few = len(game.get_legal_moves(player)) < 3
        return inf - inf if few else float(game.move_count)

    searching = AlphaBetaPlayer(sometimes, depth=1, nan="course")
    game = played(searching, First(), opening) if mine == 0 else played(First(), searching, opening)
    reported = [each.nans for each in game.reports if each is not None]
    assert sum(reported) > 0
    assert game.nans == ((sum(reported), 0) if mine == 0 else (0, sum(reported)))
    moves = [each is not None for each in game.reports]
    starts = game.first_to_move == mine
    assert moves == [starts == (number % 2 == 0) for number in range(len(moves))]


def test_nans_of_both_players_are_kept_apart() -> None:
    for first in (0, 1):
        reports = [SearchReport((0, 0), 0.0, 1, 9, "depth", nans=each) for each in (1, 10, 100)]
        game = PlayedGame(first, reports=[*reports, None])
        assert game.nans == ((101, 10) if first == 0 else (10, 101))
        game.moves = [(0, 0), (0, 1), (0, 2)]
        assert game.turns == ((2, 1) if first == 0 else (1, 2))


@pytest.mark.parametrize("side", [0, 1])
def test_a_clock_is_noted_whichever_player_goes_by_it(side: int) -> None:
    for opening in (STARTED, SECOND_TO_MOVE):
        one, other = (PlayerSeat(First(), each, goes_by_clock=each == side) for each in (0, 1))
        assert played(one, other, opening).by_clock
        # One that was never asked has decided nothing.
        stuck = f"2x2 x1/1x 0,0 1,1 {side + 1}"
        assert not played(one, other, stuck).by_clock


def test_a_player_that_counts_its_nodes_down_takes_none_away() -> None:
    class Forgetting(AlphaBetaPlayer):
        def get_move(self, game: Any, time_left: Callable[[], float]) -> Any:
            move = super().get_move(game, time_left)
            self.searched_nodes = -game.move_count
            return move

    game = played(Forgetting("improved", depth=1), First())
    assert game.nodes == [0, 0]


class Told:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.log: list[object] = []

    def asks(self, entrant: int, *, limited: bool) -> None:
        self.log.append((entrant, limited))

    def answered(self) -> None:
        self.log.append("answered")

    def moved(self, cell: tuple[int, int]) -> None:
        self.log.append(cell)


def test_the_watch_is_told_of_each_turn_of_a_python_player_and_of_each_move() -> None:
    told = Told()
    seats = PlayerSeat(First(), 1, limited=True), PlayerSeat(GreedyPlayer(), 0, is_native=True)
    game = played(*seats, time_limit=inf, watch=told)
    expected: list[object] = []
    for number, move in enumerate(game.moves):
        if number % 2 == 0:
            expected += [(1, True), "answered"]
        expected.append(move)
    assert told.log == expected


def test_who_raises_has_come_back_too() -> None:
    class Raising(First):
        def answer(self, game: Any) -> Any:
            raise ValueError("unlucky")

    told = Told()
    played(Raising(), First(), watch=told)
    assert told.log == [(0, False), "answered"]


def test_the_same_moves_as_play_game() -> None:
    result = play_game(GreedyPlayer("open"), RandomPlayer(seed=3), start=STARTED, seed=1)
    game = play(PlayerSeat(GreedyPlayer("open")), PlayerSeat(RandomPlayer(seed=3)), STARTED, stream=1)
    assert tuple(game.moves) == result.moves
