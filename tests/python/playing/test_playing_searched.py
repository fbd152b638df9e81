"""Games of players that do nothing but search: the engine plays them, the same as if each were asked."""

from pathlib import Path
from typing import Any

import pytest

from isolation_fast import AlphaBetaPlayer, GreedyPlayer, MinimaxPlayer, RandomPlayer
from isolation_fast.compiled import compiled_of, not_compiling, use_of
from isolation_fast.cost import Cost
from isolation_fast.heuristics import Heuristic
from isolation_fast.playing import seats
from isolation_fast.playing.loaded import searcher_of
from isolation_fast.playing.protocol import WatchedMemory
from isolation_fast.playing.referee import PlayedGame, Turn, play
from isolation_fast.playing.seats import PlayerSeat
from isolation_fast.submission import as_player

EMPTY = "7x7 7/7/7/7/7/7/7 - - 1"
LATE = "7x7 1x1xx2/x1x2x1/2xx1x1/x2x1xx/1x1xx2/xx3x1/2x2xx 2,3 4,4 2"
NARROW = "3x5 3/1x1/3/3/3 1,1 - 2"
LARGE = "9x8 9/2x6/9/9/5x3/9/9/9 1,2 4,5 1"


def chasing(game: Any, player: Any) -> float:
    """Compiled."""
    own = len(game.get_legal_moves(player))
    return float(own - 2 * len(game.get_legal_moves(game.get_opponent(player))))


def in_order(game: Any, player: Any) -> float:
    """Compiled; goes by the order in which the board lists moves."""
    moves = game.get_legal_moves(player)
    return float(moves[0][0] - moves[-1][1]) if moves else -100.0


def raising_late(game: Any, player: Any) -> float:
    """Compiled; raises where few cells are left."""
    return 1.0 / (len(game.get_blank_spaces()) - 40)


def large_late(game: Any, player: Any) -> float:
    """Compiled; bails where few cells are left."""
    return float(7 ** (50 - len(game.get_blank_spaces())))


def compiled(player: Any) -> Any:
    """The player, its heuristic compiled."""
    assert use_of(player.score) is compiled_of(player.score)
    return player


def played(first: Any, second: Any, opening: str, watch: WatchedMemory | None = None) -> PlayedGame:
    """A game between two players that run here."""
    pair = [
        PlayerSeat(each, at, is_native=isinstance(each.score, Heuristic))
        for at, each in enumerate((first, second))
    ]
    return play(pair[0], pair[1], opening, 150.0, watch, stream=12345)


@pytest.mark.parametrize("opening", [EMPTY, LATE, NARROW, LARGE])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (lambda: AlphaBetaPlayer(chasing, nodes=300), lambda: AlphaBetaPlayer("improved", nodes=300)),
        (lambda: AlphaBetaPlayer(in_order, nodes=200), lambda: AlphaBetaPlayer(chasing, depth=3)),
        (lambda: AlphaBetaPlayer("bfs", work=200), lambda: MinimaxPlayer(in_order, depth=2)),
        (lambda: AlphaBetaPlayer(chasing, nodes=300, mode="fast"), lambda: MinimaxPlayer("open")),
        (
            lambda: AlphaBetaPlayer(chasing, work=900, cost=Cost(2.0, (4.0, 3.0, 2.0, 2.0, 1.0))),
            lambda: AlphaBetaPlayer(in_order, nodes=100, seed=7),
        ),
    ],
    ids=["native", "compiled", "minimax", "fast", "bands"],
)
def test_a_game_is_the_same_if_each_player_is_asked(
    first: Any, second: Any, opening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in (chasing, in_order):
        compiled_of(each)
    with monkeypatch.context() as patched:
        patched.setattr(PlayerSeat, "ask", lambda *_: pytest.fail("a player was asked"))
        by_the_engine = played(first(), second(), opening)
    monkeypatch.setattr(seats, "searcher_of", lambda _: None)
    assert played(first(), second(), opening) == by_the_engine
    with not_compiling():
        assert played(first(), second(), opening) == by_the_engine


@pytest.mark.parametrize("heuristic", [raising_late, large_late])
def test_where_python_has_a_say_the_players_are_asked(
    heuristic: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def game() -> tuple[PlayedGame, Any]:
        memory = tmp_path / "memory"
        memory.touch()
        watch = WatchedMemory(str(memory), 49)
        watch.begins(0)
        return played(mine, AlphaBetaPlayer("open", nodes=100), EMPTY, watch), watch.moves

    mine = compiled(AlphaBetaPlayer(heuristic, nodes=200))
    found, moves = game()
    monkeypatch.setattr(seats, "searcher_of", lambda _: None)
    assert game() == (found, moves)
    assert moves == tuple(found.moves)
    assert found.ending == ("raised" if heuristic is raising_late else "no moves")


class Places(WatchedMemory):
    """Memory that notes where the process is when a move is made."""

    def moved(self, cell: Any) -> None:
        noted.append((self.place, len(self.moves)))
        super().moved(cell)


noted: list[Any] = []


def test_the_turns_of_such_a_game_can_be_watched(tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    memory.touch()
    watch = Places(str(memory), 49)
    watch.begins(0)
    noted.clear()
    mine = compiled(AlphaBetaPlayer(chasing, depth=1))
    found = played(mine, AlphaBetaPlayer("open", depth=1), EMPTY, watch)
    assert watch.moves == tuple(found.moves)
    # What runs in this process is asked in every other turn.
    turns = [(place.asked, place.entrant, moves) for place, moves in noted]
    assert turns == [(turn % 2 == 0, 0, turn) for turn in range(len(found.moves))]


class Subclass(AlphaBetaPlayer):
    """May do anything."""


def patched() -> AlphaBetaPlayer:
    """A player whose own `get_move` was replaced."""
    player = AlphaBetaPlayer("open", depth=1)
    vars(player)["get_move"] = lambda *_: (0, 0)
    return player


@pytest.mark.parametrize(
    "player",
    [
        RandomPlayer(seed=1),
        GreedyPlayer(),
        AlphaBetaPlayer("open"),
        AlphaBetaPlayer("open", ms=5),
        AlphaBetaPlayer(max, depth=1),
        AlphaBetaPlayer(chasing, depth=1, compile=False),
        Subclass("open", depth=1),
        patched(),
    ],
)
def test_other_players_are_asked(player: Any) -> None:
    assert searcher_of(player) is None


def test_a_function_that_is_not_compiled_yet_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def fresh(game: Any, player: Any) -> float:
        return float(len(game.get_legal_moves(player)))

    asked: list[Turn] = []
    ask = PlayerSeat.ask

    def noting(seat: PlayerSeat, turn: Turn) -> Any:
        asked.append(turn)
        return ask(seat, turn)

    monkeypatch.setattr(PlayerSeat, "ask", noting)
    mine = AlphaBetaPlayer(fresh, nodes=200)
    first = played(mine, AlphaBetaPlayer("open", nodes=200), EMPTY)
    assert len(asked) == len(first.moves)
    # Asked a thousand times it was compiled.
    assert played(mine, AlphaBetaPlayer("open", nodes=200), EMPTY).moves == first.moves
    assert len(asked) == len(first.moves)


def test_a_heuristic_of_a_submission_is_searched_by_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlayerSeat, "ask", lambda *_: pytest.fail("a player was asked"))
    mine = compiled(as_player("examples/game_agent.py", "custom_score", nodes=100))
    assert played(mine, AlphaBetaPlayer("open", nodes=100), EMPTY).ending == "no moves"
