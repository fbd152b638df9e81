"""The modules that belong to one submission: found beside it first, and seen by nobody else.

Each of them has builtins of its own, whose `__import__` looks here before it asks Python. So two submissions
may each have a `helpers.py`, and a heuristic that imports it only when it is called gets its own.
"""

import builtins
import importlib.util
import os
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
)
from pathlib import Path
from types import ModuleType
from typing import Any

from isolation_fast.classic import Layout, served_modules
from isolation_fast.classic.serving import AddedNames
from isolation_fast.submission.activation import Process, activated, is_active
from isolation_fast.submission.loaders import PrivateLoader, ServedLoader

__all__ = ["PrivateModules"]

# Python has imported these before it runs a script, so a file of that name beside the script is never used.
_BEFORE_ANY_SCRIPT = frozenset(sys.builtin_module_names) | {
    *("__main__", "_collections_abc", "_sitebuiltins", "abc", "codecs", "encodings", "genericpath", "io"),
    *("isolation_fast", "ntpath", "os", "posixpath", "site", "stat", "zipimport"),
}

# Names that are never taken from the submission's folder.
SERVED = ("isolation", "sample_players")


class PrivateModules:
    """The modules of one submission, by name; also the finder that is asked for them while it is active."""

    def __init__(self, folder: Path, layout: Layout, classic: Path | None = None) -> None:
        self.folder = folder
        self.modules: dict[str, ModuleType] = {}
        self.builtins: dict[str, Any] = {**vars(builtins), "__import__": self.import_}
        self.files: set[str] = set()
        self.not_compiled: list[tuple[Exception, str]] = []
        self._served = served_modules(layout, self._own_sample_players) if classic is None else {}
        self._classic = classic
        # What the submission adds to `sys.path` is looked into as its own folder is.
        self._paths = [str(folder)]
        self._arguments = [str(folder)]
        self._foreign: set[str] = set()
        self._locks: dict[str, threading.RLock] = {}

    def run(self, path: Path) -> ModuleType:
        """Load a file as the module of its name; the submission itself is loaded so."""
        name = path.stem.replace(".", "_")
        if name in SERVED or name in _BEFORE_ANY_SCRIPT:
            name = f"{name}_"  # by its own name another module is imported
        self._arguments = [str(path)]
        spec = importlib.util.spec_from_file_location(name, path, loader=PrivateLoader(name, str(path), self))
        assert spec is not None
        with activated(self):
            return self._execute(spec)

    # ---- import statements of its modules

    def import_(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """`__import__` for the submission's own modules."""
        absolute = name
        if level:
            package = (globals or {}).get("__package__")
            if not package or not isinstance(package, str):
                return builtins.__import__(name, globals, locals, fromlist or (), level)
            absolute = importlib.util.resolve_name("." * level + name, package)
        top = absolute.partition(".")[0]
        if top in self._foreign or not (top in self.modules or self._owns(top)):
            module = builtins.__import__(name, globals, locals, fromlist or (), level)
            self._foreign.add(top)
            return module
        module = self._get(absolute)
        if fromlist:
            self._import_submodules(module, fromlist)
            return module
        return module if level else self._get(top)

    def _import_submodules(self, package: ModuleType, names: Iterable[str]) -> None:
        if not hasattr(package, "__path__"):
            return
        wanted = list(names)
        if "*" in wanted:
            wanted = [each for each in wanted if each != "*"] + list(getattr(package, "__all__", ()))
        for each in wanted:
            if not hasattr(package, each):
                full_name = f"{package.__name__}.{each}"
                try:
                    self._get(full_name)
                except ModuleNotFoundError as error:
                    if error.name != full_name:
                        raise

    def _owns(self, top: str) -> bool:
        if top in _BEFORE_ANY_SCRIPT:
            return False
        if top in self.modules or top in SERVED:
            return True
        spec = self._find(top, None)
        if spec is None:
            return False
        # A mere folder gives way to any real module of its name, wherever on the path that one is.
        return spec.loader is not None or not self._found_elsewhere(top)

    def _found_elsewhere(self, top: str) -> bool:
        loaded = sys.modules.get(top)
        if loaded is not None:
            return getattr(loaded, "__file__", None) is not None
        for finder in sys.meta_path:
            if finder is not self:
                spec = finder.find_spec(top, None)
                if spec is not None and spec.origin is not None:
                    return True
        return False

    # ---- loading

    def _get(self, name: str) -> ModuleType:
        module = self.modules.get(name)
        if module is not None and name not in self._locks:
            shown = is_active(self) and _shown(name)
            if not shown or sys.modules.get(name) is module:
                return module
        with activated(self):
            return self._load(name)

    def _load(self, name: str) -> ModuleType:
        fresh = threading.RLock()
        lock = self._locks.setdefault(name, fresh)
        try:
            with lock:
                module = self._current(name)
                return self._load_anew(name) if module is None else module
        finally:
            if lock is fresh:
                del self._locks[name]

    def _current(self, name: str) -> ModuleType | None:
        return sys.modules.get(name) if _shown(name) else self.modules.get(name)

    def _load_anew(self, name: str) -> ModuleType:
        parent, _, child = name.rpartition(".")
        package = path = None
        if parent:
            package = self._load(parent)
            module = self._current(name)
            if module is not None:
                return module
            path = getattr(package, "__path__", None)
            if path is None:
                message = f"No module named {name!r}; {parent!r} is not a package"
                raise ModuleNotFoundError(message, name=name)
        spec = self._find(name, path)
        if spec is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        module = self._execute(spec)
        if package is not None:
            setattr(package, child, module)
        return module

    def _execute(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.util.module_from_spec(spec)
        shown = _shown(spec.name)
        # So Python says of two modules that import each other that they do.
        spec._initializing = True  # type: ignore[attr-defined]
        self.modules[spec.name] = module
        if shown:
            sys.modules[spec.name] = module
        try:
            if spec.loader is not None:
                spec.loader.exec_module(module)
        except BaseException:
            self.modules.pop(spec.name, None)
            if shown:
                sys.modules.pop(spec.name, None)
            raise
        finally:
            spec._initializing = False  # type: ignore[attr-defined]
        if shown:
            # A module may have put something else in its place.
            module = self.modules[spec.name] = sys.modules.get(spec.name, module)
        if spec.name == "sample_players" and self._classic is not None:
            # Students added heuristics to theirs. Ours asks for them by itself.
            own_names = [name for name in vars(module) if not name.startswith("_")]
            vars(module)["__getattr__"] = AddedNames(own_names, self._own_sample_players)
        return module

    # ---- finding

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer Python's own import system, which `importlib.import_module`, `reload` and `pickle` use."""
        top = name.partition(".")[0]
        return self._find(name, path) if _shown(name) and self._owns(top) else None

    def _find(self, name: str, path: Iterable[str] | None) -> ModuleSpec | None:
        served = self._served.get(name)
        if served is not None:
            is_package = hasattr(served, "__path__")
            return importlib.util.spec_from_loader(name, ServedLoader(served), is_package=is_package)
        if path is None:
            path = self._paths
            if self._classic is not None and name in SERVED:
                path = [str(self._classic)]
        portions: list[str] = []
        for entry in path:
            spec = self._look_into(entry, name)
            if spec is None:
                continue
            if spec.loader is not None:
                return spec
            portions.extend(spec.submodule_search_locations or ())
        if not portions:
            return None
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = portions
        return spec

    def _own_sample_players(self) -> ModuleType | None:
        spec = self._look_into(str(self.folder), "sample_players")
        if spec is None or spec.loader is None:
            return None
        with activated(self):
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module

    def _look_into(self, folder: str, name: str) -> ModuleSpec | None:
        def loader(name: str, path: str) -> PrivateLoader:
            return PrivateLoader(name, path, self)

        # Made anew each time: it remembers what was in the folder, and a submission may write a module.
        kinds: list[Any] = [(ExtensionFileLoader, EXTENSION_SUFFIXES), (loader, [".py"])]
        return FileFinder(folder, *kinds).find_spec(name)

    # ---- having the process for a while

    def put_in_place(self) -> None:
        """Show the modules to Python, hide others of their names, and go to the folder."""
        taken = {name.partition(".")[0] for name in sys.modules}
        own_names = self._names_in_folder() | {name.partition(".")[0] for name in self.modules}
        hidden = {top for top in own_names & taken if _shown(top) and self._owns(top)} | set(SERVED)
        for name in list(sys.modules):
            if name.partition(".")[0] in hidden:
                del sys.modules[name]
        sys.modules.update({name: module for name, module in self.modules.items() if _shown(name)})
        sys.path[:0] = self._paths
        sys.meta_path.insert(0, self)
        sys.argv = list(self._arguments)
        sys.dont_write_bytecode = True
        os.chdir(self.folder)

    def take_back(self, before: Process) -> None:
        """Keep what the submission loaded, and remove it from `sys.modules`."""
        self._paths = [str(self.folder)]
        self._paths += [each for each in sys.path if each not in (*before.path_entries, *self._paths)]
        for name in [name for name in self.modules if _shown(name) and name not in sys.modules]:
            del self.modules[name]
        own: dict[str, bool] = {}
        for name, module in list(sys.modules.items()):
            top = name.partition(".")[0]
            if not _shown(top) or before.modules.get(name) is module:
                continue
            if top not in own:
                own[top] = self._owns(top)
            if own[top]:
                self.modules[name] = module
                del sys.modules[name]

    def _names_in_folder(self) -> set[str]:
        return {entry.name.partition(".")[0] for entry in os.scandir(self.folder)}


def _shown(name: str) -> bool:
    # Python's own modules stay what they are for everybody else. A submission's file of such a name is known
    # to its own import statements alone.
    return name.partition(".")[0] not in sys.stdlib_module_names
