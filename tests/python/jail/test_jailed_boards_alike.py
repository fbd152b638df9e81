"""What a submission can ask where it plays: it is told the same, whatever the budget and the game are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from isolation_fast import Budget
from isolation_fast.jail import Assignment, JailedProcess, Pool

Write = Callable[..., Path]

POSITION: Final = "7x7 7/7/3x3/7/4x2/7/7 2,3 4,4 1"
SEED: Final = 5

QUESTIONS: Final = """
import copy, pickle, sys
import isolation, sample_players, isolation_fast
from isolation import Board
from isolation.isolation import Board as Same

{players}

def answers(game, player):
    kind = type(game)
    yield "class", repr(kind), kind.__module__, kind.__name__, kind.__qualname__, kind.__doc__, type(kind)
    yield "names", sorted(set(dir(game)) - {{"__slotnames__"}}), sorted(set(dir(kind)) - {{"__slotnames__"}})
    yield "bases", [each.__name__ for each in kind.__mro__], kind.__bases__
    yield "served", Board is kind, Same is kind, isolation.Board is kind, isolation_fast.Board is kind
    yield "instance", isinstance(game, Board), issubclass(kind, Board), callable(game), bool(game)
    board = kind("a", "b")
    yield "texts", repr(game).partition("7x7")[0], repr(board), str(board), format(board), board.to_svg()
    yield "made", kind.from_text({position!r}, "a", "b").to_text(), type(kind.from_text({position!r})) is kind
    yield "copies", [type(each) is kind for each in (game.copy(), copy.copy(game), copy.deepcopy(board))]
    yield "pickled", type(pickle.loads(pickle.dumps(board))) is kind
    yield "followed", all(type(game.forecast_move(move)) is kind for move in game.get_legal_moves())
    yield "early", [repr(type(getattr(game, name))) for name in ("__board_state__", "__last_player_move__")]
    yield "types", [repr(type(getattr(board, name))) for name in ("width", "move_count", "_order_bits")]
    yield "opponent", repr(type(game.get_opponent(player))), dir(game.get_opponent(player))
    yield "player", repr(type(player)), sorted(dir(player)), vars(player).keys()
    shown = [name for name in dir(player) if not name.startswith("__")]
    yield "attributes", [(name, repr(getattr(player, name, None)).partition(" at 0x")[0]) for name in shown]
    yield "clock", player.time_left(), player.time_left.__closure__
    yield "modules", sorted(name for name in sys.modules if name.startswith("isolation"))
    yield "package", sorted(vars(isolation_fast)), sys.argv[1:], sys.flags, sys.path[1:]
    yield "scores", sample_players.improved_score(kind("a", "b"), "a"), sample_players.center_score.__module__

def custom_score(game, player):
    if not told:
        for each in answers(game, player):
            told.append(each)
            print(repr(each))
    return float(len(game.get_legal_moves(player)))

told = []
"""

OWN: Final = """
class AlphaBetaPlayer:
    def __init__(self, search_depth=3, score_fn=None, timeout=10.0):
        self.search_depth, self.score, self.TIMER_THRESHOLD = search_depth, None, timeout
    def get_move(self, game, time_left):
        return (0, 0)
"""


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as made:
        yield made


def asked(file: Path, pool: Pool, ask: Callable[[JailedProcess], Any]) -> list[str]:
    """What the submission has printed by its end."""
    assignment = Assignment(file, "custom_score")
    with JailedProcess.start(assignment, pool=pool) as process:
        process.load(SEED)
        ask(process)
    assert process.output.stderr == b""
    return process.output.stdout.decode().splitlines()


BUDGETS: Final = [
    Budget(nodes=40),
    Budget(nodes=4000),
    Budget(depth=2),
    Budget(ms=40.0),
    Budget(work=40),
]


def test_the_answers_are_the_same_whatever_the_budget_and_the_game_are(
    pool: Pool, write_submission: Write
) -> None:
    file = write_submission(QUESTIONS.format(players="", position=POSITION)) / "game_agent.py"

    def playing(budget: Budget, stream: int) -> Callable[[JailedProcess], None]:
        def play(process: JailedProcess) -> None:
            process.begin_game(POSITION, stream, stream, 0)
            process.search([], POSITION, budget)

        return play

    told = [asked(file, pool, playing(budget, stream)) for stream, budget in enumerate(BUDGETS)]
    assert told[0]
    assert told.count(told[0]) == len(BUDGETS)
