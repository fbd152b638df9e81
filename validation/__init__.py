"""Whether submissions get the same values and the same endings on the classic board and on ours.

A program of this tree, not of the wheel: `python -m validation --help`, and `make corpus`.

>>> from validation import compare
"""

from validation.comparing import compare
from validation.findings import (
    Comparison,
    Difference,
    HeuristicFinding,
    HeuristicVerdict,
    Options,
    PlayerFinding,
    PlayerVerdict,
    SubmissionFindings,
)
from validation.sources import ComparisonError

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
