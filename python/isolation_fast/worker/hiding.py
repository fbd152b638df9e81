"""What of this package a submission can import, and which of its files it can read.

A jailed process has much of this package in its memory. What a submission gets of it by `import` is a module
with the board and the errors, and what the course's own modules are made of. All else is taken out of
`sys.modules`; a finder refuses it by its name; and where the finder is taken away, Landlock keeps the files
from being read. In a process that plays, no heuristic and no search in Python is in memory either: the
reference is never imported there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import isolation_fast
from isolation_fast import exceptions
from isolation_fast.classic import board
from isolation_fast.exceptions import EngineLockedError

NAME: Final = "isolation_fast"
PACKAGE: Final = Path(isolation_fast.__file__).resolve().parent
ABOVE: Final = frozenset(map(str, PACKAGE.parents))
SERVED_FROM: Final = PACKAGE / "classic"
"""The files of the course's modules are read again for each submission."""

KNOWN: Final = frozenset(dir(isolation_fast)) | {each.name.partition(".")[0] for each in PACKAGE.iterdir()}
"""Names that there are in it: all others are unknown and not refused."""

VISIBLE: Final = (
    *("board", "classic.board", "classic.sample_players"),
    *("endings", "exceptions", "reports", "text"),
)
"""What the served modules and the engine import by name, with all that is in it. It holds no search and no
heuristic but the course's four."""


def hide() -> ModuleType:
    """Leave a submission the visible modules, and a package that has the board and the errors.

    The package is returned.
    """
    ours = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == NAME}
    package = ModuleType(NAME, isolation_fast.__doc__)
    package.__path__, package.__file__ = [], isolation_fast.__file__
    vars(package).update({name: each for name, each in vars(exceptions).items() if isinstance(each, type)})
    vars(package)["Board"] = board.Board
    vars(package)["__getattr__"] = _refused_name
    for name, module in ours.items():
        if not _is_visible(name):
            del sys.modules[name]
        elif name.count(".") == 1:
            vars(package)[name.rpartition(".")[2]] = module
    sys.modules[NAME] = package
    sys.meta_path.insert(0, _Refusing())
    return package


def without_our_files(places: Iterable[str]) -> tuple[list[str], list[str]]:
    """The files and folders of these places that may be read, and the folders that may only be listed.

    >>> import os
    >>> readable, listable = without_our_files([str(PACKAGE.parent), os.path.dirname(os.__file__)])
    >>> str(PACKAGE / "reference") in readable, str(PACKAGE / "classic") in readable
    (False, True)
    >>> str(PACKAGE.parent) in listable, os.path.dirname(os.__file__) in readable
    (True, True)
    """
    readable: list[str] = []
    listable: list[str] = []
    for place in places:
        resolved = str(Path(place).resolve())
        if resolved in ABOVE:
            listable.append(resolved)
            readable += _beside(resolved)
        elif PACKAGE not in (Path(resolved), *Path(resolved).parents):
            readable.append(place)
    return [*readable, str(SERVED_FROM)], [*listable, str(PACKAGE)]


def _beside(folder: str) -> Iterator[str]:
    """What is in a folder above the package, but for the package. Links may lead anywhere: none of them."""
    with os.scandir(folder) as entries:
        for each in entries:
            if each.path in ABOVE:
                yield from _beside(each.path)
            elif each.path != str(PACKAGE) and not each.is_symlink():
                yield each.path


def _is_visible(name: str) -> bool:
    inside = name.removeprefix(f"{NAME}.")
    return any(
        inside == each or inside.startswith(f"{each}.") or each.startswith(f"{inside}.") for each in VISIBLE
    )


def _refused(name: str) -> EngineLockedError:
    return EngineLockedError(
        f"{name} of {NAME} is not for the code of a submission, which has the board alone"
    )


def _refused_name(name: str) -> Any:
    """The package's `__getattr__`."""
    if name in KNOWN and not name.startswith("__"):
        raise _refused(name)
    raise AttributeError(f"module {NAME!r} has no attribute {name!r}", name=name)


class _Refusing(MetaPathFinder):
    """Asked first, it refuses all modules of this package that are not visible."""

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> None:
        """Find nothing."""
        top, _, rest = name.partition(".")
        if top == NAME and rest.partition(".")[0] in KNOWN and not _is_visible(name):
            raise _refused(rest)
