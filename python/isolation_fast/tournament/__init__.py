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
from isolation_fast.tournament.outcomes import ChunkResult
from isolation_fast.tournament.plan import Chunk, Plan
from isolation_fast.tournament.playing import run_chunk
from isolation_fast.tournament.records import GameRecord, read_records, write_records
from isolation_fast.tournament.resolving import entrant
from isolation_fast.tournament.results import TournamentResult, merge
from isolation_fast.tournament.rosters import ROSTERS
from isolation_fast.tournament.running import Progress, Run, run
from isolation_fast.tournament.sequential import Sprt
from isolation_fast.tournament.timings import Timings

__all__ = [
    "ROSTERS",
    "AllOpenings",
    "Chunk",
    "ChunkResult",
    "Entrant",
    "FileOpenings",
    "GameRecord",
    "Gauntlet",
    "HookOpenings",
    "Match",
    "Openings",
    "Plan",
    "Progress",
    "RandomOpenings",
    "RoundRobin",
    "Run",
    "Sprt",
    "Timings",
    "Tournament",
    "TournamentResult",
    "budget_text",
    "entrant",
    "merge",
    "parse_budget",
    "read_records",
    "run",
    "run_chunk",
    "write_records",
]
