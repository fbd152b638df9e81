"""`isolation-fast replay`: a game of a tournament, move by move."""

from __future__ import annotations

import argparse
import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from isolation_fast._native import Board
from isolation_fast.output import Cell, CommandError, add_format_options, add_options, print_table, print_text
from isolation_fast.playing.records import GameRecord, read_record
from isolation_fast.reports import SearchReport

DESCRIPTION = """\
Show a game of FILE, as written by `isolation-fast tournament --records FILE`. On a terminal, keys step
through it; elsewhere all positions are printed.
"""
HEADERS: Final = ("move", "player", "to", "value", "depth", "nodes", "reason", "position")
DRAWN: Final = "boards"
KEYS: Final = "n, space, → next   p, ← back   g go to a move   q quit"

CLEAR: Final = "\033[2J\033[H"
NEXT: Final = frozenset({"n", " ", "\r", "\n", "\033[C", "\033[B", "\033OC", "\033OB"})
BACK: Final = frozenset({"p", "b", "\x7f", "\b", "\033[D", "\033[A", "\033OD", "\033OA"})
# The end of the input, as Ctrl-D types it, ends the command as well.
QUIT: Final = frozenset({"q", "", "\x04"})
# A terminal sends an arrow as several characters at once, and Escape as one.
REST_OF_A_KEY: Final = 0.05


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `replay`."""
    parser = commands.add_parser("replay", description=DESCRIPTION, help="a recorded game, move by move")
    parser.add_argument("file", metavar="FILE", help="records of games, one a line")
    at = "first position, after that move (0: the start); without a terminal the only one (default: all)"
    add_options(
        parser,
        ("--game N", int, 1, "number of the game in the file (default 1)"),
        ("--at MOVE", int, None, at),
    )
    add_format_options(parser, DRAWN, default=DRAWN)


def run(options: argparse.Namespace) -> int:
    """Show the game."""
    try:
        record = read_record(options.file, options.game)
    except OSError as error:
        raise CommandError(f"{options.file!r} cannot be read: {error.strerror}") from error
    last = len(record.moves)
    if options.at is not None and not 0 <= options.at <= last:
        raise CommandError(f"game {options.game} has {last} moves, and there is no move {options.at}")
    shown = range(last + 1) if options.at is None else range(options.at, options.at + 1)
    boards = list(record.boards())
    if options.format != DRAWN:
        rows = [_row(record, number, boards[number]) for number in shown]
        fields = record.to_dict()
        names = ("schema", "opening", "pairing", "side", "players", "winner", "ending", "detail")
        positions = [dict(zip(HEADERS, row, strict=True)) for row in rows]
        document = {**{name: fields[name] for name in names}, "positions": positions}
        print_table(options, HEADERS, rows, document)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _step(record, boards, options.at or 0)
    else:
        _say("\n".join(_drawn(record, number, boards[number]) for number in shown))
    return 0


def _row(record: GameRecord, number: int, board: Board) -> list[Cell]:
    """The move, its search, and the position after it; the start has no move."""
    if number == 0:
        return [0, None, None, None, None, None, None, board.to_text()]
    move = number - 1
    row, column = record.moves[move]
    value = record.to_dict()["values"][move]
    searched: list[Cell] = [value, record.depths[move], record.nodes[move], record.reasons[move]]
    return [number, record.mover(move), f"{row},{column}", *searched, board.to_text()]


def _drawn(record: GameRecord, number: int, board: Board) -> str:
    last = len(record.moves)
    title = f"{record.players[0]} (1) against {record.players[1]} (2), move {number} of {last}"
    lines = [title, "", board.to_string().replace("\r", "").rstrip("\n"), "", _played(record, number)]
    return "\n".join([*lines, str(record) if number == last else "", ""])


def _played(record: GameRecord, number: int) -> str:
    if number == 0:
        return f"opening {record.opening}: {record.start}"
    at, player = number - 1, record.mover(number - 1)
    depth, nodes, reason = record.depths[at], record.nodes[at], record.reasons[at]
    move: object = record.moves[at]
    if depth is not None and nodes is not None and reason is not None:
        move = SearchReport(record.moves[at], record.values[at], depth, nodes, reason)
    return f"{record.players[player - 1]} ({player}): {move}"


def _step(record: GameRecord, boards: list[Board], number: int) -> None:
    last = len(record.moves)
    clear = "" if os.environ.get("TERM") in (None, "", "dumb") else CLEAR
    with _keys() as next_key:
        while True:
            _say(f"{clear}{_drawn(record, number, boards[number])}\n{KEYS}")
            key = next_key()
            if key in NEXT:
                number = min(number + 1, last)
            elif key in BACK:
                number = max(number - 1, 0)
            elif key.startswith("g"):
                number = _asked(key, next_key, number, last)
            elif key in QUIT:
                return


def _asked(key: str, next_key: Callable[[], str], number: int, last: int) -> int:
    """The move to go to: the rest of the line where whole lines are read, else the digits typed next."""
    word = key[1:].strip()
    if not word:
        print(f"go to a move, 0 to {last}: ", end="", flush=True)  # noqa: T201
        while (digit := next_key()).isdigit():
            print(digit, end="", flush=True)  # noqa: T201
            word += digit
    return min(int(word), last) if word.isdecimal() else number


@contextmanager
def _keys() -> Iterator[Callable[[], str]]:
    """A function that reads the next key, or a line where the terminal has no such mode."""
    try:
        import termios
        import tty
    except ImportError:
        yield _line
        return
    terminal = sys.stdin.fileno()
    usual = termios.tcgetattr(terminal)

    def key() -> str:
        typed = os.read(terminal, 1)
        if typed == b"\033" and select.select([terminal], [], [], REST_OF_A_KEY)[0]:
            typed += os.read(terminal, 2)
        return typed.decode(errors="replace")

    tty.setcbreak(terminal)
    try:
        yield key
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, usual)


def _line() -> str:
    try:
        return input().strip() or "n"
    except EOFError:
        return "q"


def _say(text: str) -> None:
    print_text(text + "\n")
