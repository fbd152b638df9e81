"""The modules that classic code imports, made of ours: `isolation`, its module, and `sample_players`.

They are read from the files beside this one, but have the classic names. Modules served twice share nothing
but the `Board`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

from isolation_fast.classic.layouts import Layout, require_layout

HERE = Path(__file__).parent
PACKAGE = HERE / "isolation"

SERVED = ("isolation", "isolation.isolation", "sample_players")

# Loads the copy of `sample_players` that a folder brings, or says with None that there is none.
OwnCopy = Callable[[], ModuleType | None]


def served_modules(layout: Layout, own_copy: OwnCopy = lambda: None) -> dict[str, ModuleType]:
    """Fresh modules by their classic names, none of them in `sys.modules`.

    `own_copy` loads the folder's own `sample_players`, to which students added heuristics; it gives None
    where there is none. It is called once, at the first name that ours does not have.

    >>> import isolation_fast
    >>> modules = served_modules("v2")
    >>> list(modules)
    ['isolation', 'isolation.isolation', 'sample_players']
    >>> modules["isolation"].isolation.Board is modules["isolation"].Board is isolation_fast.Board
    True
    >>> modules["sample_players"].RandomPlayer.__module__
    'sample_players'
    """
    finder = ServingFinder(layout, own_copy)
    modules = {name: module for name in SERVED if (module := loaded(finder.spec(name))) is not None}
    vars(modules["isolation"])["isolation"] = modules["isolation.isolation"]
    return modules


def loaded(spec: ModuleSpec | None) -> ModuleType | None:
    """A new module that is in no `sys.modules`; None where nothing was found that can be loaded."""
    if spec is None or spec.loader is None:
        return None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def is_served(module: object) -> bool:
    """Whether a module is one of ours under a classic name."""
    return isinstance(getattr(module, "__loader__", None), ServedLoader)


class ServingFinder(MetaPathFinder):
    """Finds our modules under their classic names; to be put into `sys.meta_path`."""

    def __init__(self, layout: Layout, own_copy: OwnCopy) -> None:
        self.layout = require_layout(layout)
        self.own_copy = own_copy
        players = "first_sample_players.py" if self.layout == "v1" else "sample_players.py"
        self._files = {
            "isolation": PACKAGE / "__init__.py",
            "isolation.isolation": PACKAGE / "isolation.py",
            "sample_players": HERE / players,
        }

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of one of our modules; None for all other names."""
        # A given path may be that of a package `isolation` that is not ours.
        ours = name in self._files and (path is None or str(PACKAGE) in path)
        return self.spec(name) if ours else None

    def spec(self, name: str) -> ModuleSpec | None:
        """How one of our modules is loaded."""
        path = self._files[name]
        return spec_from_file_location(name, path, loader=ServedLoader(name, str(path), self.own_copy))


class ServedLoader(SourceFileLoader):
    """Runs one of our files under a classic name, and adds what makes it like the classic module."""

    def __init__(self, name: str, path: str, own_copy: OwnCopy) -> None:
        super().__init__(name, path)
        self._own_copy = own_copy

    def exec_module(self, module: ModuleType) -> None:
        """Fill the module, on `importlib.reload` once more."""
        super().exec_module(module)
        if self.name == "sample_players":
            # As an attribute, `__all__` can also name what the folder's own copy has.
            own_names = vars(module).pop("__all__")
            vars(module)["__getattr__"] = AddedNames(own_names, self._own_copy)
        elif self.name == "isolation" and sys.modules.get("isolation") is module:
            # The classic package imports its one module, so `isolation.isolation` is there from the start.
            __import__("isolation.isolation")


class AddedNames:
    """The `__getattr__` of our `sample_players`: names that only the folder's own copy has."""

    def __init__(self, own_names: list[str], own_copy: OwnCopy) -> None:
        self._own_names, self._own_copy = own_names, own_copy
        self._lock, self._asked = RLock(), False
        self._theirs: dict[str, Any] = {}

    def __call__(self, name: str) -> object:
        """What that name means in the folder's copy; AttributeError where it means nothing there."""
        if name == "__all__":
            theirs = self._loaded()
            public = theirs.get("__all__", [each for each in theirs if not each.startswith("_")])
            return self._own_names + [each for each in public if each not in self._own_names]
        if not (name.startswith("__") and name.endswith("__")) and name in self._loaded():
            return self._theirs[name]
        raise AttributeError(f"module 'sample_players' has no attribute {name!r}", name=name)

    def _loaded(self) -> dict[str, Any]:
        with self._lock:
            if not self._asked:
                # Before it is loaded: it may import `sample_players` itself, which is us.
                self._asked = True
                self._theirs = getattr(self._own_copy(), "__dict__", {})
            return self._theirs
