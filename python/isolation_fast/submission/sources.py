"""The source files of a submission, read and parsed: nothing in them is run."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import decode_source
from pathlib import Path
from typing import Final

from isolation_fast.classic.layouts import absolute_name, files_of, imported_names, without_warnings
from isolation_fast.submission.failures import SubmissionError, syntax_failure

__all__ = ["Source", "helper_sources", "located", "read_source"]

USUAL_NAME: Final = "game_agent.py"
MOST_BYTES: Final = (1024 if sys.version_info >= (3, 11) else 128) * 1024
"""Of one file; the largest of the course have 100 KB. On an expression that is nested 130,000 deep, such as
`a.b.b.b...` of 260 KB, Python 3.10 overflows its stack, which ends the process."""


@dataclass(frozen=True)
class Source:
    """One parsed file; `module` is the name that it is imported by."""

    path: Path
    text: str
    tree: ast.Module
    module: str = ""

    def absolute(self, node: ast.ImportFrom) -> str:
        """The dotted name after `from`, a relative one made whole."""
        return absolute_name(node, self.module, is_package=self._is_package)

    def imports(self) -> Iterator[str]:
        """Dotted names of all that is imported; of `from a import b` both `a` and `a.b`."""
        return imported_names(self.tree, self.module, is_package=self._is_package)

    @property
    def _is_package(self) -> bool:
        return self.path.name == "__init__.py"


def located(path: Path) -> Path:
    """The file that a file or a folder means; an error says what is there instead."""
    try:
        return _located(path)
    except SubmissionError:
        raise
    except OSError as error:
        raise _no_file(path, f"it cannot be read: {error.strerror}") from error


def _located(path: Path) -> Path:
    file = path / USUAL_NAME if path.is_dir() else path
    if file.is_symlink() and not file.exists():
        raise _no_file(file, f"it is a link to {file.readlink()}, which does not exist")
    if not file.exists():
        others = sorted(each.name for each in path.glob("*.py")) if path.is_dir() else []
        below = sorted(each.parent.name for each in path.glob(f"*/{USUAL_NAME}")) if path.is_dir() else []
        seen = f"; the folder has {', '.join(others)}: name one of them" if others else ""
        if below and not others:
            seen = f"; {len(below)} of its subfolders have one: name one of them, such as {below[0]}"
        raise _no_file(file, f"there is no such file{seen}")
    if file.is_dir():
        raise _no_file(file, "it is a folder, not a file")
    if not file.is_file():
        raise _no_file(file, "it is not a regular file")
    if file.suffix != ".py":
        raise _no_file(file, "it is not a Python file: its name does not end in .py")
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
            f"it has more than {MOST_BYTES:,} bytes, the most that is parsed",
            reason="syntax",
            path=str(file),
            remedy="move data into a separate file",
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
    except (UnicodeDecodeError, SyntaxError):  # in a comment, which Python ignores
        return content.decode("utf-8", "replace")


def helper_sources(source: Source, folder: Path) -> Iterator[Source]:
    """The modules beside a submission that it imports, and those that they import in turn."""
    seen = {source.path}
    waiting = [source]
    while waiting:
        current = waiting.pop(0)
        for name in current.imports():
            for file, module in files_of(name, folder):
                if file in seen or not _is_within(file, folder):
                    continue
                seen.add(file)
                try:
                    helper = read_source(file, module)
                except SubmissionError:
                    continue  # loading reports it, if it is ever imported
                waiting.append(helper)
                yield helper


def _is_within(file: Path, folder: Path) -> bool:
    """Whether no link leads out of the folder on the way to a file."""
    try:
        return file.resolve().is_relative_to(folder.resolve())
    except OSError:
        return False


def _no_file(file: Path, what: str) -> SubmissionError:
    return SubmissionError(what, reason="no such file", path=str(file))
