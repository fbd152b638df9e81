"""Objects of a script as bytes, for a process of their own."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

from isolation_fast.exceptions import InvalidArgumentError

__all__ = ["pickled"]

PROTOCOL: Final = 5
"""One for all Pythons that the package runs on, so that the bytes do not depend on that."""


def pickled(thing: Any, name: str) -> bytes:
    """The object as bytes; an error that says what can be done where there is no way.

    What a notebook or an interactive session defines is in no file that another process could read. There
    cloudpickle, if it is installed, sends the code itself.

    >>> import operator
    >>> pickle.loads(pickled(operator.add, "add"))(1, 2)
    3
    """
    cause: Exception | None = None
    try:
        content = pickle.dumps(thing, protocol=PROTOCOL)
    except Exception as error:  # noqa: BLE001 - a stranger's object may raise anything when it is pickled
        problem, cause = str(error) or type(error).__name__, error
    else:
        if b"__main__" not in content or _main_is_a_file():
            return content
        problem = "it is defined in an interactive session, which other processes do not see"
    try:
        by_value = cast("Callable[[Any, int], bytes]", import_module("cloudpickle").dumps)
        return by_value(thing, PROTOCOL)
    except ImportError:
        also = "; with the package cloudpickle installed it may work as it is"
    except Exception as error:  # noqa: BLE001 - as above
        problem, cause, also = f"{error}", error, ""
    raise InvalidArgumentError(
        f"{name} cannot be sent to the process that plays it: {problem}; "
        f"put its class or function at the top of a module, or name it as 'FILE.py:member'{also}"
    ) from cause


def _main_is_a_file() -> bool:
    """Whether a new process can make this one's `__main__` again: as `multiprocessing` does, from a file."""
    main = sys.modules["__main__"]
    if getattr(getattr(main, "__spec__", None), "name", None) is not None:
        return True
    file = getattr(main, "__file__", None)
    return file is not None and Path(file).is_file()
