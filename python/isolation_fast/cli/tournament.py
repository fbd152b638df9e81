"""`isolation-fast tournament`: players against a roster, each against each, or two head to head."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from isolation_fast import jail, output
from isolation_fast.exceptions import InvalidArgumentError, JournalError
from isolation_fast.foreign import (
    add_jail_options,
    add_limit_options,
    add_nan_option,
    jail_status,
    limits_of,
)
from isolation_fast.output import CommandError, add_options, say
from isolation_fast.tournament import Gauntlet, Match, RoundRobin, Run, Sprt, Tournament, TournamentResult
from isolation_fast.tournament.formats import CLASSIC_SIZE, EXACT_NODES
from isolation_fast.tournament.grammar import parse_player
from isolation_fast.tournament.openings import AllOpenings, BalancedOpenings, FileOpenings, Openings
from isolation_fast.tournament.running import cluster
from isolation_fast.tournament.tables import notes, table, thrown_table

DESCRIPTION = """\
Play test players against a roster, and report how strong they are and how sure that is. A player is
AB_Improved, MM_Open, Random, AB:bfs@nodes=2000, game_agent.py:custom_score and the like; docs/tournaments.md
has the grammar. The results do not depend on the number of workers or on interruptions. A heuristic of a file
plays as a program where its text gives one, and nothing of the file is run. All else of files runs in the
jail where this system has one: without network, and without files but those that Python needs. Exit status: 0
when all is played, 1 if a test player is broken, 2 for bad input, 6 if --require-sandbox asks for more of the
jail than there is, 130 after an interruption.
"""
KINDS: Final = ("gauntlet", "round-robin", "match")
CLASSIC_FORMAT: Final = "classic"
BROKEN: Final = 1
FILES: Final = "files of players"


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `tournament`."""
    parser = commands.add_parser(
        "tournament", description=DESCRIPTION, help="games between players, with rates and intervals"
    )
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="test players (default AB_Improved)")
    parser.add_argument(
        "--kind",
        choices=KINDS,
        default="gauntlet",
        help="test players against a roster, each against each, or two head to head (default gauntlet)",
    )
    sprt = "sequential test of rate H0 against H1, such as 0.5,0.55 (default error rates 0.05,0.1)"
    add_options(
        parser,
        ("--roster PLAYER", list, [], "classic, early, or an opponent; repeatable (default classic)"),
        ("--games N", int, None, "games of each player against each opponent, an even number (default 100)"),
        ("--seed N", int, 0, "seed of openings and all chance (default 0)"),
        ("--width N", int, 7, "columns of the board (default 7)"),
        ("--height N", int, 7, "rows of the board (default 7)"),
        ("--time-limit N", float, 150.0, "milliseconds a turn, for players with a clock (default 150)"),
        ("--workers N", int, None, "threads or processes (default: one a processor)"),
        (
            "--budget BUDGET",
            str,
            "work=2000",
            "budget of alpha-beta players that name none: nodes=500, depth=3, ms=150, course "
            "(default work=2000)",
        ),
        ("--openings FILE", str, None, "file of positions, one a line; all; balanced (default: random)"),
        ("--sprt H0,H1[,ALPHA,BETA]", str, None, sprt),
    )
    add_nan_option(parser)
    output.add_compile_option(parser)
    add_jail_options(parser, FILES)
    add_limit_options(parser)
    add_options(
        parser,
        (
            "--value-work N",
            int,
            None,
            "how much one value of a file's heuristic may take, in nodes with improved; more loses the game "
            "(default: as much as there is)",
        ),
        ("--exact", bool, False, "also count the won positions that each player throws away"),
        (
            "--exact-nodes N",
            int,
            None,
            f"nodes to find out who wins a position, with --exact (default {EXACT_NODES:,})",
        ),
        ("--journal FILE", str, None, "file that keeps finished chunks"),
        ("--resume", bool, False, "continue from the journal, if it exists"),
        ("--records FILE", str, None, "file for the moves of every game, as JSON lines"),
        ("--timings FILE", str, None, "file for the times it took, as JSON"),
        ("--dask ADDRESS", str, None, "scheduler of a running Dask cluster, such as tcp://host:8786"),
    )
    output.add_format_options(parser, CLASSIC_FORMAT)


def run(options: argparse.Namespace) -> int:
    """Play, and print the table; 1 if a test player is broken."""
    _require_writable(options)
    tournament = _tournament(options)
    if tournament.has_submissions and (status := jail_status(options, jail.available(), FILES)):
        return status
    plan = tournament.plan()
    sprt = None if options.sprt is None else _sprt(options.sprt)
    try:
        with cluster(options.dask) as executor, _open_run(options, plan, executor, sprt) as running:
            return _played(options, running)
    except BrokenPipeError:
        raise
    except OSError as error:
        hint = None if options.journal is None else f"what is finished is kept: {_go_on(options)}"
        raise CommandError(f"the tournament cannot go on: {error}", hint) from error


def _played(options: argparse.Namespace, running: Run) -> int:
    planned = running.plan.games
    if running.torn_bytes:
        say(f"isolation-fast: the last line of the journal was torn: {running.torn_bytes} bytes dropped")
    if running.resumed_games:
        say(f"isolation-fast: {running.resumed_games:,} of {planned:,} games are in the journal")
    try:
        with output.ended_politely(), output.progress(planned, "game", done=running.resumed_games) as bar:
            result = running.play(lambda so_far: bar.reach(so_far.games))
    except KeyboardInterrupt:
        # A second Ctrl-C must not cost the table. The process ends after it.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _say_interrupted(options, running)
        return output.INTERRUPTED
    except JournalError as error:
        raise CommandError(str(error), _go_on(options)) from error
    _print(options, result)
    _say_timings(options, running)
    _say_verdict(result, running)
    # On a cluster's machines there may be less of it than here.
    broken = BROKEN if any(each.is_broken for each in result.players) else 0
    return jail_status(options, result.jail, FILES) or broken


def _require_writable(options: argparse.Namespace) -> None:
    """Refuse what could not be written once all is played, or would be written over by something else."""
    output.require_stdout()
    named = [(name, getattr(options, name)) for name in ("journal", "records", "timings", "openings")]
    files = [
        (name, path)
        for name, path in named
        if path is not None and not (name == "openings" and path in ("all", "balanced"))
    ]
    for (one, path), (other, second) in combinations(files, 2):
        if output.is_same_file(path, second):
            raise CommandError(f"--{one} and --{other} name the same file: {path}")
    players = list(_player_files(options))
    for name, path in files:
        if name != "openings":
            output.require_no_player(name, path, players)
    if options.timings is not None:
        output.require_writable(options.timings)


def _player_files(options: argparse.Namespace) -> Iterator[str]:
    for text in (*options.players, *options.roster):
        try:
            path = parse_player(text).path
        except InvalidArgumentError:
            continue  # it is refused, or the name of a roster
        if path is not None:
            yield path


def _tournament(options: argparse.Namespace) -> Tournament:
    openings, players, roster = _openings(options), options.players, options.roster
    settings: dict[str, Any] = {
        "games": None if openings is not None else 100 if options.games is None else options.games,
        "openings": openings,
        "seed": options.seed,
        "budget": options.budget,
        "time_limit": options.time_limit,
        "record": options.records is not None,
        "jail": False if options.no_jail else None,
        "limits": limits_of(options),
        "nan": options.nan,
        "exact": options.exact,
        "value_work": options.value_work,
        "exact_nodes": EXACT_NODES if options.exact_nodes is None else options.exact_nodes,
    }
    if openings is None:
        settings |= {"width": options.width, "height": options.height}
    if options.exact_nodes is not None and not options.exact:
        raise CommandError("--exact-nodes goes with --exact: without it no position is solved")
    if options.kind == "round-robin" and options.format == CLASSIC_FORMAT:
        raise CommandError("the classic table is for test players, not for a round robin")
    if options.kind != "gauntlet" and roster:
        raise CommandError(f"a {options.kind} has no roster: --roster is for a gauntlet")
    if options.kind == "match":
        if len(players) != 2:
            raise CommandError(f"a match is between two players, not {len(players)}")
        return Match(*players, **settings)
    if options.kind == "round-robin":
        return RoundRobin(players or "classic", **settings)
    against = roster if len(roster) > 1 else (roster or ["classic"])[0]
    return Gauntlet(players or ["AB_Improved"], against, **settings)


def _openings(options: argparse.Namespace) -> Openings | None:
    if options.openings is None:
        return None
    size = {"width": options.width, "height": options.height}
    if options.openings == "balanced":
        games = 100 if options.games is None else options.games
        if games % 4:
            raise CommandError(f"--games must be a multiple of 4 with balanced openings, not {games}")
        return BalancedOpenings(games // 2, options.seed, **size)
    if options.games is not None:
        raise CommandError("--games is for random and balanced openings: all others are played twice each")
    if options.openings == "all":
        return AllOpenings(**size)
    openings = FileOpenings(options.openings)
    if (options.width, options.height) != CLASSIC_SIZE:
        raise CommandError("--width and --height are for openings that are drawn: a file's have their size")
    return openings


def _sprt(text: str) -> Sprt:
    try:
        numbers = [float(each) for each in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 4):
        raise CommandError(f"--sprt takes H0,H1 or H0,H1,ALPHA,BETA, such as 0.5,0.55, not {text!r}")
    return Sprt(*numbers)


def _open_run(options: argparse.Namespace, plan: Any, executor: Any, sprt: Sprt | None) -> Run:
    if options.resume and options.journal is None:
        raise CommandError("--resume needs the --journal that it continues from")
    try:
        asked = {name: getattr(options, name) for name in ("workers", "journal", "resume", "records")}
        return Run(plan, executor=executor, sprt=sprt, **asked)
    except OSError as error:
        raise CommandError(f"the tournament cannot begin: {error}") from error
    except JournalError as error:
        goes_on = options.resume or not Path(options.journal).is_file()
        raise CommandError(str(error), None if goes_on else "--resume continues from it") from error


def _print(options: argparse.Namespace, result: TournamentResult) -> None:
    if options.format == CLASSIC_FORMAT:
        output.print_below(options, result.classic_table())
    else:
        headers, rows = table(result, options.format)
        output.print_table(options, headers, rows, result.to_dict())
    if result.thrown is not None and options.format not in output.DATA_FORMATS:
        form = "simple" if options.format == CLASSIC_FORMAT else options.format
        output.print_below(options, "\n" + output.table_text(form, *thrown_table(result), {}))
    if options.format not in output.DATA_FORMATS:
        output.print_below(options, "")
    for line in notes(result):
        output.print_below(options, line)


def _say_timings(options: argparse.Namespace, running: Run) -> None:
    timings = running.timings()
    say(f"isolation-fast: {timings}")
    for each in timings.compiled:
        say(f"isolation-fast: {each}")
    if options.timings is not None:
        output.write_json(options.timings, timings.to_dict())


def _say_verdict(result: TournamentResult, running: Run) -> None:
    later = running.games - result.games
    if result.is_decided and later > 0:
        say(
            f"isolation-fast: {running.games:,} games were played; {later:,} of them do not count: "
            "they came after the decision"
        )
    if any("no value" in each.endings for each in result.entrants):
        say("hint: where a program has no value, Python may have one: --no-compile asks it")
    if result.sequential and not result.is_decided:
        say("hint: the test is undecided: begin again with more --games, as a journal cannot be extended")


def _say_interrupted(options: argparse.Namespace, running: Run) -> None:
    result = running.result()
    if result.openings:
        _print(options, result)
    else:
        say("isolation-fast: no opening has been played by all yet, so there is no table")
    _say_timings(options, running)
    say("isolation-fast: interrupted")
    say(f"hint: {_go_on(options)}")


def _go_on(options: argparse.Namespace) -> str:
    """How to go on."""
    return output.go_on(options, "FILE", sys.argv[1:])
