"""A report for people at a terminal: the classic table, the verdicts, what they mean, failures last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from isolation_fast.output import Cell, table_text
from isolation_fast.statistics import GauntletRate
from isolation_fast.tournament import Score, ThrownWins
from isolation_grader.report import Graded, Grading, Report
from isolation_grader.showing import wording as words
from isolation_grader.showing.repeating import Repeat

MOST_GAMES: Final = 3
"""Lost games shown of each; the HTML page has all of them to replay."""
COUNTS: Final = ("blocks", "test read")
"""Blocks that the figures are over, and those of them that the verdict rests on."""


def text(report: Report, form: str = "simple", repeat: Repeat | None = None) -> str:
    """The report, its tables in a format of the tabulate package.

    `repeat` has what the commands at the end need beside the report.
    """
    lines = [*head(report, form)]
    for graded in report.graded:
        lines += ["", *about(report, graded)]
    lines += _failures(report, repeat or Repeat())
    return "\n".join(line.rstrip() for line in lines)


def head(report: Report, form: str = "simple") -> Iterator[str]:
    """What concerns all together: the tables, and what the verdicts mean."""
    yield f"{words.one_line(report.submission)}: {report.verdict}"
    yield words.summary(report)
    yield from words.warnings(report)
    if report.problem is not None:
        yield ""
        yield from words.problem_lines(report.problem)
    yield from words.causes(report)
    for table in tables(report):
        yield ""
        yield table_text(form, table.headers, table.rows, {}, align=table.align)
        yield from table.below
    yield ""
    yield from words.meaning(report)
    yield words.settings(report)
    yield from words.printed_lines("while it was loaded", report.printed)


def about(report: Report, graded: Graded) -> Iterator[str]:
    """What concerns one, but for the tables and its failures."""
    yield f"{words.one_line(graded.name)}: {graded.verdict}"
    if graded.problem is None:
        yield f"  {words.known(report, graded)}"
        yield f"  {words.outcome(report, graded)}"
    else:
        yield from (f"  {line}" for line in words.problem_lines(graded.problem))
    work = words.work_in_words(graded)
    if work is not None:
        yield f"  work: {work}"
    yield from (f"  {line}" for line in words.profile_lines(graded))
    lost = words.endings_in_words(graded.grading)
    if lost is not None:
        yield f"  lost games: {lost}"
    nans = words.nans_in_words(graded.nans)
    if nans is not None:
        yield f"  NaN: {nans}"
    usual = graded.outplayed
    yield from (f"  {words.game_in_words(graded, each)}" for each in usual[:MOST_GAMES])
    if len(usual) > MOST_GAMES:
        yield f"  ... and {len(usual) - MOST_GAMES:,} more: --write html=report.html has all to replay"
    yield from (f"  try next: {words.one_line(each)}" for each in graded.advice)
    yield from (f"  {line}" for line in words.printed_lines("in play", graded.printed) if line)


def _failures(report: Report, repeat: Repeat) -> Iterator[str]:
    """A line for each verdict but `better` and each game lost by a fault, with the command that repeats it.

    The command ends the line, so that nothing of a submission's is pasted with it.
    """
    lines = []
    if report.problem is not None:
        failed = f"{words.one_line(report.problem.cause)}: {words.one_line(report.submission)}"
        # Where there is no file, no command has it.
        again = "" if repeat.submission == "" else f"; repeat: {repeat.command(report)}"
        lines.append(f"{failed}: {words.one_line(report.problem.reason)}{again}")
    for graded in report.graded:
        command = repeat.command(report, graded)
        if graded.verdict != "better":
            failed = f"{graded.verdict}: {words.one_line(graded.name)}: {words.outcome(report, graded)}"
            lines.append(f"{failed}; repeat: {command}")
        lines += [
            f"{each.ending}: {words.game_in_words(graded, each)}; repeat: {command}" for each in graded.faults
        ]
    if lines:
        yield ""
        yield "failures:"
        yield from lines


class Table(NamedTuple):
    """What `table_text` draws, and lines to read with it."""

    headers: tuple[str, ...]
    rows: list[list[Cell]]
    align: tuple[str, ...] | None = None
    below: tuple[str, ...] = ()


def tables(report: Report) -> tuple[Table, ...]:
    """Those of a report; none where nothing of it was graded, since they would be empty."""
    is_rated = any(each.verdict != "not graded" for each in report.graded)
    if not is_rated:
        return ()
    is_exact = any(each.grading.thrown is not None for each in report.graded)
    return classic(report), verdicts(report), rates(report), *((thrown(report),) if is_exact else ())


def classic(report: Report) -> Table:
    """As the course prints it: a row for each opponent, a column for the baseline and for each heuristic."""
    columns = _columns(report)
    digits = max((len(str(each.games)) for _, _, scores in columns for each in scores.values()), default=1)
    digits = max(digits, len("Lost"))
    rows: list[list[Cell]] = [["", "", *("Won | Lost" for _ in columns)]]
    for number, opponent in enumerate(words.opponents(report), start=1):
        cells = [_won_lost(scores.get(opponent), digits) for _, _, scores in columns]
        rows.append([str(number), words.one_line(opponent), *cells])
    rows.append(["", "Win Rate:", *(words.percent(measured.rate) for _, measured, _ in columns)])
    align = ("left", "left", *("right" for _ in columns))
    return Table(("Match #", "Opponent", *(name for name, _, _ in columns)), rows, align)


def rates(report: Report) -> Table:
    """The rate against each opponent with its interval, and against all."""
    columns = _columns(report)
    rows: list[list[Cell]] = [
        [words.one_line(opponent), *(_rate(scores.get(opponent)) for _, _, scores in columns)]
        for opponent in words.opponents(report)
    ]
    rows.append(["all", *(_rate(measured) for _, measured, _ in columns)])
    return Table(("won against, in % (95 %)", *(name for name, _, _ in columns)), rows)


def thrown(report: Report) -> Table:
    """The share of won positions that each threw away with its interval, in all and by stage."""
    columns = [(words.one_line(each.name), each.grading.thrown) for each in report.graded]
    shares = [(name, {"all": known, **known.stages}) for name, known in columns if known is not None]
    rows: list[list[Cell]] = [
        [stage, *(_share(stages[stage]) for _, stages in shares)] for stage in shares[0][1]
    ]
    headers = ("wins thrown away, in % (95 %)", *(name for name, _ in shares))
    return Table(headers, rows, below=tuple(words.about_thrown(report)))


def verdicts(report: Report) -> Table:
    """A row for each."""
    name = report.baseline_name
    headers = (words.noun(report), "verdict", "won", f"to {name}", "95 %", *COUNTS, "cost", "cost from")
    return Table(headers, [_verdict(words.one_line(each.name), each.grading) for each in report.graded])


def _columns(report: Report) -> list[tuple[str, GauntletRate | Grading, dict[str, Score]]]:
    """Name, rate, and scores by opponent: the baseline's first."""
    columns: list[tuple[str, GauntletRate | Grading, dict[str, Score]]] = []
    if report.baseline is not None:
        base = report.baseline
        columns.append((base.name, base.rate, {each.opponent: each for each in base.scores}))
    for each in report.graded:
        # Three games lost by an error are no rate against anybody.
        if each.verdict != "not graded":
            scores = {score.opponent: score for score in each.grading.scores}
            columns.append((words.one_line(each.name), each.grading, scores))
    return columns


def _won_lost(score: Score | None, digits: int) -> str:
    return f"{score.won} | {score.lost:>{digits}}" if score and score.games else words.NOTHING


def _rate(measured: Score | Grading | GauntletRate | None) -> str:
    if measured is None or measured.rate is None:
        return words.NOTHING
    return f"{100 * measured.rate:.1f} ({words.ends(measured.interval).removesuffix(' %')})"


def _share(known: ThrownWins) -> str:
    if known.rate is None:
        return words.NOTHING
    of = f"{known.thrown:,} of {known.moves:,}"
    return f"{100 * known.rate:.1f} ({words.ends(known.interval).removesuffix(' %')}), {of}"


def _verdict(name: str, grading: Grading) -> list[Cell]:
    counts = grading.blocks, None if grading.test is None else grading.test.count
    source = None if grading.cost is None else grading.cost.source
    to = words.points(grading.difference), words.points_ends(grading.difference)
    won, cost = words.percent(grading.rate), words.cost_in_words(grading.cost)
    return [name, grading.verdict, won, *to, *counts, cost, source]
