"""What the package knows of the five reports: all that they print and claim, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import heuristics
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.study import chosen, reports
from isolation_fast.study.studying import measurements
from isolation_fast.tournament import ROSTERS

# Beside the project where it is developed; elsewhere the figures below hold alone.
PRINTED = Path(__file__).resolve().parents[4] / "shared" / "spec" / "published.json"

ROWS = {"A": 4, "B": 4, "C": 19, "D": 12, "E": 4}
CLAIMS = {"A": 1, "B": 1, "C": 3, "D": 1, "E": 3}


def printed() -> dict[str, Any]:
    if not PRINTED.is_file():
        return {}
    return dict(json.loads(PRINTED.read_text(encoding="utf-8"))["reports"])


def test_every_row_and_claim_of_the_five_reports_is_there() -> None:
    known = reports()
    assert {name: sum(row.percent is not None for row in each.rows) for name, each in known.items()} == ROWS
    assert {name: len(each.claims) for name, each in known.items()} == CLAIMS
    ids = [claim.id for each in known.values() for claim in each.claims]
    assert len(set(ids)) == len(ids)


def test_the_rows_are_those_that_are_printed() -> None:
    for letter, theirs in printed().items():
        ours = reports()[letter]
        assert (ours.source, ours.roster) == (theirs["file"], theirs["roster"])
        for name, row in theirs.get("rows", {}).items():
            percent = theirs.get("averages", {}).get(name, row["percent"])
            assert (ours.row(name).percent, ours.row(name).label) == (percent, row.get("label", name))
        for name in theirs.get("not_measured_there", ()):
            assert ours.row(name).percent is None
        tournaments = theirs.get("tournaments", {})
        if isinstance(tournaments, dict):
            for name, each in tournaments.items():
                assert list(ours.row(name).tournaments) == each
        else:
            for index, tournament in enumerate(tournaments):
                for name in set(tournament) - {"garbled_in_print", "repeats"}:
                    assert ours.row(name).tournaments[index] == tournament[name]
        assert len(ours.claims) == len(theirs["claims"])


def test_what_they_print_against_each_opponent_is_there_where_they_do() -> None:
    for letter, theirs in printed().items():
        for name, row in theirs.get("rows", {}).items():
            each = row.get("percent_each") or [10 * won for won in row.get("wins", ())]
            assert list(reports()[letter].row(name).by_opponent or ()) == each


def test_every_row_is_a_heuristic_of_the_engine_and_every_claim_is_about_rows() -> None:
    for report in reports().values():
        names = {row.name for row in report.rows}
        assert {row.heuristic for row in report.rows} <= set(heuristics.names())
        assert report.roster in ROSTERS
        for claim in report.claims:
            assert {name for pair in claim.comparisons for name in pair} <= names
            assert (claim.kind == "best play") == (not claim.comparisons)


def test_a_claim_of_ten_comparisons_counts_as_ten() -> None:
    assert [len(claim.comparisons) for claim in chosen().claims] == [3, 3, 10, 4, 0, 1, 1, 1, 1]


def test_a_row_that_is_another_heuristic_says_so() -> None:
    substitutes = [row for report in reports().values() for row in report.rows if row.is_substitute]
    assert [(row.name, row.heuristic) for row in substitutes] == [("as_printed_custom_3", "aggressive")]
    assert "measured as aggressive" in (substitutes[0].note or "")


def test_a_heuristic_is_measured_once_for_each_roster() -> None:
    pairs = measurements(chosen())
    assert len(set(pairs)) == len(pairs) == 46
    assert pairs[:2] == [("classic", "improved"), ("early", "improved")]


@pytest.mark.parametrize(
    ("letters", "name", "said"),
    [
        (["X"], None, "unknown report 'X'"),
        ([], "bsf", "unknown row 'bsf', did you mean 'bfs'"),
        (["A"], "bfs", "unknown row 'bfs'"),
    ],
)
def test_what_is_no_report_or_row_is_refused(letters: list[str], name: str | None, said: str) -> None:
    with pytest.raises(InvalidArgumentError, match=said):
        chosen(letters, name)
