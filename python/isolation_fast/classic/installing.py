"""Putting our modules where classic code finds them: in this process, and in those that it starts."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any, Final

from isolation_fast._native import Board
from isolation_fast.classic.layouts import Layout, layout_of, module_of, reachable, require_layout, source_of
from isolation_fast.classic.serving import SERVED, ServingFinder, is_served, loaded

MENTIONED: Final = 3
"""How many methods of a folder's own board the line on stderr names."""

SPAWN: Final = "multiprocessing.spawn"


@dataclass
class _Installed:
    """What is in place now, and what `uninstall` has to undo."""

    finder: ServingFinder
    keep_local: bool
    for_good: bool
    evicted: dict[str, ModuleType] = field(default_factory=dict)


_lock = RLock()
_installed: _Installed | None = None


def install(layout: Layout | None = None, *, keep_local: bool = False) -> None:
    """Let `import isolation` and `import sample_players` give our modules, in the whole process.

    Call it before importing the classic code. Without a layout, it is detected from the source of the
    `game_agent.py` in the first folder of `sys.path`, and of what that imports beside it.

    Our modules replace others of these names, beside the script or imported before, and a line on stderr
    says so. With `keep_local`, each of the others is kept. What was imported before keeps what it has. A name
    that only the folder's own `sample_players.py` has is taken from there.

    Calling it again changes only what the arguments ask for. In a script that `isolation-fast run` started it
    does nothing: the command's options hold.

    >>> install("v2")
    >>> from isolation import Board
    >>> from sample_players import RandomPlayer
    >>> winner, history, outcome = Board(RandomPlayer(), RandomPlayer()).play(time_limit=1000)
    >>> outcome
    'illegal move'
    >>> uninstall()
    """
    if layout is not None:
        require_layout(layout)
    with _lock:
        if _installed is not None:
            same = layout in (None, _installed.finder.layout) and keep_local == _installed.keep_local
            if same or _installed.for_good:
                return
            layout = layout or _installed.finder.layout
        layout = layout or detected_beside(Path(sys.path[0] if sys.path else ""))
        serve(layout, keep_local=keep_local, keep_word="keep_local=True")


def serve(layout: Layout, *, keep_local: bool, keep_word: str | None, for_good: bool = False) -> None:
    """Do what `install` does, and say so in the caller's words; `for_good` ignores later `install`s."""
    global _installed
    with _lock:
        uninstall()
        finder = ServingFinder(layout, _own_sample_players)
        _installed = _Installed(finder, keep_local, for_good)
        if keep_local:
            # Asked last, it serves what no other finder has.
            sys.meta_path.append(finder)
            return
        replaced = _replaced()
        for name in list(sys.modules):
            if name in SERVED or name.startswith("isolation."):
                _installed.evicted[name] = sys.modules.pop(name)
        sys.meta_path.insert(0, finder)
    if replaced and keep_word is not None and sys.stderr is not None:
        names, places = " and ".join(replaced), " and ".join(replaced.values())
        sys.stderr.write(f"isolation-fast: serves {names} instead of {places}; {keep_word} keeps those\n")
        sys.stderr.flush()


def uninstall() -> None:
    """Undo `install`: other modules of these names are found again, those imported before are back.

    >>> uninstall()
    """
    global _installed
    with _lock:
        if _installed is None:
            return
        if _installed.finder in sys.meta_path:
            sys.meta_path.remove(_installed.finder)
        for name in SERVED:
            if is_served(sys.modules.get(name)):
                del sys.modules[name]
        for name, module in _installed.evicted.items():
            sys.modules.setdefault(name, module)
        _installed = None


def detected_beside(folder: Path, *starts: Path) -> Layout:
    """The layout of these files, of the `game_agent.py` in the folder, and of what they import from there."""
    files = [(path, module_of(path, folder)) for path in (*starts, folder / "game_agent.py")]
    return layout_of(source.tree for source in reachable(files, folder, source_of))


def _replaced() -> dict[str, str]:
    """By name, where the modules are that ours now stand in for."""
    found = {}
    for name in ("isolation", "sample_players"):
        module = sys.modules.get(name)
        spec = _found_elsewhere(name) if module is None else module.__spec__
        place = getattr(module, "__file__", None) if spec is None else _place(spec)
        if place is not None:
            notes = ["imported before"] if module is not None else []
            if name == "isolation":
                notes += _own_methods(Path(place))
            found[name] = f"{place} ({', '.join(notes)})" if notes else place
        elif module is not None:
            found[name] = "a module that was imported before"
    return found


def _own_methods(place: Path) -> list[str]:
    """Words for the methods that the `Board` in this file, or in this package's folder, has besides ours."""
    files = [place / "__init__.py", place / "isolation.py"] if place.is_dir() else [place]
    boards = [
        node
        for source in filter(None, map(source_of, files))
        for node in source.tree.body
        if isinstance(node, ast.ClassDef) and node.name == "Board"
    ]
    methods = [each.name for board in boards for each in board.body if isinstance(each, ast.FunctionDef)]
    # Python keeps a method `__name` as `_Board__name`.
    ours = {each.removeprefix("_Board") if each.startswith("_Board__") else each for each in dir(Board)}
    added = [name for name in dict.fromkeys(methods) if name not in ours]
    more = f" and {len(added) - MENTIONED} more" if len(added) > MENTIONED else ""
    return [f"its Board also has {', '.join(added[:MENTIONED])}{more}"] if added else []


def _found_elsewhere(name: str) -> ModuleSpec | None:
    """What the module of that name would be without us."""
    finders = [each for each in sys.meta_path if not isinstance(each, ServingFinder)]
    specs = (each.find_spec(name, None) for each in finders if hasattr(each, "find_spec"))
    return next((spec for spec in specs if spec is not None), None)


def _place(spec: ModuleSpec) -> str | None:
    """The file of a module or the folder of a package; None for a folder that merely bears the name."""
    if spec.origin is not None and spec.has_location:
        return os.path.dirname(spec.origin) if spec.submodule_search_locations else spec.origin  # noqa: PTH120
    for folder in spec.submodule_search_locations or ():
        if Path(folder, f"{spec.name}.py").is_file():
            return folder
    return None


def _own_sample_players() -> ModuleType | None:
    """The `sample_players` that would be found without us, loaded beside ours."""
    return loaded(_found_elsewhere("sample_players"))


# ---- processes of `multiprocessing`


def serve_in_children(layout: Layout, *, keep_local: bool) -> None:
    """Have every process that `multiprocessing` starts from now on serve our modules before all else.

    A forked process has what its parent has. One that begins anew (spawn, forkserver) imports the script once
    more, and would find whatever `isolation` lies there: a game between processes would be one between two
    boards.
    """
    serving = _Serving(layout, keep_local)
    spawn = sys.modules.get(SPAWN)
    if spawn is None:
        # Most scripts never import it, and it imports much.
        sys.meta_path.insert(0, serving)
    else:
        serving.goes_with(spawn)


class _Serving(MetaPathFinder):
    """An object that serves our modules where it is unpickled.

    As a finder, which sees each import, it waits for the module that starts new processes.
    """

    def __init__(self, layout: Layout, keep_local: bool) -> None:
        self.settings = (layout, keep_local)

    def __reduce__(self) -> tuple[Any, ...]:
        return _begin, self.settings

    def goes_with(self, spawn: Any) -> None:
        """Be part of what a new process receives.

        `multiprocessing` offers no hook. What it sends to a new process begins with a dictionary, of which
        that one reads the keys that it knows: here is one more.
        """
        preparation_data = spawn.get_preparation_data

        def with_our_modules(name: str) -> dict[str, Any]:
            data = preparation_data(name)
            if sys._getframe(1).f_globals.get("__name__") == "multiprocessing.forkserver":
                # The server does not receive the object, so it must not import the script for its children.
                return {key: value for key, value in data.items() if not key.startswith("init_main")}
            return {**data, "isolation_fast": self}

        spawn.get_preparation_data = with_our_modules

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
            self.goes_with(module)

        spec.loader.exec_module = load_and_follow  # type: ignore[method-assign]
        return spec


def _begin(layout: Layout, keep_local: bool) -> None:
    serve(layout, keep_local=keep_local, keep_word=None, for_good=True)
    serve_in_children(layout, keep_local=keep_local)
