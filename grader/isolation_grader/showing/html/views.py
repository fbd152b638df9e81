"""What stands in the page: the report as its templates take it, where nothing is left to be worked out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from isolation_fast.exceptions import IsolationError
from isolation_fast.tournament import Score
from isolation_grader.findings import Printed
from isolation_grader.report import Graded, Grading, LostGame, Problem, Report
from isolation_grader.showing import wording
from isolation_grader.showing.html import words
from isolation_grader.showing.html.charts import Axis, Bar, axis_of, bar
from isolation_grader.showing.html.replays import MOST_GAMES, game_number
from isolation_grader.showing.html.times import TimeView, time_view

__all__ = ["PageView", "page_view"]

MOST_ERRORS: Final = 10
"""Drawn of each heuristic; three end it."""
BOARD_SIZE: Final = 320
"""Pixels of a drawn board: as many as the narrowest screen has."""
"""What it is called where it was not played."""


@dataclass(frozen=True)
class OpponentView:
    """A line of the table of opponents."""

    name: str
    won: int
    games: int
    rate: str
    interval: str
    bar: Bar | None
    baseline_rate: str
    baseline_bar: Bar | None


@dataclass(frozen=True)
class GradingView:
    """A test."""

    verdict: str
    mark: str
    meaning: str
    test: str
    alpha: str
    won: int
    games: int
    rate: str
    interval: str
    difference: str
    difference_interval: str
    points: tuple[float, float, float] | None
    """Lower end, middle and upper end of the difference on the page's axis."""
    cost: str
    cost_bands: tuple[tuple[str, str], ...]
    endings: str
    opponents: tuple[OpponentView, ...]


@dataclass(frozen=True)
class ErrorView:
    """A game that was lost by an error."""

    title: str
    happened: str
    detail: str
    position: str
    board: Markup | None
    trace: str


@dataclass(frozen=True)
class LostView:
    """A lost game, in a line."""

    opponent: str
    game: str
    happened: str


@dataclass(frozen=True)
class GradedView:
    """A heuristic."""

    number: int
    """From 1; names may hold anything, so no link is made of them."""
    name: str
    grading: GradingView
    earlier: GradingView | None
    problem: Problem | None
    advice: tuple[str, ...]
    errors: tuple[ErrorView, ...]
    more_errors: int
    lost: int
    lost_games: tuple[LostView, ...]
    """As many of them as can be replayed."""
    printed: Printed


@dataclass(frozen=True)
class PageView:
    """All of the page but the games to replay."""

    report: Report
    noun: str
    """What was graded."""
    opponents: tuple[str, ...]
    baseline: str
    baseline_rate: str
    baseline_interval: str
    summary: str
    mark: str
    h0: str
    h1: str
    alpha: str
    beta: str
    points: str
    axis: Axis
    graded: tuple[GradedView, ...]
    lost: int
    times: TimeView

    @property
    def has_differences(self) -> bool:
        """Whether there is anything to draw on the axis."""
        return any(each.grading.points for each in self.graded)


def page_view(report: Report) -> PageView:
    """What the page shows of a report."""
    baseline = report.baseline
    name = report.baseline_name
    rate = baseline.rate.rate if baseline else None
    differences = [each.grading.difference for each in report.graded]
    axis = axis_of([each for each in differences if each], report.question.points)
    return PageView(
        report=report,
        noun=wording.noun(report),
        opponents=tuple(wording.opponents(report)),
        baseline=name,
        baseline_rate=wording.percent(rate),
        baseline_interval=words.interval_words(baseline.rate.interval if baseline else None),
        summary=words.summary(report, name),
        mark=words.MARKS[report.verdict],
        h0=words.hypothesis(rate, 0.0, name),
        h1=words.hypothesis(rate, report.question.points, name),
        alpha=words.level(report.question.alpha),
        beta=words.level(report.question.beta),
        points=words.points_wanted(report.question.points),
        axis=axis,
        graded=tuple(
            _graded(number, each, report, name, axis) for number, each in enumerate(report.graded, start=1)
        ),
        lost=sum(len(each.lost_games) for each in report.graded),
        times=time_view(report.timings),
    )


def _graded(number: int, graded: Graded, report: Report, baseline: str, axis: Axis) -> GradedView:
    faulty = [each for each in graded.lost_games if each.ending != "no moves"]
    return GradedView(
        number=number,
        name=graded.name,
        grading=_grading(graded.grading, report, baseline, axis),
        earlier=None if graded.earlier is None else _grading(graded.earlier, report, baseline, axis),
        problem=graded.problem,
        advice=graded.advice,
        errors=tuple(map(_error, faulty[:MOST_ERRORS])),
        more_errors=max(0, len(faulty) - MOST_ERRORS),
        lost=len(graded.lost_games),
        lost_games=tuple(
            LostView(each.opponent, game_number(each), each.happened)
            for each in graded.lost_games[:MOST_GAMES]
        ),
        printed=graded.printed,
    )


def _grading(grading: Grading, report: Report, baseline: str, axis: Axis) -> GradingView:
    cost, difference = grading.cost, grading.difference
    return GradingView(
        verdict=grading.verdict,
        mark=words.MARKS[grading.verdict],
        meaning=words.verdict_words(grading, report, baseline),
        test=words.test_words(grading),
        alpha=words.level(grading.alpha),
        won=grading.won,
        games=grading.games,
        rate=wording.percent(grading.rate),
        interval=words.interval_words(grading.interval),
        difference=words.difference_words(difference),
        difference_interval="" if difference is None else wording.points_ends(difference),
        points=None
        if difference is None
        else (
            axis.at(100 * difference.interval.low),
            axis.at(100 * difference.value),
            axis.at(100 * difference.interval.high),
        ),
        cost="none is needed" if cost is None else f"{cost.cost.value:g}, {words.cost_source(cost)}",
        cost_bands=() if cost is None else words.band_costs(cost.cost),
        endings=wording.endings_in_words(grading) or "",
        opponents=tuple(_opponents(grading, report)),
    )


def _opponents(grading: Grading, report: Report) -> Iterator[OpponentView]:
    if grading.verdict == "not graded":  # a few games lost by itself are no rate against anybody
        return
    known = {each.opponent: each for each in report.baseline.scores} if report.baseline else {}
    for score in grading.scores:
        beside: Score | None = known.get(score.opponent)
        yield OpponentView(
            name=score.opponent,
            won=score.won,
            games=score.games,
            rate=wording.percent(score.rate),
            interval=words.interval_words(score.interval),
            bar=bar(score.rate, score.interval),
            baseline_rate=wording.percent(beside.rate if beside else None),
            baseline_bar=bar(beside.rate, beside.interval) if beside else None,
        )


def _error(game: LostGame) -> ErrorView:
    try:
        board = list(game.record.boards())[-1]
        # Numbers and colours only: nothing of the submission's is in it.
        position, drawn = board.to_text(), Markup(board.to_svg(size=BOARD_SIZE))
    except IsolationError:  # a record that was not made by the grader
        position, drawn = game.record.start, None
    return ErrorView(
        title=f"{game.ending}, against {game.opponent}, {game_number(game)}",
        happened=game.happened,
        detail="" if game.record.detail in game.happened else game.record.detail,
        position=position,
        board=drawn,
        trace="\n".join(game.trace),
    )
