"""The games of a chunk with Python players, one after another.

If other people's code runs outside the jail, this happens in a process that was started for the chunk; else
in the thread that plays the chunk.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from time import process_time, thread_time
from typing import Any, Final, Literal

from isolation_fast._native import game_stream
from isolation_fast.endings import NO_STRIKES, Fault, GameEnding
from isolation_fast.exceptions import JailError, WorkerError
from isolation_fast.playing.entrants import Entrant, SubmissionEntrant, is_played_by_engine
from isolation_fast.playing.jailed import JailedSeat
from isolation_fast.playing.loaded import LoadedPlayers
from isolation_fast.playing.outcomes import (
    LOST,
    NOT_PLAYED,
    STRIKES,
    WON,
    ChunkResult,
    ProgramUse,
    Use,
    unplayed,
    weaker,
)
from isolation_fast.playing.protocol import Lost, Order, Stopped, WatchedMemory
from isolation_fast.playing.records import COLUMNS, game_record
from isolation_fast.playing.referee import PlayedGame, Side, play
from isolation_fast.playing.seats import PlayerSeat, equal_one, seat_of, why_not_loaded
from isolation_fast.submission.asking import Chance, own_stream, raised_line, reseed
from isolation_fast.worker.policy import Level

LOADING: Final = 2
"""Players that are made draw from a stream of their own: no game has this side."""


class ChunkGames:
    """Plays a chunk, and holds what has come of its games so far.

    `progress` is the memory that the process shares with its parent; None where only our own code runs in
    this process. `players` are those that it has loaded for chunks before.
    """

    def __init__(
        self,
        order: Order,
        progress: WatchedMemory | None,
        interrupted: Callable[[], bool] | None = None,
        used: Callable[[Use], object] | None = None,
        *,
        players: LoadedPlayers | None = None,
    ) -> None:
        self._players = players or LoadedPlayers(goes_on=False)
        self._order, self._chunk, self._progress = order, order.chunk, progress
        self._interrupted = interrupted or (lambda: False)
        self._used = used
        self._not_loaded: dict[int, Lost] = dict(order.not_loaded)
        self._seats: dict[int, PlayerSeat | JailedSeat] = {}
        self._outcomes = bytearray()
        self._endings: dict[int, tuple[GameEnding, str]] = {}
        self._strikes, self._nodes, self._turns, self._nans = [0, 0], [0, 0], [0, 0], [0, 0]
        self._records: list[dict[str, Any]] = []
        self._clock_from: int | None = None
        self._level: Level | None = None

    def play(self) -> ChunkResult | Stopped:
        """Load the players and play all games; `Stopped` if a jailed player's process is gone."""
        # A process of its own belongs to the chunk as a whole; of a shared one only this thread does.
        seconds = process_time if self._progress is not None else thread_time
        started = seconds() if self._players.seats or self._progress is None else 0.0
        count = 2 * len(self._chunk.openings)
        with ExitStack() as stack:
            self._load(stack)
            before = {number: seat.programs for number, seat in self._seats.items()}
            while len(self._outcomes) < count and max(self._strikes) < STRIKES:
                if self._interrupted():
                    raise KeyboardInterrupt
                stopped = self._play_one(len(self._outcomes))
                if stopped is not None:
                    return stopped
            programs = {number: self._seats[number].programs - each for number, each in before.items()}
            jailed_seconds = sum(each.cpu_seconds for each in self._jailed)
            paid = {each.entrant: each.paid for each in self._jailed}
        if any(each.by_clock for each in self._not_loaded.values()):
            self._clock_from = 0
        return replace(
            unplayed(self._chunk),
            outcomes=bytes(self._outcomes).ljust(count, bytes([NOT_PLAYED])),
            endings=self._endings,
            nodes=(self._nodes[0], self._nodes[1]),
            turns=(self._turns[0], self._turns[1]),
            nans=(self._nans[0], self._nans[1]),
            reproducible=self._clock_from is None,
            clock_from=self._clock_from or 0,
            records=tuple(self._records) if self._chunk.record else None,
            cpu_seconds=seconds() - started + jailed_seconds,
            jail=self._level,
            programs={number: each for number, each in programs.items() if each != ProgramUse()},
            paid=(paid.get(0, 0), paid.get(1, 0)),
        )

    @property
    def _jailed(self) -> list[JailedSeat]:
        return [each for each in self._seats.values() if isinstance(each, JailedSeat)]

    def _load(self, stack: ExitStack) -> None:
        for number, entrant in enumerate(self._chunk.entrants):
            if number in self._not_loaded:
                continue
            if self._chunk.is_jailed(entrant):
                self._load_jailed(number, entrant, stack)
            else:
                self._load_here(number, entrant)
        if self._not_loaded:
            self._players.goes_on = False
        here = [each for each in self._seats.values() if isinstance(each, PlayerSeat) and each.runs_here]
        if len(here) == 2:
            # In the jail each has its own anyway.
            for each in here:
                each.chance = Chance()
        elif here:
            # No other player needs the process: to leave it to this one for all games saves time.
            stack.enter_context(here[0].activated())

    def _load_jailed(self, number: int, entrant: SubmissionEntrant, stack: ExitStack) -> None:
        assert self._chunk.jail is not None
        try:
            limits, nan = self._chunk.jail, self._chunk.nan
            seat = JailedSeat(entrant, number, limits, self._interrupted, self._used, nan=nan)
            stack.callback(seat.close)
            self._level = weaker(self._level, seat.level)
            seat.load(game_stream(self._chunk.seed, number, LOADING))
        except Fault as fault:
            why = fault.detail if fault.ending == "not loaded" else f"while it was loaded: {fault.detail}"
            self._not_loaded[number] = Lost(number, "not loaded", why, by_clock=fault.by_clock)
        else:
            self._seats[number] = seat

    def _load_here(self, number: int, entrant: Entrant) -> None:
        if self._progress is None:
            self._seats[number] = seat_of(entrant, number, self._chunk.nan)
            return
        if not is_played_by_engine(entrant):
            self._progress.asks(number, limited=False)
        if number in self._players.seats:
            self._seats[number] = self._players.seats[number]
            self._progress.answered()
            return
        try:
            reseed(own_stream(game_stream(self._chunk.seed, number, LOADING)))
            seeded = random.getstate()
            seat = self._seats[number] = seat_of(entrant, number, self._chunk.nan)
            if seat.runs_here:
                self._players.loaded(number, seat, seeded)
            other = self._seats.get(0) if number else None
            if isinstance(other, PlayerSeat) and (equal := equal_one(other, seat)) is not None:
                why = "it says that it equals its opponent, and a board cannot tell equal players apart"
                self._not_loaded[equal] = Lost(equal, "not loaded", why)
        except WorkerError:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever a file or a constructor may do
            why = why_not_loaded(error, entrant)
            self._not_loaded[number] = Lost(number, "not loaded", why)
        finally:
            self._progress.answered()

    def _play_one(self, number: int) -> Stopped | None:
        if self._progress is not None:
            self._progress.begins(number)
        opening = self._chunk.openings[number // 2]
        # The pairing's first entrant is player 1, and in every other game player 2.
        entrants = (0, 1) if number % 2 == 0 else (1, 0)
        # Player 1 is 0: the last field of the notation says who is to move.
        to_move: Side = 0 if opening.split()[-1] == "1" else 1
        # If a player is missing, the game is lost by the one that would have been asked first.
        in_turn = (entrants[to_move], entrants[1 - to_move])
        missing = (self._not_loaded[each] for each in in_turn if each in self._not_loaded)
        lost = self._order.lost.get(number) or next(missing, None)
        if lost is None:
            stream = game_stream(self._chunk.seed, self._chunk.first_opening + number // 2, number % 2)
            seats = self._seats[entrants[0]], self._seats[entrants[1]]
            try:
                game = play(
                    *seats,
                    opening,
                    self._chunk.time_limit,
                    self._progress,
                    stream=stream,
                    reports=self._chunk.record,
                )
            except BaseException as error:  # noqa: BLE001 - what players set off, such as an alarm
                lost = self._lost_after_a_turn(error)
            else:
                gone = next((each for each in self._jailed if each.is_gone), None)
                if gone is not None:
                    how = (gone.entrant, game.ending, game.detail, tuple(game.moves), game.by_clock)
                    return Stopped(*how, number, self._level, tuple(self._outcomes))
                lost = self._held(number, entrants, game)
        if lost is not None:
            game = PlayedGame(to_move, moves=list(lost.moves), reports=[None] * len(lost.moves))
            game.is_lost_by(0 if lost.entrant == entrants[0] else 1, lost)
        self._add(number, game, entrants)
        return None

    def _held(self, number: int, entrants: tuple[int, int], game: PlayedGame) -> Lost | None:
        """The loss of a player that lost this game, ended its process later, and won it this time."""
        holder = self._order.held.get(number)
        if holder is None or entrants[game.loser] == holder:
            return None
        # Otherwise ending the process would pay as soon as the games of a chunk go badly.
        detail = "it lost this game before its process ended in a later one, and won it when it was repeated"
        return Lost(holder, "killed", detail, tuple(game.moves), by_clock=True)

    def _lost_after_a_turn(self, error: BaseException) -> Lost:
        """How an exception outside all turns loses a game: for the Python player that was asked last."""
        place = None if self._progress is None else self._progress.place
        seat = None if place is None else self._seats[place.entrant]
        if not isinstance(seat, PlayerSeat) or not seat.runs_here or isinstance(error, JailError):
            raise error
        assert self._progress is not None
        detail = f"after its turn: {raised_line(error, seat.folder)}"
        return Lost(seat.entrant, "raised", detail, self._progress.moves)

    def _add(self, number: int, game: PlayedGame, entrants: tuple[int, int]) -> None:
        loser = entrants[game.loser]
        self._outcomes.append(LOST if loser == 0 else WON)
        if game.ending != "no moves":
            self._endings[number] = (game.ending, game.detail)
        if game.ending not in NO_STRIKES:
            self._strikes[loser] += 1
        for player, entrant in enumerate(entrants):
            self._nodes[entrant] += game.nodes[player]
            self._turns[entrant] += game.turns[player]
            self._nans[entrant] += game.nans[player]
        if self._clock_from is None and game.by_clock:
            self._clock_from = number
        if self._chunk.record:
            of_game: dict[str, Any] = {name: getattr(game, name) for name in ("moves", "ending", "detail")}
            for name in COLUMNS:
                # A report has a value, and a record the values.
                of_report = name if name == "nodes" else name.removesuffix("s")
                of_game[name] = [getattr(each, of_report, None) for each in game.reports]
            winner: Literal[1, 2] = 1 if game.loser else 2
            record = game_record(self._chunk, number, winner=winner, nans=game.nans, **of_game)
            self._records.append(record)
