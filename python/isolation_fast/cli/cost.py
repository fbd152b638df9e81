"""`isolation-fast cost`: what a node costs with a native heuristic, measured now."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any

from isolation_fast import heuristics
from isolation_fast._native import Heuristic
from isolation_fast.cli.heuristics import add_with_option, values_of_parameters
from isolation_fast.cost import BANDS, NODES, ROUNDS, Cost, band_in_words, of
from isolation_fast.exceptions import UnknownCostError
from isolation_fast.measuring import measure
from isolation_fast.numbers import integer
from isolation_fast.output import Cell, CommandError, add_format_options, print_table, progress

DESCRIPTION = """\
Measure what a node costs with a native heuristic: how many nodes a second the plain search in Python makes
with `improved`, over how many it makes with the heuristic's twin in Python. Each takes some seconds.
"""


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `cost`."""
    parser = commands.add_parser(
        "cost", description=DESCRIPTION, help="measure what a heuristic costs, beside the table's value"
    )
    parser.add_argument("heuristics", nargs="*", metavar="NAME", help="a native heuristic")
    parser.add_argument("--all", action="store_true", help="all native heuristics, and a node without one")
    add_with_option(parser, "the variant with that parameter; once for each parameter")
    parser.add_argument(
        "--rounds",
        type=int,
        default=ROUNDS,
        metavar="N",
        help=f"rounds, of which the median counts (default {ROUNDS})",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides the positions (default 0)")
    add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Measure, and print the costs."""
    if options.all == bool(options.heuristics):
        both, none = "name heuristics or give --all, not both", "name a heuristic, or give --all"
        raise CommandError(both if options.all else none, "isolation-fast cost --help")
    integer("--rounds", options.rounds, 1, error=CommandError)
    names = dict.fromkeys(heuristics.names() if options.all else options.heuristics)
    asked = [heuristics.get(name) for name in names]
    if options.values:
        if len(asked) != 1:
            raise CommandError("--with needs the name of one native heuristic", "isolation-fast cost --help")
        asked = [asked[0].variant(**values_of_parameters(options))]
    measures: list[tuple[str, Callable[..., Cost]]] = [(each.name, partial(measure, each)) for each in asked]
    if options.all:
        measures.append(("node", partial(measure, lambda _game, _player: 0.0)))
    _print(options, asked, _measured(measures, options))
    return 0


def _measured(measures: list[tuple[str, Callable[..., Cost]]], options: argparse.Namespace) -> list[Cost]:
    costs: list[Cost] = []
    what = f"{len(measures)} heuristic{'s' * (len(measures) != 1)}"
    expected = f"isolation-fast: measuring {what}, 5 to 60 seconds each (--rounds 1 is quicker)"
    with progress(len(measures), "heuristic", instead=expected) as bar:
        for name, measured in measures:

            def show(done: int, of: int, name: str = name) -> None:
                bar.reach(len(costs) + done / of, name)

            bar.reach(len(costs), name)
            costs.append(measured(rounds=options.rounds, seed=options.seed, progress=show))
    return costs


def _print(options: argparse.Namespace, asked: list[Heuristic], costs: list[Cost]) -> None:
    node = costs.pop().to_dict() if options.all else None
    listed = list(zip(asked, costs, strict=True))
    document = {
        "bands": list(BANDS),
        "nodes": NODES,
        "rounds": options.rounds,
        "seed": options.seed,
        "node": node,
        "heuristics": [{"name": each.name, **cost.to_dict()} for each, cost in listed],
    }
    flat = all(cost.bands is None for cost in costs)
    bands = [] if flat else [band_in_words(band) for band in range(len(BANDS))]
    rows: list[list[Cell]] = [
        [
            each.name,
            cost.value,
            # One round has no range.
            None if options.rounds == 1 else round(100 * cost.spread, 1),
            *(cost.bands or [None] * len(bands) if bands else []),
            _in_table(each),
        ]
        for each, cost in listed
    ]
    print_table(options, ["heuristic", "cost", "spread %", *bands, "table"], rows, document)


def _in_table(heuristic: Heuristic) -> float | None:
    try:
        return of(heuristic).value
    except UnknownCostError:
        return None
