"""What exact play costs on 7 by 7, in processor time of one core.

`python benchmarks/exact.py` grades all moves of 200 random positions at each of several numbers of blank
cells, then asks for the winner of all 2,352 openings. Nodes are the same on every machine. With
`--against NODES` it lets `AB_Improved` with so many nodes a move play the won side of every opening against
`PerfectPlayer`.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from itertools import product
from time import process_time
from typing import Any, TypeAlias

from isolation_fast import AlphaBetaPlayer, Board, PerfectPlayer, Solution, annotate, play_game, solve

Cell: TypeAlias = tuple[int, int]

LEVELS = (47, 43, 40, 35, 30, 25)
# From there on all distances are found in a moment.
MOST_FOR_DISTANCES = 40
HEADER = (
    f"{'blank':>5}  {'wanted':9}  {'ms: median':>10} {'p95':>8} {'max':>8}  {'nodes: median':>13} {'p95':>11}"
)


def random_board(blank: int, stream: random.Random) -> Board:
    """A position after random moves, with so many blank cells left and a move to make."""
    while True:
        board = Board()
        while len(board.get_blank_spaces()) > blank and board.get_legal_moves():
            board.apply_move(stream.choice(sorted(board.get_legal_moves())))
        if board.get_legal_moves():
            return board


def timed(board: Board, **wanted: Any) -> tuple[float, Solution]:
    """Milliseconds, and what was found."""
    start = process_time()
    solution = solve(board, table=False, **wanted)
    return 1000 * (process_time() - start), solution


def levels(positions: int) -> None:
    """Print the costs for random positions."""
    print(HEADER)
    for blank in LEVELS:
        stream = random.Random(1)
        boards = [random_board(blank, stream) for _ in range(positions)]
        wanted = {"outcome": {"moves": False}, "moves": {}, "distances": {"distance": True}}
        if blank > MOST_FOR_DISTANCES:
            del wanted["distances"]
        for name, keywords in wanted.items():
            found = [timed(board, **keywords) for board in boards]
            times = sorted(time for time, _ in found)
            nodes = sorted(solution.nodes for _, solution in found)
            middle, high = positions // 2, positions * 95 // 100
            print(
                f"{blank:>5}  {name:9}  {times[middle]:10.3f} {times[high]:8.3f} {times[-1]:8.3f}"
                f"  {nodes[middle]:13,} {nodes[high]:11,}",
                flush=True,
            )


def same_openings(first: Cell, second: Cell) -> set[tuple[Cell, Cell]]:
    """An opening in all turns and mirrorings of the board: they have the same outcome."""

    def turned(cell: Cell) -> Cell:
        return cell[1], 6 - cell[0]

    found, pair = set(), (first, second)
    for _ in range(4):
        found |= {pair, (pair[0][::-1], pair[1][::-1])}
        pair = turned(pair[0]), turned(pair[1])
    return found


def openings() -> None:
    """Print who wins the openings, and where that is not as the colours of the knights' cells say."""
    start, nodes, solved = process_time(), 0, dict[tuple[Cell, Cell], bool]()
    cells = sorted(Board().get_blank_spaces())
    for first, second in product(cells, cells):
        if first == second or (first, second) in solved:
            continue
        solution = solve(Board().forecast_move(first).forecast_move(second), moves=False, table=False)
        nodes += solution.nodes
        solved |= dict.fromkeys(same_openings(first, second), solution.outcome == "win")
    seconds = process_time() - start
    won = sum(solved.values())
    replies = Counter(sum(not solved[cell, each] for each in cells if each != cell) for cell in cells)
    exceptions = [pair for pair, wins in solved.items() if wins != (sum(pair[0]) % 2 == sum(pair[1]) % 2)]
    print(f"{len(solved):,} openings: {won:,} won by the first player, {len(solved) - won:,} by the second")
    print(f"not as the colours say: {exceptions}")
    print(f"first placements by the number of winning replies: {dict(replies)}")
    print(f"{nodes:,} nodes, {seconds:.1f} s, {1e9 * seconds / nodes:.1f} ns a node")


def against_perfect(nodes: int) -> None:
    """Print how many won openings alpha-beta wins, and with how many cells left it errs in the others."""
    cells = sorted(Board().get_blank_spaces())
    seen, won, errors = set[tuple[Cell, Cell]](), 0, Counter[int]()
    for pair in product(cells, cells):
        if pair in seen or pair[0] == pair[1]:
            continue
        same = same_openings(*pair)
        seen |= same
        board = Board().forecast_move(pair[0]).forecast_move(pair[1])
        first_wins = solve(board, moves=False).outcome == "win"
        alphabeta, perfect = AlphaBetaPlayer(nodes=nodes), PerfectPlayer(nodes=200_000)
        players = (alphabeta, perfect) if first_wins else (perfect, alphabeta)
        result = play_game(*players, start=board, seed=1, time_limit=600_000)
        if result.winner == (1 if first_wins else 2):
            won += len(same)
        else:
            error = next(each for each in annotate(result).moves if each.verdict == "threw away")
            errors[(48 - error.number) // 5 * 5] += len(same)
    stages = ", ".join(f"{blank} to {blank + 4}: {count:,}" for blank, count in sorted(errors.items()))
    print(f"{nodes:,} nodes: {won:,} of {len(seen):,} won openings won; errors by blank cells: {stages}")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--positions", type=int, default=200, metavar="N", help="random positions (default 200)"
    )
    parser.add_argument("--against", type=int, metavar="NODES", help="nodes of an AB_Improved, see above")
    options = parser.parse_args()
    if options.against is not None:
        against_perfect(options.against)
        return
    levels(options.positions)
    openings()


if __name__ == "__main__":
    main()
