"""`solve` and `annotate`: who wins, which moves win, and which move threw a game away."""

from __future__ import annotations

import pickle
import random
import signal
import threading
from functools import cache
from typing import Any

import pytest

from isolation_fast import (
    AlphaBetaPlayer,
    Board,
    GameResult,
    GreedyPlayer,
    IllegalMoveError,
    InvalidArgumentError,
    InvalidBudgetError,
    InvalidPositionError,
    PerfectPlayer,
    RandomPlayer,
    annotate,
    play_game,
    reference,
    solve,
)
from isolation_fast.tournament import GameRecord

MIDGAME = "5x5 1x3/1xx2/xxx2/x1x2/xx3 1,2 2,1 1"
# A search of it does not end in the time of a test.
ENDLESS = "9x9 9/9/9/9/4x4/9/9/9/9 4,4 - 2"


@cache
def judged(text: str) -> tuple[bool, int]:
    """Whether the side to move wins, and how many moves the game still has, by the slow readable board."""
    board = reference.Board.from_text(text)
    wins: list[int] = []
    losses = [0]
    for move in board.get_legal_moves():
        opponent_wins, left = judged(board.forecast_move(move).to_text())
        (losses if opponent_wins else wins).append(left + 1)
    return (True, min(wins)) if wins else (False, max(losses))


def late_positions(count: int, blank: int) -> list[Board]:
    """Positions after random moves, in which there is a move left."""
    stream = random.Random(5)
    found: list[Board] = []
    while len(found) < count:
        board = Board(width=5, height=5)
        while len(board.get_blank_spaces()) > blank and board.get_legal_moves():
            board.apply_move(stream.choice(sorted(board.get_legal_moves())))
        if board.get_legal_moves():
            found.append(board)
    return found


@pytest.mark.parametrize("blank", [6, 11, 13])
def test_a_solution_is_what_the_reference_board_says(blank: int) -> None:
    for board in late_positions(12, blank):
        text = board.to_text()
        solution = solve(board, distance=True)
        wins, left = judged(text)
        assert (solution.outcome, solution.distance) == ("win" if wins else "loss", left), text
        assert sorted(each.move for each in solution.moves) == sorted(board.get_legal_moves())
        for graded in solution.moves:
            opponent_wins, rest = judged(board.forecast_move(graded.move).to_text())
            assert (graded.outcome, graded.distance) == ("loss" if opponent_wins else "win", rest + 1), text
        assert len(solution.line) == left
        for move in solution.line:
            assert board.move_is_legal(move)
            board.apply_move(move)
        assert board.get_legal_moves() == []


def test_moves_are_listed_from_the_best_on() -> None:
    solution = solve(Board.from_text(MIDGAME), distance=True)
    found = [(each.outcome, each.distance) for each in solution.moves]
    assert found == [("win", 7), ("win", 7), ("loss", 8), ("loss", 4), ("loss", 2)]
    assert solution.winning_moves == ((0, 4), (3, 1))
    assert str(solution.moves[2]) == "(2, 4) loses in 8"


def test_without_distances_there_are_none_and_the_winner_keeps_the_win() -> None:
    board = Board.from_text(MIDGAME)
    assert solve(board).line == ()
    solution = solve(board, line=True)
    assert solution.distance is None
    assert {each.distance for each in solution.moves} == {None}
    assert {each.move for each in solution.moves if each.outcome == "win"} == {(0, 4), (3, 1)}
    for at, move in enumerate(solution.line):
        assert judged(board.to_text())[0] == (at % 2 == 0)
        board.apply_move(move)
    assert board.get_legal_moves() == []


def test_the_outcome_alone_takes_less_and_grades_no_further() -> None:
    board = late_positions(1, 22)[0]
    all_of_it, outcome = solve(board), solve(board, moves=False)
    assert outcome.outcome == all_of_it.outcome == "win"
    assert outcome.nodes < all_of_it.nodes
    assert outcome.line == ()
    assert "unknown" in {each.outcome for each in outcome.moves}
    # The others may win too.
    assert str(outcome).startswith(f"win: 1 of {len(outcome.moves)} legal moves is proven to win (")


def test_a_spent_budget_leaves_it_unknown() -> None:
    board = Board.from_text(ENDLESS)
    for limits in ({"nodes": 1000}, {"ms": 1.0}, {"nodes": 1000, "ms": 1e9}):
        solution = solve(board, **limits)
        assert (solution.outcome, solution.distance, solution.line) == ("unknown", None, ())
        assert len(solution.moves) == 80
    assert solution.nodes == 1000
    assert str(solution) == "unknown: none of 80 legal moves is proven to win (1,000 nodes)"


def test_a_win_at_sight_is_the_soonest_within_any_budget() -> None:
    board = Board.from_text("5x6 3x1/1x1x1/2xxx/2x2/1xx2/3x1 4,2 5,3 1")
    assert [solve(board, nodes=nodes, distance=True).distance for nodes in (5, 6, 100)] == [1, 1, 1]


def test_a_player_without_a_move_has_lost() -> None:
    solution = solve(Board.from_text("1x4 x/x/1/1 0,0 1,0 1"), distance=True)
    assert (solution.outcome, solution.moves, solution.line, solution.distance) == ("loss", (), (), 0)
    assert solution.nodes == 0


def test_the_board_stays_as_it_is_and_its_players_do_not_matter() -> None:
    board = Board(object(), object(), width=5, height=5)
    before = board.to_text()
    assert solve(board).outcome == "loss"
    assert board.to_text() == before


def test_a_solution_can_be_pickled_and_compared() -> None:
    solution = solve(Board.from_text(MIDGAME), distance=True)
    assert pickle.loads(pickle.dumps(solution)) == solution
    assert hash(solution) == hash(solve(Board.from_text(MIDGAME), distance=True))


@pytest.mark.parametrize("limits", [{"nodes": 0}, {"nodes": True}, {"nodes": 1.5}, {"ms": 0}, {"ms": "1"}])
def test_limits_that_are_none_are_refused(limits: dict[str, object]) -> None:
    with pytest.raises(InvalidBudgetError, match=f"^{next(iter(limits))} must be"):
        solve(Board(), **limits)  # type: ignore[arg-type]


@pytest.mark.parametrize("wanted", [{"moves": False}, {}, {"line": True}, {"distance": True}])
@pytest.mark.parametrize("nodes", [None, 2000, 7])
def test_on_several_threads_the_solution_is_the_same(wanted: dict[str, bool], nodes: int | None) -> None:
    for board in late_positions(4, 19):
        on_one = solve(board, nodes=nodes, **wanted)
        assert solve(board, nodes=nodes, threads=3, **wanted) == on_one


@pytest.mark.parametrize("threads", [0, 1.0, True, 1025, None])
def test_a_number_of_threads_that_is_none_is_refused(threads: object) -> None:
    with pytest.raises(InvalidArgumentError, match=r"^threads must be an integer from 1 to 1,024, not "):
        solve(Board(), threads=threads)  # type: ignore[arg-type]


def test_other_boards_are_refused() -> None:
    with pytest.raises(TypeError, match=r"^solve takes an isolation_fast\.Board, not a"):
        solve(reference.Board())  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 3])
def test_ctrl_c_ends_it(threads: int) -> None:
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])

    def solved() -> None:
        # Within what expects it: on a busy machine it may come before the work has begun.
        timer.start()
        solve(Board.from_text(ENDLESS), threads=threads)

    with pytest.raises(KeyboardInterrupt):
        solved()
    timer.join()


def random_game(seed: int) -> GameResult:
    start = "5x5 1x3/5/2x2/x4/5 2,2 3,0 2"
    return play_game(RandomPlayer(), RandomPlayer(), start=start, seed=seed)


def position_texts(result: GameResult) -> list[str]:
    board, texts = Board.from_text(result.start), [result.start]
    for move in result.moves:
        board.apply_move(move)
        texts.append(board.to_text())
    return texts


@pytest.mark.parametrize("seed", range(30))
def test_each_verdict_is_what_the_solutions_before_and_after_say(seed: int) -> None:
    result = random_game(seed)
    annotation = annotate(result)
    texts = position_texts(result)
    won = [solve(Board.from_text(text)).outcome == "win" for text in texts]
    assert [each.move for each in annotation.moves] == list(result.moves)
    for at, each in enumerate(annotation.moves):
        assert (each.number, each.player) == (at + 1, 2 - at % 2)
        expected = "could not help" if not won[at] else "kept" if not won[at + 1] else "threw away"
        assert each.verdict == expected
    assert annotation.winner == result.winner
    thrown = [each for each in annotation.moves if each.verdict == "threw away"]
    assert annotation.losing_move == (thrown[-1] if thrown else None)
    assert annotation.lost_from_start == (not thrown)
    if annotation.losing_move is None:
        assert (annotation.instead, annotation.line) == ((), ())
        return
    # The line begins with a move that would have kept the win, and the loser of the game makes its last move.
    assert annotation.losing_move.player == result.loser
    board = Board.from_text(texts[annotation.losing_move.number - 1])
    assert annotation.instead == solve(board).winning_moves
    assert annotation.line[0] in annotation.instead
    for move in annotation.line:
        assert board.move_is_legal(move)
        board.apply_move(move)
    assert board.get_legal_moves() == []
    assert board.active_player == f"player {result.winner}"


def test_games_come_as_results_records_and_moves() -> None:
    result = random_game(1)
    known = annotate(result)
    assert annotate(result.moves, start=result.start) == known
    assert annotate(list(result.moves), start=Board.from_text(result.start, "Ann", "Ben")) == known
    nothing = [None] * len(result.moves)
    record = GameRecord.from_dict(
        {
            "schema": "isolation-fast/game/1",
            **dict.fromkeys(("opening", "pairing", "side"), 0),
            "players": ["Random", "Random"],
            **dict.fromkeys(("width", "height"), 5),
            "start": result.start,
            "moves": result.history,
            **dict.fromkeys(("values", "depths", "nodes", "reasons"), nothing),
            "winner": result.winner,
            "ending": "no moves",
            "detail": "",
        }
    )
    assert annotate(record) == known


def test_nodes_leave_early_moves_unknown() -> None:
    result = play_game(AlphaBetaPlayer(nodes=100), RandomPlayer(), seed=2)
    annotation = annotate(result, nodes=1000)
    verdicts = [each.verdict for each in annotation.moves]
    assert verdicts[0] == "unknown"
    assert verdicts[-1] == "kept"
    assert not annotation.lost_from_start


def test_how_long_the_win_lasted_is_found_within_its_nodes() -> None:
    plain, best, cut = (annotate([(0, 0)], start=MIDGAME, distance_nodes=each) for each in (0, 1000, 5))
    assert (plain.distance, best.distance, cut.distance) == (None, 7, None)
    assert best.line == solve(Board.from_text(MIDGAME), distance=True).line
    assert plain.instead == best.instead == cut.instead == ((0, 4), (3, 1))
    assert plain.line == cut.line
    assert plain.nodes < cut.nodes <= plain.nodes + 5


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match=r"^move 2, \(0, 0\), is not legal on '7x7 x6"):
        annotate([(0, 0), (0, 0)])
    with pytest.raises(IllegalMoveError, match=r"^move 1, \(7, 0\), is not legal on '7x7 7"):
        annotate([(7, 0)])
    with pytest.raises(InvalidPositionError):
        annotate([(0, 0)], start="nonsense")
    with pytest.raises(
        TypeError, match=r"^annotate takes a game with `start` and `moves`, or a list of moves"
    ):
        annotate(7)  # type: ignore[arg-type]
    with pytest.raises(InvalidBudgetError, match=r"^nodes must be an integer of at least 1, not 0$"):
        annotate([], nodes=0)
    for move in ((0.9, 0), "00", (0, 0, 7), (0,), 0, None):
        with pytest.raises(TypeError, match=r"^a move is a pair of integers \(row, column\), not "):
            annotate([move])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"^start= is for moves alone"):
        annotate(random_game(1), start="5x5 5/5/5/5/5 - - 1")


def test_an_empty_game_is_judged_by_its_position() -> None:
    annotation = annotate([], start=MIDGAME, nodes=2**70)
    assert (annotation.moves, annotation.winner, annotation.losing_move) == ((), 1, None)


def test_the_perfect_player_wins_what_is_won() -> None:
    for text in ("5x5 1x3/5/2x2/x4/5 2,2 3,0 2", "5x5 5/5/5/5/5 - - 1", MIDGAME):
        board = Board.from_text(text)
        mover = 1 if board.active_player == "player 1" else 2
        expected = mover if solve(board).outcome == "win" else 3 - mover
        for opponent in (GreedyPlayer(), RandomPlayer(), PerfectPlayer(nodes=10**6)):
            pair = (
                (PerfectPlayer(nodes=10**6), opponent)
                if expected == 1
                else (opponent, PerfectPlayer(nodes=10**6))
            )
            result = play_game(*pair, start=text, seed=1, time_limit=60_000)
            assert result.winner == expected


def test_the_perfect_player_wins_soonest_and_resists_longest() -> None:
    board = Board.from_text(MIDGAME)
    players = PerfectPlayer(nodes=10**6), PerfectPlayer(nodes=10**6)
    result = play_game(*players, start=board, time_limit=60_000)
    assert len(result.moves) == solve(board, distance=True).distance == 7


def test_where_nothing_is_proven_the_perfect_player_searches() -> None:
    board = Board.from_text(ENDLESS)
    player = PerfectPlayer("open", nodes=2000)
    move = player.get_move(board, lambda: 1e9)
    assert player.solution is not None
    assert player.report is not None
    assert player.solution.outcome == "unknown"
    assert player.report.root_values is not None
    assert player.report.root_values[move] == max(player.report.root_values.values())
    assert player.searched_nodes == 4000
    assert repr(player) == "PerfectPlayer('open', nodes=2000)"


def test_the_perfect_player_makes_no_move_that_is_proven_to_lose_while_there_is_another() -> None:
    board = Board.from_text("7x7 1xx4/1x5/1xxx3/xxxxxx1/xxxx3/xx1xxx1/2xx3 0,1 5,3 2")
    player = PerfectPlayer(nodes=30)
    move = player.get_move(board, lambda: 1e9)
    assert player.solution is not None
    assert player.solution.outcome == "unknown"
    assert [each.move for each in player.solution.moves if each.outcome == "loss"] == [(4, 5)]
    # Its search would rather make that one.
    assert player.report is not None
    assert player.report.root_values is not None
    assert max(player.report.root_values, key=player.report.root_values.__getitem__) == (4, 5)
    assert move in {(6, 1), (6, 5)}


def test_where_all_is_proven_the_perfect_player_does_not_search() -> None:
    for board in late_positions(6, 13):
        player = PerfectPlayer(nodes=10**6)
        solution = solve(board, distance=True)
        assert player.get_move(board, lambda: 1e9) == solution.moves[0].move
        assert player.report is None
        assert player.solution == solution


def test_the_perfect_player_keeps_to_the_clock() -> None:
    player = PerfectPlayer()
    move = player.get_move(Board.from_text(ENDLESS), lambda: 30.0)
    assert move in Board.from_text(ENDLESS).get_legal_moves()
    assert (
        PerfectPlayer().get_move(Board.from_text(ENDLESS), lambda: 5.0)
        in Board.from_text(ENDLESS).get_legal_moves()
    )
    assert PerfectPlayer().get_move(Board.from_text("1x1 x - - 1"), lambda: 150.0) == (-1, -1)


def test_the_perfect_player_plays_on_the_reference_board() -> None:
    board = reference.Board.from_text(MIDGAME)
    assert PerfectPlayer(nodes=1000).get_move(board, lambda: 150.0) == (0, 4)


def test_moves_may_be_lists_as_json_has_them() -> None:
    moves: Any = [[0, 0], [1, 2]]
    assert annotate(moves, start="3x3 3/3/3 - - 1").moves[1].move == (1, 2)
