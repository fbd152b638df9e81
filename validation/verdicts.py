"""What calls of a heuristic gave on several boards, and the verdict that follows.

A value is taken apart at once into its type and plain contents. So it does not matter what becomes of the
object later, nor that each copy of the submission has a class of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import copysign, isnan
from types import FunctionType, ModuleType
from typing import Any, Final, Literal, TypeAlias

from isolation_fast.exceptions import IsolationError
from isolation_fast.text import ADDRESS, error_line, type_name, value_line
from validation.findings import LEFT_THE_BOARD, HeuristicVerdict

__all__ = ["Judgement", "Outcome", "Relation", "judge_outcomes", "raised", "relation", "returned"]

Relation: TypeAlias = Literal["same", "rounding", "different", "unknown"]
"""How two outcomes are related; `rounding` means numbers that differ by a billionth at the most.

`unknown` is what nothing is to be seen of: two objects of one class that shows neither value nor attributes.
"""

ROUNDING: Final = 1e-9
DEEPEST: Final = 20
BOARD_PACKAGES: Final = ("isolation", "isolation_fast")
# An object that is returned, or in a container that is.
OUTERMOST: Final = 2
WORST_FIRST: Final[tuple[Relation, ...]] = ("different", "unknown", "rounding")
# So many calls are tried again one by one.
MOST_TRIED: Final = 8
NOT_IN_THIS_CALL: Final = "random by itself, but not in this call"
OPAQUE: Final = "it returns objects that nothing is to be seen of"
EQUAL_IN_ORDER: Final = "equal with moves and random numbers in one order"
IN_ORDER: Final = "with moves and random numbers in one order"

Contents: TypeAlias = tuple[str, Any]
"""The name of a type, and what a value of it holds: a number, a text, or a tuple of contents."""


Outcomes: TypeAlias = "Sequence[Outcome]"
"""What the calls of one heuristic on one board gave, in the order of the calls."""

Repeat: TypeAlias = Callable[[], Outcomes]
Stands: TypeAlias = Callable[[int], bool]


class Opaque:
    """Stands for an object that nothing is to be seen of."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A value that a call returned, or an exception that it raised.

    - `shown`: the value as `repr` shows it, or the exception as a traceback ends.
    - `contents`: the type and contents of a value, None for an exception.
    - `exceptions`: the exception's name, and for one of this package also the built-in error that it is like.
    - `left_the_board`: whether a move off the board was refused during the call, caught or not.
    """

    shown: str
    contents: Contents | None = None
    exceptions: tuple[str, ...] = ()
    left_the_board: bool = False

    @property
    def is_exception(self) -> bool:
        """Whether the call raised."""
        return bool(self.exceptions)


def returned(value: object, *, left_the_board: bool = False) -> Outcome:
    """The outcome of a call that returned.

    >>> returned(3.0).contents, returned((1, -0.0)).contents
    (('float', 3.0), ('tuple', (('int', 1), ('float', -0.0))))
    """
    return Outcome(value_line(value), contents=_contents(value), left_the_board=left_the_board)


def raised(error: BaseException, *, left_the_board: bool = False) -> Outcome:
    """The outcome of a call that raised.

    >>> raised(KeyError("Eve")).exceptions
    ('KeyError',)
    >>> from isolation_fast import UnknownPlayerError
    >>> raised(UnknownPlayerError("no such player")).exceptions
    ('isolation_fast.exceptions.UnknownPlayerError', 'RuntimeError')
    """
    kind = type(error)
    names = [type_name(kind)]
    if isinstance(error, IsolationError):
        # Our errors are the classic ones with a clearer text. A plain `Exception` is like nothing.
        plain = (IsolationError, Exception, BaseException, object)
        names += [type_name(base) for base in kind.__mro__[1:] if base not in plain]
    return Outcome(error_line(error), exceptions=tuple(names), left_the_board=left_the_board)


def relation(classic: Outcome, ours: Outcome) -> Relation:
    """How our outcome is related to the classic one.

    >>> relation(returned(0.1 + 0.2), returned(0.3)), relation(returned(3), returned(3.0))
    ('rounding', 'different')
    >>> from isolation_fast import UnknownPlayerError
    >>> relation(raised(RuntimeError("who?")), raised(UnknownPlayerError("'Eve' is not a player")))
    'same'
    """
    if classic.contents is None or ours.contents is None:
        same = classic.contents is ours.contents and classic.exceptions[0] in ours.exceptions
        return "same" if same else "different"
    return _related(classic.contents, ours.contents)


def _related(first: Contents, second: Contents) -> Relation:
    (first_kind, one), (second_kind, other) = first, second
    if first_kind != second_kind or type(one) is not type(other):
        return "different"
    if isinstance(one, float):
        return _related_floats(one, other)
    if isinstance(one, tuple):
        if len(one) != len(other):
            return "different"
        found = {_related(*pair) for pair in zip(one, other, strict=True)}
        return next((each for each in WORST_FIRST if each in found), "same")
    if isinstance(one, Opaque):
        return "unknown"
    return "same" if one == other else "different"


def _related_floats(one: float, other: float) -> Relation:
    if isnan(one) and isnan(other):
        return "same"
    if one == other:
        return "same" if copysign(1, one) == copysign(1, other) else "rounding"
    # Infinities that are not equal have an infinite or undefined difference, which is no rounding.
    size = max(abs(one), abs(other))
    return "rounding" if abs(one - other) <= ROUNDING * size < float("inf") else "different"


def _contents(value: object, depth: int = 0) -> Contents:
    kind = type(value)
    if kind.__name__ == "Board" and str(kind.__module__).partition(".")[0] in BOARD_PACKAGES:
        # The classic one and ours are of two types, and that is what is to make no difference.
        return "Board", Opaque()
    try:
        return type_name(type(value)), _parts(value, depth)
    except BaseException:  # noqa: BLE001 - a submission's own class may do anything when it is looked at
        return type_name(type(value)), Opaque()


def _parts(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, (str, bytes)):
        return value
    for number in (int, float):
        if isinstance(value, number):
            return number(value)
    if isinstance(value, complex):
        return (("float", value.real), ("float", value.imag))
    parts = _members(value)
    if parts is not None:
        return tuple(_contents(each, depth + 1) for each in parts) if depth < DEEPEST else "..."
    return _numpy_parts(value, depth)


def _members(value: Any) -> Sequence[Any] | None:
    """What a container holds, in an order of its own where it has none; None for what is no container."""
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    return None


def _numpy_parts(value: Any, depth: int) -> Any:
    if type(value).__module__.partition(".")[0] == "numpy" and hasattr(value, "tolist"):
        # Arrays as nested lists, scalars as the Python number. A type without one is shown as text.
        plain = value.tolist()
        shape = str(getattr(value, "shape", ()))
        if type(plain).__module__ == "builtins":
            return (("shape", shape), ("type", str(value.dtype)), _contents(plain, depth + 1))
    return _visible_parts(value, depth)


def _visible_parts(value: Any, depth: int) -> Any:
    """What an object of any other class shows of itself: its attributes, else its text."""
    attributes = getattr(value, "__dict__", None)
    if (
        isinstance(attributes, dict)
        and attributes
        and not isinstance(value, (type, ModuleType, FunctionType))
    ):
        # Those of an outermost object alone: what objects hold of each other may have no end.
        return (_contents(attributes, depth + 1),) if depth < OUTERMOST else Opaque()
    text = repr(value)
    # An address tells apart what nothing else does.
    return Opaque() if ADDRESS.search(text) else text


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, the counts it rests on, and the number of the call that shows it, where there is one.

    `in_order` says that this call is to be shown beside the one of the classic board in our order.
    """

    verdict: HeuristicVerdict
    equal: int
    rounding: int
    exceptions: int
    detail: str = ""
    first: int | None = None
    in_order: bool = False


def judge_outcomes(
    classic: Outcomes, again: Outcomes, ordered: Outcomes, ours: Outcomes, repeat: Repeat, stands: Stands
) -> Judgement:
    """Compare the outcomes of the same calls on four boards.

    The classic one, the same with other random numbers, the same with its moves in our order, and ours.
    `repeat` makes the calls of the third one once more, and is called if that is of use. So is `stands`: it
    says of a call that is repeated there, and differs on ours, whether it does so with many random numbers.

    >>> one, two, three = returned(1.0), returned(2.0), returned(3.0)
    >>> judge_outcomes([one], [one], [one], [one], lambda: [one], bool).verdict
    'same values'
    >>> judge_outcomes([one], [two], [three], [three], lambda: [three], bool).detail
    'equal with moves and random numbers in one order'
    """
    related = _relations(classic, ours)
    counts = related.count("same"), related.count("rounding"), sum(each.is_exception for each in classic)
    in_order = _relations(ordered, ours)
    equal_in_order = EQUAL_IN_ORDER if set(in_order) <= {"same"} else ""
    if "different" in (*_relations(classic, again), *_relations(classic, ordered)):
        if equal_in_order:
            return Judgement("random by itself", *counts, equal_in_order)
        repeated = repeat()
        if set(_relations(ordered, repeated)) <= {"same"} and (found := _difference(in_order, ours)):
            # Order and random numbers are the same, and nothing else is left to chance.
            verdict, detail, first = found
            return Judgement(verdict, *counts, detail or IN_ORDER, first, in_order=True)
        steady = _steady((classic, again, ordered, repeated), ours)
        if (number := next(filter(stands, steady[:MOST_TRIED]), None)) is not None:
            return Judgement("differs", *counts, NOT_IN_THIS_CALL, number)
        if raised := _raised_on_one_board(related, classic, again, ours):
            return Judgement("differs", *counts, *raised)
        return Judgement("random by itself", *counts)
    if found := _difference(related, ours):
        verdict, detail, first = found
        return Judgement(verdict, *counts, detail, first)
    if "unknown" in related:
        return Judgement("not comparable", *counts, OPAQUE)
    if "rounding" in related:
        return Judgement("rounding only", *counts, equal_in_order)
    if classic and all(each.is_exception for each in classic):
        kinds = sorted({each.exceptions[0] for each in classic})
        return Judgement("same exception types", *counts, ", ".join(kinds))
    return Judgement("same values", *counts)


def _relations(some: Outcomes, others: Outcomes) -> list[Relation]:
    return [relation(*pair) for pair in zip(some, others, strict=True)]


def _difference(related: Sequence[Relation], ours: Outcomes) -> tuple[HeuristicVerdict, str, int] | None:
    """The verdict on calls that are different, its detail, and its first call; None where there are none."""
    different = [number for number, each in enumerate(related) if each == "different"]
    undeclared = [number for number in different if not ours[number].left_the_board]
    if undeclared:
        return "differs", "", undeclared[0]
    return ("declared", LEFT_THE_BOARD, different[0]) if different else None


def _steady(classic: Sequence[Outcomes], ours: Outcomes) -> list[int]:
    """The calls in which the classic board gave the same each time, and ours something else."""
    first, *others = classic
    return [
        number
        for number, outcome in enumerate(ours)
        if not outcome.left_the_board
        and relation(first[number], outcome) == "different"
        and all(relation(first[number], other[number]) == "same" for other in others)
    ]


def _raised_on_one_board(
    related: Sequence[Relation], classic: Outcomes, again: Outcomes, ours: Outcomes
) -> tuple[str, int] | None:
    """What one board raises in a call and the other in none at all, and that call: no chance explains it."""
    by_classic = {each.exceptions[0] for each in (*classic, *again) if each.is_exception}
    by_ours = {kind for each in ours for kind in each.exceptions}
    for number, (one, two, other) in enumerate(zip(classic, again, ours, strict=True)):
        if related[number] != "different" or other.left_the_board:
            continue
        raising = one.is_exception, two.is_exception, other.is_exception
        if raising == (False, False, True) and not by_classic & set(other.exceptions):
            return f"random by itself, but only ours raises {_short(other.exceptions[0])}", number
        if raising == (True, True, False) and one.exceptions[0] not in by_ours:
            return f"random by itself, but only the classic board raises {_short(one.exceptions[0])}", number
    return None


def _short(name: str) -> str:
    return name.rpartition(".")[2]
