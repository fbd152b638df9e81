# ruff: noqa: PTH100, PTH109, PTH110, PTH118, PTH120, T201
# Paths are written as the interpreter writes them (`/here/./script.py`), which pathlib would tidy up.
"""Starting other people's code in this process as `python SCRIPT` and `python -m MODULE` start it.

What the code sees of the interpreter, and what is seen of the code from outside, is as it would be there:
`__main__`, `sys.argv`, `sys.path`, the exit status, tracebacks without a line of ours. What remains are our
frames below the script's, which `traceback.print_stack` shows.
"""

from __future__ import annotations

import builtins
import io
import os
import runpy
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from pkgutil import get_importer
from tokenize import detect_encoding
from types import FrameType, ModuleType, TracebackType

from isolation_fast.output import CommandError

__all__ = ["Program", "module_program", "script_program"]


@dataclass(frozen=True)
class Program:
    """Something that can be run, and what Python sets up for it."""

    name: str
    """What it finds in `sys.argv[0]`."""
    folder: str
    """What it finds in `sys.path[0]`."""
    sources: tuple[Path, ...]
    """The files with which it begins, as far as they are known before it runs."""
    start: Callable[[], None]

    def take_over(self, arguments: Sequence[str]) -> None:
        """Give `__main__`, `sys.argv` and `sys.path` to the program."""
        started_from = sys.argv[0]
        sys.argv = [self.name, *arguments]
        main = ModuleType("__main__")
        if sys.version_info < (3, 14):
            main.__annotations__ = {}
        vars(main)["__builtins__"] = builtins
        sys.modules["__main__"] = main
        if getattr(sys.flags, "safe_path", False) or sys.flags.isolated:
            # Asked to, Python puts no folder first.
            return
        # Our own start put an entry there: the folder of the command, or with -m the current one.
        own = {"", os.getcwd(), started_from, os.path.dirname(os.path.realpath(started_from))}
        if sys.path and sys.path[0] in own:
            del sys.path[0]
        sys.path.insert(0, self.folder)

    def finish(self) -> int:
        """Run it to its end. What it raises is shown as Python would; `SystemExit` goes on its way."""
        error = self._uncaught()
        if error is None:
            return 0
        _show(error)
        if type(error) is KeyboardInterrupt:
            # Of this one the interpreter dies as others expect of a program that was interrupted.
            sys.excepthook = _say_nothing
            raise KeyboardInterrupt
        return 1

    def _uncaught(self) -> BaseException | None:
        try:
            self.start()
        except SystemExit:
            raise
        except BaseException as error:  # noqa: BLE001
            return error.with_traceback(_foreign_part(error.__traceback__))
        return None


def script_program(given: str) -> Program:
    """The program in a file, or in a folder or zip archive with a `__main__.py`."""
    if not os.path.exists(given):
        beside = f"{given}.py"
        hint = f"there is {beside!r}" if os.path.exists(beside) else "a module is run with -m MODULE"
        raise CommandError(f"there is no script {given!r}", hint)
    path = os.path.abspath(given) if os.name == "nt" else os.path.join(os.getcwd(), given)
    importer = get_importer(path)
    if importer is not None:
        if importer.find_spec("__main__") is None:
            raise CommandError(f"there is no __main__.py in {given!r}, so it is no script")
        main = Path(path, "__main__.py")
        return Program(given, path, (main,), lambda: _run_by_runpy("__main__", alter_argv=False))
    try:
        with io.open_code(path) as file:
            source = file.read()
    except OSError as error:
        raise CommandError(f"the script {given!r} cannot be read: {error.strerror}") from None
    folder = os.path.dirname(os.path.realpath(given))
    return Program(given, folder, (Path(path),), lambda: _run_source(source, path))


def module_program(name: str) -> Program:
    """The program in a module, or in a package with a `__main__`, as `python -m` finds it from here."""
    folder = os.getcwd()
    places = Path(folder, *name.split("."))
    own = (places.with_suffix(".py"), places / "__main__.py")
    if name == "sample_players":
        # As a program it is one's own copy: ours has nothing to run.
        return script_program(str(own[0]))
    return Program("-m", folder, own, lambda: _run_by_runpy(name, alter_argv=True))


def _run_by_runpy(name: str, *, alter_argv: bool) -> None:
    # The very function that the interpreter calls: it fills `__main__`, and its lines are in the traceback.
    _allow_for_our_frames()
    runpy._run_module_as_main(name, alter_argv=alter_argv)  # type: ignore[attr-defined]


def _run_source(source: bytes, path: str) -> None:
    scope = vars(sys.modules["__main__"])
    scope["__file__"] = path
    scope["__loader__"] = SourceFileLoader("__main__", path)
    if sys.version_info < (3, 15):
        scope["__cached__"] = None
    _require_known_encoding(source, path)
    code = compile(source, path, "exec", dont_inherit=True)
    _allow_for_our_frames(calls=1)
    exec(code, scope)


def _allow_for_our_frames(calls: int = 0) -> None:
    """Let the program call itself as often as it could without us, before it is a RecursionError."""
    # Up to 3.11 calls of built-in functions count like frames: our `exec`, and that of `python -m` if it
    # started us.
    counted = sys.version_info < (3, 12)
    depth = calls if counted else 0
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        depth += 1 + (counted and frame.f_code.co_name == "<module>" and frame.f_back is not None)
        frame = frame.f_back
    sys.setrecursionlimit(sys.getrecursionlimit() + depth)


def _require_known_encoding(source: bytes, path: str) -> None:
    """Refuse what Python refuses in a file, but passes over in comments of a source in memory."""
    try:
        encoding, _ = detect_encoding(io.BytesIO(source).readline)
    except SyntaxError:
        encoding = "utf-8"
    try:
        source.decode(encoding)
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise SyntaxError(
            f"Non-UTF-8 code starting with '\\x{source[error.start]:02x}' in file {path} on line {line}, "
            "but no encoding declared; see https://peps.python.org/pep-0263/ for details"
        ) from None


def _foreign_part(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without the lines of this file with which it begins."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace


def _show(error: BaseException) -> None:
    """Show an uncaught exception as the interpreter does, by `sys.excepthook`."""
    kind, trace = type(error), error.__traceback__
    sys.last_type, sys.last_value, sys.last_traceback = kind, error, trace
    if sys.version_info >= (3, 12):
        sys.last_exc = error
    if not hasattr(sys, "excepthook"):
        print("sys.excepthook is missing", file=sys.stderr)
        sys.excepthook = sys.__excepthook__
    second = None
    try:
        sys.excepthook(kind, error, trace)
    except SystemExit:
        raise
    except BaseException as raised:  # noqa: BLE001
        second = raised.with_traceback(_foreign_part(raised.__traceback__))
    if second is not None and sys.stderr is not None:
        print("Error in sys.excepthook:", file=sys.stderr)
        sys.__excepthook__(type(second), second, second.__traceback__)
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(kind, error, trace)


def _say_nothing(_kind: object, _error: object, _trace: object) -> None:
    """Stand in for `sys.excepthook` when all is said."""
