"""Processes of `multiprocessing` that begin anew (spawn, forkserver) find our modules as their parent does.

A forked process has all that its parent has. One that begins anew imports the script once more, and would
find whatever `isolation` lies there: a game between processes would be one between two boards.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from isolation_fast.classic.installing import serve
from isolation_fast.classic.layouts import Layout

__all__ = ["serve_in_children"]

SPAWN = "multiprocessing.spawn"


def serve_in_children(layout: Layout, *, keep_local: bool) -> None:
    """Have every process that this one starts from now on serve our modules before it does anything else."""
    serving = _Serving(layout, keep_local)
    spawn = sys.modules.get(SPAWN)
    if spawn is None:
        # Most scripts never import it, and it imports much.
        sys.meta_path.insert(0, _Awaiting(serving))
    else:
        serving.goes_with(spawn)


class _Serving:
    """Something that serves our modules where it is unpickled."""

    def __init__(self, layout: Layout, keep_local: bool) -> None:
        self.settings = (layout, keep_local)

    def __reduce__(self) -> tuple[Any, ...]:
        return _begin, self.settings

    def goes_with(self, spawn: Any) -> None:
        """Be among what a new process is told.

        `multiprocessing` offers no hook. What it tells a new process begins with a dictionary, of which that
        one reads the keys that it knows: here is one more.
        """
        preparation_data = spawn.get_preparation_data

        def with_our_modules(name: str) -> dict[str, Any]:
            data = preparation_data(name)
            if sys._getframe(1).f_globals.get("__name__") == "multiprocessing.forkserver":
                # The server is not told in that way, so it must not import the script ahead for its children.
                return {key: value for key, value in data.items() if not key.startswith("init_main")}
            return {**data, "isolation_fast": self}

        spawn.get_preparation_data = with_our_modules


def _begin(layout: Layout, keep_local: bool) -> None:
    serve(layout, keep_local=keep_local, keep_word=None, for_good=True)
    serve_in_children(layout, keep_local=keep_local)


class _Awaiting(MetaPathFinder):
    """Waits for the module by which new processes are started; as a finder it learns of each import."""

    def __init__(self, serving: _Serving) -> None:
        self.serving = serving

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find what would be found anyway, and have ours follow when it is loaded."""
        if name != SPAWN:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def load_and_follow(module: ModuleType) -> None:
            load(module)
            self.serving.goes_with(module)

        spec.loader.exec_module = load_and_follow  # type: ignore[method-assign]
        return spec
