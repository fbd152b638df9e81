"""What the functions of this package accept as numbers, and the one wording of what they refuse."""

from collections.abc import Callable
from contextlib import suppress
from math import isfinite, nan
from numbers import Real

from isolation_fast.exceptions import InvalidArgumentError


def finite(name: str, value: object) -> float:
    """The value as a float, if it is a finite number (and no bool).

    >>> finite("elo", 3)
    3.0
    """
    return _number(name, value, lambda _: True, "a finite number")


def above_zero(name: str, value: object) -> float:
    """The value as a float, if it is a finite number above 0.

    >>> above_zero("variance", 0.011)
    0.011
    """
    return _number(name, value, lambda number: number > 0.0, "a finite number above 0")


def share(name: str, value: object) -> float:
    """The value as a float, if it is a number from 0 to 1.

    >>> share("rate", 1)
    1.0
    """
    return _number(name, value, lambda number: 0.0 <= number <= 1.0, "a number from 0 to 1")


def difference(name: str, value: object) -> float:
    """The value as a float, if it is a number from -1 to 1: a rate, or the difference of two.

    >>> difference("truth", -0.05)
    -0.05
    """
    return _number(name, value, lambda number: -1.0 <= number <= 1.0, "a number from -1 to 1")


def proper_share(name: str, value: object) -> float:
    """The value as a float, if it is a number between 0 and 1 and neither of them.

    >>> proper_share("level", 0.95)
    0.95
    """
    return _number(name, value, lambda number: 0.0 < number < 1.0, "a number above 0 and below 1")


def _number(name: str, value: object, holds: Callable[[float], bool], wanted: str) -> float:
    number = nan
    if isinstance(value, Real) and not isinstance(value, bool):
        with suppress(OverflowError):  # an integer or a fraction beyond every float
            number = float(value)
    if not isfinite(number) or not holds(number):
        raise InvalidArgumentError(f"{name} must be {wanted}, not {value!r}")
    return number
