"""What came of a tournament: a frozen result that is the same, whoever played the games in which order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any, Final, cast

from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.jail import Level
from isolation_fast.jail.limits import Limits
from isolation_fast.text import unknown_word
from isolation_fast.tournament.entrants import SubmissionEntrant
from isolation_fast.tournament.outcomes import NOT_PLAYED, WON, ChunkResult
from isolation_fast.tournament.plan import Format, Plan
from isolation_fast.tournament.scores import FaultyGame, PlayerResult, Score
from isolation_fast.tournament.sequential import SequentialOutcome
from isolation_fast.tournament.tally import Counted, Tally

__all__ = ["SCHEMA", "TournamentResult", "merge", "result_of"]

SCHEMA: Final = "isolation-fast/tournament/1"
"""What the JSON of a result begins with. Another number is another meaning of the fields."""

# How many of a pair's games the other one won.
TURNED: Final = bytes([2, 1, 0]).ljust(256, b"\0")


@dataclass(frozen=True)
class TournamentResult:
    """A tournament, or what of it counts so far.

    There is no time in it, and nothing else that depends on who played it where. `print` shows the table.

    >>> from isolation_fast.tournament.entrants import NativeEntrant
    >>> from isolation_fast.tournament.openings import RandomOpenings
    >>> from isolation_fast.tournament.plan import Pairing
    >>> players = (NativeEntrant("AB_Custom", "random"), NativeEntrant("Random", "random"))
    >>> plan = Plan("gauntlet", players, (0,), (Pairing(0, 1),), RandomOpenings(3))
    >>> result = merge(plan, [ChunkResult(0, 0, 0, bytes([1, 0, 1, 1, 1, 0]))])
    >>> custom = result.player("AB_Custom")
    >>> custom.won, custom.games, custom.scores[0].head_to_head.won_both
    (4, 6, 1)
    >>> print(result.classic_table())
     Match #    Opponent     AB_Custom
                            Won | Lost
        1        Random       4  |   2
    -----------------------------------
                Win Rate:      66.7%
    """

    _plan: Mapping[str, object] = field(hash=False, repr=False)
    entrants: tuple[PlayerResult, ...]
    """All who took part, in the order of the plan."""
    tested: tuple[int, ...]
    """Which of them were tested: those that are no opponents of a gauntlet."""
    openings: int
    """How many openings count. Each was played by all, from both sides."""
    planned_openings: int
    reproducible: bool
    """Whether playing it again gives the same: False where a clock decided something."""
    sequential: tuple[SequentialOutcome, ...] = ()
    """What sequential tests came to."""
    jail: Level | None = None
    """What of the jail was enforced in all of it; None where no submission was in one."""
    limits: Limits | None = None
    """What submissions might use in the jail; None where they ran outside it, or took no part."""

    @property
    def plan(self) -> dict[str, Any]:
        """Who played what, as JSON knows it: the seed, the players, the openings. A copy: nothing changes."""
        return deepcopy(dict(self._plan))

    @property
    def format(self) -> Format:
        """`match`, `gauntlet` or `round robin`."""
        return cast(Format, self._plan["format"])

    @property
    def pairings(self) -> Sequence[Any]:
        """Who meets whom, as two places in `entrants` each."""
        return cast("Sequence[Any]", self.plan["pairings"])

    @property
    def players(self) -> tuple[PlayerResult, ...]:
        """The test players of a gauntlet; all entrants of other formats."""
        return tuple(self.entrants[each] for each in self.tested)

    @property
    def opponents(self) -> tuple[PlayerResult, ...]:
        """The roster of a gauntlet; nobody in other formats."""
        return tuple(each for index, each in enumerate(self.entrants) if index not in self.tested)

    @property
    def games(self) -> int:
        """How many games count."""
        return sum(each.games for each in self.entrants) // 2

    @property
    def is_complete(self) -> bool:
        """Whether all of the plan was played."""
        return self.openings == self.planned_openings

    @property
    def is_decided(self) -> bool:
        """Whether a sequential test has decided, which ends a tournament before its plan does."""
        return any(each.result.decision is not None for each in self.sequential)

    @property
    def has_submissions(self) -> bool:
        """Whether files of other people took part."""
        return any(each["type"] == SubmissionEntrant.__name__ for each in self.plan["entrants"])

    @property
    def broken(self) -> tuple[PlayerResult, ...]:
        """Those that lost three games by their own fault."""
        return tuple(each for each in self.entrants if each.is_broken)

    def player(self, name: str) -> PlayerResult:
        """The test player of that name."""
        for each in self.players:
            if each.name == name:
                return each
        raise InvalidArgumentError(unknown_word("player", name, [each.name for each in self.players]))

    def ranking(self) -> tuple[PlayerResult, ...]:
        """The players, best rate first; those with the same rate in the order of the plan."""
        return tuple(
            sorted(self.players, key=lambda each: -1.0 if each.rate is None else each.rate, reverse=True)
        )

    def to_dict(self) -> dict[str, Any]:
        """All that there is to say, as JSON knows it: numbers without a value are null."""
        return {
            "schema": SCHEMA,
            "plan": self.plan,
            "openings": self.openings,
            "complete": self.is_complete,
            "games": self.games,
            "reproducible": self.reproducible,
            "jail": self._jail_described(),
            "players": [each.to_dict() for each in self.players],
            "opponents": [each.to_dict(with_scores=False) for each in self.opponents],
            "ranking": [each.name for each in self.ranking()],
            "sequential": [each.to_dict() for each in self.sequential],
        }

    def _jail_described(self) -> dict[str, Any] | None:
        if not self.has_submissions:
            return None
        limits = None if self.limits is None else asdict(self.limits)
        level = None if self.jail is None else self.jail.to_dict()
        return {"used": limits is not None, "limits": limits, "level": level}

    def to_json(self) -> str:
        """The same bytes for the same plan, whoever played it."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    def to_csv(self) -> str:
        """A line for each player and opponent, and one for each player and all of several."""
        from isolation_fast.output.tables import table_text
        from isolation_fast.tournament.tables import DATA_HEADERS, data_rows

        return table_text("csv", DATA_HEADERS, data_rows(self), {}) + "\n"

    def to_dataframe(self) -> Any:
        """The lines of `to_csv` as a data frame, where pandas is installed."""
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise ImportError(
                "to_dataframe() needs pandas, which is not installed: pip install pandas"
            ) from error
        from isolation_fast.tournament.tables import DATA_HEADERS, data_rows

        return pandas.DataFrame(data_rows(self), columns=list(DATA_HEADERS))

    def classic_table(self) -> str:
        """The table that the course's `tournament.py` prints."""
        from isolation_fast.tournament.tables import classic_table

        return classic_table(self)

    def __str__(self) -> str:
        from isolation_fast.tournament.tables import table_with_notes

        return table_with_notes(self)


def merge(
    plan: Plan,
    results: Iterable[ChunkResult],
    *,
    partial: bool = False,
    openings: int | None = None,
    sequential: Sequence[SequentialOutcome] = (),
) -> TournamentResult:
    """What the chunks of a plan come to, in whatever order they are given.

    All chunks must be there, but for those of players that were broken before. With `partial=True` some may
    be missing, and what counts are the openings, from the first one on, that were played by all. `openings`
    leaves it at the first ones, as where a sequential test decided.
    """
    tally = Tally(plan)
    for each in results:
        tally.add(each)
    enough = openings is not None and openings <= tally.openings
    if not (partial or enough or tally.is_complete):
        missing = tally.missing()
        listed = ", ".join(map(str, missing[:5])) + (", ..." if len(missing) > 5 else "")
        raise InvalidArgumentError(
            f"{len(missing)} of {plan.chunk_count} chunks are missing ({listed}): "
            "partial=True counts what is there"
        )
    return result_of(tally, openings=openings, sequential=sequential)


def result_of(
    tally: Tally, *, openings: int | None = None, sequential: Sequence[SequentialOutcome] = ()
) -> TournamentResult:
    """What a tally comes to so far; the arguments are those of `merge`."""
    plan, counted = tally.plan, tally.counted(openings)
    return TournamentResult(
        _plan_of_result(plan),
        tuple(_player_result(plan, counted, each) for each in range(len(plan.entrants))),
        plan.tested,
        counted.openings,
        len(plan.openings),
        counted.reproducible,
        tuple(sequential),
        counted.jail,
        plan.jail,
    )


def _plan_of_result(plan: Plan) -> dict[str, object]:
    """The plan, without what makes no difference to the results."""
    described = plan.described()
    del described["record"]
    # It stands apart: who behaves plays the same games in the jail and outside it.
    del described["jail"]
    if plan.is_native:
        # Where Python plays, the cut decides which games share a process.
        del described["openings_per_chunk"]
    return described


def _player_result(plan: Plan, counted: Counted, entrant: int) -> PlayerResult:
    names = [each.name for each in plan.entrants]
    scores = []
    for pairing, outcomes in zip(plan.pairings, counted.outcomes, strict=True):
        if entrant in (pairing.first, pairing.second):
            is_first = entrant == pairing.first
            other = pairing.second if is_first else pairing.first
            scores.append(_score(names[other], outcomes, is_first, other in counted.broken))
    faults = tuple(
        FaultyGame(names[each.opponent], each.opening, each.is_player_1, each.ending, each.detail)
        for each in counted.strikes
        if each.entrant == entrant
    )
    return PlayerResult(
        names[entrant], tuple(scores), counted.searched[entrant], faults, entrant in counted.broken
    )


def _score(opponent: str, outcomes: bytes, is_first: bool, opponent_broken: bool) -> Score:
    """One player's side of the outcomes of a pairing. A million of them are a matter of milliseconds."""
    games, won = len(outcomes) - outcomes.count(NOT_PLAYED), outcomes.count(WON)
    paired = games - games % 2
    # An outcome is a byte that is 0 or 1, so adding two numbers of many bytes adds all pairs at once.
    sides = (int.from_bytes(outcomes[side:paired:2], "big") for side in (0, 1))
    pair_wins = sum(sides).to_bytes(paired // 2, "big")
    if not is_first:
        won, pair_wins = games - won, pair_wins.translate(TURNED)
    return Score(opponent, games, won, pair_wins, opponent_broken)
