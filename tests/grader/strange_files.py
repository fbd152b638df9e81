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


def _many(folder: Path) -> None:
    folder.mkdir()
    for number in range(5_100):
        (folder / f"{number}.txt").touch()
    (folder / "game_agent.py").write_bytes(AGENT)


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


def _device(path: Path) -> None:
    """One that never ends; where only root may make it, a link to it."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o644, os.makedev(1, 5))
    except PermissionError:
        path.symlink_to("/dev/zero")


def _sparse(size: int) -> Callable[[Path], None]:
    def made(path: Path) -> None:
        with path.open("wb") as file:
            file.truncate(size)

    return made


def _sparse_parts(folder: Path) -> None:
    folder.mkdir()
    (folder / "game_agent.py").write_bytes(AGENT)
    for number in range(3):
        _sparse(30 * 2**20)(folder / f"{number}.bin")


def _device_within(folder: Path) -> None:
    folder.mkdir()
    _device(folder / "game_agent.py")


def nested(levels: int) -> bytes:
    """Zips within each other."""
    held = zipped(("game_agent.py", AGENT))
    for _ in range(levels):
        held = zipped(("inner.zip", held))
    return held


def overlapping(entries: int) -> bytes:
    """A zip whose entries all are the same bytes of it."""
    held = zipped(("0.py", bytes(2**20)))
    start = held.rindex(b"PK\x01\x02")
    listed = held[start : held.rindex(b"PK\x05\x06")]
    whole = b"".join(listed.replace(b"0.py", f"{number:04}".encode()) for number in range(entries))
    return held[:start] + whole + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0, 0, len(whole), start, 0)


def empty_blocks(size: int) -> bytes:
    """A file that has nothing in it and takes long to read: blocks of no bytes."""
    held = zipped(("game_agent.py", b"x" * 99))
    header = struct.unpack("<4s5H3L2H", held[:30])
    start = 30 + header[9]
    packed = header[7]
    rest = held[start + packed :]
    blocks = b"\0\0\0\xff\xff" * (size // 5)
    moved = renumbered(rest, len(blocks) - packed)
    return held[:start] + blocks + moved


def renumbered(rest: bytes, more: int) -> bytes:
    """The list of a zip that begins so many bytes later, with an entry that is so much larger."""
    end = rest.rindex(b"PK\5\6")
    (place,) = struct.unpack_from("<L", rest, end + 16)
    (packed,) = struct.unpack_from("<L", rest, 20)
    rest = rest[:20] + struct.pack("<L", packed + more) + rest[24:]
    return rest[: end + 16] + struct.pack("<L", place + more) + rest[end + 20 :]


TAKEN: Mapping[str, Callable[[Path], object]] = {
    "hard-links": lambda folder: _hard_links(folder),
    "latin-1": _folder({os.fsdecode(b"\xe9.py"): AGENT, os.fsdecode(b"caf\xe9/\xff.txt"): b""}),
    "longest-name": _folder({"game_agent.py": AGENT, "n" * 255: b""}),
    "accent": _folder({"cafe\u0301/game_agent.py": AGENT}),
    "out-of-time.py": lambda path: _out_of_time(path),
    "prefixed.zip": _bytes(b"#!/bin/sh\n" * 99 + zipped(("game_agent.py", AGENT))),
    "commented.zip": lambda path: _commented(path),
    "nested.zip": _bytes(nested(2)),
    "system.zip": _bytes(zipped(("a/game_agent.py", AGENT), ("__MACOSX/a/._game_agent.py", b"\0"))),
    "clone": _folder({"game_agent.py": AGENT, ".git/objects/game_agent.py": b"no"}),
    "environment": _folder({"game_agent.py": AGENT, "my/pyvenv.cfg": b"", "my/lib/game_agent.py": b"no"}),
    "no-rights": lambda folder: _without_rights(folder),
}
"""By the name of the entry, what makes it; the submission of each is as good as any."""


def _hard_links(folder: Path) -> None:
    folder.mkdir()
    (folder / "game_agent.py").write_bytes(AGENT)
    for number in range(99):
        os.link(folder / "game_agent.py", folder / f"{number}.txt")


def _commented(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("game_agent.py", AGENT)
        archive.comment = b"PK\x05\x06" + b"x" * 9


def _out_of_time(path: Path) -> None:
    path.write_bytes(AGENT)
    os.utime(path, (-(2**33), 2**33))


def _without_rights(folder: Path) -> None:
    """Readable, and nobody may write there or run it."""
    folder.mkdir()
    (folder / "game_agent.py").write_bytes(AGENT)
    (folder / "game_agent.py").chmod(0o400)
    folder.chmod(0o500)


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
    "device": _device_within,
    "device.py": _device,
    "sparse.py": _sparse(2**40),
    "sparse.zip": _sparse(2**40),
    "sparse-parts": _sparse_parts,
    "twins-by-case": _folder({"game_agent.py": AGENT, "Data.bin": b"", "data.bin": b""}),
    "twins-by-form": _folder({"game_agent.py": AGENT, "\u00e9.bin": b"", "e\u0301.bin": b""}),
    "many-files": lambda folder: _many(folder),
    "nested-too-deep.zip": _bytes(nested(5)),
    "overlapping.zip": _bytes(overlapping(4_000)),
    "many-entries.zip": _bytes(zipped(*((f"{number}.py", b"") for number in range(6_000)))),
    "empty-blocks.zip": _bytes(empty_blocks(2**22)),
    "bomb.zip": _bytes(zipped(("game_agent.py", bytes(60 * 2**20)))),
    "nameless.zip": _bytes(renamed(zipped(("?", AGENT)), b"?", b"\0")),
}
"""By the name of the entry, what makes it; the submission of none of them can be graded."""
