"""Methods that a student added to the `Board` of the folder's own `isolation`, told from its source."""

from __future__ import annotations

import ast
from importlib.util import decode_source
from pathlib import Path

from isolation_fast._native import Board
from isolation_fast.classic.layouts import parsed

__all__ = ["added_methods"]


def added_methods(place: Path) -> list[str]:
    """The methods that the class `Board` in this file, or in the package in this folder, has besides ours."""
    files = [place / "__init__.py", place / "isolation.py"] if place.is_dir() else [place]
    added = []
    for file in files:
        try:
            tree = parsed(decode_source(file.read_bytes()))
        except (OSError, SyntaxError, UnicodeDecodeError, LookupError):
            continue
        for node in tree.body if tree is not None else ():
            if isinstance(node, ast.ClassDef) and node.name == "Board":
                added += [
                    each.name
                    for each in node.body
                    if isinstance(each, ast.FunctionDef) and not hasattr(Board, _mangled(each.name))
                ]
    return list(dict.fromkeys(added))


def _mangled(name: str) -> str:
    private = name.startswith("__") and not name.endswith("__")
    return f"_Board{name}" if private else name
