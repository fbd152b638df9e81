"""Putting our modules where classic code finds them, for the whole process, and taking them away again."""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from threading import RLock
from types import ModuleType

from isolation_fast.classic.layouts import Layout, detect_layout, require_layout
from isolation_fast.classic.own_boards import added_methods
from isolation_fast.classic.reachable import reachable_sources
from isolation_fast.classic.serving import SERVED, ServingFinder, is_served

__all__ = ["detected_beside", "install", "serve", "uninstall"]

# So many methods of a board of one's own are named in the line on stderr.
MENTIONED = 3


class _Installed:
    """What is in place now, and what `uninstall` has to undo."""

    def __init__(self, finder: ServingFinder, *, keep_local: bool, for_good: bool) -> None:
        self.finder = finder
        self.keep_local = keep_local
        self.for_good = for_good
        self.evicted: dict[str, ModuleType] = {}


_lock = RLock()
_installed: _Installed | None = None


def install(layout: Layout | None = None, *, keep_local: bool = False) -> None:
    """Let `import isolation` and `import sample_players` give our modules, in the whole process.

    Call it before the classic code is imported. Without a layout it is detected: from the `game_agent.py` in
    the first folder of `sys.path` and what that imports beside it, from the source alone.

    Where there are such modules already, beside the script or imported before, ours win, and a line on stderr
    says so; with `keep_local` it is the other way round, for each of the two. What was imported before from
    the other modules keeps what it has. A name that only the folder's own `sample_players.py` has is taken
    from there.

    To call it again changes nothing but what is asked for otherwise. In a script that `isolation-fast run`
    started it does nothing at all: what was said to the command holds.

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
        serve(layout or _detected(), keep_local=keep_local, keep_word="keep_local=True")


def serve(layout: Layout, *, keep_local: bool, keep_word: str | None, for_good: bool = False) -> None:
    """Do what `install` does, and say so in the caller's words; `for_good` against later `install`s."""
    global _installed
    with _lock:
        uninstall()
        finder = ServingFinder(layout, _own_sample_players)
        _installed = _Installed(finder, keep_local=keep_local, for_good=for_good)
        if keep_local:
            # Asked last, it serves what nobody else has.
            sys.meta_path.append(finder)
            return
        replaced = _replaced()
        for name in list(sys.modules):
            if name in SERVED or name.startswith("isolation."):
                _installed.evicted[name] = sys.modules.pop(name)
        sys.meta_path.insert(0, finder)
    if replaced and keep_word is not None and sys.stderr is not None:
        names, places = " and ".join(replaced), " and ".join(replaced.values())
        line = f"isolation-fast: serves {names} instead of {places}; {keep_word} keeps those\n"
        sys.stderr.write(line)
        sys.stderr.flush()


def uninstall() -> None:
    """Undo `install`: other modules of these names are found again, and those that were imported are back.

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
    return detect_layout(reachable_sources([*starts, folder / "game_agent.py"], folder))


def _detected() -> Layout:
    return detected_beside(Path(sys.path[0] if sys.path else ""))


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
    added = added_methods(place)
    more = f" and {len(added) - MENTIONED} more" if len(added) > MENTIONED else ""
    return [f"its Board also has {', '.join(added[:MENTIONED])}{more}"] if added else []


def _found_elsewhere(name: str) -> ModuleSpec | None:
    """What the module of that name would be without us."""
    for finder in list(sys.meta_path):
        if not isinstance(finder, ServingFinder) and hasattr(finder, "find_spec"):
            spec = finder.find_spec(name, None)
            if spec is not None:
                return spec
    return None


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
    spec = _found_elsewhere("sample_players")
    if spec is None or spec.loader is None:
        return None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
