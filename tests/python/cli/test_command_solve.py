"""`isolation-fast solve`: the drawn board, the forms for programs, and what is refused."""

from __future__ import annotations

import csv
import io
import json

import pytest

from isolation_fast import Board, cli, solve

MIDGAME = "5x5 1x3/1xx2/xxx2/x1x2/xx3 1,2 2,1 1"
DRAWN = """\
     0    1    2    3    4
0 | L2 |  - |    |    | W7 |
1 |    |  - |  1 |    |    |
2 |  - |  2 |  - |    | L8 |
3 |  - | W7 |  - | L4 |    |
4 |  - |  - |    |    |    |

1, 2: the players   -: blocked   W: wins   L: loses   ?: not decided
player 1 to move: win in 7 moves: 2 of 5 legal moves win (97 nodes)
best play: 3,1 0,2 2,3 1,4 4,2 3,3 3,4
"""


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command prints where all goes well."""
    assert cli.main(["solve", *arguments]) == 0
    done = capsys.readouterr()
    assert done.err == ""
    return done.out


def test_the_board_is_drawn_with_the_outcome_of_every_move(capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, MIDGAME, "--distance") == DRAWN
    assert output(capsys, *MIDGAME.split(), "--distance") == DRAWN
    assert output(capsys, MIDGAME, "--distance", "--threads", "2") == DRAWN


def test_without_distances_the_line_is_a_win(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, MIDGAME)
    line = " ".join(f"{row},{column}" for row, column in solve(Board.from_text(MIDGAME), line=True).line)
    assert "W7" not in shown
    assert f"a line in which the winner keeps the win: {line}" in shown


def test_a_line_that_the_budget_ended_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "7x7 7/7/7/3x3/7/7/7 3,3 - 2", "--nodes", "1").rstrip().endswith(" ...")
    assert not output(capsys, MIDGAME).rstrip().endswith("...")


def test_what_is_not_decided_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "9x9 9/9/9/9/4x4/9/9/9/9 4,4 - 2", "--nodes", "1000")
    assert "player 2 to move: unknown: none of 80 legal moves is proven to win (1,000 nodes)" in shown
    # Eight moves allow the opponent to make the board its own image under the half turn, which wins at sight.
    assert (shown.count("? |"), shown.count("L |")) == (72, 8)


def test_boards_of_more_than_ten_rows_and_columns_keep_their_columns(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = output(capsys, "12x11 " + "/".join(["xxxxxxxxxxxx"] * 11) + " 0,0 1,2 1").splitlines()
    assert {len(line) for line in lines[1:12]} == {len(lines[1])}
    assert lines[12:] == [
        "",
        "1, 2: the players   -: blocked   W: wins   L: loses   ?: not decided",
        "player 1 to move: loss: no legal move (0 nodes)",
    ]


def test_json_has_all_that_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    solution = solve(Board.from_text(MIDGAME), distance=True)
    assert json.loads(output(capsys, MIDGAME, "--distance", "--json")) == {
        "position": MIDGAME,
        "player": 1,
        "outcome": "win",
        "distance": 7,
        "moves": [
            {"move": list(each.move), "outcome": each.outcome, "distance": each.distance}
            for each in solution.moves
        ],
        "line": [list(move) for move in solution.line],
        "nodes": 97,
    }


def test_csv_has_a_row_for_each_move(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.reader(io.StringIO(output(capsys, MIDGAME, "--csv"))))
    assert rows[:2] == [["move", "outcome", "distance"], ["0,4", "win", ""]]
    assert len(rows) == 6


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], '"nonsense" is not a position'),
        ([MIDGAME, "--nodes", "0"], "nodes must be an integer of at least 1, not 0"),
    ],
)
def test_bad_input_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["solve", *arguments]) == 2
    done = capsys.readouterr()
    assert done.out == ""
    assert done.err.startswith(f"isolation-fast: error: {said}")
