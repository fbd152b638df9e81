"""What a study comes to in words. Each sentence is chosen by the figures, so that none contradicts them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isolation_fast.study.claims import Judgement
from isolation_fast.study.printed import BASELINE, reports
from isolation_fast.study.ranking import Ranking
from isolation_fast.study.studying import MeasuredRow, Table

__all__ = [
    "about_better",
    "about_claims",
    "about_misprints",
    "about_noise",
    "best_in_words",
    "contradictions",
]


def about_claims(table: Table) -> str:
    """How many claims hold.

    >>> about_claims(Table("course", (), ()))
    'No claim was judged at `course`.'
    """
    total = len(table.judgements)
    if not total:
        return f"No claim was judged at `{table.budget}`."
    counts = dict.fromkeys(("holds", "does not hold", "open"), 0)
    for each in table.judgements:
        counts[each.verdict] += 1
    return (
        f"Of {total} claims at `{table.budget}`, {counts['holds']} hold, {counts['does not hold']} do not, "
        f"and {counts['open']} stay open."
    )


def about_noise(table: Table) -> str:
    """How many printed rates chance explains by their games, and how many differences those could tell."""
    rows = [each for each in table.rows if each.row.interval is not None and each.measured is not None]
    far = [each for each in rows if not _is_inside(each)]
    inside = [each for each in rows if _is_inside(each)]
    compared = [each for each in rows if each.difference is not None]
    large = [each for each in compared if _had_enough(each)]
    told = (
        f"Of {len(rows)} printed rates, {len(inside)} lie so near to what was measured at `{table.budget}` "
        f"that the number of their games explains the distance; "
    )
    lower = sum(_excess(each) > 0 for each in far)
    told += f"{lower} are lower here than printed, and {len(far) - lower} higher. "
    if far:
        told += f"Chance does not explain: {', '.join(_far_in_words(each) for each in far)}. "
    told += (
        f"Of {len(compared)} rows that are compared with `{BASELINE}`, {len(large)} had as many games as the "
        "measured difference takes to be told from none."
    )
    few = len(compared) - len(large)
    if not few:
        return told
    return f"{told} In the other {few}, whether a row is above or below was as much noise as result."


def about_better(table: Table) -> str:
    """How many rows are better and worse than the baseline, and how often the print has that right.

    >>> about_better(Table("course", (), ()))
    'At `course` 0 of 0 printed rows are better than `improved`, 0 are worse, and 0 cannot be told from it.'
    """
    rows = [each for each in table.rows if each.row.percent is not None and each.difference is not None]
    signs = [_sign(each) for each in rows]
    better, worse = signs.count(1), signs.count(-1)
    told = (
        f"At `{table.budget}` {better} of {len(rows)} printed rows are better than `{BASELINE}`, {worse} are "
        f"worse, and {signs.count(0)} cannot be told from it."
    )
    if not better + worse:
        return told
    right = sum(sign * _printed_difference(each) > 0 for each, sign in zip(rows, signs, strict=True))
    return f"{told} Of the {better + worse} that can be told, {right} are printed on the right side of it."


def _sign(each: MeasuredRow) -> int:
    assert each.difference is not None
    interval = each.difference.interval
    return (interval.low > 0) - (interval.high < 0)


def _printed_difference(each: MeasuredRow) -> float:
    baseline = reports()[each.row.report].row(BASELINE).percent
    assert each.row.percent is not None
    assert baseline is not None
    return each.row.percent - baseline


def contradictions(table: Table, others: Sequence[Table] = ()) -> Iterator[str]:
    """For each claim that does not hold: how sure that is, and what in the report explains it.

    `others` are tables of other budgets: where a claim fares otherwise there, it is the budget that decides.
    """
    for each in table.judgements:
        if each.verdict != "does not hold":
            continue
        assert each.level is not None
        yield (
            f"**{each.claim.id}**, {each.claim.says}: {each.reason}. The intervals are of "
            f"{100 * each.level:.4g} %: that any of the {len(each.claim.comparisons)} is wrong happens in at "
            f"most 5 of 100 studies. " + " ".join(_explained(each, table, others))
        )


def _explained(judged: Judgement, table: Table, others: Sequence[Table]) -> Iterator[str]:
    claim = judged.claim
    names = {name for pair in claim.comparisons for name in pair}
    rows = [each for each in table.rows if each.row.report == claim.report and each.row.name in names]
    games = [each.row.games for each in rows if each.row.games is not None]
    if games and judged.needed is not None:
        several = "" if min(games) == max(games) else f" to {max(games):,}"
        size = f"{min(games):,}{several} games a row"
        yield f"The report had {size}; its closest comparison takes {judged.needed}."
    for each in rows:
        if each.row.heuristic == BASELINE and each.row.interval is not None and not _is_inside(each):
            weaker = "weaker" if _excess(each) < 0 else "stronger"
            found = _far_in_words(each)
            yield f"Its games were others: {found}, so its search was {weaker} against this roster."
    for other in others:
        for same in other.judgements:
            if same.claim == claim:
                word = {"holds": "it holds", "open": "it stays open", "does not hold": "it does not either"}
                yield f"At `{other.budget}` {word[same.verdict]}."
    notes = [each.row.note for each in rows if each.row.note] + [claim.note or ""]
    for note in dict.fromkeys(notes):
        if note:
            yield f"{note[0].upper()}{note[1:].rstrip('.')}."


def about_misprints(table: Table) -> Iterator[str]:
    """What is wrong in print, and what that did to the figures."""
    letters = dict.fromkeys(each.row.report for each in table.rows)
    for letter in letters:
        yield f"**{letter}.** {reports()[letter].note}"
    for each in table.rows:
        if each.row.is_substitute:
            yield from _twin(each, table)


def _twin(each: MeasuredRow, table: Table) -> Iterator[str]:
    """What the print makes of two rows that are one heuristic."""
    for other in table.rows:
        theirs, ours = other.row, each.row
        if (theirs.report, theirs.name) != (ours.report, ours.heuristic):
            continue
        if theirs.percent is not None and ours.percent is not None:
            yield (
                f"`{ours.name}` is `{theirs.name}`, and yet they are printed with {ours.percent} % and "
                f"{theirs.percent} %: {abs(ours.percent - theirs.percent):.1f} points of nothing but chance."
            )


def best_in_words(ranking: Ranking) -> str:
    """Who is first, and who cannot be told from the first.

    >>> from isolation_fast.study.ranking import Ranked
    >>> best_in_words(Ranking("course", (Ranked("bfs", 0.6, None, 100),)))
    'At `course`: `bfs`, with 60.0 %.'
    """
    first, *others = ranking.level_with_first()
    if first.rate is None:
        return f"At `{ranking.budget}`: nothing was measured."
    told = f"At `{ranking.budget}`: `{first.heuristic}`, with {100 * first.rate:.1f} %"
    if others:
        names = ", ".join(f"`{each.heuristic}`" for each in others)
        return f"{told}; the intervals do not tell it from {names}."
    return f"{told}."


def _far_in_words(each: MeasuredRow) -> str:
    assert each.measured is not None
    rates = f"{each.row.percent:.1f} % printed, {100 * each.measured.rate.rate:.1f} % measured"
    return f"`{each.row.name}` of {each.row.report} ({rates})"


def _is_inside(each: MeasuredRow) -> bool:
    """Whether the printed rate is that near: the errors of two samples add up."""
    assert each.row.interval is not None
    assert each.measured is not None
    margins = each.row.interval.margin**2 + each.measured.rate.interval.margin**2
    return _excess(each) ** 2 <= margins


def _excess(each: MeasuredRow) -> float:
    assert each.row.percent is not None
    assert each.measured is not None
    return each.row.percent / 100 - each.measured.rate.rate


def _had_enough(each: MeasuredRow) -> bool:
    needed, games = each.needed, each.row.games
    return needed is not None and games is not None and not needed.at_least and games >= needed.games
