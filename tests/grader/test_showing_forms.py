"""What holds for every form of a report, whatever the report and whatever is in it."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from dataclasses import replace
from typing import Any

import pytest
from hostile_report import HOSTILE, hostile, kinds_of_reports
from report_examples import example_report, report_of_a_file_that_does_not_load

from isolation_fast.jail import Level
from isolation_fast.output import Parser
from isolation_fast.statistics import Interval
from isolation_grader.cli import check
from isolation_grader.options import Question
from isolation_grader.report import Printed, Report
from isolation_grader.showing import shown, wording
from isolation_grader.showing.repeating import Repeat, quoted

FORMS = ("simple", "grid", "github", "tsv", "json", "csv", "markdown", "gradescope")
FOR_PEOPLE = ("simple", "grid", "markdown")
KINDS = kinds_of_reports()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_report_has_every_form_as_harmless_text(kind: str, form: str) -> None:
    text = shown(KINDS[kind], form)
    # Tabs end the cells of tsv.
    odd = {each for each in text if not each.isprintable()} - {"\n", "\t" if form == "tsv" else "\n"}
    assert text.endswith("\n")
    assert not odd
    text.encode("utf-8")


@pytest.mark.parametrize("form", [*FORMS, "html", "plain"])
@pytest.mark.parametrize(
    "text",
    ["::error::forged", "ok\n \t::set-output name=forged::b", "see ##[error]forged", "##vso[forged]", ":"],
)
def test_no_runner_of_workflows_finds_a_command_of_a_submission(form: str, text: str) -> None:
    for report in (example_report(), report_of_a_file_that_does_not_load()):
        found = hostile(report, text)
        # Alone, so that names begin with it.
        found = replace(found, graded=tuple(replace(each, name=text) for each in found.graded))
        page = shown(found, form, Repeat(text))
        assert text == ":" or "forged" in page or form in ("csv", "tsv")
        # As the runner reads a log: commands at the beginning of a line, and old ones wherever they stand.
        assert not re.search(r"^\s*::", page, re.MULTILINE)
        assert not re.search(r"##\w*\[", page)


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_the_same_whatever_time_it_took(form: str) -> None:
    report = example_report()
    assert shown(replace(report, timings=type(report.timings)()), form) == shown(report, form)


@pytest.mark.parametrize("form", FOR_PEOPLE)
def test_the_verdict_is_told_with_all_that_it_depends_on(form: str) -> None:
    report = replace(
        example_report(), sandbox=Level(("system calls",), ("files",)), seed=77, budget="work=3000"
    )
    text = shown(report, form).replace("\\", "")
    for told in (
        "custom_score",
        "better",
        "undecided",
        "not graded",
        "1.25 % (alpha; of all 4 together 5 %)",
        "10 % (beta)",
        "5 points more",
        "120 blocks",
        "after 12 blocks",
        "H0: it wins 66.7 %",
        "H1: it wins 71.7 %",
        "66.7 ± 7.8 %",
        "seed 77, budget work=3000, roster classic, sandbox partial, without: files",
        "3.05",
        "counted",
        "timed",
    ):
        assert told in text, told


@pytest.mark.parametrize("form", FOR_PEOPLE)
def test_what_is_partial_or_decided_by_a_clock_says_so(form: str) -> None:
    whole, partial = shown(KINDS["whole"], form), shown(KINDS["partial"], form)
    for told in ("this report is partial", "a clock may have decided something"):
        assert told in partial
        assert told not in whole


@pytest.mark.parametrize("form", FOR_PEOPLE)
def test_what_could_not_be_graded_has_cause_reason_and_help(form: str) -> None:
    text = shown(report_of_a_file_that_does_not_load(), form)
    for told in ("not graded", "not loaded", "SyntaxError: invalid syntax", "run it by itself"):
        assert told in text
    text = shown(example_report(), form).replace("\\", "")
    for told in ("ZeroDivisionError: division by zero (game_agent.py:6 in custom_score_4)", "mend the error"):
        assert told in text


@pytest.mark.parametrize("form", FOR_PEOPLE)
def test_the_headline_of_a_mixed_result_names_all(form: str) -> None:
    report = example_report()
    text = shown(report, form).replace("\\", "")
    assert "Yes: custom_score (+9.5 points) is better than AB_Improved. Not better: custom_score_2 (-" in text
    assert " points). Undecided: custom_score_3 (+8.3 points). Not graded: custom_score_4." in text
    text = shown(replace(report, graded=report.graded[1:]), form).replace("\\", "")
    assert "Not better: custom_score_2 (-13.7 points). Not graded: custom_score_4." in text


@pytest.mark.parametrize("form", FOR_PEOPLE)
def test_the_cause_of_what_is_not_graded_stands_before_the_tables_and_no_table_is_empty(form: str) -> None:
    report = example_report()
    cause, table = "not graded: custom_score_4: raised: it raised in three games", "Match"
    text = shown(report, form).replace("\\", "")
    assert text.index(cause) < text.index(table)
    head = next(each for each in text.splitlines() if table in each)
    assert "custom_score_3" in head
    assert "custom_score_4" not in head
    alone = shown(replace(report, graded=report.graded[3:]), form).replace("\\", "")
    assert cause in alone
    assert table not in alone
    # Nor what would have been tested, where nothing was.
    for form_of in (alone, shown(report_of_a_file_that_does_not_load(), form)):
        assert "H1" not in form_of
        assert "(alpha" not in form_of


def test_the_failures_come_last_one_line_each_with_the_command_that_repeats_it() -> None:
    lines = shown(example_report(), "simple").splitlines()
    failures = lines[lines.index("failures:") + 1 :]
    assert [each.partition(":")[0] for each in failures] == [
        "not better",
        "undecided",
        "not graded",
        "raised",
        "raised",
        "raised",
    ]
    assert all(
        "; repeat: isolation-grade check game_agent.py --heuristics custom_score_" in e for e in failures
    )
    assert re.search(
        r"raised: custom_score_4 against \w+, opening \d+, as player [12]: It raised", failures[-1]
    )


def test_nothing_of_a_submission_stands_behind_the_command() -> None:
    text = shown(hostile(example_report(), "x; rm -rf ~ #"), "simple")
    for line in text.splitlines():
        if "; repeat: " in line:
            words = shlex.split(line.rpartition("; repeat: ")[2])
            assert words[:3] == ["isolation-grade", "check", "x; rm -rf ~ #"]
            assert "rm" not in words


def parsed(command: str) -> object:
    parser = Parser(prog="isolation-grade")
    check.add_to(parser.add_subparsers())
    return vars(parser.parse_args(shlex.split(command)[1:]))


def test_the_command_asks_for_the_same_test_again() -> None:
    report = example_report()
    question = replace(report.question, points=2.5, alpha=0.1, beta=0.2, blocks=60)
    report = replace(report, seed=-3, roster="early", budget="nodes=500", plays="players", question=question)
    graded = report.graded[1]
    options = parsed(Repeat("sub/agent.py", ("--memory", "512")).command(report, graded))
    assert isinstance(options, dict)
    found = {
        name: options[name] for name in ("submission", "heuristics", "players", "roster", "seed", "budget")
    }
    assert found == {
        "submission": "sub/agent.py",
        "heuristics": [graded.name],
        "players": True,
        "roster": "early",
        "seed": -3,
        "budget": "nodes=500",
    }
    # One heuristic alone: what all shared before is now its own.
    assert [options[name] for name in ("points", "alpha", "beta", "blocks")] == [
        2.5,
        graded.grading.alpha,
        0.2,
        60,
    ]
    assert options["memory"] == 512


def test_the_command_names_no_option_that_is_so_anyway() -> None:
    report = example_report()
    grading = replace(report.graded[0].grading, terms=Question().terms("timed"), cost=None)
    alone = replace(report.graded[0], grading=grading)
    short = "isolation-grade check game_agent.py --heuristics custom_score --seed 0"
    assert Repeat().command(report, alone) == short


def test_the_command_for_all_asks_for_those_that_were_asked_for() -> None:
    report = report_of_a_file_that_does_not_load()
    repeat = Repeat("agent.py", heuristics=("one", "two"))
    options = parsed(repeat.command(report))
    assert isinstance(options, dict)
    assert options["heuristics"] == ["one", "two"]
    assert "--heuristics one two --seed 0" in shown(report, "simple", repeat)
    assert "--heuristics" not in Repeat("agent.py").command(report)


@pytest.mark.parametrize(
    "word", [HOSTILE.replace("\x00", ""), "-rf.py", "a b'c", "é\x85\x9f\u2028", "", "\udcff'"]
)
def test_a_quoted_word_is_that_word_for_a_shell(word: str) -> None:
    text = quoted(word)
    assert text.isprintable()
    without = word.replace("\ud800", "")  # no name of a file has it
    done = subprocess.run(["bash", "-c", f"printf %s {quoted(without)}"], capture_output=True, check=True)
    assert done.stdout == without.encode("utf-8", "surrogateescape")


def test_data_is_a_row_for_each_opponent_and_one_against_all() -> None:
    lines = [each.split(",") for each in shown(example_report(), "csv").splitlines()]
    rows = [dict(zip(lines[0], each, strict=True)) for each in lines[1:]]
    for graded in example_report().graded:
        mine = [each for each in rows if each["name"] == graded.name]
        assert [each["opponent"] for each in mine] == [e.opponent for e in graded.grading.scores] + [""]
        assert mine[-1]["verdict"] == graded.verdict
        assert [int(mine[-1][name]) for name in ("games", "won")] == [
            graded.grading.games,
            graded.grading.won,
        ]


def test_json_is_the_model_and_the_sentences_that_say_what_is_known() -> None:
    for report in KINDS.values():
        document = json.loads(shown(report, "json"))
        assert document.pop("headline") == wording.summary(report)
        for each, graded in zip(document["graded"], report.graded, strict=True):
            assert each.pop("known") == wording.known(report, graded)
        assert document == json.loads(json.dumps(report.to_dict()))


@pytest.mark.parametrize("form", ["simple", "markdown", "gradescope", "html"])
def test_what_is_not_graded_has_no_rate_of_0(form: str) -> None:
    report = example_report()
    alone = replace(report, graded=report.graded[-1:])
    grading = alone.graded[0].grading
    assert (grading.rate, grading.interval, grading.games) == (None, None, 3)
    assert not re.search(r"(?<!\d)0\.0 %|(?<!\d)0\.0 \(", shown(alone, form))


@pytest.mark.parametrize("form", ["simple", "markdown", "gradescope", "html", "json"])
@pytest.mark.parametrize(
    ("low", "high", "complete", "told"),
    [
        (
            *(0.009, 0.045, True),
            "Stronger than AB_Improved (+0.9 to +4.5 points); better by 5 points is not proven.",
        ),
        (
            *(0.009, 0.045, False),
            "Stronger than AB_Improved (so far +0.9 to +4.5 points); better by 5 points is not proven yet.",
        ),
        (
            *(0.214, 0.337, True),
            "Stronger than AB_Improved (+21.4 to +33.7 points); "
            "so few blocks do not prove better by 5 points.",
        ),
        (
            # As shown: an end of exactly the points that were asked for is not beyond them.
            *(0.0504, 0.12, True),
            "Stronger than AB_Improved (+5.0 to +12.0 points); better by 5 points is not proven.",
        ),
        (
            *(0.0506, 0.12, True),
            "Stronger than AB_Improved (+5.1 to +12.0 points); "
            "so few blocks do not prove better by 5 points.",
        ),
        (
            *(0.0006, 0.04, True),
            "Stronger than AB_Improved (+0.1 to +4.0 points); better by 5 points is not proven.",
        ),
        (
            *(-0.04, -0.0004, True),
            "Not clearly different from AB_Improved (-4.0 to -0.0 points); "
            "better by 5 points is neither proven nor refuted.",
        ),
        (
            *(-0.04, -0.0006, False),
            "Weaker than AB_Improved (so far -4.0 to -0.1 points); the test has not decided yet.",
        ),
        (-0.045, -0.009, True, "Weaker than AB_Improved (-4.5 to -0.9 points); the test has not decided."),
        (
            *(0.0004, 0.04, True),
            "Not clearly different from AB_Improved (+0.0 to +4.0 points); "
            "better by 5 points is neither proven nor refuted.",
        ),
    ],
)
def test_an_undecided_test_begins_with_what_is_known(
    form: str, low: float, high: float, complete: bool, told: str
) -> None:
    report = example_report()
    open_ = report.graded[2]
    assert (open_.verdict, open_.grading.difference is None) == ("undecided", False)
    assert open_.grading.difference is not None
    difference = replace(open_.grading.difference, value=(low + high) / 2, interval=Interval(low, high, 0.95))
    graded = replace(open_, grading=replace(open_.grading, difference=difference))
    alone = replace(report, graded=(graded,), is_complete=complete)
    text = shown(alone, form).replace("\\", "").replace("&#43;", "+")
    assert f"custom_score_3: {told}" in text


def asking(report: Report, **terms: Any) -> Report:
    """The report with tests that are asked something else."""
    gradings = [
        each.grading
        if each.grading.terms is None
        else replace(each.grading, terms=replace(each.grading.terms, **terms))
        for each in report.graded
    ]
    graded = (replace(each, grading=of) for each, of in zip(report.graded, gradings, strict=True))
    return replace(report, graded=tuple(graded))


def test_why_names_the_error_of_each_verdict_with_its_own_chance() -> None:
    report = asking(example_report(), beta=0.2, blocks=12)
    better, worse, undecided, not_graded = (wording.why(report, each.grading) for each in report.graded)
    assert better == (
        "The test accepted H1 (5 points above AB_Improved), not H0 (no difference). "
        "A heuristic that is no better gets this verdict with a probability of at most 1.25 %."
    )
    assert worse == (
        "The test accepted H0 (no difference to AB_Improved), not H1 (5 points above it). "
        "A heuristic that is 5 points better gets this verdict with a probability of at most 20 %."
    )
    neither = "neither H0 (no difference to AB_Improved) nor H1 (5 points above it)."
    assert undecided == f"The test read all 12 blocks, and accepted {neither}"
    assert not_graded == f"There is no verdict: the question was not answered. {wording.NO_ZERO}"
    longer = asking(report, blocks=13)
    assert wording.why(longer, longer.graded[2].grading) == (
        f"The test read 12 of at most 13 blocks, and accepted {neither}"
    )


def test_what_a_verdict_means_has_the_share_of_each_test_and_of_all() -> None:
    report = example_report()
    alone = replace(report, graded=(report.graded[1],))
    chance = "A heuristic that is no better gets this verdict with a probability of at most"
    assert f"better: the test accepted H1. {chance} 1.25 % (alpha)." in wording.meaning(alone)
    # A template has no share, and a second test a fifth of one.
    template = replace(report.graded[3], grading=replace(report.graded[3].grading, terms=None))
    second = asking(report, alpha=0.0025, work="counted").graded[1]
    mixed = replace(report, graded=(report.graded[0], second, template))
    shares = "1.25 % (timed), 0.25 % (counted) (alpha; of all 2 together 1.5 %)"
    told = f"better: the test accepted H1. {chance} {shares}."
    assert told in wording.meaning(mixed)
    wanted = (
        "A heuristic that is 5 points better gets this verdict with a probability of at most 10 % (beta)."
    )
    assert f"not better: the test accepted H0. {wanted}" in wording.meaning(mixed)


@pytest.mark.parametrize(
    ("rate", "h0", "h1"), [(0.5, "50.0 %, ", "55.0 %, "), (0.95, "95.0 %, ", ""), (0.96, "96.0 %, ", "")]
)
def test_no_hypothesis_is_a_rate_of_all_games(rate: float, h0: str, h1: str) -> None:
    report = example_report()
    assert report.baseline is not None
    base = replace(report.baseline, rate=replace(report.baseline.rate, rate=rate))
    assert wording.hypotheses(replace(report, baseline=base)) == (
        f"it wins {h0}as often as AB_Improved.",
        f"it wins {h1}5 points more than AB_Improved.",
    )


def test_a_report_that_is_not_over_still_says_what_it_asks() -> None:
    report = example_report()
    begun = replace(report, graded=(), is_complete=False)
    assert wording.summary(begun) == "Nothing is graded yet."
    assert next(wording.meaning(begun)).startswith("Does it win 5 points more than AB_Improved")
    over = replace(begun, is_complete=True)
    assert wording.summary(over) == f"Nothing could be graded. {wording.NO_ZERO}"
    assert [*wording.meaning(over)] == [f"not graded: the cause is named. {wording.NO_ZERO}"]
    broken = replace(report, graded=report.graded[3:], is_complete=False)
    assert wording.summary(broken) == f"Nothing could be graded. {wording.NO_ZERO}"
    assert next(wording.meaning(broken)).startswith("Does it win 5 points more than AB_Improved")


def test_what_time_cut_is_told_as_over() -> None:
    report = example_report()
    open_ = report.graded[2]
    for cut in (False, True):
        told = wording.known(replace(report, is_cut=cut), open_)
        assert "so far" not in told
        assert " yet" not in told


def test_an_interval_of_everything_says_nothing() -> None:
    whole, nearly = Interval(0.0, 1.0, 0.95), Interval(0.0, 0.99, 0.95)
    assert (wording.ends(whole), wording.ends(nearly)) == ("-", "0.0 to 99.0 %")


@pytest.mark.parametrize(("count", "more"), [(6, 0), (7, 1)])
def test_a_traceback_is_whole_up_to_six_lines(count: int, more: int) -> None:
    lines = [*wording.trace_lines([f"line {number}" for number in range(count)])]
    assert lines[-6:] == [f"  | line {number}" for number in range(count - 6, count)]
    assert lines[:-6] == ["  | ... and 1 more lines, which --json shows"] * more


@pytest.mark.parametrize(("count", "more"), [(20, 0), (21, 1)])
def test_what_was_printed_is_whole_up_to_twenty_lines(count: int, more: int) -> None:
    printed = Printed(b"x\n" * count)
    lines = [*wording.printed_lines("in its games", printed)]
    assert lines[2:22] == ["  | x"] * 20
    assert lines[22:] == ["  ... and 1 more lines, which --json shows"] * more


@pytest.mark.parametrize("form", ["simple", "markdown", "gradescope", "html", "json"])
def test_what_was_not_asked_for_is_named(form: str) -> None:
    report = replace(example_report(), left_out=("custom_score_9",))
    assert "custom_score_9" in shown(report, form).replace("\\", "")
    assert "custom_score_9" not in shown(example_report(), form)


@pytest.mark.parametrize("form", ["simple", "github", "markdown", "html", "gradescope"])
def test_a_nan_that_was_returned_is_counted_in_every_form_for_people(form: str) -> None:
    told = "it returned NaN 1,234 times, such as from inf - inf: a search never prefers it to another score"
    report = example_report()
    # Once, for the one of four heuristics that did.
    assert shown(report, form).count(told) == 1
    without = replace(report, graded=tuple(replace(each, nans=0) for each in report.graded))
    assert "returned NaN" not in shown(without, form)


def test_programs_read_the_counts_of_nan() -> None:
    document = json.loads(shown(example_report(), "json"))
    assert [each["nans"] for each in document["graded"]] == [0, 0, 1234, 0]
    extra = json.loads(shown(example_report(), "gradescope"))["extra_data"]
    assert ([each["nans"] for each in extra["graded"]], extra["nan"]) == ([0, 0, 1234, 0], "course")


def test_the_command_that_repeats_a_verdict_says_what_a_nan_did() -> None:
    report = example_report()
    assert "--nan" not in Repeat().command(report)
    assert "--nan refuse" in Repeat().command(replace(report, nan="refuse"))
