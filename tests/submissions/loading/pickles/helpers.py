class Book:
    def __init__(self, values):
        self.values = values


def moves(game):
    return game.get_legal_moves()
