"""Comparing all submissions of a folder: which are there, which were finished before, what the rest gives.

Findings can be kept in a file, so that an interrupted comparison goes on where it stopped. The file has one
JSON line for each finished submission. Its key is a hash of everything that the findings follow from: the
submission's files, the options, the checkouts, the versions of the package, of Python and of NumPy.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, TypeAlias

from isolation_fast import __version__
from isolation_fast.jail import LevelName, OnDisk, available
from isolation_fast.submission import NotCopiedError
from isolation_fast.text import described
from validation.findings import SCHEMA_VERSION, Comparison, Options, SubmissionFindings
from validation.messages import findings_of
from validation.sources import Checkout, ComparisonError, Found, find_submissions, read_checkout

__all__ = ["KeptFindings", "compare", "content_hash", "key_of"]

# What the system's limits of a process can be set to, and more than anybody has.
MOST_SECONDS: Final = 10_000_000
MOST_MEMORY: Final = 2**40

AnyPath: TypeAlias = str | os.PathLike[str]
Progress: TypeAlias = Callable[[SubmissionFindings, int, int], object]


def compare(
    folder: AnyPath,
    classic: AnyPath | Iterable[AnyPath],
    *,
    positions: int = 200,
    games: int = 4,
    seed: int = 0,
    seconds: float = 120,
    memory: int = 2048,
    workers: int | None = None,
    jail: bool = True,
    resume: AnyPath | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Evaluate the heuristics and play the players of submissions, on the classic board and on ours.

    `folder` is a `game_agent.py`, a folder with one, or a folder whose direct sub-folders have one. `classic`
    is a checkout of the classic code, or several: each submission is compared with the first one of its own
    layout whose board has the private names that it uses.

    Every heuristic is asked about `positions` positions for both players; every player plays `games` games
    against the random player on each board. `seed` decides positions and games. Each submission has a process
    of its own, `seconds` of time and `memory` MiB; `workers` of them run at once, as many as there are
    processors unless given. They run in the jail where there is one, or with `jail=False` without it.

    With `resume` the findings of finished submissions are appended to that file, and findings
    that the file has already are not made again. `progress` is called with each submission's findings, the
    number of finished submissions, and that of all.

    What is found does not depend on `workers`, nor on what is resumed.
    """
    if os.name != "posix":
        raise ComparisonError("comparing needs the process limits of Linux or macOS")
    paths = [classic] if isinstance(classic, (str, os.PathLike)) else list(classic)
    if not paths:
        raise ComparisonError("a comparison needs at least one checkout of the classic code")
    checkouts = [read_checkout(Path(each)) for each in paths]
    names = tuple(each.path.name for each in checkouts)
    options = Options(positions, games, seed, seconds, memory, names)
    _check(options, workers)
    found, _ = find_submissions(Path(folder))
    level = available().name if jail else "none"
    kept = KeptFindings(None if resume is None else Path(resume))
    comparing = _Comparing(options, checkouts, level, kept)
    findings: dict[str, SubmissionFindings] = {}
    for each in comparing.run(found, workers or _processors()):
        findings[each.name] = each
        if progress is not None:
            progress(each, len(findings), len(found))
    return Comparison(options, level, tuple(findings[each.name] for each in found))


@dataclass(frozen=True, slots=True)
class _Comparing:
    options: Options
    checkouts: Sequence[Checkout]
    level: LevelName
    kept: KeptFindings

    def run(self, found: Iterable[Found], workers: int) -> Iterator[SubmissionFindings]:
        """The findings of each submission, those that are kept first, then the others as they come."""
        keys: dict[str, str] = {}
        waiting: list[Found] = []
        for each in found:
            try:
                key = key_of(
                    each.name, content_hash(each.path.parent), self.options, self.checkouts, self.level
                )
            except NotCopiedError as error:
                yield SubmissionFindings(each.name, reason=str(error))
                continue
            known = self.kept.get(key)
            if known is not None:
                yield known
            else:
                keys[each.name] = key
                waiting.append(each)
        # Not at the top: the workers' side of it imports `resource`, which Windows does not have.
        from validation.running import run_tasks

        with closing(run_tasks(map(self._task, waiting), workers)) as reports:
            for report in reports:
                findings = findings_of(report.task.name, report.messages, report.stopped, report.left_by_ours)
                # What was stopped, or lacked an import, may come to more the next time.
                if report.stopped is None and findings.is_complete:
                    self.kept.keep(keys[findings.name], findings)
                yield findings

    def _task(self, found: Found) -> Any:
        from validation.running import Task
        from validation.worker import Request

        options = self.options
        level = None if self.level == "none" else self.level
        checkouts = tuple(each.to_dict() for each in self.checkouts)
        request = Request(str(found.path), checkouts, options.positions, options.games, options.seed)
        return Task(found.name, found.path, request, options.seconds, options.memory, level)


def content_hash(folder: Path) -> str:
    """A hash of the names and contents of what would be copied of a folder."""
    digest = hashlib.sha256()
    for name, _, parts in OnDisk(folder).files(""):
        content = b"" if isinstance(parts, str) else b"".join(parts)
        digest.update(f"{len(name)} {name} {len(content)} ".encode("utf-8", "surrogateescape"))
        digest.update(content)
    return digest.hexdigest()


def key_of(name: str, digest: str, options: Options, checkouts: Sequence[Checkout], jail: LevelName) -> str:
    """The key of a submission's findings."""
    content = {
        "name": name,
        "submission": digest,
        "options": asdict(options),
        "checkouts": [each.digest for each in checkouts],
        "jail": jail,
        "versions": [SCHEMA_VERSION, __version__, platform.python_version(), _numpy_version()],
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _numpy_version() -> str | None:
    """The version of NumPy, which most submissions import; it is not imported here."""
    try:
        return version("numpy")
    except PackageNotFoundError:
        return None


class KeptFindings:
    """The findings of a file, by key; without a file there are none, and none are kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._kept: dict[str, SubmissionFindings] = {}
        if path is not None:
            self._read(path)

    def _read(self, path: Path) -> None:
        try:
            # Opened for writing too: a file that cannot be written to is better found out now.
            with path.open("a+", encoding="utf-8") as file:
                file.seek(0)
                text = file.read()
                # A line that was cut short, by a full disk or a hard end, must not swallow the next one.
                if text and not text.endswith("\n"):
                    file.write("\n")
        except (OSError, ValueError) as error:
            raise ComparisonError(f"{str(path)!r} cannot be used to resume: {error}") from error
        for line in text.splitlines():
            entry = _entry(line)
            if entry is not None:
                self._kept[entry[0]] = entry[1]

    def get(self, key: str) -> SubmissionFindings | None:
        """The findings of that key, if they are kept."""
        return self._kept.get(key)

    def keep(self, key: str, findings: SubmissionFindings) -> None:
        """Append findings to the file."""
        if self._path is None:
            return
        line = json.dumps({"version": SCHEMA_VERSION, "key": key, "findings": findings.to_dict()})
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


def _entry(line: str) -> tuple[str, SubmissionFindings] | None:
    """What a line holds; nothing where it was cut short or written by another version."""
    try:
        content: Any = json.loads(line)
        if content["version"] != SCHEMA_VERSION:
            return None
        return str(content["key"]), SubmissionFindings.from_dict(content["findings"])
    except (ValueError, TypeError, KeyError):
        return None


def _check(options: Options, workers: int | None) -> None:
    """Refuse what cannot be done before anything is begun."""
    for name, least in (("positions", 1), ("games", 0), ("seed", 0), ("memory", 1)):
        value = getattr(options, name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} must be an int, not {described(value)}")
        if value < least:
            raise ComparisonError(f"{name} must be at least {least}, not {value}")
    if isinstance(options.seconds, bool) or not isinstance(options.seconds, (int, float)):
        raise TypeError(f"seconds must be a number, not {described(options.seconds)}")
    if not 0 < options.seconds <= MOST_SECONDS:
        raise ComparisonError(
            f"seconds must be a number above 0 and at most {MOST_SECONDS:,}, not {options.seconds!r}"
        )
    if options.memory > MOST_MEMORY:
        raise ComparisonError(f"memory must be at most {MOST_MEMORY:,} MiB, not {options.memory}")
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int)):
        raise TypeError(f"workers must be an int, not {described(workers)}")
    if workers is not None and workers < 1:
        raise ComparisonError(f"workers must be at least 1, not {workers}")


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
