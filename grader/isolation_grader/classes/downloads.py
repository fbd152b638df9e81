"""What a download has at its top, be it a folder or a zip: nothing of it is read or unpacked here.

Of a download whose only folder holds all, as it is often packed, it is what that folder has.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from isolation_fast.jail import BESIDE, Archive, InZip, OnDisk, plain_name, shown
from isolation_fast.submission import FILE_NAME, NotCopiedError
from isolation_grader.classes.layouts import Entry, Kind
from isolation_grader.exceptions import UsageError

AGENTS: Final = (FILE_NAME, "my_custom_player.py")
"""What the course calls the file that is graded, the usual name first."""
MOST_ENTRIES: Final = 200_000
"""Of the zip of a whole class."""
KINDS: Final[Sequence[tuple[Kind, Callable[[int], bool]]]] = (
    ("folder", stat.S_ISDIR),
    ("file", stat.S_ISREG),
    ("link", stat.S_ISLNK),
)


@dataclass(frozen=True, slots=True)
class Download:
    """The submissions of a class, in the order of their names."""

    folder: str
    """The name of the folder around all, by which some layouts are known."""
    entries: tuple[Entry, ...]
    left: tuple[tuple[str, str], ...] = ()
    """What is nobody's and cannot be taken in, each with the reason."""


def opened_download(place: Path, opened: ExitStack) -> Download:
    """What is in a folder or a zip, which stays open as long as `opened`; else a `UsageError`."""
    try:
        mode = place.stat().st_mode
        if stat.S_ISDIR(mode):
            return _in_folder(place)
    except FileNotFoundError as error:
        raise UsageError(f"there is no such folder or zip: {place}") from error
    except (OSError, ValueError) as error:
        raise UsageError(f"{place} cannot be read: {_why(error)}") from error
    if place.suffix == ".py" or not stat.S_ISREG(mode):
        hint = "name the folder that has it; isolation-grade check grades one file"
        raise UsageError(f"{place} is neither a folder nor a zip", hint)
    try:
        file = opened.enter_context(place.open("rb"))
        return _in_zip(place.stem, opened.enter_context(Archive(file.fileno(), MOST_ENTRIES)))
    except OSError as error:
        raise UsageError(f"{place}: {_why(error)}", "name a folder, or a zip of submissions") from error


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _in_folder(folder: Path) -> Download:
    entries = _listed(folder)
    if len(entries) == 1 and entries[0].kind == "folder":
        inner = folder / entries[0].name
        if not any((inner / each).is_file() for each in AGENTS):
            return Download(inner.name, _listed(inner))
    return Download(folder.name or Path(os.path.realpath(folder)).name, entries)


def _listed(folder: Path) -> tuple[Entry, ...]:
    return tuple(_on_disk(folder / name) for name in sorted(os.listdir(folder)) if _is_handed_in(name))  # noqa: PTH208


def _is_handed_in(name: str) -> bool:
    return not name.startswith(".") and name not in BESIDE


def _on_disk(path: Path) -> Entry:
    mode = os.lstat(path).st_mode
    kind: Kind = next((kind for kind, is_so in KINDS if is_so(mode)), "other")
    return Entry(path.name, kind, (("" if kind == "folder" else path.name, OnDisk(path)),))


# ---- zips


@dataclass(frozen=True, slots=True)
class _Part:
    """An entry of a zip: where it is, what it is, unless it is a folder, and why it cannot be taken in."""

    parts: tuple[str, ...]
    item: InZip | None
    refused: str | None


def _in_zip(stem: str, archive: Archive) -> Download:
    found, left = list[_Part](), list[tuple[str, str]]()
    for number, (name, problem) in enumerate(archive.entries):
        parts, refused = _placed(name, problem)
        if parts is None and refused is not None:
            left.append((name, refused))
        elif parts and _is_handed_in(parts[0]):
            found.append(
                _Part(parts, None if name.endswith(("/", "\\")) else InZip(archive, number), refused)
            )
    # A bad file at the top says nothing of whether one folder is around all submissions.
    sure = [each for each in found if each.refused is None or len(each.parts) > 1]
    tops = {each.parts[0] for each in sure}
    if len(tops) == 1 and not any(map(_is_alone, sure)):
        left += (("/".join(each.parts), each.refused) for each in found if each.refused and each not in sure)
        found = [_Part(each.parts[1:], each.item, each.refused) for each in sure if each.parts[1:]]
        stem = tops.pop()
    groups: dict[str, list[_Part]] = {}
    for each in found:
        groups.setdefault(each.parts[0], []).append(each)
    return Download(stem, tuple(_entry(*each) for each in sorted(groups.items())), tuple(left))


def _placed(name: str, problem: str) -> tuple[tuple[str, ...] | None, str | None]:
    """Where an entry is, as far as its name says it, and why it cannot be taken in."""
    try:
        return plain_name(name), f"{shown(name)} {problem}" if problem else None
    except NotCopiedError as error:
        parts = tuple(each for each in name.replace("\\", "/").split("/") if each not in ("", "."))
        is_elsewhere = name.startswith("/") or ".." in parts or parts[:1] == () or parts[0].endswith(":")
        return None if is_elsewhere else parts, str(error)


def _is_alone(part: _Part) -> bool:
    """Whether the folder around it, if there is one, is that of one student."""
    is_file = part.item is not None
    return is_file and (len(part.parts) == 1 or (len(part.parts) == 2 and part.parts[1] in AGENTS))


def _entry(name: str, parts: Sequence[_Part]) -> Entry:
    is_folder = any(len(each.parts) > 1 or each.item is None for each in parts)
    files = [("/".join(each.parts[1:]), each) for each in parts if each.item is not None]
    refused = next((each.refused for each in parts if each.refused is not None), None)
    if refused is None and any(not below for below, _ in files) and (is_folder or len(files) > 1):
        refused = f"{shown(name)} is there more than once"
    items = tuple((below or name, each.item) for below, each in files if each.item is not None)
    return Entry(name, "folder" if is_folder else "file", items, refused)
