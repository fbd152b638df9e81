"""The random numbers that other people's code draws: begun anew, so that it draws the same each time."""

import random
import sys

__all__ = ["reseed"]

NUMPY_SEEDS = 2**32


def reseed(seed: int) -> None:
    """Make what is drawn after this the same each time: from Python's random numbers, and from NumPy's.

    >>> reseed(1), random.randrange(100), reseed(1), random.randrange(100)
    (None, 17, None, 17)
    """
    random.seed(seed)
    if numpy_random := sys.modules.get("numpy.random"):
        numpy_random.seed(seed % NUMPY_SEEDS)
