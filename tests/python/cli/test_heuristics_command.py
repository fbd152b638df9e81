"""`isolation-fast heuristics`: the list, and one heuristic worked out."""

import csv
import io
import json
from typing import Any

import pytest

from isolation_fast import Board, cli, cost, evaluate, heuristics
from isolation_fast.cost import band_in_words
from isolation_fast.worked_examples import worked_examples


def output(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """What the command prints where all goes well."""
    assert cli.main(["heuristics", *options]) == 0
    done = capsys.readouterr()
    assert done.err == ""
    return done.out


def refusal(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """What the command says where it does not."""
    try:
        status = cli.main(["heuristics", *options])
    except SystemExit as ended:
        status = ended.code  # type: ignore[assignment]
    done = capsys.readouterr()
    assert (status, done.out) == (2, "")
    return done.err


def test_the_list_has_a_line_for_each_heuristic(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys).splitlines()
    assert lines[0].split() == ["name", "report", "end", "walks", "cost", "what", "it", "measures"]
    firsts = [line.split()[0] for line in lines[2:] if line[:1].isalpha()]
    assert [first for first in firsts if first in heuristics.names()] == heuristics.names()
    assert "knight_decay_3                       C         S" in "\n".join(lines)
    assert [line[:2] for line in lines[-3:]] == ["T:", "S:", "–:"]


@pytest.mark.parametrize("form", ["simple", "plain"])
def test_the_list_is_read_in_100_columns(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert max(map(len, output(capsys, "--format", form).splitlines())) <= 100


def test_csv_has_a_row_for_each_heuristic(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.reader(io.StringIO(output(capsys, "--csv"))))
    assert [row[0] for row in rows] == ["name", *heuristics.names()]
    by_name = {row[0]: row[1:] for row in rows}
    assert by_name["aggressive"] == [
        "E",
        "–",
        "",
        f"{cost.of('aggressive').value:.2f}",
        "the player's moves less a multiple of the opponent's; factor = 2",
    ]
    assert by_name["continuations"][2] == "yes"


def test_the_document_of_the_list_has_all_that_is_registered(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(output(capsys, "--json"))
    assert [each["name"] for each in document["heuristics"]] == heuristics.names()
    for each in document["heuristics"]:
        heuristic = heuristics.get(each["name"])
        for field in ("summary", "formula", "ending", "report", "label", "walks"):
            assert each[field] == getattr(heuristic, field)
        assert each["cost"] == cost.of(heuristic).to_dict()
        defaults = {name: told["default"] for name, told in each["parameters"].items()}
        ranges = {name: (told["lowest"], told["highest"]) for name, told in each["parameters"].items()}
        assert (defaults, ranges) == (heuristic.parameters, heuristic.allowed)


@pytest.mark.parametrize("name", heuristics.names())
def test_one_is_shown_with_its_worked_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, name)
    for example in worked_examples(heuristics.get(name)):
        assert f"\n\n{example}\n" in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_one_is_shown_with_what_there_is_to_know_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    found = cost.of("aggressive")
    costs = ", ".join(f"{each:.4g} at {band_in_words(band)}" for band, each in enumerate(found.by_band))
    lines = output(capsys, "aggressive").partition("\n\n")[0].splitlines()
    *facts, first, second = lines[2:]
    assert " ".join([first, second.strip()]) == f"cost of a node    {found.value:.4g} ({costs})"
    assert facts == [
        "name              aggressive",
        "family            mobility: moves, now and one step on",
        "measures          the player's moves less a multiple of the opponent's",
        "formula           |L(p)| - factor · |L(o)|",
        "p                 the player that is scored",
        "o                 its opponent",
        "L(x)              the legal moves of x, whoever is to move (all blank cells before x is placed);",
        "                  |L(x)|: how many",
        "parameter factor  2; by default 2; from -1,000,000 to 1,000,000",
        "at the end        the formula alone, at the end of a game too (–)",
        "from              report E, AB_Custom",
        "walks             no",
    ]


@pytest.mark.parametrize("name", ["bfs", "staged_continuations", "null"])
def test_the_document_of_one_has_its_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(output(capsys, name, "--json"))
    assert document["name"] == name
    assert document["formula"] == heuristics.get(name).formula
    assert document["examples"]
    for example in document["examples"]:
        board = Board.from_text(example["position"])
        assert example["values"] == {
            player: evaluate(board, name, player) for player in ("player 1", "player 2")
        }
        assert set(example["working"]) == {"player 1", "player 2"}


@pytest.mark.parametrize("form", ["github", "grid", "html", "csv", "tsv", "latex"])
def test_both_are_printed_in_the_formats_of_tables(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "balanced_blend_then_continuations" in output(capsys, "--format", form).replace("\\", "")
    one = output(capsys, "bfs", "--format", form)
    assert ("bfs is 0.45 for player 1:" in one) == (form not in ("csv", "tsv"))


def test_a_variant_is_shown_with_its_own_values(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "aggressive", "--with", "factor=1.5")
    assert "1.5; by default 2; from" in shown
    assert f"cost of a node    {cost.of('aggressive').value:.4g} (" in shown
    assert "blank), counted with aggressive" in " ".join(shown.split())
    assert "aggressive(factor=1.5) is 3 for player 1:" in shown
    both = output(capsys, "staged_continuations", "--with", "early=0.9", "--with", "late=0.1", "--json")
    parameters: Any = json.loads(both)["parameters"]
    assert {name: told["value"] for name, told in parameters.items()} == {"early": 0.9, "late": 0.1}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["agressive"], "unknown heuristic 'agressive', did you mean 'aggressive'? Allowed: 'aggressive', "),
        (["aggressive", "--with", "facter=1"], "unknown parameter 'facter', did you mean 'factor'?"),
        (["bfs", "--with", "r=0.5"], "bfs has no parameters"),
        (["knight_decay_2", "--with", "r=2"], "r must be from 0 to 1, not 2"),
        (["aggressive", "--with", "factor"], "argument --with: a parameter and its value are given as "),
        (["aggressive", "--with", "factor=1", "--with", "factor=3"], "--with gives factor twice, 1 and 3"),
        (["\udcff"], "unknown heuristic '\\udcff'"),
        (["aggressive", "--with", "\udcff=1"], "unknown parameter "),
        (["--with", "factor=2"], "--with needs the NAME of a heuristic"),
        (["--format", "jsn"], "argument --format: unknown format 'jsn', did you mean 'json'?"),
    ],
)
def test_what_cannot_be_shown_is_told_on_stderr(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refusal(capsys, *options).startswith(f"isolation-fast: error: {said}")
