"""Play the classic tournament with the baseline players, and print the classic table.

Four test agents meet seven opponents. Every two games share an opening, two random placements, and swap
sides; the openings of a match are the same for all test agents. Players named AB_ search with alpha-beta and
a budget of nodes, those named MM_ with minimax three moves deep.

    make grade ARGS='--games 20 --seed 1'
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import TypeAlias

from tabulate import tabulate

from isolation_fast import AlphaBetaPlayer, Board, MinimaxPlayer, RandomPlayer, play_game

Player: TypeAlias = AlphaBetaPlayer | MinimaxPlayer | RandomPlayer
Score: TypeAlias = tuple[int, int]

TEST_AGENTS = {"AB_Improved": "improved", "AB_Open": "open", "AB_Center": "center", "AB_Null": "null"}
MINIMAX_DEPTH = 3


def opponents(nodes: int) -> dict[str, Player]:
    """Give the seven opponents, weakest first, as the course lists them."""
    minimax = {f"MM_{name.title()}": name for name in ("open", "center", "improved")}
    alphabeta = {f"AB_{name.title()}": name for name in ("open", "center", "improved")}
    return {
        "Random": RandomPlayer(),
        **{label: MinimaxPlayer(name, depth=MINIMAX_DEPTH) for label, name in minimax.items()},
        **{label: AlphaBetaPlayer(name, nodes=nodes) for label, name in alphabeta.items()},
    }


def opening(stream: random.Random) -> Board:
    """Place both knights at random on an empty board."""
    board = Board()
    for _ in range(2):
        board.apply_move(stream.choice(sorted(board.get_legal_moves())))
    return board


def play_match(agent: Player, opponent: Player, openings: list[tuple[Board, int]]) -> Score:
    """Play both sides of every opening; gives the games won and lost by `agent`."""
    won = 0
    for start, seed in openings:
        won += play_game(agent, opponent, start=start, seed=seed).winner == 1
        won += play_game(opponent, agent, start=start, seed=seed).winner == 2
    return won, 2 * len(openings) - won


def play_tournament(
    games: int, seed: int, nodes: int, progress: Callable[[str], None]
) -> Iterator[tuple[str, list[Score]]]:
    """Play row by row: an opponent, and the score of each test agent against it."""
    stream = random.Random(seed)
    agents = {label: AlphaBetaPlayer(name, nodes=nodes) for label, name in TEST_AGENTS.items()}
    for name, opponent in opponents(nodes).items():
        openings = [(opening(stream), stream.getrandbits(64)) for _ in range(games // 2)]
        scores = []
        for label, agent in agents.items():
            progress(f"{label} against {name}")
            scores.append(play_match(agent, opponent, openings))
        yield name, scores


def classic_table(rows: list[tuple[str, list[Score]]]) -> str:
    """Draw the rows as every student of the course knows them."""
    lines = [
        [str(number), name, *(f"{won:>3} | {lost:<3}" for won, lost in scores)]
        for number, (name, scores) in enumerate(rows, start=1)
    ]
    rates = []
    for column in zip(*(scores for _, scores in rows), strict=True):
        won, lost = (sum(part) for part in zip(*column, strict=True))
        rates.append(f"{100 * won / (won + lost):.1f}%")
    headers = ["Match #", "Opponent", *(f"{label}\nWon | Lost" for label in TEST_AGENTS)]
    columns = ("center",) * len(headers)
    body = tabulate(
        [*lines, ["", "Win Rate:", *rates]],
        headers,
        tablefmt="simple",
        colalign=columns,
        disable_numparse=True,
        preserve_whitespace=True,
    )
    # The classic table draws a line above the win rates.
    above, _, last = body.rpartition("\n")
    width = max(len(line) for line in body.splitlines())
    return f"{above}\n{'-' * width}\n{last}"


def even_number(text: str) -> int:
    """Read the number of games a cell: each opening is played from both sides."""
    number = positive_number(text)
    if number % 2:
        raise argparse.ArgumentTypeError(f"{number} is odd, and each opening is played from both sides")
    return number


def positive_number(text: str) -> int:
    """Read a number of which there must be one at least."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def show_progress(what: str) -> None:
    """Overwrite one line on a terminal; a log gets none of it."""
    if sys.stderr.isatty():
        print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)


def main() -> int:
    """Play as the options say; the table goes to stdout, all else to stderr."""
    parser = argparse.ArgumentParser(description="Tournament of the baseline players, as the classic table.")
    parser.add_argument(
        "--games", type=even_number, default=10, help="games a cell, an even number (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the openings and of ties (%(default)s)")
    parser.add_argument(
        "--nodes", type=positive_number, default=2000, help="of AB_ players a move (%(default)s)"
    )
    options = parser.parse_args()
    began = time.perf_counter()
    rows: list[tuple[str, list[Score]]] = []
    try:
        rows.extend(play_tournament(options.games, options.seed, options.nodes, show_progress))
    except KeyboardInterrupt:
        show_progress("")
        print("stopped before the tournament was over; no table", file=sys.stderr)
        return 130
    show_progress("")
    print(classic_table(rows))
    played = sum(won + lost for _, scores in rows for won, lost in scores)
    print(f"{played} games in {time.perf_counter() - began:.1f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
