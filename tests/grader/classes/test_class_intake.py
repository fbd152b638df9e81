"""A class among whose files anything may be: what is good in it is graded as without the rest."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from class_scene import PLAIN, UNREADABLE, WORDS, files_of, grade, write_class
from strange_files import BAD_ENTRIES, ON_DISK, TAKEN, zipped

from isolation_fast.jail import remove_folder
from isolation_grader.classes import find, read_shared
from isolation_grader.exceptions import ExitStatus

LONGEST = 300.0


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder that is removed at once: what removes those of tests stumbles over deep ones."""
    yield tmp_path
    remove_folder(tmp_path)


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_unusual_and_good_is_found(name: str, place: Path) -> None:
    folder = write_class(place / "class", {"ada.py": PLAIN})
    TAKEN[name](folder / name)
    found = {each.entry: each for each in find(folder, place / "unpacked").found}
    assert set(found) == {"ada.py", name}
    assert found[name].problem is None
    file = found[name].file
    assert file is not None
    assert file.read_text() == PLAIN
    assert file.is_relative_to(place / "unpacked")


def test_ten_thousand_empty_folders_are_a_class(tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada.py": PLAIN})
    for number in range(10_000):
        (folder / f"{number:05}").mkdir()
    found = find(folder, tmp_path / "unpacked").found
    assert len(found) == 10_001
    assert [each.key for each in found if each.problem is None] == ["ada"]
    assert [each.name for each in (tmp_path / "unpacked").iterdir()] == ["ada"]


def test_no_more_of_a_small_zip_is_left_than_it_may_grow_to(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    for number in range(6):
        content = zipped(("game_agent.py", PLAIN.encode()), ("zeros.bin", bytes(60 * 2**20)))
        (folder / f"{number}.zip").write_bytes(content)
    assert all(each.problem is not None for each in find(folder, tmp_path / "unpacked").found)
    left = sum(each.stat().st_size for each in (tmp_path / "unpacked").rglob("*"))
    assert left < 2**20


def test_what_is_shared_belongs_to_all_and_is_remembered(tmp_path: Path) -> None:
    own = "from helper import score\n\ndef custom_score(game, player):\n    return score(game, player)\n"
    folder = write_class(tmp_path / "class", {"ada.py": own, "bob/game_agent.py": own})
    write_class(folder, {"helper.py": PLAIN.replace("custom_score", "score")})
    out = tmp_path / "results"
    alone = find(folder, tmp_path / "unpacked").found
    assert [each.key for each in alone] == ["ada", "bob", "helper"]
    with_all = find(folder, tmp_path / "unpacked", shared=read_shared([folder / "helper.py"])).found
    assert [each.key for each in with_all] == ["ada", "bob"]
    assert grade(folder, "--out", out, *WORDS, "--shared", folder / "helper.py").status == ExitStatus.GOOD
    rows = list(csv.DictReader((out / "grades.csv").read_text().splitlines()))
    assert [row["verdict"] for row in rows] == ["undecided", "undecided"]
    before = files_of(out)
    (folder / "helper.py").unlink()
    again = grade(folder, "--out", out, *WORDS, "--resume")
    assert "as last time: shared helper.py" in again.stderr
    assert "2 of them finished" in again.stderr
    assert files_of(out) == before


def test_what_is_left_out_of_a_zip_does_not_count(tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada.py": PLAIN})
    environment = [(f"p/.venv/lib/{number}", b"") for number in range(5_500)]
    (folder / "zoe.zip").write_bytes(zipped(("p/game_agent.py", PLAIN.encode()), *environment))
    assert [each.problem for each in find(folder, tmp_path / "own").found] == [None, None]


def test_a_link_in_place_of_the_files_of_a_class_is_no_trouble_the_third_time(tmp_path: Path) -> None:
    folder, out = write_class(tmp_path / "class", {"ada.py": PLAIN}), tmp_path / "results"
    assert grade(folder, "--out", out, *WORDS).status == ExitStatus.GOOD
    (out / "state" / "unpacked").rename(tmp_path / "elsewhere")
    (out / "state" / "unpacked").symlink_to(tmp_path / "elsewhere")
    for _ in range(2):
        assert grade(folder, "--out", out, *WORDS, "--resume").status == ExitStatus.GOOD
    assert (tmp_path / "elsewhere" / "ada").is_dir()


def test_nobody_is_graded_on_what_belongs_to_all_and_each_agent_has_it_beside(tmp_path: Path) -> None:
    own = "from helper import score\n\ndef custom_score(game, player):\n    return score(game, player)\n"
    folder = write_class(tmp_path / "class", {"ada/project/game_agent.py": own, "dan/mine.py": "x = 1\n"})
    write_class(folder, {"cleo/readme.txt": "", "eve/Helper.py": PLAIN, "eve/game_agent.py": own})
    (folder / "fay").mkdir()
    (folder / "gil.zip").write_bytes(zipped(("gil/game_agent.py", own.encode())))
    helper = tmp_path / "helper.py"
    helper.write_text(PLAIN)
    found = {each.key: each for each in find(folder, tmp_path / "own", shared=read_shared([helper])).found}
    files = {key: each.file and each.file.relative_to(tmp_path / "own") for key, each in found.items()}
    assert {key: file and file.as_posix() for key, file in files.items()} == {
        "ada": "ada/project/game_agent.py",
        "cleo": None,
        "dan": "dan/mine.py",
        "eve": "eve/game_agent.py",
        "fay": None,
        "gil": "gil/gil/game_agent.py",
    }
    for each in ("ada/project", "gil/gil"):
        assert (tmp_path / "own" / each / "helper.py").read_text() == PLAIN


def test_reports_go_back_to_canvas_under_the_names_of_its_files(tmp_path: Path) -> None:
    handed = ("lovelaceada_LATE_4567_89012_game_agent-1.py", "turingalan_4568_89020_my_agent.py")
    folder = write_class(tmp_path / "class", dict.fromkeys(handed, UNREADABLE))
    out = tmp_path / "results"
    assert grade(folder, "--out", out, *WORDS).status == ExitStatus.GOOD
    with zipfile.ZipFile(out / "canvas-reports.zip") as archive:
        assert archive.namelist() == [
            "lovelaceada_LATE_4567_89012_report.html",
            "turingalan_4568_89020_report.html",
        ]
        page = (out / "students" / "turingalan.html").read_bytes()
        assert archive.read("turingalan_4568_89020_report.html") == page


def in_a_namespace(script: str, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a script of the shell as root of a namespace, with these words as `$1` and so on."""
    unshare = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    command = [*unshare, "sh", "-c", script, "sh", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)


def test_a_full_disk_ends_a_class_with_one_line_and_it_goes_on_later(tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada.py": PLAIN, "eve.py": UNREADABLE})
    write_class(folder, {"zoe/game_agent.py": PLAIN, "zoe/data.txt": "x" * 2**20})
    (tmp_path / "disk").mkdir()
    # Twice on a disk that is too small, then on the same one made larger.
    script = (
        "mount -t tmpfs -o size=512k none $1 && shift && "
        '"$@"; echo first $?; "$@" --resume; echo second $?; '
        'mount -o remount,size=64m none "$DISK" && "$@" --resume >/dev/null; echo third $?'
    )
    command = [
        sys.executable,
        "-P" if sys.version_info >= (3, 11) else "-I",
        "-m",
        "isolation_grader",
        "class",
    ]
    words = [*command, folder, "--out", tmp_path / "disk" / "results", *WORDS]
    found = in_a_namespace(f"DISK={tmp_path / 'disk'}; {script}", tmp_path / "disk", *words)
    statuses = dict(line.split() for line in found.stdout.splitlines() if line[:3] in ("fir", "sec", "thi"))
    assert (statuses["first"] != "0", statuses["second"] != "0", statuses["third"]) == (True, True, "0")
    assert "Traceback" not in found.stderr
    assert found.stderr.count("No space left on device") == 2


def test_root_of_one_user_alone_grades(tmp_path: Path) -> None:
    """Where nobody's number stands for none, as in a container without root."""
    (tmp_path / "game_agent.py").write_text(PLAIN)
    (tmp_path / "game_agent.py").chmod(0o644)
    words = [
        sys.executable,
        "-m",
        "isolation_grader",
        "probe",
        tmp_path,
        "--games",
        2,
        "--budget",
        "nodes=10",
    ]
    command = ["unshare", "--map-root-user", "--net", *map(str, words)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
    assert found.returncode == ExitStatus.GOOD, found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.slow
def test_a_class_of_three_hundred_is_graded_as_without_the_strange_ones(place: Path) -> None:
    good = {f"student-{number:03}.py": f"{PLAIN}# {number}\n" for number in range(280)}
    folder, out = write_class(place / "class", good), place / "results"
    assert grade(folder, "--out", out, *WORDS).status == ExitStatus.GOOD
    before = reports(out)
    for name in [*ON_DISK][:12]:
        ON_DISK[name](folder / name)
    for kind in [*BAD_ENTRIES][:8]:
        (folder / f"{kind}.zip").write_bytes(BAD_ENTRIES[kind])
    with_them = place / "others"
    assert grade(folder, "--out", with_them, *WORDS).status == ExitStatus.GOOD
    after = reports(with_them)
    assert {name: after[name] for name in before} == before
    assert len(after) == len(before) + 3 * 20


def reports(results: Path) -> Mapping[str, bytes]:
    return {
        f"staff/{each.name}": each.read_bytes()
        for each in (results / "staff").iterdir()
        if each.suffix in (".html", ".json", ".txt")
    }


@pytest.mark.slow
def test_a_download_of_two_gibibytes_is_read_where_it_lies(tmp_path: Path) -> None:
    download = tmp_path / "download.zip"
    with zipfile.ZipFile(download, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("class/ada/game_agent.py", PLAIN)
        for number in range(34):
            archive.writestr(f"class/bob/{number}.bin", bytes(60 * 2**20))
        archive.writestr("class/zoe/game_agent.py", PLAIN)
    assert download.stat().st_size > 2**31 - 2**27
    found = {each.key: each for each in find(download, tmp_path / "unpacked").found}
    assert {key: each.problem is None for key, each in found.items()} == {
        "ada": True,
        "bob": False,
        "zoe": True,
    }
