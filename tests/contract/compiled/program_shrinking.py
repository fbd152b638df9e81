"""Makes a program smaller for as long as it still fails: statements go first, then parts of expressions."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Final, TypeAlias

Edit: TypeAlias = Callable[[], ast.Module]
Fails: TypeAlias = Callable[[str], bool]
Path: TypeAlias = tuple[tuple[str, "int | None"], ...]

LITERALS: Final = ("0", "1", "0.5", "(1, 2)", "None", "[]")
BODIES: Final = ("body", "orelse", "finalbody", "handlers")


def shrink(text: str, fails: Fails, attempts: int = 1_500) -> str:
    """The smallest text found that still fails. `fails` gets texts that compile, and raises nothing."""
    tree, shorter = ast.parse(text), True
    while shorter:
        shorter = False
        for edits in (_statements, _expressions):
            number = 0
            while (edit := next(islice(edits(tree), number, None), None)) and attempts:
                candidate = _text(edit())
                if candidate:
                    attempts -= 1
                if candidate and fails(candidate):
                    # The next thing stands where this one stood.
                    tree, shorter = ast.parse(candidate), True
                else:
                    number += 1
    return ast.unparse(tree)


def _text(tree: ast.Module) -> str:
    """The text of a tree, empty if it is no program."""
    try:
        text = ast.unparse(ast.fix_missing_locations(tree))
        compile(text, "<shrunk>", "exec")
    except (SyntaxError, ValueError):
        return ""
    return text


def _statements(tree: ast.Module) -> Iterator[Edit]:
    """Half of a body less, or one statement; then a statement gives way to what it holds."""
    places = list(_bodies(tree, ()))
    for path in places:
        body = _at(tree, path)
        if path[-1][0] == "body" and len(body) == 1 and isinstance(body[0], ast.Pass):
            continue
        for length in sorted({len(body), len(body) // 2, 1} - {0}, reverse=True):
            for start in range(0, len(body), length):
                yield partial(_without, tree, path, start, length)
    for path in places:
        for index, statement in enumerate(_at(tree, path)):
            for name in BODIES[:3]:
                if getattr(statement, name, None) and not isinstance(statement, ast.FunctionDef):
                    yield partial(_unwrapped, tree, path, index, name)


def _without(tree: ast.Module, path: Path, start: int, length: int) -> ast.Module:
    smaller = copy.deepcopy(tree)
    body = _at(smaller, path)
    del body[start : start + length]
    if not body and path[-1][0] == "body":
        body.append(ast.Pass())
    return smaller


def _unwrapped(tree: ast.Module, path: Path, index: int, name: str) -> ast.Module:
    smaller = copy.deepcopy(tree)
    body = _at(smaller, path)
    body[index : index + 1] = getattr(body[index], name)
    return smaller


def _bodies(node: ast.AST, path: Path) -> Iterator[Path]:
    for name in BODIES:
        inside = getattr(node, name, None)
        if isinstance(inside, list):
            if name != "handlers":
                yield (*path, (name, None))
            for index, child in enumerate(inside):
                yield from _bodies(child, (*path, (name, index)))


def _at(tree: ast.AST, path: Path) -> list[ast.stmt]:
    node: ast.AST = tree
    for name, index in path[:-1]:
        node = getattr(node, name)[index]
    found = getattr(node, path[-1][0])
    assert isinstance(found, list)
    return found


def _expressions(tree: ast.Module) -> Iterator[Edit]:
    """A literal in the place of each expression in turn, then a part of it."""
    for index, (_, _, _, old) in enumerate(_slots(tree)):
        if isinstance(old, ast.Constant):
            continue
        if not isinstance(old, ast.Name):
            for literal in LITERALS:
                yield partial(_replaced, tree, index, literal)
        for number, part in enumerate(islice(_parts(old), 12)):
            if not isinstance(part, ast.Starred):
                yield partial(_replaced, tree, index, number)


def _parts(expression: ast.expr) -> Iterator[ast.expr]:
    return (each for each in ast.walk(expression) if isinstance(each, ast.expr) and each is not expression)


def _replaced(tree: ast.Module, index: int, by: str | int) -> ast.Module:
    smaller = copy.deepcopy(tree)
    parent, name, place, old = next(islice(_slots(smaller), index, None))
    new = ast.parse(by, mode="eval").body if isinstance(by, str) else next(islice(_parts(old), by, None))
    if place is None:
        setattr(parent, name, new)
    else:
        getattr(parent, name)[place] = new
    return smaller


def _slots(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and isinstance(getattr(value, "ctx", ast.Load()), ast.Load):
                yield node, name, None, value
            elif isinstance(value, list):
                for index, each in enumerate(value):
                    if isinstance(each, ast.expr) and isinstance(getattr(each, "ctx", ast.Load()), ast.Load):
                        yield node, name, index, each
