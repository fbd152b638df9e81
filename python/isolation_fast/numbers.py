"""The checker of numbers that callers pass: what is accepted, and the one wording of what is refused.

Each check names the argument, says what is allowed, and shows the value. `error` is the class that it raises.
"""

from collections.abc import Callable
from contextlib import suppress
from math import isfinite, nan
from numbers import Real
from operator import index
from typing import TypeAlias

from isolation_fast.exceptions import InvalidArgumentError

__all__ = ["above_zero", "difference", "finite", "integer", "number", "proper_share", "share"]

Error: TypeAlias = Callable[[str], Exception]


def integer(
    name: str,
    value: object,
    least: int | None = None,
    most: int | None = None,
    *,
    error: Error = InvalidArgumentError,
) -> int:
    """The value as an int, if it is an integer (and no bool: `depth=True` is a slip) within the bounds.

    >>> integer("depth", 3, 1)
    3
    >>> integer("memory", 0, 1, 64)
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: memory must be an integer from 1 to 64, not 0
    """
    found = None
    if not isinstance(value, bool):
        with suppress(TypeError):
            found = index(value)  # type: ignore[arg-type] # that it may be none is what is asked
    if found is None or (least is not None and found < least) or (most is not None and found > most):
        raise error(f"{name} must be an integer{_bounds(None, least, None, most)}, not {value!r}")
    return found


def number(
    name: str,
    value: object,
    *,
    above: float | None = None,
    least: float | None = None,
    below: float | None = None,
    most: float | None = None,
    unit: str = "",
    error: Error = InvalidArgumentError,
) -> float:
    """The value as a float (an int stays one), if it is a finite number (and no bool) within the bounds.

    >>> number("ms", 150, above=0)
    150
    >>> number("wait", -1, least=0, unit="ms")
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: wait must be a finite number of ms of at least 0, not -1
    """
    found = nan
    if isinstance(value, Real) and not isinstance(value, bool):
        with suppress(OverflowError):  # an integer or a fraction beyond every float
            found = float(value)
    high_enough = (above is None or found > above) and (least is None or found >= least)
    low_enough = (below is None or found < below) and (most is None or found <= most)
    if not (isfinite(found) and high_enough and low_enough):
        what = "a finite number" if below is None and most is None else "a number"
        of = f" of {unit}" if unit else ""
        raise error(f"{name} must be {what}{of}{_bounds(above, least, below, most)}, not {value!r}")
    return value if isinstance(value, int) else found


def _bounds(above: float | None, least: float | None, below: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f" from {least} to {most}"
    words = (("above", above), ("of at least", least), ("below", below), ("at most", most))
    stated = [f"{word} {bound}" for word, bound in words if bound is not None]
    return f" {' and '.join(stated)}" if stated else ""


def finite(name: str, value: object, error: Error = InvalidArgumentError) -> float:
    """The value as a float, if it is a finite number.

    >>> finite("elo", 3)
    3.0
    """
    return float(number(name, value, error=error))


def above_zero(name: str, value: object, error: Error = InvalidArgumentError) -> float:
    """The value as a float, if it is a finite number above 0.

    >>> above_zero("variance", 0.011)
    0.011
    """
    return float(number(name, value, above=0, error=error))


def share(name: str, value: object) -> float:
    """The value as a float, if it is a number from 0 to 1.

    >>> share("rate", 1)
    1.0
    """
    return float(number(name, value, least=0, most=1))


def difference(name: str, value: object) -> float:
    """The value as a float, if it is a number from -1 to 1: a rate, or the difference of two.

    >>> difference("truth", -0.05)
    -0.05
    """
    return float(number(name, value, least=-1, most=1))


def proper_share(name: str, value: object) -> float:
    """The value as a float, if it is a number between 0 and 1 and neither of them.

    >>> proper_share("level", 0.95)
    0.95
    """
    return float(number(name, value, above=0, below=1))
