"""Games of a submission's own players against the random player, on the classic board and on ours.

A turn is timed by a clock that moves on a little with each look. So the same player has the
same time on a fast machine and a slow one, and how its games end does not depend on the machine.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace
from typing import Any, Final

from isolation_fast.board import turns
from isolation_fast.submission.asking import instance_of, reseed
from validation.findings import LEFT_THE_BOARD, BoardName, PlayerFinding, PlayerVerdict
from validation.sides import Side, player_variants
from validation.verdicts import raised

__all__ = ["LookedAtClock", "judge_endings", "play_matches"]

TIME_LIMIT: Final = 150
# The classic harness looks at the clock about 15,000 times in 150 ms of a fast machine. A twelfth of that is
# enough for every kind of ending, and a game takes a fraction of a second. A power of two, so that the times
# that boards work out from it are exact, whichever way they do it.
SECONDS_A_LOOK: Final = 2.0**-13
WIDTH, HEIGHT = 7, 7
MOST_BATCHES: Final = 4
CRASHING_ANSWER: Final = "an answer that crashes the classic board is a forfeit"
FORFEIT: Final = "forfeit"
# Names an ending in which the board's own handling of an answer raised an exception.
CRASHES: Final = "board crashes with"
OUR_REFUSAL: Final = "raises IllegalMoveError"


class LookedAtClock:
    """A clock in seconds that moves on with each look, and otherwise stands still.

    >>> clock = LookedAtClock()
    >>> start = clock()
    >>> 1000 * (clock() - start)
    0.1220703125
    """

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        """The time, later than at the look before."""
        self.looks += 1
        return self.looks * SECONDS_A_LOOK


def play_matches(
    label: str, classic: Side, ours: Side, games: int, seed: int, begin: Callable[[BoardName], object]
) -> PlayerFinding:
    """Play the games of one player on both boards, and say whether they go and end in the same ways.

    The classic side is one in our order of moves, so a player that depends on nothing else plays the same
    games on both. For the others, where the kinds of endings differ, up to four times as many games are
    played before that is a difference. `begin` receives the board of the next game.
    """
    if not games:
        return PlayerFinding(label, "not compared", {}, {}, "no games were asked for")
    begin("classic")
    made = _try_to_make(label, classic)
    begin("ours")
    players, failures = zip(made, _try_to_make(label, ours), strict=True)
    before, after = failures
    if before and before == after:
        return PlayerFinding(label, "not compared", {}, {}, f"cannot be made: {before}")
    if before or after:
        told = f"classic: {before or 'is made'}; ours: {after or 'is made'}"
        return PlayerFinding(label, "differs", {}, {}, told)
    endings: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    same_games = True
    for batch in range(MOST_BATCHES):
        for game in range(batch * games, (batch + 1) * games):
            begin("classic")
            played = [_play(classic, players[0], game, seed)]
            begin("ours")
            played.append(_play(ours, players[1], game, seed))
            same_games = same_games and played[0] == played[1]
            for counted, each in zip(endings, played, strict=True):
                counted[each.ending] += 1
        if _same_kinds(*endings):
            break
    verdict, detail = judge_endings(*endings, same_games=same_games)
    counted_classic, counted_ours = (dict(sorted(each.items())) for each in endings)
    return PlayerFinding(label, verdict, counted_classic, counted_ours, detail)


def _try_to_make(label: str, side: Side) -> tuple[Any, str]:
    """A player, and what its constructor raised instead, if it did."""
    try:
        return _make_player(label, side), ""
    except MemoryError:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever a constructor may do
        return None, _kind_of(error)


def _make_player(label: str, side: Side) -> Any:
    name, arguments = player_variants(side.submission)[label]
    with side.submission.activated():
        reseed(0)
        player = instance_of(side.submission, name, **arguments)
        _adapt(player, side)
    return player


def _adapt(player: Any, side: Side) -> None:
    """Let a player of one layout be asked by a board of the other one."""
    own = player.get_move
    if side.layout is None or side.layout == side.submission.layout:
        return
    if side.layout == "v2":
        player.get_move = lambda game, time_left: own(game, game.get_legal_moves(), time_left)
    else:
        player.get_move = lambda game, _legal_moves, time_left: own(game, time_left)


@dataclass(frozen=True, slots=True)
class _Played:
    """A game as it is compared: how it ended, who won, and which cells were left."""

    ending: str
    won: bool
    left: tuple[Any, ...]


def _play(side: Side, player: Any, game: int, seed: int) -> _Played:
    # Two games share an opening, and swap sides.
    opening = Random(f"{seed} {game // 2}").sample(range(WIDTH * HEIGHT), 2)
    winner: object = None
    with side.submission.activated(), _clock_in_place(side):
        reseed(seed + game)
        opponent = side.random_player()
        pair = (player, opponent) if game % 2 == 0 else (opponent, player)
        board = side.board_class(*pair)
        for cell in opening:
            board.apply_move((cell % HEIGHT, cell // HEIGHT))
        try:
            winner, _, outcome = board.play(time_limit=TIME_LIMIT)
            ending = str(outcome)
            if ending == "illegal move":
                # The first boards call every bad move so.
                ending = "forfeit" if board.get_legal_moves() else "normal end"
        except MemoryError:
            raise
        except BaseException as error:  # noqa: BLE001 - that it raises is how this game ended
            crashed = _is_raised_by_the_board(error, board)
            ending = f"{CRASHES if crashed else 'raises'} {_kind_of(error)}"
        return _Played(ending, winner is player, tuple(board.get_blank_spaces()))


def _is_raised_by_the_board(error: BaseException, board: Any) -> bool:
    """Whether it comes out of the board's own dealing with an answer, and not out of a player."""
    play = getattr(type(board).play, "__code__", None)
    frames = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
    # The first frame is that of this module, which called `play`.
    return play is not None and all(name == play.co_filename for name in frames[1:])


def _kind_of(error: BaseException) -> str:
    """The exception's name; for one of ours the built-in one that the classic board raises."""
    names = [name.rpartition(".")[2] for name in raised(error).exceptions]
    return names[0] if names[0] == "IllegalMoveError" else names[-1]


@contextmanager
def _clock_in_place(side: Side) -> Iterator[None]:
    clock = LookedAtClock()
    # Where `play` of the classic board finds its clock: `timeit.default_timer`.
    names: dict[str, Any] = getattr(side.board_class.play, "__globals__", {})
    our_names = vars(turns)
    real_clock, real_timeit = our_names["perf_counter"], names.get("timeit")
    our_names["perf_counter"] = clock
    if side.checkout is not None and real_timeit is not None:
        names["timeit"] = SimpleNamespace(default_timer=clock)
    try:
        yield
    finally:
        our_names["perf_counter"] = real_clock
        if real_timeit is not None:
            names["timeit"] = real_timeit


def judge_endings(
    classic: Mapping[str, int], ours: Mapping[str, int], *, same_games: bool = False
) -> tuple[PlayerVerdict, str]:
    """Compare the kinds of endings. Unless they are the same games, how often each came is up to chance.

    >>> judge_endings({"normal end": 4}, {"normal end": 1, "raises IllegalMoveError": 3})
    ('declared', 'a move off the board')
    >>> judge_endings({"board crashes with ValueError": 4}, {"forfeit": 4})
    ('declared', 'an answer that crashes the classic board is a forfeit')
    >>> judge_endings({"normal end": 4}, {"normal end": 4, "forfeit": 1})
    ('differs', '')
    """
    if _same_kinds(classic, ours):
        return "same games" if same_games else "same endings", ""
    # Without that these games might have ended in any way; the other endings must be known ones.
    left_the_board = {OUR_REFUSAL} & set(ours) - set(classic)
    crashes = {kind for kind in classic if kind.startswith(CRASHES) and kind not in ours}
    known = set(classic) | left_the_board | ({FORFEIT} if crashes else set())
    if (left_the_board or crashes) and set(ours) <= known:
        return "declared", LEFT_THE_BOARD if left_the_board else CRASHING_ANSWER
    return "differs", ""


def _same_kinds(classic: Iterable[str], ours: Iterable[str]) -> bool:
    """Whether the same kinds of endings came on both boards."""
    return set(classic) == set(ours)
