"""Which files of a submission's folder are copied and hashed."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from isolation_fast.submission import sources
from isolation_fast.submission.sources import NotCopiedError, copy_folder

Write = Callable[..., Path]
HEURISTIC = "def custom_score(game, player):\n    return 0.0\n"


def copied(folder: Path, target: Path) -> set[str]:
    copy_folder(folder, target)
    return {path.relative_to(target).as_posix() for path in target.rglob("*") if not path.is_dir()}


def test_a_copy_leaves_out_version_control_environments_and_caches(
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
    assert copied(folder, tmp_path / "copy") == {"game_agent.py", "helpers/deep.py", "data.bin"}
    assert (tmp_path / "copy" / "data.bin").read_bytes() == b"\0\xff"


def test_a_copy_holds_what_links_lead_to_and_no_links(write_submission: Write, tmp_path: Path) -> None:
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
    found = copied(folder, tmp_path / "copy")
    assert found == {"game_agent.py", "own/data.txt", "again/data.txt", "file.txt"}
    (tmp_path / "copy" / "file.txt").write_text("changed")
    assert (tmp_path / "outside.txt").read_text() == "outside"
    assert not any(path.is_symlink() for path in (tmp_path / "copy").rglob("*"))


@pytest.mark.parametrize("bound", ["MOST_FILES", "MOST_FOLDER_BYTES"])
def test_a_folder_full_of_other_things_is_not_copied(
    bound: str, write_submission: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_submission(HEURISTIC, {f"photo{number}.jpg": "xxxxx" for number in range(10)})
    monkeypatch.setattr(sources, bound, 8)
    with pytest.raises(NotCopiedError, match="a folder of its own"):
        copy_folder(folder, tmp_path / "copy")


def test_a_file_that_cannot_be_read_is_named_by_its_place_below_the_folder(
    write_submission: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_submission(HEURISTIC, {"data/weights.bin": "x"})

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(shutil, "copyfile", refuse)
    with pytest.raises(NotCopiedError, match=r"^data/weights\.bin cannot be read: Permission denied$"):
        copy_folder(folder, tmp_path / "copy")
