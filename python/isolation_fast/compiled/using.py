"""Which functions are compiled, and what becomes of each.

A function is compiled by itself once the engine has asked it some thousand times: in the search that asks, or
beside it if that goes by a clock. The record of a function lives as long as the function.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from threading import Event, Lock, Thread, local
from types import CodeType, FunctionType
from typing import Any, Final
from weakref import WeakKeyDictionary

from isolation_fast._native import Compiled, Program
from isolation_fast.compiled.source import Refusal, Source
from isolation_fast.exceptions import CompilationWarning

SWITCH: Final = "ISOLATION_FAST_COMPILE"
"""The environment variable that is "0" where nothing is compiled: child processes follow it."""
OFF: Final = "0"
ROOM: Final = 700
"""Calls that may still be nested in Python: programs nest 64, each with some that are written in place."""


class _Switch:
    # Looking into the environment takes as long as a value does.
    is_off = os.environ.get(SWITCH) == OFF


_switch: Final = _Switch()
_uses: WeakKeyDictionary[FunctionType, Compiled] = WeakKeyDictionary()
_of_codes: WeakKeyDictionary[CodeType, Compiled] = WeakKeyDictionary()
_refusals: WeakKeyDictionary[FunctionType, Refusal] = WeakKeyDictionary()
_wrong: set[CodeType] = set()
_lock = Lock()
_compiling = local()


class _Beside:
    thread: Thread | None = None
    may_begin = Event()
    """Cleared while a search goes by a clock."""


_beside: Final = _Beside()


@contextmanager
def not_compiling(off: bool = True) -> Iterator[None]:
    """Compile nothing meanwhile, in this process and in those that it starts.

    >>> from isolation_fast import Board, search
    >>> with not_compiling():
    ...     search(Board(), lambda game, player: 1.0, depth=1).value
    1.0
    """
    if not off or _switch.is_off:
        yield
        return
    before = os.environ.get(SWITCH)
    os.environ[SWITCH], _switch.is_off = OFF, True
    try:
        yield
    finally:
        _switch.is_off = False
        del os.environ[SWITCH]
        os.environ.update({} if before is None else {SWITCH: before})


def _inner(function: Any) -> Any:
    """The function whose text is compiled: a partial gives it some of its arguments."""
    return function.func if type(function) is partial else function


def can_be_compiled(function: object) -> bool:
    """Whether a function may be compiled: a plain one, that nobody watches, where it is not turned off."""
    if type(_inner(function)) is not FunctionType or _switch.is_off:
        return False
    return not _is_watched_by_somebody() and _has_room()


def use_of(function: Any) -> Compiled | None:
    """The record of a function that may be compiled; None where Python alone is to run it."""
    if not can_be_compiled(function):
        return None
    used = _uses.get(function)
    return _new_use(function) if used is None else used


def is_compiling() -> bool:
    """Whether heuristics are compiled here at all."""
    return not _switch.is_off


def compiled_of(function: Any) -> Compiled | Refusal:
    """The function's program, made now if it was not, or why there is none.

    >>> print(compiled_of(len))
    line 0: a builtin_function_or_method is no plain function: write one with def or lambda
    """
    if type(_inner(function)) is not FunctionType:
        try:
            Source.of(function)
        except Refusal as refusal:
            return refusal
    used = _uses.get(function) or _new_use(function)
    if used.is_off or not used.compile(function):
        why = WRONG if _inner(function).__code__ in _wrong else "it bails too often: Python runs it"
        return _refusals.get(function) or Refusal(
            _inner(function).__code__.co_firstlineno, 0, "function", why
        )
    return used


def compile_beside(used: Compiled, function: FunctionType) -> bool:
    """Compile a function in a thread that nobody waits for; whether it was begun: one compiles at a time.

    The thread runs Python alone: at its end the interpreter stops threads wherever they are.
    """
    with _lock:
        if _beside.thread is not None and _beside.thread.is_alive():
            return False
        _beside.thread = Thread(target=_compile_for, args=(used, function), name=THREAD, daemon=True)
        try:
            _beside.thread.start()
        except RuntimeError:  # there are too many threads, or the interpreter is about to end
            _beside.thread = None
        return _beside.thread is not None


def _compile_for(used: Compiled, function: FunctionType) -> None:
    # Not in the turn that found it worth while, unless that is a long one.
    _beside.may_begin.wait(PATIENCE)
    used.take(compiled_form(function))


@contextmanager
def within(ms: float | None) -> Iterator[float | None]:
    """The time for a search of so many milliseconds: less while something is compiled beside it.

    That takes the interpreter from it, for 5 ms at a time and longer where it parses.
    """
    if ms is None:
        yield None
        return
    is_compiling = _beside.thread is not None and _beside.thread.is_alive()
    _beside.may_begin.clear()
    try:
        yield max(ms - COURTESY, ms / 2) if is_compiling else ms
    finally:
        _beside.may_begin.set()


def report_difference(function: FunctionType, position: str, program: float, own: str) -> None:
    """Warn of a value that a program got wrong, and never compile the function again."""
    inner = _inner(function)
    with _lock:
        _wrong.add(inner.__code__)
    warnings.warn(
        f"the compiled form of {inner.__qualname__} gave {program!r} for {position!r}, where Python gives "
        f"{own}. It is not compiled any more, and the search was made anew in Python. This is a defect of "
        "isolation_fast: please report it with the function and this position",
        CompilationWarning,
        stacklevel=2,
    )


def _new_use(function: FunctionType) -> Compiled:
    code = _inner(function).__code__
    with _lock:
        used = Compiled(compiled_form, _of_codes.get(code))
        _of_codes.setdefault(code, used)
        _uses[function] = used
        if code in _wrong:
            used.turn_off()
    return used


def compiled_form(function: FunctionType) -> tuple[Program, Callable[[], bool]] | None:
    """The function's program, and what says whether all that it was made of still holds; None if refused."""
    found = form_of(function)
    if not isinstance(found, Refusal):
        return found
    with _lock:
        _refusals[function] = found
    return None


def form_of(
    function: Callable[..., Any], make: Callable[..., Any] | None = None
) -> tuple[Any, Callable[[], bool]] | Refusal:
    """The same, or why there is none; `make` is called with the parts of the program."""
    _compiling.now = True
    try:
        _be_quiet()
        source = Source.of(function)
        return compiler()(source, make), source.guard.holds
    except Refusal as refusal:
        # Without the frames that it came through: they hold the function.
        found = refusal.with_traceback(None)
        found.__context__ = None
    except Exception as error:  # noqa: BLE001 - a defect of the compiler must not end a search
        line = _inner(function).__code__.co_firstlineno
        found = Refusal(line, 0, DEFECT, f"the compiler failed: {type(error).__name__}: {error}")
    finally:
        _compiling.now = False
    return found


@cache
def compiler() -> Callable[[Source, Callable[..., Any] | None], Any]:
    """What makes the program of a function; loaded here, so that what compiles nothing does not load it."""
    from isolation_fast.compiled.programs import lower
    from isolation_fast.compiled.source import prelude_tree

    # A locked process does not find our files.
    prelude_tree()
    return lower


DEFECT: Final = "defect"
"""The construct of a refusal that is our own mistake."""
WRONG: Final = "a difference was found: its compiled form gave another value than Python, which runs it now"
THREAD: Final = "isolation_fast compiler"
PATIENCE: Final = 1.0
"""How many seconds a compilation waits for the search that asked for it."""
COURTESY: Final = 25.0
"""So many milliseconds before its time a search ends beside which something is compiled."""


class _WhileCompiling:
    """In the place of a pattern for modules: what this thread compiles anew was warned of when it was loaded.

    `warnings.catch_warnings` would change what other threads, and their own uses of it, find meanwhile.
    """

    def match(self, _module: str) -> bool:
        return getattr(_compiling, "now", False)


_QUIET: Final[Any] = ("ignore", None, SyntaxWarning, _WhileCompiling(), 0)


def _be_quiet() -> None:
    """Put our filter before all others. It stays, and concerns nobody else."""
    filters: Any = warnings.filters
    if type(filters) is list and filters[:1] != [_QUIET]:
        filters.insert(0, _QUIET)


def _has_room() -> bool:
    """Whether Python may nest calls from here as deep as programs do, before it raises a RecursionError."""
    try:
        sys._getframe(max(sys.getrecursionlimit() - ROOM, 0))
    except ValueError:
        return True
    return False


def _is_watched_by_somebody() -> bool:
    """Whether a debugger or a profiler follows this thread, or coverage is measured: they see each call."""
    if sys.gettrace() is not None or sys.getprofile() is not None:
        return True
    monitoring = getattr(sys, "monitoring", None)
    return monitoring is not None and any(monitoring.get_tool(number) for number in range(6))
