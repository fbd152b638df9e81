"""What to try next: at most five sentences, each of which the figures of a grading give rise to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from math import inf, isfinite, sqrt
from operator import itemgetter
from statistics import fmean
from typing import Final

from isolation_fast import Board, search
from isolation_fast.text import counted
from isolation_fast.tournament import GameRecord, Score
from isolation_grader.lost_games import LosingMove, LostGame, Stage, own_moves
from isolation_grader.report import Baseline, Graded, Grading

REMEDIES: Final[dict[Stage, str]] = {
    "early": "So early count how long each player can still move, not how many moves it has now",
    "middle": "At that stage count how long each player can still move, not how many moves it has now",
    "late": "So late a search sees the end if its value is cheap where few cells are blank",
}
"""By the stage at which most wins are thrown away."""

MOST: Final = 5
NOISE: Final = 2.5
"""More standard errors than that are no chance, although seven opponents are compared."""
EXPENSIVE: Final = 1.5
"""From this cost on, a cheaper heuristic is worth the trouble."""
FEW: Final = 3
"""Fewer games say nothing."""
FEW_VALUES: Final = 4
ENOUGH_MOVES: Final = 50
SAMPLE: Final = 60
"""How many positions compare the depth of its search with that of `improved`."""
HOPELESS: Final = 10
"""More than so many times the blocks played so far are not worth playing."""


def advice(graded: Graded, baseline: Baseline) -> tuple[str, ...]:
    """At most five sentences on its figures and `graded.lost_games`, what matters most first."""
    grading, lost = graded.grading, graded.lost_games
    found = chain(
        _errors(grading),
        _ends(lost),
        _undecided(grading),
        _opponents(grading, baseline),
        _cost(graded),
        _few_values(lost),
        _turnings(lost),
        _sides(lost),
    )
    return tuple(islice(found, MOST))


def _errors(grading: Grading) -> Iterator[str]:
    faults = 0 if grading.result is None else len(grading.result.faults)
    if faults:
        yield f"First fix the errors that lost {counted(faults, 'game')}: each of these games names its own."


def _ends(lost: Sequence[LostGame]) -> Iterator[str]:
    """Whether its search sees the end of a game that is two moves away."""
    last = [
        (each.record, index)
        for each in lost
        if each.ending == "no moves"
        for index in own_moves(each.record)[-1:]
    ]
    seen = [record.values[index] for record, index in last if (record.depths[index] or 0) >= 2]
    seen = [each for each in seen if each is not None]
    blind = sum(value != -inf for value in seen)
    if blind >= FEW and 2 * blind > len(seen):
        yield (
            f"In {blind} of {counted(len(seen), 'lost game')} its search missed an end two moves away: "
            'return float("-inf") where game.is_loser(player), and float("inf") where '
            "game.is_winner(player)."
        )


def _undecided(grading: Grading) -> Iterator[str]:
    """How many blocks more would decide."""
    test = grading.test
    if grading.verdict != "undecided" or test is None or not test.count or test.llr == 0:
        return
    bound = test.upper if test.llr > 0 else test.lower
    blocks = test.count * bound / test.llr
    if blocks <= HOPELESS * test.count:
        likely = "better" if test.llr > 0 else "not better"
        rounded = max(test.count + 10, 10 * round(blocks / 10))
        yield (
            f"If its games go on like this, about {rounded} blocks would decide that it is {likely}: "
            f"try --blocks {2 * rounded}."
        )
    else:
        yield (
            "Its difference to the baseline is about half the points asked for: "
            "more blocks would hardly decide, a better heuristic would."
        )


def _opponents(grading: Grading, baseline: Baseline) -> Iterator[str]:
    """The opponents against which it does worse than the baseline, the worst one first."""
    known = {each.opponent: each for each in baseline.scores}
    below = []
    for score in grading.scores:
        base = known.get(score.opponent)
        if base is None or base.rate is None or score.rate is None:
            continue
        if score.rate < base.rate - NOISE * sqrt(_error(score) ** 2 + _error(base) ** 2):
            below.append((score.rate - base.rate, score.opponent, score.rate, base.rate))
    below.sort(key=itemgetter(0))
    named = ", ".join(
        f"{name} ({100 * own:.0f} %, {baseline.name} {100 * other:.0f} %)"
        for _, name, own, other in below[:3]
    )
    if below:
        yield (
            f"It wins less than {baseline.name} against {named}, by more than chance explains: "
            f"first replay the games lost to {below[0][1]}."
        )


def _cost(graded: Graded) -> Iterator[str]:
    """What an expensive node takes from its search."""
    used = graded.grading.cost
    if used is None or used.value < EXPENSIVE:
        return
    share = f"{100 / used.value:.0f} %"
    costs = f"A node costs {used.value:.3g} times one with improved, so its search makes {share} as many"
    depths = _depths(graded.lost_games, used.value)
    if len(depths) >= FEW:
        own, other = (fmean(each[number] for each in depths) for number in range(2))
        costs += f" (in lost games it looks on average {own:.1f} moves ahead, improved {other:.1f})"
    yield (
        f"{costs}: make it cheaper with a table that is built once, fewer calls of get_legal_moves, "
        "or work that is done only while few cells are blank."
    )


def _depths(lost: Sequence[LostGame], used: float) -> list[tuple[int, int]]:
    """How far its search looked ahead in some positions, and how far `improved` does for the same work."""
    records = [game.record for game in lost]
    places = [
        (each, index) for each in records for index in own_moves(each) if each.reasons[index] == "nodes"
    ]
    step = max(1, len(places) // SAMPLE)
    found = []
    for record, index in places[::step][:SAMPLE]:
        depth, nodes = record.depths[index], record.nodes[index]
        if depth is not None and nodes:
            board = _board_before(record, index)
            worth = round(nodes * used)
            found.append((depth, search(board, "improved", nodes=max(1, worth), seed=0).depth))
    return found


def _few_values(lost: Sequence[LostGame]) -> Iterator[str]:
    finite = [value for value in _own_values(lost) if isfinite(value)]
    different = len(set(finite))
    if len(finite) >= ENOUGH_MOVES and different <= FEW_VALUES:
        yield (
            f"Over {len(finite)} moves of lost games its search found only "
            f"{counted(different, 'different value')}, so most moves look equal and it takes the first: "
            "return a finer value."
        )


def _turnings(lost: Sequence[LostGame]) -> Iterator[str]:
    """Whether it loses won games."""
    turned = [each.losing for each in lost if each.losing is not None]
    if len(turned) < FEW or 10 * len(turned) < len(lost):
        return
    blanks = {stage: [each.blank for each in turned if each.stage == stage] for stage in REMEDIES}
    stages = ", ".join(_when(stage, blank) for stage, blank in blanks.items() if blank)
    from_start = sum(each.lost_from_start for each in lost)
    # Other games began lost too: there the opponent gave the win back.
    others = f" ({from_start} {'was' if from_start == 1 else 'were'} lost from the drawn opening on)"
    believed = "; ".join([*_hoped(lost), *_preferred(turned)])
    remedy = REMEDIES[max(blanks, key=lambda stage: len(blanks[stage]))]
    yield (
        f"In {len(turned)} of {counted(len(lost), 'lost game')}{others if from_start else ''} "
        f"a single move threw away a won position: {stages}. {believed[:1].upper()}{believed[1:]}"
        f"{'. ' if believed else ''}{remedy}: replay these games from that move."
    )


def _when(stage: Stage, blank: Sequence[int]) -> str:
    """How many at a stage, and how many cells were left there."""
    least, most = min(blank), max(blank)
    left = f"{least} to {counted(most, 'cell')}" if least < most else counted(most, "cell")
    return f"{len(blank)} {'in the middle' if stage == 'middle' else stage} ({left} left)"


def _hoped(lost: Sequence[LostGame]) -> Iterator[str]:
    """How many of the losing moves its search took for good ones."""
    values = [each.record.values[each.losing.number - 1] for each in lost if each.losing is not None]
    hopeful = sum((value or 0) > 0 for value in values)
    # Where no value is ever below 0, one above it is no hope.
    if hopeful and any(-inf < value < 0 for value in _own_values(lost)):
        yield f"its search valued {hopeful} of these moves above 0"


def _preferred(turned: Sequence[LosingMove]) -> Iterator[str]:
    """How often the heuristic is wrong there without the search, as far as it was asked."""
    wrong = [each.preferred not in each.instead for each in turned if each.preferred is not None]
    if wrong:
        of = f"{sum(wrong) or 'none'} of {'these' if len(wrong) == len(turned) else len(wrong)}"
        yield f"looking one move ahead, its heuristic prefers a losing move in {of} positions"


def _sides(lost: Sequence[LostGame]) -> Iterator[str]:
    """Whether it is weaker on one side by more than chance: it plays as many games on each.

    An opening is one observation, not fourteen: it favours the same side against all opponents.
    """
    as_one = sum(each.player == 1 for each in lost)
    as_two = len(lost) - as_one
    more_as_one: Counter[int] = Counter()
    for each in lost:
        more_as_one[each.record.opening] += 1 if each.player == 1 else -1
    if abs(as_one - as_two) > NOISE * sqrt(sum(each**2 for each in more_as_one.values())):
        yield (
            f"It lost {counted(as_one, 'game')} as player 1 and {as_two} as player 2, on the same openings: "
            "check how its value depends on whose turn it is (game.active_player)."
        )


def _own_values(lost: Sequence[LostGame]) -> Iterator[float]:
    """What its search found for its moves."""
    values = (game.record.values[index] for game in lost for index in own_moves(game.record))
    return (each for each in values if each is not None)


def _board_before(record: GameRecord, index: int) -> Board:
    return next(islice(record.boards(), index, None))


def _error(score: Score) -> float:
    return score.head_to_head.standard_error if score.head_to_head else inf
