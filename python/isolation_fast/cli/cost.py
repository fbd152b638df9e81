"""`isolation-fast cost`: what a node costs with a heuristic, measured now."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from math import inf
from pathlib import Path
from typing import Any

from isolation_fast import heuristics
from isolation_fast._native import Heuristic
from isolation_fast.cli.heuristics import add_with_option, values_of_parameters
from isolation_fast.cost import BANDS, NODES, ROUNDS, Cost, band_in_words, in_steps, of
from isolation_fast.endings import Fault
from isolation_fast.exceptions import IsolationError, UnknownCostError
from isolation_fast.foreign import add_jail_options, jail_status, stdout_to_stderr
from isolation_fast.jail import Assignment, Output, available, measure_cost
from isolation_fast.measuring import measure
from isolation_fast.numbers import integer
from isolation_fast.output import Cell, CommandError, add_format_options, print_table, progress, say
from isolation_fast.submission import SubmissionError, as_player, load
from isolation_fast.submission.sources import located

DESCRIPTION = """\
Measure what a node costs with a heuristic: how many nodes a second the plain search in Python makes with
`improved`, over how many it makes with the heuristic. Each takes some seconds. The functions of a file run in
the jail if there is one; their cost is rounded as tournaments and gradings round it.
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
        help="a native heuristic, or a function of a game_agent.py (or of its folder)",
    )
    parser.add_argument("--all", action="store_true", help="all native heuristics, and a node without one")
    add_with_option(parser, "the variant with that parameter; once for each parameter")
    parser.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help=f"rounds, of which the median counts (default up to {ROUNDS}, until the error is small)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides the positions (default 0)")
    add_jail_options(parser, "submissions")
    add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Measure, and print the costs."""
    if options.all == bool(options.heuristics):
        both, none = "name heuristics or give --all, not both", "name a heuristic, or give --all"
        raise CommandError(both if options.all else none, "isolation-fast cost --help")
    if options.rounds is not None:
        integer("--rounds", options.rounds, 1, error=CommandError)
    words = heuristics.names() if options.all else options.heuristics
    jailed = False
    if any(word.rpartition(":")[0] for word in words):
        level = available()
        if status := jail_status(options, level, "submissions"):
            return status
        jailed = level.name != "none" and not options.no_jail
    # What a submission prints is no part of the answer.
    with stdout_to_stderr():
        asked = _named_apart(_varied([_asked(word, jailed=jailed) for word in words], options))
        if options.all:
            asked.append(_Asked("node", "node", partial(measure, lambda _game, _player: 0.0)))
        measured = _measured(asked, options)
    _print(options, asked, measured)
    return 0


@dataclass(frozen=True)
class _Asked:
    """A heuristic to measure: how it was asked for, its name in a table, and how it is measured."""

    word: str
    name: str
    measure: Callable[..., Cost]
    native: Heuristic | None = None
    path: Path | None = None


def _asked(word: str, *, jailed: bool) -> _Asked:
    file, _, function = word.rpartition(":")
    if not file:
        if word and word not in heuristics.names() and (word.endswith(".py") or Path(word).exists()):
            raise CommandError(f"which function of {word}?", f"isolation-fast cost {word}:custom_score")
        return _native(heuristics.get(word))
    try:
        path = located(Path(file)).resolve()
        submission = None if jailed else load(file)
    except SubmissionError as error:
        where = error.path if error.line is None else f"{error.path}:{error.line}"
        raise CommandError(f"{where}: {error.problem}", error.remedy) from error
    if submission is None:
        return _Asked(word, function, partial(_measured_in_jail, Assignment(path, function)), path=path)
    # The player that its search would hand to the heuristic. This also refuses what is no heuristic.
    player = as_player(submission, function, nodes=NODES)

    def measured(**options: Any) -> Cost:
        with player.submission.activated():
            outline = player.submission.outline
            return measure(player.score, player=player.stand_in, early_names=outline.early_names, **options)

    return _Asked(word, function, measured, path=path)


def _native(heuristic: Heuristic) -> _Asked:
    return _Asked(heuristic.name, heuristic.name, partial(measure, heuristic), heuristic)


def _varied(asked: list[_Asked], options: argparse.Namespace) -> list[_Asked]:
    if not options.values:
        return asked
    if len(asked) != 1 or asked[0].native is None:
        raise CommandError("--with needs the name of one native heuristic", "isolation-fast cost --help")
    return [_native(asked[0].native.variant(**values_of_parameters(options)))]


def _named_apart(asked: list[_Asked]) -> list[_Asked]:
    """Each once. Functions of one name, or a native one's, have as much of the path as tells them apart."""
    once = list({(each.path, each.name): each for each in asked}.values())
    named = []
    for each in once:
        paths = {other.path for other in once if other.path and other.name == each.name}
        name = each.name
        if each.path and (len(paths) > 1 or name in heuristics.names()):
            parts = next(n for n in count(1) if len({path.parts[-n:] for path in paths}) == len(paths))
            name = f"{'/'.join(each.path.parts[-parts:])}:{name}"
        named.append(replace(each, name=name))
    return named


def _measured(asked: list[_Asked], options: argparse.Namespace) -> list[Cost]:
    costs: list[Cost] = []
    what = f"{len(asked)} heuristic{'s' * (len(asked) != 1)}"
    expected = f"isolation-fast: measuring {what}, 5 to 60 seconds each (--rounds 1 is quicker)"
    with progress(len(asked), "heuristic", instead=expected) as bar:
        for each in asked:

            def show(done: int, of: int, name: str = each.name) -> None:
                bar.reach(len(costs) + done / of, name)

            bar.reach(len(costs), each.name)
            try:
                costs.append(each.measure(rounds=options.rounds, seed=options.seed, progress=show))
            except Fault as fault:
                raise CommandError(f"{each.name} cannot be measured: {fault.detail}") from fault
            except (IsolationError, CommandError, KeyboardInterrupt):
                raise
            except BaseException as error:  # whatever the heuristic raises
                notes = " ".join(getattr(error, "__notes__", []))
                problem = f"{type(error).__name__}: {error}"
                raise CommandError(f"{each.name} cannot be measured: {problem}", notes or None) from error
    return costs


def _measured_in_jail(assignment: Assignment, **options: Any) -> Cost:
    found = measure_cost(assignment, seconds=inf, on_output=_show_output, **options)
    if found is None:
        raise CommandError(f"{assignment.member} is a player, and a cost is that of a heuristic")
    return found


def _show_output(output: Output) -> None:
    """Show on stderr what a submission printed."""
    for content in (output.stdout, output.stderr):
        if content:
            say(content.decode(errors="replace").rstrip("\n"))
    if output.dropped:
        say(f"isolation-fast: {output.dropped:,} more bytes of what it printed were dropped")


def _print(options: argparse.Namespace, asked: list[_Asked], measured: list[Cost]) -> None:
    # A native heuristic costs what the table says, a function what it is played at.
    costs = [
        found if each.path is None else replace(in_steps(found), spread=found.spread)
        for each, found in zip(asked, measured, strict=True)
    ]
    node = costs.pop().to_dict() if options.all else None
    listed = list(zip(asked, costs, measured, strict=False))
    document = {
        "bands": list(BANDS),
        "nodes": NODES,
        "rounds": options.rounds or ROUNDS,
        "seed": options.seed,
        "node": node,
        "heuristics": [{"name": each.name, **cost.to_dict()} for each, cost, _ in listed],
    }
    flat = all(cost.bands is None for cost in costs)
    bands = [] if flat else [band_in_words(band) for band in range(len(BANDS))]
    rows: list[list[Cell]] = [
        [
            each.word,
            cost.value,
            # One round has no range.
            None if options.rounds == 1 else round(100 * cost.spread, 1),
            *(cost.bands or [None] * len(bands) if bands else []),
            None if each.path is None else found.value,
            _in_table(each.native),
        ]
        for each, cost, found in listed
    ]
    headers = ["heuristic", "cost", "spread %", *bands, "measured", "table"]
    print_table(options, headers, rows, document)


def _in_table(heuristic: Heuristic | None) -> float | None:
    try:
        return None if heuristic is None else of(heuristic).value
    except UnknownCostError:
        return None
