"""A submission in the jail, asked for its moves through a pipe.

Its process holds a board of its own and answers with cells. Which of them are legal, how long it took and who
has won is told by the referee alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import Final, Literal

from isolation_fast.budgets import Budget
from isolation_fast.endings import Fault
from isolation_fast.jail import Assignment, JailedProcess, Limits
from isolation_fast.jail.boards import order_bits_of
from isolation_fast.players.bases import DEFAULT_MARGIN
from isolation_fast.reports import Move, SearchReport
from isolation_fast.searching import without_work
from isolation_fast.text import value_line
from isolation_fast.tournament.cpu_uses import CpuUse
from isolation_fast.tournament.entrants import SubmissionEntrant
from isolation_fast.tournament.outcomes import Use
from isolation_fast.tournament.player_seats import LITTLE_TIME
from isolation_fast.tournament.referee import Beginning, Turn

__all__ = ["JailedSeat"]

MS_FACTOR: Final = 1.5
MS_ADDED: Final = 50.0
"""Who has so many milliseconds is ended after so many times as many and so many more: a search looks at the
clock between two heuristic calls, and a player whenever it likes."""


class JailedSeat:
    """A submission's process, as the referee sees a player; fresh for its chunk.

    A `Fault` says that the submission cannot be taken into it, such as for links out of its folder.
    """

    runs_here: Final = False
    limited: Final = False

    def __init__(
        self,
        entrant: SubmissionEntrant,
        number: int,
        limits: Limits,
        interrupted: Callable[[], bool] | None = None,
        used: Callable[[Use], object] | None = None,
    ) -> None:
        self.entrant = number
        self.player = object()
        """What an opponent in this process sees in its place."""
        self.by_clock = False
        self.is_gone = False
        """Whether its process had to be replaced: what it remembers is lost."""
        self.searched: tuple[int, SearchReport | None] = (0, None)
        self.cpu_use = CpuUse()
        """What our searches with its heuristic took."""
        self._submission, self._limits = entrant, limits
        self._goes_by_clock = entrant.budget is not None and entrant.budget.ms is not None
        self._time_limit = 0.0
        self._told = 0
        self._used = used
        self._game: tuple[str, Literal[0, 1]] | None = None
        self._traces: dict[tuple[str, Literal[0, 1]] | None, str] = {}
        self._moves, self._cpu_seconds, self._longest = 0, 0.0, 0.0
        assignment = Assignment(Path(entrant.path), entrant.member, entrant.digest)
        self._process = JailedProcess.start(assignment, limits, interrupted=interrupted)
        self.level: Final = self._process.level
        """What of the jail was enforced."""

    @property
    def cpu_seconds(self) -> float:
        """The processor time of its process."""
        return self._process.cpu_seconds

    def load(self, stream: int) -> None:
        """Load the submission, what it draws meanwhile coming from this stream; a `Fault` if that fails."""
        # What it is was planned by what its source says: nobody chooses while it is loaded to play by itself.
        try:
            member_is = self._process.load(stream).member_is
        except Fault as fault:
            self._note(fault)
            raise
        if member_is is None:
            raise Fault("not loaded", f"{self._submission.member} is neither a heuristic nor a player")
        self._submission.require(member_is)

    def begin(self, game: Beginning) -> None:
        """Tell it that a game begins."""
        self.by_clock = False
        self._told, self._time_limit = 0, game.time_limit
        self._game = game.opening, game.side
        try:
            self._process.begin_game(game.opening, game.stream, order_bits_of(game.stream), game.side)
        except Fault as fault:
            self._note(fault)
            self.is_gone = not self._process.is_alive
            raise

    def ask(self, turn: Turn) -> Move:
        """The legal move that it answers; a `Fault` if it does anything else."""
        before = self._process.cpu_seconds
        try:
            move = self._searched(turn) if self._submission.member_is == "heuristic" else self._answered(turn)
        except Fault as fault:
            self._note(fault)
            self.is_gone = not self._process.is_alive
            raise
        finally:
            self._count(self._process.cpu_seconds - before)
        if move not in turn.legal_moves:
            raise Fault("illegal move", f"it answered {value_line(move)}")
        return move

    def close(self) -> None:
        """End its process, and tell once what it used."""
        self._process.close()
        used, self._used = self._used, None
        if used is not None:
            output = self._process.output
            used(Use(self.entrant, self._moves, self._cpu_seconds, self._longest, output, self._traces))

    def _note(self, fault: Fault) -> None:
        if fault.trace:
            self._traces[self._game] = fault.trace

    def _count(self, cpu_seconds: float) -> None:
        self._moves += 1
        self._cpu_seconds += cpu_seconds
        self._longest = max(self._longest, cpu_seconds)

    def _searched(self, turn: Turn) -> Move:
        """The move of our search around its heuristic, which runs over there."""
        budget = self._budget(turn)
        cpu_limit = None
        if budget.ms is not None:
            self.by_clock = True
            cpu_limit = _patience(budget.ms)
        answer = self._process.search(
            self._moves_since(turn), turn.board.to_text(), budget, self._submission.mode, cpu_limit
        )
        report = answer.report
        if report is None or not _is_possible(report, answer.move, budget):
            raise Fault("protocol broken", "what it reports is no search of ours")
        self.searched = (self.searched[0] + report.nodes, report)
        self.cpu_use.add(turn.board, report.nodes, answer.weighed_seconds)
        return answer.move

    def _answered(self, turn: Turn) -> Move:
        """The move of its own player."""
        cpu_limit = max(self._limits.move_cpu, _patience(self._time_limit))
        answer = self._process.move(self._moves_since(turn), self._time_limit, cpu_limit)
        used = 1000 * answer.cpu_seconds
        # It may have seen how little time was left.
        self.by_clock = self.by_clock or used > (1 - LITTLE_TIME) * self._time_limit
        if used > self._time_limit:
            detail = f"it used {used:.0f} ms of CPU time, and the turn has {self._time_limit:g} ms"
            raise Fault("timeout", detail, by_clock=True)
        return answer.move

    def _moves_since(self, turn: Turn) -> list[Move]:
        """The moves that it has not been told, its own among them."""
        moves = list(turn.moves[self._told :])
        self._told = len(turn.moves)
        return moves

    def _budget(self, turn: Turn) -> Budget:
        """What a search may spend here, as `SearchingPlayer` has it."""
        assert self._submission.budget is not None
        budget = without_work(self._submission.budget, self._submission.member, turn.board)
        if budget.ms is None:
            return budget
        return replace(budget, ms=min(budget.ms, self._time_limit - DEFAULT_MARGIN))


def _patience(milliseconds: float) -> float:
    """The seconds after which who has so many milliseconds is ended."""
    return (MS_FACTOR * milliseconds + MS_ADDED) / 1000


def _is_possible(report: SearchReport, move: Move, budget: Budget) -> bool:
    """Whether a search with that budget may report that: it is not believed, but it must not break a sum."""
    nodes = report.nodes if budget.nodes is None else min(report.nodes, budget.nodes)
    number = report.value is None or not isnan(report.value)
    return report.move == move and 0 <= report.nodes == nodes and report.depth >= 0 and number
