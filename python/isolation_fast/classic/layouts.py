"""Which of the course's two layouts a piece of code was written for, told from its parsed text alone.

| layout | how players are asked | its submissions define |
|---|---|---|
| `"v1"` | `get_move(game, legal_moves, time_left)` | `CustomPlayer`, `Timeout` |
| `"v2"` | `get_move(game, time_left)` | `MinimaxPlayer`, `AlphaBetaPlayer`, `SearchTimeout` |
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator
from typing import Literal

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.text import unknown_word

__all__ = ["EARLY_NAMES", "LAYOUTS", "Layout", "detect_layout", "parsed", "require_layout"]

Layout = Literal["v1", "v2"]

LAYOUTS: tuple[Layout, ...] = ("v1", "v2")

# The private names of the boards before 7 February 2017.
EARLY_NAMES = frozenset(
    {
        "__active_player__",
        "__board_state__",
        "__get_moves__",
        "__inactive_player__",
        "__last_player_move__",
        "__player_1__",
        "__player_2__",
        "__player_symbols__",
    }
)
# What only the first layout's `game_agent` defined.
FIRST_LAYOUT_CLASSES = frozenset({"CustomPlayer", "Timeout"})
SUBMISSION = "game_agent"


def detect_layout(sources: Iterable[str]) -> Layout:
    r"""The layout that these sources were written for, taken together; `"v2"` where nothing tells.

    It goes by the parameters of each `get_move` of a class: "v1" where one takes
    `(self, game, legal_moves, time_left)` and none takes `(self, game, time_left)`. Where there is neither,
    the names `CustomPlayer` and `Timeout` of the first submissions, or the private names of the oldest
    boards, mean "v1". Nothing is imported; a source that is no Python of today is passed over.

    >>> detect_layout(["class Mine:\n    def get_move(self, game, legal_moves, time_left): ..."])
    'v1'
    >>> detect_layout(["from game_agent import CustomPlayer", "print('no Python 3'"])
    'v1'
    >>> detect_layout(["from game_agent import AlphaBetaPlayer"])
    'v2'
    """
    trees = [tree for tree in map(parsed, sources) if tree is not None]
    asked = {layout for tree in trees for layout in _layouts_of_get_move(tree)}
    if asked:
        return "v2" if "v2" in asked else "v1"
    return "v1" if any(_names_first_layout(tree) for tree in trees) else "v2"


def require_layout(word: str) -> Layout:
    """The layout of that name; anything else is refused with the allowed ones.

    >>> require_layout("v3")
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: unknown layout 'v3'. Allowed: 'v1', 'v2'
    """
    for layout in LAYOUTS:
        if word == layout:
            return layout
    raise InvalidArgumentError(unknown_word("layout", str(word), LAYOUTS))


def parsed(source: str) -> ast.Module | None:
    """The syntax tree of a source, None where it cannot be parsed; it gives no warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _layouts_of_get_move(tree: ast.Module) -> Iterator[Layout]:
    """The layout in which each `get_move` of a class is asked, told as the board's `play` tells it."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        for each in node.body:
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and each.name == "get_move":
                static = any(ast.unparse(decorator) == "staticmethod" for decorator in each.decorator_list)
                parameters = [*each.args.posonlyargs, *each.args.args][not static :]
                required = len(parameters) - len(each.args.defaults)
                if required == 3 or [parameter.arg for parameter in parameters[1:2]] == ["legal_moves"]:
                    yield "v1"
                elif required == 2:
                    yield "v2"


def _names_first_layout(tree: ast.Module) -> bool:
    # A name that comes from elsewhere (`from requests import Timeout`) is not the submission's.
    foreign = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module != SUBMISSION
        for alias in node.names
    }
    first = FIRST_LAYOUT_CLASSES - foreign
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            if node.attr in EARLY_NAMES:
                return True
            of_submission = isinstance(node.value, ast.Name) and node.value.id == SUBMISSION
            if of_submission and node.attr in FIRST_LAYOUT_CLASSES:
                return True
        elif isinstance(node, ast.ImportFrom) and node.module == SUBMISSION:
            if any(alias.name in FIRST_LAYOUT_CLASSES for alias in node.names):
                return True
        elif (isinstance(node, ast.ClassDef) and node.name in first) or (
            isinstance(node, ast.Name) and node.id in first
        ):
            return True
    return False
