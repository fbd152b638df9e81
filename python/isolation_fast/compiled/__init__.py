"""Heuristics written in Python, compiled for the engine: which are, and why others are not.

Nobody has to ask for it: `search`, players and tournaments compile a heuristic that they ask often.
"""

from isolation_fast.compiled.explaining import Explanation, Timing, explain, random_positions
from isolation_fast.compiled.source import Refusal, Unread
from isolation_fast.compiled.using import (
    can_be_compiled,
    compile_beside,
    compiled_form,
    compiled_of,
    compiler,
    form_of,
    is_compiling,
    not_compiling,
    report_difference,
    use_of,
    within,
)

__all__ = [
    "Explanation",
    "Refusal",
    "Timing",
    "Unread",
    "can_be_compiled",
    "compile_beside",
    "compiled_form",
    "compiled_of",
    "compiler",
    "explain",
    "form_of",
    "is_compiling",
    "not_compiling",
    "random_positions",
    "report_difference",
    "use_of",
    "within",
]
