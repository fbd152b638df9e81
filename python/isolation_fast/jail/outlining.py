"""Parsing a stranger's file in a process without rights: a parser can be brought down by what it is given."""

from __future__ import annotations

import os
from pathlib import Path

from isolation_fast.jail.answers import Assignment
from isolation_fast.jail.limits import Limits
from isolation_fast.jail.process import JailedProcess
from isolation_fast.submission import Outline
from isolation_fast.submission.sources import located

__all__ = ["outline"]


def outline(path: str | os.PathLike[str], limits: Limits | None = None) -> Outline:
    """What `submission.parse` says of a submission, found out in the jail: nothing is run, nor parsed here.

    A file that Python does not read is a `SubmissionError`, as there. One that cannot be parsed within the
    limits of loading, or that brings the parser down, is a `Fault`. A `JailError` where there is no jail.

    >>> from isolation_fast.jail import outline
    >>> outline("examples").heuristics
    ('custom_score', 'custom_score_2', 'custom_score_3')
    """
    file = located(Path(path))
    with JailedProcess.start(Assignment(file), limits) as process:
        return process.outline().of_file(file)
