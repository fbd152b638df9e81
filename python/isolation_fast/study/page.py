"""docs/study.md: a study as a page, every word of which follows from its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from isolation_fast.output import Cell, table_text
from isolation_fast.study.measuring import MARGIN, MOST_GAMES
from isolation_fast.study.ranking import BEST, ROSTER, Ranking, Rankings
from isolation_fast.study.sentences import (
    about_better,
    about_claims,
    about_ends,
    about_misprints,
    about_noise,
    best_in_words,
    contradictions,
    each_claim,
    not_by_chance,
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
The {best} that win most against the {roster} roster at `{budget}` meet each other, there and at other
budgets; these are the first of them. `course` counts what a heuristic costs, and is what 150 ms a move
bought in the course: it is for who plays by the clock. A budget of nodes gives all the same number of them,
whatever they cost. Of several that are not told apart the one that is shortest to write will do. Who is not
among the {best} at `{budget}` does not meet them at the other budgets either. All have the end of a game that
their report prints; what a better end makes of those of reports C and D is said in
[reproducing.md](reproducing.md#why-the-rows-of-reports-c-and-d-measure-so-low).
"""

LEVELS = """\
In brackets are intervals. A claim of m comparisons has one of the level 1 - 0.05 / m for each, so that all of
them are right together in 95 of 100 studies.
"""


def page(study: Study, ranked: Rankings, *, picture: str, made: Mapping[str, str]) -> str:
    """The page, in Markdown; `picture` is the file of the plot, `made` says command, date and machine."""
    games = f"{study.games:,}" if study.games is not None else _until()
    repeatable = "yes" if study.reproducible else "no: a clock has decided something"
    first = study.tables[0]
    parts = [
        HEAD.format(seed=study.seed, games=games, repeatable=repeatable, **_cells(made)),
        "## In short\n",
        "**What was true.**\n",
        *(f"- {about_claims(each)}" for each in study.tables),
        *(f"- {line}" for line in each_claim(study.tables)),
        *(f"- {about_better(each)}" for each in study.tables),
        "\n**What was noise.**\n",
        f"- {about_noise(first)}",
        *(f"- {line}" for line in about_ends(first)),
        "\n**Which is best.**\n",
        f"- When the {BEST} best of all heuristics meet: {_lower(best_in_words(ranked.duels))}",
        "\n## Which heuristic to choose\n",
        CHOICE.format(best=BEST, roster=ROSTER, budget=ranked.gauntlet.budget),
        *(f"- {best_in_words(each)}" for each in (ranked.duels, *ranked.ladder)),
        f"\n![printed against measured]({picture})\n",
        f"A point is a row, measured at `{first.budget}`; its lines are 95 % intervals: across, of the "
        "printed games; upwards, of ours. On the diagonal both say the same.",
        *(line for each in study.tables for line in _table(each, study)),
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


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def _table(table: Table, study: Study) -> Iterator[str]:
    yield f"\n## At {table.budget}\n"
    yield f"{about_claims(table)}\n"
    yield f"{_markdown(CLAIM_HEADERS, claim_rows(table))}\n"
    yield LEVELS.rstrip()
    against = list(contradictions(table, [each for each in study.tables if each is not table]))
    if against:
        yield "\nWhat does not hold, how sure that is, and what in the report explains it:\n"
        yield from (f"- {line}" for line in against)
    yield f"\n{about_noise(table)} {about_better(table)}\n"
    far = list(not_by_chance(table))
    if far:
        yield "Printed rates that chance does not explain:\n"
        yield from (f"- {line}" for line in far)
        yield ""
    if study.reproducible:
        games = "" if study.games is None else f" --games {study.games}"
        again = f"--report C --row bfs --budget {table.budget} --seed {study.seed}{games}"
        yield f"Any row gives the same figures alone: `isolation-fast reproduce {again}`.\n"
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
