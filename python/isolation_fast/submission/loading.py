"""Load a submission, with the modules beside it, so that nothing of it touches the next one."""

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from isolation_fast.classic import Layout
from isolation_fast.submission import activation
from isolation_fast.submission.outline import Outline, fits_heuristic, is_custom_score, outline_of
from isolation_fast.submission.private_modules import SERVED, PrivateModules
from isolation_fast.submission.sources import helper_sources, located, read_source

__all__ = ["Submission", "load"]


@dataclass(frozen=True)
class Submission:
    """A loaded `game_agent.py`.

    `heuristics` are its functions by name, as they are; what is still a template is left out and named in
    `templates`. `players` are its classes with a `get_move`. `timeouts` are its exceptions for spent time.
    """

    outline: Outline
    module: ModuleType
    path: Path
    folder: Path
    layout: Layout
    heuristics: Mapping[str, Callable[..., Any]]
    players: Mapping[str, type]
    templates: tuple[str, ...]
    timeouts: tuple[type[BaseException], ...]
    _modules: PrivateModules = field(repr=False, compare=False)

    def activated(self) -> AbstractContextManager[None]:
        """Its modules in `sys.modules`, its folder first on `sys.path` and the working directory there.

        Needed where it opens a file by a relative path, pickles, or imports by `importlib.import_module`.
        All is put back at the end. Threads may share it; other submissions wait for the end.
        """
        return activation.activated(self._modules)


def load(
    path: str | os.PathLike[str],
    *,
    classic: str | os.PathLike[str] | None = None,
    layout: Layout | None = None,
) -> Submission:
    """Load a submission: its file, or the folder that holds its `game_agent.py`."""
    file = located(Path(path)).absolute()
    source = read_source(file)
    outline = outline_of(source, list(helper_sources(source, file.parent)))
    layout = layout or outline.layout
    modules = PrivateModules(file.parent, layout, None if classic is None else Path(classic).absolute())
    module = modules.run(file.stem, file)
    names = vars(module)
    return Submission(
        outline=outline,
        module=module,
        path=file,
        folder=file.parent,
        layout=layout,
        heuristics=MappingProxyType(_heuristics(names, outline, modules)),
        players=MappingProxyType(_players(names, outline, modules)),
        templates=outline.templates,
        timeouts=tuple(_timeouts(names)),
        _modules=modules,
    )


def _is_own(thing: Any, modules: PrivateModules) -> bool:
    module = getattr(thing, "__module__", None)
    return module in modules.modules and module.partition(".")[0] not in SERVED


def _heuristics(names: Mapping[str, Any], outline: Outline, modules: PrivateModules) -> dict[str, Any]:
    found = {
        name: value
        for name, value in names.items()
        if callable(value)
        and not isinstance(value, type)
        and name not in outline.templates
        and _can_be_heuristic(name, value, modules)
    }
    return dict(sorted(found.items(), key=lambda item: not is_custom_score(item[0])))


def _can_be_heuristic(name: str, value: Callable[..., Any], modules: PrivateModules) -> bool:
    if inspect.iscoroutinefunction(value) or inspect.isgeneratorfunction(value):
        return False
    try:
        signature = inspect.signature(value)
        signature.bind(None, None)
    except (TypeError, ValueError):
        return False
    if is_custom_score(name):
        return True
    return fits_heuristic(list(signature.parameters)) and _is_own(value, modules)


def _players(names: Mapping[str, Any], outline: Outline, modules: PrivateModules) -> dict[str, type]:
    return {
        name: value
        for name, value in names.items()
        if isinstance(value, type)
        and _is_own(value, modules)
        and callable(getattr(value, "get_move", None))
        and f"{value.__name__}.get_move" not in outline.templates
    }


def _timeouts(names: Mapping[str, Any]) -> Iterator[type[BaseException]]:
    for name in ("SearchTimeout", "Timeout"):
        value = names.get(name)
        if isinstance(value, type) and issubclass(value, BaseException):
            yield value
