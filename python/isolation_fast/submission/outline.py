"""What a submission holds, seen from its parsed source alone: nothing is imported or run."""

import ast
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from isolation_fast.classic.layouts import EARLY_NAMES, Layout, detect_layout
from isolation_fast.submission.sources import (
    NEVER_HELPERS,
    Source,
    helper_sources,
    imported_names,
    located,
    read_source,
)

__all__ = ["Outline", "fits_heuristic", "is_custom_score", "parse"]

_GAME = re.compile(r"game|board|state|^[gbs]$", re.IGNORECASE)
_PLAYER = re.compile(r"player|agent|^(p|me)$", re.IGNORECASE)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Outline:
    """What the source of a submission says that it holds.

    `heuristics` are names in the file's order, `custom_score` and its like first; `players` are names of
    classes. `templates` are functions and methods that only raise `NotImplementedError`. `imports` are the
    top-level names of all that it and the modules beside it import, `early_names` the private names of the
    first boards that they use.
    """

    path: Path
    layout: Layout
    heuristics: tuple[str, ...]
    players: tuple[str, ...]
    templates: tuple[str, ...]
    imports: tuple[str, ...]
    early_names: tuple[str, ...]


def parse(path: str | os.PathLike[str]) -> Outline:
    """Read a submission, a file or its folder, without running anything of it."""
    file = located(Path(path))
    source = read_source(file)
    helpers = list(helper_sources(source, file.parent))
    return outline_of(source, helpers)


def outline_of(source: Source, helpers: Sequence[Source]) -> Outline:
    """What these parsed files hold."""
    everything = [source, *helpers]
    functions = {node.name: node for each in reversed(everything) for node in _functions(each.tree.body)}
    names = [name for name in _bound_names(source.tree.body) if name in functions]
    fitting = [name for name in names if _is_heuristic(functions[name])]
    classes = {node.name: node for each in reversed(everything) for node in _classes(each.tree.body)}
    templates = [name for name in fitting if is_template(functions[name])]
    templates += [
        f"{kind.name}.{node.name}"
        for kind in _classes(source.tree.body)
        for node in _functions(kind.body)
        if is_template(node)
    ]
    imported = {name.partition(".")[0] for each in everything for name in imported_names(each)}
    written = [name for name in fitting if name not in templates]
    return Outline(
        path=source.path,
        layout=detect_layout(each.text for each in everything),
        heuristics=tuple(sorted(written, key=lambda name: not is_custom_score(name))),
        players=tuple(kind.name for kind in _classes(source.tree.body) if _plays(kind, classes)),
        templates=tuple(templates),
        imports=tuple(sorted(imported)),
        early_names=tuple(sorted(_early_names(everything))),
    )


def is_custom_score(name: str) -> bool:
    """Whether a name says that it is a heuristic of the submission."""
    return name.startswith("custom_score")


def fits_heuristic(parameters: Sequence[str]) -> bool:
    """Whether the names of the first two parameters are those of a heuristic."""
    return len(parameters) >= 2 and bool(_GAME.search(parameters[0]) and _PLAYER.search(parameters[1]))


def is_template(node: _Function) -> bool:
    """Whether a function gives nothing back and ends in `raise NotImplementedError`."""
    last = node.body[-1]
    if not isinstance(last, ast.Raise) or last.exc is None:
        return False
    raised = last.exc.func if isinstance(last.exc, ast.Call) else last.exc
    return ast.unparse(raised) == "NotImplementedError" and not any(
        isinstance(each, ast.Return | ast.Yield | ast.YieldFrom) for each in ast.walk(node)
    )


def _is_heuristic(node: _Function) -> bool:
    if isinstance(node, ast.AsyncFunctionDef):
        return False
    given = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    needed = len(given) - len(node.args.defaults)
    many = node.args.vararg is not None
    callable_with_two = needed <= 2 and (len(given) >= 2 or many)
    return callable_with_two and (is_custom_score(node.name) or fits_heuristic(given))


def _top_level(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if not isinstance(node, ast.ClassDef | _Function):
            for field in ("body", "orelse", "handlers", "finalbody"):
                for inner in getattr(node, field, ()):
                    yield from _top_level(inner.body if isinstance(inner, ast.ExceptHandler) else [inner])


def _functions(body: Iterable[ast.stmt]) -> Iterator[_Function]:
    return (node for node in _top_level(body) if isinstance(node, _Function))


def _classes(body: Iterable[ast.stmt]) -> Iterator[ast.ClassDef]:
    return (node for node in _top_level(body) if isinstance(node, ast.ClassDef))


def _bound_names(body: Iterable[ast.stmt]) -> Iterator[str]:
    for node in _top_level(body):
        if isinstance(node, _Function):
            yield node.name
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] not in NEVER_HELPERS:
            yield from (alias.asname or alias.name for alias in node.names)


def _plays(kind: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> bool:
    for node in _functions(kind.body):
        if node.name == "get_move":
            return not is_template(node)
    bases = (classes.get(ast.unparse(base).rpartition(".")[2]) for base in kind.bases)
    return any(base is not None and base is not kind and _plays(base, classes) for base in bases)


def _early_names(sources: Iterable[Source]) -> set[str]:
    used = {node.attr for each in sources for node in ast.walk(each.tree) if isinstance(node, ast.Attribute)}
    return used.intersection(EARLY_NAMES)
