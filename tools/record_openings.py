"""Solve all openings of 7 by 7, and write the table of those that break the rule of the colours.

Usage: python tools/record_openings.py [--threads N]

An opening is a position at most four moves after both knights were placed. Of those that turns and
mirrorings of the board make of each other one is solved, and only after the last of these moves: the others
follow from them. Some minutes of processor time.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path
from typing import Final, TypeAlias

from isolation_fast import Board, output, solve

Opening: TypeAlias = tuple[tuple[int, int], ...]
"""Where the knight to move stands, where the other one stands, and the cells that they have left."""

ROOT: Final = Path(__file__).resolve().parents[1]
TABLE: Final = ROOT / "rust" / "core" / "src" / "exact" / "openings.txt"
SIDE: Final = 7
MOVES: Final = 4
CELLS: Final = [(row, column) for row in range(SIDE) for column in range(SIDE)]
STEPS: Final = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]


def first_of_its_kind(own: tuple[int, int], other: tuple[int, int], left: Opening) -> Opening:
    """Of all turns and mirrorings of an opening the first in alphabetical order.

    >>> first_of_its_kind((6, 6), (2, 3), ((5, 4), (0, 4)))
    ((0, 0), (3, 4), (2, 1), (2, 6))
    """
    found = []
    turned = [own, other, *left]
    for _ in range(4):
        turned = [(column, SIDE - 1 - row) for row, column in turned]
        found += [turned, [(column, row) for row, column in turned]]
    return min((*cells[:2], *sorted(cells[2:])) for cells in found)


def placements() -> set[Opening]:
    """The openings in which no move was made yet."""
    return {first_of_its_kind(own, other, ()) for own, other in permutations(CELLS, 2)}


def after_a_move(opening: Opening) -> Iterator[Opening]:
    """The openings that a move makes of one."""
    own, other, *left = opening
    for down, right in STEPS:
        to = own[0] + down, own[1] + right
        if to in CELLS and to not in opening:
            yield first_of_its_kind(other, to, (*left, own))


def wins_by_colour(opening: Opening) -> bool:
    """Whether the side to move should win: the knights stand on cells of one colour."""
    (row, column), (other_row, other_column), *_ = opening
    return (row + column + other_row + other_column) % 2 == 0


def wins(opening: Opening) -> bool:
    """What the solver finds."""
    rows = (
        "".join("x" if (row, column) in opening else "." for column in range(SIDE)) for row in range(SIDE)
    )
    (row, column), (other_row, other_column), *_ = opening
    text = f"7x7 {'/'.join(map(_runs, rows))} {row},{column} {other_row},{other_column} 1"
    return solve(Board.from_text(text), moves=False, table=False).outcome == "win"


def _runs(row: str) -> str:
    """A row of the notation: its runs of blank cells as numbers."""
    parts = row.replace("x", " x ").split()
    return "".join(part if part == "x" else str(len(part)) for part in parts)


def main() -> None:
    """Solve the latest openings, say of each earlier one what follows, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1, help="openings at once (default 1)")
    threads = parser.parse_args().threads
    levels = [placements()]
    for _ in range(MOVES):
        levels.append({after for opening in levels[-1] for after in after_a_move(opening)})
    last = sorted(levels.pop())
    won: dict[Opening, bool] = {}
    with (
        ThreadPoolExecutor(threads) as pool,
        output.progress(len(last), "opening", instead="openings: solving") as bar,
    ):
        for opening, is_won in zip(last, pool.map(wins, last), strict=True):
            won[opening] = is_won
            bar.reach(len(won))
    for level in reversed(levels):
        won |= {opening: not all(won[after] for after in after_a_move(opening)) for opening in level}
    strange = sorted(opening for opening, is_won in won.items() if is_won != wins_by_colour(opening))
    strange.sort(key=len)
    lines = (" ".join(f"{row}{column}" for row, column in opening) for opening in strange)
    output.write_whole(TABLE, "".join(f"{line}\n" for line in lines))
    print(f"openings: wrote {len(strange)} of {len(won):,} to {TABLE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
