"""What a comparison finds: on a right board nothing differs, on wrong ones it is seen where and how."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from validation import Comparison, HeuristicFinding, PlayerFinding, SubmissionFindings, compare

SUBMISSIONS = Path(__file__).resolve().parents[1] / "submissions" / "comparison"
Write = Callable[..., Path]

# What is added to the right board of a checkout to make another one of it.
MISCOUNTING = """
right = Board.get_legal_moves
Board.get_legal_moves = lambda self, player=None: right(self, player)[1:]
"""
RAISING = """
right = Board.get_legal_moves
def get_legal_moves(self, player=None):
    if self.move_count > 9:
        raise LookupError("lost")
    return right(self, player)
Board.get_legal_moves = get_legal_moves
"""
GOING_ASTRAY = """
right = Board.apply_move
Board.apply_move = lambda self, move: right(self, (move[0] % self.height, move[1] % self.width))
"""
# The classic way to play: the clock is `timeit`'s, and an answer is looked up and applied as it is.
PLAYING = """
import timeit

def play(self, time_limit=150):
    while True:
        legal_moves = self.get_legal_moves()
        started = timeit.default_timer()
        time_left = lambda: time_limit - 1000 * (timeit.default_timer() - started)
        move = self._active_player.get_move(self.copy(), {arguments}time_left)
        if time_left() < 0:
            return self._inactive_player, [], "timeout"
        if move not in legal_moves:
            return self._inactive_player, [], "{missed}" if legal_moves else "illegal move"
        self.apply_move(move)

Board.play = play
"""
LATER = PLAYING.format(arguments="", missed="forfeit")
FIRST = PLAYING.format(arguments="legal_moves, ", missed="illegal move")


def found(
    name: str, *classic: Path, positions: int = 30, games: int = 2, seed: int = 0
) -> SubmissionFindings:
    """What one of the submissions comes to."""
    made = compare(SUBMISSIONS / name, classic, positions=positions, games=games, seed=seed, seconds=60)
    (findings,) = made.submissions
    return findings


def verdicts(findings: SubmissionFindings) -> dict[str, str]:
    assert findings.reason is None, findings.reason
    return {each.name: each.verdict for each in findings.findings}


def heuristic(findings: SubmissionFindings, name: str = "custom_score") -> HeuristicFinding:
    return next(each for each in findings.heuristics if each.name == name)


def player(findings: SubmissionFindings, name: str) -> PlayerFinding:
    return next(each for each in findings.players if each.name == name)


def test_on_a_right_board_values_and_games_are_the_same(write_checkout: Write) -> None:
    findings = found("asking_the_player", write_checkout(added=LATER))
    assert verdicts(findings) == {"custom_score": "same values", "OwnPlayer": "same games"}
    assert (findings.name, findings.layout, findings.checkout) == ("asking_the_player", "v2", 1)
    assert (heuristic(findings).calls, heuristic(findings).equal) == (60, 60)


def test_a_miscounting_board_is_found_out_and_the_first_position_drawn(write_checkout: Write) -> None:
    score = heuristic(found("asking_the_player", write_checkout(added=MISCOUNTING + LATER)))
    assert (score.verdict, score.exceptions) == ("differs", 0)
    assert score.difference is not None
    assert score.difference.position == "7x7 7/7/7/7/7/7/7 - - 1"
    assert score.difference.drawing.count("\n") == 8
    assert (score.difference.player, score.difference.classic, score.difference.ours) == (1, "174.0", "174.5")


def test_a_board_that_raises_is_found_out_with_the_exception(write_checkout: Write) -> None:
    findings = found("asking_the_player", write_checkout(added=RAISING + LATER))
    score = heuristic(findings)
    assert score.verdict == "differs"
    assert 0 < score.equal < score.calls
    assert score.difference is not None
    assert score.difference.classic == "LookupError: lost"
    assert player(findings, "OwnPlayer").verdict == "differs"


def test_a_heuristic_that_every_call_of_raises_is_compared_by_types(write_checkout: Write) -> None:
    score = heuristic(found("oldest_names", write_checkout("v1", "Board.__board_state__\n" + RAISING)))
    assert score.verdict == "same values"
    hidden = "\ndef hidden(self):\n    raise KeyError\nBoard.__board_state__ = property(hidden)\n"
    score = heuristic(found("oldest_names", write_checkout("v1", hidden, folder="other")))
    assert (score.verdict, score.exceptions) == ("differs", 60)


def test_a_sum_in_the_order_of_the_moves_is_rounding_and_the_first_of_them_is_chance(
    write_checkout: Write,
) -> None:
    findings = found("summing_floats", write_checkout(added=LATER), positions=100)
    assert verdicts(findings) == {"custom_score": "rounding only", "custom_score_2": "random by itself"}
    for name in ("custom_score", "custom_score_2"):
        assert heuristic(findings, name).detail == "equal with moves and random numbers in one order"


def test_chance_that_random_decides_is_the_same_on_both_boards(write_checkout: Write) -> None:
    findings = found("drawing_lots", write_checkout(added=LATER))
    assert verdicts(findings) == {"custom_score": "random by itself", "OwnPlayer": "same games"}
    assert heuristic(findings).detail == "equal with moves and random numbers in one order"


def test_rounding_that_is_all_there_is_goes_with_the_order_too(write_checkout: Write) -> None:
    score = heuristic(found("cancelling_floats", write_checkout(), positions=100))
    assert (score.verdict, score.calls - score.equal > 0) == ("random by itself", True)
    assert score.detail == "equal with moves and random numbers in one order"


def test_a_board_that_a_submission_makes_itself_draws_its_order_too(write_checkout: Write) -> None:
    score = heuristic(found("building_boards", write_checkout(), positions=10))
    assert score.detail == "equal with moves and random numbers in one order"


def test_the_private_generator_of_moves_is_asked_as_on_the_classic_board(write_checkout: Write) -> None:
    scores = found("asking_the_move_generator", write_checkout(), positions=40).heuristics
    assert [each.verdict for each in scores] == ["same values", "random by itself"]
    assert scores[1].detail == "equal with moves and random numbers in one order"


def test_a_wrong_board_is_found_out_where_the_order_of_moves_decides(write_checkout: Write) -> None:
    score = heuristic(found("summing_floats", write_checkout(added=MISCOUNTING)), "custom_score_2")
    assert (score.verdict, score.detail) == ("differs", "with moves and random numbers in one order")
    assert score.difference is not None
    assert score.difference.classic != score.difference.ours


def test_what_is_kept_from_games_does_not_reach_the_heuristics(write_checkout: Write) -> None:
    findings = found("caching_badly", write_checkout(added=LATER))
    assert verdicts(findings) == {
        "custom_score": "same values",
        "other_score": "same values",
        "OwnPlayer": "same games",
    }


def test_chance_that_nothing_repeats_is_chance_all_the_same(write_checkout: Write) -> None:
    score = heuristic(found("reading_the_clock", write_checkout()))
    assert (score.verdict, score.detail) == ("random by itself", "")


def test_a_move_off_the_board_is_declared(write_checkout: Write) -> None:
    findings = found("off_the_board", write_checkout(added=GOING_ASTRAY + LATER))
    assert verdicts(findings) == {"custom_score": "declared", "OwnPlayer": "declared"}
    assert {each.detail for each in findings.findings} == {"a move off the board"}
    assert player(findings, "OwnPlayer").ours == {"raises IllegalMoveError": 8}


def test_every_kind_of_ending_is_told_and_the_same_on_both_boards(write_checkout: Write) -> None:
    findings = found("every_ending", write_checkout(added=LATER))
    kinds = {each.name: set(each.ours) for each in findings.players}
    assert kinds.pop("SometimesForfeits") <= {"normal end", "forfeit"}
    assert kinds == {
        "EndsNormally": {"normal end"},
        "Forfeits": {"forfeit"},
        "IsLate": {"timeout"},
        "JustInTime": {"normal end"},
        "Raises": {"raises SearchTimeout"},
        "NeedsMore": set(),
        "NeedsAScore": {"normal end"},
        "AnswersLists": {"forfeit"},
        "AnswersFloats": {"forfeit"},
    }
    others = {"NeedsMore": "not compared", "AnswersFloats": "declared"}
    assert {each.name: each.verdict for each in findings.players} == {
        each.name: others.get(each.name, "same games") for each in findings.players
    }
    assert player(findings, "AnswersFloats").classic == {"board crashes with TypeError": 8}
    assert player(findings, "NeedsMore").detail == "cannot be made: TypeError"


def test_without_games_no_player_is_compared(write_checkout: Write) -> None:
    (own,) = found("drawing_lots", write_checkout(), games=0).players
    assert (own.verdict, own.detail) == ("not compared", "no games were asked for")


def test_players_of_the_first_layout_play_with_both_methods(write_checkout: Write) -> None:
    findings = found("first_layout", write_checkout("v1", FIRST))
    assert (findings.layout, findings.checkout) == ("v1", 1)
    assert player(findings, "CustomPlayer").classic == {"normal end": 2}
    assert player(findings, "CustomPlayer(method='alphabeta')").classic == {"raises NotImplementedError": 2}
    assert {each.verdict for each in findings.players} == {"same games"}


def test_a_bad_move_is_a_forfeit_though_the_first_layout_has_no_word_for_it(write_checkout: Write) -> None:
    findings = found("every_ending", write_checkout("v1", FIRST))
    assert player(findings, "Forfeits").classic == {"forfeit": 2}
    assert player(findings, "Forfeits").verdict == "same games"


@pytest.mark.parametrize(
    ("name", "layout", "play"), [("first_layout", "v2", LATER), ("drawing_lots", "v1", FIRST)]
)
def test_a_player_is_asked_its_way_by_a_board_of_the_other_layout(
    name: str, layout: str, play: str, write_checkout: Write
) -> None:
    findings = found(name, write_checkout(layout, play))
    assert {each.verdict for each in findings.players} == {"same games"}
    assert findings.players[0].classic == {"normal end": 2}


def test_each_submission_meets_the_board_of_its_own_layout(write_checkout: Write) -> None:
    checkouts = write_checkout("v2", LATER, "later"), write_checkout("v1", FIRST, "first")
    assert found("first_layout", *checkouts).checkout == 2
    assert found("drawing_lots", *checkouts).checkout == 1


def test_the_oldest_names_need_a_board_that_has_them(write_checkout: Write) -> None:
    plain = write_checkout("v1")
    findings = found("oldest_names", plain)
    assert findings.reason is not None
    assert "__board_state__" in findings.reason
    oldest = write_checkout("v1", "Board.__board_state__", "oldest")
    assert found("oldest_names", plain, oldest).checkout == 2


def test_a_template_is_not_compared(write_checkout: Write) -> None:
    findings = found("half_a_template", write_checkout(added=LATER))
    assert findings.templates == ("custom_score_2",)
    assert verdicts(findings) == {"custom_score": "same values", "MinimaxPlayer": "same games"}


def test_a_submission_that_no_python_reads_is_not_compared(write_checkout: Write) -> None:
    findings = found("broken", write_checkout())
    assert findings.reason is not None
    assert findings.reason.startswith("game_agent.py:1: ")
    assert not findings.differs


def test_a_submission_that_is_loaded_on_one_board_alone_differs(write_checkout: Write) -> None:
    (finding,) = found("loading_on_one_board", write_checkout(added="Board.is_classic = True")).findings
    assert (finding.name, finding.verdict) == ("import", "differs")
    assert "only the classic board will do" in finding.detail


@pytest.mark.parametrize("option", ["positions", "seed"])
def test_what_is_found_follows_from_the_options(option: str, write_checkout: Write) -> None:
    checkout = write_checkout(added=MISCOUNTING)
    one = heuristic(found("asking_the_player", checkout, positions=20, seed=1))
    other = heuristic(found("asking_the_player", checkout, **{"positions": 20, "seed": 1, option: 31}))
    assert one == heuristic(found("asking_the_player", checkout, positions=20, seed=1))
    assert one != other


@pytest.fixture
def several(tmp_path: Path) -> Path:
    """Some of the submissions in one folder."""
    for name in ("asking_the_player", "broken", "drawing_lots", "first_layout", "half_a_template"):
        (tmp_path / "several" / name).mkdir(parents=True)
        source = (SUBMISSIONS / name / "game_agent.py").read_text()
        (tmp_path / "several" / name / "game_agent.py").write_text(source)
    return tmp_path / "several"


def test_what_is_found_does_not_depend_on_the_workers(several: Path, write_checkout: Write) -> None:
    checkout = write_checkout(added=LATER)

    def made(workers: int) -> Comparison:
        return compare(several, checkout, positions=10, games=2, workers=workers)

    one, four = made(1), made(4)
    assert one == four
    assert [each.name for each in one.submissions] == sorted(each.name for each in one.submissions)
    assert json.dumps(one.to_dict()) == json.dumps(four.to_dict())


def test_what_is_found_counts_as_it_says(several: Path, write_checkout: Write) -> None:
    made = compare(several, write_checkout(added=LATER), positions=5, games=1)
    assert made.counts() == {
        "compared": 4,
        "not compared": 1,
        "heuristics": {"random by itself": 1, "same values": 3},
        "players": {"same games": 5},
    }
    assert not made.differs
    assert str(made) == (
        "4 submissions compared, 1 not compared, 4 heuristics (1 random by itself, 3 same values), "
        "5 players (5 same games): nothing differs"
    )


def test_the_document_names_no_path_of_this_machine(several: Path, write_checkout: Write) -> None:
    text = json.dumps(compare(several, write_checkout(added=LATER), positions=5, games=1).to_dict())
    assert str(several.parent) not in text
    assert "isolation-fast-" not in text


def test_one_random_call_hides_no_difference_in_the_others(write_checkout: Write) -> None:
    right, wrong = write_checkout(), write_checkout(added=MISCOUNTING, folder="wrong")
    name = "random_in_one_call"
    chance = "random by itself"
    assert verdicts(found(name, right)) == {"custom_score": chance, "custom_score_2": chance}
    assert verdicts(found(name, wrong)) == {"custom_score": "differs", "custom_score_2": chance}
