"""A native player around a submission's heuristic: what the heuristic is given, and what ends its search."""

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

import pytest

from isolation_fast import AlphaBetaPlayer, Board, Budget, RandomPlayer, play_game, search
from isolation_fast.exceptions import InvalidArgumentError, UnknownHeuristicError
from isolation_fast.submission import as_player, load

POSITION = "7x7 x6/7/3x3/7/7/7/7 2,3 0,0 1"

Writer = Callable[[str], Path]


@pytest.fixture
def written(tmp_path: Path) -> Writer:
    """Writes a submission, gives its path."""

    def write(source: str) -> Path:
        path = tmp_path / "game_agent.py"
        path.write_text(dedent(source))
        return path

    return write


PLAYER = """
class SearchTimeout(Exception):
    pass

class AlphaBetaPlayer:
    weight = 3

    def __init__(self, search_depth=3, score_fn=None, timeout=10.):
        self.score = score_fn
        self.TIMER_THRESHOLD = timeout
        self.seen = []

    def get_move(self, game, time_left):
        raise RuntimeError("not asked")
"""


def board_of(player: Any, opponent: Any = "opponent") -> Board:
    return Board.from_text(POSITION, player, opponent)


def patient() -> float:
    return 150.0


def test_the_heuristic_is_given_an_instance_of_the_submissions_own_class(written: Writer) -> None:
    path = written(
        PLAYER
        + """
def custom_score(game, player):
    assert player.score is custom_score
    assert game.get_opponent(player) == "opponent"
    player.seen.append(type(player).__name__)
    return player.weight * len(game.get_legal_moves(player))
"""
    )
    player = as_player(path, depth=2)
    move = player.get_move(board_of(player), patient)
    assert player.report is not None
    seated = Board.from_text(POSITION, player.stand_in, "opponent")
    assert (player.report.move, player.report.value) == (move, search(seated, player.score, depth=2).value)
    assert set(player.stand_in.seen) == {"AlphaBetaPlayer"}
    assert isinstance(player.stand_in, load(path).players["AlphaBetaPlayer"]) is False  # another loading
    assert isinstance(player.stand_in, player.submission.players["AlphaBetaPlayer"])


def test_two_heuristics_of_one_submission_see_each_others_stand_in(written: Writer) -> None:
    path = written(
        PLAYER
        + """
def custom_score(game, player):
    player.seen.append(type(game.get_opponent(player)))
    return 0.

custom_score_2 = lambda game, player: 1.
"""
    )
    submission = load(path)
    player, other = as_player(submission, depth=1), as_player(submission, "custom_score_2", depth=1)
    player.get_move(board_of(player, other), patient)
    assert set(player.stand_in.seen) == {submission.players["AlphaBetaPlayer"]}


@pytest.mark.parametrize(
    "source",
    [
        "",
        """
class AlphaBetaPlayer:
    def __init__(self, name):
        raise ValueError(name)
    def get_move(self, game, time_left):
        return None
""",
        """
class AlphaBetaPlayer:
    def __init__(self):
        raise SystemExit(3)
""",
    ],
    ids=["no class", "a constructor with other arguments", "a constructor that exits"],
)
def test_without_a_class_of_its_own_the_heuristic_is_given_ours(written: Writer, source: str) -> None:
    path = written(
        source
        + """
def custom_score(game, player):
    assert player.TIMER_THRESHOLD == 10. and player.score is custom_score
    return player.time_left()
"""
    )
    player = as_player(path, nodes=100)
    player.get_move(board_of(player), patient)
    assert type(player.stand_in) is AlphaBetaPlayer


BUDGETS: Final = [Budget(nodes=50), Budget(depth=2), Budget(ms=20.0), Budget(work=50, cost=1.0)]


@pytest.mark.parametrize("budget", BUDGETS, ids=str)
@pytest.mark.parametrize("own", [PLAYER, ""], ids=["its own class", "no class"])
def test_whatever_the_budget_is_a_heuristic_sees_the_courses_150_ms(
    written: Writer, budget: Budget, own: str
) -> None:
    path = written(
        own
        + """
seen = set()

def custom_score(game, player):
    seen.add((player.time_left(), str(getattr(player, "budget", None)), str(getattr(player, "nodes", None))))
    return 0.
"""
    )
    player = as_player(path, budget=budget)
    for _ in range(2):
        player.get_move(board_of(player), patient)
    shown = "None" if own else "Budget(ms=150.0)"
    assert player.submission.module.seen == {(150.0, shown, "None")}


def test_without_a_budget_the_players_clock_is_that_of_the_turn(written: Writer) -> None:
    path = written(
        PLAYER
        + """
def custom_score(game, player):
    if player.time_left() < 100:
        raise SearchTimeout()
    return 0.
"""
    )
    player = as_player(path)
    readings = iter([10_000.0] * 30)
    player.get_move(board_of(player), lambda: next(readings, 99.0))
    assert player.report is not None
    assert player.report.reason == "heuristic"


@pytest.mark.parametrize("name", ["SearchTimeout", "Timeout"])
def test_its_own_timeout_ends_the_search_like_a_spent_budget(written: Writer, name: str) -> None:
    path = written(
        f"""
class {name}(Exception):
    pass

calls = []

def custom_score(game, player):
    calls.append(1)
    if len(calls) > 9:
        raise {name}()
    return float(len(game.get_legal_moves(player)))
"""
    )
    player = as_player(path, nodes=1000)
    move = player.get_move(board_of(player), patient)
    report = player.report
    assert report is not None
    assert (report.reason, report.depth, report.move) == ("heuristic", 1, move)
    assert "ended by its heuristic" in str(report)
    # At once: the first move in root order, as where a budget does not suffice for depth 1.
    assert player.get_move(board_of(player), patient) in board_of(player).get_legal_moves()
    assert player.report is not None
    assert (player.report.depth, player.report.value) == (0, None)


def test_any_other_exception_is_an_error(written: Writer) -> None:
    path = written(PLAYER + "def custom_score(game, player):\n    return 1 / 0\n")
    player = as_player(path, nodes=10)
    with pytest.raises(ZeroDivisionError):
        player.get_move(board_of(player), patient)


def test_a_timeout_of_somebody_elses_is_an_error(written: Writer) -> None:
    path = written(
        "class Elsewhere(Exception):\n    pass\n\ndef custom_score(game, player):\n    raise Elsewhere\n"
    )
    player = as_player(path, nodes=10)
    with pytest.raises(player.submission.module.Elsewhere):
        player.get_move(board_of(player), patient)


def test_a_heuristic_reads_the_data_beside_it_while_it_plays(written: Writer) -> None:
    path = written("""
        from pathlib import Path
        def custom_score(game, player):
            return float(Path("weight.txt").read_text())
        """)
    path.with_name("weight.txt").write_text("2.5")
    player = as_player(path, depth=1)
    player.get_move(board_of(player), patient)
    assert player.report is not None
    assert player.report.value == 2.5


def test_a_game_between_a_submission_and_ours_repeats_by_its_seed() -> None:
    games = [
        play_game(as_player("examples/game_agent.py", nodes=200), RandomPlayer(), seed=5) for _ in range(2)
    ]
    assert games[0] == games[1]
    assert games[0].reason == "no moves"
    assert games[0].nodes[0] > 200


def test_it_plays_as_our_player_with_the_same_heuristic_does() -> None:
    player = as_player("examples/game_agent.py", "custom_score_3", nodes=500)
    ours = AlphaBetaPlayer(player.score, nodes=500)
    for seed in range(3):
        played = [play_game(each, RandomPlayer(), seed=seed).moves for each in (player, ours)]
        assert played[0] == played[1]


def test_it_can_be_pickled() -> None:
    player = as_player("examples/game_agent.py", "custom_score_2", budget=Budget(nodes=300), seed=4)
    twin = pickle.loads(pickle.dumps(player))
    assert repr(twin) == repr(player) == "SubmissionPlayer('custom_score_2', nodes=300, seed=4)"
    board = board_of("Ann")
    assert twin.get_move(board, patient) == player.get_move(board, patient)


def test_players_of_a_class_whose_objects_are_equal_can_meet(written: Writer) -> None:
    path = written(
        """
from dataclasses import dataclass

@dataclass
class AlphaBetaPlayer:
    search_depth: int = 3
    score_fn: object = None

    def get_move(self, game, time_left):
        return None

def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))
"""
    )
    submission = load(path)
    result = play_game(as_player(submission, nodes=50), as_player(submission, nodes=50), seed=1)
    assert result.reason == "no moves"


def test_a_function_is_no_name_of_a_heuristic() -> None:
    submission = load("examples/game_agent.py")
    function: Any = submission.heuristics["custom_score"]
    with pytest.raises(TypeError, match="as_player takes the name of one of the submission's heuristics"):
        as_player(submission, function, nodes=5)


def test_a_mistyped_heuristic_is_answered_with_the_one_probably_meant() -> None:
    with pytest.raises(UnknownHeuristicError, match=r"'custom_scor_2', did you mean 'custom_score_2'\?"):
        as_player("examples/game_agent.py", "custom_scor_2", nodes=10)


def test_a_template_is_no_heuristic_to_play_with(written: Writer) -> None:
    path = written(
        "def custom_score(game, player):\n    return 0.\n\n"
        "def custom_score_2(game, player):\n    raise NotImplementedError\n"
    )
    with pytest.raises(InvalidArgumentError, match=r"'custom_score_2' is still a template in game_agent\.py"):
        as_player(path, "custom_score_2", nodes=10)


@pytest.mark.parametrize("kind", ["MinimaxPlayer", "AlphaBetaPlayer"])
def test_the_submissions_own_players_play(kind: str) -> None:
    own = load("examples/game_agent.py").players[kind]()
    board = Board(own, RandomPlayer())
    while moves := board.get_legal_moves():
        looks = iter(range(150, 0, -1))

        def time_left(looks: Iterator[int] = looks) -> float:
            return next(looks, 0)

        move = board.active_player.get_move(board.copy(), time_left)
        assert move in moves
        board.apply_move(move)
