"""Borrows our engine: search, evaluation, perft, whole games, native heuristics and players."""
import honest
from attempts import attempt, once
from ours import module


def attack():
    isolation_fast, _native, heuristics, players = map(module, ("", "_native", "heuristics", "players"))
    Board = isolation_fast.Board
    attempt("an import", lambda: __import__("isolation_fast.searching"))
    attempt("a name", lambda: __import__("isolation_fast").search)
    board = Board("Ann", "Ben")
    native = heuristics.get("improved") if hasattr(heuristics, "get") else heuristics.improved
    attempt("search", lambda: isolation_fast.search(board, "improved", depth=2))
    attempt("search by ours", lambda: isolation_fast.search(board, honest.custom_score, depth=1))
    attempt("evaluate", lambda: isolation_fast.evaluate(board, "improved"))
    attempt("evaluate_many", lambda: isolation_fast.evaluate_many([board], "improved"))
    attempt("perft", lambda: isolation_fast.perft(board, 2))
    attempt("play_game", lambda: isolation_fast.play_game(players.RandomPlayer(), players.RandomPlayer()))
    attempt("a heuristic", lambda: native(board, "Ann"))
    attempt("a player", lambda: players.GreedyPlayer().get_move(board, lambda: 150.0))
    attempt("a searching player", lambda: players.AlphaBetaPlayer("improved", depth=2).get_move(board, lambda: 150.0))
    for name in ("search", "evaluate", "evaluate_many", "perft", "play_native", "play_series", "judge"):
        attempt("native " + name, lambda: getattr(_native, name)())


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
