"""Costs that were measured, kept by the content of a submission, so that the next grading is the same."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, Final, Literal

from isolation_fast import Cost, InvalidBudgetError
from isolation_fast.cost.definition import BANDS
from isolation_grader.exceptions import GraderError
from isolation_grader.places import require_writable_store, write_whole

__all__ = ["CostStore", "StoredCost"]

SCHEMA: Final = "isolation-grader/costs/1"


@dataclass(frozen=True, slots=True)
class StoredCost:
    """What a node with a heuristic costs, in steps, and where that is from."""

    cost: Cost
    source: Literal["measured", "observed"]
    """`observed` where it took more in play than had been measured."""
    raw: Cost
    """What was last measured, before it was rounded."""
    cpu_per_call: tuple[float, ...]
    """Seconds of CPU time for a node of the native search, by bands of blank cells, where it was measured."""
    is_confirmed: bool = True
    """Whether games were played to the end at this cost: before, it may still turn out to take more."""

    def to_dict(self) -> dict[str, Any]:
        """As a file has it."""
        return {
            "source": self.source,
            **self.cost.to_dict(),
            "raw": self.raw.to_dict(),
            "cpu_per_call": list(self.cpu_per_call),
            "confirmed": self.is_confirmed,
        }

    @classmethod
    def from_dict(cls, entry: dict[str, Any]) -> StoredCost:
        """What `to_dict` wrote."""
        if entry["source"] not in ("measured", "observed"):
            raise ValueError(f"the source of a cost is 'measured' or 'observed', not {entry['source']!r}")
        per_call = tuple(float(each) for each in entry["cpu_per_call"])
        if len(per_call) != len(BANDS) or not all(0 <= each < inf for each in per_call):
            raise ValueError(
                f"cpu_per_call is {len(BANDS)} times in seconds, not {entry['cpu_per_call']!r:.60}"
            )
        if not isinstance(entry["confirmed"], bool):
            raise TypeError(f"confirmed is true or false, not {entry['confirmed']!r}")
        raw = Cost.from_dict(entry["raw"])
        return cls(Cost.from_dict(entry), entry["source"], raw, per_call, entry["confirmed"])


class CostStore:
    """A folder with a file for each submission, named by the digest of its content.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = CostStore(Path(folder))
    ...     store.put("ab12", "custom_score", StoredCost(Cost(1.25), "measured", Cost(1.31), (1e-6,) * 5))
    ...     store.get("ab12", "custom_score").cost, store.get("ab12", "custom_score_2")
    (Cost(1.25), None)
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, digest: str, heuristic: str) -> StoredCost | None:
        """What is known of a heuristic; None where nothing is."""
        return self._read(digest).get(heuristic)

    def heuristics(self, digest: str) -> tuple[str, ...]:
        """Those of a submission whose cost is known."""
        return tuple(self._read(digest))

    def require_writable(self) -> None:
        """Refuse what is going to be measured where it could not be kept."""
        require_writable_store(self._folder)

    def put(self, digest: str, heuristic: str, stored: StoredCost) -> None:
        """Keep it, in place of what was known before."""
        costs = {**self._read(digest), heuristic: stored}
        content = {"schema": SCHEMA, "costs": {name: costs[name].to_dict() for name in sorted(costs)}}
        write_whole(self._path(digest), json.dumps(content, indent=2) + "\n")

    def _path(self, digest: str) -> Path:
        return self._folder / f"{digest}.json"

    def _read(self, digest: str) -> dict[str, StoredCost]:
        path = self._path(digest)
        try:
            content = json.loads(path.read_text("utf-8"))
            if content["schema"] != SCHEMA:
                raise ValueError(f"its schema is {content['schema']!r} and not {SCHEMA!r}")
            return {str(name): StoredCost.from_dict(entry) for name, entry in content["costs"].items()}
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise GraderError(f"stored costs cannot be read: {os.fspath(path)}: {error.strerror}") from error
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, InvalidBudgetError) as error:
            raise GraderError(
                f"stored costs are not as they were written: {os.fspath(path)}: {error}",
                "remove the file: what is missing is measured again",
            ) from error
