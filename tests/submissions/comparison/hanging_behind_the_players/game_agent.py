"""What is submitted and the player are quick; a function that was only tried takes for ever."""


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))


def longest_path_score(game, player):
    length = 0.0
    while length >= 0:
        length += 1
    return length


class OwnPlayer:
    def get_move(self, game, time_left):
        moves = game.get_legal_moves()
        return moves[0] if moves else (-1, -1)
