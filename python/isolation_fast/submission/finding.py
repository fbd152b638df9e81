"""Looking for a module's file: in the folders of a submission, or wherever else Python would find one."""

import sys
from collections.abc import Callable, Iterable
from importlib.abc import Loader
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder, ModuleSpec
from typing import Any

__all__ = ["BEFORE_ANY_SCRIPT", "find_in", "found_elsewhere", "is_pythons"]

# Python has imported these before it runs a script, so a file of that name beside the script is never used.
BEFORE_ANY_SCRIPT = frozenset(sys.builtin_module_names) | {
    *("__main__", "_collections_abc", "_sitebuiltins", "abc", "codecs", "encodings", "genericpath", "io"),
    *("isolation_fast", "ntpath", "os", "posixpath", "site", "stat", "zipimport"),
}


def is_pythons(name: str) -> bool:
    """Whether a module is of Python's own library, by its name.

    >>> is_pythons("random"), is_pythons("os.path"), is_pythons("helpers")
    (True, True, False)
    """
    return name.partition(".")[0] in sys.stdlib_module_names


def find_in(folders: Iterable[str], name: str, loader: Callable[[str, str], Loader]) -> ModuleSpec | None:
    """The first module or package of a name, or all folders of the name together, which are one package."""
    # The finders are made anew each time: they remember what is in a folder, and a submission may write a
    # module. They know nothing of bytecode.
    kinds: list[Any] = [(ExtensionFileLoader, EXTENSION_SUFFIXES), (loader, [".py"])]
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


def found_elsewhere(top: str, finder: object) -> bool:
    """Whether a module of that name with a file of its own is there for others than this finder."""
    loaded = sys.modules.get(top)
    if loaded is not None:
        return getattr(loaded, "__file__", None) is not None
    others = [each for each in sys.meta_path if each is not finder and hasattr(each, "find_spec")]
    specs = (each.find_spec(top, None) for each in others)
    return any(spec is not None and spec.origin is not None for spec in specs)
