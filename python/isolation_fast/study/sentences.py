"""What a study comes to in words. Each sentence is chosen by the figures, so that none contradicts them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final

from isolation_fast.study.claims import BASELINE, ERROR, Judgement, Sample, difference, reports
from isolation_fast.study.measuring import Measured, Ranking
from isolation_fast.study.studying import Table, between

AS_DESCRIBED: Final = (
    ("D", "continuations", "longest_win"),
    ("D", "continuations_difference", "longest_win_difference"),
    ("E", "as_printed_custom_3", "aggressive_open_cluster"),
)
"""What a report's code does, and the row that does what its text describes."""


def about_claims(table: Table) -> str:
    """How many claims hold.

    >>> about_claims(Table("course", (), ()))
    'No claim was judged at `course`.'
    """
    total = len(table.judgements)
    if not total:
        return f"No claim was judged at `{table.budget}`."
    counted = []
    for verdict, words in (("holds", "hold"), ("does not hold", "do not"), ("open", "stay open")):
        ids = [each.claim.id for each in table.judgements if each.verdict == verdict]
        counted.append(f"{len(ids)} {words} ({', '.join(ids)})" if ids else f"0 {words}")
    return f"Of {total} claims at `{table.budget}`, {counted[0]}, {counted[1]}, and {counted[2]}."


def each_claim(tables: Sequence[Table]) -> Iterator[str]:
    """What each claim says, and what became of it at each budget."""
    for judged in tables[0].judgements:
        if judged.claim.kind == "best play":
            yield f"{judged.claim.id}, {judged.claim.says}: {judged.verdict}, proved: [theory.md](theory.md)."
            continue
        found = (
            f"{each.verdict if each.verdict != 'open' else 'stays open'} at `{table.budget}`"
            for table in tables
            for each in table.judgements
            if each.claim == judged.claim
        )
        yield f"{judged.claim.id}, {judged.claim.says}: {', '.join(found)}."


def about_noise(table: Table) -> str:
    """How many printed rates chance explains by their games, and how many differences those could show."""
    points = table.points
    far = [each for each in points if not each.is_by_chance]
    compared = [each for each in table.rows if each.point is not None and each.difference is not None]
    shown = sum(
        each.needed is not None and not each.needed.at_least and (each.row.games or 0) >= each.needed.games
        for each in compared
    )
    lower = sum(each.excess > 0 for each in far)
    few = len(compared) - shown
    text = (
        f"Of {len(points)} printed rates, {len(points) - len(far)} lie so near to what was measured at "
        f"`{table.budget}` that the number of their games explains the distance, and by chance alone about "
        f"{ERROR * len(points):.0f} would not; {lower} are lower here than printed, and {len(far) - lower} "
        f"higher. Of {len(compared)} rows that are compared with `{BASELINE}`, {shown} had enough games to "
        "show the measured difference."
    )
    if not few:
        return text
    return f"{text} In the other {few}, chance decided too much whether a row came out above or below."


def not_by_chance(table: Table) -> Iterator[str]:
    """The printed rates that chance does not explain, report by report."""
    apart = [each for each in table.points if not each.is_by_chance]
    for letter in dict.fromkeys(each.row.report for each in apart):
        far = [each for each in apart if each.row.report == letter]
        text = f"**{letter}**: {', '.join(f'`{each.row.name}` ({each})' for each in far)}."
        if any(each.row.heuristic == BASELINE for each in far):
            text += (
                f" `{BASELINE}` is among them: so its games were others, and what its rows can be held to is "
                "how far they are above that one, not their rates."
            )
        yield text


def about_better(table: Table) -> str:
    """How many rows are better and worse than the baseline, and how often the print has that right."""
    signs, right = [], 0
    for each in table.rows:
        percent, baseline = each.row.percent, reports()[each.row.report].row(BASELINE).percent
        if percent is None or baseline is None or each.difference is None:
            continue
        interval = each.difference.interval
        signs.append((interval.low > 0) - (interval.high < 0))
        right += signs[-1] * (percent - baseline) > 0
    better, worse = signs.count(1), signs.count(-1)
    text = (
        f"At `{table.budget}` {better} of {len(signs)} printed rows are better than `{BASELINE}`, {worse} "
        f"are worse, and {signs.count(0)} cannot be distinguished from it."
    )
    distinct = better + worse
    if not distinct:
        return text
    return f"{text} Of the {distinct} that can be distinguished, {right} are printed on the right side of it."


def contradictions(table: Table, others: Sequence[Table] = ()) -> Iterator[str]:
    """For each claim that does not hold: how sure that is, and what in the report explains it.

    `others` are tables of other budgets: where a claim fares otherwise there, it is the budget that decides.
    """
    for each in table.judgements:
        if each.verdict != "does not hold" or not each.comparisons:
            continue
        assert each.level is not None
        count = len(each.claim.comparisons)
        intervals, which = ("intervals are", f"any of the {count}") if count > 1 else ("interval is", "it")
        yield (
            f"**{each.claim.id}**, {each.claim.says}: {each.reason}. The {intervals} of "
            f"{100 * each.level:.4g} %: that {which} is wrong happens in at most 5 of 100 studies. "
            + " ".join(_explained(each, table, others))
        )


def _explained(judged: Judgement, table: Table, others: Sequence[Table]) -> Iterator[str]:
    claim = judged.claim
    names = {name for pair in claim.comparisons for name in pair}
    rows = [each for each in table.rows if each.row.report == claim.report and each.row.name in names]
    games = [each.row.games for each in rows if each.row.games is not None]
    if games and judged.needed is not None:
        several = "" if min(games) == max(games) else f" to {max(games):,}"
        size = f"{min(games):,}{several} games a row"
        enough = _enough_in_words(games, judged.needed)
        yield f"The report had {size}; its closest comparison takes {judged.needed}.{enough}"
    for each in rows:
        point = each.point
        if each.row.heuristic == BASELINE and point is not None and not point.is_by_chance:
            weaker = "weaker" if point.excess < 0 else "stronger"
            found = f"`{each.row.name}` of {each.row.report} ({point})"
            yield f"Its games were others: {found}, so its search was {weaker} against this roster."
    word = {"holds": "it holds", "open": "it stays open", "does not hold": "it does not either"}
    for other in others:
        for same in other.judgements:
            if same.claim == claim:
                yield f"At `{other.budget}` {word[same.verdict]}."
    for note in dict.fromkeys([*(each.row.note for each in rows), claim.note]):
        if note:
            yield f"{note[0].upper()}{note[1:].rstrip('.')}."


def _enough_in_words(games: Sequence[int], needed: Sample) -> str:
    if max(games) < needed.games:
        return " Those are too few: chance may have made the claim."
    if min(games) >= needed.games and not needed.at_least:
        return " Those are enough: chance alone did not make the claim."
    return ""


def about_ends(table: Table) -> Iterator[str]:
    """What it is worth to know the end of a game: two rows of report D differ in nothing else."""
    rows = {each.row.name: each for each in table.rows if each.row.report == "D"}
    blind, seeing = rows.get("blend"), rows.get("blend_improved")
    if blind is None or seeing is None or blind.measured is None or seeing.measured is None:
        return
    found = difference(seeing.measured.means, blind.measured.means)
    text = (
        f"At `{table.budget}` `blend_improved` wins {_rate(seeing.measured)} and `blend` "
        f"{_rate(blind.measured)}: one formula, "
        f"but the first is infinite where a game is won or lost, and that alone makes "
        f"{100 * found.value:+.1f} points ({between(found.interval, '+')})."
    )
    if found.interval.low > 0:
        text += (
            " The other formulas that report D adds score the end of a game like any position: those that "
            "count space would rather lose than be crowded. Where they are printed much higher, its search "
            "may have looked at the result by itself."
        )
    yield text


def about_misprints(table: Table) -> Iterator[str]:
    """What is wrong in print, and what that did to the figures."""
    for letter in dict.fromkeys(each.row.report for each in table.rows):
        yield f"**{letter}.** {' '.join((reports()[letter].note, *_repeated(letter)))}"
    rows = {(each.row.report, each.row.name): each for each in table.rows}
    for (report, name), each in rows.items():
        twin = rows.get((report, each.row.heuristic))
        if twin is None or twin is each or twin.row.percent is None or each.row.percent is None:
            continue
        apart = abs(each.row.percent - twin.row.percent)
        yield (
            f"`{name}` is `{twin.row.name}`, and yet they are printed with {each.row.percent} % and "
            f"{twin.row.percent} %: {apart:.1f} points of nothing but chance."
        )
    for report, printed, described in AS_DESCRIBED:
        code, text = rows.get((report, printed)), rows.get((report, described))
        if code is None or text is None or code.measured is None or text.measured is None:
            continue
        found = difference(text.measured.means, code.measured.means)
        unsure = "" if 0.0 not in found.interval else ": no difference is shown"
        yield (
            f"What the text of {report} describes, `{described}`, wins {_rate(text.measured)}; what its code "
            f"does, `{printed}`, {_rate(code.measured)}. That is {100 * found.value:+.1f} points "
            f"({between(found.interval, '+')}){unsure}."
        )


def _repeated(letter: str) -> Iterator[str]:
    """What a tournament that is printed twice makes of the averages."""
    rows = [each for each in reports()[letter].rows if len(each.tournaments) > 1]
    columns = list(zip(*(each.tournaments for each in rows), strict=True))
    once = list(dict.fromkeys(columns))
    if len(once) == len(columns) or any(None in each for each in columns):
        return
    averages = (
        f"`{each.name}` {fmean(value or 0 for value in values):.1f} %, not {each.percent:.1f} %"
        for each, values in zip(rows, zip(*once, strict=True), strict=True)
    )
    yield f"Without what is repeated the averages are: {', '.join(averages)}."


def _rate(measured: Measured) -> str:
    return f"{100 * measured.rate.rate:.1f} %"


def best_in_words(ranking: Ranking) -> str:
    """The first, and those that cannot be distinguished from it.

    >>> from isolation_fast.statistics import Interval
    >>> from isolation_fast.study.measuring import Ranked
    >>> one, two = Ranked("bfs", 0.6, Interval(0.5, 0.7, 0.95), 9), Ranked("open", 0.5, None, 9)
    >>> best_in_words(Ranking("course", (one, two)))
    'At `course`: `bfs`, with 60.0 %.'
    """
    first, *others = ranking.level_with_first()
    if first.rate is None:
        return f"At `{ranking.budget}`: nothing was measured."
    text = f"At `{ranking.budget}`: `{first.heuristic}`, with {100 * first.rate:.1f} %"
    if others:
        names = ", ".join(f"`{each.heuristic}`" for each in others)
        return f"{text}; the intervals do not separate it from {names}."
    return f"{text}."
