"""A submission's player in the jail, and what its turns spend, held from outside.

The engine in its process pays as its search goes, and ends it when the turn's work is spent. All of that may
be forged by what runs beside it, but for the CPU time, which the referee reads itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from isolation_fast._native import Board
from isolation_fast.budgets import Budget
from isolation_fast.cost import NODE, WITH_IMPROVED, band_of
from isolation_fast.endings import Fault
from isolation_fast.measuring import positions
from isolation_fast.numbers import Nan
from isolation_fast.players.bases import DEFAULT_MARGIN
from isolation_fast.playing.entrants import SubmissionEntrant
from isolation_fast.playing.outcomes import ProgramUse, Use
from isolation_fast.playing.referee import Beginning, Turn
from isolation_fast.reports import Move, SearchReport
from isolation_fast.searching import without_work
from isolation_fast.submission.asking import order_bits_of, own_stream
from isolation_fast.text import value_line

if TYPE_CHECKING:
    from isolation_fast.jail import Limits

LITTLE_TIME: Final = 0.25
"""The part of a turn's time below which a player that sees it may well decide by it.

Players of the course stop their search when 10 of 150 ms are left; those that look at the clock without need
see nearly all of it.
"""

MS_FACTOR: Final = 1.5
MS_ADDED: Final = 50.0
"""The process of a player with a limit in milliseconds is ended after so many times as many and so many more:
a search looks at the clock between two heuristic calls, and a player whenever it likes."""

WARMING: Final = (0, 12, 24)
"""Which positions of `positions` a heuristic is asked about before its work counts: modules are imported,
tables are made."""
WARMING_NODES: Final = 20

MOST_OF_A_TURN: Final = 3.0
"""How many times its work a turn may take: a call of a heuristic ends when it ends."""
MOST_OF_ALL: Final = 1.2
"""How many times what was paid all turns may take, and so many turns besides."""
TURNS_BESIDES: Final = 4.0

TURN_SECONDS: Final = 0.0005
"""CPU time of a turn without its search: the request is read, the board made, the answer written."""
HICCUP: Final = 0.005
"""What one turn may take besides: a collection of garbage, caches that another process has filled."""


def work_at(board: Board, work: int) -> int:
    """So many nodes with `improved` on such a board, in nanoseconds of the reference machine.

    >>> work_at(Board(), 2) == 2 * WITH_IMPROVED[-1]
    True
    """
    return work * WITH_IMPROVED[band_of(len(board.get_blank_spaces()), board.width * board.height)]


@dataclass(slots=True)
class Account:
    """The turns of a player in one process: all in nanoseconds of the reference machine.

    >>> account = Account()
    >>> account.add(1e7, scale=1.0, seconds=0.0105, beside=0, paid=1e7)
    >>> account.took == account.paid == 1e7, account.turns
    (True, 1)
    """

    took: float = 0.0
    paid: float = 0.0
    turns: int = 0

    def add(self, work: float, *, scale: float, seconds: float, beside: float, paid: float) -> None:
        """Add a turn that had so much work, and took so much CPU time; a `Fault` if that is too much.

        `beside` is what its questions and nodes come to; `paid` is what its engine says that it paid in all.
        """
        spent = 1e9 * scale * max(0.0, seconds - TURN_SECONDS) + beside
        self.took, self.turns = self.took + spent, self.turns + 1
        # What was not paid in one turn is not there for the next one.
        self.paid += min(paid, work)
        times = (spent - 1e9 * scale * min(HICCUP, seconds)) / work
        if times > MOST_OF_A_TURN:
            took = f"{times:.3g} times the work of its budget ({1000 * seconds:.0f} ms of CPU time)"
            allowed = f"at most {MOST_OF_A_TURN:g} times are allowed"
            raise Fault("overspent", f"its turn took {took}; {allowed}", by_clock=True)
        if self.took > MOST_OF_ALL * self.paid + TURNS_BESIDES * work:
            times = self.took / max(self.paid, work)
            took = f"its {self.turns} turns took {times:.3g} times the work that was paid for them"
            raise Fault("overspent", f"{took}; at most {MOST_OF_ALL:g} times are allowed", by_clock=True)


class JailedSeat:
    """A submission's process in the jail; fresh for its chunk.

    A `Fault` says that the submission cannot be taken into it, such as for links out of its folder.
    """

    runs_here: Final = False
    limited: Final = False
    searcher: Final = None

    def __init__(
        self,
        entrant: SubmissionEntrant,
        number: int,
        limits: Limits,
        interrupted: Callable[[], bool] | None = None,
        used: Callable[[Use], object] | None = None,
        *,
        nan: Nan = "course",
    ) -> None:
        self.entrant = number
        self.player = object()
        """What an opponent in this process sees in its place."""
        self.by_clock = False
        self.is_gone = False
        """Whether its process had to be replaced: what it remembers is lost."""
        self.searched: tuple[int, SearchReport | None] = (0, None)
        self.programs: Final = ProgramUse()
        self._submission, self._limits, self._nan = entrant, limits, nan
        self._time_limit = 0.0
        self._sent = 0
        self._used = used
        self._game: tuple[str, Literal[0, 1]] | None = None
        self._traces: dict[tuple[str, Literal[0, 1]] | None, str] = {}
        self._seconds: list[float] = []
        # Not at the top: a process that plays without the jail starts sooner.
        from isolation_fast.jail import Assignment, JailedProcess, shared_yardstick

        assignment = Assignment(Path(entrant.path), entrant.member, entrant.digest)
        self._process = JailedProcess.start(assignment, limits, interrupted=interrupted)
        self.level: Final = self._process.level
        """What of the jail was enforced."""
        self._account, self._scale = Account(), shared_yardstick().scale
        self.paid = 0
        """What its searches paid besides their nodes, in nanoseconds of the reference machine."""
        self._counted = 0.0

    @property
    def cpu_seconds(self) -> float:
        """The processor time of its process."""
        return self._process.cpu_seconds

    def load(self, stream: int) -> None:
        """Load the submission, which draws from this stream meanwhile; a `Fault` if that fails."""
        # The plan took from its source what the member is: loaded, it cannot choose to be something else.
        try:
            member_is = self._process.load(own_stream(stream)).member_is
        except Fault as fault:
            self._note(fault)
            raise
        if member_is is None:
            raise Fault("not loaded", f"{self._submission.member} is neither a heuristic nor a player")
        self._submission.require(member_is)
        if self._submission.budget is not None and self._submission.budget.work is not None:
            self._warm_up()
        self._counted = self.cpu_seconds

    def _warm_up(self) -> None:
        """Ask about some positions that do not count; a `Fault` where its process ends."""
        texts = positions()
        try:
            for text in (texts[place] for place in WARMING):
                self._process.begin_game(text, 0, 0, 0 if text.endswith("1") else 1)
                self._process.search((), text, Budget(nodes=WARMING_NODES), nan=self._nan)
        except Fault as fault:
            # What it raises, it raises in its games too.
            if not self._process.is_alive:
                self._note(fault)
                raise

    def begin(self, game: Beginning) -> None:
        """Tell it that a game begins."""
        self.by_clock = False
        self._sent, self._time_limit = 0, game.time_limit
        self._game = game.opening, game.side
        try:
            own, order_bits = own_stream(game.stream), order_bits_of(game.stream)
            self._process.begin_game(game.opening, own, order_bits, game.side)
        except Fault as fault:
            self._note(fault)
            raise

    def ask(self, turn: Turn) -> Move:
        """The legal move that it answers; a `Fault` if it does anything else."""
        before = self._process.cpu_seconds_read
        try:
            move = self._searched(turn) if self._submission.member_is == "heuristic" else self._answered(turn)
        except Fault as fault:
            self._note(fault)
            raise
        finally:
            self._seconds.append(self._process.cpu_seconds_read - before)
        if move not in turn.legal_moves:
            raise Fault("illegal move", f"it answered {value_line(move)}")
        return move

    def close(self) -> None:
        """End its process, and report once what it used."""
        self._process.close()
        used, self._used = self._used, None
        if used is not None:
            longest = max(self._seconds, default=0.0)
            output, moves = self._process.output, len(self._seconds)
            used(Use(self.entrant, moves, sum(self._seconds), longest, output, self._traces))

    def _note(self, fault: Fault) -> None:
        if fault.trace:
            self._traces[self._game] = fault.trace
        self.is_gone = not self._process.is_alive

    def _searched(self, turn: Turn) -> Move:
        """The move of our search with its heuristic; both run in its process."""
        # What it may spend here, as `SearchingPlayer` has it.
        budget, cpu_limit, scale = self._submission.budget, None, 1.0
        assert budget is not None
        if budget.cost is not None:
            # Nodes that it is given. They are not held to any work.
            budget = without_work(budget, self._submission.member, turn.board)
        value_work = self._submission.value_work
        if budget.work is not None or value_work is not None:
            self.by_clock, scale = True, self._scale(self._process.pid)
        if budget.ms is not None:
            self.by_clock = True
            budget = replace(budget, ms=(ms := min(budget.ms, self._time_limit - DEFAULT_MARGIN)))
            cpu_limit = _patience(ms)
        answer = self._process.search(
            self._moves_since(turn),
            turn.board.to_text(),
            budget,
            self._submission.mode,
            cpu_limit,
            self._nan,
            scale,
            value_work,
        )
        report = answer.report
        work = None if budget.work is None else work_at(turn.board, budget.work)
        if report is None or not _is_possible(report, answer.move, budget, work):
            raise Fault("protocol broken", "what it reports is no search of ours")
        self.searched = (self.searched[0] + report.nodes, report)
        self.paid += answer.paid
        seconds, of_nodes = self._seconds_since(), NODE * report.nodes
        if value_work is not None:
            # Each of its nodes may have had a value.
            most = report.nodes * (work_at(turn.board, value_work) + NODE)
            if 1e9 * scale * max(0.0, seconds - HICCUP) + answer.asked > MOST_OF_A_TURN * most:
                detail = f"its values took over {MOST_OF_A_TURN:g} times the work that they may take"
                raise Fault("value overspent", detail, by_clock=True)
        if work is not None:
            self._account.add(
                work,
                scale=scale,
                seconds=seconds,
                beside=answer.asked + of_nodes,
                paid=answer.paid + of_nodes,
            )
        return answer.move

    def _seconds_since(self) -> float:
        """The CPU time of a turn with that since the turn before, such as when its game began."""
        before, self._counted = self._counted, self._process.cpu_seconds_read
        return self._counted - before

    def _answered(self, turn: Turn) -> Move:
        """The move of its own player."""
        cpu_limit = max(self._limits.move_cpu, _patience(self._time_limit))
        answer = self._process.move(self._moves_since(turn), self._time_limit, cpu_limit)
        used = 1000 * self._seconds_since()
        # It may have seen how little time was left.
        self.by_clock = self.by_clock or used > (1 - LITTLE_TIME) * self._time_limit
        if used > self._time_limit:
            detail = f"it used {used:.0f} ms of CPU time, and the turn has {self._time_limit:g} ms"
            raise Fault("timeout", detail, by_clock=True)
        return answer.move

    def _moves_since(self, turn: Turn) -> list[Move]:
        """The moves that were not sent to it yet, its own among them."""
        moves = list(turn.moves[self._sent :])
        self._sent = len(turn.moves)
        return moves


def _patience(milliseconds: float) -> float:
    """The seconds after which the process of a player with so many milliseconds is ended."""
    return (MS_FACTOR * milliseconds + MS_ADDED) / 1000


def _is_possible(report: SearchReport, move: Move, budget: Budget, work: int | None) -> bool:
    """Whether a search with that budget may report that. It is not trusted, but it must not break a sum.

    `work` is in nanoseconds.
    """
    limits = (report.nodes, budget.nodes, None if work is None else work // NODE)
    nodes = min(each for each in limits if each is not None)
    number = report.value is None or not isnan(report.value)
    counts = 0 <= report.nodes == nodes and report.depth >= 0 and 0 <= report.nans <= report.nodes
    return report.move == move and counts and number
