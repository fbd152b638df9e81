"""The names of a package that are imported when somebody asks for them, and not with the package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["late_names"]


def late_names(
    package: str, places: Mapping[str, Iterable[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package that has the names in `places`, by modules of ours.

    >>> get, listed = late_names("isolation_fast.jail", {"jail.limits": ["Limits"]})
    >>> get("Limits").__module__, "Limits" in listed()
    ('isolation_fast.jail.limits', True)
    >>> get("limit")
    Traceback (most recent call last):
    ...
    AttributeError: module 'isolation_fast.jail' has no attribute 'limit'
    """
    module_of = {name: module for module, names in places.items() for name in names}

    def get(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"isolation_fast.{module_of[name]}"), name)
        # Nobody asks for it a second time.
        vars(sys.modules[package])[name] = value
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *module_of})

    return get, listed
