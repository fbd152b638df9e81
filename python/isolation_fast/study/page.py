"""docs/study.md: a study as a page, every word of which follows from its figures, and as a plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from isolation_fast.output import Cell, table_text
from isolation_fast.study import Study, Table, sentences, studying
from isolation_fast.study.measuring import BEST, MARGIN, MOST_GAMES, ROSTER, Ranking, Rankings
from isolation_fast.study.studying import Point, between

HEAD = """\
# The five reports, measured

What five student reports on the course's project print about their heuristics, and what it comes to over many
more games. The command below writes this page, so it is not edited by hand. How to read and repeat it is in
[reproducing.md](reproducing.md).

| | |
|---|---|
| command | `{command}` |
| date | {date} |
| machine | {machine} |
| seed | {seed} |
| games of a row | {games} |
| repeatable | {repeatable} |
"""
CHOICE = """\
The {best} that win most against the {roster} roster at `{budget}` meet each other, there and at other
budgets; these are the first of them. `course` counts the cost of a heuristic, and is what 150 ms a move
bought in the course: it answers for play by the clock. A budget of nodes gives every heuristic the same
number of them, whatever they cost. Where intervals overlap, take the heuristic that is shortest to write. One
that is not among the {best} at `{budget}` does not meet them at the other budgets either. All have the end of
a game that their report prints; a better end of those of reports C and D is measured in
[reproducing.md](reproducing.md#why-the-rows-of-reports-c-and-d-measure-so-low).
"""


def page(study: Study, ranked: Rankings, *, picture: str, made: Mapping[str, str]) -> str:
    """The page, in Markdown; `picture` is the file of the plot, `made` says command, date and machine."""
    made = {name: " ".join(text.split()).replace("|", "\\|") for name, text in made.items()}
    games = (
        f"as many as make the interval of the difference to improved ± {100 * MARGIN:g} point, "
        f"never more than {MOST_GAMES:,}"
    )
    if study.games is not None:
        games = f"{study.games:,}"
    repeatable = "yes" if study.reproducible else "no: a clock has decided something"
    best = sentences.best_in_words(ranked.duels)
    first = study.tables[0]
    parts = [
        HEAD.format(seed=study.seed, games=games, repeatable=repeatable, **made),
        "## In short\n",
        "**What was true.**\n",
        *(f"- {sentences.about_claims(each)}" for each in study.tables),
        *(f"- {line}" for line in sentences.each_claim(study.tables)),
        *(f"- {sentences.about_better(each)}" for each in study.tables),
        "\n**What was noise.**\n",
        f"- {sentences.about_noise(first)}",
        *(f"- {line}" for line in sentences.about_ends(first)),
        "\n**Which is best.**\n",
        f"- When the {BEST} best of all heuristics meet: {best[0].lower() + best[1:]}",
        "\n## Which heuristic to choose\n",
        CHOICE.format(best=BEST, roster=ROSTER, budget=ranked.gauntlet.budget),
        *(f"- {sentences.best_in_words(each)}" for each in (ranked.duels, *ranked.ladder)),
        f"\n![printed against measured]({picture})\n",
        f"A point is a row, measured at `{first.budget}`; its lines are 95 % intervals: across, of the "
        "printed games; upwards, of ours. On the diagonal both say the same.",
        *(line for each in study.tables for line in _table(each, study)),
        "\n## What the misprints did\n",
        *(f"- {line}" for line in sentences.about_misprints(first)),
        "\n## Notes\n",
        *(f"- {line}" for line in studying.notes(study)),
        *_rankings(ranked),
    ]
    return "\n".join(parts) + "\n"


def _table(table: Table, study: Study) -> Iterator[str]:
    yield f"\n## At {table.budget}\n"
    yield f"{sentences.about_claims(table)}\n"
    yield f"{_markdown(studying.CLAIM_HEADERS, studying.claim_rows(table))}\n"
    yield (
        "In brackets are intervals. A claim of m comparisons has one of the level 1 - 0.05 / m for each, "
        "so that all of\nthem are right together in 95 of 100 studies."
    )
    against = list(sentences.contradictions(table, [each for each in study.tables if each is not table]))
    if against:
        yield "\nWhat does not hold, how sure that is, and what in the report explains it:\n"
        yield from (f"- {line}" for line in against)
    yield f"\n{sentences.about_noise(table)} {sentences.about_better(table)}\n"
    far = list(sentences.not_by_chance(table))
    if far:
        yield "Printed rates that chance does not explain:\n"
        yield from (f"- {line}" for line in far)
        yield ""
    if study.reproducible:
        games = "" if study.games is None else f" --games {study.games}"
        again = f"--report C --row bfs --budget {table.budget} --seed {study.seed}{games}"
        yield f"Any row gives the same figures alone: `isolation-fast reproduce {again}`.\n"
    yield _markdown(studying.ROW_HEADERS, studying.row_rows(table))


def _rankings(ranked: Rankings) -> Iterator[str]:
    for title, ranking in (
        (f"All heuristics against the {ROSTER} roster", ranked.gauntlet),
        ("The best of them against each other", ranked.duels),
    ):
        yield f"\n## {title}, at {ranking.budget}\n"
        yield _markdown(("#", "heuristic", "won", "95 % interval", "games"), _places(ranking))
    if not ranked.ladder:
        return
    yield "\n## Their places at other budgets\n"
    yield f"{_moved(ranked.ladder)}\n"
    headers = ("heuristic", ranked.duels.budget, *(each.budget for each in ranked.ladder))
    lines: list[list[Cell]] = [
        [each.heuristic, *(_standing(ranking, each.heuristic) for ranking in (ranked.duels, *ranked.ladder))]
        for each in ranked.duels.entries
    ]
    yield _markdown(headers, lines)


def _standing(ranking: Ranking, heuristic: str) -> str:
    """A place, with what makes it one: a reader sees which intervals overlap."""
    place = ranking.place(heuristic)
    rate, interval = ranking.entries[place - 1].rate, ranking.entries[place - 1].interval
    if rate is None or interval is None:
        return f"{place}: no time"
    return f"{place}: {100 * rate:.1f} % ({between(interval)})"


def _moved(ladder: Sequence[Ranking]) -> str:
    """Who changes place most from the smallest to the largest budget."""
    low, high = ladder[0], ladder[-1]
    if any(each.rate is None for each in (*low.entries, *high.entries)):
        return f"From `{low.budget}` to `{high.budget}` nothing can be said: there was no time for all games."
    moves = {each.heuristic: low.place(each.heuristic) - high.place(each.heuristic) for each in low.entries}
    up, down = max(moves, key=moves.__getitem__), min(moves, key=moves.__getitem__)
    if moves[up] == moves[down] == 0:
        return f"From `{low.budget}` to `{high.budget}` nobody changes place."
    return (
        f"From `{low.budget}` to `{high.budget}` `{up}` rises most, by {moves[up]}, and `{down}` falls most, "
        f"by {-moves[down]}; {sum(not each for each in moves.values())} of {len(moves)} keep their place. "
        "Where intervals overlap, the order may be chance."
    )


def _places(ranking: Ranking) -> list[list[Cell]]:
    return [
        [
            number,
            each.heuristic,
            "no time" if each.rate is None else f"{100 * each.rate:.1f} %",
            None if each.interval is None else between(each.interval),
            f"{each.games:,}",
        ]
        for number, each in enumerate(ranking.entries, start=1)
    ]


def _markdown(headers: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    return table_text("github", headers, rows, {})


SIDE: Final = 640
EDGE: Final = 60
COLOURS: Final = {"A": "#1b6ca8", "B": "#b5651d", "C": "#2e8b57", "D": "#a23b72", "E": "#6b5b95"}
STYLE: Final = "text { font: 13px sans-serif; fill: #222 } .grid { stroke: #ddd } .same { stroke: #888 }"


def plot(table: Table) -> str:
    """A point for each row that was printed and measured; on the diagonal both say the same."""
    # Both axes end at whole tens of percent.
    intervals = [interval for each in table.points for interval in (each.printed_interval, each.interval)]
    low = int(10 * min((each.low for each in intervals), default=0.0)) / 10
    high = min(1.0, (int(10 * max((each.high for each in intervals), default=1.0)) + 1) / 10)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE + 90} {SIDE}" role="img">',
        f"<title>Printed against measured, budget {escape(table.budget)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{SIDE + 90}" height="{SIDE}" fill="#fff"/>',
        *_axes(low, high),
        *(line for each in table.points for line in _point(each, low, high)),
    ]
    for number, (report, colour) in enumerate(COLOURS.items()):
        x, y = SIDE - EDGE + 24, EDGE + 22 * number
        lines.append(f'<circle cx="{x}" cy="{y}" r="5" fill="{colour}"/>')
        lines.append(f'<text x="{x + 12}" y="{y + 4}">report {report}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _place(value: float, low: float, high: float) -> float:
    return round(EDGE + (SIDE - 2 * EDGE) * (value - low) / (high - low), 1)


def _axes(low: float, high: float) -> Iterator[str]:
    bottom, top = SIDE - EDGE, EDGE
    for step in range(round((high - low) * 10) + 1):
        value = low + step / 10
        at = _place(value, low, high)
        yield f'<line class="grid" x1="{at}" y1="{bottom}" x2="{at}" y2="{top}"/>'
        yield f'<line class="grid" x1="{EDGE}" y1="{SIDE - at}" x2="{SIDE - EDGE}" y2="{SIDE - at}"/>'
        yield f'<text x="{at}" y="{bottom + 18}" text-anchor="middle">{100 * value:.0f} %</text>'
        yield f'<text x="{EDGE - 8}" y="{SIDE - at + 4}" text-anchor="end">{100 * value:.0f} %</text>'
    yield f'<line class="same" x1="{EDGE}" y1="{bottom}" x2="{SIDE - EDGE}" y2="{top}"/>'
    yield f'<text x="{SIDE / 2}" y="{SIDE - 16}" text-anchor="middle">printed, games won</text>'
    yield f'<text transform="translate(16 {SIDE / 2}) rotate(-90)" text-anchor="middle">measured</text>'


def _point(each: Point, low: float, high: float) -> Iterator[str]:
    row = each.row
    across, up = _place(each.printed, low, high), SIDE - _place(each.rate, low, high)
    printed, ours = each.printed_interval, each.interval
    left, right = (_place(end, low, high) for end in (printed.low, printed.high))
    below, above = (SIDE - _place(end, low, high) for end in (ours.low, ours.high))
    text = f"{row.report} {row.name}: {each}"
    yield f'<g stroke="{COLOURS[row.report]}" fill="{COLOURS[row.report]}"><title>{escape(text)}</title>'
    yield f'<line opacity="0.45" x1="{left}" y1="{up}" x2="{right}" y2="{up}"/>'
    yield f'<line x1="{across}" y1="{below}" x2="{across}" y2="{above}"/>'
    yield f'<circle cx="{across}" cy="{up}" r="4"/></g>'
