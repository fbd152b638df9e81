"""Which submissions share code beyond the course's template, names aside: facts, and no judgement.

Each window of statements that two submissions share counts for as many bits as say how rare it is in the
class: a window that all have counts nothing. The sum, less the bits that choose one pair of all, is the
*evidence* of a pair. It sorts pairs; it is no probability, since windows that overlap are not independent.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import resources
from itertools import combinations
from math import comb, log2
from pathlib import Path
from typing import ClassVar, Final, NamedTuple

from isolation_fast.endings import Fault
from isolation_fast.jail import files_seen
from isolation_fast.process import Child, FrameError, Kind, Python, program_of
from isolation_fast.submission import FILE_NAME
from isolation_grader.classes import statements
from isolation_grader.classes.statements import MOST_BYTES, Statements, Window
from isolation_grader.exceptions import UsageError
from isolation_grader.report import Document

SCHEMA: Final = "isolation-grader/copies/1"
"""What its JSON begins with. Another number is another meaning of the fields."""
THRESHOLD: Final = 80.0
"""Bits of evidence of the pairs that are shown; `docs/copies.md` says what pairs of strangers have."""
OTHERS: Final = 30
"""As if so many more submissions had none of the windows: in a small class little is rare for sure."""
MOST_HOLDERS: Final = 20
"""A window that more submissions hold, and more than a third of the class, says nothing about two of them."""
MOST_READ: Final = 2**20
"""Bytes of a file."""
MOST_FILES: Final = 50
"""Of a submission."""
TEMPLATE: Final = "template.txt"
COURSE_FILES: Final = frozenset(
    ["agent_test.py", "competition_agent.py", "isolation.py", "sample_players.py", "tournament.py"]
)
"""Which come with the course's code."""
CPU_SECONDS: Final = 10.0
WALL_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Lines(Document):
    """Lines of a file."""

    file: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Shared(Document):
    """Statements in a row that two submissions share: where they are, and their text side by side."""

    first: Lines
    second: Lines
    rows: tuple[tuple[str, str], ...]
    """A row for each statement; of one with a body, its head."""

    @property
    def statements(self) -> int:
        """How many they are."""
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Pair(Document):
    """Two submissions, and what they share."""

    JSON = "first second evidence statements share_of_first share_of_second shared"

    first: str
    second: str
    evidence: float
    """Bits; pairs with more share what is rarer, or more of it."""
    share_of_first: float
    """How much of its statements is shared, from 0 to 1."""
    share_of_second: float
    shared: tuple[Shared, ...]
    """The longest first."""

    @property
    def statements(self) -> int:
        """How many are shared."""
        return sum(each.statements for each in self.shared)


@dataclass(frozen=True, slots=True)
class Unread(Document):
    """A file that is no Python, and why."""

    name: str
    problem: str


@dataclass(frozen=True)
class Copies(Document):
    """The pairs of a class that share more than strangers do, those with the most evidence first."""

    JSON = "schema threshold submissions pairs unread"
    schema: ClassVar[str] = SCHEMA

    threshold: float
    submissions: tuple[str, ...]
    """Those that were compared."""
    pairs: tuple[Pair, ...]
    unread: tuple[Unread, ...] = ()
    others: tuple[tuple[str, str, float], ...] = field(default=(), repr=False)
    """Every pair below the threshold that shares anything, and its evidence."""


def copies(
    submissions: Mapping[str, Path], *, threshold: float = THRESHOLD, templates: Sequence[Path] = ()
) -> Copies:
    """Compare submissions by name: the file of each, with the modules beside a `game_agent.py`.

    What is in `templates` counts as the course's template does: as nothing. Nothing is run.

    >>> from pathlib import Path
    >>> same = {name: Path("examples/territory_agent.py") for name in ("ada", "bob")}
    >>> found = copies({**same, "cleo": Path("tests/submissions/comparison/drawing_lots/game_agent.py")})
    >>> [(each.first, each.second) for each in found.pairs]
    [('ada', 'bob')]
    """
    sources = {name: dict(_sources(file)) for name, file in submissions.items()}
    texts = {
        name: {file: content for file, content in files.items() if isinstance(content, bytes)}
        for name, files in sources.items()
    }
    with _Reading() as reading:
        for each in templates:
            try:
                with each.open("rb") as opened:
                    of_template = reading.read(opened.read(MOST_READ + 1))
            except (OSError, ValueError) as error:
                why = (isinstance(error, OSError) and error.strerror) or error
                raise UsageError(f"a template cannot be read: {each}: {why}") from error
            if of_template.problem is not None:
                raise UsageError(f"a template cannot be read: {each}: {of_template.problem}")
            reading.know(each.hash for each in of_template.windows)
        found = {
            name: {
                file: Statements(problem=content) if isinstance(content, str) else reading.read(content)
                for file, content in files.items()
            }
            for name, files in sources.items()
        }
    unread = tuple(
        Unread(f"{name}: {file}" if len(files) > 1 else name, each.problem)
        for name, files in found.items()
        for file, each in files.items()
        if each.problem is not None
    )
    read = {name: files for name, files in found.items() if any(each.statements for each in files.values())}
    bits = _bits(read)
    pairs: list[Pair] = []
    others: list[tuple[str, str, float]] = []
    for (first, second), evidence in sorted(bits.items(), key=lambda item: (-item[1], item[0])):
        if evidence < threshold:
            others.append((first, second, evidence))
        else:
            sides = [(each, read[each], texts[each]) for each in (first, second)]
            pairs.append(_pair(evidence, sides[0], sides[1]))
    return Copies(threshold, tuple(read), tuple(pairs), unread, tuple(others))


# ---- reading


def _sources(file: Path) -> Iterator[tuple[str, bytes | str]]:
    """The own files of a submission by their names; in place of one that cannot be read, why."""
    yield file.name, _content(file)
    if file.name != FILE_NAME:
        return
    found = 1
    try:
        for path in files_seen(file):
            name = path.relative_to(file.parent).as_posix()
            if name.endswith(".py") and path != file and _is_own(Path(name)):
                yield name, _content(path)
                found += 1
            if found >= MOST_FILES:
                return
    except (OSError, ValueError, RuntimeError) as error:
        # What was had before is compared.
        yield "its folder", str(error)


def _content(file: Path) -> bytes | str:
    """The bytes of a file, not many more than may be read; why, where it cannot be read."""
    try:
        if file.is_symlink() or not file.is_file():
            return "it is not a regular file"
        with file.open("rb") as opened:
            return opened.read(MOST_READ + 1)
    except (OSError, ValueError) as error:
        return f"it cannot be read: {(isinstance(error, OSError) and error.strerror) or error}"


def _is_own(path: Path) -> bool:
    parts = path.parts
    is_test = any(each.startswith("test") for each in parts)
    return not (is_test or parts[0] == "isolation" or parts[-1] in COURSE_FILES or parts[0].startswith("."))


class _Reading:
    """Reads files in a process without rights; another one takes its place where a file ends it."""

    def __init__(self) -> None:
        lines = resources.files(__package__).joinpath(TEMPLATE).read_text("utf-8").splitlines()
        self._known = {int(each, 16) for each in lines if not each.startswith("#")}
        self._stack, self._child = ExitStack(), None

    _child: Child | None

    def __enter__(self) -> _Reading:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def know(self, hashes: Iterator[int]) -> None:
        """Leave these windows out from now on."""
        self._known |= set(hashes)
        self._stack.close()
        self._child = None

    def read(self, source: bytes) -> Statements:
        """The statements of a file; with a problem where it cannot be read."""
        if len(source) > MOST_READ:
            return Statements(problem=f"it has more than {MOST_READ:,} bytes")
        try:
            sent = self._ask(Kind.PLAY, source)
            return statements.read(json.loads(sent))
        except (Fault, FrameError, ValueError, KeyError, TypeError) as error:
            self._stack.close()
            self._child = None
            return Statements(
                problem=f"it cannot be read: {error.detail if isinstance(error, Fault) else error}"
            )

    def _ask(self, kind: Kind, content: bytes) -> bytes:
        if self._child is None:
            start = Python(program_of(statements.__name__), environment=dict(os.environ))
            self._child = self._stack.enter_context(Child(start, most_bytes=MOST_BYTES))
            self._ask(Kind.LOAD, json.dumps(sorted(self._known)).encode())
        return self._child.ask(kind, content, Kind.REPORTED, CPU_SECONDS, WALL_SECONDS).frame.content


# ---- comparing

_Files = Mapping[str, Statements]


def _bits(read: Mapping[str, _Files]) -> dict[tuple[str, str], float]:
    """The evidence of every pair that shares a window."""
    holders: dict[int, list[str]] = defaultdict(list)
    mirrored: dict[int, int] = {}
    for name, files in read.items():
        windows = {each.hash: each.mirrored for one in files.values() for each in one.windows}
        mirrored |= windows
        for window in windows:
            holders[window].append(name)
    most = max(MOST_HOLDERS, len(read) // 3)
    shared: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    for window, names in holders.items():
        if 2 <= len(names) <= most:
            rare = log2((len(read) - 2 + OTHERS) / (len(names) - 1))
            for pair in combinations(names, 2):
                # Of two windows that mirror each other one counts, the rarer one.
                same = mirrored[window]
                shared[pair][same] = max(rare, shared[pair].get(same, 0.0))
    choice = log2(max(1, comb(len(read), 2)))
    return {pair: round(sum(each.values()) - choice, 1) for pair, each in shared.items()}


_Side = tuple[str, _Files, Mapping[str, bytes]]


def _pair(evidence: float, first: _Side, second: _Side) -> Pair:
    runs = sorted(_runs(first[1], second[1]), key=lambda run: (-run.length, run))
    shared = tuple(_shared(run, first, second) for run in runs)
    same = sum(each.statements for each in shared)
    of_first, of_second = (sum(len(each.statements) for each in side[1].values()) for side in (first, second))
    return Pair(first[0], second[0], evidence, same / of_first, same / of_second, shared)


class _Run(NamedTuple):
    """Statements in a row that are the same in a file of each."""

    file: str
    start: int
    other_file: str
    other_start: int
    length: int


def _runs(first: _Files, second: _Files) -> Iterator[_Run]:
    """The longest ones that do not overlap, in either submission."""
    places: dict[int, list[tuple[str, Window]]] = defaultdict(list)
    for other_file, its in second.items():
        for window in its.windows:
            places[window.hash].append((other_file, window))
    # On a diagonal the statements of both go on together.
    diagonals: dict[tuple[str, str, int], set[int]] = defaultdict(set)
    for file, own in first.items():
        for window in own.windows:
            for other_file, its_window in places.get(window.hash, ()):
                along = diagonals[file, other_file, its_window.start - window.start]
                along.update(range(window.start, window.start + window.length))
    found = [
        _Run(file, start, other_file, start + shift, length)
        for (file, other_file, shift), along in diagonals.items()
        for start, length in _rows(along)
    ]
    taken, its_taken = set[tuple[str, int]](), set[tuple[str, int]]()
    for run in sorted(found, key=lambda each: (-each.length, each)):
        mine = {(run.file, run.start + each) for each in range(run.length)}
        theirs = {(run.other_file, run.other_start + each) for each in range(run.length)}
        if not (mine & taken or theirs & its_taken):
            taken |= mine
            its_taken |= theirs
            yield run


def _rows(numbers: set[int]) -> Iterator[tuple[int, int]]:
    """Numbers that follow each other, as the first one and how many."""
    groups = Counter(each - place for place, each in enumerate(sorted(numbers)))
    done = 0
    for start, length in sorted(groups.items()):
        yield start + done, length
        done += length


def _shared(run: _Run, first: _Side, second: _Side) -> Shared:
    where, texts = [], []
    for side, file, start in ((first, run.file, run.start), (second, run.other_file, run.other_start)):
        some = side[1][file].statements[start : start + run.length]
        lines = statements.lines_of(side[2][file])
        where.append(Lines(file, min(each.first for each in some), max(each.last for each in some)))
        texts.append([_text(lines[each.first - 1 : each.last]) for each in some])
    return Shared(where[0], where[1], tuple(zip(*texts, strict=True)))


def _text(lines: list[str]) -> str:
    """Lines without comments and blank ones after them, which come before a body."""
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines = lines[:-1]
    return "\n".join(lines)


def recorded(sources: Sequence[bytes]) -> str:
    """The hashes of a template's windows, as they are kept in this package."""
    found = {each.hash for source in sources for each in statements.statements_of(source).windows}
    return "".join(f"{each:012x}\n" for each in sorted(found))
