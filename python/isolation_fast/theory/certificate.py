"""The second player's strategy for an empty board, written down so that another program can check it.

`checker.py` says what a certificate holds. It shares no code with the engine, and is all that a reader has
to trust.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Final

from isolation_fast import _native
from isolation_fast._native import Board
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.theory.openings import Theory

TITLE: Final = "isolation-fast certificate 1"
MOST_CELLS: Final = 256
"""A cell is a byte."""


def certificate(theory: Theory, progress: Callable[[int], object] = lambda _done: None) -> bytes:
    """A certificate of a theory, in which player 2 wins: its answer to everything that player 1 can do.

    Of several replies to a first placement it takes the one that was solved with the fewest nodes.
    `progress` is called with the number of first placements that are done.

    >>> from isolation_fast.theory import prove
    >>> from isolation_fast.theory.checker import check
    >>> check(certificate(prove(3, 5)))
    (3, 5, 85)
    """
    _native.require_free_engine("certificate")
    width, height = theory.width, theory.height
    if theory.winner != 2:
        why = "player 2 does not win there" if theory.winner == 1 else "it is not proven who wins there"
        raise InvalidArgumentError(f"no certificate for {width}x{height}: {why}")
    if width * height > MOST_CELLS:
        raise InvalidArgumentError(f"a certificate is for at most {MOST_CELLS} cells, not {width}x{height}")
    parts = [f"{TITLE}\n{width}x{height}\n".encode()]
    for done, each in enumerate(theory.placements, start=1):
        won = [opening for opening in each.openings if opening.winner == 2]
        second = min(won, key=lambda opening: opening.nodes).second if won else each.replies[0]
        board = Board(width=width, height=height)
        board.apply_move(each.cell)
        board.apply_move(second)
        replies = _native.strategy(board)
        assert replies is not None, "the theory says that player 2 wins"
        parts += [bytes([second[0] + second[1] * height]), replies]
        progress(done)
    return zlib.compress(b"".join(parts), 9)
