"""From the outcomes of a heuristic's calls, and from the endings of a player's games, to a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from isolation_fast.comparison.findings import HeuristicVerdict, PlayerVerdict
from isolation_fast.comparison.outcomes import Outcome, relation

__all__ = ["CRASHES", "Judgement", "judge_endings", "judge_outcomes"]

LEFT_THE_BOARD: Final = "a move off the board"
EQUAL_IN_ORDER: Final = "equal with moves and random numbers in one order"
CRASHING_ANSWER: Final = "an answer that crashes the classic board is a forfeit"
FORFEIT: Final = "forfeit"
# How an ending is named that is an exception of the board's own dealing with an answer.
CRASHES: Final = "board crashes with"
OUR_REFUSAL: Final = "raises IllegalMoveError"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, the counts behind it, and the number of the call that it rests on, where there is one."""

    verdict: HeuristicVerdict
    equal: int
    rounding: int
    exceptions: int
    detail: str = ""
    first: int | None = None


def judge_outcomes(
    classic: Sequence[Outcome],
    again: Sequence[Outcome],
    ordered: Sequence[Outcome],
    ours: Sequence[Outcome],
) -> Judgement:
    """Compare the outcomes of the same calls on four boards.

    The classic one, the same with other random numbers, the same with its moves in our order, and ours.

    >>> from isolation_fast.comparison.outcomes import returned
    >>> one, two, three = returned(1.0), returned(2.0), returned(3.0)
    >>> judge_outcomes([one], [one], [one], [one]).verdict
    'same values'
    >>> judge_outcomes([one], [two], [three], [three]).detail
    'equal with moves and random numbers in one order'
    """
    related = [relation(*pair) for pair in zip(classic, ours, strict=True)]
    different = [number for number, each in enumerate(related) if each == "different"]
    undeclared = [number for number in different if not ours[number].left_the_board]
    equal, rounding = related.count("same"), related.count("rounding")
    exceptions = sum(each.is_exception for each in classic)
    equal_in_order = all(relation(*pair) == "same" for pair in zip(ordered, ours, strict=True))

    def judgement(verdict: HeuristicVerdict, detail: str = "", first: int | None = None) -> Judgement:
        return Judgement(verdict, equal, rounding, exceptions, detail, first)

    if any(relation(*pair) == "different" for pair in zip(classic, again, strict=True)):
        # Values say nothing here, but whether a call raises should not be up to chance.
        for number in undeclared:
            if detail := _raises_on_one_board(number, classic, again, ours):
                return judgement("differs", detail, number)
        return judgement("random by itself", EQUAL_IN_ORDER if equal_in_order else "")
    if undeclared:
        return judgement("differs", first=undeclared[0])
    if different:
        return judgement("declared", LEFT_THE_BOARD, different[0])
    if rounding:
        return judgement("rounding only", EQUAL_IN_ORDER if equal_in_order else "")
    if exceptions == len(related) > 0:
        kinds = sorted({each.exceptions[0] for each in classic})
        return judgement("same exception types", ", ".join(kinds))
    return judgement("same values")


def _raises_on_one_board(
    number: int, classic: Sequence[Outcome], again: Sequence[Outcome], ours: Sequence[Outcome]
) -> str:
    """What one board raises in this call, and the other in no call at all; nothing where that is not so."""
    one, two, other = classic[number], again[number], ours[number]
    if other.is_exception and not one.is_exception and not two.is_exception:
        kinds = other.exceptions
        if not any(each.exceptions[0] in kinds for each in (*classic, *again) if each.is_exception):
            return f"random by itself, but only ours raises {_short(kinds[0])}"
    if one.is_exception and two.is_exception and not other.is_exception:
        kind = one.exceptions[0]
        if not any(kind in each.exceptions for each in ours):
            return f"random by itself, but only the classic board raises {_short(kind)}"
    return ""


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
