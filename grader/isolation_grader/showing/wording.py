"""What all forms say in the same words: rates, differences, costs, and what a verdict means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from isolation_fast.jail import Level
from isolation_fast.output import visible
from isolation_fast.statistics import Difference, Interval
from isolation_fast.tournament import Score
from isolation_grader.findings import Printed
from isolation_grader.report import CostUsed, Graded, Grading, LostGame, Problem, Report

__all__ = [
    "asked",
    "cost_in_words",
    "endings_in_words",
    "ends",
    "game_in_words",
    "meaning",
    "noun",
    "one_line",
    "opponents",
    "outcome",
    "percent",
    "points",
    "points_ends",
    "printed_lines",
    "problem_lines",
    "sandbox_in_words",
    "settings",
    "trace_lines",
    "warnings",
]

MOST_LINES: Final = 20
"""Of what was printed, on a terminal. JSON has all that is kept."""
MOST_TRACE: Final = 6
"""Of a traceback, on a terminal: its end, where it was raised."""
NOTHING: Final = "-"


def one_line(text: str) -> str:
    r"""A text of a submission as one harmless line.

    >>> one_line("ready\n\x1b[2J")
    'ready\\n\\x1b[2J'
    """
    return visible(text).replace("\n", r"\n")


def percent(rate: float | None) -> str:
    """A rate as people read it.

    >>> percent(0.7619), percent(None)
    ('76.2 %', '-')
    """
    return NOTHING if rate is None else f"{100 * rate:.1f} %"


def ends(interval: Interval | None) -> str:
    """Where a rate lies. From 0 to 100 % is what was known before.

    >>> ends(Interval(0.7266, 0.7972, 0.95)), ends(Interval(0.0, 1.0, 0.95))
    ('72.7 to 79.7 %', '-')
    """
    if interval is None or interval.high - interval.low >= 1.0:
        return NOTHING
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %"


def points(difference: Difference | None) -> str:
    """A difference to the baseline, in points."""
    return NOTHING if difference is None else f"{100 * difference.value:+.1f}"


def points_ends(difference: Difference | None) -> str:
    """Where it lies."""
    if difference is None:
        return NOTHING
    return f"{100 * difference.interval.low:+.1f} to {100 * difference.interval.high:+.1f}"


def cost_in_words(used: CostUsed | None) -> str:
    """What a node costs; where it has bands, also the least and the most of them."""
    if used is None:
        return NOTHING
    bands = used.cost.bands
    told = "" if bands is None else f" ({min(bands):.4g} to {max(bands):.4g} by stage)"
    return f"{used.cost.value:.4g}{told}"


def sandbox_in_words(level: Level) -> str:
    """What was kept from a submission.

    >>> sandbox_in_words(Level(("system calls",), ("files",)))
    'partial, without: files'
    """
    return f"{level.name}, without: {', '.join(level.missing)}" if level.missing else level.name


def noun(report: Report, count: int = 1) -> str:
    """What was graded."""
    word = "heuristic" if report.plays == "search" else "player"
    return word if count == 1 else f"{word}s"


def opponents(report: Report) -> list[str]:
    """The names in the order of the roster, as the scores have them."""
    known: list[Sequence[Score]] = [] if report.baseline is None else [report.baseline.scores]
    known += [each.grading.scores for each in report.graded]
    scores = next((each for each in known if each), ())
    return [each.opponent for each in scores] or [each.partition("=")[0] for each in report.opponents]


def endings_in_words(grading: Grading) -> str | None:
    """How games were lost; None if none was.

    The usual way comes first.
    """
    told = [f"{count:,} by {ending!r}" for ending, count in grading.endings.items() if count]
    return ", ".join(told) or None


def game_in_words(graded: Graded, game: LostGame) -> str:
    """Which game it is, so that it can be found again, and what happened."""
    where = f"{one_line(graded.name)} against {one_line(game.opponent)}, opening {game.record.opening:,}"
    return f"{where}, as player {game.player}: {one_line(game.happened)}"


def outcome(report: Report, graded: Graded) -> str:
    """What came of one, in a line without its name."""
    grading = graded.grading
    if graded.problem is not None:
        return f"{one_line(graded.problem.cause)}: {one_line(graded.problem.reason)}"
    if grading.difference is None:
        return "no block is complete"
    against = report.baseline_name
    blocks = "" if grading.test is None else f" after {_counted(grading.test.count, 'block')}"
    level = f"{100 * grading.difference.interval.level:.4g} %"
    to = f"{points(grading.difference)} points to {against}"
    return f"{percent(grading.rate)} won, {to} ({points_ends(grading.difference)}, {level}){blocks}"


def asked(report: Report) -> str:
    """The question, in a sentence."""
    wanted = f"{report.question.points:g} points more of its games than"
    if report.baseline is None:
        return f"Does it win {wanted} AB_Improved?"
    rate = report.baseline.rate
    won = f"{100 * rate.rate:.1f} ± {100 * rate.interval.margin:.1f} %"
    level = f"{100 * rate.interval.level:.4g} %"
    return f"Does it win {wanted} {report.baseline.name}, which wins {won} here ({level})?"


def meaning(report: Report) -> Iterator[str]:
    """What the verdicts mean, with all that they depend on, in sentences."""
    question, kind = report.question, noun(report)
    name = report.baseline_name
    yield asked(report)
    if report.baseline is not None:
        h0 = report.baseline.rate.rate
        yield f"H0: it wins {percent(h0)}, as {name} does. H1: it wins {percent(h0 + question.points / 100)}."
    # What is not written yet is not tested, and has no share.
    shares = [each.grading.alpha for each in report.graded if each.grading.alpha is not None]
    count, each = len(shares), shares[0] if shares else question.alpha
    together = f"; of all {count} together {100 * question.alpha:.4g} %" if count > 1 else ""
    yield (
        f"better: H1 was accepted. A {kind} that is no better is called so with a probability of at most "
        f"{100 * each:.4g} % (alpha{together})."
    )
    yield (
        f"not better: H0 was accepted. A {kind} that is {question.points:g} points better is called so with "
        f"a probability of at most {100 * question.beta:.4g} % (beta)."
    )
    yield f"undecided: {question.blocks:,} blocks, the most that are played, have not decided."
    yield "not graded: how good it is is not known, which is no 0; the cause is told."
    games = 2 * len(opponents(report))
    yield f"A block is one opening against all {games // 2} opponents from both sides: {games} games."
    if report.baseline is not None:
        played = report.baseline.rate.blocks
        yield f"{report.baseline_name} was played before, {played:,} blocks; a heuristic until it is clear."


def settings(report: Report) -> str:
    """What was played, and how."""
    played = f"seed {report.seed}, budget {report.budget}, roster {report.roster}"
    return f"{played}, sandbox {sandbox_in_words(report.sandbox)}, version {report.version}"


def warnings(report: Report) -> Iterator[str]:
    """What is to be known before anything else."""
    if not report.is_complete:
        yield "this report is partial: grading is not over, and what is undecided may still be decided"
    if not report.reproducible:
        yield "a clock may have decided something: grading it again may give another result"


def problem_lines(problem: Problem) -> Iterator[str]:
    """Cause, reason and help, then the traceback."""
    yield f"cause:  {one_line(problem.cause)}"
    yield f"reason: {one_line(problem.reason)}"
    yield f"help:   {one_line(problem.help)}"
    yield from trace_lines(problem.trace)


def trace_lines(trace: Sequence[str], most: int = MOST_TRACE) -> Iterator[str]:
    """The end of a traceback."""
    if len(trace) > most:
        yield f"  | ... and {len(trace) - most:,} lines more, which --json shows"
    yield from (f"  | {one_line(line)}" for line in trace[-most:])


def printed_lines(when: str, printed: Printed) -> Iterator[str]:
    """What was printed to stdout and stderr, its beginning, and how much there was besides."""
    for name in ("stdout", "stderr"):
        text = visible(getattr(printed, name)).rstrip("\n")
        if not text:
            continue
        lines = text.split("\n")
        yield ""
        yield f"printed to {name} {when}:"
        yield from (f"  | {line}" for line in lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            yield f"  ... and {len(lines) - MOST_LINES:,} lines more, which --json shows"
    if printed.dropped:
        yield f"{printed.dropped:,} bytes more were printed {when}, and not kept"


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
