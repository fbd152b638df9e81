"""How fast many positions are evaluated at once, over the pure-Python twin of each heuristic.

`make bench` shows the heuristic with the least ratio of each kind; `python benchmarks/evaluation.py` all.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from statistics import median
from time import process_time

from tabulate import tabulate

from isolation_fast import Board, evaluate_many, heuristics, reference

ROUNDS = 5
# Enough boards that a call takes longer than the clock's step.
TOGETHER = 12_000
# Heuristics that walk are asked where most of them do: with less than a fifth of the cells blank.
LATE_BLANKS = range(10)


@dataclass(frozen=True)
class Speed:
    """Nanoseconds a position of one heuristic, by the engine and by its twin."""

    name: str
    ours: float
    twin: float
    ratio: float


def positions(count: int, blanks: range) -> list[str]:
    """Return positions of games between random players, with so many blank cells."""
    chance = random.Random(0)
    found: list[str] = []
    while len(found) < count:
        board = Board()
        for _ in range(chance.randint(2, 47)):
            moves = sorted(board.get_legal_moves())
            # A jump now and then, as the unchecked moves allow: random games end with many blank cells.
            moves = moves or board.get_blank_spaces()
            if not moves:
                break
            board.apply_move(chance.choice(moves))
        if len(board.get_blank_spaces()) in blanks:
            found.append(board.to_text())
    return found


def speed(name: str, texts: list[str]) -> Speed:
    """Measure one heuristic, engine and twin in turn, by CPU time."""
    boards = [Board.from_text(text) for text in texts]
    twins = [reference.Board.from_text(text) for text in texts]
    many = boards * (TOGETHER // len(boards))
    twin = reference.HEURISTICS[name]
    pairs = []
    for _ in range(ROUNDS):
        start = process_time()
        evaluate_many(many, name)
        between = process_time()
        for board in twins:
            twin(board, board.active_player)
        end = process_time()
        pairs.append(((between - start) / len(many) * 1e9, (end - between) / len(twins) * 1e9))
    ours, twins_ns = (median(column) for column in zip(*pairs, strict=True))
    return Speed(name, ours, twins_ns, median(theirs / own for own, theirs in pairs))


def speeds(*, walking: bool) -> list[Speed]:
    """Measure all heuristics of one kind."""
    texts = positions(300, LATE_BLANKS if walking else range(48))
    return [speed(name, texts) for name in heuristics.names() if heuristics.get(name).walks is walking]


def main() -> None:
    """Print all of them."""
    found = [*speeds(walking=False), *speeds(walking=True)]
    rows = [[each.name, f"{each.ours:,.0f}", f"{each.twin:,.0f}", f"{each.ratio:,.0f}"] for each in found]
    print(
        tabulate(
            rows,
            headers=["heuristic", "ns a position", "twin", "ratio"],
            disable_numparse=True,
            colalign=("left", "right", "right", "right"),
        )
    )


if __name__ == "__main__":
    main()
