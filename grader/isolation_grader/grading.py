"""Grading a submission: whether any of its heuristics is better than the baseline.

```text
 load in the jail -> the baseline, from a table -> for each heuristic: its games, until they have decided
```
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import monotonic, perf_counter
from typing import Final

from isolation_fast import Budget, __version__
from isolation_fast.jail import Limits, available, content_digest
from isolation_fast.numbers import Nan
from isolation_fast.programs import Program, digest_of_program
from isolation_fast.submission import FILE_NAME, NotCopiedError, digest_of
from isolation_fast.tournament import ROSTERS, available_processors, budget_text, why_timed
from isolation_grader.advice import advice
from isolation_grader.baseline import BaselineAsked, baseline
from isolation_grader.exceptions import NotGradedError, OutOfTimeError
from isolation_grader.loading import (
    broken,
    called,
    chosen,
    decided,
    left_out,
    load,
    not_loaded,
    not_loaded_in_time,
    nothing_to_grade,
    out_of_time,
    too_costly,
)
from isolation_grader.lost_games import LostGame, lost_game
from isolation_grader.options import (
    TOTAL_WALL,
    Deadline,
    GradingOptions,
    Question,
    Terms,
    checked_budget,
    default_store,
    keep_seed,
    require_elsewhere,
    seed_of,
)
from isolation_grader.profile import Profile, profile_of
from isolation_grader.report import (
    Baseline,
    Graded,
    Grading,
    GradingTimings,
    MemberGrading,
    Phase,
    Problem,
    Report,
    WhyTimed,
)
from isolation_grader.trial import Rules, Trial, Tried, with_preferred

SECOND_CHANCE: Final = 0.2
"""The share of its alpha that the test of a heuristic has that had to be timed in the middle of its games: it
may bring that about where it is about to lose."""


def grade(
    submission: str | os.PathLike[str],
    *,
    members: Sequence[str] | None = None,
    roster: str = "classic",
    seed: int | None = None,
    budget: Budget | str | None = None,
    question: Question | None = None,
    players: bool = False,
    limits: Limits | None = None,
    workers: int | None = None,
    store: str | os.PathLike[str] | None = None,
    journal: str | os.PathLike[str] | None = None,
    resume: bool = False,
    total_wall: float = TOTAL_WALL,
    sandbox_required: bool = False,
    name: str | None = None,
    nan: Nan = "course",
    exact: bool = False,
    value_work: int | None = None,
    profile: bool = False,
    progress: Callable[[Phase], object] | None = None,
    on_partial: Callable[[Report], object] | None = None,
) -> Report:
    """Whether each `custom_score` of a submission, or each of `members`, is better than `AB_Improved`.

    - `members`: by default `custom_score`, `custom_score_2` and `custom_score_3`, where there are any.
    - `seed`: of the openings and of all chance; by default it is drawn, and the report has it.
    - `budget`: of each move, by default `work=2000`.
    - `question`: by how much it must be better, how surely, after how many blocks it is `undecided`, and
      how precisely a difference is to be known.
    - `players`: the submission's own players play, in place of our search with its heuristics.
    - `store`: the folder of baselines.
    - `journal`: a folder for finished games; `resume=True` continues an interrupted grading, with its seed.
    - `total_wall`: seconds by the wall clock after which the grading ends with what is known.
    - `name`: of the submission, for the report; by default its folder, or a file that is no `game_agent.py`.
    - `nan`: `"course"` compares a NaN as loops of the course do, `"refuse"` loses the game.
    - `exact`: counts the won positions that each heuristic threw away, by stage.
    - `value_work`: how much one value of a heuristic may take, in nodes with `improved`: more loses the game.
    - `profile`: says which lines of a heuristic its counted work goes into.
    - `progress` is called as grading goes on, `on_partial` with the report so far after each block.

    The same seed gives the same report where heuristics are counted, timings aside.

    Few blocks give a quick answer:

    >>> quick = Question(blocks=10, precision=0)
    >>> report = grade("examples", members=["custom_score"], seed=1, question=quick)
    >>> report.verdict, str(report.graded[0].grading.difference)
    ('undecided', '+4.5 points, -3.6 to +12.6 (95 %)')
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
        exact=exact,
        value_work=value_work,
        profile=profile,
    )
    options = replace(options, seed=seed_of(seed, submission, options.journal, resume=resume))
    grader = _Grader(options, Path(submission), name, started, progress, on_partial)
    grader.load(sandbox_required=sandbox_required)
    return grader.report()


def grade_by(
    options: GradingOptions,
    submission: Path,
    name: str,
    *,
    sandbox_required: bool = False,
) -> Report:
    """What `grade` gives for options that many submissions share."""
    grader = _Grader(options, submission, name, perf_counter(), None, None)
    grader.load(sandbox_required=sandbox_required)
    return grader.report()


def not_begun(options: GradingOptions, submission: Path, name: str, problem: Problem) -> Report:
    """The report on a submission of which there is nothing to grade."""
    return _Grader(options, submission, name, perf_counter(), None, None).ended(problem)


def _is_counted(options: GradingOptions) -> bool:
    """Whether heuristics that can be read are counted."""
    return not options.players and why_timed(options.budget, options.nan) is None


def _goes_on(grading: Grading) -> bool:
    """Whether more time would have brought more games: the test is open, or the interval still too wide."""
    terms, difference = grading.terms, grading.difference
    if grading.verdict == "undecided" or terms is None or difference is None or not terms.precision:
        return grading.verdict == "undecided"
    return 100 * difference.interval.margin > terms.precision


class _Grader:
    """Grades one submission, and holds the report so far."""

    def __init__(
        self,
        options: GradingOptions,
        submission: Path,
        name: str | None,
        started: float,
        progress: Callable[[Phase], object] | None,
        on_partial: Callable[[Report], object] | None,
    ) -> None:
        self._options, self._submission, self._started = options, submission, started
        self._tell: Callable[[Phase], object] = progress or (lambda _: None)
        self._publish: Callable[[Report], object] = on_partial or (lambda _: None)
        self._deadline = Deadline(monotonic() + options.total_wall - (perf_counter() - started))
        self._graded: list[Graded] = []
        self._members: list[MemberGrading] = []
        self._report = Report(
            submission=name or called(submission),
            file=submission.name if submission.suffix == ".py" else FILE_NAME,
            digest="",
            version=__version__,
            sandbox=available(),
            roster=options.roster,
            opponents=tuple(each.partition("=")[0] for each in ROSTERS[options.roster]),
            seed=options.seed,
            budget=budget_text(options.budget),
            plays="players" if options.players else "search",
            nan=options.nan,
            value_work=options.value_work,
            question=options.question,
            baseline=None,
            graded=(),
            is_complete=False,
            reproducible=options.budget.ms is None and not options.players,
        )

    def load(self, *, sandbox_required: bool) -> None:
        """Load the submission. Where that is interrupted, a report says what was to be graded, and how."""
        options, submission, began = self._options, self._submission, perf_counter()
        self._tell(Phase("loading", 0))
        try:
            self._loading = loading = load(
                submission,
                limits=options.limits,
                members=options.members or (),
                unwritten=not options.players,
                sandbox_required=sandbox_required,
                interrupted=self._deadline,
                reads=_is_counted(options),
            )
        except OutOfTimeError:
            self._loading = loading = not_loaded_in_time(options.total_wall)
            self._is_cut()
        except KeyboardInterrupt:
            self._publish(self._now(()))
            raise
        file = submission / FILE_NAME if submission.is_dir() else submission
        self._file = file if loading.outline is None else loading.outline.path
        if loading.outline is not None:
            for each in (options.store, options.journal):
                require_elsewhere(each, loading.outline.path)
        keep_seed(options.seed, submission, options.journal)
        self._report = replace(
            self._report,
            file=self._file.name,
            sandbox=loading.level,
            reproducible=self._report.reproducible and not loading.by_clock,
            printed=loading.printed,
            timings=GradingTimings(loading=perf_counter() - began),
        )

    def report(self) -> Report:
        """The whole report."""
        if self._loading.problem is not None:
            return self.ended(not_loaded(self._loading))
        try:
            digest = content_digest(self._file, self._deadline)
        except OutOfTimeError:
            self._is_cut()
            return self.ended(out_of_time("before it was graded", self._options.total_wall))
        except NotCopiedError as error:
            return self.ended(not_loaded(replace(self._loading, problem=str(error), is_not_copied=True)))
        self._report = replace(self._report, digest=digest)
        try:
            names, unwritten = chosen(self._loading, self._options)
        except NotGradedError as error:
            return self.ended(Problem("too many", str(error), error.hint or "submit fewer"))
        if not names and not unwritten:
            return self.ended(nothing_to_grade(self._loading, players=self._options.players))
        if self._options.members is None and not self._options.players:
            self._report = replace(self._report, left_out=left_out(self._loading, names))
        self._graded += [Graded(name, Grading(), problem=problem) for name, problem in unwritten.items()]
        if not names:
            return self.ended(None)
        # From here on there is a report, whatever ends the grading.
        begun = [Graded(each, Grading("undecided")) for each in names]
        self._publish(self._now([*self._graded, *begun]))
        try:
            self._report = replace(self._report, baseline=self._baseline())
        except OutOfTimeError:
            self._graded += [self._out_of_time(each, "before the baseline was measured") for each in names]
            return self.ended(None)
        options = self._options
        rules = Rules(
            options=options,
            file=self._file,
            file_digest=digest_of(self._file),
            terms=options.question.terms("timed", decided(self._loading, options)),
            limits=options.limits if self._loading.is_jailed else None,
            deadline=self._deadline,
        )
        self._play(names, rules)
        # In the order of the file, what is no heuristic last.
        self._graded = [*self._graded[len(unwritten) :], *self._graded[: len(unwritten)]]
        return self.ended(None)

    def _play(self, names: Sequence[str], rules: Rules) -> None:
        """Grade each heuristic, counted or timed."""
        options = self._options
        question, shares = options.question, decided(self._loading, options)
        why = None if options.players else why_timed(options.budget, options.nan)
        for place, name in enumerate(names):
            form = self._loading.forms.get(name) or (None if why is None else WhyTimed(why))
            waiting = names[place + 1 :]
            if isinstance(form, Program):
                counted = replace(rules, terms=question.terms("counted", shares))
                self._graded.append(self._counted(name, form, counted, rules, waiting))
            else:
                graded = replace(self._of_member(name, rules, waiting), timed=form)
                self._graded.append(self._profiled(graded, None))

    def _counted(
        self, name: str, program: Program, rules: Rules, timed: Rules, waiting: Sequence[str]
    ) -> Graded:
        """A heuristic whose work is counted; timed from the first position on for which it has no value."""
        if self._deadline.is_over:
            return self._out_of_time(name, "before it played", rules.terms)
        began = perf_counter()
        tried = self._tried(name, rules, waiting, program)
        asked = self._loading.asked.get(name, ())
        if not tried.grading.endings.get("no value"):
            graded = replace(
                self._closed(name, rules, tried, program), program=digest_of_program(program), asked=asked
            )
            return self._advised(self._profiled(graded, program), began, tried)
        detail = next(each.record.detail for each in tried.lost if each.ending == "no value")
        # It may be about to lose: another test must not be a second chance.
        terms = replace(timed.terms, alpha=SECOND_CHANCE * rules.terms.alpha)
        graded = self._of_member(name, replace(timed, terms=terms), waiting)
        graded = replace(graded, timed=WhyTimed(f"{detail}, so Python was asked in new games"))
        return self._profiled(graded, None)

    def _profiled(self, graded: Graded, program: Program | None) -> Graded:
        """With the lines that its work goes into, where that is asked."""
        if not self._options.profile:
            return graded
        if program is None:
            return replace(graded, profile=Profile(None, why_none=f"its work is timed: {graded.timed}"))
        return replace(graded, profile=profile_of(program, self._options.budget, self._file))

    def _of_member(self, name: str, rules: Rules, waiting: Sequence[str]) -> Graded:
        if self._deadline.is_over:
            return self._out_of_time(name, "before it played", rules.terms)
        began = perf_counter()
        tried = self._tried(name, rules, waiting)
        return self._advised(self._closed(name, rules, tried), began, tried)

    def _advised(self, graded: Graded, began: float, tried: Tried) -> Graded:
        self._members.append(MemberGrading(graded.name, perf_counter() - began, tried.moves))
        assert self._report.baseline is not None
        return replace(graded, advice=advice(graded, self._report.baseline))

    def _closed(self, name: str, rules: Rules, tried: Tried, program: Program | None = None) -> Graded:
        """What its test says, with what happened in its lost games."""
        grading, problem = tried.grading, too_costly(tried.early_ends, self._options.budget)
        with ThreadPoolExecutor(self._options.workers or available_processors()) as pool:
            lost = with_preferred(list(pool.map(self._looked_into, tried.lost)), rules, name, program)
        if problem is not None:
            grading = replace(grading, verdict="not graded", difference=None)
        elif grading.verdict == "not graded":
            problem = broken(grading, lost)
        return Graded(name, grading, problem, lost, printed=tried.printed, nans=tried.nans)

    def _looked_into(self, lost: LostGame) -> LostGame:
        if self._deadline.is_over:
            return replace(
                lost, happened="It was lost; the time of the grading was over before it was looked into."
            )
        return lost_game(lost.record, lost.opponent, lost.trace)

    def _tried(
        self, name: str, rules: Rules, waiting: Sequence[str], program: Program | None = None
    ) -> Tried:
        assert self._report.baseline is not None
        trial = Trial(rules, self._report.baseline, name, program)
        others = [Graded(each, Grading("undecided")) for each in waiting]

        def on_block(games: int, grading: Grading) -> None:
            self._tell(Phase(name, games, trial.games))
            self._publish(self._now([*self._graded, Graded(name, grading), *others]))

        on_block(0, Grading("undecided", terms=rules.terms))
        tried = trial.run(on_block)
        if self._deadline.is_over and _goes_on(tried.grading):
            self._is_cut()
        if not tried.reproducible:
            self._report = replace(self._report, reproducible=False)
        return tried

    def _baseline(self) -> Baseline:
        began, options = perf_counter(), self._options
        self._tell(Phase("baseline", 0))
        asked = BaselineAsked(options.roster, options.budget, options.question.terms("timed").blocks)
        found = baseline(
            asked,
            options.store,
            workers=options.workers,
            on_games=lambda games: self._tell(Phase("baseline", games)),
            interrupted=self._deadline,
        )
        timings = replace(self._report.timings, baseline=perf_counter() - began)
        self._report = replace(self._report, timings=timings)
        return found

    def _out_of_time(self, name: str, phase: str, terms: Terms | None = None) -> Graded:
        self._is_cut()
        self._members.append(MemberGrading(name))
        return Graded(name, Grading(terms=terms), problem=out_of_time(phase, self._options.total_wall))

    def _is_cut(self) -> None:
        self._report = replace(self._report, is_cut=True, reproducible=False)

    def _now(self, graded: Sequence[Graded]) -> Report:
        timings = replace(
            self._report.timings, seconds=perf_counter() - self._started, members=tuple(self._members)
        )
        return replace(self._report, graded=tuple(graded), timings=timings)

    def ended(self, problem: Problem | None) -> Report:
        """The report so far, as the last one."""
        report = replace(self._now(self._graded), problem=problem, is_complete=True)
        self._publish(report)
        return report
