"""The games of a chunk with Python players, one after the other, in the process that was started for them."""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from time import process_time
from typing import Any, Final, Literal

from isolation_fast._native import game_stream
from isolation_fast._reseeding import reseed
from isolation_fast.exceptions import WorkerError
from isolation_fast.tournament._protocol import Lost, Order, Progress
from isolation_fast.tournament.entrants import NativeEntrant
from isolation_fast.tournament.faults import raised_line
from isolation_fast.tournament.outcomes import LOST, NOT_PLAYED, WON
from isolation_fast.tournament.records import game_record
from isolation_fast.tournament.referee import PlayedGame, Seat, play
from isolation_fast.tournament.seats import equal_one, ready, seat_of, why_not_loaded
from isolation_fast.tournament.strikes import STRIKES

__all__ = ["ChunkGames"]

LOADING: Final = 2
"""What is drawn while players are made comes from a stream that no game has: no game has this side."""


class ChunkGames:
    """Plays a chunk, and holds what has come of its games so far."""

    def __init__(self, order: Order, progress: Progress) -> None:
        self._order, self._chunk, self._progress = order, order.chunk, progress
        self._not_loaded: dict[int, Lost] = dict(order.not_loaded)
        self._seats: dict[int, Seat] = {}
        self._outcomes: list[int] = []
        self._endings: dict[int, tuple[str, str]] = {}
        self._strikes, self._nodes, self._turns = [0, 0], [0, 0], [0, 0]
        self._records: list[dict[str, Any]] = []
        self._clock_from: int | None = None
        if any(each.by_clock for each in order.not_loaded.values()):
            self._clock_from = 0

    def play(self) -> dict[str, Any]:
        """Load the players, play all games; gives the parts of a `ChunkResult`, as JSON knows them."""
        self._load()
        count = 2 * len(self._chunk.openings)
        with ExitStack() as stack:
            self._activate_for_all(stack)
            while len(self._outcomes) < count and max(self._strikes) < STRIKES:
                self._play_one(len(self._outcomes))
        self._outcomes += [NOT_PLAYED] * (count - len(self._outcomes))
        return {
            "outcomes": self._outcomes,
            "endings": list(self._endings.items()),
            "nodes": self._nodes,
            "turns": self._turns,
            "clock_from": self._clock_from,
            "records": self._records if self._chunk.record else None,
            "cpu_seconds": process_time(),
        }

    def _load(self) -> None:
        for number, entrant in enumerate(self._chunk.entrants):
            if number in self._not_loaded:
                continue
            if not isinstance(entrant, NativeEntrant):
                self._progress.asks(number, limited=False)
            try:
                reseed(game_stream(self._chunk.seed, number, LOADING))
                self._seats[number] = seat_of(entrant, number)
                if len(self._seats) == 2 and (equal := equal_one(self._seats[0], self._seats[1])) is not None:
                    why = "it says that it equals its opponent, and a board cannot tell equal players apart"
                    self._not_loaded[equal] = Lost(equal, "not loaded", why)
            except WorkerError:
                raise
            except BaseException as error:  # noqa: BLE001 - whatever a file or a constructor may do
                why = why_not_loaded(error, entrant)
                self._not_loaded[number] = Lost(number, "not loaded", why)
            finally:
                self._progress.answered()

    def _activate_for_all(self, stack: ExitStack) -> None:
        """Leave the process to a submission for all games, where nobody else needs it: that saves time."""
        needing = [each for each in self._seats.values() if each.activated is not nullcontext]
        if len(needing) == 1 and any(each.is_native for each in self._seats.values()):
            stack.enter_context(needing[0].activated())

    def _play_one(self, number: int) -> None:
        self._progress.begins(number)
        opening = self._chunk.openings[number // 2]
        # The pairing's first entrant is player 1, and in every other game player 2.
        entrants = (0, 1) if number % 2 == 0 else (1, 0)
        lost = self._order.lost.get(number) or self._unplayable(opening, entrants)
        if lost is None:
            stream = game_stream(self._chunk.seed, self._chunk.first_opening + number // 2, number % 2)
            seats = self._seats[entrants[0]], self._seats[entrants[1]]
            for seat in seats:
                ready(seat, stream)
            reseed(stream)
            try:
                game = play(*seats, opening, self._chunk.time_limit, self._progress)
            except BaseException as error:  # noqa: BLE001 - what players have set off, such as an alarm
                lost = self._lost_behind_a_turn(error)
        if lost is not None:
            game = PlayedGame(
                _first_to_move(opening),
                0 if lost.entrant == entrants[0] else 1,
                lost.ending,
                lost.detail,
                list(lost.moves),
                [None] * len(lost.moves),
            )
        self._add(number, game, entrants)

    def _lost_behind_a_turn(self, error: BaseException) -> Lost:
        """How a game is lost by an exception outside all turns: by the Python player that was asked last."""
        place = self._progress.place
        if place is None or self._seats[place.entrant].is_native:
            raise error
        detail = f"behind its turn: {raised_line(error, self._seats[place.entrant].folder)}"
        return Lost(place.entrant, "raised", detail, self._progress.moves)

    def _unplayable(self, opening: str, entrants: tuple[int, int]) -> Lost | None:
        """How a game is lost where a player is not there: by who would have been asked first."""
        to_move = _first_to_move(opening)
        in_turn = (entrants[to_move], entrants[1 - to_move])
        return next((self._not_loaded[each] for each in in_turn if each in self._not_loaded), None)

    def _add(self, number: int, game: PlayedGame, entrants: tuple[int, int]) -> None:
        loser = entrants[game.loser]
        self._outcomes.append(LOST if loser == 0 else WON)
        if game.ending != "no moves":
            self._endings[number] = (game.ending, game.detail)
            self._strikes[loser] += 1
        for player, entrant in enumerate(entrants):
            self._nodes[entrant] += game.nodes[player]
            self._turns[entrant] += game.turns[player]
        decided = self._order.lost.get(number)
        if self._clock_from is None and (game.by_clock or (decided is not None and decided.by_clock)):
            self._clock_from = number
        if self._chunk.record:
            self._records.append(
                game_record(
                    self._chunk,
                    number,
                    moves=game.moves,
                    winner=2 - game.loser,
                    ending=game.ending,
                    detail=game.detail,
                    values=[None if each is None else each.value for each in game.reports],
                    depths=[None if each is None else each.depth for each in game.reports],
                    nodes=[None if each is None else each.nodes for each in game.reports],
                    reasons=[None if each is None else each.reason for each in game.reports],
                )
            )


def _first_to_move(opening: str) -> Literal[0, 1]:
    """Player 1 is 0: the last field of the notation says who is to move."""
    return 0 if opening.split()[-1] == "1" else 1
