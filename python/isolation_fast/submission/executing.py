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
    NUMBERS,
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
SIMPLE: Final = (*NUMBERS, str, type(None))
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
        self._left_out: dict[int, tuple[Unread, ast.AST, dict[str, Any]]] = {}

    # ---- modules

    def run(self, tree: ast.Module, filename: str, names: dict[str, Any]) -> None:
        """Bind what a module's statements bind; `UnreadableError` where one may do anything to the others."""
        try:
            self._note_codes(tree, filename)
        except RecursionError:
            raise UnreadableError(tree, "it is nested too deep", of_all=True) from None
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
            self._leave_out(node, frame, error.why)
        except RecursionError:
            raise UnreadableError(node, "it is nested too deep", of_all=True) from None
        except Exception as error:  # noqa: BLE001 - what raises here, Python raises when it is imported
            raise UnreadableError(node, f"it raises {error_line(error)}", of_all=True) from None

    def _leave_out(self, node: ast.stmt, frame: Frame, why: str) -> None:
        """The names that a statement binds are unread; so is all, where it may change what others mean."""
        self._require_harmless(node, _run_by(node), frame.names, why)
        for name in bound_by(node):
            if name == "*":
                raise UnreadableError(node, f"it may bind any name: {why}", of_all=True)
            self._bind_unread(node, frame, name, f"{name} is not known from the text: {why}")

    def _bind_unread(self, node: ast.stmt, frame: Frame, name: str, why: str) -> None:
        frame.bind(name, value := Unread(node.lineno, why))
        self._left_out[id(value)] = value, node, frame.names

    def may_be_told(self, value: Any) -> bool:
        """Whether an import of the module may tell what a name means that the text leaves open."""
        _, node, _ = self._left_out.get(id(value), (None, None, None))
        return node is not None and not isinstance(node, (*FUNCTIONS, ast.ClassDef))

    def _require_harmless(
        self, node: ast.stmt, parts: Iterable[ast.AST], names: dict[str, Any], why: str
    ) -> None:
        """Raise where one of the parts may change what others mean, or has what was left out and may."""
        waiting, seen = [(parts, names)], set[int]()
        while waiting:
            parts, names = waiting.pop()
            for each in parts:
                self.count(node)
                value = names.get(each.id) if isinstance(each, ast.Name) else None
                self._require_harmless_part(node, each, names, why, is_called=bool(seen))
                if id(value) in self._left_out and id(value) not in seen:
                    seen.add(id(value))
                    _, of, its = self._left_out[id(value)]
                    waiting.append((ast.walk(of), its))

    def _require_harmless_part(
        self, node: ast.stmt, each: ast.AST, names: dict[str, Any], why: str, *, is_called: bool
    ) -> None:
        changed = each.target if isinstance(each, ast.AugAssign) else each
        is_used = changed is not each or isinstance(getattr(each, "ctx", None), ast.Load)
        if isinstance(changed, ast.Name) and is_used and self._may_change(names.get(changed.id)):
            raise UnreadableError(node, f"what this statement does is not known: {why}", of_all=True)
        if isinstance(each, ast.Global):
            raise UnreadableError(node, f"what this statement does is not known: {why}", of_all=True)
        if isinstance(each, (ast.Name, ast.Attribute)) and named(each) in REBINDING:
            raise UnreadableError(node, f"{named(each)} may change what any name means", of_all=True)
        is_stored = isinstance(each, (ast.Attribute, ast.Subscript)) and not isinstance(each.ctx, ast.Load)
        if is_stored and (not is_called or _root(each) in names):
            raise UnreadableError(node, "something else than a name is assigned", of_all=True)

    def _may_change(self, value: Any) -> bool:
        """Whether code that has this value may change it, or something else through it."""
        if type(value) is tuple:
            return any(type(each) not in SIMPLE and not _is_simple(each) for each in value)
        if type(value) is ModuleType:
            return id(vars(value)) in self.own
        return type(value) in CHANGING or self.is_own(value) or isinstance(value, (*WRAPPERS, Iterator))

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
        decorators = [self._value(each, frame) for each in node.decorator_list]
        function: Any = self.function(node, frame)
        for decorator in reversed(decorators):
            function = self.call(node, decorator, [function], {})
        frame.bind(node.name, function)

    _run_asyncfunctiondef = _run_functiondef

    def _run_classdef(self, node: ast.ClassDef, frame: Frame) -> None:
        why = f"{node.name} is a class: write functions instead"
        self._require_harmless(node, _done_in(node), frame.names, why)
        for name in bound_by(node):
            self._bind_unread(node, frame, name, why)

    def _run_assign(self, node: ast.Assign, frame: Frame) -> None:
        value = self._value(node.value, frame)
        for target in node.targets:
            self.assign(target, value, frame)

    def _run_annassign(self, node: ast.AnnAssign, frame: Frame) -> None:
        _require_plain(node, [node.annotation])
        if node.value is not None:
            self.assign(node.target, self._value(node.value, frame), frame)

    def _run_augassign(self, node: ast.AugAssign, frame: Frame) -> None:
        kind, target = type(node.op), node.target
        container: Any = None
        index: Any = None
        if isinstance(target, ast.Name):
            before = self._value(ast.copy_location(ast.Name(target.id, ast.Load()), node), frame)
        elif isinstance(target, ast.Subscript):
            container = self._plain(target, self._value(target.value, frame))
            index = self._value(target.slice, frame)
            before = self._item(target, container, index)
        else:
            raise UnreadableError(target, "an attribute is assigned")
        after = self._value(node.value, frame)
        change = IN_PLACE.get(kind, BINARY.get(kind)) if type(before) in CHANGING else BINARY.get(kind)
        made = self._operated(node, kind, before, after, change)
        if isinstance(target, ast.Name):
            frame.bind(target.id, made)
        else:
            container[index] = made

    def _run_expr(self, node: ast.Expr, frame: Frame) -> None:
        self._value(node.value, frame)

    def _run_assert(self, node: ast.Assert, frame: Frame) -> None:
        if not self._value(node.test, frame):
            raise AssertionError

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
        try:
            self._run([*node.body, *node.orelse], frame)
        except (_Returned, _Jumped):
            self._run(node.finalbody, frame)
            raise
        self._run(node.finalbody, frame)

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
                for name in self._items(node, public):
                    self._bind_of(node, frame, module, name)
            elif alias.name in vars(module):
                frame.bind(alias.asname or alias.name, self.of_module(node, module, alias.name))
            else:
                part = f"{base}{'' if base.endswith('.') else '.'}{alias.name}"
                frame.bind(alias.asname or alias.name, self.imported(node, part, package))

    def _bind_of(self, node: ast.stmt, frame: Frame, module: ModuleType, name: str) -> None:
        try:
            frame.bind(name, self.of_module(node, module, name))
        except UnreadableError as error:
            self._bind_unread(node, frame, name, error.why)

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
            container[self._weigh(target, self._value(target.slice, frame))] = value
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
        _require_plain(node, (each.annotation for each in ast.walk(node.args) if isinstance(each, ast.arg)))
        _require_plain(node, [getattr(node, "returns", None)])
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
            return self._kept(node, function, given, named)
        if id(function) not in CALLED and type(function) is not operator.itemgetter:
            what = getattr(function, "__name__", type(function).__name__)
            raise UnreadableError(node, f"a call of {what} is not worked out")
        return self._applied(node, function, given, named)

    def _kept(self, node: ast.AST, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """What a decorator makes: it keeps what it is given, and neither calls nor changes anything else."""
        is_partial = function is functools.partial
        first, options = given[:1], [*given[1:], *named.values()]
        is_function = bool(first) and type(first[0]) in (FunctionType, *WRAPPERS[:1])
        is_known = is_function or (not is_partial and all(type(each) in SIMPLE for each in first))
        changes = getattr(function, "func", None) is functools.update_wrapper
        if not is_known or (changes and not all(map(self.is_own, first))):
            raise UnreadableError(node, "a decorator of something else than a function")
        if not is_partial and not all(type(each) in SIMPLE for each in options):
            raise UnreadableError(node, "the options of a decorator are not worked out")
        made = function(*given, **named)
        if function is functools.wraps or (function is functools.lru_cache and type(made) is FunctionType):
            self._decorators[id(made)] = made
        return made


def _bound(
    node: ast.AST, function: FunctionType, arguments: ast.arguments, given: list[Any], named: dict[str, Any]
) -> dict[str, Any]:
    """The parameters of a call, as Python binds them."""
    by_place = [each.arg for each in arguments.posonlyargs]
    positional = [*by_place, *(each.arg for each in arguments.args)]
    defaults = function.__defaults__ or ()
    found: dict[str, Any] = dict(zip(positional[len(positional) - len(defaults) :], defaults, strict=True))
    found.update(function.__kwdefaults__ or {})
    found.update(zip(positional, given, strict=False))
    known = {*positional, *(each.arg for each in arguments.kwonlyargs)}
    by_name = known.difference(by_place)
    others = {name: value for name, value in named.items() if name not in by_name}
    found.update({name: value for name, value in named.items() if name in by_name})
    if arguments.vararg is not None:
        found[arguments.vararg.arg] = tuple(given[len(positional) :])
    if arguments.kwarg is not None:
        found[arguments.kwarg.arg] = others
    too_many = (len(given) > len(positional) and arguments.vararg is None) or (
        others and arguments.kwarg is None
    )
    twice = by_name.intersection(named, positional[: len(given)])
    if too_many or twice or not known <= set(found):
        raise UnreadableError(node, f"{function.__name__} does not take these arguments")
    return found


def named(node: ast.AST) -> str:
    """The name of a name or an attribute."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _run_by(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that are run when a statement is, and not later."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        parts = [*node.decorator_list, node.args, *filter(None, [node.returns])]
        return (each for part in parts for each in ast.walk(part))
    return ast.walk(node)


def _done_in(node: ast.ClassDef) -> Iterator[ast.AST]:
    """What a class does when it is made: a name alone, as a base or a value, is not changed by that."""
    for decorator in node.decorator_list:
        yield from ast.walk(decorator)
    for part in (*node.bases, *node.keywords, *node.body):
        if isinstance(part, ast.ClassDef):
            yield from _done_in(part)
            continue
        for each in _run_by(part):
            is_kept = isinstance(getattr(each, "ctx", None), ast.Load) and named(each) not in REBINDING
            if isinstance(each, (ast.Call, ast.AugAssign, ast.Global)):
                yield from ast.walk(each)
            elif isinstance(each, (ast.Name, ast.Attribute, ast.Subscript)) and not is_kept:
                yield each


def _root(node: ast.AST) -> str:
    """The name at the beginning of attributes and items of attributes and items."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return named(node)


def _is_simple(value: Any) -> bool:
    return type(value) is tuple and all(type(each) in SIMPLE for each in value)


def _require_plain(node: ast.AST, annotations: Iterable[ast.expr | None]) -> None:
    """Raise where an annotation does something when it is computed."""
    for annotation in filter(None, annotations):
        if any(isinstance(each, (ast.Call, ast.NamedExpr)) for each in ast.walk(annotation)):
            raise UnreadableError(node, "an annotation is computed")


def bound_by(node: ast.AST) -> Iterator[str]:
    """The names that a statement may bind at its own level."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield each.name
            made_by = (each.bases, each.keywords) if isinstance(each, ast.ClassDef) else ([each.args],)
            waiting += each.decorator_list + [part for parts in made_by for part in parts]
            continue
        if isinstance(each, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in each.names)
        if isinstance(each, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and each.name is not None:
            yield each.name
        if isinstance(each, ast.MatchMapping) and each.rest is not None:
            yield each.rest
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            yield each.id
        waiting += ast.iter_child_nodes(each)
