cache = {}


def custom_score(game, player):
    key = (game.hash(), player)
    if key not in cache:
        assert isinstance(game.hash(), int) and game.hash() == game.copy().hash()
        cache[key] = float(len(game.get_legal_moves(player)) - len(game.get_blank_spaces()))
    return cache[key]
