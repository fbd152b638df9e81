class CustomPlayer:
    def get_move(self, game, time_left):
        return (-1, -1)


def custom_score(game, player):
    moves = {p: game.get_legal_moves(p) for p in (game.active_player, game.inactive_player)}
    ranks = dict.fromkeys(moves, 0)
    ranks[game._player_2] = 0.25
    reach = {key: set(value) for key, value in moves.items()}
    other = game.get_opponent(player)
    return len(reach[player] - reach[other]) + ranks[player]
