"""Write `perft.jsonl`, `order.jsonl` and `search.jsonl` anew, by the pure-Python reference alone.

    python tests/vectors/make_vectors.py

The positions come from fixed seeds: a run without a change of the rules changes no byte.

    python tests/vectors/make_vectors.py golden FILE

writes `golden.jsonl` instead: the same values as in a file of other people's, in fewer bytes.
"""

import json
import math
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from isolation_fast.reference import Board, search
from isolation_fast.reference.board import WORD, shuffle_moves

HERE = Path(__file__).resolve().parent

# Both sides of every width of a cell set, boards of one row or column, and large ones.
SIZES = [(1, 1), (1, 6), (2, 2), (2, 5), (3, 2), (3, 3), (4, 3), (5, 4), (5, 5), (7, 7), (9, 7), (7, 9)]
SIZES += [(8, 8), (64, 1), (13, 5), (5, 13), (11, 9), (16, 8), (2, 64), (128, 1), (43, 3), (3, 43), (12, 12)]
SIZES += [(101, 101)]
MOST_MADE = {"perft": 2_500, "search": 1_200}
BITS = [0, 1, 2**63, WORD, 0x0123456789ABCDEF]


def random_board(draw: random.Random, width: int, height: int, plies: int, blocked: float) -> Board:
    """Play legal moves at random from a board of which a share of the cells is blocked."""
    board = Board(width=width, height=height)
    for cell in range(width * height):
        if draw.random() < blocked:
            board._board_state[cell] = 1
    for _ in range(plies):
        moves = sorted(board.get_legal_moves())
        if not moves:
            break
        board.apply_move(draw.choice(moves))
    return board


def boards() -> Iterator[Board]:
    """Yield boards of every size and stage, no position twice."""
    seen = set()
    for board in boards_of_all_stages():
        if board.to_text() not in seen:
            seen.add(board.to_text())
            yield board


def boards_of_all_stages() -> Iterator[Board]:
    draw = random.Random(1997)
    for width, height in SIZES:
        cells = width * height
        for plies in (0, 1, 2, 3, cells // 6, cells // 3):
            yield random_board(draw, width, height, min(plies, 300), 0.0)
        for plies, blocked in ((0, 0.5), (1, 0.3), (2, 0.3), (4, 0.15), (3, 1.0)):
            yield random_board(draw, width, height, plies, blocked)
        # Moves are not checked, so both can come to stand on one cell.
        twice = random_board(draw, width, height, 3, 0.1)
        twice.apply_move((height // 2, width // 2))
        twice.apply_move((height // 2, width // 2))
        yield twice


def perft_counts(board: Board) -> list[int]:
    """Count the lines of play by depth, each position made by `forecast_move`, while that is cheap."""
    layer = [board]
    counts: list[int] = []
    while len(layer) <= MOST_MADE["perft"] and len(counts) < 8:
        counts.append(sum(len(each.get_legal_moves()) for each in layer))
        if counts[-1] > MOST_MADE["perft"] or counts[-1] == 0:
            break
        layer = [each.forecast_move(move) for each in layer for move in each.get_legal_moves()]
    return counts


def perft_lines() -> Iterator[dict[str, Any]]:
    for board in boards():
        yield {"position": board.to_text(), "counts": perft_counts(board)}


def order_lines() -> Iterator[dict[str, Any]]:
    """Shuffles of every length, each with a position whose mover has just those moves to order."""
    draw = random.Random(64)
    for count in range(1, 9):
        for bits in BITS + [draw.getrandbits(64) for _ in range(3)]:
            width, height = draw.choice([(7, 7), (8, 8), (11, 9), (16, 8), (13, 12)])
            board = Board(width=width, height=height)
            board.apply_move((draw.randrange(2, height - 2), draw.randrange(2, width - 2)))
            board.apply_move((height - 1, 0))
            moves = sorted(board.get_legal_moves(), key=lambda move: (move[1], move[0]))
            for row, column in draw.sample(moves, 8 - count):
                board._board_state[row + column * height] = 1
                moves.remove((row, column))
            origin = board._board_state[-1]
            natural = list(moves)
            shuffle_moves(moves, bits, origin)
            yield {
                "bits": bits,
                "origin": origin,
                "count": len(moves),
                "order": [natural.index(move) for move in moves],
                "position": board.to_text(),
                "moves": moves,
            }


def search_lines() -> Iterator[dict[str, Any]]:
    draw = random.Random(2017)
    names = ("null", "open", "center", "improved")
    for number, board in enumerate(boards()):
        # Lines of ten kilobytes: a few will do.
        if board.width * board.height > 1000 and number % 4:
            continue
        budgets: list[dict[str, int]] = [{"nodes": draw.randrange(1, 400)}]
        budgets += [{"depth": draw.randrange(2, 5), "nodes": draw.randrange(50, 600)}]
        if board.width * board.height <= 150:
            budgets += [{"depth": depth} for depth in affordable_depths(board, draw)]
        for budget in budgets:
            name, method = draw.choice(names), draw.choice(("alphabeta", "alphabeta", "minimax"))
            bits = draw.choice([*BITS, draw.getrandbits(64)])
            report = search(board, name, **budget, method=method, seed=bits)  # type: ignore[arg-type]
            yield {
                "position": board.to_text(),
                "heuristic": name,
                "method": method,
                "budget": budget,
                "bits": bits,
                "move": report.move,
                "value": in_json(report.value),
                "nodes": report.nodes,
                "depth": report.depth,
                "reason": report.reason,
            }


def affordable_depths(board: Board, draw: random.Random) -> list[int]:
    """Return a depth that is cheap to search in full, and sometimes one beyond the end of the game."""
    counts = perft_counts(board)
    made, deepest = 0, 1
    for depth, count in enumerate(counts, start=1):
        made += count
        if made <= MOST_MADE["search"]:
            deepest = depth
    ends = bool(counts) and counts[-1] == 0
    return [deepest, len(counts) + draw.randrange(200)] if ends else [deepest]


def golden_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a golden file, positions before values, whole numbers without `.0`."""
    for line in path.read_text(encoding="utf-8").splitlines():
        entries = shortened(json.loads(line))
        yield {key: entries[key] for key in sorted(entries, key=lambda key: bool(key == "values"))}


def shortened(entry: Any) -> Any:
    """Return the same with an int for each whole float: it reads as the same number."""
    if isinstance(entry, dict):
        return {key: shortened(value) for key, value in entry.items()}
    if isinstance(entry, list):
        return [shortened(value) for value in entry]
    if isinstance(entry, float) and entry.is_integer():
        return int(entry)
    return entry


def in_json(value: float | None) -> float | str | None:
    """JSON knows no infinities."""
    return value if value is None or math.isfinite(value) else str(value)


def write(name: str, lines: Iterable[dict[str, Any]], separators: tuple[str, str] = (", ", ": ")) -> None:
    text = "".join(json.dumps(line, separators=separators) + "\n" for line in lines)
    (HERE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["golden"]:
        write("golden.jsonl", golden_lines(Path(sys.argv[2])), separators=(",", ":"))
    else:
        write("perft.jsonl", perft_lines())
        write("order.jsonl", order_lines())
        write("search.jsonl", search_lines())
