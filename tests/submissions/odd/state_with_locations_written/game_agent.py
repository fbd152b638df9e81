def custom_score(game, player):
    best = 0
    for corner in (0, game.height - 1, game.height):
        moved = game.copy()
        moved._board_state[-1 if player == moved._player_1 else -2] = corner
        assert moved.get_player_location(player) == (corner % game.height, corner // game.height)
        best = max(best, len(moved.get_legal_moves(player)))
    return best


def custom_score_2(game, player):
    lifted = game.copy()
    lifted._board_state[-2] = lifted._board_state[-1] = None
    return len(lifted.get_legal_moves(player)) - len(game.get_legal_moves(player))
