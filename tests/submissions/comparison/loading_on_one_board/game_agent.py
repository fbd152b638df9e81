"""Refuses to be loaded where the board says that it is not the classic one."""
from isolation import Board

if not getattr(Board, "is_classic", False):
    raise ImportError("only the classic board will do")


def custom_score(game, player):
    return 0.0
