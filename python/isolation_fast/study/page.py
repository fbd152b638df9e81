"""docs/study.md: a study as a page, every word of which follows from its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from isolation_fast.cli.tables import Cell, table_text
from isolation_fast.study.measuring import MARGIN, MOST_GAMES
from isolation_fast.study.ranking import ROSTER, Ranking, Rankings
from isolation_fast.study.sentences import (
    about_better,
    about_claims,
    about_ends,
    about_misprints,
    about_noise,
    best_in_words,
    contradictions,
)
from isolation_fast.study.studying import Study, Table
from isolation_fast.study.tables import CLAIM_HEADERS, ROW_HEADERS, between, claim_rows, notes, row_rows

__all__ = ["page"]

HEAD = """\
# The five reports, measured

What five student reports on the course's project print about their heuristics, and what it comes to over many
more games. The page is written by the command below and not edited by hand; how to read and repeat it is
said in [reproducing.md](reproducing.md).

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
Of those that are best against the roster, by what they win against each other. `course` counts what a
heuristic costs, and is what 150 ms a move bought in the course: who plays by the clock takes the first of
it, and of several that are not told apart the one that is shortest to write. A budget of nodes gives all
the same number of them, whatever they cost.
"""


def page(study: Study, ranked: Rankings, *, picture: str, made: Mapping[str, str]) -> str:
    """The page, in Markdown; `picture` is the file of the plot, `made` says command, date and machine."""
    games = f"{study.games:,}" if study.games is not None else _until()
    repeatable = "yes" if study.reproducible else "no: a clock has decided something"
    first = study.tables[0]
    parts = [
        HEAD.format(seed=study.seed, games=games, repeatable=repeatable, **_cells(made)),
        "## In short\n",
        *(f"- {about_claims(each)}" for each in study.tables),
        *(f"- {about_better(each)}" for each in study.tables),
        f"- {about_noise(first, with_names=False)}",
        *(f"- {line}" for line in about_ends(first)),
        f"- {best_in_words(ranked.duels)}",
        "\n## Which heuristic to choose\n",
        CHOICE,
        *(f"- {best_in_words(each)}" for each in (ranked.duels, *ranked.ladder)),
        f"\n![printed against measured]({picture})\n",
        "A point is a row, its lines are 95 % intervals: across, of the printed games; upwards, of ours.",
        *(line for each in study.tables for line in _table(each, study.tables)),
        "\n## What the misprints did\n",
        *(f"- {line}" for line in about_misprints(first)),
        "\n## Notes\n",
        *(f"- {line}" for line in notes(study)),
        *_rankings(ranked),
    ]
    return "\n".join(parts) + "\n"


def _cells(made: Mapping[str, str]) -> Mapping[str, str]:
    """What was typed, as it can stand in a table: on one line, without what ends a cell."""
    return {name: " ".join(text.split()).replace("|", "\\|") for name, text in made.items()}


def _until() -> str:
    margin = f"the interval of the difference to improved ± {100 * MARGIN:g} point"
    return f"as many as make {margin}, never more than {MOST_GAMES:,}"


def _table(table: Table, tables: Sequence[Table]) -> Iterator[str]:
    yield f"\n## At {table.budget}\n"
    yield f"{about_claims(table)}\n"
    yield _markdown(CLAIM_HEADERS, claim_rows(table))
    against = list(contradictions(table, [each for each in tables if each is not table]))
    if against:
        yield "\nWhat does not hold, how sure that is, and what in the report explains it:\n"
        yield from (f"- {line}" for line in against)
    yield f"\n{about_noise(table)} {about_better(table)}\n"
    yield _markdown(ROW_HEADERS, row_rows(table))


def _rankings(ranked: Rankings) -> Iterator[str]:
    yield f"\n## All heuristics against the {ROSTER} roster, at {ranked.gauntlet.budget}\n"
    yield _markdown(("#", "heuristic", "won", "95 % interval", "games"), _places(ranked.gauntlet))
    yield f"\n## The best of them against each other, at {ranked.duels.budget}\n"
    yield _markdown(("#", "heuristic", "won", "95 % interval", "games"), _places(ranked.duels))
    if not ranked.ladder:
        return
    yield "\n## Their places at other budgets\n"
    yield f"{_moved(ranked.ladder)}\n"
    headers = ("heuristic", ranked.duels.budget, *(each.budget for each in ranked.ladder))
    lines: list[list[Cell]] = [
        [each.heuristic, number, *(ladder.place(each.heuristic) for ladder in ranked.ladder)]
        for number, each in enumerate(ranked.duels.entries, start=1)
    ]
    yield _markdown(headers, lines)


def _moved(ladder: Sequence[Ranking]) -> str:
    """Who changes place most from the smallest to the largest budget."""
    low, high = ladder[0], ladder[-1]
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
