"""What happened in each lost game, and what to try next.

Every position of a lost game is solved, from the end backwards. On 7 by 7 all of them can be; on larger
boards the first position without a result ends it.

```text
 start . . . . . . . . x o x o x o x
                       |   |   |   `- no move left
                       |   |   `- lost
                       |   `- lost            a move between "won" and "lost" lost the game
                       `- won
```

The advice is at most five sentences, each of which the figures of a grading give rise to.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from math import inf, isfinite, sqrt
from operator import itemgetter
from statistics import fmean, median
from typing import Final

from isolation_fast import Board, Cost, annotate, search
from isolation_fast.endings import GameEnding
from isolation_fast.output import visible
from isolation_fast.tournament import GameRecord, Score
from isolation_grader.report import Baseline, Graded, Grading, LostGame

NODES: Final = 10_000_000
"""For each position. Of the openings of 7 by 7 most need a million, and none more than six."""

EARLIER: Final = "An earlier move lost the game. Which one is not proven: too many cells were left."

ANSWERED: Final = re.compile(r"it answered \((-?\d{1,9}), (-?\d{1,9})\)")

FAULTS: Final[dict[GameEnding, str]] = {
    "illegal move": "It made no legal move",
    "timeout": "It took too long",
    "raised": "It raised",
    "bad answer": "It gave no usable answer",
    "hung": "It gave no answer",
    "killed": "Its process ended",
    "not loaded": "It could not be loaded",
    "not played": "It was not played",
    "out of memory": "It asked for more memory than it is allowed",
    "refused": "It asked the system for something that a submission may not have",
    "protocol broken": "Its process sent something other than an answer",
    "overspent": "Its turn took far more work than its budget is worth",
}

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


def lost_game(record: GameRecord, opponent: str, trace: tuple[str, ...]) -> LostGame:
    """A lost game, and what happened in it."""
    outplayed = record.ending == "no moves"
    happened, turning = _played_to_the_end(record) if outplayed else (_fault(record), None)
    return LostGame(opponent, record, happened, turning, trace)


def _played_to_the_end(record: GameRecord) -> tuple[str, int | None]:
    own = _own(record)
    if not own:
        return "It had no move from the start.", None
    annotation, boards = annotate(record, nodes=NODES), list(record.boards())
    lost_by = annotation.losing_move
    if lost_by is not None:
        turn, move = lost_by.number - 1, _plain(record.moves[lost_by.number - 1])
        return (
            f"With {_left(boards[turn])} it moved to {move} and lost a won game: "
            f"{_either(annotation.instead)} would have kept the win.{_belief(record, turn, move)}"
        ), turn
    if annotation.lost_from_start:
        return f"It was lost from its first turn, with {_left(boards[own[0]])}: every move loses.", None
    lost = [turn for turn in own if annotation.moves[turn].verdict == "could not help"]
    if not lost:
        return f"It ran out of moves. {EARLIER}", None
    belief = _belief(record, lost[0], "its best move")
    return f"With {_left(boards[lost[0]])} every move loses.{belief} {EARLIER}", None


def _left(board: Board) -> str:
    return f"{_count(len(board.get_blank_spaces()), 'cell')} left"


def _either(moves: Sequence[tuple[int, int]]) -> str:
    """The moves in words: one, one or another, or several."""
    *most, last = map(str, moves)
    return f"{', '.join(most)} or {last}" if most else last


def _belief(record: GameRecord, index: int, what: str) -> str:
    """What its own search believed there, a sentence; empty where it made none."""
    depth, value = record.depths[index], record.values[index]
    if depth is None:
        return ""
    if value is None or depth == 0:
        return " Its search ended before it had looked one move ahead."
    looked = f" Its search looked {_count(depth, 'move')} ahead and"
    if value == inf:
        return f"{looked} took {what} for a win."
    if value == -inf:
        return f"{looked} took every move for a loss."
    return f"{looked} valued {what} at {value + 0.0:+.3g}."


def _fault(record: GameRecord) -> str:
    """What the submission did instead of moving."""
    fault = FAULTS.get(record.ending, "It lost")
    answered = ANSWERED.fullmatch(record.detail) if record.ending == "illegal move" else None
    if answered:
        row, column = int(answered[1]), int(answered[2])
        return f"It answered ({row}, {column}), {_why_illegal(record, row, column)}."
    detail = _plain(record.detail).strip()
    if not detail.strip("."):
        return f"{fault}."
    if not detail.endswith("..."):  # which say that it was cut
        detail = f"{detail.rstrip('.')}."
    return f"{fault} {detail}" if record.ending == "raised" else f"{fault}: {detail}"


def _why_illegal(record: GameRecord, row: int, column: int) -> str:
    *_, board = record.boards()
    if not (0 <= row < board.height and 0 <= column < board.width):
        return "which is off the board"
    location = board.get_player_location(board.active_player)
    steps = sorted((abs(row - location[0]), abs(column - location[1]))) if location else [1, 2]
    if steps != [1, 2]:
        return f"which is no knight's move from {location}"
    return "which is blocked" if (row, column) not in board.get_blank_spaces() else "which is no legal move"


def _plain(content: object) -> str:
    """One line without control characters."""
    return " ".join(visible(str(content)).split())


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
        yield f"First fix the errors that lost {_count(faults, 'game')}: each of these games names its own."


def _ends(lost: Sequence[LostGame]) -> Iterator[str]:
    """Whether its search sees the end of a game that is two moves away."""
    last = [
        (each.record, index) for each in lost if each.ending == "no moves" for index in _own(each.record)[-1:]
    ]
    seen = [record.values[index] for record, index in last if (record.depths[index] or 0) >= 2]
    seen = [each for each in seen if each is not None]
    blind = sum(value != -inf for value in seen)
    if blind >= FEW and 2 * blind > len(seen):
        yield (
            f"In {blind} of {_count(len(seen), 'lost game')} its search missed an end two moves away: "
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
    if used is None or used.cost.value < EXPENSIVE:
        return
    share = f"{100 / used.cost.value:.0f} %"
    costs = f"A node costs {used.cost.value:.3g} times one with improved, so its search makes {share} as many"
    depths = _depths(graded.lost_games, used.cost)
    if len(depths) >= FEW:
        own, other = (fmean(each[number] for each in depths) for number in range(2))
        costs += f" (in lost games it looks on average {own:.1f} moves ahead, improved {other:.1f})"
    yield (
        f"{costs}: make it cheaper with a table that is built once, fewer calls of get_legal_moves, "
        "or work that is done only while few cells are blank."
    )


def _depths(lost: Sequence[LostGame], used: Cost) -> list[tuple[int, int]]:
    """How far its search looked ahead in some positions, and how far `improved` does for the same work."""
    records = [game.record for game in lost]
    places = [(each, index) for each in records for index in _own(each) if each.reasons[index] == "nodes"]
    step = max(1, len(places) // SAMPLE)
    found = []
    for record, index in places[::step][:SAMPLE]:
        depth, nodes = record.depths[index], record.nodes[index]
        if depth is not None and nodes:
            board = _board_before(record, index)
            worth = round(nodes * used.at(len(board.get_blank_spaces()), board.width * board.height))
            found.append((depth, search(board, "improved", nodes=max(1, worth), seed=0).depth))
    return found


def _few_values(lost: Sequence[LostGame]) -> Iterator[str]:
    finite = [value for value in _own_values(lost) if isfinite(value)]
    different = len(set(finite))
    if len(finite) >= ENOUGH_MOVES and different <= FEW_VALUES:
        yield (
            f"Over {len(finite)} moves of lost games its search found only "
            f"{_count(different, 'different value')}, so most moves look equal and it takes the first: "
            "return a finer value."
        )


def _turnings(lost: Sequence[LostGame]) -> Iterator[str]:
    """Whether it loses won games."""
    turned = [(each.record, each.turning) for each in lost if each.turning is not None]
    if len(turned) < FEW or 10 * len(turned) < len(lost):
        return
    blank = median(len(_board_before(*each).get_blank_spaces()) for each in turned)
    # Where no value is ever below 0, one above it is no hope.
    both_signs = any(-inf < value < 0 for value in _own_values(lost))
    hopeful = sum((record.values[index] or 0) > 0 for record, index in turned) if both_signs else 0
    believed = f" In {hopeful} of them the search valued that move above 0." if hopeful else ""
    yield (
        f"In {len(turned)} of {_count(len(lost), 'lost game')} a single move gave away a won position "
        f"(median: {_count(round(blank), 'cell')} left).{believed} At that stage count how long each player "
        "can still move, not how many moves it has now: replay these games from that move."
    )


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
            f"It lost {_count(as_one, 'game')} as player 1 and {as_two} as player 2, on the same openings: "
            "check how its value depends on whose turn it is (game.active_player)."
        )


def _own(record: GameRecord) -> range:
    """Which moves of the game were the submission's."""
    # `mover` reads the start each time; the player of the first move made every second one.
    first = 1 if record.moves and record.mover(0) != record.side + 1 else 0
    return range(first, len(record.moves), 2)


def _own_values(lost: Sequence[LostGame]) -> Iterator[float]:
    """What its search found for its moves."""
    values = (game.record.values[index] for game in lost for index in _own(game.record))
    return (each for each in values if each is not None)


def _board_before(record: GameRecord, index: int) -> Board:
    return next(islice(record.boards(), index, None))


def _error(score: Score) -> float:
    return score.head_to_head.standard_error if score.head_to_head else inf


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
