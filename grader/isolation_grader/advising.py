"""What to try next: sentences that the figures of a grading give rise to, and no others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf, isfinite, sqrt
from statistics import fmean, median
from typing import Final

from isolation_fast import Board, search
from isolation_fast.tournament import Score
from isolation_grader.report import Baseline, Graded, Grading, LostGame

__all__ = ["advice"]

MOST: Final = 5
NOISE: Final = 2.5
"""So many standard errors are no chance, although seven opponents are looked at."""
DEAR: Final = 1.5
"""A cost from which on a cheaper heuristic is worth the trouble."""
FEW: Final = 3
"""Fewer games than that say nothing."""
FEW_VALUES: Final = 4
ENOUGH_MOVES: Final = 50
SAMPLE: Final = 60
"""Positions in which the depth of its search is compared with that of `improved`."""
HOPELESS: Final = 10
"""So many times the blocks that were played are not worth playing."""


def advice(graded: Graded, baseline: Baseline) -> tuple[str, ...]:
    """At most five sentences, what matters most first; none where the figures say nothing.

    `graded.lost_games` are looked at as well.
    """
    found: list[str] = []
    for sentences in (
        _errors(graded.grading),
        _ends(graded.lost_games),
        _undecided(graded.grading),
        _opponents(graded.grading, baseline),
        _cost(graded),
        _few_values(graded.lost_games),
        _turnings(graded.lost_games),
        _sides(graded.lost_games),
    ):
        found += sentences
    return tuple(found[:MOST])


def _errors(grading: Grading) -> Iterator[str]:
    faults = 0 if grading.result is None else len(grading.result.faults)
    if faults:
        games = _count(faults, "game")
        yield f"Mend first what lost {games} without the opponent's doing: it is named with each of them."


def _ends(lost: Sequence[LostGame]) -> Iterator[str]:
    """Whether its search sees the end of a game that is two moves away."""
    seen = [value for depth, value in map(_last, lost) if depth is not None and depth >= 2]
    blind = sum(value != -inf for value in seen)
    if blind >= FEW and 2 * blind > len(seen):
        yield (
            f"In {blind} of {_count(len(seen), 'lost game')} its search did not see the end two moves off: "
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
            f"If its games go on like that, some {rounded} blocks would decide that it is {likely}: "
            f"try --blocks {2 * rounded}."
        )
    else:
        yield (
            "Its difference to the baseline lies half-way between nothing and what is asked: "
            "more blocks would hardly decide, a better heuristic would."
        )


def _opponents(grading: Grading, baseline: Baseline) -> Iterator[str]:
    """Those against whom it does worse than the baseline, the worst one first."""
    known = {each.opponent: each for each in baseline.scores}
    behind = []
    for score in grading.scores:
        base = known.get(score.opponent)
        if base is None or base.rate is None or score.rate is None:
            continue
        error = sqrt(_error(score) ** 2 + _error(base) ** 2)
        if score.rate < base.rate - NOISE * error:
            behind.append((score.rate - base.rate, score, base))
    if not behind:
        return
    behind.sort(key=lambda each: each[0])
    named = ", ".join(
        f"{score.opponent} ({100 * (score.rate or 0):.0f} % to {100 * (base.rate or 0):.0f} %)"
        for _, score, base in behind[:3]
    )
    yield (
        f"It wins less than {baseline.name} against {named}, and by more than chance: "
        f"replay the games lost to {behind[0][1].opponent} first."
    )


def _cost(graded: Graded) -> Iterator[str]:
    """What a dear node takes from its search."""
    used = graded.grading.cost
    if used is None or used.cost.value < DEAR:
        return
    share = f"{100 / used.cost.value:.0f} %"
    told = f"A node costs {used.cost.value:.3g} times one with improved, so it searches {share} as many"
    depths = _depths(graded.lost_games, graded)
    if len(depths) >= FEW:
        own, other = (fmean(each[number] for each in depths) for number in range(2))
        told += f" (in lost games on average {own:.1f} moves ahead, where improved looks {other:.1f})"
    yield (
        f"{told}: compute the same with less, by a table that is made once, fewer calls of get_legal_moves, "
        "or only while few cells are blank."
    )


def _depths(lost: Sequence[LostGame], graded: Graded) -> list[tuple[int, int]]:
    """How far it looked ahead, and how far `improved` does for the same work, in some of its positions."""
    used = graded.grading.cost
    places = [(game, index) for game in lost for index in _own(game) if game.record.reasons[index] == "nodes"]
    step = max(1, len(places) // SAMPLE)
    found = []
    for game, index in places[::step][:SAMPLE]:
        depth, nodes = game.record.depths[index], game.record.nodes[index]
        if used is None or depth is None or not nodes:
            continue
        board = _board_before(game, index)
        cells = board.width * board.height
        worth = round(nodes * used.cost.at(len(board.get_blank_spaces()), cells))
        found.append((depth, search(board, "improved", nodes=max(1, worth), seed=0).depth))
    return found


def _few_values(lost: Sequence[LostGame]) -> Iterator[str]:
    values = (value for game in lost for value in _own_values(game))
    finite = [each for each in values if each is not None and isfinite(each)]
    different = len(set(finite))
    if len(finite) >= ENOUGH_MOVES and different <= FEW_VALUES:
        yield (
            f"Over {len(finite)} moves of lost games its search found no more than "
            f"{_count(different, 'different value')}: most moves look alike to it, and the first of them is "
            "taken. A finer value would tell them apart."
        )


def _turnings(lost: Sequence[LostGame]) -> Iterator[str]:
    """Whether it gives away games that are won."""
    turned = [each for each in lost if each.turning is not None]
    if len(turned) < FEW or 10 * len(turned) < len(lost):
        return
    blank = median(len(_board_before(each, each.turning or 0).get_blank_spaces()) for each in turned)
    # Where no value is ever below 0, one above it is no hope.
    both_signs = any(value is not None and -inf < value < 0 for each in lost for value in _own_values(each))
    hopeful = sum(_valued_above_nothing(each) for each in turned) if both_signs else 0
    believed = f", and in {hopeful} of them its search valued that move above 0" if hopeful else ""
    yield (
        f"{len(turned)} of {_count(len(lost), 'lost game')} were won until one move gave them away, half of "
        f"them with {blank:.0f} or fewer cells left{believed}: there it matters who has a move for longer, "
        "and not who has more moves now. Replay them from that move on."
    )


def _sides(lost: Sequence[LostGame]) -> Iterator[str]:
    """Whether one side is its weaker one, by more than chance: it plays as many games on each.

    An opening is one draw, and not fourteen: which side it favours, it favours against all opponents.
    """
    as_one = sum(each.player == 1 for each in lost)
    as_two = len(lost) - as_one
    more_as_one: Counter[int] = Counter()
    for each in lost:
        more_as_one[each.record.opening] += 1 if each.player == 1 else -1
    if abs(as_one - as_two) > NOISE * sqrt(sum(each**2 for each in more_as_one.values())):
        yield (
            f"It lost {_count(as_one, 'game')} as player 1 and {as_two} as player 2, on the same openings: "
            "look at what its value makes of whose turn it is (game.active_player)."
        )


def _last(game: LostGame) -> tuple[int | None, float | None]:
    """Depth and value of the last move of its own in a game that ended by having no move left."""
    record = game.record
    own = _own(game)
    if game.ending != "no moves" or not own or record.values[own[-1]] is None:
        return None, None
    return record.depths[own[-1]], record.values[own[-1]]


def _own(game: LostGame) -> list[int]:
    """Which moves of the game were the submission's."""
    # `mover` reads the start each time; whoever made the first move made every second one.
    first = 0 if not game.record.moves or game.record.mover(0) == game.player else 1
    return list(range(first, len(game.record.moves), 2))


def _own_values(game: LostGame) -> list[float | None]:
    return [game.record.values[index] for index in _own(game)]


def _valued_above_nothing(game: LostGame) -> bool:
    value = None if game.turning is None else game.record.values[game.turning]
    return value is not None and value > 0


def _board_before(game: LostGame, index: int) -> Board:
    board = Board.from_text(game.record.start)
    for move in game.record.moves[:index]:
        board.apply_move(move)
    return board


def _error(score: Score) -> float:
    pairs = score.head_to_head
    return inf if pairs is None else pairs.standard_error


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
