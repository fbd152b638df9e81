"""Three strikes: which games count once a player has failed too often, in the order of the plan.

A strike is a game lost by anything but having no move left. After the third one a player is broken, and its
games behind that do not count, though they may have been played already where several workers are at it. So
what counts depends on the plan alone, and not on who played when.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from isolation_fast.endings import NO_STRIKES, GameEnding
from isolation_fast.tournament.outcomes import LOST, NOT_PLAYED, ChunkResult
from isolation_fast.tournament.plan import Plan

__all__ = ["STRIKES", "Strike", "StrikeCount"]

STRIKES: Final = 3
"""How many make a player broken."""


@dataclass(frozen=True, slots=True)
class Strike:
    """A game that an entrant lost by its own fault. Entrants are named by their index in the plan."""

    entrant: int
    opponent: int
    opening: int
    is_player_1: bool
    """Which player of that game the entrant was."""
    ending: GameEnding
    detail: str


class StrikeCount:
    r"""Counts the strikes of a tournament while its chunks come in, in the order of the plan.

    >>> from isolation_fast.tournament.entrants import NativeEntrant
    >>> from isolation_fast.tournament.openings import RandomOpenings
    >>> from isolation_fast.tournament.plan import Pairing
    >>> players = (NativeEntrant("Ann", "random"), NativeEntrant("Ben", "random"))
    >>> plan = Plan("match", players, (0, 1), (Pairing(0, 1),), RandomOpenings(3))
    >>> raised = {game: ("raised", "ValueError") for game in (0, 1, 4)}
    >>> strikes = StrikeCount(plan)
    >>> strikes.counted(ChunkResult(0, 0, 0, bytes([0, 0, 1, 0, 0, 1]), raised)).outcomes
    b'\x00\x00\x01\x00\x00\x02'
    >>> strikes.is_broken(0), strikes.is_broken(1)
    (True, False)
    """

    def __init__(self, plan: Plan) -> None:
        self._pairings = plan.pairings
        self._strikes: dict[int, list[Strike]] = {}

    def is_broken(self, entrant: int) -> bool:
        """Whether an entrant has had its three strikes."""
        return len(self._strikes.get(entrant, ())) >= STRIKES

    def is_over(self, pairing: int) -> bool:
        """Whether one of a pairing is broken: the rest of its games does not count."""
        return self.is_broken(self._pairings[pairing].first) or self.is_broken(self._pairings[pairing].second)

    @property
    def strikes(self) -> tuple[Strike, ...]:
        """All strikes so far, entrant by entrant."""
        return tuple(strike for _, each in sorted(self._strikes.items()) for strike in each)

    def counted(self, result: ChunkResult) -> ChunkResult:
        """The next chunk with only those of its games that count; the others are `NOT_PLAYED`."""
        if self.is_over(result.pairing):
            return _cut(result, 0)
        for game in sorted(result.endings):
            ending, detail = result.endings[game]
            if ending in NO_STRIKES or result.outcomes[game] == NOT_PLAYED:
                continue
            self._add(result, game, ending, detail)
            if self.is_over(result.pairing):
                return _cut(result, game + 1)
        return result

    def _add(self, result: ChunkResult, game: int, ending: GameEnding, detail: str) -> None:
        pairing = self._pairings[result.pairing]
        first_lost = result.outcomes[game] == LOST
        loser, winner = pairing.first, pairing.second
        if not first_lost:
            loser, winner = winner, loser
        # The pairing's first is player 1 in the first game of each opening.
        is_player_1 = first_lost == (game % 2 == 0)
        opening = result.first_opening + game // 2
        self._strikes.setdefault(loser, []).append(
            Strike(loser, winner, opening, is_player_1, ending, detail)
        )


def _cut(result: ChunkResult, games: int) -> ChunkResult:
    """The chunk with its first games alone."""
    last = (result.first_opening + games // 2, games % 2)
    records = result.records
    if records is not None:
        records = tuple(each for each in records if (each["opening"], each["side"]) < last)
    return replace(
        result,
        outcomes=result.outcomes[:games] + bytes([NOT_PLAYED]) * (len(result.outcomes) - games),
        endings={game: ending for game, ending in result.endings.items() if game < games},
        reproducible=result.reproducible or result.clock_from >= games,
        records=records,
    )
