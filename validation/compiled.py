"""`python -m validation.compiled`: heuristics of submissions, compiled and in CPython: values and games.

Each submission runs on a copy of its folder, in a process of its own with limits of time and memory. Where
this runs as root on Linux, that process has no network and the rights of nobody.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import thread_time
from typing import Any, Final

from isolation_fast import Board, play_game
from isolation_fast.cli import carried_out
from isolation_fast.compiled import Refusal, compiled_of, explain
from isolation_fast.compiled.programs import lower
from isolation_fast.compiled.source import Source
from isolation_fast.jail import NOBODY, OnDisk, take_in
from isolation_fast.jail.copies import give_to_nobody, new_folder
from isolation_fast.output import (
    Cell,
    CommandError,
    Parser,
    add_format_options,
    print_below,
    print_table,
    progress,
)
from isolation_fast.players import AlphaBetaPlayer
from isolation_fast.submission import Submission, SubmissionError, is_custom_score, load
from isolation_fast.submission.asking import as_player
from isolation_fast.worker.entry import import_libraries
from validation.positions import seeded_positions
from validation.sides import NAMELESS_PLAYERS
from validation.sources import find_submissions

__all__ = ["main"]

HEADERS: Final = (
    "submission",
    "heuristic",
    "values",
    "differ",
    "bails",
    "needless",
    "games",
    "times as fast",
    "ms",
    "",
)
NEW_NETWORK: Final = 0x40000000
DIFFERS: Final = 1
MEMORY: Final = 2**31
# Nodes of a turn in the games that are played compiled and not.
NODES: Final = 300


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare as these arguments say; gives the exit status."""
    parser = Parser(prog="python -m validation.compiled", description=__doc__)
    parser.add_argument("folder", help="a game_agent.py, a folder with one, or a folder of such folders")
    for name, kind, default, meaning in (
        ("positions", int, 2000, "positions for each heuristic, each for both players"),
        ("games", int, 4, "games of each heuristic, played compiled and not"),
        ("seconds", float, 600.0, "CPU time for each submission"),
    ):
        parser.add_argument(f"--{name}", type=kind, default=default, help=f"{meaning} (default {default})")
    add_format_options(parser)
    options = parser.parse_args(arguments)
    return carried_out(lambda: _run(options))


def _run(options: argparse.Namespace) -> int:
    found, _ = find_submissions(Path(options.folder))
    rows: list[dict[str, Any]] = []
    with progress(len(found), "submission") as bar:
        for done, each in enumerate(found, 1):
            rows += [{"submission": each.name, **row} for row in _of(each.path, options)]
            bar.reach(done, each.name)
    if not any("values" in row or "refused" in row for row in rows):
        raise CommandError("nothing was compared: no submission could be")
    print_table(options, HEADERS, [_cells(row) for row in rows], {"heuristics": rows})
    for line in _summary(rows):
        print_below(options, line)
    for row in rows:
        if row.get("first"):
            print_below(options, f"{row['submission']}, {row['heuristic']}: {row['first']}")
    return DIFFERS if any(row.get("differ") or row.get("games", "").startswith("!") for row in rows) else 0


def _cells(row: dict[str, Any]) -> list[Cell]:
    ratio = row.get("ratio")
    return [
        *(
            row.get(name, "")
            for name in ("submission", "heuristic", "values", "differ", "bails", "needless", "games")
        ),
        f"{ratio:.1f}" if ratio else "",
        f"{row['ms']:.1f}" if "ms" in row else "",
        row.get("refused", ""),
    ]


def _summary(rows: list[dict[str, Any]]) -> Iterator[str]:
    """What all the rows say together."""
    heuristics = [row for row in rows if row.get("heuristic")]
    compiled = [row for row in heuristics if "values" in row]
    yield f"{len(compiled)} of {len(heuristics)} heuristics compile"
    values = sum(row["values"] for row in compiled)
    bails, needless = (sum(row[name] for row in compiled) for name in ("bails", "needless"))
    differ = sum(row["differ"] for row in compiled)
    yield f"{values:,} values: {differ:,} differ; {bails:,} bails where Python has none, {needless:,} others"
    ratios = [row["ratio"] for row in compiled if row.get("ratio")]
    if ratios:
        yield f"median of {len(ratios)}: {statistics.median(ratios):.1f} times as fast as CPython"
    times = sorted(row["ms"] for row in heuristics if "ms" in row)
    if times:
        most = times[int(0.95 * (len(times) - 1))]
        yield f"front-end: median {statistics.median(times):.1f} ms, 95 % within {most:.1f} ms"


def _of(file: Path, options: argparse.Namespace) -> list[dict[str, Any]]:
    """The rows of a submission, made by a process of its own on a copy."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    folder = new_folder(for_nobody=is_root)
    try:
        take_in([("", OnDisk(file.parent))], folder / "submission")
        if is_root:
            give_to_nobody(folder)
        asked = json.dumps(
            [str(folder / "submission" / file.name), options.positions, options.games, options.seconds]
        )
        command = [sys.executable, "-c", "from validation.compiled import examine; examine()", asked]
        path = str(Path(__file__).resolve().parents[1])
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "PYTHONPATH": os.pathsep.join([path, *sys.path[1:]]),
        }
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rows = [json.loads(line[5:]) for line in ended.stdout.splitlines() if line.startswith("row: ")]
    if ended.returncode:
        last = ended.stderr.strip().rpartition("\n")[2] or f"exit status {ended.returncode}"
        rows.append({"heuristic": "", "refused": last})
    return rows


def examine() -> None:
    """In the process of a submission: compare each of its heuristics, and print a row for each."""
    file, positions, games, seconds = json.loads(sys.argv[1])
    import_libraries()
    _give_up_rights(seconds)
    os.chdir(Path(file).parent)
    warnings.simplefilter("ignore")
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        submission = load(file)
    except SubmissionError as error:
        print("row:", json.dumps({"heuristic": "", "refused": str(error)}), file=out, flush=True)
        return
    for name, function in submission.heuristics.items():
        if is_custom_score(name):
            with submission.activated():
                row = _compared(submission, name, function, positions, games)
            print("row:", json.dumps({"heuristic": name, **row}), file=out, flush=True)


def _give_up_rights(seconds: float) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if os.geteuid() != 0:
        return
    if sys.platform == "linux" and ctypes.CDLL(None, use_errno=True).unshare(NEW_NETWORK):
        sys.exit("no process without network can be made here")
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def _compared(submission: Submission, name: str, function: Any, positions: int, games: int) -> dict[str, Any]:
    start = thread_time()
    try:
        program = lower(Source.of(function))
    except Refusal as refusal:
        return {"refused": str(refusal), "ms": 1e3 * (thread_time() - start)}
    row: dict[str, Any] = {"ms": 1e3 * (thread_time() - start), **_values(program, function, positions)}
    compiled_of(function)
    measured = explain(function, measure=True)
    if measured.timing is not None and measured.timing.compiled:
        row["ratio"] = measured.timing.python / measured.timing.compiled
    different = [number for number in range(games) if len(set(_games(submission, name, number))) > 1]
    row["games"] = f"!{len(different)} of {games} differ" if different else f"{games} the same"
    return row


def _values(program: Any, function: Any, positions: int) -> dict[str, Any]:
    """Ask about each position for both players, on a new board each time."""
    row: dict[str, Any] = {"values": 0, "differ": 0, "bails": 0, "needless": 0}
    for number, spot in enumerate(seeded_positions(positions, seed=16)):
        random.seed(number)
        board = spot.on(Board, NAMELESS_PLAYERS)
        for player in NAMELESS_PLAYERS:
            found = program.run(board.copy(), player)
            try:
                own = float(function(board.copy(), player))
            except Exception:  # noqa: BLE001 - then the program has to bail
                own = None
            row["values"] += 1
            if found is None:
                row["bails" if own is None or own != own else "needless"] += 1
            elif own is None or struct.pack("d", found) != struct.pack("d", own):
                row["differ"] += 1
                where = f"{board.to_text()!r}, order bits {board._order_bits}, {player}"
                row.setdefault("first", f"{found!r} compiled, {own!r} in Python at {where}")
    return row


def _games(submission: Submission, name: str, number: int) -> Iterator[str]:
    """A game compiled and not, as text: its moves, or the exception that ended it."""
    for is_compiled in (True, False):
        student = as_player(submission, name, nodes=NODES, compile=is_compiled)
        other = AlphaBetaPlayer("improved", nodes=NODES)
        seats = (student, other) if number % 2 else (other, student)
        try:
            yield str(play_game(*seats, seed=number, time_limit=1e6).moves)
        except Exception as error:  # noqa: BLE001 - it is compared
            yield f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    sys.exit(main())
