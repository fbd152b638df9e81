"""The players of a tournament, and a chunk of their games: in a form that can be pickled and compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from isolation_fast._native import Heuristic
from isolation_fast.budgets import Budget
from isolation_fast.endings import Fault
from isolation_fast.searching import Mode
from isolation_fast.submission import MemberKind

# A process whose players all run outside the jail needs nothing of it.
if TYPE_CHECKING:
    from isolation_fast.jail import Limits


@dataclass(frozen=True, slots=True)
class NativeEntrant:
    """A player that the engine plays by itself."""

    name: str
    """The name in tables. The same player may take part under two names."""
    kind: Literal["random", "greedy", "minimax", "alphabeta"]
    heuristic: Heuristic | None = None
    """None for `random` alone."""
    budget: Budget | None = None
    """A depth for `minimax`, any budget for `alphabeta`, else None."""
    mode: Mode = "plain"


@dataclass(frozen=True, slots=True)
class SubmissionEntrant:
    """A heuristic or a player of a `game_agent.py`: it runs in a process of its own."""

    name: str
    path: str
    """The absolute path of the file. Results do not show it."""
    member: str
    """The name of the function, for our search as its heuristic, or of the class, which plays by itself."""
    digest: str
    """SHA-256 of the file: a plan is for this content."""
    budget: Budget | None = None
    """The budget of our search with a heuristic; None for a class."""
    mode: Mode = "plain"

    @property
    def member_is(self) -> MemberKind:
        """What the member is: a heuristic for our search, or a player that plays by itself."""
        return "player" if self.budget is None else "heuristic"

    def require(self, member_is: MemberKind) -> None:
        """Raise a `Fault` if the loaded member is something else than its source said."""
        if member_is != self.member_is:
            what = f"{self.member} is a {member_is} once it is loaded, and a {self.member_is} by its source"
            raise Fault("not loaded", what)


@dataclass(frozen=True, slots=True)
class ObjectEntrant:
    """A player, or a heuristic with a budget, made by a script: pickled, for a process of its own."""

    name: str
    pickled: bytes = field(repr=False)
    """The object with `get_move`, or the function `f(game, player)`."""
    digest: str
    budget: Budget | None = None
    """The budget of our search with a function; None for a player."""
    mode: Mode = "plain"


Entrant: TypeAlias = NativeEntrant | SubmissionEntrant | ObjectEntrant


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of work: some openings of one pairing, each played from both sides. Can be pickled."""

    index: int
    pairing: int
    entrants: tuple[Entrant, Entrant]
    """The pairing's first and second."""
    openings: tuple[str, ...]
    """Positions to start from, as texts. The plan has the first of them at `first_opening`."""
    first_opening: int
    seed: int
    """64 bits of the plan's seed and the pairing; each game's random stream comes from them."""
    time_limit: float
    """Milliseconds a turn, for players that use the clock."""
    record: bool
    jail: Limits | None = None
    """The limits of submissions in the jail; None where they run outside it."""

    def is_jailed(self, entrant: Entrant) -> bool:
        """Whether an entrant's code runs in the jail."""
        return self.jail is not None and isinstance(entrant, SubmissionEntrant)

    def runs_here(self, entrant: Entrant) -> bool:
        """Whether an entrant's code runs in the process that plays the chunk's games."""
        return not isinstance(entrant, NativeEntrant) and not self.is_jailed(entrant)

    @property
    def is_native(self) -> bool:
        """Whether the engine alone plays it."""
        return all(isinstance(each, NativeEntrant) for each in self.entrants)
