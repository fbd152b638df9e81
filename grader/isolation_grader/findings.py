"""What a probe found of a submission: the same on every run, but for the timings, which stand apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from isolation_fast.endings import GameEnding
from isolation_fast.jail import Level, Output
from isolation_grader.exit_status import ExitStatus

__all__ = ["SCHEMA", "LostGame", "Member", "MemberTimings", "Printed", "Probe", "Timings"]

SCHEMA: Final = "isolation-grader/probe/1"
"""What the JSON of a probe begins with. Another number is another meaning of the fields."""


@dataclass(frozen=True, slots=True)
class Printed:
    """What a submission printed, as far as it is kept. It may hold anything."""

    stdout: bytes = b""
    stderr: bytes = b""
    dropped: int = 0
    """Bytes that were printed and not kept."""

    @classmethod
    def of(cls, output: Output) -> Printed:
        """What one process printed."""
        return cls(output.stdout, output.stderr, output.dropped)

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it.

        >>> Printed(b"ready", dropped=3).to_dict()
        {'stdout': 'ready', 'stderr': '', 'dropped': 3}
        """
        return {
            "stdout": self.stdout.decode("utf-8", "backslashreplace"),
            "stderr": self.stderr.decode("utf-8", "backslashreplace"),
            "dropped": self.dropped,
        }


@dataclass(frozen=True, slots=True)
class LostGame:
    """A game that was lost by anything but having no move left."""

    opponent: str
    opening: int
    """The index of the opening."""
    player: Literal[1, 2]
    """Which player of the game it was."""
    ending: GameEnding
    detail: str
    """One line: what happened, and in which line of the submission."""
    position: str
    """The position in which it was to move, as text."""
    trace: tuple[str, ...] = ()
    """The traceback within the submission's own files, in lines; empty where there is none."""

    def __str__(self) -> str:
        return f"{self.ending}: {self.detail}" if self.detail else self.ending


@dataclass(frozen=True, slots=True)
class Member:
    """A heuristic or a player of a submission, and how its games went."""

    name: str
    kind: Literal["heuristic", "player"]
    games: int
    won: int
    endings: Mapping[GameEnding, int]
    """How it lost, and how often."""
    is_broken: bool
    """Whether it lost three games by its own fault, so that the rest was not played."""
    lost_games: tuple[LostGame, ...]
    """Those by its own fault."""
    printed: Printed

    @property
    def lost(self) -> int:
        """How many games were lost."""
        return self.games - self.won

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it."""
        return {
            "name": self.name,
            "kind": self.kind,
            "games": self.games,
            "won": self.won,
            "lost": self.lost,
            "endings": dict(self.endings),
            "broken": self.is_broken,
            "lost_games": [asdict(each) for each in self.lost_games],
            "printed": self.printed.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class MemberTimings:
    """The processor time of a member, measured from outside its process."""

    name: str
    moves: int
    cpu_seconds: float
    """Of all its moves."""
    longest: float
    """Of the move that took longest."""

    @property
    def cpu_seconds_a_move(self) -> float | None:
        """None where it made none."""
        return self.cpu_seconds / self.moves if self.moves else None

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it."""
        return {**asdict(self), "cpu_seconds_a_move": self.cpu_seconds_a_move}

    def __str__(self) -> str:
        if self.cpu_seconds_a_move is None:
            return f"{self.name}: no move"
        a_move, longest = 1000 * self.cpu_seconds_a_move, 1000 * self.longest
        return (
            f"{self.name}: {self.moves:,} moves, {self.cpu_seconds:.2f} s of processor time, "
            f"{a_move:.3g} ms a move, {longest:.3g} ms at most"
        )


@dataclass(frozen=True, slots=True)
class Timings:
    """How long it took: another run has others."""

    seconds: float
    """By the wall clock, all together."""
    load_cpu_seconds: float | None
    """Processor time of loading the submission."""
    members: tuple[MemberTimings, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON knows it."""
        return {**asdict(self), "members": [each.to_dict() for each in self.members]}


@dataclass(frozen=True)
class Probe:
    """How a submission behaves."""

    submission: str
    """The name of its file."""
    sandbox: Level
    """What was really kept from it."""
    problem: str | None
    """Why it could not be loaded; None if it was."""
    layout: str | None
    """Which layout of the course it is written for; None if its file cannot be parsed."""
    heuristics: tuple[str, ...]
    players: tuple[str, ...]
    templates: tuple[str, ...]
    """What is still to be written."""
    opponents: tuple[str, ...]
    seed: int
    budget: str
    members: tuple[Member, ...]
    printed: Printed
    """While it was loaded."""
    reproducible: bool
    """Whether probing it again gives the same: False where a clock decided something."""
    timings: Timings = field(compare=False)

    @property
    def status(self) -> ExitStatus:
        """With what a command ends that found this."""
        if self.problem is not None or not self.members:
            return ExitStatus.NOT_GRADED
        lost = [each for member in self.members for each in member.lost_games]
        never_played = all(each.is_broken for each in self.members)
        if never_played and all(each.ending == "not loaded" for each in lost):
            return ExitStatus.NOT_GRADED
        return ExitStatus.FAILED if lost else ExitStatus.GOOD

    def to_dict(self) -> dict[str, Any]:
        """All but the timings, as JSON knows it."""
        return {
            "schema": SCHEMA,
            "submission": self.submission,
            "sandbox": self.sandbox.to_dict(),
            "loads": self.problem is None,
            "problem": self.problem,
            "layout": self.layout,
            "heuristics": list(self.heuristics),
            "players": list(self.players),
            "templates": list(self.templates),
            "printed": self.printed.to_dict(),
            "opponents": list(self.opponents),
            "seed": self.seed,
            "budget": self.budget,
            "reproducible": self.reproducible,
            "members": [each.to_dict() for each in self.members],
            "status": int(self.status),
        }
