"""What is read: submissions, classic checkouts, and the folder in which a worker finds copies of both."""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import site
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from isolation_fast.classic import Layout, detect_layout
from isolation_fast.exceptions import IsolationError
from isolation_fast.jail import OnDisk, take_in
from isolation_fast.jail.copies import copy_submission
from isolation_fast.submission import FILE_NAME

__all__ = [
    "Checkout",
    "ComparisonError",
    "Found",
    "NoCheckoutError",
    "Surroundings",
    "choose_checkout",
    "environment",
    "find_submissions",
    "read_checkout",
]

SAMPLE_PLAYERS: Final = "sample_players.py"
KEPT_VARIABLES: Final = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")


class ComparisonError(IsolationError, ValueError):
    """A comparison that cannot be made: no submissions, no checkout, a number out of range."""


@dataclass(frozen=True, slots=True)
class Found:
    """A submission: the name by which it is reported, and its file."""

    name: str
    path: Path


def find_submissions(folder: Path) -> tuple[tuple[Found, ...], tuple[str, ...]]:
    """The submissions of a folder by name, and the names of its sub-folders that hold none.

    `folder` is a `game_agent.py`, or a folder with one, or one whose direct sub-folders have one.
    """
    try:
        if not folder.exists():
            raise ComparisonError(f"{str(folder)!r} does not exist")
        if folder.is_file():
            return (Found(folder.resolve().parent.name, folder),), ()
        if (folder / FILE_NAME).is_file():
            return (Found(folder.resolve().name, folder / FILE_NAME),), ()
        subfolders = sorted(
            each for each in folder.iterdir() if each.is_dir() and not each.name.startswith(".")
        )
    except PermissionError as error:
        raise ComparisonError(f"{str(folder)!r} cannot be read: {error.strerror}") from error
    found = tuple(Found(each.name, each / FILE_NAME) for each in subfolders if _may_have_one(each))
    if not found:
        raise ComparisonError(
            f"no submission in {str(folder)!r}: it is to be a {FILE_NAME}, a folder with one, "
            "or a folder whose direct sub-folders have one"
        )
    taken = {each.name for each in found}
    return found, tuple(each.name for each in subfolders if each.name not in taken)


def _may_have_one(folder: Path) -> bool:
    """Whether a folder holds a submission, or cannot be looked into; its copy will say so."""
    try:
        return (folder / FILE_NAME).is_file()
    except PermissionError:
        return True


class NoCheckoutError(ComparisonError):
    """A submission uses private names that no board of the checkouts has."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A checkout of the classic code, as read from its sources; nothing of it is run.

    - `layout`: which parameters its players' `get_move` takes.
    - `names`: the names that occur as attributes, methods or functions in its `isolation`.
    - `digest`: a hash of those sources.
    """

    path: Path
    layout: Layout
    names: frozenset[str]
    digest: str

    @property
    def shuffles(self) -> bool:
        """Whether its board lists a knight's moves in random order, as all but the first boards do."""
        return "shuffle" in self.names

    def to_dict(self) -> dict[str, Any]:
        """Plain values of it, for JSON."""
        return {**asdict(self), "path": str(self.path), "names": sorted(self.names)}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Checkout:
        """The checkout that `to_dict` made this of."""
        return cls(Path(content["path"]), content["layout"], frozenset(content["names"]), content["digest"])


def read_checkout(path: Path) -> Checkout:
    """Read a checkout's sources, or say what it lacks."""
    package = path / "isolation"
    if not path.is_dir():
        raise ComparisonError(f"the classic checkout {str(path)!r} is no folder")
    if not (package / "__init__.py").is_file() or not (path / SAMPLE_PLAYERS).is_file():
        lacking = "isolation/__init__.py" if not (package / "__init__.py").is_file() else SAMPLE_PLAYERS
        raise ComparisonError(f"{str(path)!r} is no checkout of the classic code: it has no {lacking}")
    digest = hashlib.sha256()
    names: set[str] = set()
    for source in sorted(package.rglob("*.py")):
        text = _text(source, digest)
        names |= _names_in(text, source)
    players = _text(path / SAMPLE_PLAYERS, digest)
    try:
        layout = detect_layout([players])
    except SyntaxError as error:
        raise ComparisonError(f"{str(path / SAMPLE_PLAYERS)!r} cannot be parsed: {error}") from error
    return Checkout(path.resolve(), layout, frozenset(names), digest.hexdigest())


def choose_checkout(layout: Layout, early_names: Collection[str], checkouts: Sequence[Checkout]) -> int:
    """The number, from 0 on, of the first checkout that fits a submission.

    It must have the oldest private names that the submission uses, and should have its layout.
    """
    wanted = set(early_names)
    able = [number for number, each in enumerate(checkouts) if wanted <= each.names]
    if not able:
        named = ", ".join(sorted(wanted))
        raise NoCheckoutError(
            f"it uses the oldest private names, and no checkout given has them all: {named}"
        )
    return next((number for number in able if checkouts[number].layout == layout), able[0])


def _text(path: Path, digest: Any) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ComparisonError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    digest.update(b"%d " % len(content) + content)
    return content.decode("utf-8", "replace")


def _names_in(text: str, path: Path) -> set[str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise ComparisonError(f"{str(path)!r} cannot be parsed: {error}") from error
    found = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return found | {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


class Surroundings:
    """The folder of one worker: copies of the submission and of the checkouts, a home, temporary files."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.submission = place / "submission"
        self.home, self.temporary = place / "home", place / "tmp"
        self._names: dict[str, str] = {}

    def make(self, file: Path, checkouts: Sequence[Path], *, trusted: bool) -> list[Path]:
        """Copy a submission and checkouts; gives where the checkouts are.

        Of one that is not trusted, only that is copied which is its own: it must not read the rest.
        """
        if trusted:
            take_in([("", OnDisk(file.parent.resolve()))], self.submission)
        else:
            copy_submission(file.parent.resolve() / file.name, self.submission)
        for each in (self.home, self.temporary):
            each.mkdir()
        copies = [self.place / f"classic_{number}" for number in range(1, len(checkouts) + 1)]
        for original, copy in zip(checkouts, copies, strict=True):
            _copy_checkout(original, copy)
            self._names[str(copy)] = original.name
        return copies

    def names(self, submission: str) -> dict[str, str]:
        """How each path is told, from the longest to the shortest."""
        return {
            f"{self.submission}{os.sep}": "",
            str(self.submission): submission,
            **self._names,
            str(self.home): "HOME",
            str(self.temporary): "TMPDIR",
            str(self.place): "",
        }


def _copy_checkout(path: Path, target: Path) -> None:
    """Copy of a checkout what submissions import."""
    take_in([("", OnDisk((path / "isolation").resolve()))], target / "isolation")
    shutil.copyfile(path / SAMPLE_PLAYERS, target / SAMPLE_PLAYERS)


def environment(around: Surroundings) -> dict[str, str]:
    """The variables of a worker's environment."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    paths = [os.path.abspath(each) for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each]  # noqa: PTH100
    if paths:
        kept["PYTHONPATH"] = os.pathsep.join(paths)
    if site.ENABLE_USER_SITE:
        # With another HOME, packages of the user's own would not be found.
        kept["PYTHONUSERBASE"] = site.getuserbase()
    return {
        **kept,
        "HOME": str(around.home),
        "TMPDIR": str(around.temporary),
        "LANG": "C.UTF-8",
        "MPLBACKEND": "Agg",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
