"""Whatever one student hands in is their own problem: all others are graded, and the class ends as usual."""

from __future__ import annotations

import csv
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from class_scene import PLAIN, UNREADABLE, WORDS, ended, files_of, grade, write_class
from strange_files import AGENT, BAD_ENTRIES, ON_DISK, deep, zipped

from isolation_fast.jail import copies
from isolation_grader.classes import find, finding
from isolation_grader.exceptions import ExitStatus, UsageError

ON_DISK_TOO = ("deep", "deep-beside", "fifo.py", "fifo.zip", "loops", "dangling-folder")
ZIPPED_TOO = ("NUL", "no UTF-8", "long path", "deep", "encrypted")
"""Of each kind some, for a class that is graded."""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder that is removed at once: what removes those of tests stumbles over deep ones."""
    yield tmp_path
    subprocess.run(["rm", "-rf", tmp_path], check=True)


@pytest.mark.parametrize("name", ON_DISK)
def test_what_cannot_be_graded_has_a_reason_and_the_others_are_found(name: str, place: Path) -> None:
    folder = write_class(place / "class", {"ada.py": PLAIN})
    ON_DISK[name](folder / name)
    for _ in range(2):
        found = {each.entry: each for each in find(folder, place / "unpacked").found}
        assert set(found) == {"ada.py", name}
        assert found["ada.py"].problem is None
        problem = found[name].problem
        assert problem is not None
        assert found[name].file is None
        assert str(place) not in problem.reason


@pytest.mark.parametrize("kind", BAD_ENTRIES)
def test_a_bad_entry_refuses_the_zip_of_one_student(kind: str, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada.py": PLAIN})
    (folder / "zoe.zip").write_bytes(BAD_ENTRIES[kind])
    ada, zoe = find(folder, tmp_path / "unpacked").found
    assert ada.problem is None
    assert zoe.problem is not None
    assert str(tmp_path) not in zoe.problem.reason


@pytest.mark.parametrize("kind", BAD_ENTRIES)
def test_a_bad_entry_of_a_download_is_a_problem_of_its_student_alone(kind: str, tmp_path: Path) -> None:
    (tmp_path / "download.zip").write_bytes(BAD_ENTRIES[kind])
    for _ in range(2):
        found = {each.key: each for each in find(tmp_path / "download.zip", tmp_path / "unpacked").found}
        assert found["good"].problem is None
        assert found["good"].file is not None
        assert found["good"].file.read_bytes() == AGENT
        # One is nobody's, and the other is whole, whatever is said of its size.
        if kind not in ("leads out", "huge"):
            problem = found["bad"].problem
            assert problem is not None
            assert str(tmp_path) not in problem.reason


def test_a_bad_file_of_a_flat_download_is_a_problem_of_its_student_alone(tmp_path: Path) -> None:
    good = ("adalovelace_11_901_game_agent.py", AGENT)
    bad = f"turingalan_12_902_{'game' * 60}_agent.py"
    (tmp_path / "download.zip").write_bytes(zipped(good, (bad, AGENT), ("../outside.py", AGENT)))
    sorted_ = find(tmp_path / "download.zip", tmp_path / "unpacked", layout="canvas")
    ada, alan = sorted_.found
    assert (ada.problem, alan.students[0].number) == (None, "12")
    assert alan.problem is not None
    assert "is no name for a file" in alan.problem.reason
    assert [name for name, _ in sorted_.left] == ["../outside.py"]


def test_a_stray_bad_entry_does_not_hide_the_folder_around_all(tmp_path: Path) -> None:
    handed = [(f"export/{name}/game_agent.py", AGENT) for name in ("ada", "alan")]
    (tmp_path / "download.zip").write_bytes(zipped(*handed, (f"{'a' * 300}.py", AGENT)))
    sorted_ = find(tmp_path / "download.zip", tmp_path / "unpacked")
    assert [each.key for each in sorted_.found] == ["ada", "alan"]
    assert len(sorted_.left) == 1


def test_a_class_of_strange_files_ends_as_any_with_one_that_is_not_graded(place: Path) -> None:
    folder, out = (
        write_class(place / "class", {"ada.py": PLAIN, "eve.py": UNREADABLE}),
        place / "results",
    )
    for name in ON_DISK_TOO:
        ON_DISK[name](folder / name)
    for kind in ZIPPED_TOO:
        (folder / f"{kind}.zip").write_bytes(BAD_ENTRIES[kind])
    # A name that is no text, of a folder and of a file in it.
    odd = folder / os.fsdecode(b"caf\xe9")
    odd.mkdir()
    (odd / os.fsdecode(b"\xe9.py")).write_text(PLAIN)
    graded = grade(folder, "--out", out, *WORDS)
    assert graded.status == ExitStatus.GOOD, graded.stderr
    rows = {row["submission"]: row for row in csv.DictReader((out / "grades.csv").read_text().splitlines())}
    assert len(rows) == 3 + len(ON_DISK_TOO) + len(ZIPPED_TOO)
    assert [name for name, row in rows.items() if row["verdict"] != "not graded"] == ["ada.py", r"caf\udce9"]
    assert all(row["why"] and row["open"] for row in rows.values() if row["verdict"] == "not graded")
    before = files_of(out)
    again = grade(folder, "--out", out, *WORDS, "--resume")
    assert again.status == ExitStatus.GOOD, again.stderr
    assert f"{len(rows)} of them finished" in again.stderr
    assert files_of(out) == before
    assert "Traceback" not in graded.stderr + again.stderr
    compared = ended("copies", folder)
    assert (compared.status, "Traceback" in compared.stderr) == (ExitStatus.GOOD, False)
    assert "not compared: deep (1): it has more than 32 folders" in compared.stderr


def test_folders_of_ours_are_removed_however_deep_they_are(place: Path) -> None:
    folder, out = write_class(place / "class", {"eve.py": UNREADABLE}), place / "results"
    assert grade(folder, "--out", out, *WORDS).status == ExitStatus.GOOD
    for levels, name in ((1_800, "unpacked/eve"), (2_500, "unpacked.before")):
        left = out / "state" / name
        left.mkdir(parents=True, exist_ok=True)
        deep(left / "deep", levels)
        (left / "deep" / "out").symlink_to(folder)
    again = grade(folder, "--out", out, *WORDS, "--resume")
    assert again.status == ExitStatus.GOOD, again.stderr
    assert [each.name for each in (out / "state/unpacked/eve").iterdir()] == ["eve.py"]
    assert not (out / "state/unpacked.before").exists()
    assert (folder / "eve.py").read_text() == UNREADABLE


def test_whatever_is_raised_for_one_student_is_theirs_and_an_interruption_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_class(tmp_path / "class", {"ada.py": PLAIN, "eve.py": PLAIN})

    def raising(error: BaseException) -> None:
        def digest(file: Path) -> str:
            if file.name == "eve.py":
                raise error
            return "1"

        monkeypatch.setattr(finding, "content_digest", digest)

    for error in (RecursionError("too deep"), ZeroDivisionError(), UnicodeError("odd"), MemoryError()):
        raising(error)
        ada, eve = find(folder, tmp_path / "unpacked").found
        assert ada.problem is None
        assert eve.problem is not None
        assert "its files cannot be read: " in eve.problem.reason
    raising(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        find(folder, tmp_path / "unpacked")


@pytest.mark.parametrize("name", ["a\0b", "a" * 5_000, "/".join("d" * 3_000), "pipe"])
def test_a_class_that_is_no_folder_is_bad_usage(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError):
        find(tmp_path / name, tmp_path / "unpacked")


@pytest.mark.parametrize(
    "name", ["deep-beside", "fifo.py", "cyclic.py", "a-folder", "socket.py", "dangling.zip"]
)
@pytest.mark.parametrize("command", ["check", "conformance", "leaderboard", "copies"])
def test_a_command_that_is_given_such_a_file_says_what_it_is(command: str, name: str, place: Path) -> None:
    ON_DISK[name](place / name)
    found = ended(command, place / name)
    not_loaded = name == "deep-beside" and command in ("check", "conformance")
    # Of copies it is a folder of submissions, of which none can be compared.
    compared = name == "deep-beside" and command == "copies"
    usual = ExitStatus.GOOD if compared else ExitStatus.NOT_GRADED if not_loaded else ExitStatus.USAGE
    assert found.status == usual, found.stderr
    assert "Traceback" not in found.stderr
    assert found.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("check", "{}"),
        ("conformance", "{}"),
        ("copies", "{}"),
        ("leaderboard", "{}"),
        ("rubric", "{}"),
        ("class", "{}", "--out", "results"),
        ("class", "class", "--out", "results", "--roster", "{}"),
        ("copies", "class", "--template", "{}"),
        ("bundle", "--out", "a.zip", "--rubric", "{}"),
        ("bundle", "--out", "a.zip", "--wheels", "{}"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("long", ["a" * 5_000, "/".join("d" * 3_000), "/dev/zero"])
def test_no_name_that_is_given_is_a_failure_of_the_grader(
    words: tuple[str, ...], long: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_class(tmp_path / "class", {"eve.py": UNREADABLE})
    monkeypatch.chdir(tmp_path)
    found = ended(*(each.format(long) for each in words))
    assert found.status == ExitStatus.USAGE, found.stderr
    assert "Traceback" not in found.stderr


def test_what_cannot_be_copied_is_not_graded(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path could be longer than it can be among the temporary files."""
    usual, here = place / "class" / "ada", Path.cwd()
    usual.mkdir(parents=True)
    (usual / "game_agent.py").write_text(PLAIN)
    monkeypatch.chdir(usual)
    for _ in range(10):
        inner = Path("a" * 240)
        inner.mkdir()
        os.chdir(inner)
    Path("end.py").write_text("")
    os.chdir(here)
    temporary = place.joinpath(*["t" * 200] * 8)
    temporary.mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    # Of a folder that not everybody can pass the copy would go elsewhere.
    monkeypatch.setattr(copies, "COMMON_PLACES", ())
    found = ended("check", usual, *WORDS)
    assert found.status == ExitStatus.NOT_GRADED, found.stderr
    assert "cannot be written: File name too long" in found.stdout
    assert "Traceback" not in found.stderr


def test_a_file_that_cannot_be_read_hides_no_copy_of_another(place: Path) -> None:
    text = (Path(__file__).parents[3] / "examples" / "game_agent.py").read_text("utf-8")
    folder = write_class(place / "class", {f"{name}/game_agent.py": text for name in ("ada", "bob")})
    write_class(folder, {"cleo/game_agent.py": text})
    deep(folder / "cleo" / ".hidden")
    (folder / "ada" / "helper.py").symlink_to("/dev/zero")
    found = ended("copies", folder)
    assert found.status == ExitStatus.FAILED, found.stderr
    assert "ada and bob:" in found.stdout
    assert "not compared: cleo: it has more than 32 folders" in found.stderr
