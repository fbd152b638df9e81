"""Loading a submission once, in a process that plays nothing: what of it is graded, and why it is not."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from isolation_fast import Budget, InvalidArgumentError, jail
from isolation_fast.compiled import Refusal
from isolation_fast.endings import GameEnding
from isolation_fast.jail import Assignment, Fault, JailedProcess, Level, Limits, Loaded, read_heuristics
from isolation_fast.programs import Program
from isolation_fast.submission import (
    FILE_NAME,
    NotCopiedError,
    Outline,
    SubmissionError,
    is_custom_score,
    located,
    not_a_heuristic,
    parse,
)
from isolation_grader.counted import MOST_READ, Form, compared, forms_of
from isolation_grader.exceptions import LessSandboxError, NotGradedError, UsageError
from isolation_grader.lost_games import LostGame
from isolation_grader.options import GradingOptions
from isolation_grader.report import Grading, Printed, Problem

DEFAULT_NAMES: Final = ("custom_score", "custom_score_2", "custom_score_3")
"""Of the course's template: what is graded unless others are asked for."""
MOST_OTHERS: Final = 3
"""Heuristics of other names, where none of these is there: more would hardly all be meant."""
MOST_MEMBERS: Final = 32
"""More than anybody writes: a file may make any number of functions, and each would have its games."""
OUT_OF_TIME: Final = "out of time"
MOST_EARLY_ENDS: Final = 0.5
"""The share of turns that may end before depth 1, where its moves are chosen by order alone."""
HELP: Final[Mapping[str, str]] = {
    "raised": "fix the error: the report names its line, and the positions show when it happens; "
    "players may not be placed yet, and the game may be over",
    "bad answer": "return one real number from a heuristic, and a cell (row, column) from a player",
    "illegal move": "return one of the moves of game.get_legal_moves() from a player",
    "timeout": "use less time for a move: search less, or return in time",
    "hung": "wait for nothing: read no input, and do not sleep",
    "killed": "do not end the process: no exit() or the like",
    "out of memory": "keep less: give each cache a bound",
    "refused": "remove the call that the reason names; docs/security.md lists what a submission may do",
    "overspent": "let no call take longer than a turn's work, and do nothing between the turns",
    "value overspent": "let a value take less: evaluate the position that is given, and search no further",
    "protocol broken": "do not write to the pipe of the grader's own worker",
    "syntax": "correct the file where the reason says",
    OUT_OF_TIME: "grade it again with a larger --total-wall; --journal FOLDER keeps finished games, "
    "from which --resume goes on",
    "not loaded": "make the file one that Python imports with nothing but the modules beside it, the "
    "standard library and the packages that are installed here",
}
HELP_AT_IMPORT: Final[Mapping[str, str]] = {
    "timeout": "do less while the file is imported: end its loops, and build tables when they are first used",
    "hung": "wait for nothing while the file is imported: read no input, and do not sleep",
}
"""Where a limit of time ended not a move but the loading."""
AT_IMPORT: Final = ("refused", "out of memory")
"""Endings that may also come while a file is imported: then the reason begins with one of them."""
NOTHING: Final = Loaded((), (), ())
SILENCE: Final = Printed()
COPIED: Final = "hand in a folder that has the submission alone, and in which every file can be read"
WRITE: Final = "write custom_score(game, player)"


@dataclass(frozen=True, slots=True)
class Loading:
    """The result of loading a submission."""

    level: Level
    outline: Outline | None = None
    """What its source says; None if that cannot be parsed."""
    holds: Loaded = NOTHING
    problem: str | None = None
    """Why it could not be loaded; None if it was."""
    is_not_copied: bool = False
    """Whether that is its folder, of which nothing was loaded then."""
    cause: str = "not loaded"
    trace: tuple[str, ...] = ()
    """The traceback within its own files, in lines."""
    printed: Printed = SILENCE
    cpu_seconds: float | None = None
    by_clock: bool = False
    """Whether a clock ended it."""
    forms: Mapping[str, Form] = field(default_factory=dict)
    """Of each heuristic that may be graded, whether it is counted."""
    asked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Constants that an import told of those whose text does not."""

    @property
    def is_jailed(self) -> bool:
        """Whether this system has a jail. Without one its games run in a process with our own rights."""
        return self.level.name != "none"


def load(
    submission: str | os.PathLike[str],
    *,
    limits: Limits,
    members: Sequence[str] = (),
    unwritten: bool = False,
    sandbox_required: bool = False,
    interrupted: Callable[[], bool] | None = None,
    reads: bool = False,
) -> Loading:
    """Parse it and load it, in the jail where there is one; with `reads`, read its heuristics before.

    A `UsageError` where there is no such file, or its source lacks one of `members`. With `unwritten` these
    may be heuristics that are still templates.
    """
    level = jail.available()
    _require(level, sandbox_required)
    try:
        Path(submission).exists()
    except OSError as error:
        raise UsageError(f"{os.fspath(submission)} cannot be read: {error.strerror}") from error
    try:
        if level.name == "none":
            outline = parse(submission)
            _require_members(outline, members, unwritten)
            # Reading runs nothing. Whether Python agrees is not asked: its code would have all our rights.
            wanted = members or _graded_by_default(outline)
            forms = forms_of(read_heuristics(outline.path, wanted)) if reads else {}
            holds = Loaded(outline.heuristics, outline.players, outline.templates)
            return Loading(level, outline, holds, forms=forms)
        loading = _in_jail(
            submission,
            limits,
            lambda found: _require_members(found, members, unwritten),
            interrupted,
            members,
            reads=reads,
        )
        _require(loading.level, sandbox_required)
        return loading
    except SubmissionError as error:
        return Loading(level, problem=_reason(error), cause=error.reason or "not loaded")
    except Fault as fault:  # it could not be copied, or not be parsed within the limits
        return _failed(fault, level, None)


@jail.survives_its_nursery
def _in_jail(
    submission: str | os.PathLike[str],
    limits: Limits,
    require: Callable[[Outline], None],
    interrupted: Callable[[], bool] | None,
    named: Sequence[str],
    *,
    reads: bool,
) -> Loading:
    """Parse it and, if the outline is what is required, load it in the same process."""
    assignment = Assignment(located(Path(submission)))
    with JailedProcess.start(assignment, limits, interrupted=interrupted) as process:
        outline = process.outline()
        require(outline)
        wanted = (named or _graded_by_default(outline))[:MOST_READ]
        read = {name: process.read(name) for name in wanted} if reads else {}
        asked = _ask_untold(process, assignment, read, limits, interrupted)
        forms = forms_of(read)
        before = process.cpu_seconds
        try:
            # What it draws is shown, by what it holds and why it fails: it is the same for every seed.
            holds = _of_source(process.load(stream=0), outline)
        except Fault as fault:
            printed, used = Printed.of(process.output), process.cpu_seconds - before
            return _failed(fault, process.level, outline, printed, used)
        used = process.cpu_seconds - before
        forms = compared(process, forms, holds.heuristics)
    printed = Printed.of(process.output)
    return Loading(process.level, outline, holds, printed=printed, cpu_seconds=used, forms=forms, asked=asked)


def _ask_untold(
    process: JailedProcess,
    assignment: Assignment,
    read: dict[str, Program | Refusal],
    limits: Limits,
    interrupted: Callable[[], bool] | None,
) -> dict[str, tuple[str, ...]]:
    """Read those again whose constants an import alone tells; gives these constants, where that helped."""
    wanted = {name: each.unread for name, each in read.items() if isinstance(each, Refusal) and each.unread}
    if not wanted:
        return {}
    try:
        told = jail.ask_constants(assignment, wanted, limits, interrupted)
    except Fault:
        # It is loaded once more, and what goes wrong is said then.
        return {}
    for name in wanted:
        if name in told:
            read[name] = process.read(name, told[name])
        else:
            differ = f"{', '.join(wanted[name])}: two imports of the file differ in it"
            read[name] = Refusal(0, 0, "import", differ)
    return {name: names for name, names in wanted.items() if isinstance(read[name], Program)}


def _of_source(holds: Loaded, outline: Outline) -> Loaded:
    """What a submission says that it holds, of what its source names: the rest it may have made up."""
    heuristics, players = (
        tuple(each for each in said if each in {*known, *outline.bound})
        for said, known in ((holds.heuristics, outline.heuristics), (holds.players, outline.players))
    )
    return Loaded(heuristics, players, outline.templates, holds.member_is, holds.misfits)


def _graded_by_default(outline: Outline) -> list[str]:
    """The names of the course that the source has; where it has none, its other heuristics."""
    named = [name for name in (*outline.heuristics, *outline.bound) if name in DEFAULT_NAMES]
    # A file can give its functions any names, not only those of Python.
    return list(dict.fromkeys(named)) or [each for each in outline.heuristics if each.isidentifier()]


def _failed(
    fault: Fault,
    level: Level,
    outline: Outline | None,
    printed: Printed = SILENCE,
    cpu_seconds: float | None = None,
) -> Loading:
    problem = fault.detail if fault.ending == "not loaded" else f"{fault.ending}: {fault.detail}"
    return Loading(
        level,
        outline,
        problem=problem,
        cause=fault.ending,
        trace=tuple(fault.trace.splitlines()),
        printed=printed,
        cpu_seconds=cpu_seconds,
        by_clock=fault.by_clock,
        is_not_copied=isinstance(fault.__cause__, NotCopiedError),
    )


def _reason(error: SubmissionError) -> str:
    """Why it cannot be loaded, with file and line; an error of usage where there is none to be loaded."""
    if error.reason == "no such file":
        raise UsageError(str(error)) from error
    line = "" if error.line is None else f":{error.line}"
    remedy = f"; {error.remedy}" if error.remedy else ""
    return f"{Path(error.path or '').name}{line}: {error.problem}{remedy}"


def _require(level: Level, sandbox_required: bool) -> None:
    if sandbox_required and level.name != "full":
        without = f", without: {', '.join(level.missing)}" if level.missing else ""
        raise LessSandboxError(
            f"the sandbox of this system is {level.name!r}{without}, and --require-sandbox asks for 'full'"
        )


def _require_members(outline: Outline, members: Sequence[str], unwritten: bool) -> None:
    """Refuse, before anything runs, a name that the source does not have.

    What a `custom_score` is that is no heuristic, only loading it says.
    """
    try:
        for each in members:
            if not (unwritten and each in (*outline.templates, *DEFAULT_NAMES)):
                outline.kind_of(each)
    except InvalidArgumentError as error:
        raise UsageError(str(error)) from error


def chosen(loading: Loading, options: GradingOptions) -> tuple[list[str], dict[str, Problem]]:
    """The members to grade, and the problem of each that is a template or none.

    The source, or the command, says which they are: a submission that was loaded says no more than yes or no.
    """
    holds, members, outline = loading.holds, options.members, loading.outline
    assert outline is not None
    there = holds.players if options.players else holds.heuristics
    told = {} if options.players else dict(_no_heuristics(loading))
    unwritten = {name: problem for name, problem in told.items() if name not in there}
    if members is not None:
        missing = [each for each in members if each not in (*there, *unwritten)]
        if missing:
            kind = "player" if options.players else "heuristic"
            hint = f"there is: {', '.join(there)}" if there else None
            if not options.players and missing[0] in holds.players:
                hint = f"{missing[0]} is a player: --players grades players"
            raise UsageError(f"once it is loaded, there is no {kind} {missing[0]!r} in it", hint)
        found = {each: unwritten[each] for each in members if each in unwritten}
        return [each for each in members if each in there], found
    if options.players:
        return playable(there, "heuristics or players", "graded", "--heuristics"), {}
    wanted = _graded_by_default(outline)
    if any(each in DEFAULT_NAMES for each in (*wanted, *unwritten)):
        # Another one must not be taken for a `custom_score` that is none.
        problems = {each: problem for each, problem in unwritten.items() if each in DEFAULT_NAMES}
        wanted = [each for each in wanted if each in DEFAULT_NAMES]
        gone = {each: _none(each) for each in wanted if each not in (*there, *problems)}
        return [each for each in wanted if each in there], problems | gone
    if len(wanted) > MOST_OTHERS:
        *most, last = DEFAULT_NAMES
        raise NotGradedError(
            f"it has {len(wanted)} heuristics, none of them called {', '.join(most)} or {last}: "
            f"{', '.join(wanted[:MOST_MEMBERS])}",
            f"name those to grade: --heuristics {' '.join(wanted[:MOST_OTHERS])}",
        )
    gone = {each: _none(each) for each in wanted if each not in there}
    return [each for each in wanted if each in there], unwritten | gone


def decided(loading: Loading, options: GradingOptions) -> int:
    """How many are graded, as it was known before anything ran: their tests share alpha."""
    if options.members is not None:
        return len(options.members)
    assert loading.outline is not None
    outline = loading.outline
    return max(1, len(outline.players if options.players else _graded_by_default(outline)))


def _none(name: str) -> Problem:
    reason = f"once it is loaded, there is no heuristic {name!r} in it"
    return Problem("not loaded", reason, f"write def {name}(game, player), and return a number")


def _no_heuristics(loading: Loading) -> Iterator[tuple[str, Problem]]:
    holds, outline = loading.holds, loading.outline
    # The source says which there are. The process that ran the submission can make up any.
    for name in () if outline is None else outline.templates:
        if "." not in name:
            reason = f"{name} is still the template that raises NotImplementedError"
            yield name, Problem("template", reason, "write it")
    for each in (holds.misfits or "").split("; "):
        name, _, what = each.partition("=")
        if name in DEFAULT_NAMES:
            reason = f"{name} {not_a_heuristic(what)}"
            yield name, Problem("not loaded", reason, f"write def {name}(game, player), and return a number")


def left_out(loading: Loading, names: Sequence[str]) -> tuple[str, ...]:
    """The `custom_score`s that nobody asked for, and that have none of the names graded by default."""
    return tuple(
        each
        for each in loading.holds.heuristics
        if is_custom_score(each) and each.isidentifier() and each not in names
    )


def called(submission: str | os.PathLike[str]) -> str:
    """The name of a submission: its folder's where the file is a `game_agent.py`, as that of all others is.

    >>> called("class/ada"), called("class/ada/game_agent.py"), called("class/ada.py")
    ('ada', 'ada', 'ada.py')
    """
    path = Path(os.path.normpath(Path(submission).absolute()))
    return (path.parent if path.name == FILE_NAME else path).name or path.name


def playable(names: Sequence[str], what: str, done: str, option: str) -> list[str]:
    """The names that a table can show; an error where there are too many."""
    # A file can give its functions any names, not only those of Python.
    names = [each for each in names if each.isidentifier()]
    if len(names) > MOST_MEMBERS:
        raise NotGradedError(
            f"the submission has {len(names)} {what}, and at most {MOST_MEMBERS} are {done}",
            f"name some of them: {option}",
        )
    return names


def not_loaded(loading: Loading) -> Problem:
    """The problem of a submission that cannot be loaded."""
    why = loading.problem or "it could not be loaded"
    ending = next((each for each in AT_IMPORT if why.startswith(f"{each}: ")), loading.cause)
    known = HELP.get(ending, HELP["not loaded"])
    if ending in HELP_AT_IMPORT:
        why, known = f"{why}, while it was loaded", HELP_AT_IMPORT[ending]
    if loading.is_not_copied:
        known = COPIED
    elif loading.outline is not None and ending == "not loaded" and not loading.outline.heuristics:
        known = WRITE
    return Problem(loading.cause, why, known, loading.trace)


def nothing_to_grade(loading: Loading, *, players: bool) -> Problem:
    """The problem of a submission that loads and holds nothing to grade."""
    kind, other = ("player", "heuristic") if players else ("heuristic", "player")
    others = loading.holds.heuristics if players else loading.holds.players
    seen = f": its {other}s are {', '.join(others)}" if others else ""
    advice = "write a class with get_move" if players else WRITE
    return Problem(f"no {kind}", f"it has no {kind}{seen}", advice)


def too_costly(early_ends: float, budget: Budget) -> Problem | None:
    """The problem of a heuristic that takes a turn's work for fewer positions than there are moves."""
    if budget.work is None or early_ends <= MOST_EARLY_ENDS:
        return None
    return Problem(
        "too costly",
        f"in {100 * early_ends:.0f} % of its turns the work of {budget.work:,} nodes was spent before each "
        "move had been looked at",
        "make it quicker, or grade with a larger budget: --budget work=23000",
    )


def out_of_time(phase: str, seconds: float) -> Problem:
    """The problem of what a grading had no time for."""
    return Problem(OUT_OF_TIME, _over(phase, seconds), HELP[OUT_OF_TIME])


def not_loaded_in_time(seconds: float) -> Loading:
    """What is known where the time of the grading was over before the submission was loaded."""
    problem = _over("before it was loaded", seconds)
    return Loading(jail.available(), problem=problem, cause=OUT_OF_TIME, by_clock=True)


def _over(phase: str, seconds: float) -> str:
    return f"the time of the grading, {seconds:g} s (--total-wall), was over {phase}"


def broken(grading: Grading, lost: Sequence[LostGame]) -> Problem:
    """The problem of a heuristic that lost three games by its own fault."""
    assert grading.result is not None
    faults = grading.result.faults
    ending: GameEnding = faults[-1].ending
    trace = next((each.trace for each in lost if each.ending == ending and each.trace), ())
    endings = sorted({each.ending for each in faults})
    last = ", the last one: " if len(endings) == 1 else ": "
    reason = f"it lost {len(faults)} games by {', '.join(map(repr, endings))}{last}{faults[-1].detail}"
    return Problem(ending, reason, HELP.get(ending, HELP["not loaded"]), trace)
