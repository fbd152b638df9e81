"""One game, if the engine does not play both sides: which player is asked, and how the game ends.

Unlike `Board.play`, the referee asks no player that has no move left, gives a typed ending to whatever a
player does instead of moving, and knows what its search found. Only a player's seat knows whether the player
is in this process or in the jail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, cast

from isolation_fast._native import Board, play_searched
from isolation_fast.endings import Fault, GameEnding
from isolation_fast.reports import Move, Reason, SearchReport
from isolation_fast.submission.asking import board_of_game

if TYPE_CHECKING:
    from isolation_fast.playing.jailed import JailedSeat
    from isolation_fast.playing.protocol import Lost, WatchedMemory
    from isolation_fast.playing.seats import PlayerSeat

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
    reports: bool = True,
) -> PlayedGame:
    """Play a game to its end, with `time_limit` milliseconds a turn for those that it holds for.

    Without `reports` those of a game that the engine plays by itself are left out.
    """
    seats = (player_1, player_2)
    # Not the players themselves: the board would ask their `==` which of them is which.
    board = board_of_game(opening, stream, *NAMES)
    mover: Side = 0 if board._active_player == NAMES[0] else 1
    game = PlayedGame(mover)
    if _has_begun(game, seats, opening, stream, time_limit) and not _searched(
        game, board, seats, watch, reports
    ):
        _ask_in_turn(game, board, seats, watch)
    return game


def _has_begun(
    game: PlayedGame, seats: tuple[Seat, Seat], opening: str, stream: int, time_limit: float
) -> bool:
    """Whether both players are ready; else the game is lost by the one that is not."""
    side = first = game.first_to_move
    try:
        # In the order of their turns: if neither can begin, the one that moves first loses.
        for side in (first, _other(first)):
            seats[side].begin(Beginning(opening, side, stream, time_limit))
    except Fault as fault:
        game.is_lost_by(side, fault)
        return False
    return True


def _ask_in_turn(
    game: PlayedGame, board: Board, seats: tuple[Seat, Seat], watch: WatchedMemory | None
) -> None:
    """Ask the players for their moves until one has none, or does something else."""
    mover = game.first_to_move
    players = seats[0].player, seats[1].player
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


def _searched(
    game: PlayedGame, board: Board, seats: tuple[Seat, Seat], watch: WatchedMemory | None, reports: bool
) -> bool:
    """Have the engine play the game, if both players do nothing but search; whether it did."""
    first, second = (seat.searcher for seat in seats)
    if first is None or second is None:
        return False
    each = None if watch is None else _noted_in(watch, seats, game.first_to_move)
    try:
        played = play_searched(board, first, second, reports, each)
    finally:
        if watch is not None:
            watch.answered()
    if played is None:
        if watch is not None:
            watch.begins_again()
        return False
    winner, game.moves, made, (first_nodes, second_nodes) = played
    game.loser = 1 if winner == 1 else 0
    game.nodes = [first_nodes, second_nodes]
    for move, (value, depth, nodes, reason) in zip(game.moves, made or (), strict=made is not None):
        game.reports.append(SearchReport(move, value, depth, nodes, cast(Reason, reason)))
    return True


def _noted_in(watch: WatchedMemory, seats: tuple[Seat, Seat], mover: Side) -> Callable[[Move, Side], None]:
    """What notes each move, and whose turn is next; the first turn is noted now."""

    def turn(side: Side) -> None:
        if seats[side].runs_here:
            watch.asks(seats[side].entrant, limited=False)
        else:
            watch.answered()

    def moved(move: Move, next_side: Side) -> None:
        watch.moved(move)
        turn(next_side)

    turn(mover)
    return moved


def _other(side: Side) -> Side:
    return 0 if side else 1
