"""A zip as its referee sees it: names and contents come from a locked process that can open nothing.

Where there is no jail it is read here: nothing in it is run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Final, TypeAlias, TypeVar

from isolation_fast.endings import Fault
from isolation_fast.jail.pool import Pool, shared_pool
from isolation_fast.process import Child, FrameError, Kind
from isolation_fast.process.frames import Message
from isolation_fast.submission import NotCopiedError
from isolation_fast.worker import messages
from isolation_fast.worker.policy import NOBODY, available
from isolation_fast.worker.zips import ContentAsked, EntriesAsked, Listed, Part, Unpack, Zip, ZipError

MEMORY: Final = 1024
"""MiB of address space, of which what it was forked from takes a half."""
CPU_SECONDS: Final = 10.0
"""For one answer: the list, or a part of a file."""
WALL_SECONDS: Final = 60.0
ALL_SECONDS: Final = 600
"""Of CPU time for the whole zip."""
UNREADABLE: Final = "it is no zip that can be read"

Interrupted: TypeAlias = Callable[[], bool] | None
_Found = TypeVar("_Found", bound=Message)


class Archive:
    """A zip that is open as a file; a `NotCopiedError` where it cannot be read. Used as a context.

    A process that one entry ends is replaced for the next one.
    """

    def __init__(
        self, descriptor: int, most: int, *, pool: Pool | None = None, interrupted: Interrupted = None
    ) -> None:
        """With more than `most` entries it is refused."""
        self._descriptor, self._most, self._interrupted = descriptor, most, interrupted
        self._pool, self._stack = pool, ExitStack()
        self._child: Child | None = None
        self._read: Zip | None = None
        try:
            self.entries = tuple(self._entries())
        except BaseException:
            self.close()
            raise

    def parts(self, number: int) -> Iterator[bytes]:
        """The content of an entry, in pieces; a `NotCopiedError` where it cannot be had."""
        try:
            if self._read is not None:
                yield from self._read.parts(number)
                return
            while True:
                part = self._ask(ContentAsked(number), Part).content_part
                if not part:
                    return
                yield part
        except ZipError as error:
            raise NotCopiedError(str(error)) from error

    def close(self) -> None:
        """End its process."""
        self._child = None
        self._stack.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _entries(self) -> Iterator[tuple[str, str]]:
        """The name of each entry, and what is wrong with it."""
        if available().name == "none":
            try:
                file = self._stack.enter_context(os.fdopen(os.dup(self._descriptor), "rb"))
                self._read = Zip(file, self._most)
            except ZipError as error:
                raise NotCopiedError(str(error)) from error
            yield from ((each.name, each.problem) for each in self._read.entries)
            return
        count = 0
        while True:
            listed = self._ask(EntriesAsked(count), Listed)
            if not listed.names:
                return
            count += len(listed.names)
            if count > self._most:
                raise NotCopiedError(f"it has more than {self._most:,} files")
            yield from zip(listed.names, listed.problems, strict=True)

    def _ask(self, asked: Message, wanted: type[_Found]) -> _Found:
        """Its answer; a `NotCopiedError` where it has none, whatever has become of the process."""
        try:
            if self._child is None:
                self._child = self._started()
            return self._answer(self._child, asked, wanted)
        except Fault as fault:
            raise NotCopiedError(f"{UNREADABLE}: {fault.detail}") from fault
        finally:
            if self._child is not None and not self._child.is_alive:
                self.close()

    def _started(self) -> Child:
        child = self._stack.enter_context(
            (self._pool or shared_pool()).take(self._interrupted, self._descriptor)
        )
        user = NOBODY if os.geteuid() == 0 else None
        asked = Unpack(most=self._most, memory=MEMORY, cpu=ALL_SECONDS, user=user, parent=child.parent)
        self._answer(child, asked, messages.Done)
        return child

    def _answer(self, child: Child, asked: Message, wanted: type[_Found]) -> _Found:
        frame = child.ask(
            asked.kind, asked.content(), wanted.kind, CPU_SECONDS, WALL_SECONDS, self._interrupted
        ).frame
        try:
            if frame.kind is Kind.FAULT:
                raise NotCopiedError(messages.Faulted.of(frame.content).detail)
            return wanted.of(frame.content)
        except FrameError as error:
            raise child.break_off(str(error)) from None
