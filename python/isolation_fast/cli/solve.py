"""`isolation-fast solve`: who wins a position, and which moves win."""

from __future__ import annotations

import argparse
from functools import reduce
from typing import Any, Final

from isolation_fast._native import Board
from isolation_fast.exact import Solution, solve
from isolation_fast.output import Cell, add_format_options, add_options, grid_lines, print_table, print_text

DESCRIPTION = """\
Find out for certain who wins a position, and draw the board with the outcome of every move. TEXT is the
notation of Board.to_text, such as "7x7 7/7/7/3x3/7/7/7 3,3 - 2". Without --nodes there is no limit; Ctrl-C
ends it.
"""
HEADERS: Final = ("move", "outcome", "distance")
DRAWN: Final = "board"
SIGNS: Final = {"win": "W", "loss": "L", "unknown": "?"}
LEGEND: Final = "1, 2: the players   -: blocked   W: wins   L: loses   ?: not decided"


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `solve`."""
    parser = commands.add_parser(
        "solve", description=DESCRIPTION, help="who wins a position, and by which moves"
    )
    parser.add_argument("text", metavar="TEXT", nargs="+", help="the position, in one argument or several")
    add_options(
        parser,
        ("--nodes N", int, None, "positions to look at before it gives up (default: no limit)"),
        ("--threads N", int, 1, "moves to look at side by side (default: 1): the result is the same"),
        (
            "--distance",
            bool,
            False,
            "count the moves to the end of the game, for every move: 15 to 60 times the nodes",
        ),
    )
    add_format_options(parser, DRAWN, default=DRAWN)


def run(options: argparse.Namespace) -> int:
    """Solve the position and print what was found."""
    board = Board.from_text(" ".join(options.text))
    solution = solve(
        board, nodes=options.nodes, line=True, distance=options.distance, threads=options.threads
    )
    player = 1 if board.active_player == "player 1" else 2
    if options.format == DRAWN:
        print_text("\n".join([*_drawn(board, solution), "", *_said(player, board, solution), ""]))
        return 0
    rows: list[list[Cell]] = [
        [f"{each.move[0]},{each.move[1]}", each.outcome, each.distance] for each in solution.moves
    ]
    document = {
        "position": board.to_text(),
        "player": player,
        "outcome": solution.outcome,
        "distance": solution.distance,
        "moves": [
            {"move": list(each.move), "outcome": each.outcome, "distance": each.distance}
            for each in solution.moves
        ],
        "line": [list(move) for move in solution.line],
        "nodes": solution.nodes,
    }
    print_table(options, HEADERS, rows, document)
    return 0


def _drawn(board: Board, solution: Solution) -> list[str]:
    """The board, with the outcome in the cell of every move."""
    cells = [(row, column) for row in range(board.height) for column in range(board.width)]
    signs = dict.fromkeys(cells, "-") | dict.fromkeys(board.get_blank_spaces(), "")
    signs |= {each.move: f"{SIGNS[each.outcome]}{each.distance or ''}" for each in solution.moves}
    for player in ("player 1", "player 2"):
        place = board.get_player_location(player)
        if place is not None:
            signs[place] = player[-1]
    return grid_lines(board.width, board.height, signs)


def _said(player: int, board: Board, solution: Solution) -> list[str]:
    said = [LEGEND, f"player {player} to move: {solution}"]
    if solution.line:
        best = "best play" if solution.distance is not None else "a line in which the winner keeps the win"
        cut = " ..." if reduce(Board.forecast_move, solution.line, board).get_legal_moves() else ""
        said.append(f"{best}: {' '.join(f'{row},{column}' for row, column in solution.line)}{cut}")
    return said
