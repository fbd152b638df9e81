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
            _Binder(names).visit(each)
    elif isinstance(node, COMPREHENSIONS):
        for generator in node.generators:
            for below in ast.walk(generator.target):
                if isinstance(below, ast.Name):
                    names.bind(below.id, 2)
    for name in names.of_module | names.of_outer:
        names.bound.pop(name, None)
    return names


class _Binder(ast.NodeVisitor):
    """Notes what a node binds, and what is below it, but not in functions."""

    def __init__(self, names: Names) -> None:
        self._names, self._times = names, 1

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self._names.bind(node.name, self._times)
        self.visit_Lambda(node)

    def visit_Lambda(self, node: ast.AST) -> None:
        """Functions inside may assign variables of this one."""
        for each in ast.walk(node):
            if isinstance(each, ast.Nonlocal):
                self._names.assigned_inside.update(each.names)

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        for each in ast.walk(node):
            if isinstance(each, ast.NamedExpr):
                self._names.bind(each.target.id, 2)
            elif isinstance(each, FUNCTIONS):
                self.visit_Lambda(each)
        self.visit(node.generators[0].iter)

    def visit_For(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        times, self._times = self._times, 2
        self.generic_visit(node)
        self._times = times

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._names.bind(node.id, self._times if isinstance(node.ctx, ast.Store) else 2)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            self._names.bind((alias.asname or alias.name).partition(".")[0], self._times)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name is not None:
            self._names.bind(node.name, 2)
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        self._names.of_module.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self._names.of_outer.update(node.names)

    def visit_Yield(self, node: ast.Yield | ast.YieldFrom) -> None:
        self._names.yields = True
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign | ast.AnnAssign) -> None:
        """An augmented assignment binds what is bound already."""
        if isinstance(node.target, ast.Name):
            self._names.bind(node.target.id)
        self.generic_visit(node)

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef
    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp
    visit_AsyncFor = visit_While = visit_For
    visit_ImportFrom = visit_Import
    visit_YieldFrom = visit_Yield
    visit_AnnAssign = visit_AugAssign


def bound_in(nodes: list[ast.stmt]) -> set[str]:
    """The names that statements bind."""
    names = Names()
    for node in nodes:
        _Binder(names).visit(node)
    return set(names.bound)


def names_read(node: ast.AST) -> Iterator[str]:
    """The names that a function or comprehension uses, those in functions inside it too."""
    for each in ast.walk(node):
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
