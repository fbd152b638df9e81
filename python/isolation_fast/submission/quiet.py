"""Reading other people's source without the warnings that Python gives about it."""

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["without_warnings"]

# `catch_warnings` changes the whole process: two at once would leave each other's filters behind.
_one_at_a_time = threading.RLock()


@contextmanager
def without_warnings() -> Iterator[None]:
    """Let nothing be said about a source; where warnings are errors, it could not be loaded at all."""
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
