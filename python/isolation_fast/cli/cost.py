"""`isolation-fast cost`: what a node costs with a heuristic, measured now."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from isolation_fast import heuristics
from isolation_fast.cli.errors import CommandError
from isolation_fast.cli.foreign import stdout_to_stderr
from isolation_fast.cli.tables import Cell, add_format_options, print_table
from isolation_fast.cost import BANDS, Cost, measure, of
from isolation_fast.cost.measuring import NODES, PLAYER, ROUNDS
from isolation_fast.costs import band_in_words
from isolation_fast.exceptions import IsolationError, UnknownCostError
from isolation_fast.submission import SubmissionError, as_player, load

__all__ = ["add_to", "run"]

DESCRIPTION = """\
Measure what a node costs with a heuristic: how many nodes a second the plain search in Python makes with
`improved`, over how many it makes with the heuristic. It takes some seconds for each. The functions of a file
run as they are, not kept from network and files.
"""


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `cost`."""
    parser = commands.add_parser(
        "cost", description=DESCRIPTION, help="measure what a heuristic costs, beside the table's value"
    )
    parser.add_argument(
        "heuristics",
        nargs="*",
        metavar="NAME|FILE:FUNCTION",
        help="a native heuristic, or a function of a game_agent.py (or of the folder that holds it)",
    )
    parser.add_argument("--all", action="store_true", help="all native heuristics, and a node without one")
    for name, default, meaning in (
        ("rounds", ROUNDS, "rounds, of which the median counts"),
        ("seed", 0, "decides the positions"),
    ):
        parser.add_argument(
            f"--{name}", type=int, default=default, metavar="N", help=f"{meaning} (default {default})"
        )
    add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Measure, and print the costs."""
    if options.all == bool(options.heuristics):
        raise CommandError("name heuristics or give --all, not both", "isolation-fast cost --help")
    if options.rounds < 1:
        raise CommandError(f"--rounds must be at least 1, not {options.rounds}")
    # What a submission prints is no part of the answer.
    with stdout_to_stderr():
        named = heuristics.names() if options.all else options.heuristics
        asked = [_asked(word) for word in named]
        if options.all:
            asked.append(_Asked("node", _nothing))
        with _bar(len(asked)) as show:
            costs = [_measured(each, options, partial(show, at)) for at, each in enumerate(asked)]
    node = costs.pop().to_dict() if options.all else None
    document = {
        "bands": list(BANDS),
        "nodes": NODES,
        "rounds": options.rounds,
        "seed": options.seed,
        "node": node,
        "heuristics": [{"name": e.name, **c.to_dict()} for e, c in zip(asked, costs, strict=False)],
    }
    _print(options, named, costs, document)
    return 0


@dataclass(frozen=True)
class _Asked:
    """A heuristic to measure: under which name, who is asked about, and what must be active meanwhile."""

    name: str
    heuristic: Any
    player: object = PLAYER
    active: Callable[[], AbstractContextManager[None]] = field(default=nullcontext)


def _nothing(_game: object, _player: object) -> float:
    return 0.0


def _asked(word: str) -> _Asked:
    file, _, function = word.rpartition(":")
    if file:
        return _of_file(file, function)
    if word and word not in heuristics.names() and (word.endswith(".py") or Path(word).exists()):
        raise CommandError(f"which function of {word}?", f"isolation-fast cost {word}:custom_score")
    return _Asked(word, heuristics.get(word))


def _of_file(file: str, function: str) -> _Asked:
    try:
        submission = load(file)
    except SubmissionError as error:
        where = error.path if error.line is None else f"{error.path}:{error.line}"
        raise CommandError(f"{where}: {error.problem}", error.remedy) from error
    # The player that its search would hand to the heuristic; and it says what is no heuristic of the file.
    player = as_player(submission, function, nodes=NODES)
    return _Asked(function, player.score, player.stand_in, submission.activated)


def _measured(asked: _Asked, options: argparse.Namespace, show: Callable[[float, str], None]) -> Cost:
    try:
        with asked.active():
            return measure(
                asked.heuristic,
                rounds=options.rounds,
                seed=options.seed,
                player=asked.player,
                progress=lambda done, of: show(done / of, asked.name),
            )
    except (IsolationError, KeyboardInterrupt):
        raise
    except BaseException as error:  # whatever the heuristic raises
        notes = " ".join(getattr(error, "__notes__", []))
        raise CommandError(
            f"{asked.name} cannot be measured: {type(error).__name__}: {error}", notes or None
        ) from error


def _print(
    options: argparse.Namespace, named: list[str], costs: list[Cost], document: dict[str, object]
) -> None:
    flat = all(cost.bands is None for cost in costs)
    bands = [] if flat else [band_in_words(band) for band in range(len(BANDS))]
    rows: list[list[Cell]] = [
        [word, cost.value, round(100 * cost.spread, 1), *_in_bands(cost, len(bands)), _in_table(word)]
        for word, cost in zip(named, costs, strict=True)
    ]
    print_table(options, ["heuristic", "cost", "spread %", *bands, "table"], rows, document)


def _in_bands(cost: Cost, columns: int) -> list[Cell]:
    return [None] * columns if cost.bands is None else list(cost.bands)


def _in_table(word: str) -> float | None:
    try:
        return of(word).value
    except UnknownCostError:
        return None


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int, float, str], None]]:
    """Shows on a terminal how many heuristics are measured, parts of them too, and which is being."""
    if not sys.stderr.isatty():
        yield lambda _done, _part, _name: None
        return
    from tqdm import tqdm

    form = "{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
    with tqdm(total=total, bar_format=form, file=sys.stderr, dynamic_ncols=True, leave=False) as bar:

        def show(done: int, part: float, name: str) -> None:
            bar.set_description_str(name, refresh=False)
            bar.update(done + part - bar.n)

        yield show
