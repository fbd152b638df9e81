"""Which submission is whose: each layout of a download by a sample in its naming, and hostile zips."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import randbytes

import pytest
from strange_files import changed
from strange_files import zipped as zip_of

from isolation_fast.jail import OnDisk, Tree, intake, take_in
from isolation_fast.submission import NotCopiedError
from isolation_fast.worker.zips import Zip, ZipError
from isolation_grader.classes import FoundClass, find, read_roster
from isolation_grader.classes.layouts import submitters
from isolation_grader.exceptions import UsageError

AGENT = "def custom_score(game, player):\n    return 1.0\n"
METADATA = """---
submission_409194023:
  :submitters:
  - :name: Ada Lovelace
    :sid: '123456789'
    :email: ada@example.org
  :created_at: 2026-04-26 17:34:00.861687000 Z
  :score: 2.0
  :results:
    score: 2.0
    output: |-
      submission_1:
        :submitters:
        - :name: Somebody Else
submission_500000001:
  :submitters:
  - :name: 'Alan O''Turing'
    :sid: '222'
    :email: alan@example.org
  - :name: "Grace H\\xF6pper"
    :email: grace@example.org
  :score: 10.0
submission_600000002:
  :submitters: []
submission_700000003:
  :submitters:
  - :sid: '333'
    :email: lost@example.org
"""


@pytest.fixture
def laid_out(tmp_path: Path) -> Callable[..., Path]:
    """A folder of that name with these files; bytes for a zip, which hold what a dict says."""

    def laid_out(name: str, files: Mapping[str, str | bytes]) -> Path:
        for file, content in files.items():
            path = tmp_path / "downloads" / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / "downloads" / name

    return laid_out


def zipped(path: Path, files: Mapping[str, str]) -> bytes:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path.read_bytes()


def found(place: Path, tmp_path: Path, roster: str | None = None, layout: str | None = None) -> FoundClass:
    known = None
    if roster is not None:
        (tmp_path / "roster.csv").write_text(roster, encoding="utf-8")
        known = read_roster(tmp_path / "roster.csv")
    return find(place, tmp_path / "unpacked", known, layout)


def test_gradescope_says_whose_a_folder_is_in_its_metadata(
    laid_out: Callable[..., Path], tmp_path: Path
) -> None:
    folder = laid_out(
        "assignment_9100_export",
        {
            "submission_metadata.yml": METADATA,
            "submission_409194023/game_agent.py": AGENT,
            "submission_500000001/AIND-Isolation/game_agent.py": AGENT,
            "submission_600000002/game_agent.py": AGENT,
            "notes.txt": "",
        },
    )
    sorted_ = found(folder, tmp_path)
    assert sorted_.layout == "gradescope"
    ada, pair, nobody = sorted_.found
    assert [each.known for each in ada.students] == [
        {"name": "Ada Lovelace", "sid": "123456789", "email": "ada@example.org"}
    ]
    assert [each.name for each in pair.students] == ["Alan O'Turing", "Grace Höpper"]
    assert pair.key == "alan-o-turing-grace-hopper"
    assert pair.file == tmp_path / "unpacked" / pair.key / "AIND-Isolation/game_agent.py"
    assert nobody.name == "submission_600000002"
    assert [name for name, _ in sorted_.left] == ["notes.txt", "submission_700000003"]


def test_what_an_autograder_printed_names_nobody() -> None:
    assert list(submitters(METADATA)) == [
        "submission_409194023",
        "submission_500000001",
        "submission_600000002",
        "submission_700000003",
    ]


def test_canvas_has_name_and_numbers_in_each_file_name(laid_out: Callable[..., Path], tmp_path: Path) -> None:
    inner = zipped(tmp_path / "z.zip", {"isolation/game_agent.py": AGENT, "__MACOSX/._game_agent.py": "x"})
    folder = laid_out(
        "submissions",
        {
            "lovelaceada_4567_89012_game_agent-1.py": AGENT,
            "lovelaceada_4567_89013_heuristic_analysis.pdf": "%PDF",
            "turingalan_LATE_4568_89020_isolation.zip": inner,
            "hoppergrace_4569_89030_my_agent.py": AGENT,
            "anon_Ab1cD_89040_game_agent.py": AGENT,
            "hoppergrace_text.html": "",
        },
    )
    roster = (
        '"Student","ID","SIS User ID","SIS Login ID","Section"\n'
        '"    Points Possible","","","",""\n'
        '"Lovelace, Ada","4567","30000001","ada1","CS-1"\n'
        '"Turing, Alan","4568","30000002","alan1","CS-1"\n'
        '"Late, Lana","4570","30000003","lana1","CS-2"\n'
        '"Student, Test","4999","","","CS-1"\n'
    )
    sorted_ = found(folder, tmp_path, roster)
    assert sorted_.layout == "canvas"
    by_name = {each.name: each for each in sorted_.found}
    assert list(by_name) == ["Ab1cD", "hoppergrace", "Lovelace, Ada", "Turing, Alan"]
    assert by_name["Lovelace, Ada"].students[0].login == "ada1"
    assert {each.file.name for each in sorted_.found if each.file} == {"game_agent.py", "my_agent.py"}
    assert all(each.problem is None for each in sorted_.found)
    assert [each.name for each in sorted_.missing] == ["Late, Lana"]
    assert [name for name, _ in sorted_.left] == ["hoppergrace_text.html"]


@pytest.mark.parametrize("end", ["_assignsubmission_file", "_assignsubmission_file_"])
def test_moodle_has_a_folder_for_each_student(
    end: str, laid_out: Callable[..., Path], tmp_path: Path
) -> None:
    zip_ = zipped(tmp_path / "z.zip", {"game_agent.py": AGENT})
    folder = laid_out(
        "CS-Isolation-77",
        {
            f"Ada Lovelace_123456{end}/game_agent.py": AGENT,
            "Ada Lovelace_123456_assignsubmission_onlinetext/onlinetext.html": "hello",
            f"Alan Turing_123457{end}/isolation.zip": zip_,
            f"Participant_123458{end}/game_agent.py": AGENT,
        },
    )
    roster = (
        "Identifier,Full name,ID number,Email address,Status\n"
        "Participant 123458,Grace Hopper,99,grace@example.org,Submitted\n"
    )
    sorted_ = found(folder, tmp_path, roster)
    assert sorted_.layout == "moodle"
    assert [each.name for each in sorted_.found] == ["Ada Lovelace", "Alan Turing", "Grace Hopper"]
    assert sorted_.found[2].students[0].email == "grace@example.org"
    assert all(each.file is not None and each.file.name == "game_agent.py" for each in sorted_.found)


def test_moodle_without_folders_has_the_student_in_each_file_name(
    laid_out: Callable[..., Path], tmp_path: Path
) -> None:
    folder = laid_out(
        "flat",
        {
            "Ada Lovelace_123456_assignsubmission_file_game_agent.py": AGENT,
            "Ada Lovelace_123456_assignsubmission_file_report.pdf": "%PDF",
            "Alan Turing_123457_assignsubmission_file_agent.py": AGENT,
        },
    )
    sorted_ = found(folder, tmp_path)
    assert sorted_.layout == "moodle"
    assert [(each.name, each.file and each.file.name) for each in sorted_.found] == [
        ("Ada Lovelace", "game_agent.py"),
        ("Alan Turing", "agent.py"),
    ]


def test_github_classroom_has_a_clone_for_each_account(laid_out: Callable[..., Path], tmp_path: Path) -> None:
    folder = laid_out(
        "isolation-submissions",
        {
            "isolation-ada-l/game_agent.py": AGENT,
            "isolation-ada-l/.git/hooks/game_agent.py": "no",
            "isolation-turing/src/game_agent.py": AGENT,
            "classroom_roster.csv": "",
        },
    )
    roster = (
        '"identifier","github_username","github_id","name"\n"ada@example.org","ada-l","1","Ada Lovelace"\n'
    )
    sorted_ = found(folder, tmp_path, roster)
    assert sorted_.layout == "github"
    assert [each.name for each in sorted_.found] == ["Ada Lovelace", "turing"]
    assert [name for name, _ in sorted_.left] == ["classroom_roster.csv"]


def test_anything_else_is_a_folder_a_zip_or_a_file_for_each(
    laid_out: Callable[..., Path], tmp_path: Path
) -> None:
    folder = laid_out(
        "mine",
        {
            "ada/game_agent.py": AGENT,
            "alan.py": AGENT,
            "grace.zip": zipped(tmp_path / "z.zip", {"deep/er/game_agent.py": AGENT}),
            "eve/a.py": AGENT,
            "eve/b.py": AGENT,
            "bob/readme.md": "",
            "dan/work.py": AGENT,
            "dan/tools.py": "",
            "game_agent.py": AGENT,
            "notes.txt": "",
        },
    )
    sorted_ = found(folder, tmp_path, "Name;Email;Folder\nAda Lovelace;ada@example.org;ada\n")
    assert sorted_.layout == "plain"
    by_entry = {each.entry: each for each in sorted_.found}
    assert by_entry["ada"].name == "Ada Lovelace"
    assert {name: each.problem and each.problem.reason for name, each in by_entry.items()} == {
        "ada": None,
        "alan.py": None,
        "bob": "it has no Python file",
        "dan": None,
        "eve": "it has no game_agent.py, and 2 others with a custom_score: a.py, b.py",
        "game_agent.py": None,
        "grace.zip": None,
    }
    alone = by_entry["game_agent.py"].file
    assert alone is not None
    assert [each.name for each in alone.parent.iterdir()] == ["game_agent.py"]
    assert sorted_.left == (("notes.txt", "it is neither a folder nor a .py or .zip file"),)


def test_a_download_may_come_as_its_zip(tmp_path: Path) -> None:
    zipped(
        tmp_path / "export.zip",
        {
            "assignment_9100_export/submission_metadata.yml": METADATA,
            "assignment_9100_export/submission_409194023/game_agent.py": AGENT,
            "assignment_9100_export/submission_500000001/game_agent.py": AGENT,
            "assignment_9100_export/submission_600000002/game_agent.py": AGENT,
            "../outside.py": AGENT,
        },
    )
    sorted_ = found(tmp_path / "export.zip", tmp_path)
    assert sorted_.layout == "gradescope"
    assert len(sorted_.found) == 3
    assert sorted_.left[0] == ("../outside.py", "../outside.py leads out of its folder")
    assert not (tmp_path / "outside.py").exists()


def test_two_students_of_one_name_keep_apart(laid_out: Callable[..., Path], tmp_path: Path) -> None:
    end = "_assignsubmission_file"
    folder = laid_out(
        "m", {f"Li Wei_1{end}/game_agent.py": AGENT, f"Li Wei_2{end}/game_agent.py": AGENT + "# other\n"}
    )
    one, other = found(folder, tmp_path).found
    assert (one.key, other.key) == ("li-wei", "li-wei-2")
    assert (one.name, other.name) == ("Li Wei (1)", "Li Wei (2)")
    assert one.digest != other.digest


def test_what_cannot_be_used_is_said(laid_out: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder or zip"):
        found(tmp_path / "nowhere", tmp_path)
    with pytest.raises(UsageError, match=r"no submissions in .*notes.txt: it is neither"):
        found(laid_out("empty", {"notes.txt": "", "more.txt": ""}), tmp_path)
    with pytest.raises(UsageError, match="unknown layout 'canvs', did you mean 'canvas'"):
        found(laid_out("x", {"a.py": AGENT}), tmp_path, layout="canvs")
    with pytest.raises(UsageError, match="line 1 of the roster names no column of students"):
        found(laid_out("x", {"a.py": AGENT}), tmp_path, "a,b\n1,2\n")


# ---- hostile zips


def entry(name: str, mode: int = 0) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name)
    made.external_attr = mode << 16
    made.create_system = 3
    return made


def hostile(path: Path, *entries: tuple[zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, content in entries:
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return path


def taken(archive: Path) -> Tree:
    return take_in([(archive.name, OnDisk(archive))], archive.parent / "into")


def test_a_zip_may_have_more_entries_than_a_short_number_counts() -> None:
    with zipfile.ZipFile(held := io.BytesIO(), "w") as archive:
        for number in range(66_000):
            archive.writestr(zipfile.ZipInfo(f"{number}"), b"")
    assert len(Zip(held).entries) == 66_000


def test_a_zip_may_have_the_long_end_where_the_short_one_would_do() -> None:
    content = zip_of(("game_agent.py", AGENT.encode()))
    end = content.rindex(b"PK\5\6")
    _, length, start = struct.unpack_from("<H2L", content, end + 10)
    long = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, length, start)
    found = Zip(
        io.BytesIO(content[:end] + long + struct.pack("<4sLQL", b"PK\6\7", 0, end, 1) + content[end:])
    )
    assert b"".join(found.parts(0)) == AGENT.encode()


def test_files_of_a_zip_that_lie_over_each_other_are_not_read_again_and_again() -> None:
    content = zip_of(("0.py", randbytes(60_000)), *((f"{number}.py", b"") for number in range(1, 9)))
    first = content.index(b"PK\1\2")
    for number in range(1, 9):
        for place, end in ((16, 28), (42, 46)):
            content = changed(content, f"{number}.py".encode(), place, content[first + place : first + end])
    found = Zip(io.BytesIO(content))
    assert all(sum(map(len, found.parts(number))) == 60_000 for number in range(2))
    with pytest.raises(ZipError, match="lies over other files"):
        list(found.parts(2))


@pytest.mark.parametrize(
    ("name", "mode", "reason"),
    [
        ("/etc/game_agent.py", 0, "is an absolute path"),
        ("C:/game_agent.py", 0, "is an absolute path"),
        ("a/../../game_agent.py", 0, "leads out of its folder"),
        ("..\\game_agent.py", 0, "leads out of its folder"),
        ("game_agent.py", stat.S_IFLNK | 0o777, "is a link"),
        ("game_agent.py", stat.S_IFIFO | 0o666, "is neither a file nor a folder"),
        ("game\x1b[2J.py", 0, "is no name for a file"),
        (f"{'long' * 70}.py", 0, "is no name for a file"),
    ],
)
def test_a_zip_that_would_leave_its_folder_is_refused(
    name: str, mode: int, reason: str, tmp_path: Path
) -> None:
    archive = hostile(tmp_path / "z.zip", (entry(name, mode), b"/etc/passwd"))
    with pytest.raises(NotCopiedError, match=reason) as refused:
        taken(archive)
    assert "\x1b" not in str(refused.value)
    assert not [each for each in tmp_path.rglob("*") if each.name != "z.zip" and not each.is_dir()]


def test_a_zip_that_grows_is_refused_while_it_is_read(tmp_path: Path) -> None:
    archive = hostile(tmp_path / "z.zip", (entry("game_agent.py"), bytes(80 * 2**20)))
    # What it says of its size is a lie.
    content = archive.read_bytes().replace(struct.pack("<I", 80 * 2**20), struct.pack("<I", 10))
    archive.write_bytes(content)
    with pytest.raises(NotCopiedError, match=r"more than \d+ MiB"):
        taken(archive)
    assert list(tmp_path.iterdir()) == [archive]


def test_a_small_zip_becomes_no_large_folder(tmp_path: Path) -> None:
    archive = hostile(tmp_path / "z.zip", (entry("game_agent.py"), bytes(60 * 2**20)))
    assert archive.stat().st_size < 2**17
    with pytest.raises(NotCopiedError, match="more than 10 MiB"):
        taken(archive)


def test_a_zip_of_many_files_is_refused_when_its_list_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "MOST_FILES", 20)
    files = [(entry(f"{number}.py"), b"") for number in range(30)]
    with pytest.raises(NotCopiedError, match="more than 20 files"):
        taken(hostile(tmp_path / "z.zip", *files))


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_zip_is_refused_or_empty(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "z.zip").write_bytes(content)
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "ada.zip").write_bytes(content)
    (folder / "alan.py").write_text(AGENT)
    ada, alan = found(folder, tmp_path).found
    assert ada.problem is not None
    assert ada.file is None
    assert alan.problem is None


def test_a_file_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    archive = hostile(tmp_path / "z.zip", (entry("a.py"), b"1"), (entry("A.py"), b"2"))
    with pytest.raises(NotCopiedError, match=r"two files called A\.py"):
        taken(archive)
    archive = hostile(tmp_path / "y.zip", (entry("a"), b"1"), (entry("a/b.py"), b"2"))
    with pytest.raises(NotCopiedError, match="a file and a folder at once"):
        taken(archive)


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    archive = hostile(tmp_path / "z.zip", (entry("game_agent.py"), b"x"))
    content = bytearray(archive.read_bytes())
    for start, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(start) + place] |= 1
    archive.write_bytes(bytes(content))
    with pytest.raises(NotCopiedError, match="is encrypted"):
        taken(archive)
