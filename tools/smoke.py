"""Try an installed isolation_fast as a stranger would; run it from outside the source tree."""

from __future__ import annotations

import gc
import importlib
import importlib.metadata
import importlib.resources
import platform
import subprocess
import sys

import isolation_fast.classic
from isolation_fast import AlphaBetaPlayer, Board, RandomPlayer, perft, play_game, search
from isolation_fast.heuristics import improved

START = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"


def expect(what: str, truth: object) -> None:
    """End the run with a message unless `truth` holds."""
    if not truth:
        sys.exit(f"smoke: {what} does not hold")


def main() -> None:
    """Touch each part of the package once."""
    version = importlib.metadata.version("isolation-fast")
    expect("`__version__` is the installed version", isolation_fast.__version__ == version)
    files = importlib.resources.files(isolation_fast)
    expect("py.typed is installed", files.joinpath("py.typed").is_file())
    expect("the stub is installed", files.joinpath("_native.pyi").is_file())

    board = Board.from_text(START)
    expect("a board survives its text", board.to_text() == START)
    moves = board.get_legal_moves()
    expect("perft to depth 1 counts the legal moves", perft(board, 1) == len(moves))

    # Each Python allocates objects in its own way, and a collection may come in the middle of it.
    thresholds = gc.get_threshold()
    gc.set_threshold(1)
    copies = [board.forecast_move(move).copy() for move in moves * 100]
    gc.set_threshold(*thresholds)
    expect("boards survive the garbage collector", all(copy.move_count == 3 for copy in copies))

    report = search(board, improved, depth=4)
    expect("search finds a legal move", report.move in moves)
    expect("search finishes its depth", report.depth == 4)

    # Of a cost that is looked up in a file of the package.
    result = play_game(AlphaBetaPlayer("bfs", work=500), RandomPlayer(), seed=1)
    expect("a game has a winner", result.winner in (1, 2))

    isolation_fast.classic.install()
    expect("classic code finds its modules", importlib.import_module("isolation").Board is Board)
    command = [sys.executable, "-I", "-m", "isolation_fast", "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    expect("the command works", version in said)

    python = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"isolation_fast {version} works on {python}, {platform.machine()}")


if __name__ == "__main__":
    main()
