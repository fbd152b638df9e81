"""Check a certificate: that the player who moves second wins knight's Isolation on an empty board.

    python checker.py FILE

This file needs nothing but Python, and shares no code with the program that writes certificates.

The game: a board of WIDTH x HEIGHT cells. Player 1 places a knight on any cell, player 2 one on any other.
Then they move in turn, player 1 first: a knight's move to a cell on which neither has stood before. The one
who cannot move loses.

The certificate holds an answer of player 2 to all that player 1 can do. It is compressed by zlib, and holds
two lines of text, "isolation-fast certificate 1" and "WIDTHxHEIGHT", then a byte for each answer: a cell,
which is row + column * HEIGHT. They stand in this order:

- for each first placement, row by row, the answer to it, then all answers of the position after both;
- in a position, for each move of player 1, the cells in increasing order, the answer to it, then all answers
  of the position after both.

Turns and mirrorings of the board change nothing. So of first placements that are images of each other only
the first is there.

If each answer is a legal move, and there is one for everything that player 1 can do, player 2 always has a
move. The game ends, so player 1 is the one who cannot move.
"""

# ruff: noqa: T201, PTH123
# It prints what it found, and is to be read without knowing more than the language.

import sys
import zlib
from collections.abc import Iterator
from itertools import product

TITLE = "isolation-fast certificate 1"
LARGEST = 1 << 30
STEPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


class RefusedError(Exception):
    """What is wrong with a certificate."""


def check(certificate: bytes) -> tuple[int, int, int]:
    """Width and height of the board that player 2 is proved to win, and how many answers there are."""
    try:
        unpacker = zlib.decompressobj()
        content = unpacker.decompress(certificate, LARGEST)
    except zlib.error as error:
        raise RefusedError(f"it is not compressed by zlib: {error}") from None
    if not unpacker.eof or unpacker.unused_data:
        raise RefusedError("its compressed data do not end where it ends")
    title, size, answers = [*content.split(b"\n", 2), b"", b""][:3]
    sides = size.decode("ascii", "replace").split("x")
    if (
        title != TITLE.encode()
        or len(sides) != 2
        or not all(each.isdecimal() and len(each) <= 3 for each in sides)
    ):
        raise RefusedError(f"it does not begin with {TITLE!r} and a size such as 7x7")
    width, height = map(int, sides)
    if not 1 <= width * height <= 256:
        raise RefusedError(f"{width}x{height} has no cells, or more than bytes have values")
    knight, left = knight_moves(width, height), iter(answers)
    for row, column in product(range(height), range(width)):
        if (row, column) == smallest_image(width, height, row, column):
            defend_placement(knight, row + column * height, left)
    if next(left, None) is not None:
        raise RefusedError("it goes on after the last answer")
    return width, height, len(answers)


def smallest_image(width: int, height: int, row: int, column: int) -> tuple[int, int]:
    """The first of the cells that turns and mirrorings make of one."""
    images = list(product({row, height - 1 - row}, {column, width - 1 - column}))
    if width == height:
        images += [(column, row) for row, column in images]
    return min(images)


def knight_moves(width: int, height: int) -> list[int]:
    """For each cell, the cells a knight's move away from it, as bits of a number."""
    moves = [0] * (width * height)
    for row, column, (down, right) in product(range(height), range(width), STEPS):
        if 0 <= row + down < height and 0 <= column + right < width:
            moves[row + column * height] |= 1 << (row + down + (column + right) * height)
    return moves


def defend_placement(knight: list[int], first: int, answers: Iterator[int]) -> None:
    """Check the answer to a first placement, and all that follows."""
    blank = ((1 << len(knight)) - 1) ^ (1 << first)
    second = next(answers, None)
    if second is None or not blank >> second & 1:
        raise RefusedError(f"its answer to a first placement on cell {first} is {second}, no blank cell")

    def defend(blank: int, mine: int, yours: int) -> None:
        """Check the answers to all moves of player 1, on `mine`; player 2 stands on `yours`."""
        moves = knight[mine] & blank
        reached = knight[yours] & blank
        while moves:
            move = moves & -moves
            moves ^= move
            answer = next(answers, None)
            if answer is None or not (reached & ~move) >> answer & 1:
                raise RefusedError(
                    f"after a first placement on cell {first}, from {mine} to {move.bit_length() - 1}, "
                    f"its answer is {answer}, which player 2 cannot reach from {yours}"
                )
            defend(blank ^ move ^ (1 << answer), move.bit_length() - 1, answer)

    defend(blank ^ (1 << second), first, second)


def main(arguments: list[str]) -> int:
    """Check one file: 0 if it proves what it says, 1 if not, 2 if it cannot be read."""
    if len(arguments) != 1:
        print("usage: python checker.py FILE", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], "rb") as file:
            width, height, answers = check(file.read())
    except OSError as error:
        print(f"the certificate cannot be read: {error}", file=sys.stderr)
        return 2
    except RefusedError as error:
        print(f"refused: {error}", file=sys.stderr)
        return 1
    print(f"{width}x{height}: player 2 wins, by {answers:,} answers")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
