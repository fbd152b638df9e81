"""`isolation-grade check`: whether a submission beats AB_Improved."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from isolation_fast import Cost, InvalidArgumentError
from isolation_fast.foreign import add_jail_options, add_limit_options, limit_words, limits_of
from isolation_fast.jail import Limits
from isolation_fast.output import (
    DATA_FORMATS,
    CommandError,
    add_format_options,
    is_same_file,
    print_text,
    progress,
    require_no_player,
    require_writable,
    say,
    write_json,
)
from isolation_fast.submission import FILE_NAME
from isolation_fast.tournament import ROSTERS, parse_budget
from isolation_grader.cli.writing import Files, written_form
from isolation_grader.exit_status import in_words
from isolation_grader.grading import grade
from isolation_grader.options import COURSE_BUDGET, DEFAULT_BUDGET, require_elsewhere
from isolation_grader.progress import Progress
from isolation_grader.question import Question
from isolation_grader.report import Report
from isolation_grader.showing import FORMS
from isolation_grader.showing.forms import shown
from isolation_grader.showing.repeating import DEFAULT_ROSTER, Repeat
from isolation_grader.showing.wording import one_line, sandbox_in_words, warnings

__all__ = ["add_to", "run"]

DESCRIPTION: Final = f"""\
Let each heuristic of a submission play the course's seven opponents, with the same search at equal work as
AB_Improved has, until it is clear whether it is better than AB_Improved. Exit status: {in_words("check")}.
"""
QUESTION: Final = Question()


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `check`."""
    parser = commands.add_parser(
        "check", description=DESCRIPTION, help="whether each heuristic beats AB_Improved"
    )
    parser.add_argument("submission", metavar="SUBMISSION", help="a game_agent.py, or its folder")
    parser.add_argument(
        "--heuristics",
        nargs="+",
        metavar="NAME",
        help="only these (with --players: these players)",
    )
    parser.add_argument(
        "--players", action="store_true", help="let its own players play, in place of our search"
    )
    parser.add_argument(
        "--roster",
        choices=tuple(ROSTERS),
        default=DEFAULT_ROSTER,
        help=f"the opponents (default {DEFAULT_ROSTER})",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="decides openings and all chance (default 0)"
    )
    parser.add_argument(
        "--budget",
        metavar="BUDGET",
        help="of a move: work=2000, course (what 150 ms of the course bought), nodes=, depth=, or ms= of "
        f"processor time (default {DEFAULT_BUDGET}; with --players that of their opponents, {COURSE_BUDGET})",
    )
    _add_question(parser)
    _add_costs(parser)
    parser.add_argument("--workers", type=int, metavar="N", help="games at once (default: one a core)")
    parser.add_argument("--journal", metavar="FOLDER", help="keep there what is finished")
    parser.add_argument("--resume", action="store_true", help="go on from what the journal has")
    add_limit_options(parser)
    add_jail_options(parser, "submissions", optional=False)
    parser.add_argument(
        "--write",
        type=written_form,
        action="append",
        default=[],
        metavar="FORMAT=FILE",
        help="write the report to FILE too, as far as it is after each block; may be given several times",
    )
    parser.add_argument("--timings", metavar="FILE", help="write how long it took to FILE, as JSON")
    add_format_options(parser, *(each for each in FORMS if each not in DATA_FORMATS))


def _add_question(parser: argparse.ArgumentParser) -> None:
    for name, kind, meaning in (
        ("points", float, "be better by so many points of a hundred"),
        ("alpha", float, "how often any of them may be called better when none is"),
        ("beta", float, "how often one that is better by so many points may be called not better"),
        ("blocks", int, "the most that are played; a block is one opening against all, from both sides"),
    ):
        default = getattr(QUESTION, name)
        told = f"{meaning} (default {default:g})"
        parser.add_argument(f"--{name}", type=kind, default=default, metavar="N", help=told)


def _add_costs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cost",
        type=_cost,
        action="append",
        default=[],
        metavar="[NAME=]COST",
        help="what a node costs, of all heuristics or of NAME: 1.25, or with its bands 3:8/4/3/2/1; "
        "may be given for each (default: measured once, then stored)",
    )
    parser.add_argument("--store", metavar="FOLDER", help="where baselines and measured costs are stored")
    parser.add_argument("--measure-again", action="store_true", help="measure costs that are stored already")


def run(options: argparse.Namespace) -> int:
    """Grade, and print the report."""
    if sys.stdout is None:  # the shell was told to close it
        raise CommandError("the output cannot be written: it is closed")
    settings = _settings(options)
    _require_files(options)
    repeat = Repeat(options.submission, tuple(_more_options(options)))
    with progress(None, "game") as bar, Files(options.write, repeat) as files:

        def show(so_far: Progress) -> None:
            bar.part(one_line(so_far.what), so_far.done, so_far.of)

        report = grade(options.submission, progress=show, on_partial=files.partial, **settings)
        files.complete(report)
    print_text(shown(report, options.format, repeat))
    _tell(options, report)
    return int(report.status)


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    names = ("points", "alpha", "beta", "blocks")
    try:
        question = Question(**{name: getattr(options, name) for name in names})
    except InvalidArgumentError as error:
        raise CommandError(str(error)) from error
    if options.resume and options.journal is None:
        raise CommandError("--resume goes with --journal FOLDER")
    if options.workers is not None and options.workers < 1:
        raise CommandError(f"--workers must be at least 1, not {options.workers}")
    return {
        "members": options.heuristics,
        "roster": options.roster,
        "seed": options.seed,
        "budget": options.budget,
        "costs": _costs(options.cost),
        "question": question,
        "players": options.players,
        "limits": limits_of(options) or Limits(),
        "workers": options.workers,
        "store": options.store,
        "measure_again": options.measure_again,
        "journal": options.journal,
        "resume": options.resume,
        "sandbox_required": options.require_sandbox,
    }


def _cost(text: str) -> tuple[str | None, Cost | float]:
    """`1.25`, or `custom_score=1.25`."""
    name, equals, cost = text.rpartition("=")
    try:
        # The grammar of budgets knows how a cost is written.
        found = parse_budget(f"work=1,cost={cost}").cost
    except InvalidArgumentError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    assert found is not None
    return (name if equals else None), found


def _costs(given: list[tuple[str | None, Cost | float]]) -> float | Cost | Mapping[str, float | Cost] | None:
    names = [name for name, _ in given]
    twice = next((name for name in names if names.count(name) > 1), "")
    if twice != "":
        raise CommandError(f"--cost is given twice{'' if twice is None else f' for {twice}'}")
    if None in names and len(names) > 1:
        raise CommandError("--cost is given for all heuristics, and for one of them")
    if not given:
        return None
    return given[0][1] if None in names else {name or "": cost for name, cost in given}


def _require_files(options: argparse.Namespace) -> None:
    """Refuse what could not be written once all is played, or would be written over something else."""
    files = _files(options)
    for (one, path), (other, second) in combinations(files, 2):
        if is_same_file(path, second):
            raise CommandError(f"--{one} and --{other} name the same file: {path}")
    given = Path(options.submission)
    file = given / FILE_NAME if given.is_dir() else given
    for name, path in files:
        require_elsewhere(Path(path), file)
        require_no_player(name, path, file.parent.glob("*.py"))
        require_writable(path, "the timings" if name == "timings" else "a report")


def _files(options: argparse.Namespace) -> list[tuple[str, str]]:
    """What is written, each with its option."""
    files = [("write", each.path) for each in options.write]
    return files if options.timings is None else [*files, ("timings", options.timings)]


def _more_options(options: argparse.Namespace) -> Iterator[str]:
    """What a report does not know of how it came about."""
    # No store: the commands carry the cost, and a baseline is the same wherever it is kept.
    yield from limit_words(options)


def _tell(options: argparse.Namespace, report: Report) -> None:
    """What is for people, and not the same on every run: on stderr."""
    if options.format in DATA_FORMATS - {"json"} or options.format == "gradescope":
        for warning in warnings(report):
            say(f"isolation-grade: {warning}")
        say(f"isolation-grade: sandbox: {sandbox_in_words(report.sandbox)}")
    for each in report.timings.members:
        if each.flag is not None:
            say(f"isolation-grade: {one_line(each.name)}: {one_line(each.flag)}")
        if each.moves is not None:
            say(f"isolation-grade: {each.moves}")
    say(f"isolation-grade: {report.timings.seconds:.1f} s")
    if options.timings is not None:
        write_json(options.timings, report.timings.to_dict())
