"""The random numbers that other people's code draws: begun anew, so that it draws the same each time."""

import random
import sys
from contextlib import suppress
from importlib import import_module

__all__ = ["reseed"]

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
