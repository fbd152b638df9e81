"""What the text of a module says that its names mean: worked out here, and nothing of it is run by Python.

Definitions become functions that are never called. What is computed when a module is imported, tables and
factories among it, is worked out over its tree. What cannot be is `Unread`, with the reason.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable, Iterable, Iterator
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, Final

from isolation_fast.compiled import Unread
from isolation_fast.submission.evaluating import (
    BINARY,
    CALLED,
    CHANGING,
    DECORATORS,
    IN_PLACE,
    WRAPPERS,
    Expressions,
    Frame,
    UnreadableError,
)
from isolation_fast.submission.outline import first_line
from isolation_fast.text import error_line

DEEPEST: Final = 60
"""Calls in one another."""
LATER: Final = 0x2A0
"""The flags of code whose call gives no result yet: generators, coroutines, and both."""
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
REBINDING: Final = frozenset(
    "__import__ compile delattr eval exec globals locals open setattr type vars super".split()  # noqa: SIM905
)


class _Returned(Exception):  # noqa: N818 - control, and no error
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class _Jumped(Exception):  # noqa: N818 - the same
    def __init__(self, is_break: bool) -> None:
        super().__init__()
        self.is_break = is_break


class Evaluator(Expressions):
    """Works out what the statements of modules compute, in so many steps."""

    def __init__(self, imported: Callable[[ast.AST, str, str], ModuleType]) -> None:
        self.imported = imported
        """The module that a name means in a package; raises `UnreadableError`."""
        super().__init__()
        self._depth = 0
        self._codes: dict[int, tuple[ast.AST, CodeType]] = {}
        self._functions: dict[int, tuple[FunctionType, Any]] = {}
        self._decorators: dict[int, Any] = {}

    # ---- modules

    def run(self, tree: ast.Module, filename: str, names: dict[str, Any]) -> None:
        """Bind what a module's statements bind; `UnreadableError` where one may do anything to the others."""
        self._note_codes(tree, filename)
        self.own.add(id(names))
        frame = Frame(names, {})
        for node in tree.body:
            self._try(node, frame)

    def _try(self, node: ast.stmt, frame: Frame) -> None:
        try:
            self._run([node], frame)
        except UnreadableError as error:
            if error.of_all:
                raise
            self._leave_out(node, frame.names, error.why)
        except RecursionError:
            raise UnreadableError(node, "it is nested too deep", of_all=True) from None
        except Exception as error:  # noqa: BLE001 - what raises here, Python raises when it is imported
            raise UnreadableError(node, f"it raises {error_line(error)}", of_all=True) from None

    def _leave_out(self, node: ast.stmt, names: dict[str, Any], why: str) -> None:
        """The names that a statement binds are unread; so is all, where it may change what others mean."""
        for each in _run_by(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                value = names.get(each.id)
                if type(value) in CHANGING or self.is_own(value) or isinstance(value, WRAPPERS):
                    raise UnreadableError(node, f"what this statement does is not known: {why}", of_all=True)
            if isinstance(each, (ast.Name, ast.Attribute)) and named(each) in REBINDING:
                raise UnreadableError(node, f"{named(each)} may change what any name means", of_all=True)
            if isinstance(each, (ast.Attribute, ast.Subscript)) and not isinstance(each.ctx, ast.Load):
                raise UnreadableError(node, "something else than a name is assigned", of_all=True)
        for name in bound_by(node):
            names[name] = Unread(node.lineno, f"{name} is not known from the text: {why}")

    def _note_codes(self, tree: ast.Module, filename: str) -> None:
        """The code of each function, told by its name and first line where these are one function's."""
        places: dict[tuple[str, int], list[ast.AST]] = {}
        for node in ast.walk(tree):
            if isinstance(node, FUNCTIONS):
                name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
                places.setdefault((name, first_line(node)), []).append(node)
        waiting = [compile(tree, filename, "exec", dont_inherit=True)]
        while waiting:
            for code in waiting.pop().co_consts:
                if isinstance(code, CodeType):
                    waiting.append(code)
                    nodes = places.get((code.co_name, code.co_firstlineno), [])
                    if len(nodes) == 1:
                        self._codes[id(nodes[0])] = nodes[0], code

    # ---- statements

    def _run(self, nodes: Iterable[ast.stmt], frame: Frame) -> None:
        for node in nodes:
            self.count(node)
            handler = getattr(self, f"_run_{type(node).__name__.lower()}", None)
            if handler is None:
                raise UnreadableError(node, f"a statement `{type(node).__name__.lower()}` is not worked out")
            handler(node, frame)

    def _run_functiondef(self, node: ast.FunctionDef, frame: Frame) -> None:
        function: Any = self.function(node, frame)
        for decorator in reversed(node.decorator_list):
            function = self.call(decorator, self._value(decorator, frame), [function], {})
        frame.bind(node.name, function)

    _run_asyncfunctiondef = _run_functiondef

    def _run_classdef(self, node: ast.ClassDef, frame: Frame) -> None:
        frame.bind(node.name, Unread(node.lineno, f"{node.name} is a class: write functions instead"))

    def _run_assign(self, node: ast.Assign, frame: Frame) -> None:
        value = self._value(node.value, frame)
        for target in node.targets:
            self.assign(target, value, frame)

    def _run_annassign(self, node: ast.AnnAssign, frame: Frame) -> None:
        if node.value is not None:
            self.assign(node.target, self._value(node.value, frame), frame)

    def _run_augassign(self, node: ast.AugAssign, frame: Frame) -> None:
        kind = type(node.op)
        read = ast.copy_location(
            ast.Name(node.target.id, ast.Load())
            if isinstance(node.target, ast.Name)
            else ast.Subscript(node.target.value, node.target.slice, ast.Load())
            if isinstance(node.target, ast.Subscript)
            else node.target,
            node,
        )
        before, after = self._value(read, frame), self._value(node.value, frame)
        change = IN_PLACE.get(kind, BINARY.get(kind)) if type(before) in CHANGING else BINARY.get(kind)
        self.assign(node.target, self._operated(node, kind, before, after, change), frame)

    def _run_expr(self, node: ast.Expr, frame: Frame) -> None:
        self._value(node.value, frame)

    def _run_if(self, node: ast.If, frame: Frame) -> None:
        self._run(node.body if self._value(node.test, frame) else node.orelse, frame)

    def _run_for(self, node: ast.For, frame: Frame) -> None:
        for item in self._items(node, self._value(node.iter, frame)):
            self.assign(node.target, item, frame)
            if self._left(node.body, frame):
                return
        self._run(node.orelse, frame)

    def _run_while(self, node: ast.While, frame: Frame) -> None:
        while self._value(node.test, frame):
            if self._left(node.body, frame):
                return
        self._run(node.orelse, frame)

    def _left(self, body: list[ast.stmt], frame: Frame) -> bool:
        """Run the body of a loop once; whether `break` has left it."""
        try:
            self._run(body, frame)
        except _Jumped as jump:
            return jump.is_break
        return False

    def _run_break(self, _node: ast.Break, _frame: Frame) -> None:
        raise _Jumped(True)

    def _run_continue(self, _node: ast.Continue, _frame: Frame) -> None:
        raise _Jumped(False)

    def _run_return(self, node: ast.Return, frame: Frame) -> None:
        raise _Returned(None if node.value is None else self._value(node.value, frame))

    def _run_pass(self, _node: ast.stmt, _frame: Frame) -> None:
        return

    _run_global = _run_nonlocal = _run_pass

    def _run_try(self, node: ast.Try, frame: Frame) -> None:
        """What raises nothing here raises nothing there."""
        self._run([*node.body, *node.orelse, *node.finalbody], frame)

    def _run_import(self, node: ast.Import, frame: Frame) -> None:
        for alias in node.names:
            module = self.imported(node, alias.name, "")
            top = alias.name.partition(".")[0]
            frame.bind(alias.asname or top, module if alias.asname else self.imported(node, top, ""))

    def _run_importfrom(self, node: ast.ImportFrom, frame: Frame) -> None:
        base = "." * node.level + (node.module or "")
        if base == "__future__":
            return
        package = frame.names["__package__"]
        module = self.imported(node, base, package)
        for alias in node.names:
            if alias.name == "*":
                names = vars(module)
                public = names.get("__all__", [each for each in names if not each.startswith("_")])
                for name in public:
                    frame.bind(name, names[name])
            elif alias.name in vars(module):
                frame.bind(alias.asname or alias.name, vars(module)[alias.name])
            else:
                part = f"{base}{'' if base.endswith('.') else '.'}{alias.name}"
                frame.bind(alias.asname or alias.name, self.imported(node, part, package))

    def assign(self, target: ast.expr, value: Any, frame: Frame) -> None:
        """Bind a target, taking the value apart where it is a list of targets."""
        if isinstance(target, ast.Name):
            frame.bind(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)) and not any(
            isinstance(each, ast.Starred) for each in target.elts
        ):
            items = list(self._items(target, value))
            for each, item in zip(target.elts, items, strict=True):
                self.assign(each, item, frame)
        elif isinstance(target, ast.Subscript):
            container = self._plain(target, self._value(target.value, frame))
            container[self._value(target.slice, frame)] = value
        else:
            raise UnreadableError(target, "an attribute or a starred name is assigned")

    # ---- functions

    def is_own(self, function: Any) -> bool:
        """Whether it is a function of the modules that are read."""
        return id(function) in self._functions

    def function(self, node: Any, frame: Frame) -> FunctionType:
        """The function that a definition makes: its code, which nobody calls, and what it has with it."""
        _, code = self._codes.get(id(node), (None, None))
        if code is None:
            raise UnreadableError(node, "several functions of one name begin on one line")
        cells = tuple(self._cell(node, name, frame) for name in code.co_freevars)
        defaults = tuple(self._value(each, frame) for each in node.args.defaults)
        name = code.co_name
        made = FunctionType(code, frame.names, name, defaults or None, cells or None)
        named_defaults = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        kept = {each.arg: self._value(value, frame) for each, value in named_defaults if value is not None}
        made.__kwdefaults__ = kept or None
        made.__module__ = frame.names.get("__name__", "")
        self._functions[id(made)] = made, node
        return made

    def _cell(self, node: ast.AST, name: str, frame: Frame) -> CellType:
        cell = frame.cell(name)
        if cell is None:
            raise UnreadableError(node, f"{name} is a variable of a class")
        return cell

    def called(self, node: ast.AST, function: FunctionType, given: list[Any], named: dict[str, Any]) -> Any:
        """What a function of theirs returns."""
        _, own = self._functions[id(function)]
        code = function.__code__
        if code.co_flags & LATER:
            raise UnreadableError(node, f"{code.co_name} is a generator or async function")
        self._depth += 1
        if self._depth > DEEPEST:
            self._depth = 0
            raise UnreadableError(node, f"{code.co_name} is called too deep")
        cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        variables = {name: CellType() for name in (*code.co_varnames, *code.co_cellvars)}
        frame = Frame(function.__globals__, {**variables, **cells})
        for name, value in _bound(node, function, own.args, given, named).items():
            frame.bind(name, value)
        try:
            if isinstance(own, ast.Lambda):
                return self._value(own.body, frame)
            self._run(own.body, frame)
        except _Returned as returned:
            return returned.value
        finally:
            self._depth = max(self._depth - 1, 0)
        return None

    def call(self, node: ast.AST, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """What a call gives: of a function of theirs, or of a few of Python's."""
        self.count(node)
        if self.is_own(function):
            return self.called(node, function, given, named)
        if function is print:
            return None
        if id(function) in self._decorators or any(function is each for each in DECORATORS):
            # It keeps what it is given, and calls nothing.
            made = function(*given, **named)
            if not isinstance(made, WRAPPERS) or getattr(made, "func", None) is functools.update_wrapper:
                self._decorators[id(made)] = made
            return made
        if id(function) not in CALLED and type(function) is not operator.itemgetter:
            what = getattr(function, "__name__", type(function).__name__)
            raise UnreadableError(node, f"a call of {what} is not worked out")
        return self._applied(node, function, given, named)


def _bound(
    node: ast.AST, function: FunctionType, arguments: ast.arguments, given: list[Any], named: dict[str, Any]
) -> dict[str, Any]:
    """The parameters of a call, as Python binds them."""
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    defaults = function.__defaults__ or ()
    found: dict[str, Any] = dict(zip(positional[len(positional) - len(defaults) :], defaults, strict=True))
    found.update(function.__kwdefaults__ or {})
    found.update(zip(positional, given, strict=False))
    known = {*positional, *(each.arg for each in arguments.kwonlyargs)}
    others = {name: value for name, value in named.items() if name not in known}
    found.update({name: value for name, value in named.items() if name in known})
    if arguments.vararg is not None:
        found[arguments.vararg.arg] = tuple(given[len(positional) :])
    if arguments.kwarg is not None:
        found[arguments.kwarg.arg] = others
    too_many = (len(given) > len(positional) and arguments.vararg is None) or (
        others and arguments.kwarg is None
    )
    if too_many or not known <= set(found):
        raise UnreadableError(node, f"{function.__name__} does not take these arguments")
    return found


def named(node: ast.AST) -> str:
    """The name of a name or an attribute."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _run_by(node: ast.stmt) -> Iterator[ast.AST]:
    """The nodes that are run when a statement is, and not later."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        parts = [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
        return (each for part in parts for each in ast.walk(part))
    return ast.walk(node)


def bound_by(node: ast.AST) -> Iterator[str]:
    """The names that a statement may bind at its own level."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield each.name
            continue
        if isinstance(each, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in each.names)
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            yield each.id
        waiting += ast.iter_child_nodes(each)
