"""Submissions of the course: load a `game_agent.py` and see what it holds.

>>> from isolation_fast.submission import load
"""

from isolation_fast.submission.asking import SubmissionPlayer, as_player
from isolation_fast.submission.failures import Reason, SubmissionError
from isolation_fast.submission.loading import Submission, load, not_a_heuristic
from isolation_fast.submission.outline import MemberKind, Outline, is_custom_score, parse
from isolation_fast.submission.sources import (
    FILE_NAME,
    NotCopiedError,
    digest_of,
    located,
)

__all__ = [
    "FILE_NAME",
    "MemberKind",
    "NotCopiedError",
    "Outline",
    "Reason",
    "Submission",
    "SubmissionError",
    "SubmissionPlayer",
    "as_player",
    "digest_of",
    "is_custom_score",
    "load",
    "located",
    "not_a_heuristic",
    "parse",
]
