"""The formats in which sub-commands print: for people on a table, for programs as JSON and CSV."""

import argparse
import csv
import io
import json
import sys
from typing import Any

import pytest

from isolation_fast.output import tables

HEADERS = ["what", "verdict", "count"]
ROWS: list[list[tables.Cell]] = [["custom_score", "same values", 400], ["1e5", None, 7]]


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="isolation-fast")
    tables.add_format_options(parser)
    return parser.parse_args(words)


def printed(capsys: pytest.CaptureFixture[str], *words: str, document: Any = None) -> str:
    tables.print_table(options(*words), HEADERS, ROWS, document or {})
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_a_table_is_what_is_printed_unless_asked_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys).splitlines()
    assert lines[0].split() == HEADERS
    assert lines[2].split() == ["custom_score", "same", "values", "400"]


def test_numbers_stand_to_the_right_and_text_is_not_taken_for_a_number(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = printed(capsys).splitlines()
    assert lines[3].startswith("1e5 ")
    assert lines[3].endswith("     7")


def test_an_empty_cell_leaves_the_numbers_of_its_column_to_the_right() -> None:
    lines = tables.table_text("simple", ["count"], [[None], [7]], {}).splitlines()
    assert lines[-1] == "      7"


def test_json_is_the_document_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    document = {"version": 1, "name": "Zoë \udcff"}
    assert json.loads(printed(capsys, "--json", document=document)) == document


def test_json_is_the_same_bytes_whatever_the_encoding(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "--json", document={"name": "Zoë"}).isascii()


def test_a_document_with_an_infinity_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        tables.table_text("json", [], [], {"value": float("inf")})


def test_csv_reads_back_as_the_rows(capsys: pytest.CaptureFixture[str]) -> None:
    read = list(csv.reader(io.StringIO(printed(capsys, "--csv"))))
    assert read == [HEADERS, ["custom_score", "same values", "400"], ["1e5", "", "7"]]


@pytest.mark.parametrize("form", ["github", "grid", "html", "latex", "plain", "tsv", "simple"])
def test_every_format_of_tabulate_holds_every_cell(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "--format", form).replace("\\_", "_")
    assert all(str(cell) in out for row in ROWS for cell in row if cell is not None)


def test_a_table_without_rows_has_its_head(capsys: pytest.CaptureFixture[str]) -> None:
    tables.print_table(options(), HEADERS, [], {})
    assert capsys.readouterr().out.splitlines()[0].split() == HEADERS


@pytest.mark.parametrize("short", ["json", "csv"])
def test_the_short_forms_say_the_same_as_the_long_one(short: str) -> None:
    assert options(f"--{short}") == options("--format", short)


def test_an_unknown_format_is_answered_with_the_one_that_was_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit, match="2"):
        options("--format", "gihtub")
    assert "did you mean 'github'?" in capsys.readouterr().err


def test_each_format_is_offered_once() -> None:
    with pytest.raises(argparse.ArgumentTypeError) as caught:
        tables.known_format(["json", "html"], "-")
    assert [str(caught.value).count(f"'{each}'") for each in ("json", "html")] == [1, 1]


def test_two_formats_at_once_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        options("--json", "--csv")
    assert "not allowed with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "on_stdout"),
    [([], True), (["--format", "grid"], True), (["--json"], False), (["--csv"], False)],
)
def test_what_stands_below_a_table_never_mixes_with_data(
    words: list[str], on_stdout: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    tables.print_below(options(*words), "2 compared")
    out, err = capsys.readouterr()
    assert (out, err) == (("2 compared\n", "") if on_stdout else ("", "2 compared\n"))


def test_what_the_terminal_cannot_show_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    tables.print_table(options(), ["name"], [["Zoë"]], {})
    stream.flush()
    assert b"Zo\\xeb" in stream.buffer.getvalue()


@pytest.mark.parametrize("form", ["github", "pipe"])
def test_a_bar_in_a_cell_does_not_end_it_in_markdown(form: str) -> None:
    assert r" \|L(p)\| " in tables.table_text(form, ["formula"], [["|L(p)|"]], {})
    assert "|L(p)|" in tables.table_text("simple", ["formula"], [["|L(p)|"]], {})
