"""The source files of a submission, read and parsed: nothing in them is run."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import decode_source
from pathlib import Path

from isolation_fast.submission.diagnosis import syntax_failure
from isolation_fast.submission.failures import SubmissionError
from isolation_fast.submission.quiet import without_warnings

__all__ = ["Source", "helper_sources", "located", "read_source"]

USUAL_NAME = "game_agent.py"
NEVER_HELPERS = ("isolation", "sample_players")
MOST_BYTES = (1024 if sys.version_info >= (3, 11) else 128) * 1024
"""Of one file. The largest of the course have 100 KB. Python 3.10 runs over the end of its stack on the
tree of an expression that is nested 130,000 deep, as `a.b.b.b...` of 260 KB is, and so ends the process."""


@dataclass(frozen=True)
class Source:
    """One parsed file; `module` is the name that it is imported by."""

    path: Path
    text: str
    tree: ast.Module
    module: str = ""

    def absolute(self, node: ast.ImportFrom) -> str:
        """The dotted name behind `from`, a relative one made whole."""
        parts: list[str] = []
        if node.level:
            parts = self.module.split(".")
            upwards = node.level - (self.path.name == "__init__.py")
            parts = parts[: len(parts) - upwards]
        return ".".join([*parts, *([node.module] if node.module else [])])


def located(path: Path) -> Path:
    """The file that is meant by a file or a folder; an error that says what is there instead."""
    try:
        return _located(path)
    except SubmissionError:
        raise
    except OSError as error:
        raise _no_file(path, f"it cannot be read: {error.strerror}") from error


def _located(path: Path) -> Path:
    file = path / USUAL_NAME if path.is_dir() else path
    if file.is_symlink() and not file.exists():
        raise _no_file(file, f"it is a link to {file.readlink()}, which is not there")
    if not file.exists():
        others = sorted(each.name for each in path.glob("*.py")) if path.is_dir() else []
        below = sorted(each.parent.name for each in path.glob(f"*/{USUAL_NAME}")) if path.is_dir() else []
        seen = f"; the folder has {', '.join(others)}: name the file that is meant" if others else ""
        if below and not others:
            seen = f"; {len(below)} of its sub-folders have one: name one of them, such as {below[0]}"
        raise _no_file(file, f"there is no such file{seen}")
    if file.is_dir():
        raise _no_file(file, "it is a folder and no file")
    if not file.is_file():
        raise _no_file(file, "it is no regular file")
    if file.suffix != ".py":
        raise _no_file(file, "it is no Python file: the name of one ends in .py")
    return file


def read_source(file: Path, module: str = "") -> Source:
    """Read and parse one file."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise _no_file(file, f"it cannot be read: {error.strerror}") from error
    if len(content) > MOST_BYTES:
        raise SubmissionError(
            f"it has more than {MOST_BYTES:,} bytes, which are not parsed",
            reason="syntax",
            path=str(file),
            remedy="put data into a file of its own",
        )
    try:
        with without_warnings():
            tree = ast.parse(content, str(file))
            # Parsing alone lets a `return` outside a function pass.
            compile(tree, str(file), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise syntax_failure(error, str(file), content) from error
    return Source(file, _text_of(content), tree, module)


def _text_of(content: bytes) -> str:
    try:
        return decode_source(content)
    except (UnicodeDecodeError, SyntaxError):  # in a comment, which Python passes over
        return content.decode("utf-8", "replace")


def helper_sources(source: Source, folder: Path) -> Iterator[Source]:
    """The modules beside a submission that it imports, and those that they import in turn."""
    seen = {source.path}
    waiting = [source]
    while waiting:
        current = waiting.pop(0)
        for name in imported_names(current):
            if name.partition(".")[0] in NEVER_HELPERS:
                continue
            for file, module in _files_of(name, folder):
                if file in seen:
                    continue
                seen.add(file)
                try:
                    helper = read_source(file, module)
                except SubmissionError:
                    continue  # loading it will say so, if it is ever imported
                waiting.append(helper)
                yield helper


def imported_names(source: Source) -> Iterator[str]:
    """Dotted names of all that is imported; of `from a import b` both `a` and `a.b`."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = source.absolute(node)
            if base:
                yield base
                yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            words = node.args[:1]
            yield from (
                word.value for word in words if isinstance(word, ast.Constant) and isinstance(word.value, str)
            )


def _files_of(name: str, folder: Path) -> Iterator[tuple[Path, str]]:
    parts = name.split(".")
    if not all(each.isidentifier() for each in parts):
        return  # `__import__` takes any text, and so would lead anywhere
    for depth in range(1, len(parts) + 1):
        place = folder.joinpath(*parts[:depth])
        for file in (place / "__init__.py", place.with_name(place.name + ".py")):
            if _is_within(file, folder):
                yield file, ".".join(parts[:depth])
                break


def _is_within(file: Path, folder: Path) -> bool:
    """Whether there is such a file, and no link out of the folder on the way."""
    try:
        return file.is_file() and file.resolve().is_relative_to(folder.resolve())
    except OSError:  # a name may be longer than any file's
        return False


def _no_file(file: Path, what: str) -> SubmissionError:
    return SubmissionError(what, reason="no such file", path=str(file))
