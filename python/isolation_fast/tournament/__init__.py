"""Tournaments at volume: who is the better player, and how sure that is.

>>> from isolation_fast.tournament import Match
>>> Match("AB:bfs@nodes=100", "AB_Improved@nodes=100", games=1000, seed=1).run().games
1000
"""

from isolation_fast.budgets import budget_text, parse_budget
from isolation_fast.playing.chunks import run_chunk
from isolation_fast.playing.entrants import (
    Chunk,
    CountedEntrant,
    Entrant,
    NativeEntrant,
    ObjectEntrant,
    SubmissionEntrant,
)
from isolation_fast.playing.outcomes import ChunkResult, Use
from isolation_fast.playing.records import GameRecord, read_records, write_records
from isolation_fast.tournament.formats import Gauntlet, Match, RoundRobin, Tournament
from isolation_fast.tournament.journal import carry_over
from isolation_fast.tournament.openings import (
    AllOpenings,
    BalancedOpenings,
    FileOpenings,
    HookOpenings,
    Openings,
    RandomOpenings,
)
from isolation_fast.tournament.plan import Plan
from isolation_fast.tournament.resolving import ROSTERS, entrant, why_timed
from isolation_fast.tournament.results import FaultyGame, PlayerResult, Score, TournamentResult, merge
from isolation_fast.tournament.running import (
    CompiledHeuristic,
    Progress,
    Run,
    Timings,
    available_processors,
    cluster,
    executor_of,
    played_by,
    played_here,
    run,
)
from isolation_fast.tournament.sequential import Sprt
from isolation_fast.tournament.tally import StrikeCount
from isolation_fast.tournament.thrown import ThrownWins

__all__ = [
    "ROSTERS",
    "AllOpenings",
    "BalancedOpenings",
    "Chunk",
    "ChunkResult",
    "CompiledHeuristic",
    "CountedEntrant",
    "Entrant",
    "FaultyGame",
    "FileOpenings",
    "GameRecord",
    "Gauntlet",
    "HookOpenings",
    "Match",
    "NativeEntrant",
    "ObjectEntrant",
    "Openings",
    "Plan",
    "PlayerResult",
    "Progress",
    "RandomOpenings",
    "RoundRobin",
    "Run",
    "Score",
    "Sprt",
    "StrikeCount",
    "SubmissionEntrant",
    "ThrownWins",
    "Timings",
    "Tournament",
    "TournamentResult",
    "Use",
    "available_processors",
    "budget_text",
    "carry_over",
    "cluster",
    "entrant",
    "executor_of",
    "merge",
    "parse_budget",
    "played_by",
    "played_here",
    "read_records",
    "run",
    "run_chunk",
    "why_timed",
    "write_records",
]
