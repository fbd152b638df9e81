"""What a loaded submission holds: also what only running it makes, as `custom_score = partial(...)`."""

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

from isolation_fast.submission.private_modules import SERVED, PrivateModules
from isolation_fast.submission.recognition import (
    Function,
    first_line,
    fits_heuristic,
    functions_in,
    is_custom_score,
    is_heuristic,
    is_template,
    top_level,
)
from isolation_fast.submission.sources import Source

__all__ = ["Contents"]


class Contents:
    """The heuristics, players and timeouts of a loaded module."""

    def __init__(self, module: ModuleType, modules: PrivateModules, sources: Iterable[Source]) -> None:
        self.module = module
        self._modules = modules
        # A module may have put any object in its own place.
        self._names: Mapping[str, Any] = dict(vars(module)) if hasattr(module, "__dict__") else {}
        self._nodes = {
            (str(source.path.absolute()), first_line(node)): node
            for source in sources
            for node in _all_functions(source)
        }

    def heuristics(self) -> dict[str, Callable[..., Any]]:
        """The functions that give a score, by name: those named `custom_score` first, else in their order."""
        found = {name: value for name, value in self._names.items() if self._is_heuristic(name, value)}
        return dict(sorted(found.items(), key=lambda item: not is_custom_score(item[0])))

    def players(self) -> dict[str, type]:
        """The submission's own classes that can be asked for a move, by name."""
        return {name: value for name, value in self._names.items() if self._is_player(value)}

    def timeouts(self) -> Iterator[type[BaseException]]:
        """The exceptions by which the submission, helpers included, says that its time is up."""
        own = [each for name, each in self._modules.modules.items() if name.partition(".")[0] not in SERVED]
        places = [self._names, *(getattr(each, "__dict__", {}) for each in own)]
        named = [place.get(name) for place in places for name in ("SearchTimeout", "Timeout")]
        kinds = [each for each in named if isinstance(each, type) and issubclass(each, BaseException)]
        yield from dict.fromkeys(kinds)

    def _is_heuristic(self, name: str, value: Any) -> bool:
        if isinstance(value, type) or not callable(value):
            return False
        try:
            signature = inspect.signature(value)
            signature.bind(None, None)
            function = _function_behind(value)
        except Exception:  # noqa: BLE001 - a stranger's object may raise anything when it is looked at
            return False
        if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
            return False
        node = self._node(function)
        if node is not None and is_template(node):
            return False
        if is_custom_score(name):
            return True
        if not self._is_own(function) or not fits_heuristic(list(signature.parameters)):
            return False
        # A method or a decorated function has other parameters than its node.
        return node is None or function is not value or is_heuristic(name, node)

    def _is_player(self, value: Any) -> bool:
        if not isinstance(value, type) or not self._is_own(value):
            return False
        get_move = getattr(value, "get_move", None)
        if not callable(get_move) or self._is_unwritten(get_move):
            return False
        code = getattr(get_move, "__code__", None)
        called = [getattr(value, name, None) for name in getattr(code, "co_names", ())]
        searches = [each for each in called if isinstance(each, FunctionType) and each is not get_move]
        return not searches or not all(self._is_unwritten(each) for each in searches)

    def _is_unwritten(self, function: object) -> bool:
        node = self._node(function)
        return node is not None and is_template(node)

    def _node(self, function: object) -> Function | None:
        code = getattr(function, "__code__", None)
        return None if code is None else self._nodes.get((code.co_filename, code.co_firstlineno))

    def _is_own(self, thing: object) -> bool:
        module = getattr(thing, "__module__", None)
        return module in self._modules.modules and str(module).partition(".")[0] not in SERVED


def _function_behind(value: Any) -> Any:
    """The function that is run in the end when a callable object is called."""
    if isinstance(value, partial):
        return _function_behind(value.func)
    if hasattr(value, "__wrapped__"):
        return inspect.unwrap(value)
    if inspect.ismethod(value):
        return value.__func__
    call = type(value).__call__
    return call if isinstance(call, FunctionType) else value


def _all_functions(source: Source) -> Iterator[Function]:
    yield from functions_in(source.tree.body)
    for node in top_level(source.tree.body):
        if isinstance(node, ast.ClassDef):
            yield from functions_in(node.body)
