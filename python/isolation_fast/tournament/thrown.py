"""Won positions that were thrown away: how many moves made from won positions lose them, by stage.

A game has a dozen decisions of each player, so this tells players apart sooner than who won. The games of an
opening depend on each other, so an opening is one observation, with as much weight as it has such moves.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from isolation_fast import statistics
from isolation_fast.cost import BANDS, band_in_words, band_of
from isolation_fast.playing.outcomes import ChunkResult
from isolation_fast.statistics import GauntletRate, Interval

COUNTS: Final = 3
"""For each stage: moves from won positions, those of them that lose, moves from unknown positions."""
OF_ENTRANT: Final = COUNTS * len(BANDS)
OF_OPENING: Final = 2 * OF_ENTRANT
"""Numbers for each opening of a pairing: those of its first entrant, then of its second."""


def counted(result: ChunkResult, openings: Sequence[str]) -> array[int]:
    """What a chunk that was judged adds: `OF_OPENING` numbers for each of its openings."""
    found = array("H", bytes(2 * OF_OPENING * len(openings)))
    for game, outcomes in enumerate(result.judged or ()):
        blank, cells, first_player = _start(openings[game // 2])
        # The pairing's first entrant is player 1, and in every other game player 2.
        first_entrant = first_player ^ game % 2
        base = OF_OPENING * (game // 2)
        # The last position is one from which nobody moved.
        for number, (before, after) in enumerate(pairwise(outcomes)):
            entrant = first_entrant ^ number % 2
            place = base + OF_ENTRANT * entrant + COUNTS * band_of(blank - number, cells)
            if before == "w":
                found[place] += 1
                found[place + 1] += after == "w"
            elif before == "u":
                found[place + 2] += 1
    return found


def cells_of(opening: str) -> int:
    """How many cells the board of an opening has."""
    return _start(opening)[1]


@lru_cache(maxsize=4096)
def _start(opening: str) -> tuple[int, int, int]:
    """Blank cells, all cells, and the player to move: 0 or 1."""
    size, rows, *_, to_move = opening.split()
    width, height = map(int, size.split("x"))
    return sum(map(int, re.findall(r"\d+", rows))), width * height, int(to_move) - 1


@dataclass(frozen=True)
class ThrownWins:
    """How often a player threw away a won position.

    >>> half = ThrownWins.of([array("H", [12, 3, 0] * 10)], [True], 49)
    >>> print(half)
    15 of 60 moves from won positions threw the win away: 25.0 %
    >>> half.stages["35-49 blank"].thrown, half.rate
    (3, 0.25)
    """

    moves: int
    """Moves made from won positions."""
    thrown: int
    """Those of them after which the opponent wins."""
    unknown: int
    """Moves from positions that were not decided within the nodes: they count for nothing else."""
    openings: GauntletRate | None
    """The share over openings, with its standard error and interval; None without a won position."""
    stages: Mapping[str, ThrownWins] = field(default_factory=dict, repr=False)
    """The same by the blank cells before the move, in the order of a game; empty for a stage."""

    @property
    def rate(self) -> float | None:
        """The share of moves from won positions that threw the win away."""
        return None if self.openings is None else self.openings.rate

    @property
    def interval(self) -> Interval | None:
        """The confidence interval of the share, over openings."""
        return None if self.openings is None else self.openings.interval

    @classmethod
    def of(cls, pairings: Sequence[array[int]], firsts: Sequence[bool], cells: int) -> ThrownWins:
        """A player's, from what `counted` gave for each of its pairings, and whether it was first there."""
        offsets = [0 if first else OF_ENTRANT for first in firsts]

        def column(of_stage: int) -> list[int]:
            parts = [
                each[offset + of_stage :: OF_OPENING] for each, offset in zip(pairings, offsets, strict=True)
            ]
            return [sum(each) for each in zip(*parts, strict=True)]

        bands = [[column(COUNTS * band + count) for count in range(COUNTS)] for band in range(len(BANDS))]
        words = [band_in_words(band, cells) for band in range(len(BANDS))]
        stages = {words[band]: cls._over(*bands[band]) for band in reversed(range(len(BANDS)))}
        both = ([sum(each) for each in zip(*columns, strict=True)] for columns in zip(*bands, strict=True))
        return cls._over(*both, stages=stages)

    @classmethod
    def _over(
        cls, moves: list[int], thrown: list[int], unknown: list[int], **stages: Mapping[str, ThrownWins]
    ) -> ThrownWins:
        """From the numbers of each opening."""
        decided = [each for each in zip(moves, thrown, strict=True) if each[0]]
        made, lost = sum(moves), sum(thrown)
        rate = None
        if decided:
            # Half a move thrown away in all: a share of 0, or of 1, is no certainty.
            least = 0.5 / (made + 1)
            rate = statistics.gauntlet(
                [each[1] / each[0] for each in decided],
                weights=[each[0] for each in decided],
                variance_floor=least * (1 - least) * len(decided) / made,
            )
        return cls(made, lost, sum(unknown), rate, **stages)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        found = {
            **{name: getattr(self, name) for name in ("moves", "thrown", "unknown", "rate")},
            "openings": self.openings and self.openings.blocks,
            "standard_error": self.openings and self.openings.standard_error,
            "interval": self.interval and asdict(self.interval),
        }
        if self.stages:
            found["stages"] = {name: each.to_dict() for name, each in self.stages.items()}
        return found

    def __str__(self) -> str:
        if self.openings is None:
            return "no move from a won position"
        moves = f"{self.thrown:,} of {self.moves:,} move{'' if self.moves == 1 else 's'}"
        interval = "" if self.openings.blocks == 1 else f", {self.openings.interval.in_percent()}"
        return f"{moves} from won positions threw the win away: {100 * self.openings.rate:.1f} %{interval}"
