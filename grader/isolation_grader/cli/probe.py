"""`isolation-grade probe`: how a submission behaves."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from isolation_fast import Board, InvalidArgumentError
from isolation_fast.cli.errors import CommandError, say
from isolation_fast.cli.tables import DATA_FORMATS, Cell, add_format_options, print_below, print_table
from isolation_fast.cli.timings import require_no_player, require_writable, write_timings
from isolation_fast.cli.visible import visible
from isolation_fast.jailed import Limits
from isolation_grader.exit_status import MEANINGS
from isolation_grader.findings import LostGame, Member, Printed, Probe, Timings
from isolation_grader.probing import DEFAULT_BUDGET, DEFAULT_GAMES, OPPONENTS, probe

__all__ = ["add_to", "run"]

DESCRIPTION: Final = f"""\
Load a submission in a jail, let each of its heuristics and players play a few games against
{" and ".join(OPPONENTS)}, and say how it behaves: whether it loads, how its games end, what it uses and
prints. Exit status: {"; ".join(f"{int(status)} {meaning}" for status, meaning in MEANINGS.items())}.
"""
HEADERS: Final = ("member", "is a", "games", "won", "lost", "by its own fault", "the first of them")
MOST_LINES: Final = 20
"""Of what was printed, on a terminal. JSON has all that is kept."""
MOST_TRACE: Final = 6
"""Of a traceback, on a terminal: its end, where it was raised."""


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `probe`."""
    parser = commands.add_parser(
        "probe", description=DESCRIPTION, help="how a submission behaves: endings, processor time, output"
    )
    parser.add_argument("submission", metavar="SUBMISSION", help="a game_agent.py, or its folder")
    parser.add_argument(
        "--members", nargs="+", metavar="NAME", help="only these heuristics and players (default: all)"
    )
    limits = Limits()
    for name, kind, default, meaning in (
        ("games", int, DEFAULT_GAMES, "games against each opponent, an even number"),
        ("seed", int, 0, "decides openings and all chance"),
        ("load-cpu", float, limits.load_cpu, "seconds of processor time to load"),
        (
            "move-cpu",
            float,
            limits.move_cpu,
            "seconds of processor time for a move, and more for a class whose turn is longer",
        ),
        ("wall-factor", float, limits.wall_factor, "so many times as long it may take by the wall clock"),
        ("memory", int, limits.memory, "MiB of address space"),
    ):
        meaning = f"{meaning} (default {default:g})"
        parser.add_argument(f"--{name}", type=kind, default=default, metavar="N", help=meaning)
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument(
        "--budget",
        default=DEFAULT_BUDGET,
        metavar="BUDGET",
        help=f"of our search around a heuristic: depth=3, ms=150 and the like (default {DEFAULT_BUDGET})",
    )
    budget.add_argument("--nodes", type=int, metavar="N", help="short for --budget nodes=N")
    parser.add_argument(
        "--require-sandbox",
        action="store_true",
        help="do not go on where the system gives less of one",
    )
    parser.add_argument("--timings", metavar="FILE", help="write how long it took to FILE, as JSON")
    add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Probe, and print what was found."""
    if sys.stdout is None:  # the shell was told to close it
        raise CommandError("the output cannot be written: it is closed")
    try:
        names = ("load_cpu", "move_cpu", "wall_factor", "memory")
        limits = Limits(**{name: getattr(options, name) for name in names})
    except InvalidArgumentError as error:
        raise CommandError(str(error)) from error
    if options.timings is not None:
        # Of a folder it is the file that is probed, whatever its name: none in it is written over.
        given = Path(options.submission)
        require_no_player("timings", options.timings, given.glob("*.py") if given.is_dir() else [given])
        require_writable(options.timings)
    shown = _Bar()
    try:
        found = probe(
            options.submission,
            members=options.members,
            games=options.games,
            seed=options.seed,
            budget=options.budget if options.nodes is None else f"nodes={options.nodes}",
            limits=limits,
            sandbox_required=options.require_sandbox,
            progress=shown.advance,
        )
    finally:
        shown.close()
    print_table(options, HEADERS, [_row(each) for each in found.members], found.to_dict())
    if options.format not in DATA_FORMATS:
        for line in _notes(found):
            print_below(options, line)
    elif options.format != "json":  # which has it among its data
        say(f"isolation-grade: sandbox: {_sandbox(found)}")
    _tell_timings(options, found.timings)
    if found.problem is not None:
        say(f"isolation-grade: {visible(found.submission)} could not be loaded: {visible(found.problem)}")
    return found.status


def _row(member: Member) -> list[Cell]:
    lost = member.lost_games
    first = visible(str(lost[0])) if lost else None
    return [member.name, member.kind, member.games, member.won, member.lost, len(lost), first]


def _notes(found: Probe) -> Iterator[str]:
    """What stands below the table."""
    yield ""
    yield f"sandbox: {_sandbox(found)}"
    for what in ("heuristics", "players", "templates"):
        names = getattr(found, what)
        if names:
            yield f"{what}: {', '.join(map(visible, names))}"
    for member in found.members:
        if member.is_broken:
            yield f"{member.name} lost three games by its own fault: the rest was not played"
        for game in _different(member):
            yield from _lost(member, game)
    yield from _printed("while it was loaded", found.printed)
    for member in found.members:
        yield from _printed(f"by {member.name}", member.printed)


def _sandbox(found: Probe) -> str:
    level = found.sandbox
    missing = f", without: {', '.join(level.missing)}" if level.missing else ""
    return f"{level.name}{missing}"


def _different(member: Member) -> Iterator[LostGame]:
    """One game of each ending: the others say the same once more."""
    seen = set()
    for game in member.lost_games:
        if game.ending not in seen:
            seen.add(game.ending)
            yield game


def _lost(member: Member, game: LostGame) -> Iterator[str]:
    yield ""
    yield f"{member.name} against {game.opponent}, opening {game.opening}, as player {game.player}:"
    yield f"  {visible(str(game))}"
    if game.ending == "illegal move":
        drawn = Board.from_text(game.position).to_string()
        yield from (line.rstrip() for line in drawn.splitlines() if line)
    yield f"  {game.position}"
    trace = [visible(each) for each in game.trace]
    if len(trace) > MOST_TRACE:
        yield f"  | ... and {len(trace) - MOST_TRACE:,} lines more, which --json shows"
    yield from (f"  | {line}" for line in trace[-MOST_TRACE:])


def _printed(when: str, printed: Printed) -> Iterator[str]:
    for name in ("stdout", "stderr"):
        text = visible(getattr(printed, name)).rstrip("\n")
        if not text:
            continue
        lines = text.split("\n")
        yield ""
        yield f"printed to {name} {when}:"
        yield from (f"  | {line}" for line in lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            yield f"  ... and {len(lines) - MOST_LINES:,} lines more, which --json shows"
    if printed.dropped:
        yield f"{printed.dropped:,} bytes more were printed {when}, and not kept"


def _tell_timings(options: argparse.Namespace, timings: Timings) -> None:
    if timings.load_cpu_seconds is not None:
        say(f"isolation-grade: loading: {timings.load_cpu_seconds:.2f} s of processor time")
    for each in timings.members:
        say(f"isolation-grade: {each}")
    if options.timings is not None:
        write_timings(options.timings, timings.to_dict())


class _Bar:
    """A bar on a terminal, nothing in a log."""

    def __init__(self) -> None:
        from tqdm import tqdm

        disabled = sys.stderr is None or not sys.stderr.isatty()
        self._bar = tqdm(unit="game", file=sys.stderr, dynamic_ncols=True, leave=False, disable=disabled)

    def advance(self, games: int, planned: int) -> None:
        self._bar.total = planned
        self._bar.update(games - self._bar.n)

    def close(self) -> None:
        self._bar.close()
