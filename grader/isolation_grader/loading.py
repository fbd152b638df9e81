"""Loading a submission once, in a process that plays nothing: whether it can be graded, and what it holds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from isolation_fast import InvalidArgumentError, jail
from isolation_fast.jail import Assignment, Fault, JailedProcess, Level, Limits, Loaded
from isolation_fast.jail import outline as jailed_outline
from isolation_fast.submission import Outline, SubmissionError, parse
from isolation_fast.tournament import kind_of_member
from isolation_grader.exceptions import LessSandboxError, UsageError
from isolation_grader.findings import Printed

__all__ = ["Loading", "load"]

NOTHING: Final = Loaded((), (), ())
SILENCE: Final = Printed()


@dataclass(frozen=True, slots=True)
class Loading:
    """What came of loading a submission."""

    level: Level
    """What was really kept from it."""
    outline: Outline | None = None
    """What its source says; None if that cannot be parsed."""
    holds: Loaded = NOTHING
    problem: str | None = None
    """Why it could not be loaded; None if it was."""
    cause: str = "not loaded"
    trace: tuple[str, ...] = ()
    """The traceback within its own files, in lines."""
    printed: Printed = SILENCE
    cpu_seconds: float | None = None
    by_clock: bool = False
    """Whether a clock decided it."""

    @property
    def is_jailed(self) -> bool:
        """Whether there is a jail here. Elsewhere its games run in a process with the rights of this one."""
        return self.level.name != "none"


def load(
    submission: str | os.PathLike[str],
    *,
    limits: Limits,
    seed: int,
    members: Sequence[str] = (),
    unwritten: bool = False,
    sandbox_required: bool = False,
) -> Loading:
    """Parse it and load it, in the jail where there is one.

    A `UsageError` where there is no such file, or a member is asked for that its source does not have; with
    `unwritten` heuristics may be asked for that are still templates.
    """
    level = jail.available()
    _require(level, sandbox_required)
    try:
        Path(submission).exists()
    except OSError as error:
        raise UsageError(f"{os.fspath(submission)} cannot be read: {error.strerror}") from error
    try:
        outline = parse(submission) if level.name == "none" else jailed_outline(submission, limits)
        templates = outline.templates if unwritten else ()
        _require_members(outline, [each for each in members if each not in templates])
        if level.name == "none":
            return Loading(level, outline, Loaded(outline.heuristics, outline.players, outline.templates))
        loading = _loaded(outline, limits, seed)
        _require(loading.level, sandbox_required)
        return loading
    except SubmissionError as error:
        return Loading(level, problem=_told(error), cause=error.reason or "not loaded")
    except Fault as fault:  # it could not be copied, or not be parsed within the limits
        return _failed(fault, level, None)


def _loaded(outline: Outline, limits: Limits, seed: int) -> Loading:
    try:
        process = JailedProcess.start(Assignment(outline.path), limits)
    except Fault as fault:  # it cannot be copied
        return _failed(fault, jail.available(), outline)
    with process:
        try:
            holds = process.load(_stream(seed))
        except Fault as fault:
            printed = Printed.of(process.output)
            return _failed(fault, process.level, outline, printed, process.cpu_seconds)
        cpu_seconds = process.cpu_seconds
    printed = Printed.of(process.output)
    return Loading(process.level, outline, holds, printed=printed, cpu_seconds=cpu_seconds)


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
    )


def _stream(seed: int) -> int:
    """64 bits of a seed, which may be any integer, for what is drawn while the submission is loaded."""
    return int.from_bytes(sha256(f"{seed}\0loading".encode()).digest()[:8], "big")


def _told(error: SubmissionError) -> str:
    """Why it cannot be loaded, with file and line; an error of usage where there is none to be loaded."""
    if error.reason == "no such file":
        raise UsageError(str(error)) from error
    where = Path(error.path or "").name
    line = "" if error.line is None else f":{error.line}"
    remedy = f"; {error.remedy}" if error.remedy else ""
    return f"{where}{line}: {error.problem}{remedy}"


def _require(level: Level, sandbox_required: bool) -> None:
    if sandbox_required and level.name != "full":
        without = f", without: {', '.join(level.missing)}" if level.missing else ""
        raise LessSandboxError(
            f"the sandbox of this system is {level.name!r}{without}, and --require-sandbox asks for all of it"
        )


def _require_members(outline: Outline, members: Sequence[str]) -> None:
    """Refuse what is no member, as far as the source tells, before anything is run."""
    try:
        for each in members:
            kind_of_member(outline, each)
    except InvalidArgumentError as error:
        raise UsageError(str(error)) from error
