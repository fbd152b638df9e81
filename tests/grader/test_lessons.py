"""What is told of lost games, and what is advised: proved by a solver of its own, true of the figures."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import cache
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_examples import example_report

from isolation_fast import Annotation, Board, InvalidRecordError, JudgedMove
from isolation_fast.endings import ENDINGS, GameEnding
from isolation_fast.tournament import FaultyGame, GameRecord
from isolation_grader.advice import advice
from isolation_grader.lost_games import LosingMove, LostGame, lost_game
from isolation_grader.report import Baseline, CostUsed, Graded, Grading
from isolation_grader.showing.html import replays

TURNED = re.compile(
    r"With (\d+) cells? left it moved to (\(\d+, \d+\)) and lost a won game: "
    r"(\(\d+, \d+\)(?:(?:,| or) \(\d+, \d+\))*) would have kept the win\. "
    r"With best play the win takes (\d+) moves?, both players\' counted\.( .*\.)?",
)
NEVER_WON = re.compile(
    r"The drawn opening was already lost for it, before its first move: "
    r"with (\d+) cells? left every move loses\."
)


def record_of(
    start: str, moves: tuple[tuple[int, int], ...], side: int, ending: GameEnding = "no moves", **other: Any
) -> GameRecord:
    """A game that the player on that side lost."""
    nothing = (None,) * len(moves)
    size = Board.from_text(start)
    fields: dict[str, Any] = {
        "opening": 0,
        "pairing": 0,
        "side": side,
        "players": ("mine", "other")[:: -1 if side else 1],
        "width": size.width,
        "height": size.height,
        "start": start,
        "moves": moves,
        "values": nothing,
        "depths": nothing,
        "nodes": nothing,
        "reasons": nothing,
        "winner": 2 - side,
        "ending": ending,
        "detail": "",
    }
    return GameRecord(**(fields | other))


def random_game(seed: int, width: int, height: int, placed: int) -> GameRecord:
    """A game of chance to its end, seen from its loser."""
    chance = random.Random(seed)
    board = Board(width=width, height=height)
    for _ in range(placed):
        board.apply_move(chance.choice(board.get_blank_spaces()))
    start, moves = board.to_text(), []
    while legal := sorted(board.get_legal_moves()):
        moves.append(chance.choice(legal))
        board.apply_move(moves[-1])
    return record_of(start, tuple(moves), 0 if board.active_player == "player 1" else 1)


@cache
def wins(text: str) -> bool:
    """Whether the side to move wins, by the rules alone."""
    board = Board.from_text(text)
    return any(not wins(board.forecast_move(move).to_text()) for move in board.get_legal_moves())


@cache
def moves_left(text: str) -> int:
    """With best play, counted by the rules alone: the winner hurries, the loser does not."""
    board = Board.from_text(text)
    after = [board.forecast_move(move).to_text() for move in board.get_legal_moves()]
    if not after:
        return 0
    won = [each for each in after if not wins(each)]
    return 1 + (min(map(moves_left, won)) if won else max(map(moves_left, after)))


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10_000), st.sampled_from([(3, 3), (3, 4), (4, 3), (3, 5), (4, 4)]), st.sampled_from([0, 2])
)
def test_the_move_that_is_named_lost_a_game_that_was_won(
    seed: int, size: tuple[int, int], placed: int
) -> None:
    record = random_game(seed, *size, placed if size == (3, 3) else 2)
    lost = lost_game(record, "other", ())
    boards = list(record.boards())
    own = [index for index in range(len(record.moves)) if record.mover(index) == record.side + 1]
    thrown_away = [
        index for index in own if wins(boards[index].to_text()) and wins(boards[index + 1].to_text())
    ]
    # These boards are so small that everything can be proved.
    assert lost.turning == (thrown_away[-1] if thrown_away else None)
    if lost.turning is None:
        assert not own or NEVER_WON.fullmatch(lost.happened)
        assert lost.lost_from_start
        return
    assert not lost.lost_from_start
    told = TURNED.fullmatch(lost.happened)
    assert told is not None
    before = boards[lost.turning]
    assert int(told[1]) == len(before.get_blank_spaces())
    assert told[2] == str(record.moves[lost.turning])
    best = [move for move in before.get_legal_moves() if not wins(before.forecast_move(move).to_text())]
    assert re.findall(r"\(\d+, \d+\)", told[3]) == [str(move) for move in sorted(best)]
    assert int(told[4]) == moves_left(before.to_text())
    assert lost.losing is not None
    assert (lost.losing.move, lost.losing.instead) == (record.moves[lost.turning], tuple(sorted(best)))
    assert len(lost.losing.line) == lost.losing.distance == int(told[4])
    assert lost.verdicts[lost.turning] == "threw away"


def test_what_its_search_believed_is_told_with_the_move() -> None:
    moves = ((1, 2), (0, 2), (0, 0), (1, 0))
    start = "4x4 4/4/1x2/3x 3,3 2,1 1"
    beliefs = {
        (3.0, 6): " Its search looked 6 moves ahead and valued (0, 0) at +3.",
        (-0.0, 1): " Its search looked 1 move ahead and valued (0, 0) at +0.",
        (inf, 4): " Its search looked 4 moves ahead and took (0, 0) for a win.",
        (-inf, 4): " Its search looked 4 moves ahead and took every move for a loss.",
        (-1.0, 0): " Its search ended before it had looked one move ahead.",
        (None, 0): " Its search ended before it had looked one move ahead.",
        (None, None): "both players' counted.",
    }
    for (value, depth), told in beliefs.items():
        record = record_of(
            start, moves, 0, values=(None, None, value, None), depths=(None, None, depth, None)
        )
        assert lost_game(record, "other", ()).happened.endswith(told)


@pytest.mark.parametrize(
    ("detail", "told"),
    [
        ("it answered (0, 0)", "It answered (0, 0), which is no knight's move from (3, 3)."),
        ("it answered (7, 4)", "It answered (7, 4), which is off the board."),
        ("it answered (1, 2)", "It answered (1, 2), which is blocked."),
        ("it answered (1, 'x')", "It made no legal move: it answered (1, 'x')."),
        ("", "It made no legal move."),
    ],
)
def test_an_illegal_move_is_told_with_what_is_wrong_with_it(detail: str, told: str) -> None:
    record = record_of("7x7 7/2x4/7/3x3/7/7/7 3,3 1,2 1", (), 0, "illegal move", detail=detail)
    assert lost_game(record, "other", ()).happened == told


def test_an_error_is_told_with_its_line_and_keeps_its_trace() -> None:
    detail = "ZeroDivisionError: division by zero (game_agent.py:6 in custom_score)"
    record = record_of("7x7 7/7/7/7/7/7/7 - - 1", (), 0, "raised", detail=detail)
    lost = lost_game(record, "other", ("Traceback", "line 6"))
    assert lost.happened == f"It raised {detail}."
    assert (lost.turning, lost.trace) == (None, ("Traceback", "line 6"))


def test_a_detail_that_was_cut_still_says_so() -> None:
    detail = "it must return a real number that a float can hold, inf..."
    record = record_of("7x7 7/7/7/7/7/7/7 - - 1", (), 0, "bad answer", detail=detail)
    assert lost_game(record, "other", ()).happened.endswith(detail)


@settings(deadline=None)
@given(st.sampled_from([each for each in ENDINGS if each != "no moves"]), st.text())
def test_whatever_is_told_of_a_fault_is_one_harmless_line(ending: GameEnding, detail: str) -> None:
    record = record_of("5x4 5/5/5/5 - - 1", (), 0, ending, detail=detail)
    happened = lost_game(record, "other", ()).happened
    assert happened.isprintable()
    assert happened.endswith(".")


@pytest.mark.parametrize("start", ["1x1 x 0,0 - 2", "3x3 x2/1x1/3 1,1 0,0 1", "101x101 - - 1"])
def test_games_without_a_move_are_told_too(start: str) -> None:
    if start.startswith("101"):
        start = Board(width=101, height=101).to_text()
    assert lost_game(record_of(start, (), 0), "other", ()).happened == "It had no move from the start."


def test_an_illegal_answer_is_in_words_and_in_no_drawing() -> None:
    start, moves = "7x7 7/7/7/7/7/7/7 - - 1", ((3, 3), (0, 0))
    for answered in ((9, 9), (0, 0), (3, 4), (-1, -1)):
        record = record_of(start, moves, 0, "illegal move", detail=f"it answered {answered}")
        game = lost_game(record, "other", ())
        report = example_report()
        graded = replace(report.graded[2], lost_games=(game,))
        (drawn,) = replays(replace(report, graded=(graded,)))
        (replayed,) = drawn["games"]
        # The moves that were made, and no other: the answer is in the words alone.
        assert (replayed["moves"], replayed["turning"], replayed["instead"]) == ([24, 0], None, [])
        assert f"It answered {answered}, which is " in replayed["happened"]
        assert Board.from_text(game.position).get_player_location("player 1") == (3, 3)
        assert game.position == [*record.boards()][-1].to_text()
        told = game.to_dict()["record"]
        assert (told["moves"], told["detail"]) == ([[3, 3], [0, 0]], f"it answered {answered}")


def test_who_was_not_placed_yet_is_told_that_a_cell_is_blocked_and_not_that_it_is_far() -> None:
    for side, player in ((0, 1), (1, 2)):
        start = f"7x7 7/2x4/7/7/7/7/7 {'- 1,2 1' if side == 0 else '1,2 - 2'}"
        record = record_of(start, (), side, "illegal move", detail="it answered (1, 2)")
        lost = lost_game(record, "other", ())
        assert (lost.happened, lost.player) == ("It answered (1, 2), which is blocked.", player)


def test_the_last_move_of_a_game_may_be_the_losing_one() -> None:
    start, moves = "7x7 7/7/7/7/7/7/7 - - 1", ((3, 3), (0, 0))
    game = LostGame("other", record_of(start, moves, 1), "", LosingMove(2, (0, 0), ((6, 6),), 48))
    graded = replace(example_report().graded[2], lost_games=(game,))
    (drawn,) = replays(replace(example_report(), graded=(graded,)))
    assert [(each["turning"], each["instead"], each["me"]) for each in drawn["games"]] == [(1, [48], 2)]


@pytest.mark.parametrize("move", [(9, 9), (0, 0), (3, 4), (-1, -1)])
def test_a_record_with_a_move_that_is_not_legal_is_refused(move: tuple[int, int]) -> None:
    record = record_of("7x7 7/7/7/7/7/7/7 - - 1", ((3, 3), (0, 0), move), 1, "illegal move")
    told = f"move 3, {move}, is not legal"
    with pytest.raises(InvalidRecordError, match=re.escape(told)):
        GameRecord.from_dict(record.to_dict())


@pytest.mark.parametrize("seed", range(12))
def test_on_7_by_7_every_lost_game_has_its_losing_move_or_was_lost_from_the_start(seed: int) -> None:
    lost = lost_game(random_game(seed, 7, 7, 2), "other", ())
    if lost.turning is None:
        assert NEVER_WON.fullmatch(lost.happened)
    else:
        assert TURNED.fullmatch(lost.happened)


def test_where_the_end_is_too_far_to_prove_anything_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    # A node of so large a board takes five hundred times as long.
    monkeypatch.setattr("isolation_grader.lost_games.NODES", 1000)
    record = random_game(1, 30, 30, 2)
    cut = record_of(record.start, record.moves[:4], 0)
    lost = lost_game(cut, "other", ())
    assert lost.turning is None
    assert lost.happened == (
        "It ran out of moves. An earlier move lost the game. "
        "Which one is not proven: too many cells were left."
    )


# What is advised


def graded_and_baseline(name: str) -> tuple[Graded, Baseline]:
    report = example_report()
    assert report.baseline is not None
    return report.heuristic(name), report.baseline


def with_grading(graded: Graded, **fields: Any) -> Graded:
    grading: Grading = replace(graded.grading, **fields)
    return replace(graded, grading=grading)


def with_searches(game: LostGame, value: float, depth: int) -> LostGame:
    count = len(game.record.moves)
    return replace(game, record=replace(game.record, values=(value,) * count, depths=(depth,) * count))


@pytest.mark.parametrize("name", ["custom_score", "custom_score_2", "custom_score_3", "custom_score_4"])
def test_at_most_five_sentences_are_advised_and_always_the_same(name: str) -> None:
    graded, baseline = graded_and_baseline(name)
    sentences = advice(graded, baseline)
    assert len(sentences) <= 5
    assert sentences == advice(graded, baseline)
    assert all(each.isprintable() and each.endswith(".") for each in sentences)


def test_nothing_is_advised_where_nothing_was_played() -> None:
    graded, baseline = graded_and_baseline("custom_score_4")
    nothing = Grading("not graded")
    assert advice(replace(graded, grading=nothing, lost_games=()), baseline) == ()


def test_errors_come_first() -> None:
    graded, baseline = graded_and_baseline("custom_score_4")
    assert advice(graded, baseline)[0].startswith("First fix the errors that lost 3 games: ")
    played, _ = graded_and_baseline("custom_score_2")
    assert played.grading.result is not None
    faults = (FaultyGame("Random", 0, True, "raised", "ValueError"),)
    broken = with_grading(played, result=replace(played.grading.result, faults=faults))
    assert advice(broken, baseline)[0].startswith("First fix the errors that lost 1 game: ")


def test_opponents_are_named_only_where_the_difference_is_more_than_chance() -> None:
    graded, baseline = graded_and_baseline("custom_score_2")
    told = [each for each in advice(graded, baseline) if "It wins less than AB_Improved" in each]
    lost_all = tuple(
        replace(each, won=0, pair_wins=bytes(len(each.pair_wins))) for each in graded.grading.scores
    )
    assert graded.grading.result is not None
    worse = with_grading(graded, result=replace(graded.grading.result, scores=lost_all))
    [worst] = [each for each in advice(worse, baseline) if "It wins less than AB_Improved" in each]
    best = max(baseline.scores, key=lambda each: each.rate or 0)
    assert f"{best.opponent} (0 %, AB_Improved {100 * (best.rate or 0):.0f} %)" in worst
    assert worst not in told
    same = with_grading(graded, result=replace(graded.grading.result, scores=baseline.scores))
    assert not [each for each in advice(same, baseline) if "It wins less" in each]


def test_a_dear_node_is_told_with_how_far_it_looked() -> None:
    graded, baseline = graded_and_baseline("custom_score")
    dear = with_grading(graded, cost=CostUsed(4.0, "timed"))
    [told] = [each for each in advice(dear, baseline) if "A node costs 4 times" in each]
    assert "25 % as many" in told
    found = re.search(r"on average (\d+\.\d) moves ahead, improved (\d+\.\d)\)", told)
    assert found is not None
    assert float(found[1]) <= float(found[2])
    cheap = with_grading(graded, cost=CostUsed(1.0, "timed"))
    assert not [each for each in advice(cheap, baseline) if "A node costs" in each]


def test_a_heuristic_that_does_not_know_the_end_is_told_so() -> None:
    graded, baseline = graded_and_baseline("custom_score_2")
    normal = tuple(each for each in graded.lost_games if each.ending == "no moves")
    blind = replace(graded, lost_games=tuple(with_searches(each, 0.0, 4) for each in normal))
    seeing = replace(graded, lost_games=tuple(with_searches(each, -inf, 4) for each in normal))
    assert any("game.is_loser(player)" in each for each in advice(blind, baseline))
    assert not any("game.is_loser(player)" in each for each in advice(seeing, baseline))
    assert any("only 1 different value," in each for each in advice(blind, baseline))
    assert not any("different value" in each for each in advice(seeing, baseline))


def test_games_that_were_given_away_are_counted() -> None:
    graded, baseline = graded_and_baseline("custom_score")
    played = [each for each in graded.lost_games if each.ending == "no moves"]
    games = tuple(lost_game(each.record, each.opponent, ()) for each in played)
    turned = [each for each in games if each.turning is not None]
    told = [
        each
        for each in advice(replace(graded, lost_games=games), baseline)
        if "a single move threw away a won position" in each
    ]
    if len(turned) >= 3 and 10 * len(turned) >= len(games):
        assert told[0].startswith(f"In {len(turned)} of {len(games)} lost games ")
    else:
        assert not told
    assert not any(
        "a single move threw away a won position" in each
        for each in advice(
            replace(graded, lost_games=tuple(replace(each, losing=None) for each in games)), baseline
        )
    )


def test_games_given_away_are_told_with_the_stage_and_with_what_the_search_hoped() -> None:
    graded, baseline = graded_and_baseline("custom_score")
    start = "7x7 7/7/7/7/7/7/7 - - 1"
    moves = ((0, 0), (6, 6), (1, 2), (4, 5), (3, 3), (2, 4))

    def given_away(value: float, blank: int = 45, preferred: tuple[int, int] | None = None) -> LostGame:
        record = record_of(start, moves, 0, values=(None, None, -1.0, None, value, None))
        return LostGame(
            "other", record, losing=LosingMove(5, moves[4], ((0, 4),), blank, preferred=preferred)
        )

    hopeless = Annotation((JudgedMove(1, 1, (0, 0), "could not help"),), 2, None, (), (), 0)
    never_won = LostGame("other", record_of(start, moves, 0), annotation=hopeless)
    two_hoped = (*map(given_away, (2.0, 0.5, -3.0)), never_won)
    none_hoped = tuple(map(given_away, (-2.0, -0.5, -3.0)))
    staged = (
        given_away(-1.0, 36, (1, 1)),
        *(given_away(-1.0, blank, (0, 4)) for blank in (22, 33)),
        given_away(-1.0, 9),
    )
    for games, told in (
        (
            two_hoped,
            "In 3 of 4 lost games (1 was lost from the drawn opening on) a single move "
            "threw away a won position: 3 early (45 cells left). Its search valued 2 of these moves above 0. "
            "So early count how long each player can still move, not how many moves it has now: replay ",
        ),
        (
            none_hoped,
            "In 3 of 3 lost games a single move threw away a won position: 3 early (45 cells left). "
            "So early count how long ",
        ),
        (
            staged,
            "In 4 of 4 lost games a single move threw away a won position: 1 early (36 cells left), "
            "2 in the middle (22 to 33 cells left), 1 late (9 cells left). "
            "Looking one move ahead, its heuristic prefers a losing move in 1 of 3 positions. "
            "At that stage count how long ",
        ),
    ):
        sentences = advice(replace(graded, lost_games=games), baseline)
        assert sum(each.startswith(told) for each in sentences) == 1, sentences


def test_an_undecided_test_is_told_how_many_blocks_would_decide() -> None:
    graded, baseline = graded_and_baseline("custom_score_3")
    test = graded.grading.test
    assert test is not None
    for llr, told in (
        (test.upper / 2, "about 200 blocks would decide that it is better: try --blocks 400."),
        (test.lower / 4, "about 400 blocks would decide that it is not better: try --blocks 800."),
        (test.lower / 100, "more blocks would hardly decide, a better heuristic would."),
    ):
        further = replace(test, decision=None, count=100, llr=llr)
        sentences = advice(with_grading(graded, verdict="undecided", test=further), baseline)
        assert sum(each.endswith(told) for each in sentences) == 1


def test_a_side_is_called_weak_by_openings_and_not_by_games() -> None:
    graded, baseline = graded_and_baseline("custom_score_3")
    game = next(each for each in graded.lost_games if each.player == 1)

    def sentences(openings: range) -> str:
        records = [replace(game.record, opening=opening) for opening in openings for _ in range(7)]
        lost = tuple(replace(game, record=each) for each in records)
        return " ".join(advice(replace(graded, lost_games=lost), baseline))

    assert "as player 1" not in sentences(range(4))
    assert "It lost 140 games as player 1 and 0 as player 2" in sentences(range(20))
