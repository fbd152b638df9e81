"""What a submission holds, seen from its parsed source alone: nothing is imported or run."""

import ast
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from isolation_fast.classic.layouts import EARLY_NAMES, Layout, detect_layout
from isolation_fast.submission.quiet import without_warnings
from isolation_fast.submission.recognition import (
    Definition,
    Function,
    functions_in,
    is_custom_score,
    is_heuristic,
    is_player,
    is_template,
    top_level,
)
from isolation_fast.submission.sources import Source, helper_sources, imported_names, located, read_source

__all__ = ["Outline", "definitions", "is_custom_score", "outline_of", "parse"]


@dataclass(frozen=True)
class Outline:
    """What the source of a submission says that it holds.

    `heuristics` are names in the file's order, `custom_score` and its like first; `players` are names of
    classes. `templates` are functions and methods that only raise `NotImplementedError`. `imports` are the
    top-level names of all that it and the modules beside it import, `early_names` the private names of the
    first boards that they use. `bound` are names that its file assigns or imports, in ways that do not tell
    to what.
    """

    path: Path
    layout: Layout
    heuristics: tuple[str, ...]
    players: tuple[str, ...]
    templates: tuple[str, ...]
    imports: tuple[str, ...]
    early_names: tuple[str, ...]
    bound: tuple[str, ...]


def parse(path: str | os.PathLike[str]) -> Outline:
    """Read a submission, a file or its folder, without running anything of it.

    What is made when it runs is not seen: `custom_score = partial(...)` is a heuristic to `load` alone.

    >>> from isolation_fast.submission import parse
    >>> outline = parse("examples")
    >>> outline.layout, outline.heuristics
    ('v2', ('custom_score', 'custom_score_2', 'custom_score_3'))
    """
    file = located(Path(path))
    source = read_source(file)
    return outline_of(source, list(helper_sources(source, file.parent)))


def outline_of(source: Source, helpers: Sequence[Source]) -> Outline:
    """What these parsed files hold."""
    everything = [source, *helpers]
    defined = definitions(source, helpers)
    functions = {name: node for name, node in defined.items() if isinstance(node, Function)}
    heuristics = [name for name, node in functions.items() if is_heuristic(name, node)]
    classes = {
        node.name: node
        for each in reversed(everything)
        for node in top_level(each.tree.body)
        if isinstance(node, ast.ClassDef)
    }
    kinds = {name: node for name, node in defined.items() if isinstance(node, ast.ClassDef)}
    unwritten = [name for name in heuristics if is_template(functions[name])]
    written = [name for name in heuristics if name not in unwritten]
    imported = {name.partition(".")[0] for each in everything for name in imported_names(each)}
    with without_warnings():
        layout = detect_layout(each.text for each in everything)
    return Outline(
        path=source.path,
        layout=layout,
        heuristics=tuple(sorted(written, key=lambda name: not is_custom_score(name))),
        players=tuple(name for name, node in kinds.items() if is_player(node, classes)),
        templates=(*unwritten, *_template_methods(kinds.values())),
        imports=tuple(sorted(imported - {"__future__"})),
        early_names=tuple(sorted(_early_names(everything))),
        bound=tuple(dict.fromkeys(_bound(source.tree))),
    )


def definitions(source: Source, helpers: Iterable[Source]) -> dict[str, Definition]:
    """The functions and classes that a module has by name, those that it imports from helpers included.

    `custom_score = other` and `custom_score = lambda game, player: 0.0` count.
    """
    return _definitions(source, {each.module: each for each in helpers}, frozenset(), {})


def _definitions(
    source: Source,
    helpers: Mapping[str, Source],
    busy: frozenset[Path],
    known: dict[tuple[Path, frozenset[Path]], dict[str, Definition]],
) -> dict[str, Definition]:
    if (source.path, busy) in known:  # the same import once more
        return known[source.path, busy]
    found: dict[str, Definition] = {}
    for node in top_level(source.tree.body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign):
            value = found.get(node.value.id) if isinstance(node.value, ast.Name) else node.value
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            found = {name: each for name, each in found.items() if name not in names}
            if isinstance(value, Definition):
                found |= dict.fromkeys(names, value)
        elif isinstance(node, ast.ImportFrom):
            helper = helpers.get(source.absolute(node))
            # Of two that import each other one comes first.
            if helper is not None and helper.path not in busy:
                found |= _taken(node.names, _definitions(helper, helpers, busy | {source.path}, known))
    known[source.path, busy] = found
    return found


def _taken(names: Iterable[ast.alias], theirs: Mapping[str, Definition]) -> dict[str, Definition]:
    taken: dict[str, Definition] = {}
    for alias in names:
        if alias.name == "*":
            taken |= {name: each for name, each in theirs.items() if not name.startswith("_")}
        elif alias.name in theirs:
            taken[alias.asname or alias.name] = theirs[alias.name]
    return taken


def _template_methods(kinds: Collection[ast.ClassDef]) -> list[str]:
    methods = {kind.name: {node.name: node for node in functions_in(kind.body)} for kind in kinds}
    bases = {kind.name: {ast.unparse(base) for base in kind.bases} for kind in kinds}
    return [
        f"{kind}.{name}"
        for kind, own in methods.items()
        for name, node in own.items()
        # A base class may leave a method to the classes below it.
        if is_template(node)
        and not any(kind in bases[other] and name in theirs for other, theirs in methods.items())
    ]


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that a module's statements bind in ways that do not tell to what."""
    for node in top_level(tree.body):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = (each for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))
            yield from (each.id for each in names)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)


def _early_names(sources: Iterable[Source]) -> set[str]:
    attributes = (
        node.attr for each in sources for node in ast.walk(each.tree) if isinstance(node, ast.Attribute)
    )
    return set(attributes) & EARLY_NAMES
