"""`isolation-grade check`: whether a submission beats AB_Improved, and the files of `--write`."""

from __future__ import annotations

import argparse
import secrets
import signal
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, Final, NamedTuple

from isolation_fast import InvalidArgumentError, output
from isolation_fast.foreign import add_jail_options, add_limit_options, add_nan_option, limit_words, limits_of
from isolation_fast.jail import Limits
from isolation_fast.numbers import integer, number
from isolation_fast.submission import FILE_NAME
from isolation_fast.tournament import ROSTERS
from isolation_grader.exceptions import ExitStatus, GraderError, in_words
from isolation_grader.grading import grade
from isolation_grader.loading import DEFAULT_NAMES
from isolation_grader.options import (
    COURSE_BUDGET,
    DEFAULT_BUDGET,
    DEFAULTS,
    FEWEST_BLOCKS,
    LONGEST_GRADING,
    SEED_BITS,
    TOTAL_WALL,
    Question,
    require_elsewhere,
    write_whole,
)
from isolation_grader.report import Phase, Report
from isolation_grader.showing import FORMS, Repeat, shown
from isolation_grader.showing.forms import FOR_STUDENTS
from isolation_grader.showing.repeating import DEFAULT_ROSTER
from isolation_grader.showing.wording import (
    one_line,
    sandbox_in_words,
    verdict_lines,
    warnings,
)
from isolation_grader.watching import Watch

DESCRIPTION: Final = f"""\
Let each heuristic of a submission play the course's seven opponents, with the same search and work as
AB_Improved, until a test decides whether it is better than AB_Improved. What is not read from the text alone
runs in the jail, where this system has one. Exit status: {in_words("check")}.
"""
VALUE_WORK: Final = (
    "how much one value of a heuristic may take, in nodes with improved; more loses the game (default: "
    "as much as is left of the turn)"
)
SMALL_SEED: Final = 1 << 40
"""Fewer seeds can be tried out in days: below it a seed keeps no secret."""
BETWEEN_LOOKS: Final = 0.5
"""Seconds, where a file is watched."""
SHARE: Final = 20
"""A form that took long to write is written again only after so many times as long."""


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of `check`."""
    parser = commands.add_parser(
        "check", description=DESCRIPTION, help="whether each heuristic beats AB_Improved"
    )
    add = parser.add_argument
    add("submission", metavar="SUBMISSION", help="a game_agent.py, or its folder")
    heuristics = f"these heuristics (default: {', '.join(DEFAULT_NAMES)}); with --players, these players"
    add("--heuristics", nargs="+", metavar="NAME", help=heuristics)
    add("--players", action="store_true", help="let its own players play in place of our search")
    roster = f"the opponents (default {DEFAULT_ROSTER})"
    add("--roster", choices=tuple(ROSTERS), default=DEFAULT_ROSTER, help=roster)
    seed = "seed of the openings and of all chance (default: drawn, and named in the report)"
    add("--seed", type=int, metavar="N", help=seed)
    secret = (
        "leave the seed, the games and what was printed or raised in them out of the reports for students: "
        f"{', '.join(FOR_STUDENTS)}"
    )
    add("--secret", action="store_true", help=secret)
    name = "name of the submission in reports (default: that of its folder, or of a file of another name)"
    add("--name", metavar="NAME", help=name)
    budget = (
        "budget of a move: work=2000, course (what 150 ms of the course bought), nodes=, depth=, or ms= of "
        f"processor time (default {DEFAULT_BUDGET}; with --players, of the opponents, {COURSE_BUDGET})"
    )
    add("--budget", metavar="BUDGET", help=budget)
    add_question_options(parser)
    store = "folder of baselines (default: in the user's cache)"
    add("--store", metavar="FOLDER", help=store)
    add("--workers", type=int, metavar="N", help="games at once (default: one for each core)")
    watch = "grade again whenever the file is saved, and print each verdict in few lines; Ctrl-C ends it"
    add("--watch", action="store_true", help=watch)
    add("--journal", metavar="FOLDER", help="folder for finished games, to resume from")
    add("--resume", action="store_true", help="continue from the journal")
    wall = f"seconds after which the grading ends with what is known (default {TOTAL_WALL:g})"
    add("--total-wall", type=float, default=TOTAL_WALL, metavar="S", help=wall)
    add("--value-work", type=int, metavar="N", help=VALUE_WORK)
    add("--profile", action="store_true", help="say which lines of a heuristic its counted work goes into")
    exact = "also count the won positions that each heuristic throws away, at each stage of the game"
    add("--exact", action="store_true", help=exact)
    add_nan_option(parser)
    output.add_compile_option(parser)
    add_limit_options(parser)
    add_jail_options(parser, "submissions", optional=False)
    write = "also write the report to FILE, anew after each block; may be given several times"
    add("--write", type=written_form, action="append", default=[], metavar="FORMAT=FILE", help=write)
    add("--timings", metavar="FILE", help="write the times to FILE, as JSON")
    output.add_format_options(parser, *(each for each in FORMS if each not in output.DATA_FORMATS))


def add_question_options(parser: argparse.ArgumentParser, precision: float = Question().precision) -> None:
    """Add --points, --alpha, --beta, --blocks and --precision; `question_of` reads them."""
    add, (counted, timed) = parser.add_argument, DEFAULTS.values()
    points = Question().points
    add("--points", type=float, default=points, metavar="N", help=f"difference to find (default {points:g})")
    for place, (name, kind, meaning) in enumerate(
        (
            ("alpha", float, "probability, at most, that any is called better when none is"),
            ("beta", float, "probability, at most, that one that is so much better is called not better"),
            ("blocks", int, f"blocks that a test looks at, {FEWEST_BLOCKS} or more: an opening against all"),
        )
    ):
        default = f"default {counted[place]:g}, of timed heuristics {timed[place]:g}"
        add(f"--{name}", type=kind, metavar="N", help=f"{meaning} ({default})")
    meaning = "points to which the difference of a counted heuristic is to be known, 0: as its test leaves it"
    add("--precision", type=float, default=precision, metavar="N", help=f"{meaning} (default {precision:g})")


def question_of(options: argparse.Namespace) -> Question:
    """The question that the options ask."""
    try:
        return Question(options.points, options.alpha, options.beta, options.blocks, options.precision)
    except InvalidArgumentError as error:
        raise output.CommandError(str(error)) from error


def run(options: argparse.Namespace) -> int:
    """Grade, and print the report."""
    output.require_stdout()
    settings = _settings(options)
    _require_files(options)
    if options.secret and options.seed is not None and abs(options.seed) < SMALL_SEED:
        output.say(
            f"isolation-grade: --seed {options.seed} is too small to be a secret: whoever tries out all "
            "small numbers finds the openings"
        )
        output.say(f"hint: --seed {secrets.randbits(SEED_BITS)}, which was drawn just now")
    repeat = Repeat(options.submission, tuple(limit_words(options)), tuple(options.heuristics or ()))
    kept = Files(options.write, repeat, secret=options.secret)
    if options.watch:
        return _watched(options, settings, kept)
    try:
        with output.progress(None, "step") as bar, kept as files:

            def show(so_far: Phase) -> None:
                bar.part(one_line(so_far.what), so_far.done, so_far.of)

            report = grade(options.submission, progress=show, on_partial=files.partial, **settings)
            files.complete(report)
    except KeyboardInterrupt:
        # A second Ctrl-C must not cost what is known. The process ends after it.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if kept.last is None:
            raise
        output.print_text(shown(kept.last, options.format, repeat, secret=options.secret))
        output.say("isolation-grade: interrupted: the report is what was known by then")
        output.say(f"hint: {_how_to_go_on(options, kept.last)}")
        return ExitStatus.INTERRUPTED
    output.print_text(shown(report, options.format, repeat, secret=options.secret))
    _report_on_stderr(options, report)
    return int(report.status)


def _watched(options: argparse.Namespace, settings: dict[str, Any], files: Files) -> int:
    """Grade at each save until Ctrl-C; the status is that of the last verdict."""
    watch = Watch(Path(options.submission))
    try:
        while True:
            saved = watch.look()
            if saved == "gone":
                output.say(f"isolation-grade: {options.submission} cannot be read: waiting for it")
            elif saved == "changed":
                _graded_again(options, settings, files)
            sleep(BETWEEN_LOOKS)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if files.last is None:
            return ExitStatus.INTERRUPTED
        output.say(f"isolation-grade: not watched any more; the last verdict: {files.last.verdict}")
        return int(files.last.status)


def _graded_again(options: argparse.Namespace, settings: dict[str, Any], files: Files) -> None:
    try:
        report = grade(options.submission, **settings)
    except GraderError as error:
        # It may be gone again, or lack what was asked for, for a moment.
        output.say(f"isolation-grade: {error}: waiting for the next save")
        return
    files.complete(report)
    output.print_text("".join(f"{line}\n" for line in verdict_lines(report)))


def _how_to_go_on(options: argparse.Namespace, report: Report) -> str:
    """What to do so that nothing is played again."""
    if options.journal is not None:
        return f"the same command with --resume goes on from {options.journal}"
    seed = "" if options.seed is not None else f" with --seed {report.seed}"
    return f"the same command{seed} begins the same games again, and one with --journal FOLDER can be resumed"


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    question = question_of(options)
    if options.watch and (options.journal or options.timings):
        raise output.CommandError("--watch grades anew at each save, and takes no --journal and no --timings")
    if options.resume and options.journal is None:
        raise output.CommandError("--resume goes with --journal FOLDER")
    if options.workers is not None:
        integer("--workers", options.workers, 1, error=output.CommandError)
    number("--total-wall", options.total_wall, above=0, most=LONGEST_GRADING, error=output.CommandError)
    same = "roster seed budget players nan exact value_work profile workers store journal resume total_wall"
    return {
        **{name: getattr(options, name) for name in same.split()},
        "members": options.heuristics,
        "name": options.name,
        "question": question,
        "limits": limits_of(options) or Limits(),
        "sandbox_required": options.require_sandbox,
    }


def _require_files(options: argparse.Namespace) -> None:
    """Refuse, before anything is played, a file that cannot be written or would overwrite something else."""
    files = [("write", each.path) for each in options.write]
    files += [] if options.timings is None else [("timings", options.timings)]
    for (one, path), (other, second) in combinations(files, 2):
        if output.is_same_file(path, second):
            raise output.CommandError(f"--{one} and --{other} name the same file: {path}")
    given = Path(options.submission)
    try:
        file = given / FILE_NAME if given.is_dir() else given
    except OSError as error:
        raise output.CommandError(f"{given} cannot be read: {error.strerror}") from error
    for name, path in files:
        require_elsewhere(Path(path), file)
        output.require_no_player(name, path, file.parent.glob("*.py"))
        output.require_writable(path, "the timings" if name == "timings" else "a report")


def _report_on_stderr(options: argparse.Namespace, report: Report) -> None:
    """Write to stderr what differs from run to run."""
    if options.format in output.DATA_FORMATS - {"json"} or options.format == "gradescope":
        for warning in warnings(report):
            output.say(f"isolation-grade: {warning}")
        output.say(f"isolation-grade: sandbox: {sandbox_in_words(report.sandbox)}")
    if options.seed is None or options.secret:
        output.say(f"isolation-grade: seed {report.seed}")
    if report.is_cut:
        output.say(f"hint: {_how_to_go_on(options, report)}")
    for each in report.timings.members:
        if each.moves is not None:
            output.say(f"isolation-grade: {each.moves}")
    output.say(f"isolation-grade: {report.timings.seconds:.1f} s")
    if options.timings is not None:
        output.write_json(options.timings, report.timings.to_dict())


class WrittenForm(NamedTuple):
    """A form of the report, and its file."""

    form: str
    path: str


def written_form(text: str) -> WrittenForm:
    """Read `FORMAT=FILE`.

    >>> written_form("gradescope=results/results.json")
    WrittenForm(form='gradescope', path='results/results.json')
    """
    form, equals, path = text.partition("=")
    if not equals or not path:
        raise argparse.ArgumentTypeError(
            f"it must be FORMAT=FILE, such as gradescope=results.json, not {text!r}"
        )
    return WrittenForm(output.known_format(FORMS, form), path)


class Files:
    """The files of `--write`: written after each block, and with the last report however grading ends."""

    def __init__(self, forms: Sequence[WrittenForm], repeat: Repeat, *, secret: bool = False) -> None:
        self._forms, self._repeat, self._secret = forms, repeat, secret
        self._not_before = dict.fromkeys(forms, 0.0)
        self.last: Report | None = None
        """The report so far."""
        self._stale: set[WrittenForm] = set()

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_: object) -> None:
        for each in list(self._stale):
            self._write(each)

    def partial(self, report: Report) -> None:
        """Write the report so far, unless that would take a good part of the time."""
        self.last = report
        for each in self._forms:
            self._stale.add(each)
            if perf_counter() >= self._not_before[each]:
                self._write(each)

    def complete(self, report: Report) -> None:
        """Write the final report."""
        self.last = report
        for each in self._forms:
            self._write(each)

    def _write(self, each: WrittenForm) -> None:
        assert self.last is not None
        started = perf_counter()
        write_whole(Path(each.path), shown(self.last, each.form, self._repeat, secret=self._secret))
        now = perf_counter()
        self._not_before[each] = now + SHARE * (now - started)
        self._stale.discard(each)
