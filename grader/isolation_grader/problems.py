"""Why there is no verdict: cause, reason, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from isolation_fast.endings import GameEnding
from isolation_fast.jail import Fault
from isolation_grader.loading import Loading
from isolation_grader.report import Problem
from isolation_grader.trial import Tried

__all__ = ["broken", "cannot_be_measured", "not_loaded", "nothing_to_grade", "template"]

HELP: Final[Mapping[str, str]] = {
    "raised": "mend the error: its line is named, and the positions of the games show when it happens; "
    "mind players that are not placed yet, and games that are over",
    "bad answer": "a heuristic returns a number that is not NaN, and a player a cell as (row, column)",
    "illegal move": "a player returns one of the moves of game.get_legal_moves()",
    "timeout": "it computes too long for one move: search less, or come back in time",
    "hung": "it waits for something that does not come: it may neither read input nor sleep",
    "killed": "it ended its own process: it may not call exit() or the like",
    "out of memory": "it keeps too much: a cache needs a bound",
    "refused": "it asked the system for something that a heuristic does not need, such as a file, a "
    "process or the network: see docs/security.md",
    "protocol broken": "it wrote where only the grader's own worker writes",
    "not loaded": "the file must be one that Python imports: run it by itself, with nothing but "
    "the modules beside it, numpy, scipy and the standard library",
}
WRITE: Final = "write custom_score(game, player)"


def not_loaded(loading: Loading) -> Problem:
    """It cannot be graded at all."""
    known = HELP.get(loading.cause, HELP["not loaded"])
    if loading.outline is not None and loading.cause == "not loaded" and not loading.outline.heuristics:
        known = WRITE
    return Problem(loading.cause, loading.problem or "it could not be loaded", known, loading.trace)


def nothing_to_grade(loading: Loading, *, players: bool) -> Problem:
    """It loads, and there is nothing in it."""
    kind, other = ("player", "heuristic") if players else ("heuristic", "player")
    others = loading.holds.heuristics if players else loading.holds.players
    seen = f": its {other}s are {', '.join(others)}" if others else ""
    advice = WRITE if not players else "write a class with get_move"
    return Problem(f"no {kind}", f"it has no {kind}{seen}", advice)


def template(name: str) -> Problem:
    """It is still to be written."""
    return Problem("template", f"{name} is still the template that raises NotImplementedError", "write it")


def cannot_be_measured(fault: Fault) -> Problem:
    """It fails while its cost is measured."""
    help_ = HELP.get(fault.ending, HELP["not loaded"])
    if fault.ending == "raised":
        help_ = "mend the error: its line is named, and `isolation-grade probe` draws positions it happens in"
    reason = f"its cost cannot be measured: {fault.detail}"
    return Problem(fault.ending, reason, help_, tuple(fault.trace.splitlines()))


def broken(tried: Tried) -> Problem:
    """It lost three games by its own fault."""
    result = tried.grading.result
    assert result is not None
    last = result.faults[-1]
    ending: GameEnding = last.ending
    trace = next((each for _, record, each in tried.lost if record.ending == ending and each), ())
    reason = f"it lost {len(result.faults)} games by {ending!r}, the last one: {last.detail}"
    if {each.ending for each in result.faults} != {ending}:
        endings = sorted({each.ending for each in result.faults})
        reason = f"it lost {len(result.faults)} games by {', '.join(map(repr, endings))}: {last.detail}"
    return Problem(ending, reason, HELP.get(ending, HELP["not loaded"]), trace)
