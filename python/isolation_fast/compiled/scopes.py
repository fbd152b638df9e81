"""Names: which of them a function binds itself, and where the others are looked up."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from isolation_fast.compiled.flow import Edge, Key
from isolation_fast.compiled.source import Source

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Names:
    """What the names of a function's own are."""

    bound: set[str] = field(default_factory=set)
    within: set[str] = field(default_factory=set)
    """Bound in the middle of an expression, by `:=`."""
    of_module: set[str] = field(default_factory=set)
    of_outer: set[str] = field(default_factory=set)
    """Those of `global` and of `nonlocal`."""


def names_of(node: ast.AST) -> Names:
    """The names that a function, lambda or comprehension binds."""
    names = Names()
    if isinstance(node, FUNCTIONS):
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
        names.bound.update(argument.arg for argument in every)
        body = node.body if isinstance(node.body, list) else [node.body]
        for each in _own(body):
            _note(each, names)
        names.bound -= names.of_module | names.of_outer
    elif isinstance(node, COMPREHENSIONS):
        names.bound.update(bound_in([generator.target for generator in node.generators]))
    return names


def _own(nodes: list[ast.stmt] | list[ast.expr] | list[ast.AST]) -> Iterator[ast.AST]:
    """These nodes and those below them, but for the bodies of functions; `:=` in comprehensions counts."""
    waiting: list[ast.AST] = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, COMPREHENSIONS):
            waiting += (each for each in ast.walk(node) if isinstance(each, ast.NamedExpr))
            waiting.append(node.generators[0].iter)
        elif not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)


def _note(node: ast.AST, names: Names) -> None:
    if isinstance(node, ast.NamedExpr):
        names.bound.add(node.target.id)
        names.within.add(node.target.id)
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        names.bound.add(node.id)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        names.bound.add(node.name)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        names.bound.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ExceptHandler) and node.name is not None:
        names.bound.add(node.name)
    elif isinstance(node, ast.Global):
        names.of_module.update(node.names)
    elif isinstance(node, ast.Nonlocal):
        names.of_outer.update(node.names)


def bound_in(nodes: list[ast.stmt] | list[ast.expr]) -> set[str]:
    """The names that statements or targets bind."""
    names = Names()
    for node in _own(nodes):
        _note(node, names)
    return names.bound


class Scope:
    """The names of one call of a function, or of a comprehension, while it is lowered."""

    def __init__(
        self, key: Hashable, node: ast.AST, names: Names, source: Source, outer: Scope | None
    ) -> None:
        self.key, self.node = key, node
        self.names = names
        self.source = source
        """Where names are looked up that no scope binds."""
        self.outer = outer
        self.has_ended = False
        """Only a function that was defined in it may still ask for its variables."""
        self.returns: list[Edge] | None = None
        """The ways that `return` leaves a function by which is written in place of its call."""
        self.function: Scope = self if outer is None or isinstance(node, FUNCTIONS) else outer.function
        """The scope of the function that this one is in."""

    def variable(self, name: str) -> Key:
        """The key of a name of this scope."""
        return (self.key, name)

    def is_declared_global(self, name: str) -> bool:
        """Whether this scope, or one around it, says that a name is one of the module."""
        return name in self.names.of_module or (
            self.outer is not None and self.outer.is_declared_global(name)
        )

    def binding(self, name: str) -> Scope | None:
        """The scope that binds a name; None where it is one of the module."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names.bound:
                return scope
            if name in scope.names.of_module:
                return None
            scope = scope.outer
        return None
