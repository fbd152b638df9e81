"""How one player did: against each of its opponents and against all, with what that says of its rate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from isolation_fast.endings import GameEnding
from isolation_fast.statistics import (
    EloDifference,
    GauntletRate,
    HeadToHead,
    Interval,
    gauntlet,
    head_to_head,
)
from isolation_fast.tournament.tally import Searched

__all__ = ["FaultyGame", "PlayerResult", "Score"]


@dataclass(frozen=True, slots=True)
class FaultyGame:
    """A game that a player lost by anything but having no move left."""

    opponent: str
    opening: int
    is_player_1: bool
    ending: GameEnding
    detail: str

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.ending}: {self.detail}" if self.detail else self.ending


@dataclass(frozen=True)
class Score:
    """One player against one other.

    >>> score = Score("Random", games=6, won=4, pair_wins=bytes([2, 1, 1]))
    >>> score.lost, score.head_to_head.one_each
    (2, 2)
    >>> print(score)
    4 of 6 against Random: 66.7 %, 0.0 to 100.0 % (95 %)
    """

    opponent: str
    games: int
    won: int
    pair_wins: bytes = field(repr=False)
    """A byte for each opening that was played from both sides: how many of the two games were won."""
    opponent_broken: bool = False
    """Whether the opponent had three strikes: it was not played to the end then."""

    @property
    def lost(self) -> int:
        """How many games were lost."""
        return self.games - self.won

    @property
    def rate(self) -> float | None:
        """The share of games won; None if there are none."""
        return self.won / self.games if self.games else None

    @cached_property
    def head_to_head(self) -> HeadToHead | None:
        """What the pairs say: interval, Elo, likelihood of superiority; None if there is none."""
        if not self.pair_wins:
            return None
        lost_both, one_each, won_both = (self.pair_wins.count(number) for number in range(3))
        return head_to_head(lost_both, one_each, won_both)

    @property
    def interval(self) -> Interval | None:
        """Where the true rate is, by the pairs."""
        return self.head_to_head.interval if self.head_to_head else None

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it: a number without a value is None."""
        pairs = self.head_to_head
        return {
            "opponent": self.opponent,
            "games": self.games,
            "won": self.won,
            "lost": self.lost,
            "rate": self.rate,
            "interval": _fields(self.interval),
            "pairs": [self.pair_wins.count(number) for number in range(3)],
            "elo": _fields(pairs and pairs.elo),
            "superiority": pairs and pairs.superiority,
        }

    def __str__(self) -> str:
        if self.rate is None:
            return f"no games against {self.opponent}"
        told = f", {self.interval.in_percent()}" if self.interval else ""
        return f"{self.won} of {self.games} against {self.opponent}: {100 * self.rate:.1f} %{told}"


@dataclass(frozen=True)
class PlayerResult:
    """One player against all its opponents.

    >>> scores = (Score("Random", 4, 4, bytes([2, 2])), Score("MM_Open", 4, 1, bytes([0, 1])))
    >>> player = PlayerResult("AB_Custom", scores, Searched(nodes=1000, turns=50))
    >>> player.rate, player.block_means, player.endings
    (0.625, [0.5, 0.75], {'no moves': 3})
    >>> print(player)
    AB_Custom won 5 of 8: 62.5 %, 0.0 to 100.0 % (95 %)
    """

    name: str
    scores: tuple[Score, ...]
    """Against each opponent, in the order of the plan."""
    searched: Searched | None = None
    """Positions and moves; None if some of its games do not count."""
    faults: tuple[FaultyGame, ...] = ()
    """The games that it lost by its own fault."""
    is_broken: bool = False
    """Whether these were three, so that the rest of its games was not played."""

    @property
    def games(self) -> int:
        """How many games it played that count."""
        return sum(each.games for each in self.scores)

    @property
    def won(self) -> int:
        """How many of them it won."""
        return sum(each.won for each in self.scores)

    @property
    def lost(self) -> int:
        """How many of them it lost."""
        return self.games - self.won

    @property
    def rate(self) -> float | None:
        """The share of games won, of those that were played; None if there are none."""
        return self.won / self.games if self.games else None

    @property
    def endings(self) -> Mapping[GameEnding, int]:
        """How it lost, and how often."""
        faults = Counter(each.ending for each in self.faults)
        return {"no moves": self.lost - len(self.faults), **faults}

    @cached_property
    def block_means(self) -> list[float]:
        """The shares of games won in each complete block: one opening, all opponents, both sides.

        In the order of the plan. A block is complete without the opponents that are broken by then.
        """
        to_the_end = [len(each.pair_wins) for each in self.scores if not each.opponent_broken]
        if not self.scores:
            return []
        last = min(to_the_end) if to_the_end else max(len(each.pair_wins) for each in self.scores)
        common = min(len(each.pair_wins) for each in self.scores)
        pairs = [each.pair_wins for each in self.scores]
        games = 2 * len(pairs)
        means = [sum(wins) / games for wins in zip(*(each[:common] for each in pairs), strict=True)]
        for opening in range(common, last):
            played = [each[opening] for each in pairs if opening < len(each)]
            means.append(sum(played) / (2 * len(played)))
        return means

    @cached_property
    def blocks(self) -> GauntletRate | None:
        """What the complete blocks say of its rate; None if there is none, or one opponent alone."""
        several = len(self.scores) > 1
        return gauntlet(self.block_means) if several and self.block_means else None

    @property
    def interval(self) -> Interval | None:
        """Where its true rate is: by pairs if it has one opponent, by blocks if it has several."""
        if len(self.scores) == 1:
            return self.scores[0].interval
        return self.blocks.interval if self.blocks else None

    @property
    def elo(self) -> EloDifference | None:
        """Its rate as Elo points above the average of its opponents; None if there is no interval."""
        if len(self.scores) == 1:
            return self.scores[0].head_to_head.elo if self.scores[0].head_to_head else None
        return EloDifference.of(self.blocks.rate, self.blocks.interval) if self.blocks else None

    def to_dict(self, *, with_scores: bool = True) -> dict[str, Any]:
        """All of it, as JSON knows it: a number without a value is None."""
        told = {
            "name": self.name,
            "games": self.games,
            "won": self.won,
            "lost": self.lost,
            "rate": self.rate,
            "endings": dict(self.endings),
            "nodes": self.searched and self.searched.nodes,
            "turns": self.searched and self.searched.turns,
            "broken": self.is_broken,
            "faults": [each.to_dict() for each in self.faults],
        }
        if not with_scores:
            return told
        return {
            **told,
            "interval": _fields(self.interval),
            "elo": _fields(self.elo),
            "blocks": _fields(self.blocks, ("blocks", "rate", "variance", "standard_error")),
            "opponents": [each.to_dict() for each in self.scores],
        }

    def __str__(self) -> str:
        if self.rate is None:
            return f"{self.name} played no game"
        told = f", {self.interval.in_percent()}" if self.interval else ""
        broken = f"; broken: {self.faults[-1]}" if self.is_broken else ""
        return f"{self.name} won {self.won} of {self.games}: {100 * self.rate:.1f} %{told}{broken}"


def _fields(value: Any, names: Collection[str] | None = None) -> dict[str, Any] | None:
    """The fields of a frozen result, or those of them that are named; None of None."""
    if value is None:
        return None
    return {name: content for name, content in asdict(value).items() if names is None or name in names}
