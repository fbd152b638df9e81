"""The heuristics of a submission as programs, made from its text: nothing of it is run.

>>> from isolation_fast import Board
>>> sorted(read("examples"))
['custom_score', 'custom_score_2', 'custom_score_3']
"""

from __future__ import annotations

import ast
import builtins
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple, TypeVar, overload

from isolation_fast._native import Program
from isolation_fast.classic.layouts import NEVER_BESIDE, Layout, Source
from isolation_fast.classic.serving import served_modules
from isolation_fast.compiled import Refusal, Unread, form_of
from isolation_fast.submission.constants import NoDataError, told_of
from isolation_fast.submission.evaluating import OF_THE_PROCESS, UnreadableError
from isolation_fast.submission.executing import Evaluator
from isolation_fast.submission.outline import outline_of
from isolation_fast.submission.private_modules import BEFORE_ANY_SCRIPT
from isolation_fast.submission.sources import located, read_all

INERT: Final = frozenset(
    """
    abc array bisect collections copy dataclasses datetime decimal enum fractions functools heapq itertools
    logging math numbers numpy operator os queue random statistics string sys time typing warnings
    """.split()  # noqa: SIM905 - a table is read more easily
)
"""Modules that change nothing when they are imported."""


class Parts(NamedTuple):
    """What a program is made of, before it is checked: plain data."""

    functions: list[Any]
    integers: list[int]
    floats: list[float]
    data: list[int]
    lines: list[list[int]]


Made = TypeVar("Made")


@overload
def read(
    path: str | os.PathLike[str], names: Iterable[str] | None = None, *, layout: Layout | None = None
) -> dict[str, Program | Refusal]: ...
@overload
def read(
    path: str | os.PathLike[str],
    names: Iterable[str] | None = None,
    *,
    layout: Layout | None = None,
    make: Callable[..., Made],
) -> dict[str, Made | Refusal]: ...
def read(
    path: str | os.PathLike[str],
    names: Iterable[str] | None = None,
    *,
    layout: Layout | None = None,
    make: Callable[..., Any] | None = None,
) -> dict[str, Any]:
    """Read heuristics of a submission, by default all that its source shows; a file or its folder.

    Each is a program, or a `Refusal` that says why it has none. `make` gets the parts of the program.

    >>> from isolation_fast import Board
    >>> found = read("examples", ["custom_score", "best"])
    >>> found["custom_score"].run(Board("Ann", "Ben"), "Ann"), found["best"].message
    (-49.0, 'best is not in the file')
    """
    reader = Reader(path, layout)
    wanted = reader.outline.heuristics if names is None else tuple(dict.fromkeys(names))
    return {name: reader.read(name, make) for name in wanted}


class Reader:
    """What the text of a submission says, worked out once for all its heuristics."""

    def __init__(self, path: str | os.PathLike[str], layout: Layout | None = None) -> None:
        sources = read_all(located(Path(path)))
        self.outline = outline_of(sources)
        modules = _Modules(sources, layout or self.outline.layout)
        self._unread: Unread | None = None
        self._names: dict[str, Any] = {}
        try:
            self._names = vars(modules.of(sources[0]))
        except UnreadableError as error:
            self._unread = Unread(error.line, error.why)
        self._untold = modules.untold()

    def read(self, name: str, make: Callable[..., Any] | None = None) -> Any:
        """A heuristic as `read` gives it."""
        value: Any = self._unread or self._names.get(name, Unread(0, f"{name} is not in the file"))
        if type(value) is Unread:
            return Refusal(value.line, 0, "import", value.why)
        if type(value) not in (FunctionType, partial):
            what = f"{name} is a {type(value).__name__}: write it with def or lambda"
            return Refusal(0, 0, "function", what)
        found = form_of(value, make)
        if isinstance(found, Refusal):
            found.unread = tuple(sorted(set(self._used(value))))
            return found
        return found[0]

    def tell(self, told: Mapping[str, Any]) -> None:
        """Give constants that a `Refusal` named in `unread` what an import has written of them."""
        for name in self._untold.keys() & told.keys():
            names, key = self._untold[name]
            try:
                names[key] = told_of(told[name])
            except NoDataError as error:
                names[key] = Unread(0, f"{key} is not told by an import of the file: {error}")

    def _used(self, function: Any) -> Iterator[str]:
        """The constants to be told of those that a function, and what it calls, may use."""
        waiting, seen = [function], set[int]()
        own = {id(names) for names, _ in self._untold.values()}
        while waiting:
            each = waiting.pop()
            each = each.func if type(each) is partial else each
            if type(each) is not FunctionType or id(each) in seen:
                continue
            seen.add(id(each))
            with suppress(ValueError):  # a cell that nothing was put in
                waiting += [cell.cell_contents for cell in each.__closure__ or ()]
            used, around = set(_names_in(each.__code__)), each.__globals__
            modules = [vars(around[name]) for name in used & set(around) if type(around[name]) is ModuleType]
            for names in (around, *modules):
                if names is around or id(names) in own:
                    waiting += [names[name] for name in used & set(names)]
                    yield from (name for name, at in self._untold.items() if at[0] is names and at[1] in used)


def _names_in(code: CodeType) -> Iterator[str]:
    """The names that a function uses, and functions in it."""
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _names_in(each)


class _Modules:
    """The modules that a submission imports, each worked out once: its own ones, ours, and Python's."""

    def __init__(self, sources: list[Source], layout: Layout) -> None:
        self._own = {source.module: source for source in sources[1:]}
        self._layout = layout
        self._known: dict[str, ModuleType] = {}
        self._evaluator = Evaluator(self._imported)

    def of(self, source: Source) -> ModuleType:
        """The module of a file."""
        name = source.module or source.path.stem
        module = self._known[source.module] = ModuleType(name)
        is_package = source.path.name == "__init__.py"
        package = name if is_package else name.rpartition(".")[0]
        vars(module).update({each: Unread(0, f"{each} is not told by the text") for each in OF_THE_PROCESS})
        vars(module).update({"__builtins__": vars(builtins), "__package__": package})
        self._evaluator.run(source.tree, str(source.path), vars(module))
        return module

    def untold(self) -> dict[str, tuple[dict[str, Any], str]]:
        """Where each constant stands that an import may tell: by `name`, or `module.name` beside the file."""
        return {
            f"{f'{module}.' if module in self._own else ''}{key}": (vars(known), key)
            for module, known in self._known.items()
            if id(vars(known)) in self._evaluator.own
            for key, value in vars(known).items()
            if self._evaluator.may_be_told(value)
        }

    def _imported(self, node: ast.AST, name: str, package: str) -> ModuleType:
        try:
            name = resolve_name(name, package) if name.startswith(".") else name
        except ImportError as error:
            raise UnreadableError(node, str(error)) from None
        top = name.partition(".")[0]
        if name in self._known:
            return self._known[name]
        if top in NEVER_BESIDE:
            self._known.update(served_modules(self._layout))
        elif name in self._own and top not in BEFORE_ANY_SCRIPT:
            parent, _, last = name.rpartition(".")
            package_of = self._imported(node, parent, "") if parent else None
            if name not in self._known:
                module = self.of(self._own[name])
                if package_of is not None:
                    vars(package_of)[last] = module
        elif top in INERT and top not in self._own:
            self._known[name] = _inert(node, name)
        if name not in self._known:
            raise UnreadableError(node, f"the module {name} is imported: what it holds is not known")
        return self._known[name]


def _inert(node: ast.AST, name: str) -> ModuleType:
    try:
        import_module(name.partition(".")[0])
        return sys.modules[name]
    except (ImportError, KeyError) as error:
        raise UnreadableError(node, f"the module {name} cannot be imported: {error}") from None
