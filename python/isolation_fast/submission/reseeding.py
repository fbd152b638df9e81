"""The random numbers that other people's code draws: begun anew, so that it draws the same each time."""

import random
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

__all__ = ["Chance", "reseed"]

NUMPY_SEEDS = 2**32


def reseed(seed: int) -> None:
    """Make what is drawn after this the same each time: from Python's random numbers, and from NumPy's.

    >>> reseed(1), random.randrange(100), reseed(1), random.randrange(100)
    (None, 17, None, 17)
    """
    random.seed(seed)
    if "numpy" in sys.modules:
        # NumPy itself imports it where somebody first draws from it, which would be too late. A module of
        # somebody's own that is called numpy need not have it.
        with suppress(ImportError, AttributeError):
            import_module("numpy.random").seed(seed % NUMPY_SEEDS)


class Chance:
    """The random numbers of one player of two that are asked in turn: what the other draws changes nothing.

    >>> reseed(1)
    >>> mine = Chance()
    >>> mine.keep()
    >>> first = random.random()
    >>> random.seed(5)
    >>> mine.put_back()
    >>> random.random() == first
    True
    """

    def __init__(self) -> None:
        self._state: tuple[Any, ...] = random.getstate()
        self._numpy: Any = None

    def keep(self) -> None:
        """Remember how far they are drawn."""
        self._state = random.getstate()
        if "numpy" in sys.modules:
            with suppress(ImportError, AttributeError):
                self._numpy = import_module("numpy.random").get_state()

    def put_back(self) -> None:
        """Go on with them from there."""
        random.setstate(self._state)
        if self._numpy is not None:
            with suppress(ImportError, AttributeError):
                import_module("numpy.random").set_state(self._numpy)
