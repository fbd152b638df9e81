"""Takes sums of floats from one another that are equal but for the order, so all that is left is rounding."""


def custom_score(game, player):
    cells = game.get_legal_moves(player)
    straight = sum((row + 1) / (column + 3) for row, column in cells)
    return straight - sum((row + 1) / (column + 3) for row, column in sorted(cells))
