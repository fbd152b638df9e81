"""What a worker finds around it: a folder with copies of all that it reads, and its environment."""

from __future__ import annotations

import os
import site
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from isolation_fast.comparison.checkouts import copy_checkout
from isolation_fast.comparison.folders import copy_folder
from isolation_fast.jail.copies import copy_submission
from isolation_fast.process.ends import ONE_THREAD

__all__ = ["Surroundings", "environment"]

KEPT_VARIABLES: Final = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")


class Surroundings:
    """The folder of one worker: copies of the submission and of the checkouts, a home, temporary files."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.submission = place / "submission"
        self.home, self.temporary = place / "home", place / "tmp"
        self._names: dict[str, str] = {}

    def make(self, file: Path, checkouts: Sequence[Path], *, trusted: bool) -> list[Path]:
        """Copy a submission and checkouts; gives where the checkouts are.

        Of one that is not trusted, only that is copied which is its own: it must not read the rest.
        """
        if trusted:
            copy_folder(file.parent, self.submission)
        else:
            copy_submission(file.parent.resolve() / file.name, self.submission)
        for each in (self.home, self.temporary):
            each.mkdir()
        copies = [self.place / f"classic_{number}" for number in range(1, len(checkouts) + 1)]
        for original, copy in zip(checkouts, copies, strict=True):
            copy_checkout(original, copy)
            self._names[str(copy)] = original.name
        return copies

    def names(self, submission: str) -> dict[str, str]:
        """How each path is told, from the longest to the shortest."""
        return {
            f"{self.submission}{os.sep}": "",
            str(self.submission): submission,
            **self._names,
            str(self.home): "HOME",
            str(self.temporary): "TMPDIR",
            str(self.place): "",
        }


def environment(around: Surroundings) -> dict[str, str]:
    """The variables of a worker's environment."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    paths = [os.path.abspath(each) for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each]  # noqa: PTH100
    if paths:
        kept["PYTHONPATH"] = os.pathsep.join(paths)
    if site.ENABLE_USER_SITE:
        # With another HOME, packages of the user's own would not be found.
        kept["PYTHONUSERBASE"] = site.getuserbase()
    return {
        **kept,
        **dict.fromkeys(ONE_THREAD, "1"),
        "HOME": str(around.home),
        "TMPDIR": str(around.temporary),
        "LANG": "C.UTF-8",
        "MPLBACKEND": "Agg",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
