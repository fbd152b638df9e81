from __future__ import annotations

import sys
from dataclasses import InitVar, dataclass, field
from typing import ClassVar, NamedTuple

me = sys.modules[__name__]
me.WEIGHT = 2.0


@dataclass
class Weights:
    own: float
    kind: ClassVar[str] = "linear"
    scale: InitVar[float] = 1.0
    others: list[float] = field(default_factory=list)

    def __post_init__(self, scale):
        self.own *= scale


class Move(NamedTuple):
    row: int
    column: int = 3


WEIGHTS = Weights(WEIGHT, 2.0)


def custom_score(game, player):
    return WEIGHTS.own * len(game.get_legal_moves(player)) + Move(0).column
