"""Processes of `multiprocessing` that begin anew (spawn, forkserver) find our modules as their parent does.

A forked process has all that its parent has. One that begins anew imports the script once more, and would
find whatever `isolation` lies there: a game between processes would be one between two boards.
"""

from __future__ import annotations

import sys
from multiprocessing import spawn
from typing import Any

from isolation_fast.classic.installing import serve
from isolation_fast.classic.layouts import Layout

__all__ = ["serve_in_children"]


def serve_in_children(layout: Layout, *, keep_local: bool) -> None:
    """Have every process that this one starts from now on serve our modules before it does anything else.

    `multiprocessing` offers no hook. What a new process is told begins with a dictionary, of which it reads
    the keys that it knows: one value more, and to read that value is to serve.
    """
    preparation_data = spawn.get_preparation_data

    def with_our_modules(name: str) -> dict[str, Any]:
        data = preparation_data(name)
        if sys._getframe(1).f_globals.get("__name__") == "multiprocessing.forkserver":
            # The server is not told in that way, so it must not import the script ahead for its children.
            return {key: value for key, value in data.items() if not key.startswith("init_main")}
        return {**data, "isolation_fast": _Serving(layout, keep_local)}

    spawn.get_preparation_data = with_our_modules


class _Serving:
    """Something that serves our modules where it is unpickled."""

    def __init__(self, layout: Layout, keep_local: bool) -> None:
        self.settings = (layout, keep_local)

    def __reduce__(self) -> tuple[Any, ...]:
        return _begin, self.settings


def _begin(layout: Layout, keep_local: bool) -> None:
    serve(layout, keep_local=keep_local, keep_word=None, for_good=True)
    serve_in_children(layout, keep_local=keep_local)
