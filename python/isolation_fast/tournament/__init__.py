"""Tournaments at volume: who is the better player, and how sure that is.

>>> from isolation_fast.tournament import Match
>>> Match("AB:bfs@nodes=100", "AB_Improved@nodes=100", games=1000, seed=1).run().games
1000
"""

from typing import TYPE_CHECKING

from isolation_fast._late_names import late_names

if TYPE_CHECKING:
    from isolation_fast.budgets import budget_text, cost_text, parse_budget
    from isolation_fast.tournament.entrants import Entrant, NativeEntrant, ObjectEntrant, SubmissionEntrant
    from isolation_fast.tournament.formats import Gauntlet, Match, RoundRobin, Tournament
    from isolation_fast.tournament.openings import (
        AllOpenings,
        FileOpenings,
        HookOpenings,
        Openings,
        RandomOpenings,
    )
    from isolation_fast.tournament.outcomes import ChunkResult, Timings, Use
    from isolation_fast.tournament.plan import Chunk, Plan
    from isolation_fast.tournament.playing import run_chunk
    from isolation_fast.tournament.records import GameRecord, read_records, write_records
    from isolation_fast.tournament.resolving import ROSTERS, entrant
    from isolation_fast.tournament.results import FaultyGame, PlayerResult, Score, TournamentResult, merge
    from isolation_fast.tournament.running import Progress, Run, available_processors, run
    from isolation_fast.tournament.sequential import Sprt
    from isolation_fast.tournament.tally import StrikeCount

__all__ = [
    "ROSTERS",
    "AllOpenings",
    "Chunk",
    "ChunkResult",
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
    "Timings",
    "Tournament",
    "TournamentResult",
    "Use",
    "available_processors",
    "budget_text",
    "cost_text",
    "entrant",
    "merge",
    "parse_budget",
    "read_records",
    "run",
    "run_chunk",
    "write_records",
]

# Imported when they are asked for: each chunk with a Python player begins in a fresh process, which needs few
# of them, and all together take as long as the rest of its start.
_PLACES = {
    "tournament.entrants": ("Entrant", "NativeEntrant", "ObjectEntrant", "SubmissionEntrant"),
    "tournament.formats": ("Gauntlet", "Match", "RoundRobin", "Tournament"),
    "budgets": ("budget_text", "cost_text", "parse_budget"),
    "tournament.openings": ("AllOpenings", "FileOpenings", "HookOpenings", "Openings", "RandomOpenings"),
    "tournament.outcomes": ("ChunkResult", "Timings", "Use"),
    "tournament.plan": ("Chunk", "Plan"),
    "tournament.playing": ("run_chunk",),
    "tournament.records": ("GameRecord", "read_records", "write_records"),
    "tournament.resolving": ("ROSTERS", "entrant"),
    "tournament.results": ("FaultyGame", "PlayerResult", "Score", "TournamentResult", "merge"),
    "tournament.running": ("Progress", "Run", "available_processors", "run"),
    "tournament.sequential": ("Sprt",),
    "tournament.tally": ("StrikeCount",),
}
__getattr__, __dir__ = late_names(__name__, _PLACES)
