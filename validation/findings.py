"""What a comparison found, as frozen records that turn into the documented JSON and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias

from isolation_fast.jail import LevelName

__all__ = [
    "Comparison",
    "Difference",
    "HeuristicFinding",
    "HeuristicVerdict",
    "Options",
    "PlayerFinding",
    "PlayerVerdict",
    "SubmissionFindings",
]

SCHEMA_VERSION: Final = 1
LEFT_THE_BOARD: Final = "a move off the board"

HeuristicVerdict: TypeAlias = Literal[
    "same values",
    "same exception types",
    "rounding only",
    "random by itself",
    "not comparable",
    "declared",
    "differs",
    "not compared",
]
"""How a heuristic behaves on our board, compared with the classic one."""

PlayerVerdict: TypeAlias = Literal["same games", "same endings", "declared", "differs", "not compared"]
"""How the games of a player go and end on our board, compared with the classic one."""

BoardName: TypeAlias = Literal["classic", "ours"]

# What a reader has to look at or know of.
PROBLEMS: Final = ("declared", "not comparable", "not compared", "differs")


@dataclass(frozen=True, slots=True)
class Options:
    """What a comparison was asked to do. The checkouts are named by their folders alone."""

    positions: int = 200
    games: int = 4
    seed: int = 0
    seconds: float = 120
    memory: int = 2048
    checkouts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """The first call that differs: the position as text and drawn, for whom, and both outcomes as shown."""

    position: str
    drawing: str
    player: int
    classic: str
    ours: str


@dataclass(frozen=True, slots=True)
class HeuristicFinding:
    """One heuristic: the verdict, and how many of its calls were equal, equal but for rounding, or raised."""

    name: str
    verdict: HeuristicVerdict
    calls: int = 0
    equal: int = 0
    rounding: int = 0
    exceptions: int = 0
    detail: str = ""
    difference: Difference | None = None

    def summary(self) -> str:
        """What a table says of it after the verdict.

        >>> HeuristicFinding("custom_score", "same values", calls=400, equal=400, exceptions=20).summary()
        '400 calls, 20 raise'
        >>> HeuristicFinding("custom_score", "rounding only", calls=400, equal=388, rounding=12).summary()
        '400 calls, 12 differ by rounding'
        """
        counts = [f"{self.calls} calls"] if self.calls else []
        counts += [f"{self.exceptions} raise"] if self.exceptions else []
        counts += [f"{self.rounding} differ by rounding"] if self.rounding else []
        if self.calls and self.verdict in ("differs", "declared"):
            counts += [f"{self.calls - self.equal - self.rounding} differ"]
        return "; ".join(each for each in (", ".join(counts), self.detail) if each)


@dataclass(frozen=True, slots=True)
class PlayerFinding:
    """One player: the verdict, and how often its games ended in which way on each board."""

    name: str
    verdict: PlayerVerdict
    classic: Mapping[str, int]
    ours: Mapping[str, int]
    detail: str = ""

    def summary(self) -> str:
        """What a table says of it after the verdict.

        >>> PlayerFinding("AlphaBetaPlayer", "same endings", {"normal end": 4}, {"normal end": 4}).summary()
        '4 normal end'
        >>> PlayerFinding("Own", "differs", {"normal end": 4}, {"normal end": 3, "forfeit": 1}).summary()
        'classic: 4 normal end; ours: 1 forfeit, 3 normal end'
        """
        classic, ours = (_counted(endings) for endings in (self.classic, self.ours))
        both = classic if classic == ours else f"classic: {classic}; ours: {ours}"
        return "; ".join(each for each in (both, self.detail) if each)


@dataclass(frozen=True, slots=True)
class SubmissionFindings:
    """One submission. `reason` says why it could not be compared at all, None where it could.

    `checkout` is the number of the classic checkout that it was compared with, from 1 on.
    """

    name: str
    layout: str | None = None
    checkout: int | None = None
    heuristics: tuple[HeuristicFinding, ...] = ()
    players: tuple[PlayerFinding, ...] = ()
    templates: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def findings(self) -> tuple[HeuristicFinding | PlayerFinding, ...]:
        """Those of its heuristics, then those of its players."""
        return (*self.heuristics, *self.players)

    @property
    def differs(self) -> bool:
        """Whether anything of it behaves in another way on our board that is not declared."""
        return any(each.verdict == "differs" for each in self.findings)

    @property
    def is_complete(self) -> bool:
        """Whether all of it was compared; what could not even be loaded was not."""
        return self.reason is None and not any(each.name == "import" for each in self.heuristics)

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists of it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> SubmissionFindings:
        """The findings that `to_dict` made this of, JSON in between or not.

        >>> heuristic = HeuristicFinding("custom_score", "same values", calls=2, equal=2)
        >>> found = SubmissionFindings("ann", "v2", 1, (heuristic,))
        >>> SubmissionFindings.from_dict(found.to_dict()) == found
        True
        """
        content = dict(document)
        content["heuristics"] = tuple(_heuristic_of(each) for each in content["heuristics"])
        content["players"] = tuple(PlayerFinding(**each) for each in content["players"])
        content["templates"] = tuple(content["templates"])
        return cls(**content)


def _heuristic_of(content: Mapping[str, Any]) -> HeuristicFinding:
    difference = content["difference"]
    return HeuristicFinding(
        **{**content, "difference": None if difference is None else Difference(**difference)}
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `compare` found: for each submission, by name, what became of its heuristics and players.

    `jail` is how much of the jail they ran in: "full", "partial" or "none".
    """

    options: Options
    jail: LevelName
    submissions: tuple[SubmissionFindings, ...]

    @property
    def differs(self) -> bool:
        """Whether anything behaves in another way on our board that is not declared."""
        return any(each.differs for each in self.submissions)

    def counts(self) -> dict[str, Any]:
        """How many submissions were compared and not, and how often each verdict was given."""
        compared = sum(each.reason is None for each in self.submissions)
        heuristics = Counter(found.verdict for each in self.submissions for found in each.heuristics)
        players = Counter(found.verdict for each in self.submissions for found in each.players)
        return {
            "compared": compared,
            "not compared": len(self.submissions) - compared,
            "heuristics": dict(sorted(heuristics.items())),
            "players": dict(sorted(players.items())),
        }

    def to_dict(self) -> dict[str, Any]:
        """The document of `--json`: plain dicts and lists without times, paths or the number of workers."""
        return {
            "version": SCHEMA_VERSION,
            "options": asdict(self.options),
            "jail": self.jail,
            "counts": self.counts(),
            "differs": self.differs,
            "submissions": [each.to_dict() for each in self.submissions],
        }

    def __str__(self) -> str:
        counts = self.counts()
        parts = [f"{_number(counts['compared'], 'submission')} compared"]
        parts += [f"{counts['not compared']} not compared"] if counts["not compared"] else []
        for what, verdicts in (("heuristic", counts["heuristics"]), ("player", counts["players"])):
            listed = f" ({_counted(verdicts)})" if verdicts else ""
            parts.append(_number(sum(verdicts.values()), what) + listed)
        return f"{', '.join(parts)}: {'something' if self.differs else 'nothing'} differs"


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {what}" for what, number in sorted(counts.items())) or "no games"
