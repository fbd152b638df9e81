"""The leaderboard of a class: the best heuristic of each submission plays that of each other.

```text
 RESULTS/leaderboard/
   index.html  leaderboard.csv  leaderboard.json    for students: pseudonyms alone
   staff.html  staff.csv  staff.json                for staff: the names too
   state/games.jsonl                                the games, from which it goes on
```

The games are a round robin, with the search, the budget and the jail that the class was graded
with. What is kept of them is a journal. A submission that is new, or has changed, is another player of the
plan: the games of all other pairs are carried over from the journal of the plan before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from isolation_fast import InvalidArgumentError, JournalError
from isolation_fast.jail import Limits, content_digest, read_heuristics
from isolation_fast.output import LineFile
from isolation_fast.programs import Program, digest_of_program
from isolation_fast.statistics import EloDifference, Interval, gauntlet
from isolation_fast.submission import NotCopiedError, SubmissionError, digest_of
from isolation_fast.tournament import (
    Entrant,
    PlayerResult,
    Progress,
    RoundRobin,
    Run,
    SubmissionEntrant,
    TournamentResult,
    carry_over,
    entrant,
    parse_budget,
)
from isolation_grader.classes.facts import LEADERBOARD, ClassFacts, Facts, read_facts
from isolation_grader.classes.remembered import SCHEMA as CLASS_SCHEMA
from isolation_grader.classes.tables import csv_text
from isolation_grader.exceptions import UsageError
from isolation_grader.options import write_whole

SCHEMA: Final = "isolation-grader/leaderboard/1"
GAMES: Final = 20
"""Of each pair: ten openings from both sides, which one process plays."""
AGAIN: Final = "isolation-grade class FOLDER --out RESULTS --resume grades it"
ANEW: Final = "the same options go on; to play all games anew, remove that folder, or name another: --out"
WITHOUT_VERDICT: Final = "not graded"
CHANGED: Final = "its file has changed since it was graded"
BROKEN: Final = "it lost three games by its own fault"
TRAITS: Final = (
    "amber", "azure", "bold", "brisk", "calm", "clever", "coral", "crimson", "daring", "eager",
    "fleet", "gentle", "golden", "hidden", "indigo", "ivory", "jolly", "keen", "lively", "lucky",
    "mellow", "merry", "noble", "olive", "patient", "quiet", "rapid", "silver", "steady", "sunny",
    "violet", "witty",
)  # fmt: skip
ANIMALS: Final = (
    "badger", "beaver", "bison", "crane", "dolphin", "eagle", "falcon", "ferret", "finch", "gecko",
    "heron", "ibex", "jackal", "koala", "lemur", "lynx", "marten", "newt", "ocelot", "otter", "owl",
    "panda", "puffin", "quail", "raven", "seal", "stork", "swift", "tapir", "toad", "walrus",
    "wombat",
)  # fmt: skip
NUMBERS: Final = 1000
LEAST_VARIANCE: Final = 1e-6
"""Of the difference of two players on an opening: against many opponents it is small."""


@dataclass(frozen=True, slots=True)
class Place:
    """One submission on the leaderboard."""

    place: int | None
    """Those with the same rate share one; None for a submission that is out."""
    pseudonym: str
    key: str
    name: str
    heuristic: str
    digest: str
    """Of the submission that played."""
    games: int
    won: int
    rate: float | None
    interval: Interval | None
    elo: EloDifference | None
    """Above the average of its opponents."""
    equal: tuple[int, int] | None = None
    """The places from the first to the last that its games do not tell it from; None for one that is out."""
    why_out: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard: who is on it, the best first, and who is not."""

    places: tuple[Place, ...]
    left_out: tuple[tuple[str, str], ...]
    """The names of submissions that do not play, each with the reason, for staff."""
    budget: str
    games_of_a_pair: int
    games: int
    reproducible: bool

    def to_dict(self, *, for_staff: bool) -> dict[str, Any]:
        """For JSON; without names unless it is for staff."""
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "budget": self.budget,
            "games_of_a_pair": self.games_of_a_pair,
            "games": self.games,
            "places": [_row(each, for_staff=for_staff) for each in self.places],
        }
        if for_staff:
            left = [{"name": name, "why": why} for name, why in self.left_out]
            document |= {"reproducible": self.reproducible, "left_out": left}
        return document

    def to_csv(self, *, for_staff: bool) -> str:
        """A row for each; without names unless it is for staff."""
        rows = [_row(each, for_staff=for_staff) for each in self.places]
        return csv_text([list(rows[0]), *(list(row.values()) for row in rows)])


def _row(place: Place, *, for_staff: bool) -> dict[str, Any]:
    names = ("key", "name", "heuristic", "digest") if for_staff else ()
    interval, elo = place.interval, place.elo
    return {
        "place": place.place,
        "equal_from": place.equal and place.equal[0],
        "equal_to": place.equal and place.equal[1],
        "pseudonym": place.pseudonym,
        **{each: getattr(place, each) for each in names},
        "games": place.games,
        "won": place.won,
        "rate": place.rate,
        "low": interval and interval.low,
        "high": interval and interval.high,
        "elo": elo and elo.value,
        "elo_low": elo and elo.low,
        "elo_high": elo and elo.high,
        "out": place.why_out or None,
    }


class BoardRun:
    """One run of a leaderboard. It closes its files at the end of a `with`.

    Its result is the same for any workers, and whether its games were played at once, night by night, or
    after an interruption.
    """

    def __init__(
        self,
        results: Path,
        out: Path | None = None,
        *,
        games: int = GAMES,
        workers: int | None = None,
        executor: Any = None,
    ) -> None:
        self.out = out or results / LEADERBOARD
        asked = _asked(results)
        self._facts = read_facts(results)
        self._seed, self.budget = int(asked["seed"]), asked["budget"]
        self._playing, self.left_out = _sorted_out(self._facts)
        if len(self._playing) < 2:
            found = f"{len(self._playing)} of {len(self._facts.submissions)} submissions can play"
            raise UsageError(f"a leaderboard has at least two players: {found}", AGAIN)
        entrants = {_called(each): _entrant(each, asked) for each in self._playing}
        try:
            self._plan = RoundRobin(
                entrants,
                games=games,
                seed=_drawn(self._seed, "openings"),
                budget=parse_budget(self.budget),
                limits=Limits(**asked["limits"]),
                nan=asked["nan"],
            ).plan()
        except InvalidArgumentError as error:
            raise UsageError(str(error)) from error
        self._games_of_a_pair = games
        journal = self.out / "state" / "games.jsonl"
        with ExitStack() as opened:
            try:
                journal.parent.mkdir(parents=True, exist_ok=True)
                _lock(opened, journal.with_name("lock"))
                carry_over(journal, self._plan)
                self._run = opened.enter_context(
                    Run(self._plan, workers=workers, executor=executor, journal=journal, resume=True)
                )
            except OSError as error:
                problem = f"the leaderboard cannot be written: {self.out}: {error.strerror}"
                raise UsageError(problem) from error
            except JournalError as error:
                raise UsageError(str(error), ANEW) from error
            except InvalidArgumentError as error:
                raise UsageError(str(error)) from error
            self._files = opened.pop_all()

    def __enter__(self) -> BoardRun:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._files.close()

    @property
    def players(self) -> int:
        """How many submissions play."""
        return len(self._playing)

    @property
    def planned_games(self) -> int:
        """How many games there are, if all are played."""
        return self._plan.games

    @property
    def kept_games(self) -> int:
        """How many of them were played before."""
        return self._run.resumed_games

    @property
    def games(self) -> int:
        """How many of them are played by now."""
        return self._run.games

    def play(self, progress: Callable[[Progress], object] | None = None) -> Board:
        """Play what is missing. Ctrl-C raises a KeyboardInterrupt; what is finished is kept."""
        result = self._run.play(progress)
        names = pseudonyms([each.key for each in self._playing], self._seed)
        return Board(
            tuple(_places(result, self._playing, names)),
            self.left_out,
            self.budget,
            self._games_of_a_pair,
            result.games,
            result.reproducible,
        )

    def write(self, board: Board, pages: Callable[[Board, bool], str]) -> None:
        """Write the tables, and the pages that `pages` makes: for staff, and for students."""
        for for_staff, table, page in ((False, "leaderboard", "index"), (True, "staff", "staff")):
            document = json.dumps(board.to_dict(for_staff=for_staff), indent=2, allow_nan=False) + "\n"
            write_whole(self.out / f"{table}.json", document)
            write_whole(self.out / f"{table}.csv", board.to_csv(for_staff=for_staff))
            write_whole(self.out / f"{page}.html", pages(board, for_staff))


def pseudonyms(keys: Sequence[str], seed: int) -> dict[str, str]:
    """Another name for each, which only the seed leads back from.

    >>> pseudonyms(["lovelace-ada", "hopper-grace"], 4815162342)
    {'hopper-grace': 'crimson-badger-884', 'lovelace-ada': 'rapid-crane-870'}
    """
    found: dict[str, str] = {}
    for key in sorted(keys):
        drawn = _drawn(seed, f"pseudonym\0{key}")
        while True:
            rest, number = divmod(drawn, NUMBERS)
            rest, animal = divmod(rest, len(ANIMALS))
            name = f"{TRAITS[rest % len(TRAITS)]}-{ANIMALS[animal]}-{number:03}"
            if name not in found.values():
                break
            drawn += 1
        found[key] = name
    return found


def _lock(opened: ExitStack, path: Path) -> None:
    """Refuse a second run: one would carry over what the other writes."""
    try:
        opened.enter_context(LineFile(path, resume=True))
    except JournalError as error:
        raise UsageError(f"another run plays this leaderboard: {error}", "wait for its end") from error


def _drawn(seed: int, what: str) -> int:
    return int.from_bytes(sha256(f"leaderboard\0{seed}\0{what}".encode()).digest()[:8], "big")


def _asked(results: Path) -> dict[str, Any]:
    """What was asked of all when the class was graded."""
    journal = results / "state" / "journal.jsonl"
    try:
        with journal.open("rb") as file:
            header = json.loads(file.readline())
        if header["schema"] != CLASS_SCHEMA:
            raise ValueError(f"its schema is {header['schema']!r}")
        asked: dict[str, Any] = header["asked"]
        missing = [each for each in ("seed", "budget", "limits", "nan", "players") if each not in asked]
        if missing:
            raise ValueError(f"it lacks {', '.join(missing)}")
    except OSError as error:
        raise UsageError(f"{results} has no graded class: {journal}: {error.strerror}", AGAIN) from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise UsageError(f"{journal} is no journal of a class: {error!r}", AGAIN) from error
    return asked


def _sorted_out(facts: ClassFacts) -> tuple[tuple[Facts, ...], tuple[tuple[str, str], ...]]:
    """Who plays, in an order that does not depend on others, and who does not."""
    playing, left = [], []
    for each in facts.submissions:
        why = _why_not(each)
        if why:
            left.append((each.name, why))
        else:
            playing.append(each)
    return tuple(sorted(playing, key=_called)), tuple(left)


def _why_not(facts: Facts) -> str:
    if facts.best is None or facts.best.verdict == WITHOUT_VERDICT:
        return facts.not_graded_since or WITHOUT_VERDICT
    if facts.file is None:
        return f"its file is not known: {AGAIN}"
    try:
        return "" if content_digest(facts.file) == facts.digest else f"{CHANGED}: {AGAIN}"
    except (OSError, NotCopiedError, SubmissionError) as error:
        return f"its file cannot be read: {error}"


def _called(facts: Facts) -> str:
    """Its name in the games, another one for other content: with it come its pairs and their chance."""
    return f"{facts.key}-{facts.digest[:16]}"


def _entrant(facts: Facts, asked: dict[str, Any]) -> Entrant:
    """Counted if it was when it was graded, else in the jail."""
    assert facts.best is not None
    assert facts.file is not None
    budget, value_work = None if asked["players"] else parse_budget(asked["budget"]), asked.get("value_work")
    if budget is not None and facts.best.program is not None:
        [program] = read_heuristics(facts.file, [facts.best.name]).values()
        if isinstance(program, Program) and digest_of_program(program) == facts.best.program:
            return entrant(program, default_budget=budget, name=_called(facts), value_work=value_work)
    file, name = facts.file.absolute(), facts.best.name
    digest = digest_of(file)
    return SubmissionEntrant(_called(facts), str(file), name, digest, budget, value_work=value_work)


def _places(result: TournamentResult, playing: Sequence[Facts], names: dict[str, str]) -> Iterator[Place]:
    """The best first; those that are out come last."""
    facts = {_called(each): each for each in playing}

    def rank(player: PlayerResult) -> tuple[bool, float, str]:
        # Of the same rate in the order of what all may see.
        return player.is_broken, -(player.rate or 0.0), names[facts[player.name].key]

    ranked = sorted(result.entrants, key=rank)
    in_it = [each.rate or 0.0 for each in ranked if not each.is_broken]
    place_of = {
        each.name: 1 + sum(other > (each.rate or 0.0) for other in in_it)
        for each in ranked
        if not each.is_broken
    }
    equal = dict(_equal([each for each in ranked if not each.is_broken], place_of))
    for each in ranked:
        own = facts[each.name]
        assert own.best is not None
        yield Place(
            place_of.get(each.name),
            names[own.key],
            own.key,
            own.name,
            own.best.name,
            own.digest,
            each.games,
            each.won,
            each.rate,
            each.interval,
            each.elo,
            equal.get(each.name),
            BROKEN if each.is_broken else "",
        )


def _equal(players: Sequence[PlayerResult], places: dict[str, int]) -> Iterator[tuple[str, tuple[int, int]]]:
    """For each the first and the last place of those that its games do not tell it from."""
    means = {each.name: each.block_means for each in players}
    for name in means:
        alike = [places[other] for other in means if other == name or _are_equal(means[name], means[other])]
        yield name, (min(alike), max(alike))


def _are_equal(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether the 95 % interval of a difference, opening by opening, holds 0."""
    apart = [(1 + mine - theirs) / 2 for mine, theirs in zip(one, other, strict=False)]
    return not apart or 0.5 in gauntlet(apart, variance_floor=LEAST_VARIANCE).interval
