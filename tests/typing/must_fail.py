"""What a strict type checker must refuse: each bad line bears the code of the error that it must get."""

from isolation_fast import (
    AlphaBetaPlayer,
    Board,
    Budget,
    GreedyPlayer,
    RandomPlayer,
    heuristics,
    perft,
    play_game,
    search,
)

board = Board()


def score_without_player(game: Board) -> float:
    return 0.0


def score_as_text(game: Board, player: object) -> str:
    return "high"


class MovesAlone:
    def get_move(self, game: Board) -> tuple[int, int]:
        return game.get_legal_moves()[0]


search(board, 3, depth=1)  # expect: arg-type
search("7x7", "improved", depth=1)  # expect: arg-type
search(board, score_without_player, depth=1)  # expect: arg-type
search(board, score_as_text, depth=1)  # expect: arg-type
search(board, "improved", depth="3")  # expect: arg-type
search(board, "improved", depth=1.5)  # expect: arg-type
search(board, "improved", 3)  # expect: call-arg, arg-type
search(board, "improved", depth=1, method="alfabeta")  # expect: arg-type
search(board, "improved", depth=1, mode="quick")  # expect: arg-type
search(board, "improved", depth=1, deph=2)  # expect: call-arg
search(board, "improved", budget=3)  # expect: arg-type
best = search(board, "improved", depth=1).best  # expect: attr-defined
increased = search(board, "improved", depth=1).value + 1.0  # expect: operator
search(board, "improved", depth=1).value = 0.0  # expect: misc
perft(board, "2")  # expect: arg-type

Budget(3)  # expect: call-arg
Budget(work="2000")  # expect: arg-type
Budget(depth=3).depth = 4  # expect: misc

board.apply_move(5)  # expect: arg-type
board.apply_move(("a", "b"))  # expect: arg-type
board.active_player = "me"  # expect: misc
Board.from_text(7)  # expect: arg-type
Board(width="7")  # expect: arg-type

heuristics.get(7)  # expect: arg-type
misspelt = heuristics.improoved  # expect: attr-defined
heuristics.improved = heuristics.open  # expect: misc
heuristics.improved.name = "mine"  # expect: misc

play_game("improved", RandomPlayer())  # expect: arg-type
play_game(RandomPlayer(), MovesAlone())  # expect: arg-type
play_game(RandomPlayer(), GreedyPlayer(), seed="1")  # expect: arg-type
play_game(RandomPlayer(), GreedyPlayer(), start=7)  # expect: arg-type
play_game(RandomPlayer(), GreedyPlayer()).winner = 2  # expect: misc
AlphaBetaPlayer(mode="quick")  # expect: arg-type
AlphaBetaPlayer(3)  # expect: arg-type
RandomPlayer(3)  # expect: call-arg
AlphaBetaPlayer(search_depth=3)  # expect: arg-type
