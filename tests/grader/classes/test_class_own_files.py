"""Each submission is graded on its own files: no link and no import leads to those of another student."""

from __future__ import annotations

import csv
import stat
from pathlib import Path

import pytest
from class_scene import PLAIN, UNREADABLE, WORDS, grade, write_class
from strange_files import AGENT, entry, zipped

from isolation_fast.worker import scratch
from isolation_grader.classes import find
from isolation_grader.exceptions import ExitStatus

IMPORTS = "from {0} import *\nimport {0}\n"
"""All that a submission says that is somebody else's."""


def verdicts(results: Path) -> dict[str, tuple[str, str]]:
    rows = csv.DictReader((results / "grades.csv").read_text().splitlines())
    return {row["key"]: (row["verdict"], row["why"]) for row in rows}


@pytest.mark.parametrize(
    ("other", "module", "own"),
    [
        ("helper.py", "helper", "ada.py"),
        ("bob_12_34_game_agent.py", "bob_12_34_game_agent", "ada_11_33_my_agent.py"),
        ("bob_12_34_tools.py", "bob_12_34_tools", "ada_11_33_game_agent.py"),
        ("bob_12_34_game_agent.py", "game_agent", "ada_11_33_my_agent.py"),
        ("package/__init__.py", "package", "ada.py"),
        ("bob/game_agent.py", "bob.game_agent", "ada.py"),
    ],
)
def test_a_file_of_a_flat_folder_imports_nothing_that_lies_beside_it(
    other: str, module: str, own: str, tmp_path: Path
) -> None:
    # Written so that no look at the text tells that it is a submission.
    text = PLAIN.replace("def custom_score", "def _scored") + "globals()['custom' + '_score'] = _scored\n"
    folder = write_class(tmp_path / "class", {other: text, own: IMPORTS.format(module)})
    found = grade(folder, "--out", tmp_path / "results", *WORDS)
    assert found.status == ExitStatus.GOOD, found.stderr
    verdict, why = verdicts(tmp_path / "results")["ada"]
    assert verdict == "not graded"
    assert "which is neither in the same folder nor installed" in why


def test_a_student_imports_what_they_handed_in_themselves(tmp_path: Path) -> None:
    tools = PLAIN.replace("custom_score", "mobility")
    agent = (
        "from tools import mobility\n\ndef custom_score(game, player):\n    return mobility(game, player)\n"
    )
    handed = {"ada_11_33_my_agent.py": agent, "ada_11_34_tools-1.py": tools}
    folder = write_class(tmp_path / "class", {**handed, "bob_12_35_tools.py": UNREADABLE})
    assert grade(folder, "--out", tmp_path / "results", *WORDS).status == ExitStatus.GOOD
    assert verdicts(tmp_path / "results")["ada"][0] == "undecided"


@pytest.mark.parametrize("layout", ["plain", "canvas", "moodle", "gradescope", "github"])
def test_a_link_to_the_files_of_others_is_not_followed(layout: str, tmp_path: Path) -> None:
    named = {
        "plain": ("ada.py", "eve.py"),
        "canvas": ("ada_11_33_game_agent.py", "eve_12_34_game_agent.py"),
        "moodle": ("Ada_11_assignsubmission_file", "Eve_12_assignsubmission_file"),
        "gradescope": ("submission_11", "submission_12"),
        "github": ("isolation-ada", "isolation-eve"),
    }
    folder = tmp_path / {"github": "isolation-submissions", "gradescope": "assignment_1_export"}.get(
        layout, "x"
    )
    own, link = named[layout]
    file = own if own.endswith(".py") else f"{own}/game_agent.py"
    write_class(folder, {file: PLAIN})
    (folder / link).symlink_to(own)
    sorted_ = find(folder, tmp_path / "unpacked", layout=layout)
    ada, eve = sorted_.found
    assert ada.problem is None
    assert eve.problem is not None
    assert "is a link" in eve.problem.reason


def test_a_zip_that_is_a_link_is_not_opened(tmp_path: Path) -> None:
    folder, elsewhere = write_class(tmp_path / "class", {"eve/notes.txt": ""}), tmp_path / "elsewhere.zip"
    (folder / "ada.zip").write_bytes(zipped(("game_agent.py", AGENT)))
    elsewhere.write_bytes(zipped(("game_agent.py", AGENT)))
    (folder / "bob.zip").symlink_to("ada.zip")
    (folder / "carl.zip").symlink_to(elsewhere)
    (folder / "eve" / "mine.zip").symlink_to("../ada.zip")
    problems = {each.key: each.problem for each in find(folder, tmp_path / "unpacked").found}
    assert problems.pop("ada") is None
    assert set(problems) == {"bob", "carl", "eve"}
    assert all(each is not None and "is a link" in each.reason for each in problems.values())


@pytest.mark.parametrize("target", ["../ada/game_agent.py", "{tmp}/outside.py", "../../outside.py"])
def test_a_file_that_is_a_link_is_not_graded(target: str, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada/game_agent.py": PLAIN})
    (tmp_path / "outside.py").write_text(PLAIN)
    (folder / "eve").mkdir()
    (folder / "eve" / "game_agent.py").symlink_to(target.format(tmp=tmp_path))
    ada, eve = find(folder, tmp_path / "unpacked").found
    assert ada.problem is None
    assert eve.problem is not None
    assert "game_agent.py is a link" in eve.problem.reason


def test_a_link_to_a_module_or_a_folder_of_another_is_not_there(tmp_path: Path) -> None:
    imports = "from tools import *\nfrom lent.tools import *\n"
    folder = write_class(tmp_path / "class", {"ada/tools.py": PLAIN, "ada/game_agent.py": UNREADABLE})
    for name, line in zip(("eve", "zoe"), imports.splitlines(), strict=True):
        write_class(folder, {f"{name}/game_agent.py": f"{line}\n# custom_score\n"})
        (folder / name / "tools.py").symlink_to("../ada/tools.py")
        (folder / name / "lent").symlink_to("../ada")
    assert grade(folder, "--out", tmp_path / "results", *WORDS).status == ExitStatus.GOOD
    found = verdicts(tmp_path / "results")
    assert {name: found[name][0] for name in ("eve", "zoe")} == dict.fromkeys(("eve", "zoe"), "not graded")


@pytest.mark.parametrize("place", ["class/zoe.zip", "download.zip"])
def test_a_link_in_a_zip_leads_nowhere(place: str, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada/game_agent.py": PLAIN})
    link = (entry("zoe/game_agent.py", stat.S_IFLNK | 0o777), str(folder / "ada/game_agent.py").encode())
    (tmp_path / place).write_bytes(zipped(("ada/notes.py", AGENT), link))
    whole = folder if place.startswith("class") else tmp_path / place
    problems = {each.key: each.problem for each in find(whole, tmp_path / "unpacked").found}
    assert problems["ada"] is None
    assert problems["zoe"] is not None
    assert "zoe/game_agent.py is a link" in problems["zoe"].reason


def test_lines_count_as_what_is_written_at_once(tmp_path: Path) -> None:
    kept = {"log": b""}
    with scratch._File(kept, "log", "wb") as file, pytest.raises(OSError, match="No space left"):
        file.writelines([bytes(scratch.MOST)] * 2)
    assert kept == {"log": bytes(scratch.MOST)}
