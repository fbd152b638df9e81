"""Classic checkouts: what they must have, and which of several a submission is compared with."""

from __future__ import annotations

import ast
import hashlib
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from isolation_fast.classic import Layout, detect_layout
from isolation_fast.comparison.folders import ComparisonError, copy_folder

__all__ = ["Checkout", "NoCheckoutError", "choose_checkout", "copy_checkout", "read_checkout"]

SAMPLE_PLAYERS: Final = "sample_players.py"


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


def copy_checkout(path: Path, target: Path) -> None:
    """Copy of a checkout what submissions import."""
    copy_folder(path / "isolation", target / "isolation")
    shutil.copyfile(path / SAMPLE_PLAYERS, target / SAMPLE_PLAYERS)


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
