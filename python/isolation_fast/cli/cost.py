"""`isolation-fast cost`: what a node costs with a heuristic, measured now."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from math import inf
from pathlib import Path
from typing import Any

from isolation_fast import heuristics
from isolation_fast.cli.heuristics import add_with_option, values_of_parameters
from isolation_fast.cost import BANDS, Cost, band_in_words, of
from isolation_fast.endings import Fault
from isolation_fast.exceptions import IsolationError, UnknownCostError
from isolation_fast.foreign import QUICK_THERE, add_jail_options, jail_status, stdout_to_stderr
from isolation_fast.jail import Assignment, Output, available, measure_cost
from isolation_fast.measuring import measure
from isolation_fast.measuring.nodes import NODES, PLAYER, ROUNDS
from isolation_fast.output import Bar, Cell, CommandError, add_format_options, print_table, progress, say
from isolation_fast.submission import SubmissionError, as_player, load
from isolation_fast.submission.sources import located

__all__ = ["add_to", "run"]

DESCRIPTION = """\
Measure what a node costs with a heuristic: how many nodes a second the plain search in Python makes with
`improved`, over how many it makes with the heuristic. It takes some seconds for each. The functions of a file
run in the jail where there is one.
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
    add_with_option(parser, "measure the variant with that parameter; may be given for each")
    for name, default, meaning in (
        ("rounds", ROUNDS, "rounds, of which the median counts"),
        ("seed", 0, "decides the positions"),
    ):
        parser.add_argument(
            f"--{name}", type=int, default=default, metavar="N", help=f"{meaning} (default {default})"
        )
    add_jail_options(parser, "submissions")
    add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Measure, and print the costs."""
    if options.all == bool(options.heuristics):
        wrong = (
            "name heuristics or give --all, not both" if options.all else "name a heuristic, or give --all"
        )
        raise CommandError(wrong, "isolation-fast cost --help")
    if options.rounds < 1:
        raise CommandError(f"--rounds must be at least 1, not {options.rounds}")
    words = heuristics.names() if options.all else options.heuristics
    jailed = False
    if any(_is_of_file(word) for word in words):
        level = available()
        if status := jail_status(options, level, "submissions"):
            return status
        jailed = level.name != "none" and not options.no_jail
    # What a submission prints is no part of the answer.
    with stdout_to_stderr():
        asked = [_asked(word, jailed=jailed) for word in words]
        if options.values:
            asked = _varied(asked, values_of_parameters(options))
        asked = _named_apart(asked)
        if options.all:
            asked.append(_Asked("node", "node", _nothing))
        with progress(len(asked), "heuristic", instead=_expected(len(asked))) as bar:
            costs: list[Cost] = []
            for each in asked:
                bar.reach(len(costs), each.name)
                costs.append(_measured(each, options, partial(_show, bar, len(costs), each.name)))
    node = costs.pop().to_dict() if options.all else None
    document = {
        "bands": list(BANDS),
        "nodes": NODES,
        "rounds": options.rounds,
        "seed": options.seed,
        "node": node,
        "heuristics": [{"name": e.name, **c.to_dict()} for e, c in zip(asked, costs, strict=False)],
    }
    _print(options, asked, costs, document)
    return 0


@dataclass(frozen=True)
class _Asked:
    """A heuristic to measure: how it was asked for, its name in a table, and how it is asked."""

    word: str
    name: str
    heuristic: Any
    path: Path | None = None
    player: object = PLAYER
    active: Callable[[], AbstractContextManager[None]] = field(default=nullcontext)
    in_jail: Assignment | None = None


def _nothing(_game: object, _player: object) -> float:
    return 0.0


def _is_of_file(word: str) -> bool:
    return bool(word.rpartition(":")[0])


def _asked(word: str, *, jailed: bool) -> _Asked:
    file, _, function = word.rpartition(":")
    if file:
        return _in_jail(file, function) if jailed else _of_file(file, function)
    if word and word not in heuristics.names() and (word.endswith(".py") or Path(word).exists()):
        raise CommandError(f"which function of {word}?", f"isolation-fast cost {word}:custom_score")
    return _Asked(word, word, heuristics.get(word))


def _varied(asked: list[_Asked], values: dict[str, float]) -> list[_Asked]:
    if len(asked) != 1 or asked[0].path is not None:
        raise CommandError("--with needs the name of one native heuristic", "isolation-fast cost --help")
    variant = asked[0].heuristic.variant(**values)
    return [_Asked(variant.name, variant.name, variant)]


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


def _in_jail(file: str, function: str) -> _Asked:
    """Nothing of it is run here."""
    with _told_problems():
        path = located(Path(file)).resolve()
    assignment = Assignment(path, function)
    return _Asked(f"{file}:{function}", function, None, path, in_jail=assignment)


@contextmanager
def _told_problems() -> Iterator[None]:
    try:
        yield
    except SubmissionError as error:
        where = error.path if error.line is None else f"{error.path}:{error.line}"
        raise CommandError(f"{where}: {error.problem}", error.remedy) from error


def _of_file(file: str, function: str) -> _Asked:
    with _told_problems():
        submission = load(file)
    # The player that its search would hand to the heuristic; and it says what is no heuristic of the file.
    player = as_player(submission, function, nodes=NODES)
    path = Path(submission.path).resolve()
    return _Asked(f"{file}:{function}", function, player.score, path, player.stand_in, submission.activated)


def _measured(asked: _Asked, options: argparse.Namespace, show: Callable[[int, int], None]) -> Cost:
    if asked.in_jail is not None:
        return _measured_in_jail(asked, asked.in_jail, options, show)
    try:
        with asked.active():
            return measure(
                asked.heuristic,
                rounds=options.rounds,
                seed=options.seed,
                player=asked.player,
                progress=show,
            )
    except (IsolationError, KeyboardInterrupt):
        raise
    except BaseException as error:  # whatever the heuristic raises
        notes = " ".join(getattr(error, "__notes__", []))
        raise CommandError(
            f"{asked.name} cannot be measured: {type(error).__name__}: {error}", notes or None
        ) from error


def _show_output(output: Output) -> None:
    """What a submission prints goes where all goes that is no answer."""
    for content in (output.stdout, output.stderr):
        if content:
            say(content.decode(errors="replace").rstrip("\n"))
    if output.dropped:
        say(f"isolation-fast: {output.dropped:,} more bytes of what it printed were dropped")


def _measured_in_jail(
    asked: _Asked, assignment: Assignment, options: argparse.Namespace, show: Callable[[int, int], None]
) -> Cost:
    try:
        found = measure_cost(
            assignment,
            rounds=options.rounds,
            nodes=NODES,
            seed=options.seed,
            seconds=inf,
            progress=show,
            on_output=_show_output,
        )
    except Fault as fault:
        raise CommandError(f"{asked.name} cannot be measured: {fault.detail}") from fault
    if found is None:
        raise CommandError(f"{asked.name} is a player, and a cost is that of a heuristic")
    if not found.is_consistent:
        say(f"isolation-fast: {asked.name} was {QUICK_THERE}")
    return found.cost


def _print(
    options: argparse.Namespace, asked: list[_Asked], costs: list[Cost], document: dict[str, object]
) -> None:
    flat = all(cost.bands is None for cost in costs)
    bands = [] if flat else [band_in_words(band) for band in range(len(BANDS))]
    rows: list[list[Cell]] = [
        [e.word, cost.value, _spread(cost, options), *_in_bands(cost, len(bands)), _in_table(e.heuristic)]
        for e, cost in zip(asked, costs, strict=False)
    ]
    print_table(options, ["heuristic", "cost", "spread %", *bands, "table"], rows, document)


def _in_bands(cost: Cost, columns: int) -> list[Cell]:
    return [None] * columns if cost.bands is None else list(cost.bands)


def _spread(cost: Cost, options: argparse.Namespace) -> float | None:
    # One round lies apart from nothing.
    return None if options.rounds == 1 else round(100 * cost.spread, 1)


def _in_table(heuristic: Any) -> float | None:
    if heuristic is None:  # it is in the jail
        return None
    try:
        return of(heuristic).value
    except UnknownCostError:
        return None


def _expected(number: int) -> str:
    return (
        f"isolation-fast: measuring {number} heuristic{'s' * (number != 1)}, 5 to 60 seconds each "
        "(--rounds 1 is five times as quick)"
    )


def _show(bar: Bar, finished: int, name: str, done: int, of: int) -> None:
    bar.reach(finished + done / of, name)
