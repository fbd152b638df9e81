"""From the outcomes of a heuristic's calls, and from the endings of a player's games, to a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from isolation_fast.comparison.findings import HeuristicVerdict, PlayerVerdict
from isolation_fast.comparison.outcomes import Outcome, Relation, relation

__all__ = ["CRASHES", "Judgement", "judge_endings", "judge_outcomes"]

Outcomes: TypeAlias = Sequence[Outcome]
"""What the calls of one heuristic on one board gave, in the order of the calls."""

Repeat: TypeAlias = Callable[[], Outcomes]
Stands: TypeAlias = Callable[[int], bool]

# So many calls are tried again one by one.
MOST_TRIED: Final = 8
NOT_IN_THIS_CALL: Final = "random by itself, but not in this call"
OPAQUE: Final = "it returns objects that nothing is to be seen of"
LEFT_THE_BOARD: Final = "a move off the board"
EQUAL_IN_ORDER: Final = "equal with moves and random numbers in one order"
CRASHING_ANSWER: Final = "an answer that crashes the classic board is a forfeit"
FORFEIT: Final = "forfeit"
# How an ending is named that is an exception of the board's own dealing with an answer.
CRASHES: Final = "board crashes with"
IN_ORDER: Final = "with moves and random numbers in one order"
OUR_REFUSAL: Final = "raises IllegalMoveError"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, the counts behind it, and the number of the call that it rests on, where there is one.

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

    >>> from isolation_fast.comparison.outcomes import returned
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


def judge_endings(
    classic: Mapping[str, int], ours: Mapping[str, int], *, same_games: bool = False
) -> tuple[PlayerVerdict, str]:
    """Compare the kinds of endings. Unless they are the same games, how often each came is up to chance.

    >>> judge_endings({"normal end": 4}, {"normal end": 1, "raises IllegalMoveError": 3})
    ('declared', 'a move off the board')
    >>> judge_endings({"board crashes with ValueError": 4}, {"forfeit": 4})
    ('declared', 'an answer that crashes the classic board is a forfeit')
    >>> judge_endings({"normal end": 4}, {"normal end": 4, "forfeit": 1})
    ('differs', '')
    """
    if same_kinds(classic, ours):
        return "same games" if same_games else "same endings", ""
    # What these games would have come to without that, nobody knows; the other endings are to be known ones.
    left_the_board = {OUR_REFUSAL} & set(ours) - set(classic)
    crashes = {kind for kind in classic if kind.startswith(CRASHES) and kind not in ours}
    known = set(classic) | left_the_board | ({FORFEIT} if crashes else set())
    if (left_the_board or crashes) and set(ours) <= known:
        return "declared", LEFT_THE_BOARD if left_the_board else CRASHING_ANSWER
    return "differs", ""


def same_kinds(classic: Iterable[str], ours: Iterable[str]) -> bool:
    """Whether the same kinds of endings came on both boards."""
    return set(classic) == set(ours)
