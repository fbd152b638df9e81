"""When a claim holds, does not hold and stays open, by rates that are made up."""

import pytest

from isolation_fast.study import Claim, judge, reports
from isolation_fast.study.claims import difference as difference_of
from isolation_fast.study.claims import sample_for

BLOCKS = 800


def row(percent: float) -> list[float]:
    """Blocks of that rate, with the spread that blocks have."""
    return [percent / 100 + (0.1 if index % 2 else -0.1) for index in range(BLOCKS)]


def rows(**percents: float) -> dict[str, list[float]]:
    return {name: row(percent) for name, percent in percents.items()}


def claim_of(name: str) -> Claim:
    return next(each for report in reports().values() for each in report.claims if each.id == name)


FOUR = {"mobility_center_distance": 70.0, "corner_averse_mobility": 69.0, "improved": 68.0}
DECAYS = {f"knight_decay_{number}": 72.0 for number in range(2, 11)}
POSITIONAL = ("close_to_center", "far_from_center", "close_to_opponent", "far_from_opponent")


@pytest.mark.parametrize(("percent", "verdict"), [(75.0, "holds"), (65.0, "does not hold"), (70.2, "open")])
def test_the_best_of_four_is_above_each_of_the_others(percent: float, verdict: str) -> None:
    assert judge(claim_of("A1"), rows(lookahead_mobility=percent, **FOUR)).verdict == verdict


@pytest.mark.parametrize(
    ("percent", "verdict"),
    [(73.0, "holds"), (68.0, "does not hold"), (80.0, "does not hold"), (70.5, "open")],
)
def test_about_five_points_are_neither_none_nor_ten(percent: float, verdict: str) -> None:
    others = {"improved": 68.0, "weighted_open": 68.0, "weighted_moves": 68.0}
    assert judge(claim_of("B1"), rows(weighted_improved=percent, **others)).verdict == verdict


def test_every_one_means_every_one() -> None:
    claim = claim_of("C1")
    assert judge(claim, rows(bfs=73.0, improved=67.0, **DECAYS)).verdict == "holds"
    assert judge(claim, rows(bfs=67.1, improved=67.0, **DECAYS)).verdict == "open"
    found = judge(claim, rows(bfs=60.0, improved=67.0, **DECAYS))
    assert found.verdict == "does not hold"
    assert found.reason.startswith("1 of 10: bfs against improved: -7.0 points")


def test_none_means_that_each_is_below() -> None:
    claim = claim_of("C2")
    assert judge(claim, rows(improved=67.0, **dict.fromkeys(POSITIONAL, 63.0))).verdict == "holds"
    better = {**dict.fromkeys(POSITIONAL, 63.0), "close_to_center": 70.0}
    assert judge(claim, rows(improved=67.0, **better)).verdict == "does not hold"
    same = {**dict.fromkeys(POSITIONAL, 63.0), "close_to_center": 67.0}
    assert judge(claim, rows(improved=67.0, **same)).verdict == "open"


@pytest.mark.parametrize(
    ("percent", "verdict"),
    [(79.0, "holds"), (70.0, "does not hold"), (85.0, "does not hold"), (77.0, "open")],
)
def test_ten_to_fifteen_points_have_two_ends(percent: float, verdict: str) -> None:
    name = "blend_then_continuations_difference"
    assert judge(claim_of("D1"), rows(improved=67.0, **{name: percent})).verdict == verdict


def test_a_count_of_tournaments_is_held_against_the_chance_to_be_ahead_in_one() -> None:
    equal = rows(improved=67.0, aggressive=67.0, as_printed_custom_3=66.0, lookahead_ratio=60.0)
    verdicts = [judge(claim_of(name), equal) for name in ("E1", "E2", "E3")]
    # Equals are ahead in somewhat less than half of them, as some end in a tie.
    assert 0.4 < verdicts[0].comparisons[0].value < 0.5
    assert [each.verdict for each in verdicts] == ["holds", "holds", "does not hold"]
    better = rows(improved=67.0, as_printed_custom_3=72.0)
    assert judge(claim_of("E3"), better).verdict == "holds"


def test_what_no_match_can_decide_is_proved() -> None:
    found = judge(claim_of("C3"), {})
    assert (found.verdict, found.comparisons, found.needed) == ("holds", (), None)
    assert "the second player wins after 10 of 10 first placements" in found.reason


def test_a_claim_about_rows_that_were_not_measured_is_open() -> None:
    found = judge(claim_of("C1"), rows(improved=67.0, bfs=73.0))
    assert found.verdict == "open"
    assert found.reason.startswith("not measured in this run: knight_decay_10, ")


def test_more_comparisons_have_wider_intervals() -> None:
    ten = judge(claim_of("C1"), rows(bfs=73.0, improved=67.0, **DECAYS))
    one = judge(claim_of("D1"), rows(improved=67.0, blend_then_continuations_difference=73.0))
    assert (ten.level, one.level) == (0.995, 0.95)
    widths = [each.comparisons[0].high - each.comparisons[0].low for each in (ten, one)]
    assert widths[0] > 1.4 * widths[1]


def test_half_the_difference_takes_four_times_the_games() -> None:
    base = row(67.0)
    large, small = (row(67.0 + points) for points in (8.0, 4.0))
    games = [sample_for(difference_of(each, base), each, base, bound=0.0).games for each in (large, small)]
    assert 3.5 < games[1] / games[0] < 4.5


def test_a_difference_that_may_be_none_takes_at_least_so_many_games() -> None:
    base = row(67.0)
    found = sample_for(difference_of(row(67.1), base), row(67.1), base, bound=0.0)
    assert found.at_least
    assert found.games > 3000
