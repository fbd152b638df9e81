"""Writing the zip of an autograder: scripts, wheels, settings and a rubric."""

from __future__ import annotations

import io
import json
import re
import secrets
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from importlib import resources
from pathlib import Path
from typing import Any, Final

from isolation_fast import output
from isolation_fast.numbers import integer, number
from isolation_fast.tournament import ROSTERS
from isolation_grader import __version__
from isolation_grader.classes.rubric import read_rubric, require_opponents
from isolation_grader.exceptions import GraderError, UsageError
from isolation_grader.options import LONGEST_GRADING, SEED_BITS, Question, checked_budget

TIME_LIMIT: Final = 480.0
"""Seconds: less than the ten minutes that Gradescope gives a submission by default."""
LEAST_TIME: Final = 30.0
SCRIPTS: Final = ("setup.sh", "run_autograder", "Dockerfile")
RUN: Final = 0o755 << 16
READ: Final = 0o644 << 16
SETTINGS, RUBRIC, FIRST_RESULTS = "settings.json", "rubric.toml", "first_results.json"
PACKAGES: Final = ("numpy",)
"""What submissions of the course import besides the standard library, one in eight of them."""
PACKAGE: Final = re.compile(r"[A-Za-z0-9][\w.-]*(\[[\w,]+\])?([=<>~!]=?[\w.*]+)?")


@dataclass(frozen=True, slots=True)
class Settings:
    """How an autograder grades, as the zip holds it.

    >>> Settings.of(Settings(seed=7).to_dict()) == Settings(seed=7)
    True
    """

    seed: int
    """Of all submissions, so that one who submits often draws no new openings."""
    time_limit: float = TIME_LIMIT
    """Seconds after which the verdict so far is the result."""
    workers: int = 1
    budget: str | None = None
    heuristics: tuple[str, ...] | None = None
    opponents: str = "classic"
    question: Question = field(default_factory=Question)

    def __post_init__(self) -> None:
        number("time limit", self.time_limit, least=LEAST_TIME, most=LONGEST_GRADING)
        integer("workers", self.workers, 1)
        checked_budget(self.budget, players=False)
        if self.opponents not in ROSTERS:
            raise UsageError(f"there is no roster {self.opponents!r}", f"there is: {', '.join(ROSTERS)}")

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        return {
            **{each.name: getattr(self, each.name) for each in fields(self)},
            "question": asdict(self.question),
        }

    @classmethod
    def of(cls, content: dict[str, Any]) -> Settings:
        """As it was written."""
        heuristics = content["heuristics"]
        held = {"heuristics": None if heuristics is None else tuple(heuristics)}
        return cls(**{**content, **held, "question": Question(**content["question"])})


def drawn_seed() -> int:
    """A seed that nobody finds by trying."""
    return secrets.randbits(SEED_BITS)


def bundle(
    out: Path,
    wheels: Path,
    settings: Settings,
    rubric: Path | None = None,
    packages: Sequence[str] = PACKAGES,
) -> list[str]:
    """Write the zip; gives the names of what is in it.

    `packages` are those that submissions may import, as pip names them.

    `wheels` is a folder with the grader's wheel of this version and at least one of the engine, such as
    `dist` after `make dist`. All wheels in it are taken along: with those that the two need, setup.sh asks
    for no network.
    """
    parts: dict[str, tuple[bytes, int]] = {}
    for name in SCRIPTS:
        content = resources.files(__package__).joinpath(name).read_bytes()
        parts[name] = (content, READ if name == "Dockerfile" else RUN)
    parts[SETTINGS] = (_json(settings.to_dict()), READ)
    parts[FIRST_RESULTS] = (
        _json(results("Grading has not come to a result: it is going on, or was ended.")),
        READ,
    )
    for each in packages:
        if PACKAGE.fullmatch(each) is None:
            raise UsageError(f"{each!r} is no name of a package, such as numpy or numpy==2.3.1")
    parts["packages.txt"] = ("".join(f"{each}\n" for each in packages).encode(), READ)
    if rubric is not None:
        # What is wrong with it is said now, and not to the first student.
        require_opponents(read_rubric(rubric), settings.opponents)
        parts[RUBRIC] = (rubric.read_bytes(), READ)
    for wheel in _wheels(wheels):
        parts[f"wheels/{wheel.name}"] = (wheel.read_bytes(), READ)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (content, mode) in parts.items():
            # The same bytes for the same content: no time of the day is in it.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr, entry.create_system, entry.compress_type = mode, 3, zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    try:
        output.write_whole(out, written.getvalue())
    except OSError as error:
        raise GraderError(f"cannot be written: {out}: {error.strerror}") from error
    return list(parts)


def results(told: str) -> dict[str, Any]:
    """A results file without tests. Gradescope needs a score, and calls one without it failed."""
    shown = {"output_format": "text", "visibility": "visible", "stdout_visibility": "hidden"}
    return {"score": 0.0, "output": told, **shown, "tests": []}


def _wheels(folder: Path) -> list[Path]:
    try:
        is_there, found = folder.is_dir(), sorted(folder.glob("*.whl"))
    except OSError as error:
        raise UsageError(f"the wheels cannot be read: {folder}: {error.strerror}") from error
    if not is_there:
        raise UsageError(f"there is no folder of wheels: {folder}", "make dist builds them: --wheels dist")
    for name in ("isolation_grader", "isolation_fast"):
        if not any(each.name.startswith(f"{name}-{__version__}-") for each in found):
            raise UsageError(
                f"{folder} has no wheel of {name.replace('_', '-')} {__version__}", "make dist builds it"
            )
    return [each for each in found if _is_linux(each)]


def _is_linux(wheel: Path) -> bool:
    platform = wheel.stem.rpartition("-")[2]
    return platform == "any" or "linux" in platform


def _json(content: dict[str, Any]) -> bytes:
    return json.dumps(content, indent=2).encode()
