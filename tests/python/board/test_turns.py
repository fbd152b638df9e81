"""`Board.play` on both boards: every way in which a game can end, and what players may answer."""

import functools
from collections import namedtuple
from collections.abc import Callable
from typing import Any, NoReturn

import pytest

from isolation_fast import InvalidArgumentError

pytestmark = pytest.mark.usefixtures("clock")

Cell = namedtuple("Cell", "row column")


class Scripted:
    """Answers what it is told to, turn after turn, and keeps what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.boards: list[Any] = []
        self.times_left: list[float] = []

    def get_move(self, game: Any, time_left: Callable[[], float]) -> Any:
        self.boards.append(game)
        self.times_left.append(time_left())
        answer = self.answers.pop(0)
        return answer(game, time_left) if callable(answer) else answer


class YesToAll:
    """Is equal to everything, whatever it is asked."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: int) -> int:
        return 2


class YesTuple(tuple[int, ...]):
    """A tuple that says it equals everything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __iter__(self) -> Any:
        return iter((2, 1))


class Raiser:
    """Raises whatever it is asked."""

    def __eq__(self, other: object) -> NoReturn:
        raise RuntimeError("asked for equality")

    def __hash__(self) -> int:
        return 0

    def __index__(self) -> NoReturn:
        raise RuntimeError("asked for a number")


class YesInteger(int):
    """A 9 that says it equals everything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class PretendedTuple:
    """Says that it is a tuple."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return tuple


def first_legal(game: Any, time_left: Callable[[], float]) -> Any:
    return min(game.get_legal_moves())


def test_a_game_ends_when_a_player_has_no_move(board_class: Any) -> None:
    loser, winner = Scripted((1, 1), None), Scripted((0, 0))
    board = board_class(loser, winner, width=3, height=3)
    won_by, history, outcome = board.play()
    assert won_by is winner
    assert (history, outcome) == ([[1, 1], [0, 0]], "illegal move")


def test_the_game_is_played_on_the_board_itself(board_class: Any) -> None:
    board = board_class(Scripted((1, 1), None), Scripted((0, 0)), width=3, height=3)
    board.play()
    assert (board.move_count, board.to_text()) == (2, "3x3 x2/1x1/3 1,1 0,0 1")


def test_a_player_without_a_move_is_asked_all_the_same(board_class: Any) -> None:
    loser = Scripted((1, 1), (0, 2))
    board_class(loser, Scripted((0, 0)), width=3, height=3).play()
    assert not loser.answers


def test_each_turn_gets_a_copy_of_the_board(board_class: Any) -> None:
    spoiler = Scripted(lambda game, time_left: [game.apply_move(each) for each in [(0, 0), (1, 1)]], (0, 0))
    other = Scripted(None)
    board = board_class(spoiler, other)
    assert board.play() == (other, [], "forfeit")
    assert board.move_count == 0
    assert spoiler.boards[0] is not board


def test_a_history_holds_lists_of_plain_integers(board_class: Any) -> None:
    numpy = pytest.importorskip("numpy")
    board = board_class(Scripted((numpy.int64(1), True), None), Scripted(Cell(0, 0)), width=3, height=3)
    _, history, _ = board.play()
    assert history == [[1, 1], [0, 0]]
    assert [type(number) for move in history for number in move] == [int] * 4


def hostile_answers() -> list[Any]:
    numpy = pytest.importorskip("numpy")
    return [
        None,
        (-1, -1),
        [2, 1],
        3,
        "21",
        (2.0, 1.0),
        (numpy.float64(2), numpy.float64(1)),
        numpy.array([2, 1]),
        numpy.array([[2, 1], [1, 2]]),
        ((2, 1), "info"),
        (2, 1, 0),
        (2,),
        (),
        (2, None),
        (2, "1"),
        float("nan"),
        YesToAll(),
        YesTuple((9, 9)),
        Raiser(),
        (Raiser(), Raiser()),
        (YesToAll(), YesToAll()),
        (YesInteger(9), YesInteger(9)),
        PretendedTuple(),
        (10**30, 1),
        (0, 0),
        (4, 4),
    ]


@pytest.mark.parametrize("answer", hostile_answers(), ids=lambda answer: type(answer).__name__)
def test_whatever_is_no_legal_pair_of_integers_forfeits(board_class: Any, answer: object) -> None:
    # From (0, 0), (2, 1) and (1, 2) are legal.
    board = board_class(Scripted((0, 0), lambda *_: answer), Scripted((4, 4)))
    winner, history, outcome = board.play()
    assert (winner, history, outcome) == (board._player_2, [[0, 0], [4, 4]], "forfeit")


@pytest.mark.parametrize("answer", hostile_answers(), ids=lambda answer: type(answer).__name__)
def test_without_legal_moves_whatever_is_answered_is_the_normal_end(board_class: Any, answer: object) -> None:
    board = board_class(Scripted((1, 1), lambda *_: answer), Scripted((0, 0)), width=3, height=3)
    assert board.play()[1:] == ([[1, 1], [0, 0]], "illegal move")


def test_numpy_integers_booleans_and_named_tuples_are_moves(board_class: Any) -> None:
    numpy = pytest.importorskip("numpy")
    first = Scripted((numpy.int64(0), numpy.int8(0)), (numpy.uint16(2), True), None)
    _, history, outcome = board_class(first, Scripted(Cell(4, 4), first_legal)).play()
    assert (history[:3], outcome) == ([[0, 0], [4, 4], [2, 1]], "forfeit")


def test_a_move_off_the_board_on_the_first_turn_forfeits(board_class: Any) -> None:
    board = board_class(Scripted((7, 0)), "nobody")
    assert board.play() == ("nobody", [], "forfeit")


@pytest.mark.parametrize("answer", [(0, 0), (9, 9), None])
def test_too_late_is_a_timeout_whatever_was_answered(board_class: Any, clock: Any, answer: object) -> None:
    def late(game: Any, time_left: Callable[[], float]) -> object:
        while time_left() >= 0:
            clock.seconds += 0.001
        return answer

    assert board_class(Scripted(late), "nobody").play(time_limit=5) == ("nobody", [], "timeout")


def test_a_timeout_counts_before_having_no_move(board_class: Any, clock: Any) -> None:
    def late(game: Any, time_left: Callable[[], float]) -> object:
        clock.seconds += 0.03
        return None

    board = board_class(Scripted((1, 1), late), Scripted((0, 0)), width=3, height=3)
    assert board.play(time_limit=20)[2] == "timeout"


def test_time_left_is_in_milliseconds_and_starts_anew_each_turn(board_class: Any, clock: Any) -> None:
    def slow(game: Any, time_left: Callable[[], float]) -> Any:
        clock.seconds += 0.5
        return first_legal(game, time_left)

    player = Scripted(slow, slow, slow, None)
    board_class(player, Scripted(*[first_legal] * 3)).play(time_limit=800)
    assert player.times_left == [800] * len(player.times_left)


def test_players_of_the_first_layout_are_asked_and_answered_in_their_way(board_class: Any) -> None:
    asked = []

    class Early:
        def get_move(self, game: Any, legal_moves: Any, time_left: Callable[[], float]) -> Any:
            asked.append(sorted(legal_moves) == sorted(game.get_legal_moves()) and time_left() > 0)
            return legal_moves[0] if legal_moves else (-1, -1)

    board = board_class(Early(), Early(), width=3, height=3)
    board.apply_move((0, 0))
    board.apply_move((1, 1))
    winner, history, outcome = board.play(time_limit=10_000)
    assert outcome == "illegal move"
    assert winner is board.inactive_player
    assert len(asked) == board.move_count - 1
    assert all(asked)
    answers = [move for pair in history for move in pair]
    assert all(len(pair) == 2 for pair in history[:-1])
    assert answers[-1] == (-1, -1)
    assert all(isinstance(move, tuple) for move in answers)


def test_one_player_of_the_first_layout_is_enough_for_its_history(board_class: Any) -> None:
    class Early:
        def get_move(self, game: Any, legal_moves: Any, time_left: Callable[[], float]) -> Any:
            return [0, 0]

    later = Scripted((0, 0))
    assert board_class(later, Early(), width=3, height=3).play(10_000)[1:] == ([[(0, 0), [0, 0]]], "forfeit")


def in_a_wrapper(get_move: Any) -> Any:
    @functools.wraps(get_move)
    def asked(*arguments: Any) -> Any:
        return get_move(*arguments)

    return asked


class Early:
    """A player of the first layout."""

    def get_move(self, game: Any, legal_moves: Any, time_left: Any) -> Any:
        assert sorted(legal_moves) == sorted(game.get_legal_moves())
        return max(legal_moves, default=(-1, -1))


class Wrapped(Early):
    @in_a_wrapper
    def get_move(self, game: Any, legal_moves: Any, time_left: Any) -> Any:
        return super().get_move(game, legal_moves, time_left)


class Defaulted(Early):
    def get_move(self, game: Any, legal_moves: Any, time_left: Any = None) -> Any:
        return super().get_move(game, legal_moves, time_left)


@pytest.mark.parametrize("kind", [Wrapped, Defaulted])
def test_the_first_layout_is_known_by_its_parameters(board_class: Any, kind: type[Early]) -> None:
    played = board_class(kind(), kind(), width=3, height=3).play(time_limit=1000)
    assert played[1:] == board_class(Early(), Early(), width=3, height=3).play(time_limit=1000)[1:]


def test_a_further_parameter_with_a_default_is_no_sign_of_the_first_layout(board_class: Any) -> None:
    class Later:
        def get_move(self, game: Any, time_left: Any, verbose: bool = False) -> Any:
            assert callable(time_left)
            return max(game.get_legal_moves(), default=(-1, -1))

    assert board_class(Later(), Later(), width=3, height=3).play(time_limit=1000)[2] == "illegal move"


def test_a_player_of_the_first_layout_that_uses_up_the_list_has_lost(board_class: Any) -> None:
    class Taker:
        def get_move(self, game: Any, legal_moves: Any, time_left: Any) -> Any:
            move = legal_moves.pop()
            legal_moves.clear()
            return move

    assert board_class(Taker(), Taker()).play(time_limit=1000)[2] == "forfeit"


def test_what_a_player_of_the_first_layout_adds_to_the_list_is_no_legal_move(board_class: Any) -> None:
    class Adder:
        def get_move(self, game: Any, legal_moves: Any, time_left: Any) -> Any:
            legal_moves.append((-1, -1))
            return legal_moves[-1]

    assert board_class(Adder(), Adder()).play(time_limit=1000)[2] == "forfeit"


def test_a_player_of_the_first_layout_may_sort_and_rebuild_its_list(board_class: Any) -> None:
    class Sorter:
        def get_move(self, game: Any, legal_moves: Any, time_left: Any) -> Any:
            legal_moves[:] = [(row, column) for row, column in sorted(legal_moves)]
            return legal_moves[0] if legal_moves else None

    assert board_class(Sorter(), Sorter()).play(time_limit=1000)[2] == "illegal move"


def test_a_clock_kept_from_an_earlier_turn_shows_the_turn_at_hand(board_class: Any, clock: Any) -> None:
    seen = []

    class Keeper:
        kept: Any = None

        def get_move(self, game: Any, time_left: Any) -> Any:
            self.kept = self.kept or time_left
            seen.append(self.kept())
            clock.seconds += 0.25
            return min(game.get_legal_moves(), default=(-1, -1))

    board_class(Keeper(), Keeper(), width=3, height=3).play(time_limit=1000)
    assert set(seen) == {1000.0}
    assert len(seen) > 4


def test_a_turn_has_150_milliseconds_by_default(board_class: Any) -> None:
    player = Scripted(None)
    board_class(player, "nobody").play()
    assert player.times_left == [150]


def test_what_a_player_raises_comes_out_as_itself(board_class: Any) -> None:
    error = KeyError("mine")

    def fail(game: Any, time_left: Callable[[], float]) -> NoReturn:
        raise error

    board = board_class(Scripted((0, 0)), Scripted(fail))
    with pytest.raises(KeyError) as caught:
        board.play()
    assert caught.value is error
    assert board.move_count == 1


def test_a_game_can_be_taken_up_where_it_stands(board_class: Any) -> None:
    first, second = Scripted(None), Scripted((1, 1))
    board = board_class(first, second, width=3, height=3)
    board.apply_move((0, 0))
    assert board.play() == (second, [[1, 1]], "forfeit")


@pytest.mark.parametrize("who", ["nobody", None, object(), 7])
def test_who_cannot_be_asked_is_named_before_the_first_move(board_class: Any, who: Any) -> None:
    board = board_class(who, Scripted((0, 0)))
    with pytest.raises(
        TypeError, match=r"the player to move has no method get_move\(game, time_left\)"
    ) as refusal:
        board.play()
    assert repr(who) in str(refusal.value)
    assert board.move_count == 0


def test_a_class_in_the_place_of_a_player_is_answered_with_how_to_make_one(board_class: Any) -> None:
    with pytest.raises(TypeError, match=r"is the class Scripted, not a player: write Scripted\(\)"):
        board_class(Scripted, "nobody").play()


def test_a_class_that_needs_no_object_can_play(board_class: Any) -> None:
    class Static:
        @staticmethod
        def get_move(game: Any, time_left: Callable[[], float]) -> None:
            return None

    class OfTheClass:
        @classmethod
        def get_move(cls, game: Any, time_left: Callable[[], float]) -> None:
            return None

    for player in (Static, OfTheClass):
        assert board_class(player, "nobody").play() == ("nobody", [], "forfeit")


@pytest.mark.parametrize(
    ("limit", "error", "message"),
    [
        ("150", TypeError, "not a str: '150'"),
        (None, TypeError, "not None"),
        (1j, TypeError, "not a complex: 1j"),
        (float("nan"), InvalidArgumentError, "not nan"),
    ],
)
def test_a_time_limit_is_a_number(board_class: Any, limit: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=f"time_limit must be a number of milliseconds, {message}"):
        board_class(Scripted(None), "nobody").play(time_limit=limit)


@pytest.mark.parametrize(("limit", "outcome"), [(0, "timeout"), (-1.5, "timeout"), (float("inf"), "forfeit")])
def test_no_time_at_all_is_a_timeout_and_endless_time_none(
    board_class: Any, clock: Any, limit: float, outcome: str
) -> None:
    def thoughtful(game: Any, time_left: Callable[[], float]) -> None:
        clock.seconds += 1e-6

    assert board_class(Scripted(thoughtful), "nobody").play(time_limit=limit) == ("nobody", [], outcome)
