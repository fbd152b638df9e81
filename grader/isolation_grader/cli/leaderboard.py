"""`isolation-grade leaderboard`: the best heuristics of a graded class, each against each other."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from isolation_fast import output
from isolation_fast.foreign import add_jail_options
from isolation_fast.tournament import Progress, cluster
from isolation_grader import __version__
from isolation_grader.classes.facts import LEADERBOARD
from isolation_grader.classes.leaderboard import GAMES, Board, BoardRun
from isolation_grader.classes.marks import places_in_words
from isolation_grader.classes.running import require_sandbox
from isolation_grader.exceptions import ExitStatus, in_words
from isolation_grader.showing.wording import NOTHING, elo, ends, one_line, percent

DESCRIPTION: Final = f"""\
Let the best heuristic of each submission of a graded class play that of each other, in the jail, with the
budget that it was graded with. Writes a page and tables with pseudonyms for students, and the
same with names for staff. Repeated, it plays only the pairs that are new or have changed.
Exit status: {in_words("leaderboard")}.
"""
HEADINGS: Final = ("place", "equal", "pseudonym", "submission", "heuristic", "won", "95 %", "Elo", "games")


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `leaderboard`."""
    parser = commands.add_parser(
        "leaderboard", description=DESCRIPTION, help="the best heuristics of a class against each other"
    )
    add = parser.add_argument
    add("results", metavar="RESULTS", help="what `isolation-grade class --out` has written")
    add("--out", metavar="FOLDER", help=f"folder for page, tables and games (default: RESULTS/{LEADERBOARD})")
    games = f"games of each pair, an even number (default {GAMES})"
    add("--games", type=int, default=GAMES, metavar="N", help=games)
    add("--workers", type=int, metavar="N", help="games at once (default: one for each core)")
    add("--dask", metavar="ADDRESS", help="scheduler of a running Dask cluster, such as tcp://host:8786")
    add_jail_options(parser, "submissions", optional=False)
    output.add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Play what is missing, write the leaderboard, and print it for staff."""
    output.require_stdout()
    require_sandbox(required=options.require_sandbox)
    out = None if options.out is None else Path(options.out)
    with (
        cluster(options.dask) as executor,
        BoardRun(
            Path(options.results), out, games=options.games, workers=options.workers, executor=executor
        ) as running,
    ):
        for name, why in running.left_out:
            output.say(f"isolation-grade: does not play: {one_line(name)}: {one_line(why)}")
        kept = f", {running.kept_games} of them played before" if running.kept_games else ""
        told = f"isolation-grade: {running.players} players, {running.planned_games} games{kept}"
        try:
            board = _played(running, told)
        except KeyboardInterrupt:
            done = f"{running.games} of {running.planned_games} games"
            output.say(f"isolation-grade: interrupted after {done}; the same command goes on")
            return ExitStatus.INTERRUPTED
        running.write(board, page)
    unsure = [each for each in board.places if each.place is not None and ends(each.interval) == NOTHING]
    if unsure:
        told = f"{len(unsure)} of {running.players} players have no interval"
        output.say(f"isolation-grade: {told}: their places say nothing; more --games tell them apart")
    _print(options, board, running.out)
    return ExitStatus.GOOD


def _played(running: BoardRun, told: str) -> Board:
    with output.progress(running.planned_games, "game", done=running.kept_games, instead=told) as bar:

        def show(progress: Progress) -> None:
            bar.reach(progress.games)

        return running.play(show)


def page(board: Board, for_staff: bool) -> str:
    """The leaderboard as a page, with names if it is for staff."""
    from isolation_grader.showing import html

    return html.page(
        "leaderboard.html.jinja",
        board=board,
        for_staff=for_staff,
        equal={each.key: places_in_words(each.equal) for each in board.places if each.equal},
        bars={each.key: html.bar(each.rate, each.interval) for each in board.places},
        version=__version__,
    )


def _print(options: argparse.Namespace, board: Board, out: Path) -> None:
    rows: list[list[output.Cell]] = []
    for each in board.places:
        equal = each.equal and places_in_words(each.equal)
        who = (each.place, equal, each.pseudonym, one_line(each.name), one_line(each.heuristic))
        rows.append([*who, percent(each.rate), ends(each.interval), elo(each.elo), each.games])
    output.print_table(options, HEADINGS, rows, board.to_dict(for_staff=True))
    output.print_below(
        options, f"\nFor students: {out / 'index.html'}. With names, for staff: {out / 'staff.html'}"
    )
