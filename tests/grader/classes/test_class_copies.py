"""Shared code: a copy in disguise is found, strangers and what all have are not, and nothing is run."""

import fractions
import io
import json
import shlex
import shutil
import textwrap
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from disguising import disguised

from isolation_grader.classes.copies import THRESHOLD, copies
from isolation_grader.classes.statements import Statements, read, statements_of, written
from isolation_grader.cli import main
from isolation_grader.exceptions import ExitStatus

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
STRANGERS = {
    "ada": EXAMPLES / "game_agent.py",
    "bob": EXAMPLES / "territory_agent.py",
    "cleo": Path(fractions.__file__),
    "dan": Path(shlex.__file__),
    "eve": Path(textwrap.__file__),
}
"""Whoever wrote them, they have nothing in common."""


@pytest.fixture
def handed(tmp_path: Path) -> Path:
    """A class of strangers."""
    folder = tmp_path / "class"
    for name, file in STRANGERS.items():
        (folder / name).mkdir(parents=True)
        shutil.copy(file, folder / name / "game_agent.py")
    return folder


def add(folder: Path, name: str, source: str) -> None:
    (folder / name).mkdir()
    (folder / name / "game_agent.py").write_text(source)


def files(folder: Path) -> dict[str, Path]:
    return {each.name: each / "game_agent.py" for each in sorted(folder.iterdir())}


def run(*arguments: object) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(["copies", *map(str, arguments)])
    return status, out.getvalue(), err.getvalue()


def test_strangers_share_nothing(handed: Path) -> None:
    found = copies(files(handed))
    assert found.pairs == ()
    assert all(evidence < THRESHOLD / 2 for *_, evidence in found.others)


@pytest.mark.parametrize("name", STRANGERS)
def test_a_copy_in_disguise_is_found(name: str, handed: Path) -> None:
    source = STRANGERS[name].read_text("utf-8")
    copy = disguised(source, seed=7)
    assert not set(source.splitlines()) & {
        line for line in copy.splitlines() if "def " in line and "__" not in line
    }
    add(handed, "copy", copy)
    (pair,) = copies(files(handed)).pairs
    assert {pair.first, pair.second} == {"copy", name}
    assert pair.evidence > THRESHOLD
    assert min(pair.share_of_first, pair.share_of_second) > 0.5


def test_a_disguise_changes_no_statement() -> None:
    source = STRANGERS["bob"].read_text("utf-8")
    one, other = (statements_of(each.encode()) for each in (source, disguised(source, seed=3)))
    assert sorted(each.hash for each in one.windows) == sorted(each.hash for each in other.windows)


def test_the_lines_stand_side_by_side(handed: Path) -> None:
    source = STRANGERS["ada"].read_text("utf-8")
    add(handed, "copy", disguised(source, seed=1))
    (pair,) = copies(files(handed)).pairs
    texts = {name: file.read_text("utf-8").splitlines() for name, file in files(handed).items()}
    for shared in pair.shared:
        for name, lines, column in ((pair.first, shared.first, 0), (pair.second, shared.second, 1)):
            shown = [line for row in shared.rows for line in row[column].splitlines()]
            assert set(shown) <= set(texts[name][lines.first - 1 : lines.last])


def test_one_copied_function_is_shown_with_its_lines(handed: Path) -> None:
    source = STRANGERS["cleo"].read_text("utf-8")
    add(handed, "part", disguised(source[: len(source) // 2].rpartition("\n    def ")[0] + "\n", 2))
    found = copies(files(handed), threshold=20)
    assert [(each.first, each.second) for each in found.pairs] == [("cleo", "part")]
    assert found.pairs[0].share_of_first < found.pairs[0].share_of_second


def test_what_everybody_has_is_no_evidence(tmp_path: Path) -> None:
    """Given out to the class, and in nobody's template."""
    folder = tmp_path / "class"
    folder.mkdir()
    common = STRANGERS["eve"].read_text("utf-8")
    for number in range(30):
        table = ", ".join(str((number + 7) * each * each % 1009) for each in range(20))
        add(folder, f"student{number:02}", f"{common}\nTABLE = [{table}]\n")
    assert copies(files(folder)).pairs == ()


def test_a_template_that_is_named_is_left_out(handed: Path) -> None:
    add(handed, "copy", disguised(STRANGERS["ada"].read_text("utf-8"), seed=1))
    assert copies(files(handed), templates=[STRANGERS["ada"]]).pairs == ()
    status, _, told = run(handed, "--template", handed / "none.py")
    assert (status, "a template cannot be read" in told) == (ExitStatus.USAGE, True)


def test_modules_beside_a_game_agent_count_and_those_of_the_course_do_not(handed: Path) -> None:
    add(handed, "copy", "from searching import *\n")
    (handed / "copy" / "searching.py").write_text(disguised(STRANGERS["cleo"].read_text("utf-8"), seed=4))
    for name in ("ada", "bob"):
        (handed / name / "tournament.py").write_text(STRANGERS["eve"].read_text("utf-8"))
    found = copies(files(handed))
    assert [(each.first, each.second) for each in found.pairs] == [("cleo", "copy")]
    assert found.pairs[0].shared[0].second.file == "searching.py"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def f(:\n", "line 1"),
        ("x = " + "(" * 5000 + ")" * 5000, ""),
        ("-" * 200_000 + "1", ""),
        ("x = 1\n" * 200_000, "more than"),
        ("\0", ""),
    ],
    ids=["no Python", "deep", "deeper", "long", "a zero"],
)
def test_a_file_that_is_no_python_is_named_and_the_others_are_compared(
    source: str, told: str, handed: Path
) -> None:
    add(handed, "odd", source)
    add(handed, "copy", disguised(STRANGERS["ada"].read_text("utf-8"), seed=1))
    found = copies(files(handed))
    assert [each.name for each in found.unread] == ["odd"]
    assert told in found.unread[0].problem
    assert [(each.first, each.second) for each in found.pairs] == [("ada", "copy")]


@pytest.mark.parametrize(
    "head",
    [
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbf# coding: utf-8\n",
        b"# coding: latin-1\n# \xe9\n",
        b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n# \x80\n",
        b"# coding: ascii\r\n",
        b"# coding: euc-jp\n# \xa4\xa2\n",
        b"# coding: unicode_escape\n",
        b"# a form feed \x0c and a line separator \xe2\x80\xa8 end no line\n",
    ],
)
def test_no_encoding_that_python_reads_hides_a_copy(
    head: bytes, handed: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = disguised(STRANGERS["ada"].read_text("utf-8"), seed=1)
    add(handed, "copy", "")
    (handed / "copy" / "game_agent.py").write_bytes(head + text.encode())
    compile(head + text.encode(), "game_agent.py", "exec")
    found = copies(files(handed))
    assert [(each.first, each.second) for each in found.pairs] == [("ada", "copy")]
    assert found.unread == ()
    # Its lines are those that Python would name.
    lines = (head + text.encode()).replace(b"\r\n", b"\n").split(b"\n")
    for shared in found.pairs[0].shared:
        shown = {line.encode() for _, right in shared.rows for line in right.splitlines()}
        assert shown <= set(lines[shared.second.first - 1 : shared.second.last])
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (b"# coding: nosuch\nx = 1\n", "unknown encoding: nosuch"),
        (b"# coding: rot13\nx = 1\n", "not a text encoding"),
        (b"# coding: undefined\nx = 1\n", "undefined"),
        (b"\xef\xbb\xbf# coding: latin-1\nx = 1\n", ""),
        (b"x = '\xe9'\n", ""),
        ("x = 1\n".encode("utf-16"), ""),
        (b"# coding: utf-7\nx = '+2AA-'\n", ""),
    ],
)
def test_what_python_cannot_decode_is_named_and_the_others_are_compared(
    source: bytes, told: str, handed: Path
) -> None:
    add(handed, "odd", "")
    (handed / "odd" / "game_agent.py").write_bytes(source)
    add(handed, "copy", disguised(STRANGERS["ada"].read_text("utf-8"), seed=1))
    status, shown, said = run(handed)
    assert status == ExitStatus.FAILED
    assert "ada and copy:" in shown
    (line,) = [each for each in shown.splitlines() if each.startswith("not compared: odd: ")]
    assert told in line
    assert "exited with status" not in line
    assert "Traceback" not in said


def test_nothing_is_run(handed: Path) -> None:
    mark = handed.parent / "mark"
    add(handed, "active", f"open({str(mark)!r}, 'w')\nraise SystemExit(3)\n")
    copies(files(handed))
    assert not mark.exists()


def test_the_order_of_submissions_changes_nothing(handed: Path) -> None:
    add(handed, "copy", disguised(STRANGERS["ada"].read_text("utf-8"), seed=1))
    (one,) = copies(files(handed)).pairs
    (other,) = copies(dict(reversed(files(handed).items()))).pairs
    assert (one.evidence, one.statements) == (other.evidence, other.statements)


def test_the_command_prints_writes_a_page_and_ends_with_its_status(handed: Path, tmp_path: Path) -> None:
    status, shown, _ = run(handed)
    assert (status, "0 pairs with 80 bits or more" in shown) == (ExitStatus.GOOD, True)
    add(
        handed,
        "copy",
        "# <script>alert(1)</script>\n" + disguised(STRANGERS["ada"].read_text("utf-8"), seed=1),
    )
    page = tmp_path / "page.html"
    status, shown, _ = run(handed, "--html", page)
    assert status == ExitStatus.FAILED
    assert "ada and copy:" in shown
    assert "game_agent.py:" in shown
    text = page.read_text("utf-8")
    assert "<script" not in text
    assert "lines " in text
    status, document, _ = run(handed, "--json")
    found = json.loads(document)
    assert (status, found["schema"]) == (ExitStatus.FAILED, "isolation-grader/copies/1")
    assert len(found["pairs"][0]["shared"][0]["rows"]) > 3


def test_what_comes_from_the_reading_process_is_checked() -> None:
    found = statements_of(b"def f(a):\n    b = a + 1\n    c = b * b + a * a - b\n    return [c, a, b]\n")
    sent = json.loads(json.dumps(written(found)))
    assert read(sent) == found != Statements()
    for wrong in ({"windows": [[0, 9, 1, 1]]}, {"statements": [[1, 2, "x", 4]]}, {"problem": 7}):
        with pytest.raises(ValueError, match=r"\bis\b"):
            read({**sent, **wrong})
