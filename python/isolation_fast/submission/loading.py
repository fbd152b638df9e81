"""Loading a submission, with the modules beside it, so that nothing of it touches the next one."""

from __future__ import annotations

import ast
import inspect
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any

from isolation_fast.classic import Layout
from isolation_fast.classic.layouts import NEVER_BESIDE, Source, require_layout
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.submission.failures import (
    Reason,
    Scene,
    SubmissionError,
    import_failure,
    is_interruption,
    syntax_failure,
)
from isolation_fast.submission.outline import (
    Function,
    MemberKind,
    Outline,
    first_line,
    fits_heuristic,
    functions_in,
    is_custom_score,
    is_heuristic,
    is_template,
    outline_of,
    top_level,
)
from isolation_fast.submission.private_modules import PrivateModules, activated
from isolation_fast.submission.sources import located, read_all
from isolation_fast.text import type_name


@dataclass(frozen=True, eq=False, repr=False)
class Submission:
    """A loaded `game_agent.py`.

    `heuristics` are its functions by name, as they are; those that are still templates are left out and
    named in `templates`. `players` are its classes with a `get_move`. `timeouts` are its exceptions for spent
    time. `misfits` says what each `custom_score` is that is neither, such as `an async function`.
    """

    outline: Outline
    module: ModuleType
    path: Path
    layout: Layout
    heuristics: Mapping[str, Callable[..., Any]]
    players: Mapping[str, type]
    timeouts: tuple[type[BaseException], ...]
    misfits: Mapping[str, str]
    _modules: PrivateModules

    @property
    def folder(self) -> Path:
        """Where its file is."""
        return self._modules.folder

    @property
    def files(self) -> Collection[str]:
        """The source files that it has loaded so far, its own and those beside it."""
        return self._modules.files

    @property
    def templates(self) -> tuple[str, ...]:
        """Functions and methods that only raise `NotImplementedError`."""
        return self.outline.templates

    def __repr__(self) -> str:
        counts = f"{len(self.heuristics)} heuristics, {len(self.players)} players"
        return f"<Submission {str(self.path)!r} of layout {self.layout}: {counts}>"

    def kind_of(self, member: str) -> MemberKind | None:
        """What a member is, now that it is loaded; None where it is neither."""
        if member in self.players:
            return "player"
        return "heuristic" if member in self.heuristics else None

    def activated(self) -> AbstractContextManager[None]:
        """Its modules in `sys.modules`, its folder first on `sys.path` and the working directory there.

        A submission needs this where it opens a file by a relative path, pickles, or calls
        `importlib.import_module`. All is put back at the end. Threads may share it; other submissions wait.
        """
        return activated(self._modules)


def load(
    path: str | os.PathLike[str],
    *,
    classic: str | os.PathLike[str] | None = None,
    layout: Layout | None = None,
    players_alone: bool = False,
) -> Submission:
    """Load a submission: its file, or the folder that holds its `game_agent.py`.

    This runs it, with the modules beside it; a `SubmissionError` says why it cannot be loaded. Its
    `isolation` and `sample_players` are ours; with `classic=`, those of a checkout of the classic code. Its
    layout is detected from the source unless given. `players_alone=True` accepts a file that has players but
    no heuristic.

    >>> from isolation_fast import Board
    >>> submission = load("examples")
    >>> submission.heuristics["custom_score"](Board("Ann", "Ben"), "Ann")
    -49.0
    """
    checkout = None if classic is None else Path(classic).absolute()
    marks = ("isolation/__init__.py", "isolation.py")
    if checkout and not any((checkout / each).is_file() for each in marks):
        raise InvalidArgumentError(
            f"{classic} is not a checkout of the classic code: it has no package `isolation`"
        )
    if layout is not None:
        layout = require_layout(layout)
    file = located(Path(path))
    folder = file.parent.absolute()
    sources = read_all(file)
    outline = outline_of(sources)
    layout = layout or outline.layout
    modules = PrivateModules(folder, layout, checkout)
    module = _imported(modules, file, folder)
    found = _Reader(module, modules, sources)
    submission = Submission(
        outline=outline,
        module=module,
        path=folder / file.name,
        layout=layout,
        heuristics=MappingProxyType(found.heuristics()),
        players=MappingProxyType(found.players()),
        timeouts=found.timeouts(),
        misfits=MappingProxyType(found.misfits()),
        _modules=modules,
    )
    if not submission.heuristics and not (players_alone and submission.players):
        raise _nothing_to_ask(sources[0], submission)
    return submission


def _imported(modules: PrivateModules, file: Path, folder: Path) -> ModuleType:
    """The submission's module; a `SubmissionError` where it cannot be imported."""
    try:
        return modules.run(folder / file.name)
    except BaseException as error:
        scene = Scene(file, folder, modules.files)
        if is_interruption(error, scene):
            raise
        for uncompiled, path in modules.not_compiled:
            if uncompiled is error:
                raise syntax_failure(uncompiled, scene.shown(path), Path(path).read_bytes()) from error
        raise import_failure(error, scene) from error


def not_a_heuristic(what: str) -> str:
    """What is wrong with a `custom_score` that is something else."""
    return f"is {what}, and not a function of a board and a player that returns a number"


def _nothing_to_ask(source: Source, submission: Submission) -> SubmissionError:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    named = [node for node in top_level(source.tree.body) if isinstance(node, kinds)]
    unwritten = [name for name in submission.templates if "." not in name]
    if unwritten:
        node = next((each for each in named if each.name == unwritten[0]), None)
        problem = "its heuristics are still templates that only raise NotImplementedError"
        problem, remedy = f"{problem}: {', '.join(unwritten)}", f"implement {unwritten[0]}"
    else:
        name, what = next(iter(submission.misfits.items()), ("", ""))
        node = next((each for each in named if each.name == name), None)
        problem = "it has no heuristic" + (f": {name} {not_a_heuristic(what)}" if name else "")
        remedy = "define custom_score(game, player)"
    reason: Reason = "only templates" if unwritten else "no heuristics"
    line = None if node is None else node.lineno
    return SubmissionError(problem, reason=reason, path=str(source.path), line=line, remedy=remedy)


class _Reader:
    """Finds what a loaded module holds, also what only running it makes: `custom_score = partial(...)`."""

    def __init__(self, module: ModuleType, modules: PrivateModules, sources: Iterable[Source]) -> None:
        self._modules = modules
        # A module may have put any object in its own place.
        self._names: Mapping[str, Any] = dict(vars(module)) if hasattr(module, "__dict__") else {}
        self._nodes = {
            (str(source.path.absolute()), first_line(node)): node
            for source in sources
            for each in top_level(source.tree.body)
            for node in functions_in(each.body if isinstance(each, ast.ClassDef) else [each])
        }

    def heuristics(self) -> dict[str, Callable[..., Any]]:
        """The functions that give a score, by name: those named `custom_score` first, else in their order."""
        found = {name: value for name, value in self._names.items() if self._is_heuristic(name, value)}
        return dict(sorted(found.items(), key=lambda item: not is_custom_score(item[0])))

    def misfits(self) -> dict[str, str]:
        """What each `custom_score` is that is no heuristic, no template and no player."""
        named = {name: value for name, value in self._names.items() if is_custom_score(name)}
        found = {name: self._misfit(name, value) for name, value in named.items()}
        return {name: what for name, what in found.items() if what}

    def players(self) -> dict[str, type]:
        """The submission's own classes that can be asked for a move, by name."""
        return {name: value for name, value in self._names.items() if self._is_player(value)}

    def timeouts(self) -> tuple[type[BaseException], ...]:
        """The exceptions with which the submission, helpers included, ends a search when its time is up."""
        own = [each for name, each in self._modules.modules.items() if not _is_served(name)]
        places = [self._names, *(getattr(each, "__dict__", {}) for each in own)]
        named = [place.get(name) for place in places for name in ("SearchTimeout", "Timeout")]
        kinds = [each for each in named if isinstance(each, type) and issubclass(each, BaseException)]
        return tuple(dict.fromkeys(kinds))

    def _is_heuristic(self, name: str, value: Any) -> bool:
        if isinstance(value, type) or not callable(value):
            return False
        try:
            signature = inspect.signature(value)
            signature.bind(None, None)
            function = _called_by(value)
        except Exception:  # noqa: BLE001 - a submission's object may raise anything when it is examined
            return False
        if _gives_later(function) or self._is_unwritten(function):
            return False
        if is_custom_score(name):
            return True
        node = self._node(function)
        if not self._is_own(function) or not fits_heuristic(list(signature.parameters)):
            return False
        # A method or a decorated function has other parameters than its node.
        return node is None or function is not value or is_heuristic(name, node)

    def _misfit(self, name: str, value: Any) -> str:
        try:
            is_known = self._is_unwritten(_called_by(value)) or self._is_player(value)
            return "" if self._is_heuristic(name, value) or is_known else _what(value)
        except Exception:  # noqa: BLE001 - a submission's object may raise anything when it is examined
            return "a value that cannot be examined"

    def _is_player(self, value: Any) -> bool:
        if not isinstance(value, type) or not self._is_own(value):
            return False
        get_move = getattr(value, "get_move", None)
        if not callable(get_move) or self._is_unwritten(get_move):
            return False
        code = getattr(get_move, "__code__", None)
        called = [getattr(value, name, None) for name in getattr(code, "co_names", ())]
        searches = [each for each in called if isinstance(each, FunctionType) and each is not get_move]
        return not searches or not all(self._is_unwritten(each) for each in searches)

    def _is_unwritten(self, function: object) -> bool:
        node = self._node(function)
        return node is not None and is_template(node)

    def _node(self, function: object) -> Function | None:
        code = getattr(function, "__code__", None)
        return None if code is None else self._nodes.get((code.co_filename, code.co_firstlineno))

    def _is_own(self, thing: object) -> bool:
        module = getattr(thing, "__module__", None)
        return module in self._modules.modules and not _is_served(str(module))


def _is_served(module: str) -> bool:
    return module.partition(".")[0] in NEVER_BESIDE


def _gives_later(function: Any) -> str:
    """What a function is whose call gives no result yet; empty for another one."""
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return "an async function"
    return "a generator function" if inspect.isgeneratorfunction(function) else ""


def _what(value: Any) -> str:
    """What a thing is, in words, that is no heuristic."""
    if value is None:
        return "None"
    if isinstance(value, type):
        return "a class"
    if not callable(value):
        return f"a value of type {type_name(type(value))}"
    return _gives_later(_called_by(value)) or "a function of other parameters"


def _called_by(value: Any) -> Any:
    """The function that runs in the end when an object is called."""
    if isinstance(value, partial):
        return _called_by(value.func)
    if hasattr(value, "__wrapped__"):
        return inspect.unwrap(value)
    if inspect.ismethod(value):
        return value.__func__
    call = type(value).__call__
    return call if isinstance(call, FunctionType) else value
