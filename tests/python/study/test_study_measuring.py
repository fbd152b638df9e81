"""How rows are measured: until they are told well enough, and the same for any workers and interruption."""

import json
from pathlib import Path

import pytest

from isolation_fast.exceptions import InvalidArgumentError, JournalError
from isolation_fast.study import Measurer, chosen, study
from isolation_fast.study.measuring import LOOK, canonical_budget, enough
from isolation_fast.tournament import Gauntlet

BUDGET = "nodes=60"


def bytes_of(**options: object) -> str:
    measurer = Measurer(**{"games": 280, "seed": 3, **options})  # type: ignore[arg-type]
    return json.dumps(study(chosen(["B"]), measurer, [BUDGET]).to_dict())


def test_workers_make_no_difference() -> None:
    assert bytes_of(workers=1) == bytes_of(workers=3)


def test_a_row_by_itself_is_what_it_is_among_others() -> None:
    measurer = Measurer(games=280, seed=3)
    alone = study(chosen(["B"], "weighted_moves"), measurer, [BUDGET]).tables[0].rows[0].to_dict()
    among = json.loads(bytes_of())["tables"][0]["rows"]
    assert json.loads(json.dumps(alone)) in among


def test_a_row_is_a_gauntlet_that_anybody_can_play() -> None:
    row = Measurer(games=280, seed=3).measured(BUDGET, "classic", "weighted_moves")
    assert row is not None
    again = Gauntlet("AB:weighted_moves", "classic", games=40, budget=BUDGET, seed=3).run().players[0]
    assert list(row.means) == again.block_means
    assert list(row.by_opponent) == [each.rate for each in again.scores]


def test_an_interrupted_study_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    played = []

    def interrupt(_row: str, games: int) -> None:
        played.append(games)
        if len(played) == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bytes_of(journal=tmp_path, progress=interrupt)
    with pytest.raises(JournalError, match="there is a journal already"):
        bytes_of(journal=tmp_path)
    assert bytes_of(journal=tmp_path, resume=True) == bytes_of()


def test_a_row_has_enough_blocks_where_its_difference_is_known_to_a_point() -> None:
    means = [0.65, 0.75] * 600
    baseline = means[: enough(means, None) or 0]
    count = enough(means, baseline)
    assert count is not None
    assert count % LOOK == 0
    assert enough(means[: count - 1], baseline) is None
    assert enough([0.2, 0.8] * 100, baseline) is None


def test_without_games_a_row_ends_by_itself_and_what_lies_behind_does_not_count() -> None:
    # Hardly any difference from game to game, so that few are enough.
    measurer = Measurer(seed=1)
    row = measurer.measured("depth=1", "early", "null")
    assert row is not None
    assert row.is_complete
    baseline = measurer.measured("depth=1", "early", "improved")
    assert baseline is not None
    assert len(row.means) == enough(row.means, baseline.means)
    assert 4000 < row.games < 20_000


def test_a_time_limit_ends_it_and_is_marked() -> None:
    measurer = Measurer(seed=1, time_limit=1e-9)
    done = study(chosen(["A"]), measurer, ["course"])
    assert not done.reproducible
    assert [each.measured for each in done.tables[0].rows] == [None] * 4
    assert done.tables[0].judgements[0].verdict == "open"


@pytest.mark.parametrize("games", [0, 13, 20, True, "14", 14_000_014, 14 * 10**20])
def test_games_are_whole_blocks(games: object) -> None:
    with pytest.raises(InvalidArgumentError, match="games must be"):
        Measurer(games=games)  # type: ignore[arg-type]


def test_a_budget_has_one_text() -> None:
    assert [canonical_budget(each) for each in ("course", "work=23000", "depth=5")] == [
        "course",
        "course",
        "depth=5",
    ]
