"""Findings kept in a file, so that an interrupted comparison goes on where it stopped.

The file has one JSON line for each finished submission. Its key is a hash of everything that the findings
follow from: the submission's files, the options, the checkouts, the versions of this package, of Python and
of NumPy. What was not compared to its end is not kept.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from isolation_fast._native import __version__
from isolation_fast.comparison.checkouts import Checkout
from isolation_fast.comparison.findings import SCHEMA_VERSION, Options, SubmissionFindings
from isolation_fast.comparison.folders import ComparisonError
from isolation_fast.jail import LevelName

__all__ = ["KeptFindings", "key_of"]


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
