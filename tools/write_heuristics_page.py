"""Write docs/heuristics.md: what each native heuristic measures, its formula, and a worked example.

Everything on the page comes from the registry and from `isolation_fast.worked_examples`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from isolation_fast import heuristics
from isolation_fast.cost import PRICES_VERSION
from isolation_fast.heuristics import Heuristic
from isolation_fast.searching import WALK_LIMIT
from isolation_fast.worked_examples import (
    ENDINGS,
    FAMILIES,
    LETTERS,
    Family,
    cost_in_words,
    ending_in_words,
    note_of,
    shown,
    source_in_words,
    worked_examples,
)

PAGE = Path(__file__).resolve().parents[1] / "docs" / "heuristics.md"

INTRODUCTION = """\
# The native heuristics

The {count} heuristics that run inside the engine: four of the course, and those of five student reports on
the course's project, which are called A to E here. `isolation-fast heuristics` lists them,
`isolation-fast heuristics NAME` shows what this page says of one. `make heuristics-page` writes the page, so
it is not edited by hand.

## How to read it

In the formulas

{letters}

When a game is over, a heuristic does one of three things. A search asks it there too.

{endings}

One that walks the tree of play looks at the positions below the one it is asked about. In a search each of
them is one of the search's nodes; outside a search there may be {limit:,} of them.

A cost is that of a node with the heuristic, in nodes with `improved`, as [cost.md](cost.md) defines it: for a
game as a whole, and by the blank cells of a board of 7x7. Counted by version {prices} of the price list.

Each example names its position in the [text notation](architecture.md#the-text-notation) of boards. The
values are the engine's, and the working is that of `isolation_fast.reference`, rounded to four places.
"""


def main() -> None:
    """Write the page anew."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """The whole page."""
    letters = "\n".join(f"- `{letter}`: {meaning}" for letter, meaning in LETTERS.items())
    endings = "\n".join(f"- {letter or '–'}: {meaning}" for letter, meaning in ENDINGS.items())
    introduction = INTRODUCTION.format(
        count=len(heuristics.names()),
        letters=letters,
        endings=endings,
        limit=WALK_LIMIT,
        prices=PRICES_VERSION,
    )
    contents = "\n".join(_line_of_contents(family) for family in FAMILIES)
    return "\n".join([introduction, contents, *(part for family in FAMILIES for part in _family(family))])


def _line_of_contents(family: Family) -> str:
    names = ", ".join(f"`{name}`" for name in family.twins)
    return _filled(f"- [{family.name}](#{family.name}), {family.about}: {names}", "  ")


def _family(family: Family) -> Iterator[str]:
    yield f"\n## {family.name}\n"
    yield _sentence(family.about)
    members = [heuristics.get(name) for name in family.twins]
    if family.name == "decay":
        # They differ in r alone: one section for all.
        yield from _section(members)
    else:
        for member in members:
            yield from _section([member])


def _section(members: list[Heuristic]) -> Iterator[str]:
    """What there is to say of a heuristic, or of several that differ in their parameters alone."""
    first = members[0]
    yield f"\n### {first.name}{f' to {members[-1].name}' if len(members) > 1 else ''}\n"
    yield f"{_sentence(first.summary)}\n"
    yield f"```text\n{_filled(first.formula)}\n```\n"
    yield f"- from {source_in_words(first)}"
    yield f"- at the end of a game: {ending_in_words(first)}"
    for name, (lowest, highest) in first.allowed.items():
        values = ", ".join(shown(member.parameters[name]) for member in members)
        yield f"- parameter `{name}`: {values}; a variant may have {lowest:,.10g} to {highest:,.10g}"
    if first.walks:
        yield "- walks the tree of play" + (" where that is what counts" if first.parameters else "")
    for member in members:
        yield _filled(
            f"- cost{f' of `{member.name}`' if len(members) > 1 else ''}: {cost_in_words(member)}", "  "
        )
    for member in members:
        if note := note_of(member):
            yield f"\n{_filled(note)}"
    for example in worked_examples(first):
        yield f"\n```text\n{example}\n```"
    if len(members) > 1:
        yield "\nOn the same position:\n"
        yield "| heuristic | player 1 | player 2 |\n|---|---|---|"
        for member in members:
            (example,) = worked_examples(member)
            cells = [f"`{member.name}`", *map(shown, example.values.values())]
            yield f"| {' | '.join(cells)} |"


def _filled(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 110, subsequent_indent=indent, break_on_hyphens=False)


def _sentence(words: str) -> str:
    """The words with a full stop, and with a capital letter unless they begin with a heuristic's name."""
    first, rest = re.split(r"\b", words, maxsplit=2)[1:]
    return f"`{first}`{rest}." if first in heuristics.names() else f"{first.capitalize()}{rest}."


if __name__ == "__main__":
    main()
