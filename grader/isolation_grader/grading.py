"""Grading a submission: whether any of its heuristics is better than the baseline.

```text
 load in the jail -> the baseline, from a table -> for each heuristic: its cost, given, stored or measured
                                                                         its games, until they have decided
                                                                         again where it took more in play
```
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import monotonic, perf_counter

from isolation_fast import Budget, __version__
from isolation_fast.jail import Fault, Limits, content_digest
from isolation_fast.measuring import CostInPlay, ObservedCost
from isolation_fast.numbers import Nan
from isolation_fast.submission import FILE_NAME, NotCopiedError, digest_of
from isolation_fast.tournament import ROSTERS, available_processors, budget_text
from isolation_grader.baseline import BaselineAsked, baseline
from isolation_grader.costs import Costs, CostStore, FoundCost
from isolation_grader.exceptions import NotGradedError
from isolation_grader.lessons import advice, lost_game
from isolation_grader.loading import (
    Loading,
    broken,
    called,
    cannot_be_measured,
    chosen,
    left_out,
    load,
    not_loaded,
    nothing_to_grade,
    overspent,
    template,
    too_costly,
)
from isolation_grader.options import (
    TOTAL_WALL,
    GivenCosts,
    GradingOptions,
    Question,
    checked_budget,
    default_store,
    keep_seed,
    require_elsewhere,
    require_known,
    seed_of,
)
from isolation_grader.report import (
    Baseline,
    CostUsed,
    Graded,
    Grading,
    GradingTimings,
    MemberGrading,
    MemberTimings,
    Problem,
    Progress,
    Report,
)
from isolation_grader.trial import Rules, Trial, Tried


def grade(
    submission: str | os.PathLike[str],
    *,
    members: Sequence[str] | None = None,
    roster: str = "classic",
    seed: int | None = None,
    budget: Budget | str | None = None,
    costs: GivenCosts = None,
    question: Question | None = None,
    players: bool = False,
    limits: Limits | None = None,
    workers: int | None = None,
    store: str | os.PathLike[str] | None = None,
    measure_again: bool = False,
    journal: str | os.PathLike[str] | None = None,
    resume: bool = False,
    total_wall: float = TOTAL_WALL,
    sandbox_required: bool = False,
    name: str | None = None,
    nan: Nan = "course",
    progress: Callable[[Progress], object] | None = None,
    on_partial: Callable[[Report], object] | None = None,
) -> Report:
    """Whether each `custom_score` of a submission, or each of `members`, is better than `AB_Improved`.

    - `members`: by default `custom_score`, `custom_score_2` and `custom_score_3`, where there are any.
    - `seed`: of the openings and of all chance; by default it is drawn, and the report has it.
    - `budget`: of each move, by default `work=2000`.
    - `costs`: of a node, one for all heuristics or by name; else it is stored, or measured and stored.
    - `question`: by how much it must be better, how surely, and after how many blocks it is `undecided`.
    - `players`: the submission's own players play, in place of our search with its heuristics.
    - `store`: the folder of baselines and costs. `measure_again` measures costs that are stored.
    - `journal`: a folder for finished games; `resume=True` continues an interrupted grading, with its seed.
    - `total_wall`: seconds by the wall clock after which the grading ends with what is known.
    - `name`: of the submission, for the report; by default its folder, or a file that is no `game_agent.py`.
    - `nan`: `"course"` compares a NaN as loops of the course do, `"refuse"` loses the game.
    - `progress` is called as grading goes on, `on_partial` with the report so far after each block.

    The same seed and the same stored or given costs give the same report, timings aside.

    A high cost and few blocks give a quick answer, here with a fiftieth of the nodes:

    >>> few = Question(blocks=10)
    >>> report = grade("examples/territory_agent.py", seed=1, costs=50, question=few)
    >>> report.verdict, str(report.graded[0].grading.difference)
    ('not better', '-2.6 points, -6.9 to +1.8 (95 %)')
    """
    started = perf_counter()
    options = GradingOptions(
        members=None if members is None else tuple(dict.fromkeys(members)),
        roster=roster,
        seed=0 if seed is None else seed,
        budget=checked_budget(budget, players=players),
        question=question or Question(),
        players=players,
        limits=limits or Limits(),
        workers=workers,
        store=default_store() if store is None else Path(store),
        journal=None if journal is None else Path(journal),
        resume=resume,
        total_wall=total_wall,
        nan=nan,
    )
    options = replace(options, seed=seed_of(seed, submission, options.journal))
    if progress is not None:
        progress(Progress("loading", 0))
    loading = load(
        submission,
        limits=options.limits,
        seed=options.seed,
        members=options.members or (),
        unwritten=not options.players,
        sandbox_required=sandbox_required,
    )
    if loading.outline is not None:
        for each in (options.store, options.journal):
            require_elsewhere(each, loading.outline.path)
    keep_seed(options.seed, submission, options.journal)
    grader = _Grader(options, loading, Path(submission), name, started, progress, on_partial)
    return grader.report(costs, measure_again)


class _Grader:
    """Grades one submission, and holds the report so far."""

    def __init__(
        self,
        options: GradingOptions,
        loading: Loading,
        submission: Path,
        name: str | None,
        started: float,
        progress: Callable[[Progress], object] | None,
        on_partial: Callable[[Report], object] | None,
    ) -> None:
        self._options, self._loading, self._started = options, loading, started
        self._tell: Callable[[Progress], object] = progress or (lambda _: None)
        self._publish: Callable[[Report], object] = on_partial or (lambda _: None)
        file = submission / FILE_NAME if submission.is_dir() else submission
        self._file = file = file if loading.outline is None else loading.outline.path
        self._until = monotonic() + options.total_wall - (perf_counter() - started)
        self._graded: list[Graded] = []
        self._members: list[MemberGrading] = []
        self._report = Report(
            submission=name or called(submission),
            file=file.name,
            digest="",
            version=__version__,
            sandbox=loading.level,
            roster=options.roster,
            opponents=tuple(each.partition("=")[0] for each in ROSTERS[options.roster]),
            seed=options.seed,
            budget=budget_text(options.budget),
            plays="players" if options.players else "search",
            nan=options.nan,
            question=options.question,
            baseline=None,
            graded=(),
            is_complete=False,
            reproducible=not loading.by_clock and options.budget.ms is None and not options.players,
            printed=loading.printed,
            timings=GradingTimings(loading=perf_counter() - started),
        )

    def report(self, costs: GivenCosts, measure_again: bool) -> Report:
        """The whole report."""
        if self._loading.problem is not None:
            return self._ended(not_loaded(self._loading))
        try:
            digest = content_digest(self._file)
        except NotCopiedError as error:
            return self._ended(not_loaded(replace(self._loading, problem=str(error))))
        self._report = replace(self._report, digest=digest)
        try:
            names, unwritten = chosen(self._loading, self._options)
        except NotGradedError as error:
            return self._ended(Problem("too many", str(error), error.hint or "submit fewer"))
        if not names and not unwritten:
            return self._ended(nothing_to_grade(self._loading, players=self._options.players))
        if self._options.members is None and not self._options.players:
            self._report = replace(self._report, left_out=left_out(self._loading, names))
        for name in unwritten:
            self._graded.append(Graded(name, Grading(), problem=template(name)))
        if not names:
            return self._ended(None)
        require_known(costs, names)
        # From here on there is a report, whatever ends the grading.
        begun = [Graded(each, Grading("undecided")) for each in names]
        self._publish(self._now([*self._graded, *begun]))
        self._report = replace(self._report, baseline=self._baseline())
        options = self._options
        rules = Rules(
            options=options,
            file=self._file,
            file_digest=digest_of(self._file),
            alpha=options.question.alpha_of_each(len(names)),
            limits=options.limits if self._loading.is_jailed else None,
            until=self._until,
        )
        known = Costs(
            file=self._file,
            file_digest=rules.file_digest,
            content_digest=digest,
            given=costs,
            store=CostStore(options.store / "costs"),
            limits=options.limits,
            measure_again=measure_again,
            until=self._until,
        )
        found = self._costs(known, names)
        for place, name in enumerate(names):
            self._graded.append(self._of_member(name, rules, known, found.get(name), names[place + 1 :]))
        # In the order of the file, templates last.
        self._graded = [*self._graded[len(unwritten) :], *self._graded[: len(unwritten)]]
        return self._ended(None)

    def _costs(self, known: Costs, names: Sequence[str]) -> dict[str, FoundCost]:
        """What each heuristic costs; empty where the budget needs no cost."""
        if self._options.budget.work is None or self._options.players:
            return {}
        self._tell(Progress("costs", 0))
        workers = self._options.workers or available_processors()
        return known.of_all(names, workers, lambda done, of: self._tell(Progress("costs", done, of)))

    def _of_member(
        self, name: str, rules: Rules, known: Costs, found: FoundCost | None, waiting: Sequence[str]
    ) -> Graded:
        cost, measuring = (None, 0.0) if found is None else found
        if isinstance(cost, Fault):
            if cost.by_clock:
                self._report = replace(self._report, reproducible=False)
            self._members.append(MemberGrading(name, measuring))
            return Graded(name, Grading(alpha=rules.alpha), problem=cannot_be_measured(cost))
        began = perf_counter()
        graded, moves = self._judged(name, rules, known, cost, waiting)
        raw = cost.raw.value if cost is not None and cost.raw is not None else None
        self._members.append(MemberGrading(name, measuring, perf_counter() - began, moves, raw))
        assert self._report.baseline is not None
        return replace(graded, advice=advice(graded, self._report.baseline))

    def _judged(
        self, name: str, rules: Rules, known: Costs, cost: CostInPlay | None, waiting: Sequence[str]
    ) -> tuple[Graded, MemberTimings | None]:
        """What its games say: at its cost, and once more at the cost that they show where that is higher."""
        observed: ObservedCost | None = None
        earlier: Grading | None = None
        while True:
            if cost is not None and (problem := too_costly(cost.cost, self._options.budget)) is not None:
                grading = Grading(cost=CostUsed.of(cost), alpha=rules.alpha)
                return Graded(name, grading, earlier, observed, problem), None
            tried = self._tried(name, rules, cost, waiting, earlier)
            if tried.grading.verdict == "undecided" and monotonic() >= self._until:
                self._report = replace(self._report, is_cut=True, reproducible=False)
            if not tried.reproducible or tried.observed is not None:
                self._report = replace(self._report, reproducible=False)
            if tried.observed is None or cost is None or earlier is not None:
                break
            earlier, observed = tried.grading, tried.observed
            cost = known.observed(name, cost, observed)
        grading, problem = tried.grading, None
        with ThreadPoolExecutor(self._options.workers or available_processors()) as pool:
            lost = tuple(pool.map(lambda each: lost_game(each.record, each.opponent, each.trace), tried.lost))
        if tried.observed is not None:
            observed, problem = tried.observed, overspent(tried.observed)
            grading = replace(grading, verdict="not graded", difference=None)
        elif grading.verdict == "not graded":
            problem = broken(grading, lost)
        elif cost is not None and cost.source == "measured":
            known.confirm(name)
        graded = Graded(
            name, grading, earlier, observed, problem, lost, printed=tried.printed, nans=tried.nans
        )
        return graded, tried.moves

    def _tried(
        self,
        name: str,
        rules: Rules,
        cost: CostInPlay | None,
        waiting: Sequence[str],
        earlier: Grading | None = None,
    ) -> Tried:
        assert self._report.baseline is not None
        trial = Trial(rules, self._report.baseline, name, cost)
        others = [Graded(each, Grading("undecided", alpha=rules.alpha)) for each in waiting]

        def on_block(games: int, grading: Grading) -> None:
            self._tell(Progress(name, games, trial.games))
            self._publish(self._now([*self._graded, Graded(name, grading, earlier), *others]))

        on_block(0, Grading("undecided", CostUsed.of(cost), rules.alpha))
        return trial.run(on_block)

    def _baseline(self) -> Baseline:
        began, options = perf_counter(), self._options
        self._tell(Progress("baseline", 0))
        asked = BaselineAsked(options.roster, options.budget, options.question.blocks)
        found = baseline(
            asked,
            options.store,
            workers=options.workers,
            on_games=lambda games: self._tell(Progress("baseline", games)),
        )
        timings = replace(self._report.timings, baseline=perf_counter() - began)
        self._report = replace(self._report, timings=timings)
        return found

    def _now(self, graded: Sequence[Graded]) -> Report:
        timings = replace(
            self._report.timings, seconds=perf_counter() - self._started, members=tuple(self._members)
        )
        return replace(self._report, graded=tuple(graded), timings=timings)

    def _ended(self, problem: Problem | None) -> Report:
        report = replace(self._now(self._graded), problem=problem, is_complete=True)
        self._publish(report)
        return report
