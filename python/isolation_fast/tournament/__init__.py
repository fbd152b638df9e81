"""Tournaments at volume: who is the better player, and how sure that is.

>>> from isolation_fast.tournament import Match
>>> Match("AB:bfs", "AB_Improved", games=1000, seed=1).plan().games
1000
"""

from isolation_fast.tournament.entrants import Entrant
from isolation_fast.tournament.formats import Gauntlet, Match, RoundRobin, Tournament
from isolation_fast.tournament.grammar import budget_text, parse_budget
from isolation_fast.tournament.openings import (
    AllOpenings,
    FileOpenings,
    HookOpenings,
    Openings,
    RandomOpenings,
)
from isolation_fast.tournament.plan import Plan
from isolation_fast.tournament.resolving import entrant
from isolation_fast.tournament.rosters import ROSTERS

__all__ = [
    "ROSTERS",
    "AllOpenings",
    "Entrant",
    "FileOpenings",
    "Gauntlet",
    "HookOpenings",
    "Match",
    "Openings",
    "Plan",
    "RandomOpenings",
    "RoundRobin",
    "Tournament",
    "budget_text",
    "entrant",
    "parse_budget",
]
