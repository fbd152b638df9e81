"""The games of a submission: planned, played until they have decided, and what its processes used in them."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, Final, TypeAlias

from isolation_fast import Budget, JournalError
from isolation_fast.jail import Assignment, Fault, JailedProcess, Limits, Output, survives_its_nursery
from isolation_fast.numbers import Nan
from isolation_fast.output import LineFile
from isolation_fast.programs import Program
from isolation_fast.statistics import SequentialResult, difference_to_baseline
from isolation_fast.submission import digest_of
from isolation_fast.tournament import (
    Chunk,
    Entrant,
    GameRecord,
    Gauntlet,
    Plan,
    Run,
    Sprt,
    SubmissionEntrant,
    TournamentResult,
    Use,
    entrant,
    read_records,
)
from isolation_grader.counted import preferred
from isolation_grader.exceptions import OutOfTimeError, UsageError
from isolation_grader.lost_games import LostGame, own_moves
from isolation_grader.options import Deadline, GradingOptions, Terms
from isolation_grader.report import Baseline, CostUsed, Grading, MemberTimings, Printed, Verdict

VERDICTS: dict[str | None, Verdict] = {"H1": "better", "H0": "not better", None: "undecided"}

NUMBERS = ("entrant", "moves", "cpu_seconds", "longest")
"""Of a `Use`, before its output and its tracebacks."""

MOST_ASKED: Final = 60
"""Losing moves at which a heuristic is asked what it prefers."""

Traces: TypeAlias = dict[tuple[str, str, int, int], str]
"""By the names of both players, the index of the opening, and which player the first was, from 0."""


def planned(
    file: Path,
    members: Mapping[str, Budget | None],
    opponents: str | Sequence[str],
    *,
    games: int,
    seed: int,
    budget: Budget,
    limits: Limits | None,
    digest: str | None = None,
    nan: Nan = "course",
    exact: bool = False,
    program: Program | None = None,
    value_work: int | None = None,
) -> Plan:
    """The games of members of a submission, each game with its record.

    `members` gives the budget of our search around a heuristic, None for a player. `budget` is that of the
    opponents. `limits` hold in the jail; None plays without one. With a `program`, that plays in their place.
    One value of a heuristic may take `value_work`.
    """
    digest = digest or digest_of(file)
    entrants: dict[str, Entrant] = {
        name: SubmissionEntrant(name, str(file.absolute()), name, digest, own, value_work=value_work)
        if program is None
        else entrant(program, default_budget=own or budget, name=name, value_work=value_work)
        for name, own in members.items()
    }
    return Gauntlet(
        entrants,
        opponents if isinstance(opponents, str) else list(opponents),
        games=games,
        seed=seed,
        budget=budget,
        record=True,
        jail=limits is not None,
        limits=limits,
        nan=nan,
        exact=exact,
    ).plan()


@dataclass(frozen=True, slots=True)
class Rules:
    """What is the same for all heuristics of a submission."""

    options: GradingOptions
    file: Path
    file_digest: str
    terms: Terms
    """Of each test."""
    limits: Limits | None
    """In the jail; None without one."""
    deadline: Deadline


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a trial."""

    grading: Grading
    lost: tuple[LostGame, ...]
    """Each lost game that the test read, in the order of the plan."""
    nans: int
    """How often the heuristic returned NaN in the games that the test read."""
    printed: Printed
    reproducible: bool
    moves: MemberTimings | None
    early_ends: float = 0.0
    """The share of its turns whose search ended before depth 1."""


class Trial:
    """A sequential test over the blocks of one member against the roster."""

    def __init__(
        self,
        rules: Rules,
        baseline: Baseline,
        member: str,
        program: Program | None = None,
    ) -> None:
        self._rules, self._baseline, self._member = rules, baseline, member
        self._program = program
        self._plan = self._planned()
        self._sprt = sequential_test(rules.terms, baseline.rate.rate, baseline.rate.standard_error)
        self._uses = UseLog()
        self._journal: Path | None = None
        journal = rules.options.journal
        if journal is not None:
            described = json.dumps([self._plan.described(), repr(self._sprt)], sort_keys=True)
            self._journal = journal / f"{member}-{sha256(described.encode()).hexdigest()[:12]}.jsonl"

    @property
    def games(self) -> int:
        """How many games there are at most."""
        return self._plan.games

    def run(self, on_block: Callable[[int, Grading], object]) -> Tried:
        """Play; after each block, call `on_block` with the number of games and what they say so far."""
        try:
            return self._run(on_block)
        except JournalError as error:
            raise UsageError(str(error), "continue it with --resume, or name another folder") from error

    def _run(self, on_block: Callable[[int, Grading], object]) -> Tried:
        blocks, options = 0, self._rules.options
        with TemporaryDirectory(prefix="isolation-grader-") as folder:
            records = Path(folder) / "games.jsonl"
            with (
                self._uses,
                Run(
                    self._plan,
                    workers=options.workers,
                    journal=self._journal,
                    resume=options.resume,
                    sprt=self._sprt,
                    records=records,
                    on_use=self._uses.add,
                ) as running,
            ):
                if self._journal is not None:
                    # Once the journal beside it has agreed to begin anew, or to be resumed.
                    self._uses.keep(self._journal.with_suffix(".uses.jsonl"), resume=options.resume)

                def look(_: object) -> None:
                    nonlocal blocks
                    result = running.result()
                    if result.openings > blocks:
                        blocks = result.openings
                        on_block(running.games, self._grading(result))

                result = running.play(look, until=self._rules.deadline.at)
            read = self._read(result)
            # Those beyond the test are many, and nobody looks into them.
            counted = list(takewhile(lambda each: each.opening < read, read_records(records)))
        lost = tuple(self._lost(result, counted))
        nans = sum(record.nans[record.side] for record in counted)
        uses = [use for chunk in self._counted(result) for use in self._uses.of(chunk)]
        kept = self._rules.limits.output if self._rules.limits else 0
        return Tried(
            self._with_cost(self._grading(result), counted),
            lost,
            nans,
            printed_of(uses, kept),
            result.reproducible,
            timings_of(self._member, uses) if uses else None,
            _early_ends(counted),
        )

    def _planned(self) -> Plan:
        rules, options = self._rules, self._rules.options
        return planned(
            rules.file,
            {self._member: None if options.players else options.budget},
            options.roster,
            games=2 * rules.terms.most_blocks,
            seed=options.seed,
            budget=options.budget,
            limits=rules.limits,
            digest=rules.file_digest,
            nan=options.nan,
            exact=options.exact,
            program=self._program,
            value_work=options.value_work,
        )

    def _read(self, result: TournamentResult) -> int:
        """How many openings the test read, or would have."""
        (outcome,) = result.sequential
        test = outcome.result
        is_over = test.decision is not None or test.count >= self._rules.terms.blocks
        return test.count if is_over else result.openings

    def _grading(self, result: TournamentResult) -> Grading:
        player, base = result.player(self._member), self._baseline.rate
        (outcome,) = result.sequential
        test: SequentialResult = outcome.result
        means = () if player.is_broken else player.block_means
        return Grading(
            verdict="not graded" if player.is_broken else VERDICTS[test.decision],
            terms=self._rules.terms,
            result=player,
            test=test,
            difference=difference_to_baseline(
                means, baseline_rate=base.rate, baseline_error=base.standard_error
            )
            if means
            else None,
        )

    def _with_cost(self, grading: Grading, records: Iterable[GameRecord]) -> Grading:
        """With what a node took in the turns that were ended by the budget."""
        work = self._rules.options.budget.work
        if work is None or self._rules.options.players:
            return grading
        found = ((record.nodes[at], record.reasons[at]) for record in records for at in own_moves(record))
        nodes = [nodes for nodes, reason in found if nodes is not None and reason == "nodes"]
        return replace(grading, cost=CostUsed.of(work, nodes, counted=self._program is not None))

    def _counted(self, result: TournamentResult) -> Iterator[Chunk]:
        """The chunks of which any game counts: others were played before the test had decided."""
        games = [each.games for each in result.player(self._member).scores]
        for chunk in self._plan.chunks():
            if 2 * chunk.first_opening < games[chunk.pairing]:
                yield chunk

    def _lost(self, result: TournamentResult, records: Iterable[GameRecord]) -> Iterator[LostGame]:
        traces: Traces = {}
        for chunk in self._counted(result):
            traces |= traces_of(self._plan, chunk, self._uses.of(chunk))
        for record in records:
            if record.winner - 1 != record.side:
                opponent = record.players[1 - record.side]
                trace = traces.get((self._member, opponent, record.opening, record.side), "")
                yield LostGame(opponent, record, trace=tuple(trace.splitlines()))


@survives_its_nursery
def with_preferred(
    lost: Sequence[LostGame], rules: Rules, member: str, program: Program | None
) -> tuple[LostGame, ...]:
    """The games, with the move that the heuristic alone values highest where a win was thrown away.

    Without a program it is asked in the jail, of the first of them. It is not asked where there is no jail,
    after its first fault, and when the time of the grading is over.
    """
    found = list(lost)
    asked = [place for place, game in enumerate(lost) if game.losing is not None][:MOST_ASKED]
    if program is not None:
        return tuple(_preferring(game, program) for game in lost)
    if rules.limits is None or rules.options.players or not asked:
        return tuple(found)
    assignment = Assignment(rules.file, member, rules.file_digest)
    with (
        suppress(Fault, OutOfTimeError),
        JailedProcess.start(assignment, rules.limits, interrupted=rules.deadline) as process,
    ):
        process.load(stream=0)
        for place in asked:
            game, losing = lost[place], lost[place].losing
            if losing is None or rules.deadline.is_over:
                break
            board = next(islice(game.record.boards(), losing.number - 1, None))
            text = board.to_text()
            process.begin_game(text, stream=0, order_bits=0, side=game.record.side)
            move = process.search((), text, Budget(depth=1), nan=rules.options.nan).move
            if move in board.get_legal_moves():
                found[place] = replace(game, losing=replace(losing, preferred=move))
    return tuple(found)


def _preferring(game: LostGame, program: Program) -> LostGame:
    if game.losing is None:
        return game
    board = next(islice(game.record.boards(), game.losing.number - 1, None))
    return replace(game, losing=replace(game.losing, preferred=preferred(program, board)))


def _early_ends(records: Sequence[GameRecord]) -> float:
    """The share of its turns, in these games, whose search ended before depth 1."""
    depths = [each.depths[index] for each in records for index in own_moves(each)]
    return sum(depth == 0 for depth in depths) / max(1, len(depths))


def sequential_test(terms: Terms, h0: float, error: float) -> Sprt:
    """What is asked of the games, where the baseline's rate is `h0` with this standard error."""
    h1 = h0 + terms.points / 100
    if h1 >= 1.0:
        raise UsageError(
            f"the baseline wins {100 * h0:.1f} % of its games here, and no heuristic can be "
            f"{terms.points:g} points better",
            "ask for fewer points: --points",
        )
    return Sprt(
        h0,
        h1,
        terms.alpha,
        terms.beta,
        baseline_error=error,
        most=terms.blocks,
        margin=terms.precision / 100 or None,
    )


class UseLog:
    """Keeps the uses of each chunk, in a file too where a run may be interrupted and resumed.

    >>> from isolation_fast.tournament import Gauntlet
    >>> log, chunk = UseLog(), next(Gauntlet(["AB:null@depth=1"], games=2).plan().chunks())
    >>> log.add(chunk, Use(0, 20, 0.5, 0.1, Output(b"hello")))
    >>> [use.moves for use in log.of(chunk)]
    [20]
    """

    def __init__(self) -> None:
        self._file: LineFile | None = None
        self._lock = Lock()
        self._uses: dict[int, list[Use]] = {}
        self._begun: set[int] = set()

    def __enter__(self) -> UseLog:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def keep(self, path: Path, *, resume: bool) -> None:
        """Keep the uses in this file from now on, after those that it has where a run is resumed."""
        if not resume:
            path.unlink(missing_ok=True)
        self._file = LineFile(path, resume=True)
        for _, line in self._file.lines():
            with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
                entry = json.loads(line)  # one that was torn is of a chunk that is played again
                self._add(int(entry["chunk"]), _use(entry), is_first=bool(entry["first"]))

    def add(self, chunk: Chunk, use: Use) -> None:
        """Add a process of a chunk. A chunk that an earlier run did not finish begins anew."""
        with self._lock:
            is_first = chunk.index not in self._begun
            self._begun.add(chunk.index)
            self._add(chunk.index, use, is_first=is_first)
            if self._file is not None:
                self._file.add(_line(chunk.index, use, is_first))

    def of(self, chunk: Chunk) -> list[Use]:
        """The uses of a chunk, in their order."""
        return self._uses.get(chunk.index, [])

    def _add(self, chunk: int, use: Use, *, is_first: bool) -> None:
        self._uses[chunk] = [use] if is_first else [*self._uses.get(chunk, []), use]


def _line(chunk: int, use: Use, is_first: bool) -> dict[str, Any]:
    return {
        "chunk": chunk,
        "first": is_first,
        **{name: getattr(use, name) for name in NUMBERS},
        "stdout": b64encode(use.output.stdout).decode(),
        "stderr": b64encode(use.output.stderr).decode(),
        "dropped": use.output.dropped,
        "traces": [[*(game or (None, 0)), text] for game, text in use.traces.items()],
    }


def _use(entry: dict[str, Any]) -> Use:
    output = Output(b64decode(entry["stdout"]), b64decode(entry["stderr"]), entry["dropped"])
    traces = {(None if opening is None else (opening, side)): text for opening, side, text in entry["traces"]}
    return Use(**{name: entry[name] for name in NUMBERS}, output=output, traces=traces)


def traces_of(plan: Plan, chunk: Chunk, uses: Iterable[Use]) -> Traces:
    """The traceback of each game: of a chunk played twice the last one, of its loading the same for each."""
    pairing = plan.pairings[chunk.pairing]
    names = plan.entrants[pairing.first].name, plan.entrants[pairing.second].name
    found: Traces = {}
    for use in uses:
        for number, opening in enumerate(chunk.openings, chunk.first_opening):
            for side in (0, 1):
                trace = use.traces.get((opening, side), use.traces.get(None))
                if trace is not None:
                    found[names[0], names[1], number, side] = trace
    return found


def printed_of(uses: Iterable[Use], kept: int) -> Printed:
    """What all processes printed, cut to as much as is kept of one."""
    outputs = [each.output for each in uses]
    stdout, stderr = (b"".join(getattr(each, name) for each in outputs) for name in ("stdout", "stderr"))
    dropped = sum(each.dropped for each in outputs)
    dropped += max(0, len(stdout) - kept) + max(0, len(stderr) - kept)
    return Printed(stdout[:kept], stderr[:kept], dropped)


def timings_of(name: str, uses: Sequence[Use]) -> MemberTimings:
    """Processor time of all moves."""
    longest = max((each.longest for each in uses), default=0.0)
    moves, cpu_seconds = (sum(getattr(each, number) for each in uses) for number in ("moves", "cpu_seconds"))
    return MemberTimings(name, moves, cpu_seconds, longest)
