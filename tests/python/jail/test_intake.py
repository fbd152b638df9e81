"""What is taken in of what is handed in: plain files with names as ours, within the limits, and no links."""

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from isolation_fast.jail import InMemory, OnDisk, Tree, intake, plain_name, share, take_in
from isolation_fast.submission import NotCopiedError

Write = Callable[..., Path]
HEURISTIC = "def custom_score(game, player):\n    return 0.0\n"


def taken(place: Path, into: Path) -> Tree:
    tree = take_in([("", OnDisk(place))], into)
    assert tree.names == tuple(
        sorted(each.relative_to(into).as_posix() for each in into.rglob("*") if not each.is_dir())
    )
    return tree


def test_what_is_taken_leaves_out_version_control_environments_and_caches(
    write_submission: Write, tmp_path: Path
) -> None:
    folder = write_submission(
        HEURISTIC,
        {
            "helpers/deep.py": "",
            "data.bin": b"\0\xff",
            ".git/config": "",
            ".venv/lib/x.py": "",
            "node_modules/x.js": "",
            "helpers/__pycache__/deep.pyc": "",
            "env/pyvenv.cfg": "",
            "env/lib/y.py": "",
        },
    )
    tree = taken(folder, tmp_path / "tree")
    assert tree.names == ("data.bin", "game_agent.py", "helpers/deep.py")
    assert (tree.folder / "data.bin").read_bytes() == b"\0\xff"


def test_nothing_is_taken_but_files_and_nothing_that_links_lead_to(
    write_submission: Write, tmp_path: Path
) -> None:
    (tmp_path / "outside.txt").write_text("outside")
    folder = write_submission(HEURISTIC, {"own/data.txt": "own"})
    for name, target in (
        ("file.txt", tmp_path / "outside.txt"),
        ("again", folder / "own"),
        ("lost", tmp_path / "nowhere"),
        ("own/round", folder),
    ):
        (folder / name).symlink_to(target)
    os.mkfifo(folder / "pipe")
    tree = taken(folder, tmp_path / "tree")
    assert tree.names == ("game_agent.py", "own/data.txt")
    assert [name for name, _ in tree.left] == ["again", "file.txt", "lost", "own/round", "pipe"]
    assert tree.left[-1][1] == "is not a regular file"


@pytest.mark.parametrize(
    ("bound", "said"), [("MOST_FILES", "more than 8 files and folders"), ("MOST_SIZE", "more than 0 MiB")]
)
def test_more_than_a_student_may_hand_in_is_not_taken(
    bound: str, said: str, write_submission: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_submission(HEURISTIC, {f"photo{number}.jpg": "xxxxx" for number in range(10)})
    monkeypatch.setattr(intake, bound, 8)
    with pytest.raises(NotCopiedError, match=said):
        taken(folder, tmp_path / "tree")
    assert not (tmp_path / "tree").exists()


def test_what_is_handed_in_twice_is_bounded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MOST_SIZE", 8)
    files = [(f"{number}.py", InMemory(b"xxx")) for number in range(3)]
    assert len(take_in(files[:2], tmp_path / "two").names) == 2
    with pytest.raises(NotCopiedError):
        take_in(files, tmp_path / "three")


def test_a_file_that_cannot_be_read_is_named_by_its_place_below_the_folder(
    write_submission: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_submission(HEURISTIC, {"data/weights.bin": "x"})
    usual = os.open

    def refuse(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "weights.bin":
            raise PermissionError(13, "Permission denied", str(folder))
        return usual(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(os, "supports_dir_fd", {refuse})
    with pytest.raises(NotCopiedError, match=r"^data/weights\.bin cannot be read: Permission denied$"):
        taken(folder, tmp_path / "tree")


def test_names_are_made_ours(tmp_path: Path) -> None:
    names = {
        "cafe\u0301.py": "caf\u00e9.py",
        os.fsdecode(b"caf\xe9.txt"): "caf_.txt",
        "n" * 252 + ".py": "n" * 252 + ".py",
        "right\u202eleft": "right_left",
    }
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in names:
        (folder / name).touch()
    assert set(taken(folder, tmp_path / "tree").names) == set(names.values())


@pytest.mark.parametrize(
    "name", ["a\0.py", "a\x1b.py", "/a.py", "C:/a.py", "../a.py", "n" * 256, "d/" * 32 + "a"]
)
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(NotCopiedError):
        plain_name(name)


@pytest.mark.parametrize("other", ["Weights.py", "weights.PY", "\uff57eights.py", "weights.py/deep.py"])
def test_names_that_some_system_takes_for_one_are_refused(other: str, tmp_path: Path) -> None:
    with pytest.raises(NotCopiedError, match=r"two files called|a file and a folder at once"):
        take_in([("weights.py", InMemory(b"")), (other, InMemory(b""))], tmp_path / "tree")


def test_of_two_files_that_are_no_python_the_second_is_left_out_and_named(tmp_path: Path) -> None:
    handed = [(name, InMemory(name.encode())) for name in ("a.py", "README.md", "readme.md", "b.py")]
    tree = take_in(handed, tmp_path / "tree")
    assert tree.names == ("README.md", "a.py", "b.py")
    assert tree.left == (("readme.md", intake.TWIN),)
    assert (tree.folder / "README.md").read_text() == "README.md"


def test_too_much_is_said_with_what_is_allowed_and_not_with_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "MOST_SIZE", 3 * 2**20)
    two = InMemory(bytes(2 * 2**20))
    with pytest.raises(NotCopiedError, match="more than 3 MiB"):
        take_in([("a.py", two), ("b.py", two)], tmp_path / "tree")


def test_a_zip_is_unpacked_only_where_there_is_no_python(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner.zip", tmp_path / "outer.zip"
    for path, name, content in ((inner, "src/game_agent.py", b"1"), (outer, "inner.zip", None)):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name, inner.read_bytes() if content is None else content)
    zipped = ("all.zip", OnDisk(outer))
    assert take_in([zipped], tmp_path / "a").names == ("src/game_agent.py",)
    assert take_in([zipped, ("notes.pdf", InMemory(b""))], tmp_path / "b").names == (
        "notes.pdf",
        "src/game_agent.py",
    )
    beside = take_in([zipped, ("mine.py", InMemory(b""))], tmp_path / "c")
    assert beside.names == ("all.zip", "mine.py")


def test_what_is_shared_is_put_where_there_is_none(tmp_path: Path) -> None:
    names = ("helper.py", "agent.py", "other.py")
    tree = take_in([("agent.py", InMemory(b"own")), ("Other.py", InMemory(b"own"))], tmp_path / "tree")
    share([(each, InMemory(b"all")) for each in names], tree.folder)
    assert {each.name: each.read_bytes() for each in tree.folder.iterdir()} == {
        "agent.py": b"own",
        "Other.py": b"own",
        "helper.py": b"all",
    }
