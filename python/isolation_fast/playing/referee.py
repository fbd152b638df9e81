"""One game, if the engine does not play both sides: which player is asked, and how the game ends.

Unlike `Board.play`, the referee asks no player that has no move left, gives a typed ending to whatever a
player does instead of moving, and knows what its search found. Only a player's seat knows whether the player
is in this process or in the jail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from isolation_fast._native import Board
from isolation_fast.endings import Fault, GameEnding
from isolation_fast.reports import Move, SearchReport
from isolation_fast.submission.asking import board_of_game

if TYPE_CHECKING:
    from isolation_fast.playing.protocol import Lost, WatchedMemory
    from isolation_fast.playing.seats import JailedSeat, PlayerSeat

Seat: TypeAlias = "PlayerSeat | JailedSeat"
"""A player as the referee sees it."""

NAMES: Final = ("player 1", "player 2")

Side = Literal[0, 1]
"""Player 1 and player 2."""


class Beginning(NamedTuple):
    """What a seat gets before a game."""

    opening: str
    side: Side
    """Which of the two players it is."""
    stream: int
    """The game's own 64 bits, from which all its chance comes."""
    time_limit: float
    """Milliseconds a turn, for those that it holds for."""


class Turn(NamedTuple):
    """What a seat gets when it is asked for a move."""

    board: Board
    """The referee's own: players get a copy."""
    legal_moves: list[Move]
    players: tuple[Any, Any]
    """The objects at the board that the players see of each other."""
    side: Side
    moves: Sequence[Move]
    """All of the game so far."""


@dataclass(slots=True)
class PlayedGame:
    """How a game went. Players are numbered 0 and 1 here: player 1 and player 2."""

    first_to_move: Side
    loser: Side = 0
    ending: GameEnding = "no moves"
    detail: str = ""
    moves: list[Move] = field(default_factory=list)
    reports: list[SearchReport | None] = field(default_factory=list)
    """What the search for each move found, where there was one."""
    nodes: list[int] = field(default_factory=lambda: [0, 0])
    by_clock: bool = False
    """Whether a clock decided something."""

    @property
    def turns(self) -> tuple[int, int]:
        """How many moves each of the two made."""
        first, second = (len(self.moves) + 1) // 2, len(self.moves) // 2
        return (second, first) if self.first_to_move else (first, second)

    @property
    def nans(self) -> tuple[int, int]:
        """How often the heuristic of each returned NaN, in the searches that made a move."""
        first, second = (
            sum(each.nans for each in self.reports[begin::2] if each is not None and type(each.nans) is int)
            for begin in (0, 1)
        )
        return (second, first) if self.first_to_move else (first, second)

    def is_lost_by(self, loser: Side, fault: Fault | Lost) -> None:
        """Note how it ended."""
        self.loser, self.ending, self.detail = loser, fault.ending, fault.detail
        self.by_clock = self.by_clock or fault.by_clock


def play(
    player_1: Seat,
    player_2: Seat,
    opening: str,
    time_limit: float = 150.0,
    watch: WatchedMemory | None = None,
    *,
    stream: int = 0,
) -> PlayedGame:
    """Play a game to its end, with `time_limit` milliseconds a turn for those that it holds for."""
    seats = (player_1, player_2)
    # Not the players themselves: the board would ask their `==` which of them is which.
    board = board_of_game(opening, stream, *NAMES)
    mover: Side = 0 if board._active_player == NAMES[0] else 1
    game = PlayedGame(mover)
    try:
        # In the order of their turns: if neither can begin, the one that moves first loses.
        for side in (mover, _other(mover)):
            seats[side].begin(Beginning(opening, side, stream, time_limit))
    except Fault as fault:
        game.is_lost_by(side, fault)
        return game
    players = player_1.player, player_2.player
    while True:
        legal_moves = board.get_legal_moves()
        if not legal_moves:
            game.loser = mover
            break
        seat = seats[mover]
        searched, report = seat.searched
        watched = watch if seat.runs_here else None
        if watched is not None:
            watched.asks(seat.entrant, limited=seat.limited)
        try:
            move = seat.ask(Turn(board, legal_moves, players, mover, game.moves))
        except Fault as fault:
            game.is_lost_by(mover, fault)
        finally:
            # Only now are its answer and its board gone: both may run code of its own when they are looked
            # at, or when they end.
            if watched is not None:
                watched.answered()
        now_searched, new_report = seat.searched
        game.nodes[mover] += max(0, now_searched - searched)
        game.by_clock = game.by_clock or seat.by_clock
        if game.ending != "no moves":
            break
        board.apply_move(move)
        game.moves.append(move)
        # A player that did not search this time still has the report of its last search.
        game.reports.append(None if new_report is report else new_report)
        if watch is not None:
            watch.moved(move)
        mover = _other(mover)
    return game


def _other(side: Side) -> Side:
    return 0 if side else 1
