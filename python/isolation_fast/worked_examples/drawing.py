"""How the boards of worked examples are drawn: letters and numbers in the cells, boards side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Final, TypeAlias

from isolation_fast.reference import Board

__all__ = ["MOVES", "SIGNS", "Cell", "beside", "drawn", "each_cell", "letters", "letters_of_moves"]

Cell: TypeAlias = tuple[int, int]

SIGNS: Final = "P1, P2: the players; -: blocked"
MOVES: Final = f"{SIGNS}; a, b: moves of player 1, of player 2"


def drawn(board: Board, marks: Mapping[Cell, str], title: str = "") -> list[str]:
    r"""The board line by line, with what is marked in its cells.

    >>> board = Board.from_text("3x3 1x1/1x1/2x 0,1 2,2 1")
    >>> print("\n".join(drawn(board, {(2, 0): "a", (1, 0): "b 3"}, "one move each")))
    one move each
           0     1     2
    0 |      |  P1 |      |
    1 |  b 3 |   - |      |
    2 |    a |     |   P2 |
    """
    signs = {cell: _sign(board, cell) for cell in each_cell(board)}
    texts = {cell: f"{signs[cell]} {marks.get(cell, '')}".strip() for cell in signs}
    widest = max(map(len, texts.values()))
    margin = len(str(board.height - 1))
    columns = "   ".join(f"{column:>{widest}}" for column in range(board.width))
    lines = [title] if title else []
    lines.append(f"{'':{margin + 3}}{columns}")
    for row in range(board.height):
        cells = " | ".join(f"{texts[row, column]:>{widest}}" for column in range(board.width))
        lines.append(f"{row:>{margin}} | {cells} |")
    return lines


def beside(*drawings: list[str]) -> str:
    """Several drawings side by side.

    >>> print(beside(["one", "1 |"], ["another"]))
    one      another
    1 |
    """
    widths = [max(map(len, drawing)) for drawing in drawings]
    rows = zip_longest(*drawings, fillvalue="")
    return "\n".join(
        "      ".join(f"{line:{width}}" for line, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def each_cell(board: Board) -> list[Cell]:
    """All cells of a board, by column."""
    return [(row, column) for column in range(board.width) for row in range(board.height)]


def letters(of_player_1: Iterable[Cell], of_player_2: Iterable[Cell]) -> dict[Cell, str]:
    """An a for the cells of player 1, a b for those of player 2, ab for those of both.

    >>> letters([(0, 0), (0, 1)], [(0, 1)])
    {(0, 0): 'a', (0, 1): 'ab'}
    """
    marks = dict.fromkeys(of_player_1, "a")
    for cell in of_player_2:
        marks[cell] = marks.get(cell, "") + "b"
    return marks


def letters_of_moves(board: Board) -> dict[Cell, str]:
    """The letters of the cells that the players can move to."""
    return letters(board.get_legal_moves("player 1"), board.get_legal_moves("player 2"))


def _sign(board: Board, cell: Cell) -> str:
    for player, sign in (("player 1", "P1"), ("player 2", "P2")):
        if board.get_player_location(player) == cell:
            return sign
    return "" if board.move_is_legal(cell) else "-"
