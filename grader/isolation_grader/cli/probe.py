"""`isolation-grade probe`: how a submission behaves."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from isolation_fast import Board, output
from isolation_fast.foreign import add_jail_options, add_limit_options, limits_of
from isolation_fast.jail import Limits
from isolation_grader.exceptions import in_words
from isolation_grader.lost_games import LostGame
from isolation_grader.probing import DEFAULT_BUDGET, DEFAULT_GAMES, OPPONENTS, Member, Probe, Timings, probe
from isolation_grader.showing.wording import nans_in_words, printed_lines, sandbox_in_words, trace_lines

DESCRIPTION: Final = f"""\
Load a submission in a jail, let each of its heuristics and players play a few games against
{" and ".join(OPPONENTS)}, and report how it behaves: whether it loads, how its games end, what it uses and
prints. Exit status: {in_words("probe")}.
"""
HEADERS: Final = ("member", "is a", "games", "won", "lost", "by its own fault", "the first of them")


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `probe`."""
    parser = commands.add_parser(
        "probe", description=DESCRIPTION, help="how a submission behaves: endings, processor time, output"
    )
    parser.add_argument("submission", metavar="SUBMISSION", help="a game_agent.py, or its folder")
    parser.add_argument(
        "--members", nargs="+", metavar="NAME", help="only these heuristics and players (default: all)"
    )
    games = f"games against each opponent, an even number (default {DEFAULT_GAMES})"
    output.add_options(
        parser,
        ("--games N", int, DEFAULT_GAMES, games),
        ("--seed N", int, 0, "seed of the openings and of all chance (default 0)"),
    )
    add_limit_options(parser)
    add_jail_options(parser, "submissions", optional=False)
    budget = parser.add_mutually_exclusive_group()
    text = f"budget of our search around a heuristic, such as depth=3 or ms=150 (default {DEFAULT_BUDGET})"
    budget.add_argument("--budget", default=DEFAULT_BUDGET, metavar="BUDGET", help=text)
    budget.add_argument("--nodes", type=int, metavar="N", help="short for --budget nodes=N")
    parser.add_argument("--timings", metavar="FILE", help="write the times to FILE, as JSON")
    output.add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Probe, and print the result."""
    output.require_stdout()
    limits = limits_of(options) or Limits()
    if options.timings is not None:
        given = Path(options.submission)
        files = given.glob("*.py") if given.is_dir() else [given]
        output.require_no_player("timings", options.timings, files)
        output.require_writable(options.timings)
    with output.progress(None, "game") as bar:
        found = probe(
            options.submission,
            members=options.members,
            games=options.games,
            seed=options.seed,
            budget=options.budget if options.nodes is None else f"nodes={options.nodes}",
            limits=limits,
            sandbox_required=options.require_sandbox,
            progress=lambda done, of: bar.part("", done, of),
        )
    output.print_table(options, HEADERS, [_row(each) for each in found.members], found.to_dict())
    if options.format not in output.DATA_FORMATS:
        for line in _notes(found):
            output.print_below(options, line)
    elif options.format != "json":  # JSON has it among its data
        output.say(f"isolation-grade: sandbox: {sandbox_in_words(found.sandbox)}")
    _tell_timings(options, found.timings)
    if found.problem is not None:
        # `say` makes control characters visible.
        output.say(f"isolation-grade: {found.submission} could not be loaded: {found.problem}")
    return found.status


def _row(member: Member) -> list[output.Cell]:
    lost = member.lost_games
    first = output.visible(str(lost[0])) if lost else None
    return [member.name, member.kind, member.games, member.won, member.lost, len(lost), first]


def _notes(found: Probe) -> Iterator[str]:
    yield ""
    yield f"sandbox: {sandbox_in_words(found.sandbox)}"
    for what in ("heuristics", "players", "templates"):
        names = getattr(found, what)
        if names:
            yield f"{what}: {', '.join(map(output.visible, names))}"
    for member in found.members:
        if member.is_broken:
            yield f"{member.name} lost three games by its own fault: its other games do not count"
        nans = nans_in_words(member.nans)
        if nans is not None:
            yield f"{member.name}: {nans}"
        for game in _different(member):
            yield from _lost(member, game)
    yield from printed_lines("while it was loaded", found.printed)
    for member in found.members:
        yield from printed_lines(f"by {member.name}", member.printed)


def _different(member: Member) -> Iterable[LostGame]:
    """The first game of each ending."""
    first: dict[str, LostGame] = {}
    for game in member.lost_games:
        first.setdefault(game.ending, game)
    return first.values()


def _lost(member: Member, game: LostGame) -> Iterator[str]:
    yield ""
    yield f"{member.name} against {game.opponent}, opening {game.record.opening}, as player {game.player}:"
    yield f"  {output.visible(str(game))}"
    if game.ending == "illegal move":
        drawn = Board.from_text(game.position).to_string()
        yield from (line.rstrip() for line in drawn.splitlines() if line)
    yield f"  {game.position}"
    yield from trace_lines(game.trace)


def _tell_timings(options: argparse.Namespace, timings: Timings) -> None:
    if timings.load_cpu_seconds is not None:
        output.say(f"isolation-grade: loading: {timings.load_cpu_seconds:.2f} s of processor time")
    for each in timings.members:
        output.say(f"isolation-grade: {each}")
    if options.timings is not None:
        output.write_json(options.timings, timings.to_dict())
