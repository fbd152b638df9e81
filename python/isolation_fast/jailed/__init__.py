"""A submission in a process without rights: what starts it, asks it, and watches over it.

| name | what it is |
|---|---|
| `JailedProcess` | one submission in a process of its own: loaded, asked for moves, ended |
| `Assignment`, `Limits` | which submission, and what it may use |
| `Loaded`, `Answer`, `Output` | what it holds, what it answered, what it printed |
| `outline` | what its source says that it holds: it is parsed in such a process too |
| `Fault` | what it did instead of answering |
| `measure_cost`, `MeasuredCost` | what a node costs with its heuristic, by the referee's clock |
| `Pool`, `shared_pool` | processes that have imported all they need and wait for a submission |
"""

from typing import TYPE_CHECKING

from isolation_fast._late_names import late_names

if TYPE_CHECKING:
    from isolation_fast.endings import Fault
    from isolation_fast.jailed.answers import Answer, Assignment, Output
    from isolation_fast.jailed.copies import content_digest
    from isolation_fast.jailed.limits import Limits
    from isolation_fast.jailed.measuring import MeasuredCost, measure_cost
    from isolation_fast.jailed.messages import Loaded
    from isolation_fast.jailed.outlining import outline
    from isolation_fast.jailed.pool import Pool, shared_pool
    from isolation_fast.jailed.process import JailedProcess

__all__ = [
    "Answer",
    "Assignment",
    "Fault",
    "JailedProcess",
    "Limits",
    "Loaded",
    "MeasuredCost",
    "Output",
    "Pool",
    "content_digest",
    "measure_cost",
    "outline",
    "shared_pool",
]

# Imported when they are asked for: a jailed process has this package too, and needs nothing of the side that
# watches over it, which would add a tenth to its start.
_PLACES = {
    "endings": ("Fault",),
    "jailed.answers": ("Answer", "Assignment", "Output"),
    "jailed.copies": ("content_digest",),
    "jailed.limits": ("Limits",),
    "jailed.measuring": ("MeasuredCost", "measure_cost"),
    "jailed.messages": ("Loaded",),
    "jailed.outlining": ("outline",),
    "jailed.pool": ("Pool", "shared_pool"),
    "jailed.process": ("JailedProcess",),
}
__getattr__, __dir__ = late_names(__name__, _PLACES)
