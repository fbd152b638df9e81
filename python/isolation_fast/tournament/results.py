"""The result of a tournament: frozen, and the same wherever and in whatever order its games were played."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any, Final, cast

from isolation_fast import statistics
from isolation_fast.endings import GameEnding
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.jail import Level, Limits
from isolation_fast.output import table_text
from isolation_fast.playing.entrants import SubmissionEntrant
from isolation_fast.playing.outcomes import NOT_PLAYED, WON, ChunkResult
from isolation_fast.statistics import EloDifference, GauntletRate, HeadToHead, Interval
from isolation_fast.text import unknown_word
from isolation_fast.tournament.plan import Format, Plan
from isolation_fast.tournament.sequential import SequentialOutcome, SequentialWatch, Sprt
from isolation_fast.tournament.tables import (
    classic_table,
    data_headers,
    data_rows,
    notes,
    table,
    thrown_table,
)
from isolation_fast.tournament.tally import Counted, Searched, Tally
from isolation_fast.tournament.thrown import ThrownWins, cells_of

SCHEMA: Final = "isolation-fast/tournament/1"
"""What the JSON of a result begins with. Another number is another meaning of the fields."""

_COUNTS: Final = ("games", "won", "lost", "rate")
# From the wins of one player in each pair to those of the other.
TURNED: Final = bytes([2, 1, 0]).ljust(256, b"\0")


@dataclass(frozen=True, slots=True)
class FaultyGame:
    """A game that a player lost in another way than by having no move left."""

    opponent: str
    opening: int
    is_player_1: bool
    ending: GameEnding
    detail: str

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.ending}: {self.detail}" if self.detail else self.ending


@dataclass(frozen=True)
class Score:
    """One player against one other.

    >>> score = Score("Random", games=6, won=4, pair_wins=bytes([2, 1, 1]))
    >>> score.lost, score.head_to_head.one_each
    (2, 2)
    >>> print(score)
    4 of 6 against Random: 66.7 %, 0.0 to 100.0 % (95 %)
    """

    opponent: str
    games: int
    won: int
    pair_wins: bytes = field(repr=False)
    """A byte for each opening played from both sides: how many of the two games the player won."""
    opponent_broken: bool = False
    """Whether the opponent had three strikes, so that not all openings were played against it."""
    thrown: ThrownWins | None = None
    """The won positions thrown away in these games; None where the plan did not ask for it."""

    @property
    def lost(self) -> int:
        """How many games were lost."""
        return self.games - self.won

    @property
    def rate(self) -> float | None:
        """The share of games won; None if there are none."""
        return self.won / self.games if self.games else None

    @cached_property
    def head_to_head(self) -> HeadToHead | None:
        """Interval, Elo and likelihood of superiority by the pairs; None without a pair."""
        if not self.pair_wins:
            return None
        lost_both, one_each, won_both = (self.pair_wins.count(number) for number in range(3))
        return statistics.head_to_head(lost_both, one_each, won_both)

    @property
    def interval(self) -> Interval | None:
        """The confidence interval of the rate, by the pairs."""
        return self.head_to_head.interval if self.head_to_head else None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        pairs = self.head_to_head
        thrown = {} if self.thrown is None else {"thrown": self.thrown.to_dict()}
        return {
            **{name: getattr(self, name) for name in ("opponent", *_COUNTS)},
            "interval": _fields(self.interval),
            "pairs": [self.pair_wins.count(number) for number in range(3)],
            "elo": _fields(pairs and pairs.elo),
            "superiority": pairs and pairs.superiority,
            **thrown,
        }

    def __str__(self) -> str:
        if self.rate is None:
            return f"no games against {self.opponent}"
        interval = f", {self.interval.in_percent()}" if self.interval else ""
        return f"{self.won} of {self.games} against {self.opponent}: {100 * self.rate:.1f} %{interval}"


@dataclass(frozen=True)
class PlayerResult:
    """One player against all its opponents.

    >>> scores = (Score("Random", 4, 4, bytes([2, 2])), Score("MM_Open", 4, 1, bytes([0, 1])))
    >>> player = PlayerResult("AB_Custom", scores, Searched(nodes=1000, turns=50))
    >>> player.rate, player.block_means, player.endings
    (0.625, [0.5, 0.75], {'no moves': 3})
    >>> print(player)
    AB_Custom won 5 of 8: 62.5 %, 0.0 to 100.0 % (95 %)
    """

    name: str
    scores: tuple[Score, ...]
    """Against each opponent, in the order of the plan."""
    searched: Searched | None = None
    """Positions and moves; None if some of its games do not count."""
    faults: tuple[FaultyGame, ...] = ()
    """The games that it lost by its own fault."""
    is_broken: bool = False
    """Whether there were three of these: the rest of its games was not played then."""
    thrown: ThrownWins | None = None
    """The won positions that it threw away in all its games; None where the plan did not ask for it."""

    @property
    def games(self) -> int:
        """How many games it played that count."""
        return sum(each.games for each in self.scores)

    @property
    def won(self) -> int:
        """How many of them it won."""
        return sum(each.won for each in self.scores)

    @property
    def lost(self) -> int:
        """How many of them it lost."""
        return self.games - self.won

    @property
    def rate(self) -> float | None:
        """The share of games won, of those that were played; None if there are none."""
        return self.won / self.games if self.games else None

    @property
    def nans(self) -> int:
        """How often its heuristic returned NaN; 0 where some of its games do not count."""
        return 0 if self.searched is None else self.searched.nans

    @property
    def endings(self) -> Mapping[GameEnding, int]:
        """How it lost, and how often."""
        faults = Counter(each.ending for each in self.faults)
        return {"no moves": self.lost - len(self.faults), **faults}

    @cached_property
    def block_means(self) -> list[float]:
        """The share of games won in each complete block: one opening, all opponents, both sides.

        In the order of the plan. A block is complete without the opponents that are broken by then.
        """
        pairs = [each.pair_wins for each in self.scores]
        if not pairs:
            return []
        to_the_end = [len(each.pair_wins) for each in self.scores if not each.opponent_broken]
        last = min(to_the_end, default=max(map(len, pairs)))
        common, games = min(map(len, pairs)), 2 * len(pairs)
        means = [sum(wins) / games for wins in zip(*(each[:common] for each in pairs), strict=True)]
        for opening in range(common, last):
            played = [each[opening] for each in pairs if opening < len(each)]
            means.append(sum(played) / (2 * len(played)))
        return means

    @cached_property
    def blocks(self) -> GauntletRate | None:
        """The rate over complete blocks; None without a block, or with one opponent alone."""
        several = len(self.scores) > 1
        return statistics.gauntlet(self.block_means) if several and self.block_means else None

    @property
    def interval(self) -> Interval | None:
        """The confidence interval of its rate: by pairs against one opponent, by blocks against several."""
        rated = self.scores[0] if len(self.scores) == 1 else self.blocks
        return rated.interval if rated else None

    @property
    def elo(self) -> EloDifference | None:
        """Its rate as Elo points above the average of its opponents; None if there is no interval."""
        if len(self.scores) == 1:
            return self.scores[0].head_to_head.elo if self.scores[0].head_to_head else None
        return EloDifference.of(self.blocks.rate, self.blocks.interval) if self.blocks else None

    def to_dict(self, *, with_scores: bool = True) -> dict[str, Any]:
        """For JSON: a number without a value is None."""
        found = {
            **{name: getattr(self, name) for name in ("name", *_COUNTS)},
            "endings": dict(self.endings),
            "nodes": self.searched and self.searched.nodes,
            "turns": self.searched and self.searched.turns,
            "broken": self.is_broken,
            "faults": [each.to_dict() for each in self.faults],
        }
        if self.nans:
            found["nans"] = self.nans
        if self.searched and self.searched.paid:
            found["paid"] = self.searched.paid
        if self.thrown is not None:
            found["thrown"] = self.thrown.to_dict()
        if not with_scores:
            return found
        return {
            **found,
            "interval": _fields(self.interval),
            "elo": _fields(self.elo),
            "blocks": _fields(self.blocks, ("blocks", "rate", "variance", "standard_error")),
            "opponents": [each.to_dict() for each in self.scores],
        }

    def __str__(self) -> str:
        if self.rate is None:
            return f"{self.name} played no game"
        interval = f", {self.interval.in_percent()}" if self.interval else ""
        broken = f"; broken: {self.faults[-1]}" if self.is_broken else ""
        return f"{self.name} won {self.won} of {self.games}: {100 * self.rate:.1f} %{interval}{broken}"


@dataclass(frozen=True)
class TournamentResult:
    """The result of a tournament, or what counts of it so far: it does not depend on where it was played.

    >>> from isolation_fast.tournament import Gauntlet
    >>> plan = Gauntlet(["AB_Custom=Random"], ["Random"], games=6).plan()
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
    """All players, in the order of the plan."""
    tested: tuple[int, ...]
    """The indices of those that were tested: all but the opponents of a gauntlet."""
    openings: int
    """How many openings count: those that all played, from both sides."""
    planned_openings: int
    reproducible: bool
    """Whether playing it again gives the same: False where a clock decided something."""
    sequential: tuple[SequentialOutcome, ...] = ()
    jail: Level | None = None
    """What the jail enforced throughout; None where no submission was in one."""
    limits: Limits | None = None
    """The limits of submissions in the jail; None where they ran outside it, or none took part."""

    @property
    def plan(self) -> dict[str, Any]:
        """The plan for JSON, as a copy: the seed, the players, the openings."""
        return deepcopy(dict(self._plan))

    @property
    def format(self) -> Format:
        """`match`, `gauntlet` or `round robin`."""
        return cast(Format, self._plan["format"])

    @property
    def pairings(self) -> Sequence[Any]:
        """Who meets whom: two indices of `entrants` each."""
        return cast("Sequence[Any]", self.plan["pairings"])

    @property
    def players(self) -> tuple[PlayerResult, ...]:
        """The test players of a gauntlet; all entrants of other formats."""
        return tuple(self.entrants[each] for each in self.tested)

    @property
    def opponents(self) -> tuple[PlayerResult, ...]:
        """The roster of a gauntlet; empty in other formats."""
        return tuple(each for index, each in enumerate(self.entrants) if index not in self.tested)

    @property
    def thrown(self) -> ThrownWins | None:
        """Won positions thrown away, of the first player; None where the plan did not ask for them."""
        return self.players[0].thrown

    @property
    def games(self) -> int:
        """How many games count."""
        return sum(each.games for each in self.entrants) // 2

    @property
    def is_complete(self) -> bool:
        """Whether the whole plan was played."""
        return self.openings == self.planned_openings

    @property
    def is_decided(self) -> bool:
        """Whether a sequential test has decided, which ends a tournament before its plan does."""
        return any(each.result.decision is not None for each in self.sequential)

    @property
    def has_submissions(self) -> bool:
        """Whether code of files of other people was run."""
        return any(each["type"] == SubmissionEntrant.__name__ for each in self.plan["entrants"])

    @property
    def broken(self) -> tuple[PlayerResult, ...]:
        """The players that lost three games by their own fault."""
        return tuple(each for each in self.entrants if each.is_broken)

    def player(self, name: str) -> PlayerResult:
        """The test player of that name."""
        players = {each.name: each for each in self.players}
        if name not in players:
            raise InvalidArgumentError(unknown_word("player", name, [*players]))
        return players[name]

    def ranking(self) -> tuple[PlayerResult, ...]:
        """The players, best rate first; those with the same rate in the order of the plan."""
        return tuple(sorted(self.players, key=lambda each: 1.0 if each.rate is None else -each.rate))

    def to_dict(self) -> dict[str, Any]:
        """For JSON: numbers without a value are null."""
        limits = _fields(self.limits)
        jail = {"used": limits is not None, "limits": limits, "level": self.jail and self.jail.to_dict()}
        return {
            "schema": SCHEMA,
            "plan": self.plan,
            "openings": self.openings,
            "complete": self.is_complete,
            "games": self.games,
            "reproducible": self.reproducible,
            "jail": jail if self.has_submissions else None,
            "players": [each.to_dict() for each in self.players],
            "opponents": [each.to_dict(with_scores=False) for each in self.opponents],
            "ranking": [each.name for each in self.ranking()],
            "sequential": [each.to_dict() for each in self.sequential],
        }

    def to_json(self) -> str:
        """The JSON text: the same bytes for the same plan, wherever it was played."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    def to_csv(self) -> str:
        """A line for each player and opponent, and one for each player against all of several."""
        return table_text("csv", data_headers(self), data_rows(self), {}) + "\n"

    def to_dataframe(self) -> Any:
        """The lines of `to_csv` as a data frame; needs pandas."""
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise ImportError(
                "to_dataframe() needs pandas, which is not installed: pip install pandas"
            ) from error
        return pandas.DataFrame(data_rows(self), columns=list(data_headers(self)))

    def classic_table(self) -> str:
        """The table that the course's `tournament.py` prints."""
        return classic_table(self)

    def __str__(self) -> str:
        thrown = [] if self.thrown is None else ["", table_text("simple", *thrown_table(self), {})]
        return "\n".join([table_text("simple", *table(self), {}), *thrown, "", *notes(self)])


def merge(
    plan: Plan,
    results: Iterable[ChunkResult],
    *,
    partial: bool = False,
    openings: int | None = None,
    sequential: Sequence[SequentialOutcome] = (),
    sprt: Sprt | None = None,
) -> TournamentResult:
    """Make the result of a plan from its chunks, given in any order.

    All chunks must be there, except those of players that were broken before. With `partial=True` some may be
    missing: then the openings count that all played, up to the first that is missing. `openings` counts only
    the first ones, as where a sequential test has decided; with `sprt` those count that this test needs.
    """
    tally = Tally(plan)
    for each in results:
        tally.add(each)
    if sprt is not None:
        watch = SequentialWatch(plan, sprt)
        watch.look(tally)
        openings, sequential = watch.ended_after, [watch.outcome]
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
    """The result of a tally so far; the arguments are those of `merge`."""
    plan, counted = tally.plan, tally.counted(openings)
    # The jail stands apart: a player without faults plays the same games in it and outside it. With Python
    # players the cut decides which games share a process.
    no_difference = ("record", "jail", "openings_per_chunk") if plan.is_native else ("record", "jail")
    return TournamentResult(
        {name: value for name, value in plan.described().items() if name not in no_difference},
        tuple(_player_result(plan, counted, each) for each in range(len(plan.entrants))),
        plan.tested,
        counted.openings,
        len(plan.openings),
        counted.reproducible,
        tuple(sequential),
        counted.jail,
        plan.jail,
    )


def _player_result(plan: Plan, counted: Counted, entrant: int) -> PlayerResult:
    names = [each.name for each in plan.entrants]
    scores, numbers = [], []
    for number, (pairing, outcomes) in enumerate(zip(plan.pairings, counted.outcomes, strict=True)):
        if entrant in (pairing.first, pairing.second):
            is_first = entrant == pairing.first
            other = pairing.second if is_first else pairing.first
            thrown = _thrown(plan, counted, {number: is_first})
            scores.append(_score(names[other], outcomes, is_first, other in counted.broken, thrown))
            numbers.append((number, is_first))
    faults = tuple(
        FaultyGame(names[each.opponent], each.opening, each.is_player_1, each.ending, each.detail)
        for each in counted.strikes
        if each.entrant == entrant
    )
    thrown, is_broken = _thrown(plan, counted, dict(numbers)), entrant in counted.broken
    return PlayerResult(names[entrant], tuple(scores), counted.searched[entrant], faults, is_broken, thrown)


def _thrown(plan: Plan, counted: Counted, pairings: Mapping[int, bool]) -> ThrownWins | None:
    """What a player threw away in pairings, each with whether the player is its first entrant."""
    if counted.judged is None:
        return None
    return ThrownWins.of(
        [counted.judged[each] for each in pairings], list(pairings.values()), cells_of(plan.openings[0])
    )


def _score(
    opponent: str, outcomes: bytes, is_first: bool, opponent_broken: bool, thrown: ThrownWins | None
) -> Score:
    """One player's side of the outcomes of a pairing: milliseconds for a million of them."""
    games, won = len(outcomes) - outcomes.count(NOT_PLAYED), outcomes.count(WON)
    paired = games - games % 2
    # An outcome is a byte that is 0 or 1, so adding two numbers of many bytes adds all pairs at once.
    sides = (int.from_bytes(outcomes[side:paired:2], "big") for side in (0, 1))
    pair_wins = sum(sides).to_bytes(paired // 2, "big")
    if not is_first:
        won, pair_wins = games - won, pair_wins.translate(TURNED)
    return Score(opponent, games, won, pair_wins, opponent_broken, thrown)


def _fields(value: Any, names: Collection[str] | None = None) -> dict[str, Any] | None:
    """The fields of a frozen result, all or those in `names`; None for None."""
    if value is None:
        return None
    return {name: content for name, content in asdict(value).items() if names is None or name in names}
