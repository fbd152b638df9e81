"""Who plays whom: head to head, test players against a roster, each against each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeAlias

from isolation_fast import heuristics, jail
from isolation_fast.budgets import LARGEST_NODES, Budget, cost_text
from isolation_fast.exceptions import InvalidArgumentError, JailError
from isolation_fast.jail import Limits
from isolation_fast.numbers import NANS, Nan, above_zero, integer
from isolation_fast.players.bases import CLASSIC_TIME_LIMIT
from isolation_fast.playing.entrants import Entrant, SubmissionEntrant
from isolation_fast.searching import require_choice
from isolation_fast.text import described, unknown_word
from isolation_fast.tournament.grammar import CLASSIC_PLAYERS, PLAYER_FORMS
from isolation_fast.tournament.openings import Openings, RandomOpenings
from isolation_fast.tournament.plan import Format, Pairing, Plan
from isolation_fast.tournament.resolving import DEFAULT_BUDGET, ROSTERS, Given, checked_budget, entrant
from isolation_fast.tournament.results import TournamentResult
from isolation_fast.tournament.running import run

Players: TypeAlias = Given | Sequence[Given]
"""One player, several, several with names of their own (`{"mine": player}`), or the name of a roster."""

DrawnUp: TypeAlias = tuple[Format, list[Entrant], Sequence[int], Iterable[tuple[int, int]]]
"""The format, who takes part, the indices of those that are tested, and of each pair that meets."""

CLASSIC_SIZE = (7, 7)

EXACT_NODES = 10_000_000
"""Nodes for each position that `exact` solves, by default: no position of 7 by 7 needs more."""


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """What all formats share; make a `Match`, a `Gauntlet` or a `RoundRobin`.

    `games` is the number of games between two players, or of each test player against each opponent. Half as
    many openings are drawn by `seed` on boards of `width` by `height`, and each is played from both sides.
    `openings=` gives the openings instead. `budget` is that of alpha-beta players without one. `time_limit`
    is a turn's time in milliseconds for players that use the clock. `record` keeps every game's moves. `nan`
    says what our searches do where a Python heuristic returns NaN: `"course"` compares it as loops of the
    course do, and counts it; with `"refuse"` the game is lost. `exact` also counts the won positions that
    each player threw away, with at most `exact_nodes` to find out who wins a position. `value_work` is how
    much one value of a heuristic of a file, or of a program, may take, in nodes with `improved`; more loses.

    A heuristic of a file plays as its program where its text gives one and the budget is no time: nothing of
    the file is run. All else of files runs in the jail where this system has one; `jail=False` runs it
    outside, `jail=True` requires a jail. `limits` are the jail's limits.

    Players are copied when the tournament is made. A Python heuristic with a budget of work spends it as its
    searches go: by CPU time, so that its games may differ a little the next time.
    """

    games: int | None = None
    openings: Openings | None = None
    seed: int = 0
    budget: Budget | str = DEFAULT_BUDGET
    width: int = 7
    height: int = 7
    time_limit: float = CLASSIC_TIME_LIMIT
    record: bool = False
    jail: bool | None = None
    limits: Limits | None = None
    nan: Nan = "course"
    exact: bool = False
    exact_nodes: int = EXACT_NODES
    value_work: int | None = None
    _plan: Plan = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.jail is not None and not isinstance(self.jail, bool):
            raise TypeError(f"jail must be True, False or None, not {self.jail!r}")
        if self.limits is not None and not isinstance(self.limits, Limits):
            raise TypeError(f"limits must be Limits(...), not {described(self.limits)}")
        if self.jail is False and self.limits is not None:
            raise InvalidArgumentError("limits= are those of the jail, and jail=False does not use it")
        require_choice("nan", self.nan, NANS)
        if self.value_work is not None:
            integer("value_work", self.value_work, 1, LARGEST_NODES)
        budget = checked_budget(self.budget)
        if budget.cost is not None:
            raise InvalidArgumentError(
                "budget= is for all players, and a cost is that of one heuristic: give it with the player, "
                f"as in 'game_agent.py:custom_score@cost={cost_text(budget.cost)}'"
            )
        kind, entrants, tested, pairings = self._drawn_up(budget)
        if not isinstance(self.record, bool):
            raise TypeError(f"record must be True or False, not {self.record!r}")
        if not isinstance(self.exact, bool):
            raise TypeError(f"exact must be True or False, not {self.exact!r}")
        exact_nodes = integer("exact_nodes", self.exact_nodes, 1, LARGEST_NODES)
        plan = Plan(
            kind,
            tuple(entrants),
            tuple(tested),
            tuple(Pairing(first, second) for first, second in pairings),
            self._chosen_openings(),
            integer("seed", self.seed, error=TypeError),
            above_zero("time_limit in milliseconds", self.time_limit),
            self.record,
            self._chosen_jail(entrants),
            nan=self.nan,
            exact=exact_nodes if self.exact else None,
        )
        # A frozen class sets its own fields this way. Planned at once, so that errors show at once.
        object.__setattr__(self, "_plan", plan)

    def plan(self) -> Plan:
        """Who plays whom from which openings, ready to play."""
        return self._plan

    @property
    def has_submissions(self) -> bool:
        """Whether players of files take part."""
        return self._plan.has_submissions

    def run(self, **options: Any) -> TournamentResult:
        """Play it on all processors; the options are those of `isolation_fast.tournament.run`.

        >>> result = Match("AB_Improved@depth=2", "Random", games=100).run()
        >>> result.player("AB_Improved@depth=2").rate > 0.8
        True
        """
        return run(self.plan(), **options)

    def _drawn_up(self, budget: Budget) -> DrawnUp:
        raise NotImplementedError

    def _entrants(self, given: Players, what: str, budget: Budget) -> list[Entrant]:
        options: Any = {
            "default_budget": budget,
            "jail": self.jail,
            "limits": self.limits,
            "nan": self.nan,
            "value_work": self.value_work,
        }
        made = [entrant(player, name=name, **options) for name, player in _listed(given, what)]
        if not made:
            raise InvalidArgumentError(f"there are no {what}")
        _require_different_names(made, what)
        return made

    def _chosen_jail(self, entrants: Iterable[Entrant]) -> Limits | None:
        """The limits of files in the jail; None where they run outside it or there are none."""
        if self.jail is False or not any(isinstance(each, SubmissionEntrant) for each in entrants):
            return None
        if jail.available().name == "none":
            if self.jail:
                raise JailError("jail=True needs a jail, and this system has none")
            return None
        return self.limits or Limits()

    def _chosen_openings(self) -> Openings:
        if self.openings is None:
            if self.games is None:
                raise InvalidArgumentError(
                    "how many games? Give games=100, or openings= such as AllOpenings() for two games each"
                )
            games = integer("games", self.games, 2)
            if games % 2:
                raise InvalidArgumentError(
                    f"games must be even, as every opening is played from both sides, not {games}"
                )
            return RandomOpenings(games // 2, self.seed, self.width, self.height)
        if self.games is not None or (self.width, self.height) != CLASSIC_SIZE:
            raise InvalidArgumentError(
                "games=, width= and height= are for random openings; openings= has its own number and size"
            )
        if any(not hasattr(self.openings, name) for name in ("__len__", "__getitem__", "described")):
            raise TypeError(
                "openings must be RandomOpenings, BalancedOpenings, AllOpenings, FileOpenings, HookOpenings "
                f"or something like them, not {described(self.openings)}"
            )
        if not len(self.openings):
            raise InvalidArgumentError("there are no openings in openings=")
        return self.openings


@dataclass(frozen=True)
class Match(Tournament):
    """Two players, head to head.

    >>> match = Match("AB:bfs", "AB_Improved", games=100, seed=1)
    >>> plan = match.plan()
    >>> [each.name for each in plan.entrants], plan.games
    (['AB:bfs', 'AB_Improved'], 100)
    """

    a: Given
    b: Given

    def _drawn_up(self, budget: Budget) -> DrawnUp:
        return "match", self._entrants((self.a, self.b), "players", budget), (0, 1), [(0, 1)]


@dataclass(frozen=True)
class Gauntlet(Tournament):
    """Test players, each against every opponent of a roster.

    `roster` is `"classic"`, `"early"`, or any players. A test player may have the name of an opponent.

    >>> gauntlet = Gauntlet(["AB_Improved", "AB:bfs"], roster="classic", games=10)
    >>> gauntlet.plan().games
    140
    >>> Gauntlet({"mine": "AB:blend"}, ["Random", "AB_Open@depth=4"], games=10).plan().entrants[0].name
    'mine'
    """

    test_players: Players
    roster: Players = "classic"

    def _drawn_up(self, budget: Budget) -> DrawnUp:
        tested = self._entrants(self.test_players, "test players", budget)
        opponents = self._entrants(self.roster, "opponents", budget)
        last = len(tested) + len(opponents)
        pairings = [(one, other) for one in range(len(tested)) for other in range(len(tested), last)]
        return "gauntlet", [*tested, *opponents], range(len(tested)), pairings


@dataclass(frozen=True)
class RoundRobin(Tournament):
    """Each player against each other.

    >>> RoundRobin("classic", games=10).plan().games
    210
    """

    players: Players

    def _drawn_up(self, budget: Budget) -> DrawnUp:
        players = self._entrants(self.players, "players", budget)
        if len(players) < 2:
            raise InvalidArgumentError(f"{players[0].name} is alone: a round robin has at least two players")
        numbers = range(len(players))
        return "round robin", players, numbers, combinations(numbers, 2)


def _listed(given: Players, what: str) -> list[tuple[str | None, Given]]:
    """Each player with the name to give it, None where it keeps its own."""
    if isinstance(given, str):
        if given.isidentifier() and given not in (*ROSTERS, *CLASSIC_PLAYERS):
            candidates = (*ROSTERS, *CLASSIC_PLAYERS, *(f"AB:{each}" for each in heuristics.names()))
            raise InvalidArgumentError(
                unknown_word("player or roster", given, (*ROSTERS, *PLAYER_FORMS), candidates)
            )
        return [(None, each) for each in ROSTERS.get(given, (given,))]
    if isinstance(given, Mapping):
        return list(given.items())
    if isinstance(given, Sequence):
        return [(None, each) for each in given]
    if isinstance(given, Set):
        raise TypeError(f"{what} have an order: give a list, not {described(given)}")
    return [(None, given)]


def _require_different_names(entrants: Sequence[Entrant], what: str) -> None:
    names = [each.name for each in entrants]
    for place, each in enumerate(entrants):
        if each.name not in names[:place]:
            continue
        hint = "give one of them another name, as in 'mine=AB_Improved' or {'mine': player}"
        if ".py:" in each.name:
            hint = f"names leave out the folder, so name them, as in 'mine=FOLDER/{each.name}'"
        raise InvalidArgumentError(f"two {what} are called {each.name!r}: {hint}")
