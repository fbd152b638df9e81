"""What the source of classic code says: its layout, and the files that its imports lead to.

| layout | how players are asked | its submissions define |
|---|---|---|
| `"v1"` | `get_move(game, legal_moves, time_left)` | `CustomPlayer`, `Timeout` |
| `"v2"` | `get_move(game, time_left)` | `MinimaxPlayer`, `AlphaBetaPlayer`, `SearchTimeout` |

Nothing is imported or run here.
"""

from __future__ import annotations

import ast
import os
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import decode_source
from pathlib import Path
from typing import Final, Literal

from isolation_fast.board.early_names import EARLY_NAMES
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.text import unknown_word

Layout = Literal["v1", "v2"]

LAYOUTS: Final[tuple[Layout, ...]] = ("v1", "v2")

FIRST_LAYOUT_CLASSES: Final = frozenset({"CustomPlayer", "Timeout"})
"""What only the first layout's `game_agent` defined."""

NEVER_BESIDE: Final = ("isolation", "sample_players")
"""These modules are served, whatever lies in the folder."""

IMPORTING: Final = ("import_module", "__import__")


def detect_layout(sources: Iterable[str]) -> Layout:
    r"""The layout that these sources were written for, taken together; `"v2"` where nothing tells.

    It goes by the parameters of each `get_move` of a class: "v1" where one takes
    `(self, game, legal_moves, time_left)` and none takes `(self, game, time_left)`. Where there is neither,
    the names `CustomPlayer` and `Timeout` of the first submissions, or the private names of the oldest
    boards, mean "v1". A source that is no Python of today is passed over.

    >>> detect_layout(["class Mine:\n    def get_move(self, game, legal_moves, time_left): ..."])
    'v1'
    >>> detect_layout(["from game_agent import CustomPlayer", "print('no Python 3'"])
    'v1'
    >>> detect_layout(["from game_agent import AlphaBetaPlayer"])
    'v2'
    """
    return layout_of([tree for tree in map(parsed, sources) if tree is not None])


def layout_of(trees: Iterable[ast.Module]) -> Layout:
    """The layout that the sources of these trees were written for, by the rules of `detect_layout`."""
    trees = list(trees)
    asked = {layout for tree in trees for layout in _layouts_of_get_move(tree)}
    if asked:
        return "v2" if "v2" in asked else "v1"
    return "v1" if any(_names_first_layout(tree) for tree in trees) else "v2"


def require_layout(word: str) -> Layout:
    """The layout of that name, or an error that lists the names."""
    for layout in LAYOUTS:
        if word == layout:
            return layout
    raise InvalidArgumentError(unknown_word("layout", str(word), LAYOUTS))


# `catch_warnings` changes the whole process: two at once would leave each other's filters in place.
_one_at_a_time = threading.RLock()


@contextmanager
def without_warnings() -> Iterator[None]:
    """Let Python give no warnings about a source: where they are errors, it could not be read at all."""
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def parsed(source: str) -> ast.Module | None:
    """The syntax tree of a source, None where it cannot be parsed."""
    with without_warnings():
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


# ---- a file, and those that it imports


@dataclass(frozen=True)
class Source:
    """One parsed file; `module` is the name that it is imported by."""

    path: Path
    tree: ast.Module
    module: str = ""

    def imports(self) -> Iterator[str]:
        """Dotted names of all that is imported; of `from a import b` both `a` and `a.b`."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                if base := self.absolute(node):
                    yield base
                    yield from (f"{base}.{alias.name}" for alias in node.names)
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(IMPORTING):
                words = [each.value for each in node.args[:1] if isinstance(each, ast.Constant)]
                yield from (word for word in words if isinstance(word, str))

    def absolute(self, node: ast.ImportFrom) -> str:
        """The dotted name after `from`, a relative one made whole."""
        parts = self.module.split(".") if node.level else []
        upwards = max(0, node.level - (self.path.name == "__init__.py"))
        parts = parts[: len(parts) - upwards]
        return ".".join([*parts, *([node.module] if node.module else [])])


def reachable(
    starts: Iterable[tuple[Path, str]], folder: Path, read: Callable[[Path, str], Source | None]
) -> Iterator[Source]:
    """These files and all that they import from the folder, each once, without those that `read` passes over.

    A start is a file and its name as a module.
    """
    waiting, seen = list(starts), set()
    while waiting:
        path, module = waiting.pop(0)
        source = None if path in seen else read(path, module)
        seen.add(path)
        if source is not None:
            yield source
            for name in source.imports():
                waiting += files_of(name, folder)


def source_of(path: Path, module: str = "") -> Source | None:
    """A file, None where it cannot be read, decoded or parsed."""
    try:
        tree = parsed(decode_source(path.read_bytes()))
    except (OSError, SyntaxError, UnicodeDecodeError, LookupError):
        return None
    return None if tree is None else Source(path, tree, module)


def files_of(name: str, folder: Path) -> Iterator[tuple[Path, str]]:
    """The files beside a script, and their names as modules, that importing `a.b.c` comes to."""
    parts = name.split(".")
    if parts[0] in NEVER_BESIDE or not all(each.isidentifier() for each in parts):
        return  # `__import__` takes any text, and so would lead anywhere
    for depth in range(1, len(parts) + 1):
        place = folder.joinpath(*parts[:depth])
        for file in (place / "__init__.py", place.with_name(f"{place.name}.py")):
            if os.path.isfile(file):  # noqa: PTH113 - a name may be longer than any file's
                yield file, ".".join(parts[:depth])
                break


def module_of(path: Path, folder: Path) -> str:
    """The dotted name of a file from the folder on, "" outside it."""
    try:
        inside = path.absolute().relative_to(folder.absolute())
    except ValueError:
        return ""
    return ".".join(inside.with_suffix("").parts).removesuffix(".__init__")


def _layouts_of_get_move(tree: ast.Module) -> Iterator[Layout]:
    """The layout in which each `get_move` of a class is asked, by the same rule as in `Board.play`."""
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
        if isinstance(node, ast.ImportFrom) and node.module != "game_agent"
        for alias in node.names
    }
    first = FIRST_LAYOUT_CLASSES - foreign
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="game_agent", names=aliases):
                if any(alias.name in FIRST_LAYOUT_CLASSES for alias in aliases):
                    return True
            case ast.Attribute(value=ast.Name(id="game_agent"), attr=name) if name in FIRST_LAYOUT_CLASSES:
                return True
            case ast.Attribute(attr=name) if name in EARLY_NAMES:
                return True
            case ast.ClassDef(name=name) | ast.Name(id=name) if name in first:
                return True
    return False
