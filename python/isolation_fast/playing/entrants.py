"""The players of a tournament, and a chunk of their games: in a form that can be pickled and compared.

A script's own objects go to another process as bytes; the script's `__main__` is made again there.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeGuard, cast

from isolation_fast._native import Heuristic, Program
from isolation_fast.budgets import Budget
from isolation_fast.cost import PRICES_VERSION
from isolation_fast.endings import Fault
from isolation_fast.exceptions import InvalidArgumentError, WorkerError
from isolation_fast.numbers import Nan
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
    timed: str | None = None
    """Why a heuristic is timed and not counted, with the line that is the reason."""
    value_work: int | None = None
    """How much one value of a heuristic may take, in nodes with `improved`; None: as much as there is."""

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


@dataclass(frozen=True, slots=True)
class CountedEntrant:
    """A heuristic that was compiled, in our search: the engine plays it by itself, and counts its work."""

    name: str
    program: Program = field(repr=False)
    digest: str
    """SHA-256 of what the program computes."""
    budget: Budget
    """Without a cost: work is spent by the price list."""
    mode: Mode = "plain"
    prices: int = PRICES_VERSION
    """The version of the price list."""
    value_work: int | None = None
    """How much one value may take, in nodes with `improved`; None: as much as there is."""


Entrant: TypeAlias = NativeEntrant | CountedEntrant | SubmissionEntrant | ObjectEntrant


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
    nan: Nan = "course"
    """What our searches do where a heuristic returns NaN."""
    exact: int | None = None
    """With so many nodes for each position, who wins it is found out; None: not at all."""

    def is_jailed(self, entrant: Entrant) -> TypeGuard[SubmissionEntrant]:
        """Whether an entrant's code runs in the jail."""
        return self.jail is not None and isinstance(entrant, SubmissionEntrant)

    def runs_here(self, entrant: Entrant) -> bool:
        """Whether an entrant's code runs in the process that plays the chunk's games."""
        return not is_played_by_engine(entrant) and not self.is_jailed(entrant)

    @property
    def is_native(self) -> bool:
        """Whether the engine alone plays it."""
        return all(map(is_played_by_engine, self.entrants))


def is_played_by_engine(entrant: Entrant) -> TypeGuard[NativeEntrant | CountedEntrant]:
    """Whether an entrant's moves need no code but the engine's."""
    return isinstance(entrant, NativeEntrant | CountedEntrant)


PROTOCOL: Final = 5
"""One for all Pythons that the package runs on, so that the bytes do not depend on that."""


def pickled(thing: Any, name: str) -> bytes:
    """The object as bytes, or an error that says what to do.

    What a notebook or an interactive session defines is in no file that another process could read. There
    cloudpickle, if it is installed, sends the code itself.
    """
    cause: Exception | None = None
    try:
        content = pickle.dumps(thing, protocol=PROTOCOL)
    except Exception as error:  # noqa: BLE001 - a stranger's object may raise anything when it is pickled
        problem, cause = str(error) or type(error).__name__, error
    else:
        # Without a name or a file it cannot be made again: so in a session, or in `python - < FILE`.
        if b"__main__" not in content or any(each.startswith("init_main") for each in main_again()):
            return content
        problem = "it is defined in an interactive session, which other processes do not see"
    try:
        by_value = cast("Callable[[Any, int], bytes]", import_module("cloudpickle").dumps)
        return by_value(thing, PROTOCOL)
    except ImportError:
        also = "; with the package cloudpickle installed it may work as it is"
    except Exception as error:  # noqa: BLE001 - as above
        problem, cause, also = f"{error}", error, ""
    raise InvalidArgumentError(
        f"{name} cannot be sent to the process that plays it: {problem}; "
        f"put its class or function at the top of a module, or name it as 'FILE.py:member'{also}"
    ) from cause


def main_again() -> Mapping[str, Any]:
    """What `multiprocessing` needs to make our `__main__` again in another process, as far as that goes."""
    from multiprocessing import spawn

    data = spawn.get_preparation_data("player")
    wanted = ["sys_argv", "orig_dir", "dir", "init_main_from_name"]
    # What Python reads from stdin calls its file "<stdin>".
    if Path(data.get("init_main_from_path", "")).is_file():
        wanted.append("init_main_from_path")
    return {name: data[name] for name in wanted if name in data}


def make_main(data: Any) -> None:
    """Make the parent's `__main__` again, as processes of `multiprocessing` do."""
    from multiprocessing import process, spawn

    current: Any = process.current_process()
    # As long as this is set it refuses to start others: so a script that lacks its guard says so, and does
    # not start itself again and again.
    current._inheriting = True
    try:
        spawn.prepare(data)
    finally:
        del current._inheriting


def refuse_in_a_script_run_again() -> None:
    """An error in a process that only makes a script's `__main__` again, to find the players in it."""
    process: Any = sys.modules.get("multiprocessing.process")
    if process is not None and getattr(process.current_process(), "_inheriting", False):
        raise WorkerError(
            "the script plays its tournament again where only its players are looked for: put what is to run "
            'when it is started after `if __name__ == "__main__":`'
        )
