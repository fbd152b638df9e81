"""Whatever is given as a player becomes an entrant: it can be sent to a process, compared, written down."""

import operator
import pickle
import subprocess
import sys
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from isolation_fast import (
    AlphaBetaPlayer,
    Board,
    Budget,
    GreedyPlayer,
    HumanPlayer,
    InvalidArgumentError,
    MinimaxPlayer,
    PerfectPlayer,
    RandomPlayer,
    heuristics,
)
from isolation_fast.playing.entrants import Entrant, NativeEntrant, ObjectEntrant, SubmissionEntrant
from isolation_fast.playing.seats import PlayerSeat, seat_of
from isolation_fast.submission import SubmissionError, as_player
from isolation_fast.tournament.resolving import entrant

ROOT = Path(__file__).resolve().parents[3]
GAME_AGENT = str(ROOT / "examples" / "game_agent.py")


def own_score(game: Any, player: Any) -> float:
    return float(len(game.get_legal_moves(player)))


class OwnPlayer:
    def get_move(self, game: Any, time_left: Any) -> Any:
        return (game.get_legal_moves() or [(-1, -1)])[0]


class OwnAlphaBeta(AlphaBetaPlayer):
    pass


def made(given: Any, **options: Any) -> Entrant:
    return entrant(given, **{"default_budget": "nodes=77", **options})


def native(given: Any, **options: Any) -> NativeEntrant:
    result = made(given, **options)
    assert isinstance(result, NativeEntrant)
    return result


def in_python(given: Any, **options: Any) -> ObjectEntrant:
    result = made(given, **options)
    assert isinstance(result, ObjectEntrant)
    return result


DEFAULT = Budget(nodes=77)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Random", NativeEntrant("Random", "random")),
        ("Greedy", NativeEntrant("Greedy", "greedy", heuristics.open)),
        ("MM_Open", NativeEntrant("MM_Open", "minimax", heuristics.open, Budget(depth=3))),
        ("AB_Open", NativeEntrant("AB_Open", "alphabeta", heuristics.open, DEFAULT)),
        ("ID_Null", NativeEntrant("ID_Null", "alphabeta", heuristics.null, DEFAULT)),
        ("AB:bfs@mode=fast", NativeEntrant("AB:bfs@mode=fast", "alphabeta", heuristics.bfs, DEFAULT, "fast")),
        ("me=AB:bfs@nodes=5", NativeEntrant("me", "alphabeta", heuristics.bfs, Budget(nodes=5))),
    ],
)
def test_a_text_becomes_what_it_says(text: str, expected: NativeEntrant) -> None:
    assert made(text) == expected


@pytest.mark.parametrize(("text", "nodes"), [("Perfect", 200_000), ("Perfect@nodes=500", 500)])
def test_a_perfect_player_has_its_own_nodes_for_proof_and_search(text: str, nodes: int) -> None:
    result = in_python(text)
    player = pickle.loads(result.pickled)
    assert (result.name, result.budget) == (text, None)
    assert (type(player), player.budget) == (PerfectPlayer, Budget(nodes=nodes))


class KeptAsItIs(AlphaBetaPlayer):
    """Derived, and asked in the same way."""


class OfItsOwn(AlphaBetaPlayer):
    def get_move(self, game: Any, time_left: Any) -> Any:
        return super().get_move(game, time_left)


def test_no_clock_ends_the_turn_of_a_player_that_counts() -> None:
    def seat(player: Any) -> PlayerSeat:
        return seat_of(in_python(player), 0)

    assert not seat(PerfectPlayer(nodes=500)).limited
    assert not seat(KeptAsItIs(nodes=500)).limited
    assert seat(PerfectPlayer()).limited
    assert seat(KeptAsItIs()).limited
    assert seat(OfItsOwn(nodes=500)).limited


@pytest.mark.parametrize("option", ["depth=3", "work=2000", "ms=5", "mode=fast"])
def test_a_perfect_player_takes_nodes_alone(option: str) -> None:
    with pytest.raises(InvalidArgumentError, match=r"Allowed: 'nodes'"):
        made(f"Perfect@{option}")


@pytest.mark.parametrize(
    ("player", "text"),
    [
        (heuristics.bfs, "AB:bfs"),
        (heuristics.aggressive.variant(factor=1.5), "AB:aggressive(factor=1.5)"),
        (RandomPlayer(), "Random"),
        (GreedyPlayer(), "Greedy:open"),
        (MinimaxPlayer("open"), "MM:open"),
        (MinimaxPlayer("open", depth=2), "MM:open@depth=2"),
        (AlphaBetaPlayer("bfs", nodes=500), "AB:bfs@nodes=500"),
        (AlphaBetaPlayer("bfs", depth=4, mode="fast"), "AB:bfs@depth=4,mode=fast"),
        (AlphaBetaPlayer("bfs"), "AB:bfs"),
        (as_player(GAME_AGENT, "custom_score_2", nodes=5), f"{GAME_AGENT}:custom_score_2@nodes=5"),
        (as_player(GAME_AGENT), f"{GAME_AGENT}:custom_score"),
    ],
)
def test_a_player_of_ours_is_the_same_entrant_as_its_text(player: Any, text: str) -> None:
    assert made(player) == made(text)


def test_a_player_that_no_text_describes_is_pickled_as_it_is() -> None:
    replaced = AlphaBetaPlayer("bfs", nodes=5)
    vars(replaced)["get_move"] = OwnPlayer().get_move
    players = [
        RandomPlayer(seed=1),
        MinimaxPlayer("open", nodes=50),
        MinimaxPlayer("open", seed=3),
        GreedyPlayer(own_score),
        AlphaBetaPlayer("bfs", seed=3, nodes=5),
        AlphaBetaPlayer("bfs", ms=5, timeout=2),
        OwnAlphaBeta("bfs", nodes=5),
        replaced,
        OwnPlayer(),
    ]
    for player in players:
        result = in_python(player)
        assert (result.name, result.budget) == (type(player).__name__, None)
        assert type(pickle.loads(result.pickled)) is type(player)
        assert result.digest == sha256(result.pickled).hexdigest()


def test_a_margin_matters_to_times_alone() -> None:
    assert made(AlphaBetaPlayer("bfs", nodes=5, timeout=2)) == made("AB:bfs@nodes=5")


def test_alpha_beta_without_a_budget_gets_the_default_whatever_else_it_says() -> None:
    player = AlphaBetaPlayer("bfs", seed=3)
    assert pickle.loads(in_python(player).pickled).budget == DEFAULT
    assert player.budget is None


def test_a_function_is_searched_around() -> None:
    result = in_python(own_score)
    assert (result.name, result.budget, result.mode) == ("own_score", DEFAULT, "plain")
    assert pickle.loads(result.pickled) is own_score
    around = in_python(AlphaBetaPlayer(own_score, nodes=5, mode="fast"))
    assert (around.name, around.budget, around.mode) == (
        "own_score@nodes=5,mode=fast",
        Budget(nodes=5),
        "fast",
    )
    assert around.pickled == result.pickled
    assert in_python(partial(own_score)).name == "partial"


def test_a_member_of_a_file_is_a_heuristic_or_a_class() -> None:
    digest = sha256(Path(GAME_AGENT).read_bytes()).hexdigest()
    score = made(f"{GAME_AGENT}:custom_score@ms=20")
    assert score == SubmissionEntrant(
        *("game_agent.py:custom_score@ms=20", GAME_AGENT, "custom_score", digest, Budget(ms=20)),
        timed="its budget is a time",
    )
    player = made(f"{GAME_AGENT}:AlphaBetaPlayer")
    assert player == SubmissionEntrant("game_agent.py:AlphaBetaPlayer", GAME_AGENT, "AlphaBetaPlayer", digest)


def test_a_file_is_looked_up_from_here_and_named_without_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert made("examples/game_agent.py:custom_score") == made(f"{GAME_AGENT}:custom_score")


def test_nothing_of_a_file_is_run(tmp_path: Path) -> None:
    file = tmp_path / "game_agent.py"
    file.write_text("raise SystemExit\ndef custom_score(game, player):\n    return 0.0\n")
    found = made(f"{file}:custom_score")
    assert found.name == "game_agent.py:custom_score"


def test_what_only_running_a_file_makes_is_taken_for_a_heuristic(tmp_path: Path) -> None:
    file = tmp_path / "game_agent.py"
    file.write_text(
        "from functools import partial\nfrom elsewhere import there as here\n"
        "def f(game, player, w=1):\n    return 0.0\nscore = partial(f, w=2)\nother: object = score\n"
    )
    for member in ("f", "score", "other", "here"):
        assert made(f"{file}:{member}").budget == DEFAULT


@pytest.mark.parametrize(
    ("member", "message"),
    [
        (
            "custom_scor",
            "unknown heuristic or player of game_agent.py 'custom_scor', did you mean 'custom_score'?",
        ),
        ("helper", "unknown heuristic or player of game_agent.py 'helper'"),
        ("custom_score_2", "custom_score_2 of game_agent.py is still a template"),
        ("Unwritten", "Unwritten.get_move of game_agent.py is still a template"),
        ("Player@nodes=5", "Player of game_agent.py is a class: it plays by itself and takes no options"),
        ("Player@mode=fast", "takes no options"),
    ],
)
def test_a_member_that_cannot_play_is_refused(tmp_path: Path, member: str, message: str) -> None:
    file = tmp_path / "game_agent.py"
    file.write_text(
        "def custom_score(game, player):\n    return 0.0\n"
        "def custom_score_2(game, player):\n    raise NotImplementedError\n"
        "def helper(number):\n    return number\n"
        "class Player:\n    def get_move(self, game, time_left):\n        return game.get_legal_moves()[0]\n"
        "class Unwritten:\n    def get_move(self, game, time_left):\n        raise NotImplementedError\n"
    )
    with pytest.raises(InvalidArgumentError) as caught:
        made(f"{file}:{member}")
    assert message in str(caught.value)


def test_a_file_that_is_not_there_or_cannot_be_parsed_says_so(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="there is no such file"):
        made(f"{tmp_path}/game_agent.py:custom_score")
    (tmp_path / "broken.py").write_text("def custom_score(game, player)\n    return 0\n")
    with pytest.raises(SubmissionError, match=r"broken\.py:1"):
        made(f"{tmp_path}/broken.py:custom_score")


def test_a_name_goes_before_what_a_player_is_called() -> None:
    for given in (
        "Random",
        heuristics.bfs,
        OwnPlayer(),
        own_score,
        f"{GAME_AGENT}:custom_score",
        made("Random"),
    ):
        assert made(given, name="mine").name == "mine"
        assert made({"mine": given}).name == "mine"
    with pytest.raises(InvalidArgumentError, match="a player has one name, not both 'a' and 'b'"):
        made({"a": "b=Random"})


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "nul\0"])
def test_a_name_is_one_line_with_something_on_it(name: str) -> None:
    for given in ("Random", OwnPlayer(), own_score, made("Random")):
        with pytest.raises(InvalidArgumentError, match="the name of a player"):
            made(given, name=name)


def test_an_entrant_stays_what_it_is() -> None:
    given = made("AB_Open@nodes=5")
    assert made(given, default_budget="nodes=9") is given


def test_entrants_can_be_pickled() -> None:
    for given in ("AB:aggressive(factor=1.5)", own_score, OwnPlayer(), f"{GAME_AGENT}:custom_score"):
        result = made(given)
        assert pickle.loads(pickle.dumps(result)) == result


@pytest.mark.parametrize(
    "text",
    [
        "AB:continuations@depth=3",
        "MM:continuations",
        "Greedy:longest_win",
        "AB:weighted_sum(blend_then_continuations=1, open=1)@depth=4",
    ],
)
def test_a_heuristic_that_walks_the_tree_needs_a_budget_that_ends_it(text: str) -> None:
    with pytest.raises(InvalidArgumentError, match=r"walks the tree of play .* nodes=, work= or ms="):
        made(text)


def test_a_budget_of_depth_by_default_does_not_let_it_walk_either() -> None:
    with pytest.raises(InvalidArgumentError, match="AB:continuations: continuations walks"):
        made("AB:continuations", default_budget="depth=3")
    with pytest.raises(InvalidArgumentError, match="walks"):
        made(MinimaxPlayer("continuations"))
    assert made("AB:continuations@depth=3,nodes=50").budget == Budget(depth=3, nodes=50)


def test_a_person_cannot_take_part() -> None:
    with pytest.raises(InvalidArgumentError, match="played without people"):
        made(HumanPlayer())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "a player is a text such as 'AB_Improved', .* not None"),
        (5, "not an int: 5"),
        (Board(), "not an isolation_fast.Board"),
        (OwnPlayer, r"give OwnPlayer\(...\), not OwnPlayer"),
        (lambda game: 0.0, r"a heuristic is called as f\(game, player\)"),
        (Budget(nodes=5), "not an isolation_fast.Budget"),
    ],
)
def test_what_is_no_player_is_a_type_error(given: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        made(given)


@pytest.mark.parametrize("given", [{}, {"a": "Random", "b": "Random"}])
def test_a_name_with_a_player_is_one(given: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="one player with a name"):
        made(given)


def test_compiled_functions_that_do_not_say_what_they_take_are_let_pass() -> None:
    assert in_python(max).name == "max"
    assert in_python(operator.add).name == "add"


def test_what_cannot_be_pickled_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    player = OwnPlayer()
    vars(player)["clock"] = lambda: 1.0
    for given in (player, lambda game, player: 0.0):
        with pytest.raises(
            InvalidArgumentError,
            match=r"cannot be sent .* put its class or function at the top of a module, or name it as",
        ):
            made(given)


INTERACTIVE = """
import sys
sys.modules["cloudpickle"] = None
from isolation_fast.tournament.resolving import entrant
class Own:
    def get_move(self, game, time_left): ...
def score(game, player): return 0.0
for given in (Own(), score):
    try:
        print(entrant(given, default_budget="nodes=5").name)
    except ValueError as error:
        print(error)
"""


def test_what_an_interactive_session_defines_is_refused_and_what_a_script_defines_is_not(
    tmp_path: Path,
) -> None:
    script = tmp_path / "script.py"
    script.write_text(INTERACTIVE)
    outputs = [
        subprocess.run([sys.executable, *how], capture_output=True, text=True, check=True).stdout.splitlines()
        for how in (["-c", INTERACTIVE], [str(script)])
    ]
    assert all("it is defined in an interactive session" in line for line in outputs[0])
    assert len(outputs[0]) == 2
    assert outputs[1] == ["Own", "score"]
