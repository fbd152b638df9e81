"""The modules of one submission: found beside it first, and seen by no other.

Each of them has builtins of its own, whose `__import__` looks here before it asks Python. So two submissions
may each have a `helpers.py`, and a heuristic that imports it only when it is called gets its own.

`sys.path`, `sys.modules` and the working directory belong to the whole process. A submission has a turn with
them, and all is put back after it. Threads of one submission share its turn; another submission waits.
"""

from __future__ import annotations

import builtins
import importlib.util
import os
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    PathFinder,
    SourceFileLoader,
)
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from isolation_fast.classic import Layout
from isolation_fast.classic.layouts import NEVER_BESIDE, without_warnings
from isolation_fast.classic.serving import AddedNames, ServingFinder, loaded

BEFORE_ANY_SCRIPT: Final = frozenset(sys.builtin_module_names) | {
    *("__main__", "_collections_abc", "_sitebuiltins", "abc", "codecs", "encodings", "genericpath", "io"),
    *("isolation_fast", "ntpath", "os", "posixpath", "site", "stat", "zipimport"),
}
"""Python imports these before it runs a script, so it never uses a file of that name beside the script."""


# ---- a turn with the process


class Turn:
    """One submission's turn with the process: what it changes and the next one must not see."""

    def __init__(self, owner: PrivateModules) -> None:
        self.owner, self.threads = owner, Counter[int]()
        self.path, self.path_entries = sys.path, list(sys.path)
        self.meta_path, self.finders = sys.meta_path, list(sys.meta_path)
        self.argv, self.arguments = sys.argv, list(sys.argv)
        self.dont_write_bytecode = sys.dont_write_bytecode
        self.modules: dict[str, ModuleType] = dict(sys.modules)
        try:
            self.folder: str | None = os.getcwd()  # noqa: PTH109
        except FileNotFoundError:  # removed meanwhile, so there is nothing to go back to
            self.folder = None

    def end(self) -> None:
        """Put all back but the modules that were added, which their owner takes back."""
        try:
            self.owner.take_back(self)
        finally:
            self.path[:], sys.path = self.path_entries, self.path
            self.meta_path[:], sys.meta_path = self.finders, self.meta_path
            self.argv[:], sys.argv = self.arguments, self.argv
            sys.dont_write_bytecode = self.dont_write_bytecode
            for name, module in self.modules.items():
                if sys.modules.get(name) is not module:
                    sys.modules[name] = module
            if self.folder is not None:
                os.chdir(self.folder)


_change = threading.Condition()
# More than one where a submission is loaded while another one is active, in the same thread.
_turns: list[Turn] = []


def is_active(owner: PrivateModules) -> bool:
    """Whether it is this one's turn."""
    return any(turn.owner is owner for turn in _turns[-1:])


@contextmanager
def activated(owner: PrivateModules) -> Iterator[None]:
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
                _turns.remove(turn)
                turn.end()
            _change.notify_all()


def _begin(owner: PrivateModules) -> Turn:
    turn = Turn(owner)
    try:
        owner.put_in_place()
    except BaseException:
        turn.end()
        raise
    _turns.append(turn)
    return turn


# ---- the modules of a submission


class PrivateModules:
    """The modules of one submission, by name; also the finder that is asked for them while it is active."""

    def __init__(self, folder: Path, layout: Layout, classic: Path | None = None) -> None:
        self.folder = folder
        self.modules: dict[str, ModuleType] = {}
        self.builtins: dict[str, Any] = {**vars(builtins), "__import__": self.import_}
        self.files: set[str] = set()
        self.not_compiled: list[tuple[Exception, str]] = []
        self._serving = ServingFinder(layout, self._own_sample_players) if classic is None else None
        self._classic = classic
        # What the submission adds to `sys.path` is searched as its own folder is.
        self._paths = [str(folder)]
        self._others_paths: list[str] = []
        self._arguments = [str(folder)]
        self._foreign: set[str] = set()
        self._locks: dict[str, threading.RLock] = {}

    def run(self, path: Path) -> ModuleType:
        """Load a file as the module of its name; the submission itself is loaded so."""
        name = path.stem.replace(".", "_")
        if name in NEVER_BESIDE or name in BEFORE_ANY_SCRIPT:
            name = f"{name}_"  # its own name means another module
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
        return module if fromlist or level else self._get(top)

    def _import_submodules(self, package: ModuleType, names: Iterable[str]) -> None:
        if not hasattr(package, "__path__"):
            return
        wanted = list(names)
        if "*" in wanted:
            wanted += getattr(package, "__all__", ())
        for each in wanted:
            if each != "*" and not hasattr(package, each):
                full_name = f"{package.__name__}.{each}"
                try:
                    self._get(full_name)
                except ModuleNotFoundError as error:
                    if error.name != full_name:
                        raise

    def _owns(self, top: str) -> bool:
        if top in BEFORE_ANY_SCRIPT:
            return False
        if top in self.modules or top in NEVER_BESIDE:
            return True
        spec = self._find(top, None)
        if spec is None:
            return False
        # A mere folder gives way to any real module of its name, wherever on the path that one is.
        return spec.loader is not None or not _found_elsewhere(top, self)

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
        return module

    # ---- finding

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer Python's own import system, which `importlib.import_module`, `reload` and `pickle` use."""
        if _shown(name):
            return self._find(name, path) if self._owns(name.partition(".")[0]) else None
        # Python's own modules import one another, and must not meet the submission's files of their names.
        if path is None and name not in BEFORE_ANY_SCRIPT:
            return PathFinder.find_spec(name, self._others_paths)
        return None

    def _find(self, name: str, path: Iterable[str] | None) -> ModuleSpec | None:
        if self._serving is not None and (served := self._serving.find_spec(name)) is not None:
            return served
        if path is None:
            in_checkout = self._classic is not None and name in NEVER_BESIDE
            path = [str(self._classic)] if in_checkout else self._own_paths()
        return _find_in(path, self, name)

    def _own_paths(self) -> list[str]:
        """The submission's folder, and what else it has put on `sys.path`."""
        if not is_active(self):
            return self._paths
        known = {*self._paths, *self._others_paths, ""}
        return self._paths + [each for each in sys.path if each not in known]

    def _own_sample_players(self) -> ModuleType | None:
        with activated(self):
            return loaded(_find_in([str(self.folder)], self, "sample_players"))

    def finished(self, module: ModuleType, path: str) -> None:
        """Called when the code of a module has run."""
        if module.__name__ == "sample_players" and Path(path).parent == self._classic:
            # Students added heuristics to theirs. Our own module asks for them by itself.
            own_names = [name for name in vars(module) if not name.startswith("_")]
            vars(module)["__getattr__"] = AddedNames(own_names, self._own_sample_players)

    # ---- its turn with the process

    def put_in_place(self) -> None:
        """Show the modules to Python, hide others of their names, and go to the folder."""
        taken = {name.partition(".")[0] for name in sys.modules}
        beside = [entry.name for entry in os.scandir(self.folder)]
        own_names = {name.partition(".")[0] for name in (*beside, *self.modules)}
        hidden = {top for top in own_names & taken if _shown(top) and self._owns(top)} | set(NEVER_BESIDE)
        for name in list(sys.modules):
            if name.partition(".")[0] in hidden:
                del sys.modules[name]
        sys.modules.update({name: module for name, module in self.modules.items() if _shown(name)})
        # An empty entry is the working directory, which is the submission's folder from here on.
        self._others_paths = [each for each in sys.path if each not in {"", *self._paths}]
        sys.path[:0] = self._paths
        sys.meta_path.insert(0, self)
        sys.argv = list(self._arguments)
        sys.dont_write_bytecode = True
        os.chdir(self.folder)

    def take_back(self, before: Turn) -> None:
        """Keep what the submission loaded, and remove it from `sys.modules`."""
        known = {str(self.folder), *before.path_entries, ""}
        # Its relative ones mean something here, where it is at home.
        added = [os.path.abspath(each) for each in sys.path if each not in known]  # noqa: PTH100
        self._paths = [str(self.folder), *dict.fromkeys(added)]
        for name in [name for name in self.modules if _shown(name) and name not in sys.modules]:
            del self.modules[name]
        new = {name: each for name, each in sys.modules.items() if before.modules.get(name) is not each}
        tops = {name.partition(".")[0] for name in new}
        own = {top for top in tops if _shown(top) and self._owns(top)}
        for name, module in new.items():
            if name.partition(".")[0] in own or (_shown(name) and self._lies_beside(module)):
                self.modules[name] = module
                del sys.modules[name]

    def _lies_beside(self, module: ModuleType) -> bool:
        """Whether a module was read from the folder by some way of the submission's own."""
        file = getattr(module, "__file__", None)
        beside = str(self.folder) + os.sep
        if not isinstance(file, str) or not file.startswith(beside):
            return False
        # There may be a whole environment in the folder, with packages that others use too.
        inner = [each + os.sep for each in self._others_paths if each.startswith(beside)]
        return not file.startswith(tuple(inner))


def _shown(name: str) -> bool:
    """Whether Python sees a submission's module of that name: not where the name is one of Python's own.

    Such a file is known to the submission's own import statements alone.
    """
    return name.partition(".")[0] not in sys.stdlib_module_names


# ---- finding and loading


def _find_in(folders: Iterable[str], owner: PrivateModules, name: str) -> ModuleSpec | None:
    """The first module or package of a name, or all folders of the name together, which are one package."""
    # The finders are made anew each time: they remember what is in a folder, and a submission may write a
    # module. They know nothing of bytecode.
    kinds: list[Any] = [
        (ExtensionFileLoader, EXTENSION_SUFFIXES),
        (partial(PrivateLoader, owner=owner), [".py"]),
    ]
    portions: list[str] = []
    for folder in folders:
        spec = FileFinder(folder, *kinds).find_spec(name)
        if spec is not None and spec.loader is not None:
            return spec
        if spec is not None:
            portions.extend(spec.submodule_search_locations or ())
    if not portions:
        return None
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = portions
    return spec


def _found_elsewhere(top: str, finder: object) -> bool:
    """Whether another finder has a module of that name with a file of its own."""
    loaded = sys.modules.get(top)
    if loaded is not None:
        return getattr(loaded, "__file__", None) is not None
    others = [each for each in sys.meta_path if each is not finder and hasattr(each, "find_spec")]
    specs = (each.find_spec(top, None) for each in others)
    return any(spec is not None and spec.origin is not None for spec in specs)


class PrivateLoader(SourceFileLoader):
    """Reads a source file: no `__pycache__` is read or written, and the module gets builtins of its own."""

    def __init__(self, name: str, path: str, owner: PrivateModules) -> None:
        super().__init__(name, path)
        self.owner = owner

    def get_code(self, fullname: str) -> CodeType:
        """Compile the source as it stands."""
        path = self.get_filename(fullname)
        self.owner.files.add(path)
        try:
            with without_warnings():
                return compile(self.get_data(path), path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self.owner.not_compiled.append((error, path))
            raise

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        code = self.get_code(module.__name__)
        module.__dict__["__builtins__"] = self.owner.builtins
        exec(code, module.__dict__)
        self.owner.finished(module, self.path)
