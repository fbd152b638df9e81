"""`isolation-grade class`: all submissions of a folder, with marks, tables and a page about them."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path
from typing import Any, Final

from isolation_fast import output
from isolation_fast.foreign import add_jail_options, add_limit_options, add_nan_option, limit_words, limits_of
from isolation_fast.jail import Limits
from isolation_fast.numbers import number
from isolation_fast.tournament import ROSTERS, cluster
from isolation_grader.classes import (
    Asked,
    ClassRun,
    Given,
    Marked,
    Step,
    read_roster,
    read_rubric,
    read_shared,
)
from isolation_grader.classes.jobs import CLASS_PRECISION, CLASS_WALL
from isolation_grader.classes.layouts import LAYOUTS
from isolation_grader.cli.check import VALUE_WORK, add_question_options, question_of
from isolation_grader.exceptions import ExitStatus, in_words
from isolation_grader.options import COURSE_BUDGET, DEFAULT_BUDGET, LONGEST_GRADING
from isolation_grader.showing.repeating import DEFAULT_ROSTER
from isolation_grader.showing.wording import one_line, points, points_ends, seconds

DESCRIPTION: Final = f"""\
Grade each submission of a folder, or of a zip: a download of Gradescope, Canvas, Moodle or GitHub Classroom,
or a folder, a zip or a Python file for each student. Writes a report for each, tables of grades, and a page
about all. Their files run in the jail, where this system has one.
Exit status: {in_words("class")}.
"""
UNMEASURED: Final = 5.0
"""Points to which a test alone knows a difference, more or less."""
MOST_WHY: Final = 80
"""Characters, in a table for people; the page of the class has all."""
HEADINGS: Final = ("submission", "verdict", "heuristic", "difference", "95 %", "points", "why")


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `class`."""
    parser = commands.add_parser("class", description=DESCRIPTION, help="all submissions of a folder")
    add = parser.add_argument
    add("folder", metavar="FOLDER", help="the submissions: a folder, or a zip as it was downloaded")
    add("--out", required=True, metavar="RESULTS", help="folder for reports, tables and what is resumed from")
    roster = "CSV of the students: name, email, numbers, accounts; the rosters of the four services will do"
    add("--roster", metavar="CSV", help=roster)
    layout = f"how the folder is laid out: {', '.join(LAYOUTS)} (default: the first that fits)"
    add("--layout", metavar="LAYOUT", help=layout)
    rubric = "what gives which points, as TOML (default: that of `isolation-grade rubric`)"
    add("--rubric", metavar="TOML", help=rubric)
    shared = "file that belongs to all, and that each submission may import; may be given several times"
    add("--shared", action="append", metavar="FILE", help=shared)
    default = "the only assignment of a Canvas gradebook, else the title of the rubric"
    add("--assignment", metavar="NAME", help=f"heading of the column of canvas.csv (default: {default})")
    seed = "seed of all openings and all chance (default: drawn, and told to staff alone)"
    add("--seed", type=int, metavar="N", help=seed)
    add(
        "--resume",
        action="store_true",
        help="go on with what RESULTS has: finished submissions, and whatever was given with them",
    )
    missing = "with --resume, remove the reports of students who are not in FOLDER (default: refuse to go on)"
    add("--remove-missing", action="store_true", help=missing)
    add("--workers", type=int, metavar="N", help="submissions at once (default: one for each core)")
    add("--dask", metavar="ADDRESS", help="scheduler of a running Dask cluster, such as tcp://host:8786")
    wall = f"seconds after which the grading of a submission ends (default {CLASS_WALL:g})"
    add("--total-wall", type=float, default=CLASS_WALL, metavar="S", help=wall)
    add("--heuristics", nargs="+", metavar="NAME", help="these heuristics; with --players, these players")
    add("--players", action="store_true", help="let their own players play in place of our search")
    opponents = f"roster of the opponents (default {DEFAULT_ROSTER})"
    add("--opponents", choices=tuple(ROSTERS), default=DEFAULT_ROSTER, help=opponents)
    budget = f"budget of a move, as of `check` (default {DEFAULT_BUDGET}; with --players {COURSE_BUDGET})"
    add("--budget", metavar="BUDGET", help=budget)
    add_question_options(parser, CLASS_PRECISION)
    tests = "also run the course's own tests, as `conformance` does (default: if the rubric has such a part)"
    add("--conformance", action="store_true", help=tests)
    add("--value-work", type=int, metavar="N", help=f"{VALUE_WORK}; a rubric may have it too")
    add("--exact", action="store_true", help="also count the won positions thrown away at each stage")
    games = "keep every game, for `recount`: some 0.5 MB a heuristic, in RESULTS/state/games"
    add("--keep-games", action="store_true", help=games)
    add_nan_option(parser)
    add_limit_options(parser)
    add_jail_options(parser, "submissions", optional=False)
    add("--timings", metavar="FILE", help="write the times of each submission to FILE, as JSON")
    output.add_format_options(parser)


def run(options: argparse.Namespace) -> int:
    """Grade the class, write its results, and print a table."""
    output.require_stdout()
    # All that can be wrong is looked at before anything is graded.
    given = Given(
        None if options.roster is None else read_roster(Path(options.roster)),
        options.layout,
        None if options.rubric is None else read_rubric(Path(options.rubric)),
        options.assignment,
        read_shared([Path(each) for each in options.shared]) if options.shared else None,
    )
    if options.timings is not None:
        output.require_writable(options.timings, "the timings")
    with (
        cluster(options.dask) as executor,
        ClassRun(
            options.folder,
            options.out,
            _asked(options),
            given,
            seed=options.seed,
            workers=options.workers,
            executor=executor,
            resume=options.resume,
            remove_missing=options.remove_missing,
        ) as running,
    ):
        _say_what_was_found(running)
        precision, rubric = running.asked.question.precision, running.given.rubric
        if rubric is not None and (warning := rubric.too_much((precision or UNMEASURED) / 100)):
            output.say(f"isolation-grade: {warning}")
        try:
            _graded(running)
        except KeyboardInterrupt:
            # A second Ctrl-C must not cost what is written last.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            waiting = len(running.waiting)
            output.say(f"isolation-grade: interrupted: {waiting} submissions are still to be graded")
            output.say("hint: the same command with --resume goes on; what is finished is kept")
            return ExitStatus.INTERRUPTED
        marked = running.write()
        if options.timings is not None:
            output.write_json(options.timings, running.timings())
    _print(options, marked)
    if any(each.has_failed for each in marked.facts.submissions):
        output.say("isolation-grade: error: the grader itself failed on some; --resume tries them again")
        return ExitStatus.GRADER_FAILED
    return ExitStatus.GOOD


def _asked(options: argparse.Namespace) -> Asked:
    number("--total-wall", options.total_wall, above=0, most=LONGEST_GRADING, error=output.CommandError)
    return Asked(
        members=None if options.heuristics is None else tuple(dict.fromkeys(options.heuristics)),
        roster=options.opponents,
        budget=options.budget,
        question=question_of(options),
        players=options.players,
        limits=limits_of(options) or Limits(),
        nan=options.nan,
        exact=options.exact,
        value_work=options.value_work,
        total_wall=options.total_wall,
        conformance=options.conformance,
        sandbox_required=options.require_sandbox,
        keep_games=options.keep_games,
        words=tuple(limit_words(options)),
    )


def _say_what_was_found(running: ClassRun) -> None:
    found = running.found
    students = sum(len(each.students) for each in found.found)
    of = f" of {students} students" if students != len(found.found) else ""
    if running.taken:
        output.say(f"isolation-grade: as last time: {one_line(', '.join(running.taken))}")
    kept = len(found.found) - len(running.waiting)
    done = f", {kept} of them finished" if kept else ""
    output.say(f"isolation-grade: {len(found.found)} submissions{of}, layout {found.layout}{done}")
    if running.renamed:
        told = "have another name than last time: graded again"
        output.say(f"isolation-grade: {len(running.renamed)} submissions {told}")
    for entry, why in found.left:
        output.say(f"isolation-grade: no submission: {one_line(entry)}: {one_line(why)}")
    assignments = running.given.roster.assignments if running.given.roster else ()
    if assignments and running.given.column is None:
        told = f"the roster has {len(assignments)} assignments ({', '.join(assignments)})"
        output.say(f"isolation-grade: {one_line(told)}: name that of canvas.csv with --assignment")
    for each in found.missing:
        output.say(f"isolation-grade: nothing handed in: {one_line(each.name)}")


def _graded(running: ClassRun) -> None:
    """Grade, with a bar on a terminal, and elsewhere with a line for each."""
    with output.progress(len(running.found.found), "submission") as bar:

        def show(step: Step) -> None:
            bar.reach(step.done, f"{step.running} running, {step.failed} not graded")
            if step.last is not None and not bar.is_shown:
                last, took = step.last, seconds(step.last.timings["seconds"])
                told = f"{step.done} of {step.of}: {last.key}: {last.verdict}, {took}: {last.known}"
                output.say(f"isolation-grade: {one_line(told)}")

        running.grade(show)


def _print(options: argparse.Namespace, marked: Marked) -> None:
    rows: list[list[output.Cell]] = []
    for each in marked.facts.submissions:
        best, marks = each.best, marked.marks[each.key]
        difference = None if best is None else best.difference
        figures = (best.name if best else None, points(difference), points_ends(difference))
        why = one_line(each.not_graded_since)
        if options.format not in output.DATA_FORMATS and len(why) > MOST_WHY:
            why = f"{why[:MOST_WHY]}..."
        rows.append([one_line(each.name), each.verdict, *figures, marks.in_words, why or None])
    document = {"submissions": [dict(zip(HEADINGS, row, strict=True)) for row in rows], "out": options.out}
    output.print_table(options, HEADINGS, rows, document)
    counts = ", ".join(f"{len(found)} {verdict}" for verdict, found in marked.by_verdict.items() if found)
    output.print_below(options, f"\n{counts}. The page of the class: {Path(options.out) / 'index.html'}")
