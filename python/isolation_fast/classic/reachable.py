"""The sources that a script would come to by its imports, as far as they lie beside it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from importlib.util import decode_source
from pathlib import Path

from isolation_fast.classic.layouts import parsed

__all__ = ["reachable_sources"]

# These are served by us, whatever lies in the folder.
SERVED_FILES = ("isolation", "sample_players")


def reachable_sources(starts: Iterable[Path], folder: Path) -> Iterator[str]:
    """The sources of these files and of all that they import from the folder, each once.

    Nothing is imported. Passed over are files that cannot be read or decoded, and the folder's own
    `isolation` and `sample_players`. A source that cannot be parsed is given, but leads no further.
    """
    waiting, seen = list(starts), set()
    while waiting:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        try:
            source = decode_source(path.read_bytes())
        except (OSError, SyntaxError, UnicodeDecodeError, LookupError):
            continue
        yield source
        tree = parsed(source)
        if tree is not None:
            waiting += _imported_files(tree, path, folder)


def _imported_files(tree: ast.Module, path: Path, folder: Path) -> Iterator[Path]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _files_of(folder, alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            # One dot is the file's own folder, each further one the folder above.
            base = path.parents[min(node.level, len(path.parents)) - 1] if node.level else folder
            module = node.module.split(".") if node.module else []
            for alias in node.names:
                yield from _files_of(base, [*module, alias.name])


def _files_of(base: Path, names: list[str]) -> Iterator[Path]:
    """The files of `a`, `a.b` and `a.b.c`, whichever there are."""
    if names[0] in SERVED_FILES:
        return
    for count in range(1, len(names) + 1):
        place = base.joinpath(*names[:count])
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.is_file():
                yield file
