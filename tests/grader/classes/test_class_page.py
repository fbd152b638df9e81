"""The page about a class: well-formed, with a link to each report, and no markup of a student's."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import pytest
from hostile_report import HOSTILE, hostile
from report_examples import example_report, report_of_a_file_that_does_not_load
from test_showing_html import Page

from isolation_grader.classes import ClassFacts, Facts, Marked, Student, default_rubric
from isolation_grader.classes.facts import facts_of
from isolation_grader.classes.summary import Settings, page, with_marks, without_marks
from isolation_grader.classes.tables import grades
from isolation_grader.report import Graded, Grading, Report
from isolation_grader.showing import shown

SETTINGS = Settings(4815162342, "work=2000", "classic", 5.0)


def facts(report: Report, key: str, name: str | None = None) -> Facts:
    return facts_of(json.loads(shown(report, "json")), key, key, (Student(name or key),))


def marked(*found: Facts, **more: object) -> Marked:
    whole = ClassFacts("plain", found, (("notes.txt", "it is neither"),), (Student("Lana"),))
    return Marked.of(replace(whole, **more), default_rubric())  # type: ignore[arg-type] # as the test says


def test_each_row_links_to_its_report() -> None:
    graded = [facts(example_report(), f"student-{number}") for number in range(12)]
    bad = facts(report_of_a_file_that_does_not_load(), "eve")
    shown_page = Page(page(marked(*graded, bad), SETTINGS))
    links = {str(each.get("href")) for each in shown_page.attributes("a")}
    assert links >= {f"staff/student-{number}.html" for number in range(12)} | {
        "staff/eve.html",
        "grades.csv",
    }
    assert shown_page.count("h1") == shown_page.count("main") == 1
    ids = [str(attributes["id"]) for _, attributes in shown_page.elements if "id" in attributes]
    assert sorted(ids) == sorted(set(ids))
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    for told in (
        "12 better",
        "1 not graded",
        "SyntaxError: invalid syntax",
        "Lana",
        "notes.txt",
        "4815162342",
    ):
        assert told in shown_page.words


def test_a_class_of_nobody_graded_has_a_page_too() -> None:
    shown_page = Page(page(marked(facts(report_of_a_file_that_does_not_load(), "eve")), SETTINGS))
    assert "Nothing could be graded." in shown_page.words
    assert "Nobody." in shown_page.words


def test_who_was_cut_before_a_block_was_played_is_listed_too() -> None:
    report = example_report()
    begun = Graded("custom_score", Grading("undecided"))
    cut = facts(replace(report, graded=(begun,), is_cut=True), "stops-itself")
    assert cut.verdict == "undecided"
    shown_page = Page(page(marked(facts(report, "ada"), cut), SETTINGS))
    assert "staff/stops-itself.html" in {str(each.get("href")) for each in shown_page.attributes("a")}
    assert "its time was over (--total-wall)" in shown_page.words


@pytest.mark.parametrize("text", [HOSTILE, "</script><script>alert(1)</script>", "::error::x\x1b[2J"])
def test_no_text_of_a_student_is_markup(text: str) -> None:
    found = [
        facts(hostile(example_report(), HOSTILE), "eve", text),
        facts(report_of_a_file_that_does_not_load(), "bad", text),
    ]
    whole = marked(*found, left=((text, text),), missing=(Student(text),))
    source = page(whole, SETTINGS)
    shown_page = Page(source)
    assert shown_page.count("script") == 0
    assert "\x1b" not in source + grades(whole)


def test_marks_go_where_the_page_of_a_report_begins() -> None:
    whole = marked(facts(hostile(example_report(), HOSTILE), "eve"))
    report = shown(hostile(example_report(), HOSTILE), "html")
    one = with_marks(report, whole.marks["eve"])
    assert Page(one).count("h1") == 1
    assert one.index('<main>\n<section aria-labelledby="marks">') < one.index('id="verdict"')
    hidden = replace(whole.marks["eve"].parts[0], is_visible=False)
    assert with_marks(report, replace(whole.marks["eve"], parts=(hidden,)).shown()) == report
    assert without_marks(one) == without_marks(report) == report


def test_an_open_mark_is_no_number() -> None:
    whole = marked(facts(report_of_a_file_that_does_not_load(), "eve"))
    report = shown(report_of_a_file_that_does_not_load(), "html")
    page_of_it = Page(with_marks(report, whole.marks["eve"].shown())).words
    assert "Open: a person decides" in page_of_it
    assert "0 of 100 points" not in page_of_it
    (row,) = [each for each in csv.DictReader(grades(whole).splitlines()) if each["key"] == "eve"]
    assert (row["total"], row["open"]) == ("", "open")
    document = whole.marks["eve"].to_dict()
    assert (document["total"], document["decided"], document["open"]) == (None, 0, True)
