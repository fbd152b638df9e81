"""The same game once more, in plain Python: slow, short and meant to be read.

It is the oracle that the engine is tested against, and the yardstick of what a heuristic costs: a node
here costs about what it costs on the classic course board. Nothing in it uses the compiled engine.
"""

from isolation_fast.reference.board import Board
from isolation_fast.reference.heuristics import HEURISTICS
from isolation_fast.reference.searching import search, self_play

__all__ = ["HEURISTICS", "Board", "search", "self_play"]
