"""`isolation-fast theory`: drawn boards, tables, the forms for programs, certificates, what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from isolation_fast import cli
from isolation_fast.theory.checker import check

DRAWN = """\
1: player 1   W: player 2 wins by this answer   L: player 2 loses by it

player 1 on 0,0, as on 4 cells that are alike: 5 winning replies
    0   1   2
0 | 1 | W | L |
1 | W | L | W |
2 | L | W | W |

player 1 on 0,1, as on 4 cells that are alike: 5 winning replies
    0   1   2
0 | W | 1 | W |
1 | L | L | L |
2 | W | W | W |

player 1 on 1,1, alone of its kind: 8 winning replies
    0   1   2
0 | W | W | W |
1 | W | 1 | W |
2 | W | W | W |
"""


def output(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """What the command prints."""
    assert cli.main(["theory", *arguments]) == status
    done = capsys.readouterr()
    return done.err if status else done.out


def test_the_winning_replies_are_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    said, _, shown = output(capsys, "3x3").partition("\n")
    assert said.startswith("3x3: player 2 wins; player 1 wins 24 openings, player 2 48, of which 16 are")
    assert said.endswith(" nodes)")
    assert shown == f"{DRAWN}\n"


def test_the_exceptions_to_the_colour_rule_are_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "5x5", "--openings")
    drawn = shown.partition("exceptions to the colour rule: 8\n")[2]
    assert drawn.startswith("player 1 on (2, 2), player 2 on (0, 1): player 1 wins; 8 openings are alike\n")
    assert "\n0 |   | 2 |   |   |   |\n1 |   |   |   |   |   |\n2 |   |   | 1 |   |   |\n" in drawn


def test_a_board_with_an_even_side_is_answered_by_images(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "3x2")
    assert "by answering every move with its image under the half turn" in shown
    assert "0 | 1 |   |   |\n1 |   |   | W |\n" in shown
    assert "player 1 wins 8 openings, player 2 22, of which 12 are" in output(
        capsys, "3x2", "--replies", "every"
    )
    assert "exceptions to the colour rule: 12\n" in output(capsys, "3x2", "--openings")


def test_several_boards_are_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "5x5", "3x4", "--format", "github").replace(" ", "")
    assert "|5x5|2|296|304|8|" in shown
    assert "|3x4|2|-|-|-|0|" in shown
    assert "bythehalfturntheorem" in shown
    assert "theorem" not in output(capsys, "5x5", "3x3", "--format", "github")


def test_programs_get_json_and_csv(capsys: pytest.CaptureFixture[str]) -> None:
    (board,) = json.loads(output(capsys, "5x5", "--json"))["boards"]
    assert (board["board"], board["winner"], board["openings_won"], board["exceptions"]) == (
        "5x5",
        2,
        [296, 304],
        8,
    )
    assert [len(each["winning_replies"]) for each in board["first_placements"]] == [12, 13, 12, 12, 13, 4]
    rows = [*csv.DictReader(io.StringIO(output(capsys, "3x3", "--csv")))]
    assert [(row["first"], row["winning replies"]) for row in rows[:1]] == [("0,0", "0,1 1,0 1,2 2,1 2,2")]
    rows = [*csv.DictReader(io.StringIO(output(capsys, "5x5", "--openings", "--csv")))]
    assert sum(int(row["alike"]) for row in rows) == 600
    (odd,) = [row for row in rows if row["exception"] == "yes"]
    assert (odd["first"], odd["second"], odd["winner"], odd["same colour"]) == ("2,2", "0,1", "1", "no")


def test_one_opening_alone(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "5x5", "--first", "2,2", "--second", "2,1", "--plies", "2")
    assert shown.startswith("5x5: not proven who wins")
    assert shown.count("W |") == 4
    # Of the answers that nobody looked at nothing is said.
    assert shown.count("L |") == 0
    assert "4 winning replies found" in shown


def test_a_certificate_is_written_and_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "5x5.certificate"
    assert cli.main(["theory", "5x5", "--certificate", str(file)]) == 0
    content = file.read_bytes()
    first, *last = capsys.readouterr().err.splitlines()
    assert first == f"isolation-fast: solving the openings, then writing player 2's answers to {file}"
    assert last[-2:] == [
        f"isolation-fast: certificate of {len(content):,} bytes: {file}",
        f"hint: check it with: python -m isolation_fast.theory.checker {file}",
    ]
    assert check(content)[:2] == (5, 5)


def test_a_journal_is_gone_on_from(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = ("--journal", str(tmp_path / "proofs"))
    first = output(capsys, "5x5", *kept)
    assert "hint: --resume continues from it" in output(capsys, "5x5", *kept, status=2)
    assert output(capsys, "5x5", *kept, "--resume") == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--resume"], "--resume needs the --journal"),
        (["--first", "0,0"], "--first is for one board, not for 28"),
        (["3x3", "5x5", "--certificate", "file"], "--certificate is for one board, not for 2"),
        (["1x1", "--certificate", "certificate"], "player 2 does not win there"),
        (["5x5", "--first", "5,0"], "cell (5, 0) is outside the 5x5 board"),
        (["5x5", "--first", "2,2", "--certificate", "file"], "it does not go with --first"),
        (["5x5", "--workers", "0", "--journal", "folder"], "workers must be an integer of at least 1, not 0"),
        (["5x5", "--replies", "image"], "the centre of 5x5 is its own image"),
        (["5x5", "--certificate", "-"], "--certificate names a file, since stdout has the boards"),
        (["6x6", "--openings", "--replies", "one"], "it does not go with --replies one"),
        (["200x200"], "boards have at most 1,024 cells, not 200x200: with an even side player 2 wins"),
        (["33x33"], "boards have at most 1,024 cells, not 33x33\n"),
    ],
)
def test_what_makes_no_sense_is_refused(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in output(capsys, *arguments, status=2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("word", ["7", "7 by 7", "0x3", "--first=3", "--replies=few"])
def test_words_that_are_no_size_or_cell_are_refused(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["theory", word])
    assert ended.value.code == 2
    assert "such as" in capsys.readouterr().err or word == "--replies=few"
