"""What a node costs with the heuristics of a plan that nobody has measured: measured when it is planned.

Other people's code is measured in a process of its own, which is watched over as when it plays: in the jail
where the plan has one for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from math import log
from operator import mul
from pathlib import Path
from statistics import fmean
from typing import Final, TypeAlias

from isolation_fast.cost.definition import Cost
from isolation_fast.endings import Fault
from isolation_fast.exceptions import UnknownCostError, WorkerError
from isolation_fast.jail import Assignment, Limits, MeasuredCost, measure_cost
from isolation_fast.process.chunk_protocol import Order, Stopped
from isolation_fast.process.supervision import Worker
from isolation_fast.tournament.entrants import Entrant, NativeEntrant, ObjectEntrant, SubmissionEntrant
from isolation_fast.tournament.plan import Chunk, Plan
from isolation_fast.tournament.python_chunks import (
    main_of_this_process,
    refuse_in_a_script_run_again,
    require_unchanged_files,
)

__all__ = ["MEASURING_SECONDS", "OnCost", "rounded", "unknown_cost", "with_costs"]

MEASURING_SECONDS: Final = 60.0
"""How long a measurement may take. With `improved` it takes half a second."""

ROUNDS: Final = 1
STEP: Final = 1.25
"""What measured costs are rounded to powers of."""

OnCost: TypeAlias = Callable[[str, Cost], object]
"""Called with the name of each player whose cost was measured, and with the cost."""

_EMPTY: Final = "7x7 7/7/7/7/7/7/7 - - 1"


def with_costs(plan: Plan, *, on_cost: OnCost | None = None, seconds: float = MEASURING_SECONDS) -> Plan:
    """The plan with the cost of each heuristic that has a budget of work: what is not known is measured.

    An `UnknownCostError` says why one cannot be measured: it raises, or it takes longer than `seconds`.

    >>> from isolation_fast.tournament import Match
    >>> plan = Match("AB:bfs", "AB_Improved", games=2).plan()
    >>> with_costs(plan) is plan
    True
    """
    missing = [each for each in plan.entrants if _is_unknown(each)]
    if not missing:
        return plan
    refuse_in_a_script_run_again()
    known: dict[object, Cost | None] = {}
    in_jail: dict[object, MeasuredCost] = {}
    measured = dict(plan.measured)
    entrants = []
    for each in plan.entrants:
        if _is_unknown(each):
            key = _what(each)
            if key not in known and plan.jail is not None and isinstance(each, SubmissionEntrant):
                found = _measured_in_jail(each, plan.jail, seconds)
                known[key] = None if found is None else rounded(found.cost)
                in_jail |= {} if found is None else {key: found}
            elif key not in known:
                known[key] = _measured(each, seconds)
            measured |= {each.name: in_jail[key]} if key in in_jail else {}
            cost = known[key]
            if cost is not None:
                assert each.budget is not None
                each = replace(each, budget=replace(each.budget, cost=cost))
                if on_cost is not None:
                    on_cost(each.name, cost)
        entrants.append(each)
    return replace(plan, entrants=tuple(entrants), measured=measured)


def unknown_cost(name: str, how: str, problem: object) -> UnknownCostError:
    """The error that a cost is missing, with what to do.

    >>> unknown_cost("mine", "is not known", "there is no table").args[0]
    'the cost of mine, which its budget of work needs, is not known: there is no table; give ...'
    """
    return UnknownCostError(
        f"the cost of {name}, which its budget of work needs, {how}: {problem}; "
        "give it a cost= beside work=, or a budget of nodes=, depth= or ms="
    )


def rounded(cost: Cost) -> Cost:
    """The cost by so few and so coarse numbers that it is mostly the same from one measurement to the next.

    Without bands it is a power of 1.25. With bands it rises, or falls, from each to the next by the same
    factor, a power of the root of 1.25, and what they have in the middle is a power of 1.25.

    >>> rounded(Cost(2.1, spread=0.1)), rounded(Cost(1.0, bands=(0.9, 1.0, 1.0, 1.0, 1.1)))
    (Cost(1.95), Cost(1.0))
    >>> rounded(Cost(4.0, bands=(1.6, 2.0, 3.7, 4.7, 6.4)))
    Cost(3.4, bands=(1.56, 2.18, 3.05, 4.26, 5.96))
    """
    if cost.bands is not None:
        logs = [log(each, STEP) for each in cost.bands]
        places = [number - (len(logs) - 1) / 2 for number in range(len(logs))]
        slope = sum(map(mul, places, logs)) / sum(map(mul, places, places))
        rise, middle = round(2 * slope) / 2, round(fmean(logs))
        if rise:
            bands = tuple(_three_digits(STEP ** (middle + rise * place)) for place in places)
            return Cost(_three_digits(fmean(bands)), bands)
    return Cost(_three_digits(STEP ** round(log(cost.value, STEP))))


def _three_digits(number: float) -> float:
    return float(f"{number:.3g}")


def _is_unknown(entrant: Entrant) -> bool:
    if isinstance(entrant, NativeEntrant) or entrant.budget is None:
        return False
    return entrant.budget.work is not None and entrant.budget.cost is None


def _what(entrant: Entrant) -> object:
    """The heuristic, by which it is measured once if it takes part twice."""
    assert isinstance(entrant, SubmissionEntrant | ObjectEntrant)
    if isinstance(entrant, SubmissionEntrant):
        return entrant.digest, entrant.path, entrant.member
    return entrant.digest


def _measured_in_jail(entrant: SubmissionEntrant, limits: Limits, seconds: float) -> MeasuredCost | None:
    """None if it turns out to be a player that plays by itself."""
    require_unchanged_files(_chunk_for(entrant))
    assignment = Assignment(Path(entrant.path), entrant.member, entrant.digest)
    try:
        return measure_cost(assignment, limits, rounds=ROUNDS, seconds=seconds)
    except Fault as fault:
        raise unknown_cost(entrant.name, "cannot be measured", fault.detail) from fault


def _measured(entrant: Entrant, seconds: float) -> Cost | None:
    """None if it turns out to be a player that plays by itself."""
    chunk = _chunk_for(entrant)
    require_unchanged_files(chunk)
    order = Order(chunk, {}, {}, tuple(sys.path), main_of_this_process(chunk), rounds=ROUNDS)
    with Worker(order, 1) as worker:
        report = worker.report(seconds, None)
    if isinstance(report, Stopped):
        problem = report.detail
    elif "failed" in report:
        raise WorkerError(report["failed"])
    elif "cost" in report:
        return None if report["cost"] is None else rounded(Cost.from_dict(report["cost"]))
    else:
        problem = report["problem"]
    raise unknown_cost(entrant.name, "cannot be measured", problem)


def _chunk_for(entrant: Entrant) -> Chunk:
    """A chunk to ask about and to give an order for; nothing of it is played."""
    return Chunk(0, 0, (entrant, NativeEntrant("nobody", "random")), (_EMPTY,), 0, 0, 1.0, record=False)
