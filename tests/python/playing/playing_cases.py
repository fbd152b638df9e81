"""What the tests of chunks share: openings, the submissions of `tests/submissions/tournament`, opponents."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from isolation_fast import Budget, heuristics
from isolation_fast.playing.entrants import NativeEntrant, SubmissionEntrant
from isolation_fast.playing.outcomes import ChunkResult

CASES = Path(__file__).parents[2] / "submissions" / "tournament"
OPENINGS = (
    "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1",
    "7x7 7/1x5/7/7/4x2/7/7 1,1 4,4 1",
    "7x7 7/7/5x1/7/2x4/7/7 4,2 2,5 1",
)
GREEDY = NativeEntrant("Greedy", "greedy", heuristics.get("open"))
RANDOM = NativeEntrant("Random", "random")


def entrant_of(file: Path, member: str, budget: Budget | None = None) -> SubmissionEntrant:
    """A member of a file, with a small budget where it is a heuristic and none is given."""
    if member.startswith("custom_score") and budget is None:
        budget = Budget(nodes=30)
    digest = sha256(file.read_bytes()).hexdigest()
    return SubmissionEntrant(f"{file.parent.name}:{member}", str(file), member, digest, budget)


def submitted(case: str, member: str = "custom_score", budget: Budget | None = None) -> SubmissionEntrant:
    return entrant_of(CASES / case / "game_agent.py", member, budget)


def without_times(result: ChunkResult) -> ChunkResult:
    return replace(result, seconds=0.0, cpu_seconds=0.0)


BEHAVING = (
    submitted("sound"),
    submitted("sound", "Largest"),
    submitted("sound", "Drawing"),
    submitted("first_layout", "CustomPlayer"),
    submitted("not_loading", "WantingAHeuristic"),
    submitted("keeping_state"),
    submitted("keeping_state", "Counting"),
    submitted("keeping_state", "NumpyDrawing"),
    submitted("printing", "Talking"),
    submitted("player_alone", "Smallest"),
)
"""Players that play their games to the end, the same ones each time."""
