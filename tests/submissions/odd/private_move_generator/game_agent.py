def custom_score(game, player):
    """Cells that can be reached in two steps from where the player stands."""
    first = game._Board__get_moves(game.get_player_location(player))
    if len(first) > 8:
        return float(len(first))
    second = set()
    for cell in first:
        second.update(game._Board__get_moves(cell))
    return float(len(second))


def custom_score_2(game, player):
    return len(game._Board__get_moves(None)) + len(game._Board__get_moves(loc=(1, 1))) / 10
