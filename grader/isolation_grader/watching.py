"""Whether a submission was saved since it was last graded."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeAlias

from isolation_fast.submission import FILE_NAME

Saved: TypeAlias = Literal["changed", "same", "gone"]


class Watch:
    """Looks at a submission now and then: at its file, and at what is beside a `game_agent.py`."""

    def __init__(self, submission: Path) -> None:
        self._submission = submission
        self._stats: object = None
        self._digest = ""
        """Of what was last graded."""
        self._is_gone = False

    def look(self) -> Saved:
        """`changed` once for each other content, `gone` once where the file cannot be read."""
        try:
            files = self._files()
            stats = [(each, (found := each.stat()).st_mtime_ns, found.st_size) for each in files]
            if stats == self._stats:
                return "same"
            # By name too: a module that is renamed is another one.
            contents = [(str(each), sha256(each.read_bytes()).digest()) for each in files]
            digest = sha256(repr(contents).encode()).hexdigest()
        except OSError:
            was_gone, self._is_gone, self._stats = self._is_gone, True, None
            return "same" if was_gone else "gone"
        # What is saved after these were taken differs from them, and is seen the next time.
        self._stats, self._is_gone = stats, False
        if digest == self._digest:
            return "same"
        self._digest = digest
        return "changed"

    def _files(self) -> Sequence[Path]:
        given = self._submission
        file = given / FILE_NAME if given.is_dir() else given
        patterns = ("*.py", "*/*.py") if file.name == FILE_NAME else ()
        return sorted({file, *(each for pattern in patterns for each in file.parent.glob(pattern))})
