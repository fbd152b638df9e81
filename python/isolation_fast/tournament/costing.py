"""What a node costs with the heuristics of a plan whose cost is not known: measured when it is planned.

Other people's code is measured in a process of its own: in the jail if the plan has one for it, else in a
process that is watched as in a game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from isolation_fast.cost import Cost
from isolation_fast.endings import Fault
from isolation_fast.exceptions import UnknownCostError
from isolation_fast.jail import Assignment, Limits, measure_cost
from isolation_fast.measuring import CostInPlay, cost_in_play
from isolation_fast.playing.chunks import reported, require_unchanged_files
from isolation_fast.playing.entrants import (
    Chunk,
    Entrant,
    NativeEntrant,
    ObjectEntrant,
    SubmissionEntrant,
    is_played_by_engine,
    refuse_in_a_script_run_again,
)
from isolation_fast.playing.protocol import Measured, Order, Stopped
from isolation_fast.tournament.plan import Plan

MEASURING_SECONDS: Final = 60.0
"""How long a measurement may take. With `improved` it takes a few seconds."""

OnCost: TypeAlias = Callable[[str, Cost], object]
"""Called with the name of each player whose cost was measured, and with the cost."""

_EMPTY: Final = "7x7 7/7/7/7/7/7/7 - - 1"


def with_costs(plan: Plan, *, on_cost: OnCost | None = None, seconds: float = MEASURING_SECONDS) -> Plan:
    """The plan with the cost of each heuristic that has a budget of work: an unknown cost is measured.

    A heuristic that raises, or takes longer than `seconds`, is an `UnknownCostError` that says so.

    >>> from isolation_fast.tournament import Match
    >>> plan = Match("AB:bfs", "AB_Improved", games=2).plan()
    >>> with_costs(plan) is plan
    True
    """
    if not any(map(_is_unknown, plan.entrants)):
        return plan
    refuse_in_a_script_run_again()
    found: dict[object, CostInPlay | None] = {}
    entrants = list(plan.entrants)
    for number, each in enumerate(plan.entrants):
        if not _is_unknown(each):
            continue
        assert isinstance(each, SubmissionEntrant | ObjectEntrant)
        assert each.budget is not None
        # What takes part twice is measured once.
        key = (each.digest, getattr(each, "path", None), getattr(each, "member", None))
        if key not in found:
            found[key] = cost_in_play(partial(_measured, each, plan.jail, seconds))
        if (in_play := found[key]) is not None:
            entrants[number] = replace(each, budget=replace(each.budget, cost=in_play.cost))
            if on_cost is not None:
                on_cost(each.name, in_play.cost)
    return replace(plan, entrants=tuple(entrants))


def unknown_cost(name: str, how: str, problem: object) -> UnknownCostError:
    """The error that a cost is missing, with what to do.

    >>> unknown_cost("mine", "is not known", "there is no table").args[0]
    'the cost of mine, which its budget of work needs, is not known: there is no table; give ...'
    """
    return UnknownCostError(
        f"the cost of {name}, which its budget of work needs, {how}: {problem}; "
        "give it a cost= beside work=, or a budget of nodes=, depth= or ms="
    )


def _is_unknown(entrant: Entrant) -> bool:
    if is_played_by_engine(entrant) or entrant.budget is None:
        return False
    return entrant.budget.work is not None and entrant.budget.cost is None


def _measured(entrant: Entrant, jail: Limits | None, seconds: float) -> Cost | None:
    """None for a player that plays by itself."""
    # A chunk to ask about and to give an order for; nothing of it is played.
    chunk = Chunk(0, 0, (entrant, NativeEntrant("nobody", "random")), (_EMPTY,), 0, 0, 1.0, record=False)
    require_unchanged_files(chunk)
    if jail is not None and isinstance(entrant, SubmissionEntrant):
        assignment = Assignment(Path(entrant.path), entrant.member, entrant.digest)
        try:
            return measure_cost(assignment, jail, seconds=seconds)
        except Fault as fault:
            raise unknown_cost(entrant.name, "cannot be measured", fault.detail) from fault
    report = reported(Order(chunk, {}, {}, measures=True), seconds)
    if isinstance(report, Stopped):
        raise unknown_cost(entrant.name, "cannot be measured", report.detail)
    assert isinstance(report, Measured)
    if report.problem:
        raise unknown_cost(entrant.name, "cannot be measured", report.problem)
    return report.cost
