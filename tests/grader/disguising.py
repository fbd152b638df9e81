"""A copy in disguise: other names, comments and format, and functions in another order. It does the same."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable
from typing import Any

from isolation_fast import Board

ASKED_FOR = {
    *("CustomPlayer", "MinimaxPlayer", "AlphaBetaPlayer", "IsolationPlayer", "SearchTimeout", "Timeout"),
    *("get_move", "minimax", "alphabeta", "score", "time_left", "self"),
    *("custom_score", "custom_score_2", "custom_score_3"),
}
"""Names that the course asks for."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def disguised(source: str, seed: int) -> str:
    """The source as somebody hands it in who hopes that nobody notices."""
    chance = random.Random(seed)
    tree = ast.parse(source)
    new = {old: f"{chance.choice('abcdefgh')}{chance.randrange(10**6)}" for old in sorted(_own(tree))}
    tree = _Renaming(new, chance).visit(tree)
    lines = ast.unparse(ast.fix_missing_locations(tree)).splitlines()
    noted = (f"{line}  # {chance.random()}" if line.endswith(":") else line for line in lines)
    return "".join(f"{line}\n{chance.choice(['', '', chr(10)])}" for line in noted)


def _own(tree: ast.AST) -> set[str]:
    """The names that it defines, but for those of the course and of its board."""
    found = set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                found.add(name)
    return {each for each in found - ASKED_FOR - set(dir(Board)) if not each.startswith("__")}


class _Renaming(ast.NodeTransformer):
    """Renames, drops docstrings and annotations, and shuffles functions."""

    def __init__(self, new: dict[str, str], chance: random.Random) -> None:
        self._new, self._chance = new, chance

    def generic_visit(self, node: Any) -> Any:
        super().generic_visit(node)
        for field in ("name", "id", "attr", "arg"):
            if isinstance(old := getattr(node, field, None), str):
                setattr(node, field, self._new.get(old, old))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [self._new.get(each, each) for each in node.names]
        for field in ("annotation", "returns"):
            if hasattr(node, field):
                setattr(node, field, None)
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, (ast.Module, ast.ClassDef)):
            node.body = list(self._shuffled(node.body))
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        self.generic_visit(node.target)
        if node.value is None:
            return None
        return self.visit(ast.Assign(targets=[node.target], value=node.value))

    def _shuffled(self, body: list[ast.stmt]) -> Iterable[ast.stmt]:
        functions = [each for each in body if isinstance(each, FUNCTIONS)]
        self._chance.shuffle(functions)
        return [functions.pop() if isinstance(each, FUNCTIONS) else each for each in body]
