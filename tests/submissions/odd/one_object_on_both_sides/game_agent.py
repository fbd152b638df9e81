class CustomPlayer:
    def get_move(self, game, time_left):
        return max(game.get_legal_moves(), default=(-1, -1))


def custom_score(game, player):
    """Against itself every location that is written is that of player 2."""
    assert game.get_opponent(player) is player
    both = game.is_loser(player), game.is_winner(player)
    return len(game.get_legal_moves()) + (game._board_state[-2] or 0) / 100 + both.count(True)
