"""What the statements of a file say, whatever its names, comments and format are: hashes to be compared.

A statement is written as a list of words, in which each name that the file defines itself is a number: that
of its first occurrence in a *window* of some statements. Names of the board, of Python and of libraries are
kept. The order of functions does not matter, since no window leaves its function.

It runs in a process of its own, since a file of a stranger is parsed: nothing of it is run.
"""

from __future__ import annotations

import ast
import codecs
import encodings
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from importlib.util import decode_source
from pkgutil import iter_modules
from typing import Any, Final, NamedTuple

from isolation_fast import jail
from isolation_fast.process import Channel, Frame, Kind

MOST_BYTES: Final = 2**22
"""Of a file, and of what is found in it."""
WINDOW: Final = 4
"""Statements in a row. Fewer are alike by chance, and more are torn by each line that is added."""
LONG: Final = 24
"""Words of a statement that is compared by itself too."""
MEMORY: Final = 1024
"""MiB."""

MIRRORED: Final = {"Lt": "Gt", "LtE": "GtE", "min": "max", "False": "True", "UAdd": "USub"}
"""Words that make a maximum of a minimum."""

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
BODIES: Final = frozenset({"body", "orelse", "finalbody", "handlers", "cases"})
IGNORED: Final = frozenset({"annotation", "type_comment", "ctx", "kind", "simple"})
HAVE_BODIES: Final = (ast.stmt, ast.ExceptHandler, ast.match_case)


class Statement(NamedTuple):
    """A statement by itself: its lines, its hash, and how many words it has. Of one with a body, its head."""

    first: int
    last: int
    hash: int
    words: int


class Window(NamedTuple):
    """Statements in a row, from one to `WINDOW`: which ones, and the hash of all together.

    `mirrored` is the hash in which a maximum is the same as a minimum: one half of a search mostly mirrors
    the other, so both are one thing that two files have in common.
    """

    start: int
    length: int
    hash: int
    mirrored: int


@dataclass(frozen=True, slots=True)
class Statements:
    """Those of a file, in its order, and the windows in them."""

    statements: tuple[Statement, ...] = ()
    windows: tuple[Window, ...] = ()
    problem: str | None = None
    """Why the file cannot be read; None if it was."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A name that the file defines."""

    text: str


_Word = str | _Name


def statements_of(source: bytes, known: frozenset[int] = frozenset()) -> Statements:
    r"""The statements of a source, and the windows of which the hash is not `known`.

    >>> one = statements_of(b"def f(a):\n    b = a + 1  # more\n    return b * b")
    >>> other = statements_of(b"def g(x):\n  y = (x + 1)\n  return y*y")
    >>> [each.hash for each in one.windows] == [each.hash for each in other.windows]
    True
    """
    try:
        # As bytes, so that Python looks for the encoding itself: that of a BOM, or the one it declares.
        tree = ast.parse(source)
        scopes = list(_Reader(tree).scopes(tree.body))
    except SyntaxError as error:
        return Statements(problem=f"{f'line {error.lineno}: ' if error.lineno else ''}{error.msg}")
    except Exception as error:  # noqa: BLE001 - a codec may raise anything
        return Statements(problem=f"{type(error).__name__}: {error}")
    found: list[Statement] = []
    windows: list[Window] = []
    for scope in scopes:
        of_scope: list[tuple[int, list[_Word]]] = []
        for node, words in scope:
            statement = Statement(node.lineno, _last_line(node), _hashed([words]), len(words))
            of_scope.append((len(found), words))
            found.append(statement)
        windows += (each for each in _windows(of_scope) if each.hash not in known)
    return Statements(tuple(found), tuple(windows))


def _windows(scope: list[tuple[int, list[_Word]]]) -> Iterator[Window]:
    """Each row of `WINDOW` statements, and a long statement by itself. A short function is one window."""
    count = min(WINDOW, len(scope))
    for start in range(len(scope) - count + 1 if scope else 0):
        row = scope[start : start + count]
        if count == WINDOW or sum(len(words) for _, words in row) >= LONG:
            yield _window(row)
    if count > 1:
        for index, words in scope:
            if len(words) >= LONG:
                yield _window([(index, words)])


def _window(row: list[tuple[int, list[_Word]]]) -> Window:
    words = [each for _, each in row]
    mirrored = [
        [MIRRORED.get(word, word) if isinstance(word, str) else word for word in each] for each in words
    ]
    return Window(row[0][0], len(row), _hashed(words), _hashed(mirrored))


def _hashed(statements: Iterable[list[_Word]]) -> int:
    """The names by their first occurrences."""
    numbers: dict[str, int] = {}
    hashed = blake2b(digest_size=6)
    for words in statements:
        for word in words:
            text = f"#{numbers.setdefault(word.text, len(numbers))}" if isinstance(word, _Name) else word
            hashed.update(text.encode("utf-8", "backslashreplace"))
            hashed.update(b"\0")
        hashed.update(b"\1")
    return int.from_bytes(hashed.digest(), "big")


def _last_line(node: ast.stmt) -> int:
    """Of one with a body, that of its head."""
    inside = [value[0] for name, value in ast.iter_fields(node) if name in BODIES and value]
    if not inside or not hasattr(inside[0], "lineno"):
        return (node.lineno if inside else node.end_lineno) or node.lineno
    return max(node.lineno, int(inside[0].lineno) - 1)


class _Reader:
    """Writes statements as words."""

    def __init__(self, tree: ast.Module) -> None:
        self._imported: dict[str, str] = {}
        self._own = set[str]()
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                base = f"{node.module or ''}." if isinstance(node, ast.ImportFrom) else ""
                for alias in node.names:
                    shown = alias.asname or alias.name.partition(".")[0]
                    self._imported[shown] = f"{base}{alias.name}" if alias.asname or base else shown
            elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                self._own.add(node.name)
            elif isinstance(node, ast.arg):
                self._own.add(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._own.add(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                self._own.add(node.attr)
            elif isinstance(node, ast.ExceptHandler) and node.name:
                self._own.add(node.name)

    def scopes(self, body: list[ast.stmt]) -> Iterator[list[tuple[ast.stmt, list[_Word]]]]:
        """The statements of a body, and after it those of each function and class in it."""
        here: list[tuple[ast.stmt, list[_Word]]] = []
        inner: list[ast.stmt] = []
        self._flatten(body, here, inner)
        yield here
        for each in inner:
            yield from self.scopes([*each.body])  # type: ignore[attr-defined]

    def _flatten(
        self, body: list[Any], here: list[tuple[ast.stmt, list[_Word]]], inner: list[ast.stmt]
    ) -> None:
        for node in body:
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                inner.append(node)
                continue
            if _says_nothing(node):
                continue
            if isinstance(node, ast.stmt):
                here.append((node, list(self._words(node))))
            for name, value in ast.iter_fields(node):
                if name in BODIES:
                    self._flatten(value, here, inner)

    def _words(self, node: ast.AST) -> Iterator[_Word]:
        """A node and what is in it; of a statement with a body, its head."""
        match node:
            case ast.Name(id=name):
                yield self._named(name)
                return
            case ast.Constant(value=str() | bytes()) | ast.JoinedStr():
                yield "text"
                return
            case ast.Constant(value=value):
                yield repr(value)
                return
            case ast.AnnAssign():
                yield "Assign"
            case _:
                yield type(node).__name__
        ignored = IGNORED | BODIES if isinstance(node, HAVE_BODIES) else IGNORED
        for field, value in ast.iter_fields(node):
            if field not in ignored:
                yield from self._of_field(value)

    def _of_field(self, value: object) -> Iterator[_Word]:
        if isinstance(value, list):
            for each in value:
                yield from self._of_field(each)
            yield ";"
        elif isinstance(value, ast.AST):
            yield from self._words(value)
        elif isinstance(value, str):
            yield self._named(value)

    def _named(self, name: str) -> _Word:
        if name in self._own:
            return _Name(name)
        return self._imported.get(name, name)


def _says_nothing(node: Any) -> bool:
    """Docstrings, `pass`, and what everybody imports."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, (ast.Pass, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal))


def lines_of(source: bytes) -> list[str]:
    r"""The lines of a source as Python counts them; what no encoding fits, byte by byte.

    >>> lines_of(b"# coding: latin-1\r\n# \xe9\x0cone line")
    ['# coding: latin-1', '# é\x0cone line']
    """
    try:
        text = decode_source(source)
    except (SyntaxError, ValueError, LookupError):
        # Comments need not be in the encoding of the file.
        text = source.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


# ---- its own process


def _load_codecs() -> None:
    """Import the encodings that a source may declare: a locked process reads no file of Python's."""
    for each in iter_modules(encodings.__path__):
        with suppress(LookupError, ImportError):  # another system has it
            codecs.lookup(each.name)


def main(requests: int, answers: int) -> None:
    """Answer each file with its statements, as JSON; nothing of this process can do any harm by then."""
    channel = Channel(requests, answers, MOST_BYTES)
    _load_codecs()
    if jail.available().name != "none":
        jail.lock_down(jail.Policy(memory=MEMORY))
    known: frozenset[int] = frozenset()
    while (frame := channel.receive(Kind.PLAY, Kind.LOAD)) is not None:
        if frame.kind is Kind.LOAD:
            known, content = frozenset(json.loads(frame.content)), b"{}"
        else:
            content = json.dumps(written(statements_of(frame.content, known)), separators=(",", ":")).encode()
        channel.send(Frame(Kind.REPORTED, frame.number, content))
    os._exit(0)


def written(found: Statements) -> dict[str, Any]:
    """As it is sent."""
    return {"statements": found.statements, "windows": found.windows, "problem": found.problem}


def read(sent: Mapping[str, Any]) -> Statements:
    """As it came from a process that has parsed a stranger's file; a ValueError for anything else."""
    statements = tuple(Statement(*_integers(each, 4)) for each in sent["statements"])
    windows = tuple(Window(*_integers(each, 4)) for each in sent["windows"])
    problem = sent["problem"]
    for each in windows:
        if not (1 <= each.length <= WINDOW and 0 <= each.start <= len(statements) - each.length):
            raise ValueError("a window is outside of the file")
    if not (problem is None or isinstance(problem, str)):
        raise ValueError("a problem is a text")
    return Statements(statements, windows, problem)


def _integers(value: object, count: int) -> list[int]:
    if not isinstance(value, list) or len(value) != count or not all(type(each) is int for each in value):
        raise ValueError(f"{value!r} is no list of {count} integers")
    return value
