"""What people write and a strict type checker must accept, as it is."""

from concurrent.futures import ProcessPoolExecutor
from typing import Any

from isolation_fast import (
    AlphaBetaPlayer,
    Board,
    Budget,
    Cost,
    GameResult,
    GreedyPlayer,
    HumanPlayer,
    IllegalMoveError,
    InvalidBudgetError,
    IsolationError,
    MinimaxPlayer,
    RandomPlayer,
    SearchReport,
    __version__,
    heuristics,
    perft,
    play_game,
    search,
)
from isolation_fast.counting import count_cost
from isolation_fast.heuristics import Heuristic, HeuristicLike
from isolation_fast.players import Player
from isolation_fast.programs import program_of
from isolation_fast.reports import Move

version: str = __version__


# Heuristics of every kind.


def improved_score(game: Board, player: Any) -> float:
    if game.is_loser(player):
        return float("-inf")
    own = len(game.get_legal_moves(player))
    other = len(game.get_legal_moves(game.get_opponent(player)))
    return float(own - other)


def whole_number_score(game: Board, player: object) -> int:
    return len(game.get_legal_moves(player=player))


class Weighted:
    def __init__(self, weight: float) -> None:
        self.weight = weight

    def __call__(self, game: Board, player: object) -> float:
        return self.weight * len(game.get_legal_moves(player))


choices: list[HeuristicLike] = [
    "improved",
    heuristics.open,
    improved_score,
    whole_number_score,
    Weighted(2.0),
]
native: Heuristic = heuristics.get("center")
names: list[str] = heuristics.names()
value: float = heuristics.improved(Board(), "player 1")

# Boards.

board = Board("me", "you", width=9, height=9)
board.apply_move((3, 4))
board.apply_move([4, 5])
moves: list[tuple[int, int]] = board.get_legal_moves()
location: tuple[int, int] | None = board.get_player_location("me")
following: Board = board.forecast_move(moves[0])
text: str = following.to_text()
again: Board = Board.from_text(text, "me", "you")
again._board_state[-3] ^= 1


class CountingBoard(Board):
    copies = 0

    def copy(self) -> Board:
        self.copies += 1
        return super().copy()


counting: Board = CountingBoard("me", "you")

# Searches.

report: SearchReport = search(board, "improved", depth=3)
best: Move | None = report.move
worth: float | None = report.value
for choice in choices:
    search(board, choice, nodes=500, ms=1.5, method="alphabeta", mode="fast", seed=1, root_values=True)
values = search(
    board, Weighted(0.5), budget=Budget(depth=2, nodes=500), method="minimax", root_values=True
).root_values
if values is not None:
    highest: float = max(values.values())
lines: int = perft(board, 3)
limits: int | None = Budget(nodes=500).nodes
search(board, improved_score, work=2000, cost=0.9)
fair: list[AlphaBetaPlayer] = [
    AlphaBetaPlayer(improved_score, work=2000, cost=Cost(2.0)),
    AlphaBetaPlayer("bfs", budget=Budget(work=2000)),
]
counted: float = count_cost(program_of(improved_score), turns=1).at(20, 49)

try:
    search(board, "improved", depth=0)
except InvalidBudgetError as refusal:
    as_value_error: ValueError = refusal
    as_ours: IsolationError = refusal
except IllegalMoveError:
    raise


# Players and games.


class LaterPlayer:
    def get_move(self, game: Board, time_left: Any) -> tuple[int, int]:
        return game.get_legal_moves()[0]


players: list[Player] = [
    RandomPlayer(seed=1),
    GreedyPlayer(score_fn=improved_score),
    MinimaxPlayer("open", depth=2),
    MinimaxPlayer(search_depth=3, score_fn=improved_score, timeout=10),
    AlphaBetaPlayer(improved_score, budget=Budget(ms=50), mode="fast", timeout=5.0),
    HumanPlayer(),
    LaterPlayer(),
]
game: GameResult = play_game(players[0], LaterPlayer(), start=board, seed=1, time_limit=50)
game = play_game(RandomPlayer(), AlphaBetaPlayer(nodes=500), start="5x4 5/5/5/5 - - 1")
winner: int = game.winner
history: list[list[int]] = game.history
searched: tuple[int, int] = game.nodes
answer: tuple[int, int] = AlphaBetaPlayer(nodes=500).get_move(board, lambda: 150.0)


def count_of_wins(results: list[GameResult]) -> int:
    return sum(result.winner == 1 for result in results)


def in_processes() -> GameResult:
    with ProcessPoolExecutor() as executor:
        return executor.submit(play_game, RandomPlayer(), GreedyPlayer(), seed=1).result()
