"""What a heuristic of a submission costs, measured in the jail and by its referee's clock.

Two processes take turns on one core. One never loads the submission: there the yardstick is measured, which a
submission would slow down if it could. The other asks the heuristic in the plain search on the reference
board, which is what a cost is. Where its source has the private names of the first boards, both are measured
on the board that has them as attributes. CPU time is read from outside. A heuristic that is quick only here
gains nothing: each turn that it plays is held to the cost that was found here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from time import monotonic
from typing import Final, Literal

from isolation_fast.board.early_names import are_of_an_early_board
from isolation_fast.budgets import Budget
from isolation_fast.cost import BANDS, NODES, ROUNDS, Cost, Counts, agree, counted
from isolation_fast.endings import Fault
from isolation_fast.jail.pool import Pool, survives_its_nursery
from isolation_fast.jail.process import Answer, Assignment, JailedProcess, Limits
from isolation_fast.jail.yardstick import Yardstick
from isolation_fast.measuring import Sample, from_samples, positions
from isolation_fast.measuring.nodes import band_of_text, in_rounds, is_enough
from isolation_fast.process import Output
from isolation_fast.searching import seed_bits
from isolation_fast.submission import SubmissionError

SECONDS: Final = 30.0
"""CPU time that a measurement may take, and `Limits.wall` of it by the wall clock. With `improved` it takes
about a second."""
OF_A_SEARCH: Final = 10.0
"""CPU time of one search: it has few nodes."""

COUNTING: Final = 0.1
"""What counting may take of the time that a measurement may take."""
WARMING: Final = 2500
"""Nodes of a search in which a heuristic is compiled, if ever."""
FEW_BAILS: Final = 0.02
"""Of the values of a program: what Python computes in their place is not counted."""


@survives_its_nursery
def counts_of(
    assignment: Assignment,
    limits: Limits | None = None,
    *,
    pool: Pool | None = None,
    nodes: int = NODES,
    seed: int = 0,
    seconds: float = SECONDS,
    interrupted: Callable[[], bool] | None = None,
) -> Counts | None:
    """What searches of the positions of one round come to, where a heuristic compiles; else None.

    All its values are computed in Python too, and there it is counted what it asks of boards. What cannot be
    counted in a tenth of `seconds` is not.
    """
    limits, seed = limits or Limits(), seed_bits(seed)
    texts = positions(seed)[0]
    found = [[0, 0] for _ in BANDS]
    values = bails = 0
    with JailedProcess.start(assignment, limits, pool=pool, interrupted=interrupted) as process:
        process.load(stream=seed)
        last, late = process.cpu_seconds + COUNTING * seconds, monotonic() + limits.wall(COUNTING * seconds)

        def search(text: str, nodes: int) -> Answer | None:
            left = min(last - process.cpu_seconds, (late - monotonic()) / limits.wall(1.0), OF_A_SEARCH)
            if left <= 0:
                return None
            side: Literal[0, 1] = 0 if text.endswith("1") else 1
            process.begin_game(text, seed, order_bits=0, side=side)
            return process.search([], text, Budget(nodes=nodes), cpu_limit=left, watched=1)

        if (answer := search(texts[-1], WARMING)) is None or not answer.compiled.values:
            return None
        for text in texts:
            if (answer := search(text, nodes)) is None or not answer.compiled.values or answer.report is None:
                return None
            of_band = found[band_of_text(text)]
            of_band[0] += answer.report.nodes
            of_band[1] += answer.compiled.fuel
            values, bails = values + answer.compiled.values, bails + answer.compiled.bails
    if bails > FEW_BAILS * values or not all(of_band[0] for of_band in found):
        return None
    by_nodes, by_fuel = (tuple(each) for each in zip(*found, strict=True))
    return Counts(by_nodes, by_fuel)


@survives_its_nursery
def measure_cost(
    assignment: Assignment,
    limits: Limits | None = None,
    *,
    pool: Pool | None = None,
    rounds: int | None = None,
    nodes: int = NODES,
    seed: int = 0,
    seconds: float = SECONDS,
    progress: Callable[[int, int], object] | None = None,
    interrupted: Callable[[], bool] | None = None,
    on_output: Callable[[Output], object] | None = None,
) -> Cost | None:
    """Measure what a node costs with a heuristic of a submission; None if its member is a player.

    Without `rounds` there are from 3 to 15, until the error is small or they take long. The cost of a
    heuristic that compiles is counted, if one round agrees, or up to 15 do together; else it is measured. A
    heuristic that cannot be loaded or measured, or takes longer than `seconds` of CPU time, or four times as
    long by the wall clock, raises a `Fault`. `progress(done, of)` is called after each position. Where
    `interrupted` is true, a `KeyboardInterrupt` is raised. `on_output` is called with what the submission has
    printed.
    """
    limits, seed = limits or Limits(), seed_bits(seed)
    with ExitStack() as stack:
        # Its own, so that several heuristics can be measured at a time.
        yardstick = stack.enter_context(Yardstick(pool))
        own = stack.enter_context(
            JailedProcess.start(
                replace(assignment, measures=True), limits, pool=pool, interrupted=interrupted
            )
        )
        if on_output is not None:
            stack.callback(lambda: on_output(own.output))
        early = False
        with suppress(SubmissionError):  # which loading says once more
            # By the source alone: nothing of the submission has run.
            early = are_of_an_early_board(own.outline().early_names)
        if own.load(stream=seed, early=early).member_is != "heuristic":
            return None
        foretold: Cost | None = None
        if rounds is None and not early:
            with suppress(Fault):  # which the measurement meets too
                counts = counts_of(
                    assignment,
                    limits,
                    pool=pool,
                    nodes=nodes,
                    seed=seed,
                    seconds=seconds,
                    interrupted=interrupted,
                )
                foretold = counted(counts) if counts else None
        last, late = own.cpu_seconds + seconds, monotonic() + limits.wall(seconds)

        def at(number: int, text: str) -> Sample:
            # Its process asks too, but only where an answer takes long.
            if interrupted is not None and interrupted():
                raise KeyboardInterrupt
            improved = yardstick.measure(text, nodes, seed, near=own.pid, early=early)
            left = last - own.cpu_seconds
            if left <= 0 or monotonic() > late:
                allowed = f"{seconds:g} s of CPU time, or {limits.wall(seconds):g} s by the wall clock"
                raise Fault("timeout", f"measuring it takes more than {allowed}", by_clock=True)
            heuristic = own.measure(text, nodes, seed, min(left, OF_A_SEARCH), early=early)
            return Sample(number, band_of_text(text), improved, heuristic)

        def is_known(samples: Sequence[Sample]) -> bool:
            if foretold is None:
                return is_enough(samples)
            # A machine may slow one process alone for some seconds: then a few rounds are wrong alike.
            return is_foretold(samples) or is_enough(samples, ROUNDS)

        def is_foretold(samples: Sequence[Sample]) -> bool:
            return foretold is not None and agree(foretold, from_samples(samples))

        enough = None if rounds else is_known
        samples = in_rounds(positions(seed, rounds or ROUNDS), at, enough=enough, progress=progress)
        return foretold if is_foretold(samples) else from_samples(samples)
