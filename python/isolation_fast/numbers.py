"""The checker of numbers that callers pass: what is accepted, and the one wording of what is refused.

Each check names the argument, says what is allowed, and shows the value. `error` is the class that it raises.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import isfinite, nan
from numbers import Real
from operator import index
from typing import Final, Literal, TypeAlias, get_args

from isolation_fast.exceptions import InvalidArgumentError

__all__ = ["NANS", "Nan", "above_zero", "difference", "finite", "integer", "number", "proper_share", "share"]

Error: TypeAlias = Callable[[str], Exception]

Nan: TypeAlias = Literal["course", "refuse"]
"""What a search does with a NaN that a heuristic returns.

- `course`: it compares NaN as the loops do that the course's pseudo-code becomes in Python, and counts it. A
  loop begins with the worst value and takes what is better; NaN is not better than anything.
- `refuse`: it is an error, and in a tournament the game is lost.
"""

NANS: Final[tuple[Nan, ...]] = get_args(Nan)


def integer(
    name: str,
    value: object,
    least: int | None = None,
    most: int | None = None,
    *,
    error: Error = InvalidArgumentError,
) -> int:
    """The value as an int, if it is an integer (and no bool: `depth=True` is a slip) within the bounds.

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
    error: Error = InvalidArgumentError,
) -> float:
    """The value as a float (an int stays one), if it is a finite number (and no bool) within the bounds.

    >>> number("ms", 150, above=0)
    150
    >>> number("move_cpu", -1, above=0, most=60)
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: move_cpu must be a number above 0 and at most 60, not -1
    """
    found = nan
    if isinstance(value, Real) and not isinstance(value, bool):
        with suppress(OverflowError):  # an integer or a fraction beyond every float
            found = float(value)
    high_enough = (above is None or found > above) and (least is None or found >= least)
    low_enough = (below is None or found < below) and (most is None or found <= most)
    if not (isfinite(found) and high_enough and low_enough):
        what = "a finite number" if below is None and most is None else "a number"
        raise error(f"{name} must be {what}{_bounds(above, least, below, most)}, not {value!r}")
    return value if isinstance(value, int) else found


def _bounds(above: float | None, least: float | None, below: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f" from {least:,} to {most:,}"
    words = (("above", above), ("of at least", least), ("below", below), ("at most", most))
    stated = [f"{word} {bound:,}" for word, bound in words if bound is not None]
    return f" {' and '.join(stated)}" if stated else ""


def finite(name: str, value: object, error: Error = InvalidArgumentError, **bounds: float) -> float:
    """The same as a float in any case."""
    return float(number(name, value, error=error, **bounds))


above_zero = partial(finite, above=0)
share = partial(finite, least=0, most=1)
difference = partial(finite, least=-1, most=1)
"""A rate, or the difference of two."""
proper_share = partial(finite, above=0, below=1)
"""Neither 0 nor 1, such as the level of an interval."""
