# ruff: noqa: PTH100, PTH109, PTH110, PTH118, PTH120, T201
# Paths are written as the interpreter writes them (`/here/./script.py`), which pathlib would tidy up.
"""`isolation-fast run`: a script of the course, unchanged, with our modules in place of the classic ones.

The code starts in this process as `python SCRIPT` or `python -m MODULE` would start it: with the same
`__main__`, `sys.argv`, `sys.path`, exit status, and tracebacks without a line of ours. Only
`traceback.print_stack` shows our frames.
"""

from __future__ import annotations

import argparse
import builtins
import io
import os
import runpy
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from pkgutil import get_importer
from tokenize import detect_encoding
from types import FrameType, ModuleType
from typing import Any

from isolation_fast.classic.installing import detected_beside, serve, serve_in_children
from isolation_fast.classic.layouts import LAYOUTS, Layout, require_layout
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.output import CommandError, add_compile_option, report

USAGE = "isolation-fast run [--keep-local] [--layout v1|v2] [--no-compile] (SCRIPT | -m MODULE) [ARGS ...]"
DESCRIPTION = """\
Run a Python script with this package's isolation and sample_players in place of the classic ones. All else is
as with `python SCRIPT`: the script's folder comes first on sys.path, and ARGS go to the script unchanged. It
runs with all rights you have.
"""


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `run`."""
    parser = commands.add_parser(
        "run", usage=USAGE, description=DESCRIPTION, help="a classic script, unchanged, on this engine"
    )
    parser.add_argument(
        "--keep-local",
        action="store_true",
        help="the folder's own isolation and sample_players, where it has them",
    )
    parser.add_argument(
        "--layout",
        type=_layout,
        metavar="|".join(LAYOUTS),
        help="v1: get_move(game, legal_moves, time_left); v2: get_move(game, time_left); default: detected",
    )
    add_compile_option(parser)
    parser.add_argument("-m", dest="module", metavar="MODULE", help="module to run, as with `python -m`")
    parser.add_argument("script", nargs="?", metavar="SCRIPT", help="file, or folder with a __main__.py")


def split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Divide the arguments into ours, up to the script or module, and the script's own.

    >>> split(["--layout", "v1", "agent_test.py", "-h", "--", "--layout"])
    (['--layout', 'v1', 'agent_test.py'], ['-h', '--', '--layout'])
    >>> split(["-m", "unittest", "-v"])
    (['-m', 'unittest'], ['-v'])
    """
    index = 0
    while index < len(arguments):
        word = arguments[index]
        if word in ("-m", "--"):
            end = index + 2
        elif word.startswith("-m") or not word.startswith("-") or word == "-":
            end = index + 1
        else:
            index += 2 if word == "--layout" else 1
            continue
        return list(arguments[:end]), list(arguments[end:])
    return list(arguments), []


def run(options: argparse.Namespace, arguments: Sequence[str] = ()) -> int:
    """Run the script with its own arguments; the exit status, unless the script ends the process.

    >>> run(argparse.Namespace(module=None, script=None, layout=None, keep_local=False))
    2
    """
    try:
        if options.module is None and options.script is None:
            raise CommandError("there is nothing to run: name a script, or a module with -m", USAGE)
        program = script_program(options.script) if options.module is None else module_program(options.module)
    except CommandError as error:
        return report(str(error), error.hint)
    program.take_over(arguments)
    sources = [*program.sources, *(_tests_named(arguments) if options.module else ())]
    layout = options.layout or detected_beside(Path(program.folder), *sources)
    serve(layout, keep_local=options.keep_local, keep_word="--keep-local", for_good=True)
    serve_in_children(layout, keep_local=options.keep_local)
    return program.finish()


def _tests_named(arguments: Sequence[str]) -> Iterator[Path]:
    """The files that a test runner's arguments mean: files, folders, dotted names; all here without any."""
    given = [word.partition("::")[0] for word in arguments if not word.startswith("-")]
    for word in given or ["."]:
        path = Path("." if word == "discover" else word)
        if path.is_dir():
            # One folder further down, and not through all that may lie below.
            yield from sorted([*path.glob("*test*.py"), *path.glob("*/*test*.py")])
        elif path.is_file():
            yield path
        else:
            # unittest takes a class or a method of a module too.
            parts = word.split(".")
            names = [Path(*parts[:count]).with_suffix(".py") for count in range(len(parts), 0, -1)]
            yield from [each for each in names if each.is_file()][:1]


def _layout(word: str) -> Layout:
    try:
        return require_layout(word)
    except InvalidArgumentError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


@dataclass(frozen=True)
class Program:
    """A script or module, and what Python sets up for it."""

    name: str
    """Its `sys.argv[0]`."""
    folder: str
    """Its `sys.path[0]`."""
    sources: tuple[Path, ...]
    """The files that it starts with, as far as they are known before."""
    start: Callable[[], None]

    def take_over(self, arguments: Sequence[str]) -> None:
        """Hand `__main__`, `sys.argv` and `sys.path` to the program."""
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
        error = _raised_by(self.start)
        if error is None:
            return 0
        _show(error)
        if type(error) is KeyboardInterrupt:
            # The interpreter then ends as other programs expect of an interrupted one. It is shown already.
            sys.excepthook = lambda *_: None
            raise KeyboardInterrupt
        return 1


def _raised_by(call: Callable[..., object], *arguments: object) -> BaseException | None:
    """What a call raised, but for `SystemExit`, without our lines in its traceback."""
    try:
        call(*arguments)
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        return error.with_traceback(trace)
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


def _show(error: BaseException) -> None:
    """Show an uncaught exception as the interpreter does, by `sys.excepthook`."""
    kind, trace = type(error), error.__traceback__
    sys.last_type, sys.last_value, sys.last_traceback = kind, error, trace
    if sys.version_info >= (3, 12):
        sys.last_exc = error
    if not hasattr(sys, "excepthook"):
        print("sys.excepthook is missing", file=sys.stderr)
        sys.excepthook = sys.__excepthook__
    second = _raised_by(sys.excepthook, kind, error, trace)
    if second is not None and sys.stderr is not None:
        print("Error in sys.excepthook:", file=sys.stderr)
        sys.__excepthook__(type(second), second, second.__traceback__)
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(kind, error, trace)
