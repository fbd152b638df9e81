"""Whether the price list follows CPython: for each instruction and each kind of question.

    python benchmarks/prices.py [--rounds N]

Each row is a loop of nothing but the shortest Python that an instruction comes from. It is run in CPython, on
the board of `isolation_fast.reference`, and as a program, whose run has a price. `of CPython` is that price
over the time: below 0.8 a heuristic could buy more by this instruction than by time. `ns` is what the time
leaves for one such instruction, once the rest of the loop is paid. `machine` is the time that the run takes
here over its price. Then it says which instructions no row has, and what a node takes. For a quiet machine:
the least time of all rounds counts.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from math import inf
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter_ns
from typing import Any

from tabulate import tabulate

from isolation_fast import Board, reference
from isolation_fast.cost import BANDS, NODE, OF_INSTRUCTIONS, WITH_IMPROVED
from isolation_fast.programs import program_of

LOOPS = 60
REPEATED = 8
TEXT = "7x7 x6/2x4/4x2/3x3/7/1x5/7 1,2 3,3 1"
EIGHT = "l = [each for each in range(c - 1, c + 7)]"
MANY = "l = [each for each in range(c + 32)]"
OTHERS = "game.get_legal_moves(game.get_opponent(player))"
SETS = f"s = set(game.get_legal_moves(player)); t = set({OTHERS}); u = s | t"
LARGE = "s = set(game.get_blank_spaces()); t = set(game.get_legal_moves(player)) | s; u = s | t"
MOVES = "l = game.get_legal_moves(player)"

# The instruction that a row is about, what stands before its loop, and what is repeated in it: nothing that a
# compiler could leave out or do once. At the end how often, where that is not as often as in other rows: what
# is made in a run stays in its memory.
ROWS: list[tuple[str, str, str] | tuple[str, str, str, int]] = [
    ("AddI", "", "c = c + a"),
    ("SubI", "", "c = a - c"),
    ("MulI", "a = game.width - 8", "c = c * a"),
    ("AddN", "", "c += 1"),
    ("FloorDivI", "a = game.move_count + 50", "c = a // c"),
    ("ModI", "", "c = (c + a) % b"),
    ("PowI", "a = game.width - 4", "c = c ** a"),
    ("NegI", "", "c = -c"),
    ("AbsI", "", "c = abs(c)"),
    ("NotI", "", "c = ~c"),
    ("AndI", "", "c = c & a"),
    ("OrI", "", "c = c | a"),
    ("XorI", "", "c = c ^ a"),
    ("ShlI", "", "c = (c << b) & a"),
    ("ShrI", "", "c = c >> b"),
    ("MinI", "", "c = min(c, a)"),
    ("MaxI", "", "c = max(c, a)"),
    ("EqI", "", "c = c == a"),
    ("NeI", "", "c = c != a"),
    ("LtI", "", "c = c < a"),
    ("LeI", "", "c = c <= a"),
    ("IsZero", "", "c = not c"),
    ("EqF", "", "f += f == e"),
    ("LtF", "", "f += f < e"),
    ("AddF", "", "f = f + e"),
    ("SubF", "", "f = e - f"),
    ("MulF", "", "f = f * e"),
    ("DivF", "", "f = e / f"),
    ("FloorDivF", "", "f = (f + e) // e"),
    ("ModF", "", "f = (f + e) % e"),
    ("PowF", "", "f = f ** e"),
    ("NegF", "", "f = -f"),
    ("AbsF", "", "f = abs(f)"),
    ("SqrtF", "", "f = sqrt(f)"),
    ("MathF", "", "f = cos(f)"),
    ("Math2F", "", "f = atan2(f, e)"),
    ("CeilI", "", "f = e * ceil(f)"),
    ("FloorI", "", "f = e * floor(f)"),
    ("TruncI", "", "f = e * int(f)"),
    ("RoundI", "", "f = e * round(f)"),
    ("IToF", "", "f = f + float(c)"),
    ("IToFExact", "", "f = c / e; c += 1"),
    ("MovI", "", "d = c; c = a; a = d"),
    ("MovF", "", "g = f; f = e; e = g"),
    ("JumpLtN", "", "if c < 3: c = c + a"),
    ("JumpLtI", "", "if c < a: c = c + a"),
    ("JumpIf", "", "if c: c = c - a"),
    ("JumpLtF", "", "if f < e: f = f + e"),
    ("JumpEqN", "", "if c == 3: c = c + a"),
    ("a choice", "", "c = a if c < b else b"),
    ("a call in place", "", "c = called(c)"),
    ("Call", "", "c += nested(c % 2 + 4)"),
    ("a loop over a range", "", "for d in range(c % 2, 8): c += 1"),
    ("a loop by while", "", "d = c % 2\n        while d < 8: d += 1"),
    ("ListNew", "", "l = []; l.append(c); c += len(l)"),
    ("ListNew of three", "", "l = [c, a, b]; c = l[c % 3]"),
    ("ListLen", EIGHT, "c += len(l)"),
    ("ListAt", EIGHT, "c = l[c]"),
    ("ListAt to store", EIGHT, "l[c % 7] = c"),
    ("ListPush", "l = [1]", "l.append(c)"),
    ("ListPop", "l = [each for each in range(c + 600)]", "c = l.pop()"),
    ("ListCopy", EIGHT, "l = l[:]"),
    ("ListCopy of 32", MANY, "l = l[:]"),
    ("ListSlice", MANY, "l[0] = len(l[2:25])"),
    ("ListReverse", EIGHT, "l.reverse()"),
    ("ListReverse of 32", MANY, "l.reverse()"),
    ("ListClear", EIGHT, "l.clear(); l.append(c); c = len(l)"),
    ("ListExtend", f"{EIGHT}; m = [1]", "m.extend(l)"),
    ("ListInsert", "l = [1]", "l.insert(0, c)"),
    ("Find", EIGHT, "c += c in l"),
    ("Find of 32", MANY, "c += c + 99 in l"),
    ("Find of cells", MOVES, "c += (c % 7, 3) in l"),
    ("SortI", EIGHT, "l = sorted(l)"),
    ("SortI of what is mixed", EIGHT, "l = sorted([each * 5 % 7 for each in l])"),
    ("SortI of 32", MANY, "l = sorted([each * 5 % 31 for each in l])", 10),
    ("SortF by a key", EIGHT, "l = sorted(l, key=lambda each: each * 0.3 % 1.0)"),
    ("a loop over a list", EIGHT, "for d in l: c += d"),
    ("a sum of a list", EIGHT, "c += sum(l)"),
    ("the largest of a list", EIGHT, "c += max(l)"),
    ("a list made of a list", EIGHT, "l = [each + 1 for each in l]"),
    ("a tuple", EIGHT, "p = (c, a); q = [p, (a, c)]; c = q[c % 2][0]"),
    ("a dict", "d = {1: 2, 3: 4, 5: 6, 2: 1, 4: 3, 6: 5}", "c = d[c]"),
    ("a store in a dict", "d = {1: 2, 3: 4, 5: 6}", "d[c] = c"),
    ("MaskAnd", SETS, "u = (u & t) | s"),
    ("MaskOr", SETS, "u = u | t"),
    ("MaskWithout", SETS, "u = s - u"),
    ("MaskXor", SETS, "u = u ^ t"),
    ("MaskAnd of many", LARGE, "u = u & t"),
    ("MaskOr of many", LARGE, "u = u | t"),
    ("MaskWithout of many", LARGE, "u = s - (u - t)"),
    ("MaskXor of many", LARGE, "u = u ^ t"),
    ("a copy of a set", LARGE, "u = set(s); u.add((c % 7, 3)); c = len(u)", 5),
    ("Lookup", "s = {(0, 1), (c, 5), (c + 1, 3), (c + 9, 4), (3, c), (7, 9)}", "c += (c, 9) in s"),
    ("a set that is made", "", "u = set(); u.add((c % 7, 3)); c = len(u)"),
    ("MaskCount", SETS, "u = u ^ t; c += len(u)"),
    ("MaskHas", SETS, "c += (3, c % 7) in s"),
    ("a cell put in a set", SETS, "u.add((3, c % 7)); c = len(u)"),
    ("MaskAdd", f"{SETS}; {MOVES}", "u.add(l[c % 2]); c = len(u)"),
    ("a loop over moves", MOVES, "for p in l: c += p[0]"),
    ("a loop over cells", "l = game.get_blank_spaces()", "for p in l: c += p[0]"),
    ("Width", "", "c += game.width"),
    ("Height", "", "c += game.height"),
    ("MoveCount", "", "c += game.move_count"),
    ("Active", "", "c += game.active_player == player"),
    ("Opponent", "o = player", "o = game.get_opponent(o)"),
    ("Location", "", "c += game.get_player_location(player)[0]"),
    ("IsBlank", "", "c += game.move_is_legal((3, c % 7))"),
    ("Blank", "", "c += len(game.get_blank_spaces())"),
    ("Mobility", "", "c += len(game.get_legal_moves(player))"),
    ("CanMove", "", "c += bool(game.get_legal_moves(player))"),
    ("Moves", "", "m = game.get_legal_moves(player); c += len(m) * (m[0] != m[1])"),
    ("IsLoser", "", "c += game.is_loser(player)"),
    ("IsWinner", "", "c += game.is_winner(player)"),
    ("IsLoser of the other", "", "c += game.is_loser(game.get_opponent(player))"),
    ("IsWinner of the other", "", "c += game.is_winner(game.get_opponent(player))"),
    ("MobilityFrom", "", "c += len(game._Board__get_moves((3, c % 7)))"),
    ("Forecast", "", "g = game.forecast_move((4, c % 7)); c += g.move_count"),
    ("CopyGame", "", "g = game.copy(); c += g.move_count"),
    ("Apply", "g = game.copy()", "g.apply_move((4, c % 7)); c += g.move_count"),
]

HEAD = """
from math import *

def called(a):
    return a

def nested(a):
    return 0 if a == 0 else nested(a - 1)
"""


@dataclass
class Row:
    """A row, with what its loop costs and takes."""

    name: str
    price: int
    time: float
    loops: int
    in_machine: float
    instructions: Counter[str]

    @property
    def shown(self) -> list[object]:
        """As the table has it."""
        name = self.name.split()[0]
        count = self.instructions[name]
        left = OF_INSTRUCTIONS.get(name, 0) + (self.time - self.price) / (self.loops * REPEATED)
        rounded = round(self.price / self.time, 2)
        real = round(self.in_machine / self.price, 2)
        return [
            self.name,
            self.price,
            round(self.time),
            rounded,
            round(left) if count == REPEATED else None,
            real,
        ]


def heuristic_of(number: int, before: str, repeated: str, loops: int = LOOPS) -> str:
    """The source of a row's heuristic."""
    names = "a = game.move_count; b = c = game.height - 6; e = f = game.width / 8"
    lines = [f"def h{number}(game, player):", f"    {names}", *([f"    {before}"] if before else [])]
    lines += [f"    for _ in range({loops}):", *[f"        {repeated}"] * REPEATED, "    return c + f"]
    return "\n".join(lines) + "\n"


def least_time(function: Callable[[Any, Any], object], board: Any, rounds: int) -> float:
    """The least nanoseconds of a call."""
    player, best = board.active_player, inf
    for _ in range(rounds):
        began = perf_counter_ns()
        function(board, player)
        best = min(best, perf_counter_ns() - began)
    return best


def row_of(name: str, function: Callable[[Any, Any], float], loops: int, rounds: int) -> Row:
    """Price and time of a heuristic, which must have the same value both ways."""
    program = program_of(function)
    board, native = reference.Board.from_text(TEXT), Board.from_text(TEXT)
    value, price = program.priced_run(native, native.active_player)
    if value != function(board, board.active_player):
        raise SystemExit(f"{name}: the program gives {value}")
    names = list(OF_INSTRUCTIONS)
    counts = Counter(names[number] for *_, code in program.functions for number, *_ in code)
    in_machine = least_time(program.priced_run, native, rounds)
    return Row(name, price, least_time(function, board, rounds), loops, in_machine, counts)


def rows(rounds: int) -> Iterator[Row]:
    """All rows, one after another."""
    with TemporaryDirectory() as folder:
        sources = [heuristic_of(number, *row[1:]) for number, row in enumerate(ROWS)]
        Path(folder, "priced_rows.py").write_text(HEAD + "\n".join(sources))
        sys.path.insert(0, folder)
        module = import_module("priced_rows")
        for number, (name, _, _, *loops) in enumerate(ROWS):
            yield row_of(name, getattr(module, f"h{number}"), loops[0] if loops else LOOPS, rounds)


def boards_of(band: int, chance: Random) -> Iterator[Any]:
    """Boards of random games on which so many cells are blank."""
    below, least = BANDS[band], BANDS[band - 1] if band else 0.2
    while True:
        board = reference.Board()
        while len(board.get_blank_spaces()) / 49 >= below - 0.02 and (moves := board.get_legal_moves()):
            board.apply_move(chance.choice(moves))
        if least <= len(board.get_blank_spaces()) / 49 < below and board.get_legal_moves():
            yield board


def improved(game: Any, player: Any) -> float:
    """The unit, as the course has it."""
    if game.is_loser(player):
        return -inf
    if game.is_winner(player):
        return inf
    own = len(game.get_legal_moves(player))
    return float(own - len(game.get_legal_moves(game.get_opponent(player))))


def node_times(rounds: int) -> Iterator[str]:
    """What a node of the reference's search takes in each band of blank cells, and what is stated."""
    chance = Random(1)
    for band, stated in enumerate(WITH_IMPROVED):
        boards = list(islice(boards_of(band, chance), 8))
        times = []
        for heuristic in (improved, nothing):
            best = inf
            for _ in range(rounds):
                spent = nodes = 0
                for board in boards:
                    began = perf_counter_ns()
                    nodes += reference.search(board, heuristic, nodes=300).nodes
                    spent += perf_counter_ns() - began
                best = min(best, spent / nodes)
            times.append(f"{best:.0f}")
        with_improved, alone = times
        yield f"band {band + 1}: with improved {with_improved}, stated {stated}; alone {alone}, stated {NODE}"


def nothing(_game: Any, _player: Any) -> float:
    """What takes no time."""
    return 0.0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    found = list(rows(rounds))
    headers = ["of", "price", "CPython ns", "of CPython", "ns", "machine"]
    print(tabulate([each.shown for each in found], headers=headers))
    least = min(found, key=lambda each: each.price / each.time)
    print(f"\n{len(found)} rows; the least is {least.name}: {least.price / least.time:.2f} of CPython's time")
    seen = {name for each in found for name in each.instructions}
    print(f"in no row: {', '.join(sorted(set(OF_INSTRUCTIONS) - seen))}")
    print(*node_times(max(2, rounds // 20)), sep="\n")


if __name__ == "__main__":
    main()
