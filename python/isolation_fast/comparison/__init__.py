"""Whether submissions get the same values and the same endings on the classic board and on ours.

>>> from isolation_fast.comparison import compare
"""

from isolation_fast.comparison.comparing import compare
from isolation_fast.comparison.findings import (
    Comparison,
    Difference,
    HeuristicFinding,
    HeuristicVerdict,
    Options,
    PlayerFinding,
    PlayerVerdict,
    SubmissionFindings,
)
from isolation_fast.comparison.folders import ComparisonError

__all__ = [
    "Comparison",
    "ComparisonError",
    "Difference",
    "HeuristicFinding",
    "HeuristicVerdict",
    "Options",
    "PlayerFinding",
    "PlayerVerdict",
    "SubmissionFindings",
    "compare",
]
