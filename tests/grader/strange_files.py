"""What a student may hand in that is no submission: on disk by kind, and as zips of raw entries."""

from __future__ import annotations

import io
import os
import socket
import stat
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from class_scene import PLAIN

LEVELS = 1_800
"""More than Python calls within each other; a path of so many is still one."""
AGENT = PLAIN.encode()


def deep(folder: Path, levels: int = LEVELS) -> None:
    """Folders within each other, of any number."""
    folder.mkdir(parents=True)
    place = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=place)
        inner = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(os.open("end.py", os.O_CREAT, dir_fd=place))
    os.close(place)


def entry(name: str, mode: int = 0) -> zipfile.ZipInfo:
    """An entry of a zip of Unix."""
    made = zipfile.ZipInfo(name)
    made.external_attr = mode << 16
    made.create_system = 3
    return made


def zipped(*entries: tuple[zipfile.ZipInfo | str, bytes]) -> bytes:
    """A zip of these entries."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, content in entries:
            # An entry of a name alone would have the time of now, and so other bytes each time.
            made = entry(info, 0o600) if isinstance(info, str) else info
            archive.writestr(made, content, zipfile.ZIP_DEFLATED)
    return held.getvalue()


def renamed(archive: bytes, old: bytes, new: bytes) -> bytes:
    """With another name of an entry, that no library writes: as long, in both places."""
    assert len(old) == len(new)
    assert archive.count(old) == 2
    return archive.replace(old, new)


def changed(archive: bytes, name: bytes, place: int, content: bytes) -> bytes:
    """With other bytes in the list's entry of that name, at a place in it."""
    start = archive.rindex(b"PK\x01\x02", 0, archive.rindex(name)) + place
    return archive[:start] + content + archive[start + len(content) :]


GOOD = ("good/game_agent.py", AGENT)
BAD = b"bad/game_agent.py"
_BOTH = zipped(GOOD, (BAD.decode(), AGENT))
BAD_ENTRIES: Mapping[str, bytes] = {
    "NUL": renamed(zipped(GOOD, ("bad/game_agent?py", AGENT)), b"agent?py", b"agent\0py"),
    "no UTF-8": renamed(zipped(GOOD, ("bad/\u00e9.py", AGENT)), "\u00e9".encode(), b"\xe9\xe9"),
    "surrogates": renamed(zipped(GOOD, ("bad/\u20ac.py", AGENT)), "\u20ac".encode(), b"\xed\xa0\x80"),
    "long name": zipped(GOOD, (f"bad/{'a' * 5_000}.py", AGENT)),
    "long path": zipped(GOOD, ("/".join(["bad", *["a" * 190] * 30, "game_agent.py"]), AGENT)),
    "deep": zipped(GOOD, ("/".join(["bad", *"d" * LEVELS, "game_agent.py"]), AGENT)),
    "link": zipped(GOOD, (entry(BAD.decode(), stat.S_IFLNK | 0o777), b"../good/game_agent.py")),
    "leads out": zipped(GOOD, (BAD.decode(), AGENT), ("bad/../../other.py", AGENT)),
    "twice": zipped(GOOD, (BAD.decode(), AGENT), ("bad/Game_Agent.py", AGENT)),
    "a file and a folder": zipped(GOOD, (BAD.decode(), AGENT), (f"{BAD.decode()}/inner.py", AGENT)),
    "wrong CRC": changed(_BOTH, BAD, 16, b"\1\2\3\4"),
    "encrypted": changed(_BOTH, BAD, 8, b"\1"),
    "huge": changed(_BOTH, BAD, 20, struct.pack("<2I", 0xFFFFFFF0, 0xFFFFFFF0)),
    "of another version": changed(_BOTH, BAD, 6, b"\xff"),
    "an odd method": changed(_BOTH, BAD, 10, b"\x63\0"),
    "no header of its own": changed(_BOTH, BAD, 42, struct.pack("<I", 3)),
}
"""Zips of a good entry and of one below `bad` that cannot be taken, by what is wrong with it."""


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as opened:
        here = Path.cwd()
        os.chdir(path.parent)  # a name of a socket may have a hundred bytes
        try:
            opened.bind(path.name)
        finally:
            os.chdir(here)


def _loop(folder: Path) -> None:
    folder.mkdir()
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")
    (folder / "up").symlink_to("..")
    (folder / "game_agent.py").symlink_to("game_agent.py")


def _folder(content: Mapping[str, bytes]) -> Callable[[Path], None]:
    def made(folder: Path) -> None:
        for name, held in content.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(held)

    return made


def _fifo_within(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / "game_agent.py")


def _bytes(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def _deep_beside(folder: Path) -> None:
    deep(folder)
    (folder / "game_agent.py").write_bytes(AGENT)


ON_DISK: Mapping[str, Callable[[Path], object]] = {
    "deep": deep,
    "deep-beside": _deep_beside,
    "deeper-than-a-path": lambda folder: deep(folder, 2_500),
    "fifo.py": os.mkfifo,
    "fifo-agent": _fifo_within,
    "socket.py": _socket,
    "dangling.py": lambda path: path.symlink_to("gone.py"),
    "dangling-folder": lambda path: path.symlink_to("gone"),
    "cyclic.py": lambda path: path.symlink_to("cyclic.py"),
    "loops": _loop,
    "a-folder": lambda folder: (folder / "game_agent.py").mkdir(parents=True),
    "a-folder.py": lambda folder: (folder / "x").mkdir(parents=True),
    "empty": Path.mkdir,
    "zips": _folder({"a.zip": b"PK\5\6", "b.zip": b""}),
    "truncated.zip": _bytes(zipped(("game_agent.py", AGENT * 9))[:-30]),
    "cut.zip": _bytes(zipped(("game_agent.py", AGENT * 9))[60:]),
    "fifo.zip": os.mkfifo,
    "dangling.zip": lambda path: path.symlink_to("gone.zip"),
    "folder.zip": Path.mkdir,
    "nameless.zip": _bytes(renamed(zipped(("?", AGENT)), b"?", b"\0")),
}
"""By the name of the entry, what makes it; the submission of none of them can be graded."""
