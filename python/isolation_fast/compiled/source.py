"""Where a function's source stands, whether it is what runs, and what the function reads around it.

A function is compiled from its text. So the text must be that of the function: Python compiles it anew, and a
code object equal to the function's own must be in it. What the function reads of its module, its closure and
the modules that it imports is read once and noted in a `Guard`, which is asked before each search.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache, partial
from operator import is_
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any, Final, TypeAlias
from weakref import ref

from isolation_fast._native import Board
from isolation_fast.compiled import prelude

FUTURES: Final = 0x1FF0000
"""The flags of a code object that are those of `from __future__ import ...`."""
GENERATOR: Final = 0x20
COROUTINES: Final = 0x80 | 0x100 | 0x200
"""The flags of code objects that give no value when they are called."""
FAR: Final = 10_000_000
"""Beyond the last line of any file."""
MOST_NESTED: Final = 16
MOST_ITEMS: Final = 4_096
MISSING: Final = object()

FunctionNode: TypeAlias = ast.FunctionDef | ast.Lambda
PYTHON: Final = SimpleNamespace(**vars(builtins))
"""The builtins as Python has them: somebody may put others in their place before anything is compiled."""
MATH: Final = SimpleNamespace(**vars(math))
BOARD: Final = tuple(vars(Board).values())
"""What a board can do, likewise."""
Ref: TypeAlias = "ref[Any]"
Reader: TypeAlias = Callable[[Any, Any], object]


class Refusal(Exception):  # noqa: N818 - the usual outcome for what Python alone can do, and no error of anybody's
    """A function is not compiled: the place, the construct there, and what to write instead.

    The place is a line and a column from 0 of the function's own file, or of `filename` where that is named.
    """

    def __init__(
        self,
        line: int,
        column: int,
        construct: str,
        message: str,
        *,
        filename: str | None = None,
        unread: tuple[str, ...] = (),
    ) -> None:
        super().__init__(line, column, construct, message)
        self.line, self.column = line, column
        self.construct, self.message = construct, message
        self.filename = filename
        self.unread = unread
        """Constants that it uses, and that the text does not tell: an import of the module may."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


class Guard:
    """What was read while compiling, and whether it is still so.

    It keeps no function and no module alive: what was compiled is kept for as long as its function lives.
    """

    def __init__(self) -> None:
        self._functions: list[tuple[Ref, CodeType, object, object]] = []
        self._entries: list[tuple[Ref, Reader, Any, object, bool]] = []
        self._contents: list[tuple[Any, type, tuple[object, ...]]] = []
        self._noted: set[tuple[int, Reader, object]] = set()

    def holds(self) -> bool:
        """Whether all that was read is the same: the very objects, and what lists, sets and dicts hold."""
        for known, code, defaults, keywords in self._functions:
            function = known()
            if function is None or function.__code__ is not code:
                return False
            if function.__defaults__ is not defaults or function.__kwdefaults__ is not keywords:
                return False
        for known, read, name, value, is_ref in self._entries:
            owner = known()
            if owner is None or read(owner, name) is not (value() if is_ref else value):  # type: ignore[operator]
                return False
        return all(_holds_still(*each) for each in self._contents) and _is_plain_board()

    def note_function(self, function: FunctionType) -> None:
        """Note a function whose code is compiled."""
        if not any(known() is function for known, *_ in self._functions):
            code, defaults, keywords = function.__code__, function.__defaults__, function.__kwdefaults__
            self._functions.append((ref(function), code, defaults, keywords))
            if keywords is not None:
                self._note_contents(keywords)

    def read(self, owner: Any, reader: Reader, name: Any) -> Any:
        """Read something of a function or a module, and note what it was; `MISSING` where there is none."""
        value = reader(owner, name)
        if (id(owner), reader, name) not in self._noted:
            self._noted.add((id(owner), reader, name))
            is_ref = isinstance(value, (FunctionType, ModuleType, type))
            self._entries.append((ref(owner), reader, name, ref(value) if is_ref else value, is_ref))
        return value

    def note_constant(self, value: object, depth: int = 0) -> None:
        """Note the contents of lists, sets and dicts, those inside them and inside tuples too."""
        if depth > MOST_NESTED:
            raise Refusal(0, 0, "constant", "a constant is nested too deep: keep it flat")
        items: Iterable[object] = ()
        if type(value) is tuple:
            items = value
        elif type(value) in (list, set, dict) and not any(value is known for known, *_ in self._contents):
            items = self._note_contents(value)
        for item in items:
            self.note_constant(item, depth + 1)

    def _note_contents(self, value: Any) -> tuple[object, ...]:
        items = _items(value)
        if len(items) > MOST_ITEMS:
            message = f"a constant has {len(items):,} items: at most {MOST_ITEMS:,} are compiled"
            raise Refusal(0, 0, "constant", message)
        self._contents.append((value, type(value), items))
        return items


def _is_plain_board() -> bool:
    """Whether nobody has put a method of their own in the place of one of the board's."""
    now = tuple(vars(Board).values())
    return len(now) == len(BOARD) and all(map(is_, now, BOARD))


def of_globals(function: FunctionType, name: str) -> object:
    """What a name means among those of a function's module."""
    return function.__globals__.get(name, MISSING)


def of_builtins(function: Any, name: str) -> object:
    """What a name means among the builtins that a function keeps from the moment at which it was made."""
    return function.__builtins__.get(name, MISSING)


def of_closure(function: FunctionType, at: int) -> object:
    """The content of a cell of a function's closure."""
    try:
        return (function.__closure__ or ())[at].cell_contents
    except ValueError:
        return MISSING


def of_module(module: ModuleType, name: str) -> object:
    """An attribute of a module."""
    return vars(module).get(name, MISSING)


def of_loaded(_sys: ModuleType, name: str) -> object:
    """What `import` gives for a name."""
    return sys.modules.get(name, MISSING)


def _items(value: Any) -> tuple[object, ...]:
    """What a list, set or dict holds, in its order."""
    if isinstance(value, dict):
        return (*value.keys(), *value.values())
    return tuple(value)


def _holds_still(value: Any, kind: type, items: tuple[object, ...]) -> bool:
    count = len(value) * 2 if kind is dict else len(value)
    return count == len(items) and all(map(is_, _items(value), items))


class Unread:
    """What a name means that is not known from the text of its module: why, and which line says so."""

    def __init__(self, line: int, why: str) -> None:
        self.line, self.why = line, why


class Source:
    """The source of one function: its tree, and what its names mean.

    >>> def half(game, player):
    ...     return abs(game.move_count) / 2
    >>> source = Source.of(half)
    >>> source.tree.name, source.lookup("abs") is abs, source.guard.holds()
    ('half', True, True)
    """

    is_prelude = False
    """Whether it is ours, so that nobody looks at its lines."""

    def __init__(self, function: FunctionType, tree: FunctionNode, guard: Guard) -> None:
        self.function, self.tree, self.guard = function, tree, guard
        self.filename = function.__code__.co_filename
        self.given: dict[str, Any] = {}
        """Parameters that a partial gives by name."""

    @classmethod
    def of(cls, function: Callable[..., Any], guard: Guard | None = None) -> Source:
        """The source of a function; a `Refusal` where it is not found, or is not what runs."""
        may_yield, given = guard is not None, {}
        if type(function) is partial and guard is None:
            guard = Guard()
            read = [guard.read(function, getattr, name) for name in ("func", "args", "keywords")]
            guard.note_constant(read[2])
            if not read[1]:
                function, _, given = read
        if type(function) is not FunctionType:
            what = f"a {type(function).__name__} is no plain function: write one with def or lambda"
            raise Refusal(0, 0, "function", what)
        found: Any = function  # whose builtins typeshed does not know
        first = function.__code__.co_firstlineno
        if any(type(each) is not dict for each in (found.__globals__, found.__builtins__)):
            raise Refusal(first, 0, "function", "its module is no plain dict: load it from a file")
        if not _is_plain_board():
            message = "a method of the board was replaced: make a subclass of Board instead"
            raise Refusal(first, 0, "board", message)
        tree = _tree_of(function.__code__, function.__globals__, may_yield=may_yield)
        guard = guard or Guard()
        guard.note_function(function)
        source = cls(function, tree, guard)
        source.given = given
        return source

    def helper(self, function: Callable[..., Any]) -> Source:
        """The source of a function that this one calls; what it reads is noted in the same guard."""
        return Source.of(function, self.guard)

    def lookup(self, name: str) -> Any:
        """What a name that is not local means: in the closure, the module or among the builtins.

        A `KeyError` where it means nothing. The guard notes it in each case.
        """
        function = self.function
        if self.is_of_closure(name):
            value = self.guard.read(function, of_closure, function.__code__.co_freevars.index(name))
        else:
            value = self.guard.read(function, of_globals, name)
            if value is MISSING:
                value = self.guard.read(function, of_builtins, name)
        if value is MISSING:
            raise KeyError(name)
        return value

    def is_of_closure(self, name: str) -> bool:
        """Whether a name is a variable of a function around this one."""
        return name in self.function.__code__.co_freevars

    def attribute(self, owner: object, name: str) -> Any:
        """An attribute of a module, such as `math.sqrt`; a `KeyError` where it has none of that name."""
        if type(owner) is not ModuleType:
            raise KeyError(name)
        value = self.guard.read(owner, of_module, name)
        if value is MISSING:
            raise KeyError(name)
        return value

    def constant(self, value: Any) -> Any:
        """A list, set, dict or tuple that is read as a constant: the guard notes what is in it."""
        self.guard.note_constant(value)
        return value

    def default(self, name: str) -> Any:
        """The default of a parameter; a `KeyError` where it has none."""
        code, function = self.function.__code__, self.function
        positional = code.co_varnames[: code.co_argcount]
        defaults = function.__defaults__ or ()
        named = dict(zip(positional[len(positional) - len(defaults) :], defaults, strict=True))
        return self.constant({**named, **(function.__kwdefaults__ or {}), **self.given}[name])


class Prelude(Source):
    """A function of `prelude`: its names are those of that file, and nobody changes them."""

    is_prelude = True

    @classmethod
    @cache
    def of(cls, name: str) -> Prelude:
        """The function of a name."""
        tree = next(
            node for node in prelude_tree().body if isinstance(node, ast.FunctionDef) and node.name == name
        )
        return cls(getattr(prelude, name), tree, Guard())

    @property
    def parameters(self) -> list[str]:
        """The names of its parameters."""
        return [each.arg for each in self.tree.args.args]

    def lookup(self, name: str) -> Any:
        """A function of the file, or a builtin."""
        found = vars(prelude).get(name, MISSING)
        return getattr(PYTHON, name) if found is MISSING else found


@cache
def prelude_tree() -> ast.Module:
    """The text of the prelude, parsed once."""
    return ast.parse(inspect.getsource(prelude), prelude.__file__)


# ---- finding the text


def _tree_of(code: CodeType, names: dict[str, Any], *, may_yield: bool) -> FunctionNode:
    first = code.co_firstlineno
    if code.co_flags & (COROUTINES if may_yield else COROUTINES | GENERATOR):
        what = "a generator or async function gives no value: write a plain function"
        raise Refusal(first, 0, "function", what)
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename, names)) or _undeclared(code.co_filename)
    if not text:
        what = f"its source is not found in {code.co_filename}: keep it in a file"
        raise Refusal(first, 0, "function", what)
    node = _file(text, code.co_filename, code.co_flags & FUTURES).find(code)
    if node is None:
        raise Refusal(first, 0, "function", "its source is not the code that runs: load the file anew")
    return node


def _undeclared(filename: str) -> str:
    """The text of a file with a comment that is no UTF-8, which Python does not mind; else nothing."""
    try:
        content = Path(filename).read_bytes()
    except (OSError, ValueError):
        return ""
    return content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


class _File:
    """A text with all code objects that Python makes of it."""

    def __init__(self, text: str, filename: str, flags: int) -> None:
        self._tree = ast.parse(text, filename)
        self._filename, self._flags = filename, flags
        # Told apart by their places first: a key takes long to make.
        self._codes: dict[tuple[str, int], list[CodeType]] = {}
        for each in _within(self._compiled()):
            self._codes.setdefault((each.co_name, each.co_firstlineno), []).append(each)
        self._functions = [node for node in ast.walk(self._tree) if isinstance(node, FunctionNode)]
        self._private = set(_with_private_names(self._tree))

    def find(self, code: CodeType) -> FunctionNode | None:
        """The function that the code object is made of; None where the text has no such code."""
        known = self._codes.get((code.co_name, code.co_firstlineno), ())
        if _key(code) not in map(_key, known):
            return None
        named = [node for node in self._functions if _name(node) == code.co_name]
        named = [node for node in named if _first(node).lineno == code.co_firstlineno]
        if len(named) > 1:
            named = self._made_into(code, named)
        if not named:
            return None
        if named[0] in self._private:
            what = "a name that begins with two underscores means another one in a class: rename it"
            raise Refusal(code.co_firstlineno, 0, "name", what)
        return named[0]

    def _compiled(self) -> CodeType:
        code: CodeType = compile(self._tree, self._filename, "exec", self._flags, dont_inherit=True)
        return code

    def _made_into(self, code: CodeType, nodes: list[FunctionNode]) -> list[FunctionNode]:
        """Of functions on one line those that become this code: each is told by a line of its own."""
        firsts = [_first(node) for node in nodes]
        lines = [(first.lineno, first.end_lineno or first.lineno) for first in firsts]
        try:
            for number, first in enumerate(firsts):
                first.lineno = first.end_lineno = FAR + number
            made = {each.co_firstlineno: _key(each, lines=False) for each in _within(self._compiled())}
        finally:
            for first, (line, end) in zip(firsts, lines, strict=True):
                first.lineno, first.end_lineno = line, end
        wanted = _key(code, lines=False)
        return [node for number, node in enumerate(nodes) if made.get(FAR + number) == wanted]


@lru_cache(maxsize=32)
def _file(text: str, filename: str, flags: int) -> _File:
    try:
        return _File(text, filename, flags)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", 0) or 0
        what = f"its source is not the code that runs: {filename} has changed"
        raise Refusal(line, 0, "file", what) from None


def _name(node: FunctionNode) -> str:
    return "<lambda>" if isinstance(node, ast.Lambda) else node.name


def _first(node: FunctionNode) -> ast.expr | FunctionNode:
    """What stands on the line that Python takes for a function's first."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return decorators[0] if decorators else node


def _with_private_names(tree: ast.AST) -> Iterator[ast.AST]:
    """The functions inside classes that use names which Python changes there."""
    for owner in ast.walk(tree):
        if isinstance(owner, ast.ClassDef):
            for node in ast.walk(owner):
                if isinstance(node, FunctionNode) and any(map(_is_private, ast.walk(node))):
                    yield node


def _is_private(node: ast.AST) -> bool:
    names = (getattr(node, field, None) for field in ("id", "attr", "arg", "name"))
    return any(isinstance(name, str) and name.startswith("__") and not name.endswith("__") for name in names)


def _within(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _within(each)


def _key(code: CodeType, *, lines: bool = True) -> tuple[Any, ...]:
    """All that makes a code object what it is.

    `==` of code objects is no help: on 3.11 it also compares what the interpreter has noted in code that ran.
    """
    constants = [
        _key(each, lines=lines) if isinstance(each, CodeType) else _constant(each) for each in code.co_consts
    ]
    # Python 3.10 knows the lines alone.
    positions = getattr(code, "co_positions", code.co_lines)
    places = (code.co_firstlineno, *positions()) if lines else ()
    exceptions = getattr(code, "co_exceptiontable", b"")
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_name, code.co_code, *counts, *names, tuple(constants), exceptions, places)


def _constant(value: object) -> tuple[Any, ...]:
    """A constant that is told from an equal one of another type, and 0.0 from -0.0."""
    if isinstance(value, (tuple, frozenset)):
        items = map(_constant, value)
        return (type(value), tuple(items) if isinstance(value, tuple) else frozenset(items))
    return (type(value), repr(value))
