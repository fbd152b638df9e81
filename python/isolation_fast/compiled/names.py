"""Names: which of them a function binds itself, and where the others are looked up."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from isolation_fast.compiled.flow import Key
from isolation_fast.compiled.source import Source
from isolation_fast.compiled.types import Value

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
LOOPS = (ast.For, ast.While, ast.AsyncFor)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Names:
    """What the names of a function's own are."""

    bound: dict[str, int] = field(default_factory=dict)
    """How often each is bound; in a loop that is often."""
    of_module: set[str] = field(default_factory=set)
    of_outer: set[str] = field(default_factory=set)
    """Those of `global` and of `nonlocal`."""
    assigned_inside: set[str] = field(default_factory=set)
    """Those that functions inside it declare as `nonlocal`."""
    yields: bool = False

    def bind(self, name: str, times: int = 1) -> None:
        """Note that it is bound."""
        self.bound[name] = self.bound.get(name, 0) + times

    def is_final(self, name: str) -> bool:
        """Whether it is bound once, so that it is the same from then on."""
        return self.bound.get(name) == 1 and name not in self.assigned_inside


@lru_cache(maxsize=4096)
def names_of(node: ast.AST) -> Names:
    """The names that a function, lambda or comprehension binds."""
    names = Names()
    if isinstance(node, FUNCTIONS):
        given = node.args
        for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
            if argument is not None:
                names.bind(argument.arg)
        for each in node.body if isinstance(node.body, list) else [node.body]:
            _note(each, names)
    elif isinstance(node, COMPREHENSIONS):
        for generator in node.generators:
            for below in ast.walk(generator.target):
                if isinstance(below, ast.Name):
                    names.bind(below.id, 2)
    for name in names.of_module | names.of_outer:
        names.bound.pop(name, None)
    return names


def _note(node: ast.AST, names: Names, times: int = 1) -> None:
    """Note what a node binds, and what is below it, but not in functions."""
    for name, count in _bindings(node, times):
        names.bind(name, count)
    if isinstance(node, (*FUNCTIONS, ast.ClassDef, *COMPREHENSIONS)):
        for each in ast.walk(node):
            if isinstance(each, ast.Nonlocal):
                names.assigned_inside.update(each.names)
        if isinstance(node, COMPREHENSIONS):
            _note(node.generators[0].iter, names, times)
        return
    if isinstance(node, ast.Global):
        names.of_module.update(node.names)
    elif isinstance(node, ast.Nonlocal):
        names.of_outer.update(node.names)
    names.yields |= isinstance(node, (ast.Yield, ast.YieldFrom))
    for below in ast.iter_child_nodes(node):
        _note(below, names, 2 if isinstance(node, LOOPS) else times)


def _bindings(node: ast.AST, times: int) -> Iterator[tuple[str, int]]:
    """The names that a node itself binds, with how often."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name, times
    elif isinstance(node, COMPREHENSIONS):
        yield from ((each.target.id, 2) for each in ast.walk(node) if isinstance(each, ast.NamedExpr))
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id, times if isinstance(node.ctx, ast.Store) else 2
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from (((alias.asname or alias.name).partition(".")[0], times) for alias in node.names)
    elif isinstance(node, ast.ExceptHandler) and node.name is not None:
        yield node.name, 2
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)) and isinstance(node.target, ast.Name):
        # It binds what is bound already.
        yield node.target.id, 1


def times_read(node: ast.AST, name: str, times: int = 1, skipped: ast.AST | None = None) -> int:
    """How often a name is read below a node; in a loop or a function that is often."""
    if node is skipped:
        return 0
    if isinstance(node, ast.Name):
        return times * (node.id == name and isinstance(node.ctx, ast.Load))
    if isinstance(node, COMPREHENSIONS):
        skipped = node.generators[0].iter
    elif isinstance(node, ast.For):
        skipped = node.iter
    total = (
        times_read(skipped, name, times) if isinstance(node, (*COMPREHENSIONS, ast.For)) and skipped else 0
    )
    often = 2 if isinstance(node, (*LOOPS, *COMPREHENSIONS, *FUNCTIONS)) else times
    return total + sum(times_read(each, name, often, skipped) for each in ast.iter_child_nodes(node))


def bound_in(nodes: list[ast.stmt]) -> set[str]:
    """The names that statements bind."""
    names = Names()
    for node in nodes:
        _note(node, names)
    return set(names.bound)


def names_read(node: ast.FunctionDef | ast.Lambda) -> Iterator[str]:
    """The names that a function uses when it runs, those in functions inside it too."""
    for part in node.body if isinstance(node.body, list) else [node.body]:
        for each in ast.walk(part):
            if isinstance(each, ast.Name):
                yield each.id
            elif isinstance(each, (ast.Nonlocal, ast.Global)):
                yield from each.names


class Scope:
    """The names of one call of a function, or of a comprehension, while it is compiled."""

    def __init__(
        self,
        path: Hashable,
        node: ast.AST,
        source: Source,
        outer: Scope | None,
        held: dict[str, Value] | None = None,
    ) -> None:
        self.path, self.node, self.source = path, node, source
        """`source` says where names are looked up that no scope binds."""
        self.names = names_of(node)
        self.outer = outer
        self.held = held or {}
        """The variables that a closure has with it."""
        self.function: Scope = self if outer is None or isinstance(node, FUNCTIONS) else outer.function
        """The scope of the function that this one is in."""

    def holds(self, name: str) -> bool:
        """Whether a name is one of the variables that a closure has with it."""
        return name in self.held and name not in self.names.bound

    def variable(self, name: str) -> Key:
        """The key of a name of this scope."""
        return (self.path, name)

    def is_read_once(self, name: str) -> bool:
        """Whether a name is bound once, by a statement that all ways pass, and read at most once after it."""
        body = self.node.body if isinstance(self.node, ast.FunctionDef) else []
        targets = [each.targets[0] for each in body if isinstance(each, ast.Assign)]
        is_passed = any(isinstance(each, ast.Name) and each.id == name for each in targets)
        return is_passed and self.names.is_final(name) and sum(times_read(each, name) for each in body) < 2

    def _outwards(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def binding(self, name: str) -> Scope | None:
        """The scope that binds a name, or that holds it; None where it is one of the module."""
        for scope in self._outwards():
            if name in scope.names.bound or name in scope.held:
                return scope
            if name in scope.names.of_module:
                return None
        return None

    def is_declared_global(self, name: str) -> bool:
        """Whether this scope, or one around it, says that a name is one of the module."""
        return any(name in scope.names.of_module for scope in self._outwards())
