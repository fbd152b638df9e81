"""The engine's heuristics and their twins in plain Python give the same values, to the bit.

The positions are made, not played: boards of all sizes, as full as it takes to come to both sides of every
threshold, knights anywhere on blocked cells, on one cell, or not placed.
"""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import isolation_fast
from isolation_fast import heuristics, reference
from isolation_fast.reference import HEURISTICS, notation
from isolation_fast.reference.heuristics import weighted_sum

NAMES = [name for name in heuristics.names() if name in HEURISTICS]
# Those that always walk the tree, and those that do where fewer cells are blank than their threshold says.
WALKERS = [name for name in NAMES if name.startswith(("continuations", "longest_win"))]
LATE_WALKERS = [name for name in NAMES if "continuations" in name and name not in WALKERS]
LATEST = 0.3
# Twins walk some hundred positions in the time of all formulas.
LONGEST_WALK = 120
PLAYERS = ("player 1", "player 2")

SIZES = st.tuples(st.integers(1, 9), st.integers(1, 9)) | st.sampled_from(
    # Both sides of each width of the engine's cell sets, and sides of length 1.
    [(1, 1), (1, 9), (9, 1), (7, 7), (8, 8), (64, 1), (1, 65), (13, 5), (11, 9), (16, 8), (43, 3), (12, 11)]
)
# Those of the blends, and the fifth of blocked cells of the clusters.
THRESHOLDS = st.sampled_from([0.1, 0.2, 0.3, 0.7, 0.8])
SHARES = st.floats(0, 1)


def law(examples: int) -> settings:
    suppressed = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    return settings(max_examples=examples, deadline=None, suppress_health_check=suppressed)


@st.composite
def positions(draw: st.DrawFn, sizes: st.SearchStrategy[tuple[int, int]] = SIZES) -> str:
    """A position as text; a knight stands on a blocked cell, by how far along that is."""
    width, height = draw(sizes)
    cells = width * height
    if draw(st.booleans()):
        blank = int(draw(THRESHOLDS) * cells) + draw(st.integers(-1, 1))
    else:
        blank = draw(st.integers(0, cells))
    order = list(range(cells))
    random.Random(draw(st.integers(0, 2**32))).shuffle(order)
    blocked = order[max(blank, 0) :]
    stands = [
        blocked[int(share * (len(blocked) - 1))] if blocked and share is not None else None
        for share in (draw(st.none() | SHARES), draw(st.none() | SHARES))
    ]
    taken = set(blocked)
    state = [int(cell in taken) for cell in range(cells)]
    return notation.write(
        notation.Position(width, height, [*state, 0, *stands], draw(st.sampled_from([1, 2])))
    )


def walk_is_short(board: isolation_fast.Board) -> bool:
    """Whether the tree below a position has few enough nodes for the twins."""
    made = 0
    for depth in range(1, board.width * board.height + 2):
        counted = isolation_fast.perft(board, depth)
        made += counted
        if counted == 0 or made > LONGEST_WALK:
            break
    return made <= LONGEST_WALK


def can_be_asked(name: str, board: isolation_fast.Board, late: float = LATEST) -> bool:
    """Whether a twin, which stops for nothing, has the value soon."""
    share = len(board.get_blank_spaces()) / (board.width * board.height)
    walks = name in WALKERS or (name in LATE_WALKERS and share < late)
    return not walks or walk_is_short(board)


def assert_equal(name: str, native: isolation_fast.Board, twin: reference.Board) -> None:
    for player in PLAYERS:
        found, expected = heuristics.get(name)(native, player), HEURISTICS[name](twin, player)
        assert type(found) is type(expected) is float
        assert_same(found, expected, (name, player))


def assert_same(found: float, expected: float, case: object) -> None:
    """Equal to the bit, and no zero has a sign."""
    assert repr(found) == repr(expected) != "-0.0", case


@law(1_500)
@given(positions())
def test_formulas(text: str) -> None:
    native, twin = isolation_fast.Board.from_text(text), reference.Board.from_text(text)
    for name in NAMES:
        if name not in WALKERS and can_be_asked(name, native):
            assert_equal(name, native, twin)


@law(600)
@given(positions(st.tuples(st.integers(1, 6), st.integers(1, 6))))
def test_walks(text: str) -> None:
    native, twin = isolation_fast.Board.from_text(text), reference.Board.from_text(text)
    assume(walk_is_short(native))
    for name in WALKERS + LATE_WALKERS:
        assert_equal(name, native, twin)


@law(300)
@given(positions(), st.integers(1, 8))
def test_positions_of_one_game(text: str, plies: int) -> None:
    native, twin = isolation_fast.Board.from_text(text), reference.Board.from_text(text)
    for ply in range(plies):
        moves = sorted(twin.get_legal_moves())
        if not moves:
            break
        native.apply_move(moves[ply % len(moves)])
        twin.apply_move(moves[ply % len(moves)])
    for name in NAMES:
        if can_be_asked(name, native):
            assert_equal(name, native, twin)


PARAMETERS: dict[str, Any] = {
    "aggressive": {"factor": st.floats(0, 10)},
    **{f"knight_decay_{divisor}": {"r": SHARES} for divisor in range(2, 11)},
    **{name: {"threshold": SHARES} for name in NAMES if "blend_then" in name},
    **{name: {"early": SHARES, "late": SHARES} for name in NAMES if name.startswith("staged")},
}


@pytest.mark.parametrize("name", PARAMETERS)
@law(60)
@given(positions(), st.data())
def test_variants(name: str, text: str, data: st.DataObject) -> None:
    native, twin = isolation_fast.Board.from_text(text), reference.Board.from_text(text)
    changes = data.draw(st.fixed_dictionaries({}, optional=PARAMETERS[name]))
    assume(can_be_asked(name, native, late=max([LATEST, *changes.values()])))
    variant = heuristics.get(name).variant(**changes)
    changed: Any = HEURISTICS[name]
    for player in PLAYERS:
        assert_same(variant(native, player), changed(twin, player, **changes), (player, changes))


WEIGHTS = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, 1.0, -1.0, 0.3])


@law(400)
@given(positions(), st.dictionaries(st.sampled_from(NAMES), WEIGHTS, min_size=1, max_size=4))
def test_weighted_sums(text: str, weights: dict[Any, float]) -> None:
    native, twin = isolation_fast.Board.from_text(text), reference.Board.from_text(text)
    assume(all(can_be_asked(name, native) for name in weights))
    summed = weighted_sum((HEURISTICS[name], weight) for name, weight in weights.items())
    for player in PLAYERS:
        found = heuristics.weighted_sum(weights)(native, player)
        assert_same(found, summed(twin, player), (player, weights))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text",
    [
        "1x1 1 - - 1",
        "1x1 x 0,0 - 2",
        "1x1 x 0,0 0,0 1",
        "1x3 x/1/x 0,0 2,0 2",
        "3x1 x1x 0,0 0,2 1",
        "3x3 xxx/xxx/xxx 0,0 2,2 1",
        "3x3 xxx/x1x/xxx 0,1 2,2 2",
        "2x3 xx/2/2 0,0 - 2",
        "3x2 x2/3 - 0,0 1",
        "2x5 xx/1x/1x/2/x1 4,0 4,0 1",
    ],
)
def test_the_smallest_boards(name: str, text: str) -> None:
    assert_equal(name, isolation_fast.Board.from_text(text), reference.Board.from_text(text))
