"""Which submission's modules are in `sys.modules`: at any moment those of at most one.

`sys.path`, `sys.modules` and the working directory belong to the whole process. A submission has a turn with
them, and all is put back after it. Threads of one submission share its turn; another submission waits.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Protocol


class Owner(Protocol):
    """What can have a turn with the process."""

    def put_in_place(self) -> None:
        """Change the process to what the submission expects."""

    def take_back(self, before: Process) -> None:
        """Note what the submission made of it, and remove what is its own from `sys.modules`."""


class Process:
    """What one submission changes and the next one must not see."""

    def __init__(self) -> None:
        self.path, self.path_entries = sys.path, list(sys.path)
        self.meta_path, self.finders = sys.meta_path, list(sys.meta_path)
        self.argv, self.arguments = sys.argv, list(sys.argv)
        self.dont_write_bytecode = sys.dont_write_bytecode
        self.modules: dict[str, ModuleType] = dict(sys.modules)
        try:
            self.folder: str | None = os.getcwd()  # noqa: PTH109
        except FileNotFoundError:  # removed meanwhile, so there is nothing to go back to
            self.folder = None

    def restore(self) -> None:
        """Put all back but the modules that were added, which their owner takes back."""
        self.path[:], sys.path = self.path_entries, self.path
        self.meta_path[:], sys.meta_path = self.finders, self.meta_path
        self.argv[:], sys.argv = self.arguments, self.argv
        sys.dont_write_bytecode = self.dont_write_bytecode
        for name, module in self.modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
        if self.folder is not None:
            os.chdir(self.folder)


@dataclass(eq=False)
class _Turn:
    owner: Owner
    before: Process
    threads: Counter[int] = field(default_factory=Counter)


_change = threading.Condition()
# More than one where a submission is loaded while another one is active, in the same thread.
_turns: list[_Turn] = []


def is_active(owner: Owner) -> bool:
    """Whether it is this one's turn."""
    return any(turn.owner is owner for turn in _turns[-1:])


@contextmanager
def activated(owner: Owner) -> Iterator[None]:
    """Give the process to a submission; waits while it is another one's turn in another thread."""
    thread = threading.get_ident()
    with _change:
        _change.wait_for(lambda: not _turns or is_active(owner) or set(_turns[-1].threads) == {thread})
        turn = _turns[-1] if is_active(owner) else _begin(owner)
        turn.threads[thread] += 1
    try:
        yield
    finally:
        with _change:
            turn.threads[thread] -= 1
            turn.threads += Counter()  # drops the threads that are out
            if not turn.threads:
                _end(turn)
            _change.notify_all()


def _begin(owner: Owner) -> _Turn:
    turn = _Turn(owner, Process())
    try:
        owner.put_in_place()
    except BaseException:
        owner.take_back(turn.before)
        turn.before.restore()
        raise
    _turns.append(turn)
    return turn


def _end(turn: _Turn) -> None:
    _turns.remove(turn)
    try:
        turn.owner.take_back(turn.before)
    finally:
        turn.before.restore()
