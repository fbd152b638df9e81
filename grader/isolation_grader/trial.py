"""The games of one heuristic against the roster, played until they have decided."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from isolation_fast import JournalError
from isolation_fast.jail import Limits
from isolation_fast.measuring import CostInPlay, ObservedCost
from isolation_fast.statistics import SequentialResult, difference_to_baseline
from isolation_fast.tournament import (
    Chunk,
    GameRecord,
    Gauntlet,
    Plan,
    Run,
    Sprt,
    SubmissionEntrant,
    TournamentResult,
    read_records,
)
from isolation_grader.exceptions import UsageError
from isolation_grader.findings import MemberTimings, Printed
from isolation_grader.options import GradingOptions
from isolation_grader.report import Baseline, CostUsed, Grading, Verdict
from isolation_grader.uses import Traces, UseLog, printed_of, timings_of, traces_of

__all__ = ["Rules", "Trial", "Tried"]

VERDICTS: dict[str | None, Verdict] = {"H1": "better", "H0": "not better", None: "undecided"}


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for all heuristics of a submission."""

    options: GradingOptions
    file: Path
    file_digest: str
    alpha: float
    """Of each test."""
    limits: Limits | None
    """In the jail; None where there is none."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of it."""

    grading: Grading
    lost: tuple[tuple[str, GameRecord, tuple[str, ...]], ...]
    """Opponent, game and traceback of each lost game, in the order of the plan."""
    printed: Printed
    reproducible: bool
    moves: MemberTimings | None
    observed: ObservedCost | None
    """What it took in play, where that is more than was measured."""
    seconds: float


class Trial:
    """A sequential test over the blocks of one member."""

    def __init__(self, rules: Rules, baseline: Baseline, member: str, cost: CostInPlay | None) -> None:
        self._rules, self._baseline, self._member, self._cost = rules, baseline, member, cost
        self._plan = self._planned()
        self._sprt = _test(rules, baseline)
        self._journal, kept = None, None
        journal = rules.options.journal
        if journal is not None:
            try:
                journal.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UsageError(f"the journal cannot be made: {journal}: {error.strerror}") from error
            described = json.dumps([self._plan.described(), repr(self._sprt)], sort_keys=True)
            name = f"{member}-{sha256(described.encode()).hexdigest()[:12]}"
            self._journal, kept = journal / f"{name}.jsonl", journal / f"{name}.uses.jsonl"
        self._uses = UseLog(kept, resume=rules.options.resume)

    @property
    def games(self) -> int:
        """How many there are at most."""
        return self._plan.games

    def run(self, on_block: Callable[[int, Grading], object]) -> Tried:
        """Play; `on_block` is called with the games played and what they say, when a block is complete."""
        try:
            return self._run(on_block)
        except JournalError as error:
            raise UsageError(str(error), "go on from it: --resume, or name another folder") from error

    def _run(self, on_block: Callable[[int, Grading], object]) -> Tried:
        started, blocks = perf_counter(), 0
        with TemporaryDirectory(prefix="isolation-grader-") as folder:
            records = Path(folder) / "games.jsonl"
            with Run(
                self._plan,
                workers=self._rules.options.workers,
                journal=self._journal,
                resume=self._rules.options.resume,
                sprt=self._sprt,
                records=records,
                on_use=self._uses.add,
            ) as running:
                self._uses.begin()

                def look(_: object) -> None:
                    nonlocal blocks
                    result = running.result()
                    if result.openings > blocks:
                        blocks = result.openings
                        on_block(running.games, self._grading(result))

                result = running.play(look)
                observed = next(iter(running.timings().observed_costs), None)
            lost = tuple(self._lost(result, records))
        uses = [use for chunk in self._counted(result) for use in self._uses.of(chunk)]
        kept = self._rules.limits.output if self._rules.limits else 0
        return Tried(
            self._grading(result),
            lost,
            printed_of(uses, kept),
            result.reproducible,
            timings_of(self._member, uses) if uses else None,
            observed,
            perf_counter() - started,
        )

    def _planned(self) -> Plan:
        rules, options, cost = self._rules, self._rules.options, self._cost
        budget = None
        if not options.players:
            budget = options.budget if cost is None else replace(options.budget, cost=cost.cost)
        entrant = SubmissionEntrant(
            self._member, str(rules.file.absolute()), self._member, rules.file_digest, budget
        )
        plan = Gauntlet(
            {self._member: entrant},
            options.roster,
            games=2 * options.question.blocks,
            seed=options.seed,
            budget=options.budget,
            record=True,
            jail=rules.limits is not None,
            limits=rules.limits,
        ).plan()
        if cost is None or cost.measured is None:
            return plan
        return replace(plan, measured={self._member: cost.measured})

    def _grading(self, result: TournamentResult) -> Grading:
        player, base = result.player(self._member), self._baseline.rate
        (outcome,) = result.sequential
        test: SequentialResult = outcome.result
        means = player.block_means
        return Grading(
            verdict="not graded" if player.is_broken else VERDICTS[test.decision],
            cost=CostUsed.of(self._cost),
            alpha=self._rules.alpha,
            result=player,
            test=test,
            difference=difference_to_baseline(
                means, baseline_rate=base.rate, baseline_error=base.standard_error
            )
            if means and not player.is_broken
            else None,
        )

    def _counted(self, result: TournamentResult) -> Iterator[Chunk]:
        """The chunks of which any game counts: others were played because nobody knew yet."""
        games = [each.games for each in result.player(self._member).scores]
        for chunk in self._plan.chunks():
            if 2 * chunk.first_opening < games[chunk.pairing]:
                yield chunk

    def _lost(
        self, result: TournamentResult, records: Path
    ) -> Iterator[tuple[str, GameRecord, tuple[str, ...]]]:
        traces: Traces = {}
        for chunk in self._counted(result):
            traces |= traces_of(self._plan, chunk, self._uses.of(chunk))
        for record in read_records(records):
            if record.winner - 1 != record.side:
                opponent = record.players[1 - record.side]
                trace = traces.get((self._member, opponent, record.opening, record.side), "")
                yield opponent, record, tuple(trace.splitlines())


def _test(rules: Rules, baseline: Baseline) -> Sprt:
    h0 = baseline.rate.rate
    h1 = h0 + rules.options.question.points / 100
    if h1 >= 1.0:
        raise UsageError(
            f"the baseline wins {100 * h0:.1f} % of its games here, and nobody can be "
            f"{rules.options.question.points:g} points better",
            "ask for fewer: --points",
        )
    return Sprt(h0, h1, rules.alpha, rules.options.question.beta, baseline_error=baseline.rate.standard_error)
