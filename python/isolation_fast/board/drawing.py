"""How a board is drawn: with characters, as the classic board does, and as an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from isolation_fast.numbers import integer

# Lengths are in units of the picture: a cell is 40 of them.
CELL = 40
MARGIN = 26
CAPTION = 34

# The picture brings its own background, so it reads the same on light and dark pages, and uses attributes
# only: a style sheet in it would apply to the whole page that shows it. Every text has a contrast above 4.5
# to 1.
PAPER = "#f6f3ea"
INK = "#33312b"
BLANK_FILLS = ("#fffdf6", "#efe9d8")
BLOCKED_FILL = "#8d8778"
KNIGHT_FILLS = ("#12507b", "#9a3412")
KNIGHT_TEXT = "#ffffff"

# A horse's head to the left, in a box of 24 by 24 about (0, 0).
HORSE = "M-5,11 L9,11 C11,2 9,-8 0,-10 L-1,-13 L-4,-9 C-8,-6 -10,-2 -11,2 L-8,5 L-3,2 C-2,5 -5,7 -5,11 Z"


def classic_text(width: int, height: int, state: Sequence[Any], symbols: Sequence[str]) -> str:
    """Return the drawing of the classic board from its `_board_state`; `symbols` stand for the players."""

    def sign(cell: int) -> str:
        if not state[cell]:
            return " "
        return symbols[0] if cell == state[-1] else symbols[1] if cell == state[-2] else "-"

    margin = len(str(height - 1)) + 1
    lines = [" " * (margin + 3) + "   ".join(str(column) for column in range(width))]
    for row in range(height):
        signs = map(sign, range(row, width * height, height))
        lines.append(f"{row:<{margin}} | " + "".join(f"{each} | " for each in signs))
    return "".join(line + "\n\r" for line in lines)


def board_svg(width: int, height: int, state: Sequence[Any], side: int, size: int) -> str:
    """Return a picture of the board, `size` pixels along its longer side, as SVG.

    `side`, 1 or 2, is to move: its knight has a ring and its legal moves have dots.
    """
    size = integer("size", size, 1)
    knights = [_placed(state[-1], width * height), _placed(state[-2], width * height)]
    moves = _moves(width, height, state, knights[side - 1])
    across, down = 2 * MARGIN + width * CELL, MARGIN + height * CELL + CAPTION
    scale = size / max(across, down)
    # A board of one or two columns is narrower than the words under it.
    caption = min(14, across // 9)
    dots, fill = [_centre(cell, height) for cell in moves], KNIGHT_FILLS[side - 1]
    title = f"Isolation, {width} columns by {height} rows, player {side} to move"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" width="{across * scale:g}"'
        f' height="{down * scale:g}" role="img" aria-label="{title}" font-family="sans-serif">',
        f"<title>{title}</title>",
        f"<desc>{_description(height, state, knights, moves)}</desc>",
        f'<rect width="{across}" height="{down}" rx="8" fill="{PAPER}"/>',
        *(_text(MARGIN + (column + 0.5) * CELL, MARGIN / 2, column, 13, INK) for column in range(width)),
        *(_text(MARGIN / 2, MARGIN + (row + 0.5) * CELL, row, 13, INK) for row in range(height)),
        *_cells(width, height, state),
        *(f'<circle class="move" cx="{x:g}" cy="{y:g}" r="5" fill="{fill}"/>' for x, y in dots),
        *_knights(height, knights, side),
        _text(across / 2, down - CAPTION / 2, f"player {side} to move", caption, fill),
        "</svg>",
    ]
    return "\n".join(parts)


def _placed(cell: object, cells: int) -> int | None:
    """Return where a knight stands, None for what people may have written into the state instead."""
    return cell if isinstance(cell, int) and 0 <= cell < cells else None


def _moves(width: int, height: int, state: Sequence[Any], origin: int | None) -> list[int]:
    blank = [cell for cell in range(width * height) if not state[cell]]
    if origin is None:
        return blank
    column, row = divmod(origin, height)
    distances = ((cell, abs(cell // height - column), abs(cell % height - row)) for cell in blank)
    return [cell for cell, columns, rows in distances if {columns, rows} == {1, 2}]


def _description(height: int, state: Sequence[Any], knights: list[int | None], moves: list[int]) -> str:
    places = [
        f"Player {number} is not placed."
        if cell is None
        else f"Player {number} stands in row {cell % height}, column {cell // height}."
        for number, cell in enumerate(knights, start=1)
    ]
    blocked = sum(1 for value in state[:-3] if value)
    return " ".join([*places, f"Blocked cells: {blocked}. Legal moves, dotted: {len(moves)}."])


def _centre(cell: int, height: int) -> tuple[float, float]:
    column, row = divmod(cell, height)
    return MARGIN + (column + 0.5) * CELL, MARGIN + (row + 0.5) * CELL


def _text(x: float, y: float, text: object, size: int, fill: str) -> str:
    # `dy` and not `dominant-baseline`, which several converters do not know.
    place = f'x="{x:g}" y="{y:g}" dy="0.35em" text-anchor="middle"'
    return f'<text {place} font-size="{size}" fill="{fill}">{text}</text>'


def _cells(width: int, height: int, state: Sequence[Any]) -> list[str]:
    parts = []
    for cell in range(width * height):
        column, row = divmod(cell, height)
        x, y = MARGIN + column * CELL, MARGIN + row * CELL
        kind, fill = ("blocked", BLOCKED_FILL) if state[cell] else ("blank", BLANK_FILLS[(row + column) % 2])
        parts.append(
            f'<rect class="{kind}" x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}"'
            f' stroke="{INK}" stroke-width="0.5"/>'
        )
        if kind == "blocked":
            # A cross too, so that the shade alone need not tell it.
            parts.append(
                f'<path d="M{x + 12},{y + 12} l16,16 m0,-16 l-16,16"'
                f' stroke="{PAPER}" stroke-width="2" opacity="0.6"/>'
            )
    return parts


def _knights(height: int, knights: list[int | None], side: int) -> list[str]:
    shared = knights[0] is not None and knights[0] == knights[1]
    parts = []
    for number, cell in enumerate(knights, start=1):
        if cell is None:
            continue
        x, y = _centre(cell, height)
        scale = 1.0
        if shared:
            # Unchecked moves can put both on one cell: they stand side by side.
            x, scale = x + (-9 if number == 1 else 9), 0.5
        fill = KNIGHT_FILLS[number - 1]
        # Player 1 looks to the left and player 2 to the right.
        flip = "" if number == 1 else ' transform="scale(-1,1)"'
        ring = f'<circle r="18.5" fill="none" stroke="{fill}" stroke-width="2.5"/>' if number == side else ""
        parts.append(
            f'<g class="knight-{number}" transform="translate({x:g},{y:g}) scale({scale:g})">'
            f'<circle r="18.5" fill="{PAPER}"/>{ring}<path d="{HORSE}"{flip} fill="{fill}"/>'
            f"{_text(1 if number == 1 else -1, 4, number, 13, KNIGHT_TEXT)}</g>"
        )
    return parts
