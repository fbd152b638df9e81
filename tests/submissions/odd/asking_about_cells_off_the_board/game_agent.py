def custom_score(game, player):
    """Free cells around the corner cells, without looking where the board ends."""
    if game.move_is_legal((-1, -1)):
        return float("nan")
    free = 0
    for row in (-1, 0, 1, game.height - 1, game.height):
        for col in (-1, 0, 1, game.width - 1, game.width):
            free += game.move_is_legal((row, col))
    return free + 0.5 * game.move_is_legal((-game.height, 0)) + 0.5 * game.move_is_legal((10**6, -(10**6)))
