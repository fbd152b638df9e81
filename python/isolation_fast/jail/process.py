"""One submission in a process without rights, as its referee sees it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Final, Literal, TypeVar

from isolation_fast import _native
from isolation_fast._native import Program
from isolation_fast.budgets import Budget
from isolation_fast.compiled import Refusal
from isolation_fast.endings import Fault
from isolation_fast.exceptions import InvalidBudgetError, JailError
from isolation_fast.jail.copies import Copy, private_copy
from isolation_fast.jail.pool import Pool, shared_pool, survives_its_nursery
from isolation_fast.numbers import Nan, integer, number
from isolation_fast.process import Child, Frame, FrameError, Kind, Output
from isolation_fast.process.frames import Message
from isolation_fast.reports import Move, SearchReport
from isolation_fast.searching import Mode
from isolation_fast.submission import NotCopiedError, Outline, located
from isolation_fast.submission.reading import read
from isolation_fast.text import named_from
from isolation_fast.worker import messages
from isolation_fast.worker.policy import NOBODY, Level, available

# To import what a submission names, and to be locked: nothing of the submission runs meanwhile.
LOCK_SECONDS: Final = 60.0
# More than a chunk of games has. What it may use in all is a backstop, should its referee not look any more.
MOST_TURNS: Final = 1000

LONGEST: Final = 86_400
"""Seconds of CPU time: a day. More is a slip, and far from what the system can be told."""
LARGEST_FACTOR: Final = 1000
LEAST_MEMORY: Final = 256
"""MiB of address space: what Python and we need before anything of a submission is there, and some more."""
MOST_MEMORY: Final = 2**20
MOST_OUTPUT: Final = 2**30

_Found = TypeVar("_Found", bound=Message)


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of CPU time, with a backstop of wall time, and memory.

    >>> Limits(move_cpu=2.0).wall(2.0)
    8.0
    """

    load_cpu: float = 10.0
    """Seconds of CPU time to load the submission."""
    move_cpu: float = 5.0
    """Seconds of CPU time for a move."""
    wall_factor: float = 4.0
    """So many times as long it may take by the wall clock, which other processes slow down."""
    memory: int = 2048
    """MiB of address space."""
    output: int = 64 * 1024
    """Bytes of what it prints that are kept, of stdout and of stderr each."""

    def __post_init__(self) -> None:
        for name, most in (("load_cpu", LONGEST), ("move_cpu", LONGEST), ("wall_factor", LARGEST_FACTOR)):
            object.__setattr__(self, name, number(name, getattr(self, name), above=0, most=most))
        integer("memory in MiB", self.memory, LEAST_MEMORY, MOST_MEMORY)
        integer("output in bytes", self.output, 0, MOST_OUTPUT)

    def wall(self, cpu_seconds: float) -> float:
        """The seconds by the wall clock after which it is ended."""
        return self.wall_factor * cpu_seconds


@dataclass(frozen=True, slots=True)
class Assignment:
    """Which submission a process is for: its file, and which heuristic or player of it, where that is known.

    `digest` is the SHA-256 of the file, where it must still be the one that was looked at before.
    """

    file: Path
    member: str | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A move as it came, legal or not; of a search, what it reports; and the CPU time it took."""

    move: Move
    report: SearchReport | None
    cpu_seconds: float
    asked: int = 0
    """What was asked of boards since the search before, in nanoseconds of the price list."""
    paid: int = 0
    """What was paid of its work besides its nodes, in nanoseconds of the reference machine."""


class JailedProcess:
    """Used as a context, at the end of which the process is gone, and all that was made for it.

    What is asked of it ends by an answer or by a `Fault`. Where the fault had to end the process, or the
    process ended, `is_alive` is False, and whatever is asked afterwards raises that fault again.

        with JailedProcess.start(Assignment(Path("game_agent.py"), "custom_score")) as process:
            process.load(stream=1)
            process.begin_game(opening, stream=2, order_bits=3, side=0)
            answer = process.search([], board.to_text(), Budget(nodes=2000))
    """

    level: Level
    """What is enforced in it."""

    def __init__(
        self,
        process: Child,
        limits: Limits,
        interrupted: Callable[[], bool] | None,
        file: Path,
        folder: Path,
    ) -> None:
        """It is made by `start`."""
        self.limits = limits
        self._process, self._interrupted = process, interrupted
        self._file, self._folder = file, folder
        self._cpu_before, self._closing = 0.0, ExitStack()
        self._key = os.urandom(messages.KEY_BYTES)
        self._is_loaded = False
        process.output_limit = limits.output

    @classmethod
    def start(
        cls,
        assignment: Assignment,
        limits: Limits | None = None,
        *,
        pool: Pool | None = None,
        interrupted: Callable[[], bool] | None = None,
    ) -> JailedProcess:
        """A process for a submission: its files copied, its rights taken away, nothing of it loaded yet.

        While it is waited for, `interrupted` is asked now and then; where that is True, a KeyboardInterrupt
        is raised, and the process is ended. A `JailError` where there is no jail.
        """
        if available().name == "none":
            raise JailError("there is no jail on this system: it takes Linux with Landlock or seccomp")
        limits = limits or Limits()
        with ExitStack() as closing:
            try:
                copy = closing.enter_context(private_copy(assignment.file, assignment.digest, interrupted))
            except NotCopiedError as error:
                raise Fault("not loaded", str(error)) from error
            process = (pool or shared_pool()).take(interrupted)
            closing.callback(process.close)
            self = cls(process, limits, interrupted, assignment.file, copy.folder)
            self._lock(assignment, copy)
            self._closing = closing.pop_all()
        return self

    def outline(self) -> Outline:
        """What the submission's source says that it holds: it is parsed, and nothing of it is run.

        A file that Python does not read is a `SubmissionError`.
        """
        return self._ask(messages.OutlineAsked(), messages.Outlined, self.limits.load_cpu)[0].of_file(
            self._file
        )

    def read(self, name: str, told: str | None = None) -> Program | Refusal:
        """The program of a heuristic, read from the text, or why it has none.

        `told` is what `ask_constants` gives of the names that the refusal has as `unread`. It is asked before
        the submission is loaded, which could answer itself then.
        """
        if self._is_loaded:
            raise JailError("the heuristics of a submission are read before it is loaded")
        answer = self._ask(messages.ReadingAsked(name, told), messages.ReadAnswer, self.limits.load_cpu)[0]
        if answer.parts is None:
            place, why = (answer.line, 0, answer.construct), answer.why
            return Refusal(*place, why, filename=answer.file, unread=answer.unread)
        try:
            functions, integers, floats, data, lines = messages.unpacked(answer.parts)
            functions = [(*map(tuple, counts), list(map(tuple, code))) for *counts, code in functions]
            return Program(functions, integers, floats, data, lines=lines)
        except (FrameError, TypeError, ValueError, OverflowError) as error:
            raise self._process.break_off(f"sent no program: {error}") from None

    def constants(self, names: Sequence[str]) -> str:
        """What these constants are in the submission, which is loaded and says so itself: a packed text."""
        return self._ask(messages.ConstantsAsked(tuple(names)), messages.ConstantsGiven)[0].told

    def evaluate(self, member: str, positions: Sequence[str]) -> tuple[str, ...]:
        """What a heuristic that is loaded returns for the player to move in each position.

        `float.hex` of a number, or the name of what it raises. It says so itself.
        """
        asked = messages.Evaluate(member, tuple(positions))
        values = self._ask(asked, messages.ValuesGiven)[0].values
        if len(values) != len(positions):
            raise self._process.break_off(f"sent {len(values)} values for {len(positions)} positions")
        return values

    def load(self, stream: int) -> messages.Loaded:
        """Load the submission, while what it draws comes from that stream."""
        self._is_loaded = True
        return self._ask(messages.Load(stream), messages.Loaded, self.limits.load_cpu)[0]

    def begin_game(self, opening: str, stream: int, order_bits: int, side: Literal[0, 1]) -> None:
        """Make a board for a game, in which the submission is `player_1` (0) or `player_2` (1)."""
        self._ask(messages.Game(opening, stream, order_bits, side), messages.Done)

    def search(
        self,
        moves: Sequence[Move],
        position: str,
        budget: Budget,
        mode: Mode = "plain",
        cpu_limit: float | None = None,
        nan: Nan = "course",
        scale: float = 1.0,
        value_work: int | None = None,
    ) -> Answer:
        """What our search finds with the submission's heuristic.

        `moves` are those made since its last turn, and `position` is what they have led to. Work is spent as
        the search goes, `scale` nanoseconds of the reference machine for each of CPU time. One value may take
        as much as `value_work` nodes with `improved`.
        """
        if budget.cost is not None:
            raise InvalidBudgetError(f"a jailed process spends its work, and takes no cost: {budget!r}")
        limits = budget.depth, budget.nodes, budget.ms, mode, nan, budget.work
        asked = messages.SearchAsked(tuple(moves), position, *limits, scale, value_work)
        return self._answer(asked, cpu_limit, searched=True)

    def move(self, moves: Sequence[Move], limit_ms: float, cpu_limit: float | None = None) -> Answer:
        """What the submission's own player answers; `moves` are those made since its last turn.

        `time_left` counts down from `limit_ms`, or stands still where that is 0.
        """
        return self._answer(messages.MoveAsked(tuple(moves), limit_ms), cpu_limit, searched=False)

    def call(self, call: messages.Call, cpu_limit: float | None = None) -> messages.Called:
        """What a method of one of the submission's players, or a heuristic, returned, and what it counted.

        It was loaded without a member: an instance is made for each call. What it counted, it says itself.
        """
        return self._ask(call, messages.Called, cpu_limit)[0]

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked again."""
        return self._process.is_alive

    @property
    def cpu_seconds(self) -> float:
        """The CPU time that it has used since it was locked, read from outside."""
        return self._process.cpu_seconds - self._cpu_before

    @property
    def cpu_seconds_read(self) -> float:
        """The same as it was read last: at its last answer, or at its end."""
        return self._process.cpu_seconds_read - self._cpu_before

    @property
    def output(self) -> Output:
        """What it has printed so far; where its copy lies, which differs each time, is not in it."""
        # A character for each byte, whatever they mean.
        kept, folder = self._process.output, os.fsencode(self._folder).decode("latin-1")
        stdout, stderr = (
            named_from(each.decode("latin-1"), folder).encode("latin-1")
            for each in (kept.stdout, kept.stderr)
        )
        return Output(stdout, stderr, kept.dropped)

    def close(self) -> None:
        """End it, with all that it has started, and remove its copy. May be called again."""
        self._closing.close()

    def __enter__(self) -> JailedProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lock(self, assignment: Assignment, copy: Copy) -> None:
        """Nothing of the submission has run, so what goes wrong here is no fault of it."""
        assign = messages.Assign(
            path=str(copy.file),
            member=assignment.member,
            modules=copy.modules,
            memory=self.limits.memory,
            cpu=ceil(self.limits.load_cpu + MOST_TURNS * self.limits.move_cpu),
            user=NOBODY if os.geteuid() == 0 else None,
            parent=self._process.parent,
        )
        try:
            self.level = self._ask(assign, messages.Locked, LOCK_SECONDS)[0].level
            self._ask(messages.KeyGiven(self._key), messages.Done, LOCK_SECONDS)
        except Fault as fault:
            # It refuses to be locked without its parent, whose end is another error.
            _ = self._process.status
            last = self.output.last_line or fault.detail
            raise JailError(f"a process could not be locked: {last}") from fault
        self._cpu_before = self._process.cpu_seconds

    def _answer(self, asked: Message, cpu_limit: float | None, *, searched: bool) -> Answer:
        moved, seconds = self._ask(asked, messages.Moved, cpu_limit)
        if (moved.report is not None) is not searched:
            raise self._process.break_off("sent a move of another kind than was asked for")
        return Answer(moved.move, moved.report, seconds, moved.asked, moved.paid)

    def _require_signed(self, moved: messages.Moved, asked: bytes, answer: Frame) -> None:
        """A `FrameError` where a submission wrote the answer, which has no key."""
        untagged = answer.content[: -messages.TAG_BYTES]
        if moved.tag != _native.answer_tag(self._key, answer.number, asked, untagged):
            raise FrameError("what it reports is no search of ours")

    def _ask(
        self, asked: Message, wanted: type[_Found], cpu_limit: float | None = None
    ) -> tuple[_Found, float]:
        """What came, made of its content by `wanted`, and the CPU time it took; or the fault."""
        cpu = self.limits.move_cpu if cpu_limit is None else cpu_limit
        wall, interrupted = self.limits.wall(cpu), self._interrupted
        content = asked.content()
        answer, seconds = self._process.ask(asked.kind, content, wanted.kind, cpu, wall, interrupted)
        try:
            if answer.kind is not Kind.FAULT:
                found = wanted.of(answer.content)
                if isinstance(found, messages.Moved) and found.report is not None:
                    self._require_signed(found, content, answer)
                return found, seconds
            told = messages.Faulted.of(answer.content)
        except FrameError as error:
            raise self._process.break_off(str(error)) from None
        raise Fault(told.ending, told.detail, trace=told.trace)


@survives_its_nursery
def outline(path: str | os.PathLike[str], limits: Limits | None = None) -> Outline:
    """What `submission.parse` says of a submission, found out in the jail: nothing is run, nor parsed here.

    A file that Python does not read is a `SubmissionError`, as there. One that cannot be parsed within the
    limits of loading, or that brings the parser down, is a `Fault`. A `JailError` where there is no jail.

    >>> from isolation_fast.jail import outline
    >>> outline("examples").heuristics
    ('custom_score', 'custom_score_2', 'custom_score_3')
    """
    file = located(Path(path))
    with JailedProcess.start(Assignment(file), limits) as process:
        return process.outline()


@survives_its_nursery
def read_heuristics(
    path: str | os.PathLike[str], names: Sequence[str] = (), limits: Limits | None = None
) -> dict[str, Program | Refusal]:
    """The programs of heuristics, by default of all that the source shows, or why there is none.

    They are read from the text, in a locked process where there is a jail. Nothing of it is run, nor parsed
    here. Its errors are those of `outline`.

    >>> from isolation_fast.jail import read_heuristics
    >>> sorted(read_heuristics("examples"))
    ['custom_score', 'custom_score_2', 'custom_score_3']
    """
    file = located(Path(path))
    if available().name == "none":
        return read(file, names or None)
    with JailedProcess.start(Assignment(file), limits) as process:
        return {name: process.read(name) for name in names or process.outline().heuristics}


def ask_constants(
    assignment: Assignment,
    wanted: Mapping[str, Sequence[str]],
    limits: Limits | None = None,
    interrupted: Callable[[], bool] | None = None,
) -> dict[str, str]:
    """For each key the constants that it wants, as an import tells them, if two imports agree.

    The submission is imported in two locked processes, with different hashes of texts and different random
    numbers. What they say is for `JailedProcess.read` of another one.
    """
    told: list[dict[str, str]] = []
    with Pool(hash_seed=1) as other:
        for stream, pool in enumerate((shared_pool(), other)):
            with JailedProcess.start(assignment, limits, pool=pool, interrupted=interrupted) as process:
                process.load(stream)
                told.append({key: process.constants(names) for key, names in wanted.items()})
    first, second = told
    return {key: text for key, text in first.items() if second[key] == text}
