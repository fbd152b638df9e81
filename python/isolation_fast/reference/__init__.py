"""The same game once more, in plain Python: slow, short and meant to be read.

It is the oracle that the engine is tested against, and the yardstick of what a heuristic costs: a node
here costs about what it costs on the classic course board. Nothing in it uses the compiled engine.

| module | what it holds |
|---|---|
| `board` | the rules: a `Board` that behaves as the classic one |
| `notation` | positions as one line of text |
| `ordering` | the order in which a board lists a knight's moves |
| `heuristics` | every heuristic of the engine, as a student would write it, a module for each family |
| `searching` | minimax, alpha-beta and iterative deepening, and a game in which both sides search alike |
"""

from isolation_fast.reference.board import Board
from isolation_fast.reference.heuristics import HEURISTICS
from isolation_fast.reference.searching import search, self_play

__all__ = ["HEURISTICS", "Board", "search", "self_play"]
