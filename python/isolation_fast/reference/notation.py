"""Positions as one line of text: ``WIDTHxHEIGHT ROWS KNIGHT1 KNIGHT2 SIDE``.

    7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1

    rows from row 0 down, parted by `/`:          0 1 2 3 4 5 6
    a number is a run of blank cells,          0 | | | | | | | |
    `x` is one blocked cell                    1 | | |1| | | | |
    knights: `row,column`, or `-`              2 | | | | | | | |
    side: 1 or 2, who is to move               3 | | | |2| | | |

A placed knight's own cell is blocked. Both knights may share a cell: moves are not checked on the classic
board, so a game can get there.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from isolation_fast.exceptions import InvalidBoardError, InvalidPositionError
from isolation_fast.text import counted

# The engine's limit. A list of so many entries takes 8 MB; what lies beyond is a slip, not a board.
MOST_CELLS = 2**20

_SIZE = re.compile(r"([0-9]+)x([0-9]+)")
_ROW = re.compile(r"(?:x|[0-9]+)+")
_RUN_OR_BLOCKED = re.compile(r"x|[0-9]+")
_CELL = re.compile(r"([0-9]+),([0-9]+)")


class Position(NamedTuple):
    """What the notation says: the size, the classic state list, and the side to move (1 or 2)."""

    width: int
    height: int
    state: list[Any]
    side: int


def check_size(width: int, height: int) -> None:
    """Raise `InvalidBoardError` where no board has that size."""
    if width < 1 or height < 1:
        raise InvalidBoardError(
            f"a board has at least one column and one row, not width={width}, height={height}"
        )
    if width * height > MOST_CELLS:
        raise InvalidBoardError(f"a board has at most {MOST_CELLS} cells, not width={width}, height={height}")


def write(position: Position) -> str:
    """Return the notation of a position, or raise `InvalidPositionError` where the state list is none."""
    width, height, state, side = position
    check_state(width, height, state)
    rows = []
    for row in range(height):
        cells = "".join("x" if state[row + column * height] else "." for column in range(width))
        rows.append(re.sub(r"\.+", lambda run: str(len(run.group())), cells))
    knights = ["-" if at is None else f"{at % height},{at // height}" for at in (state[-1], state[-2])]
    return f"{width}x{height} {'/'.join(rows)} {knights[0]} {knights[1]} {side}"


def check_state(width: int, height: int, state: list[Any]) -> None:
    """Raise `InvalidPositionError` where a classic state list is no position of that size."""
    cells = width * height
    if len(state) != cells + 3:
        raise InvalidPositionError(
            f"the state of a {width}x{height} board has {cells + 3} entries, not {len(state)}"
        )
    for cell, value in enumerate(state[:cells]):
        # Not by type: what equals 0 is blank to the board's methods, a number of numpy too.
        if value not in (0, 1):
            raise InvalidPositionError(f"entry {cell} of the board's state is {value!r}; a cell is 0 or 1")
    for number, cell in ((1, state[-1]), (2, state[-2])):
        if cell is None:
            continue
        if not hasattr(cell, "__index__") or not 0 <= cell < cells:
            raise InvalidPositionError(
                f"player {number} stands at {cell!r} in the board's state; "
                f"that is None or a cell's index below {cells}"
            )
        if not state[cell]:
            raise InvalidPositionError(f"player {number} stands on cell {cell}, which is blank")


def read(text: str) -> Position:
    """Return the position that a line says, or raise `InvalidPositionError` that says what is wrong in it."""
    fields = text.split()
    if len(fields) != 5:
        raise _unreadable(
            text, f"it has {counted(len(fields), 'field')}, not 5: size, rows, knight 1, knight 2, side"
        )
    size, rows, knight_1, knight_2, side = fields
    match = _SIZE.fullmatch(size)
    if match is None:
        raise _unreadable(text, f"the size {_shown(size)} is not like '7x7'")
    width, height = _number(match[1]), _number(match[2])
    try:
        check_size(width, height)
    except InvalidBoardError as error:
        raise _unreadable(text, str(error)) from None
    state: list[Any] = [0] * (width * height + 3)
    _read_rows(text, rows.split("/"), width, height, state)
    state[-1] = _read_knight(text, knight_1, width, height, state)
    state[-2] = _read_knight(text, knight_2, width, height, state)
    if side not in ("1", "2"):
        raise _unreadable(text, f"the side to move is {_shown(side)}, not 1 or 2")
    # In a game that began on the empty board, player 2 is to move after an odd number of moves.
    state[-3] = int(side) - 1
    return Position(width, height, state, int(side))


def _read_rows(text: str, rows: list[str], width: int, height: int, state: list[Any]) -> None:
    if len(rows) != height:
        raise _unreadable(text, f"it has {len(rows)} rows, not {height}")
    for row, cells in enumerate(rows):
        if not _ROW.fullmatch(cells):
            raise _unreadable(text, f"row {row} is {_shown(cells)}; a row is numbers and `x`")
        column = 0
        for token in _RUN_OR_BLOCKED.findall(cells):
            if token == "x":
                if column < width:
                    state[row + column * height] = 1
                column += 1
            elif not token.strip("0"):
                raise _unreadable(text, f"row {row} has a run of 0 blank cells")
            else:
                column += _number(token)
        if column != width:
            raise _unreadable(text, f"row {row} has {column} cells, not {width}")


def _read_knight(text: str, field: str, width: int, height: int, state: list[Any]) -> int | None:
    if field == "-":
        return None
    match = _CELL.fullmatch(field)
    if match is None:
        raise _unreadable(text, f"the knight {_shown(field)} is neither 'row,column' nor '-'")
    row, column = _number(match[1]), _number(match[2])
    if not (row < height and column < width):
        raise _unreadable(text, f"the knight at ({row}, {column}) is outside the {width}x{height} board")
    if not state[row + column * height]:
        raise _unreadable(
            text, f"the knight at ({row}, {column}) stands on a blank cell; its own cell is blocked"
        )
    return row + column * height


def _number(digits: str) -> int:
    # A number of more digits is on no board, and Python refuses to read very long ones.
    return int(digits.lstrip("0")[:18] or "0")


def _unreadable(text: str, reason: str) -> InvalidPositionError:
    return InvalidPositionError(f"{_shown(text)} is no position: {reason}")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 200 else text[:200] + "...")
