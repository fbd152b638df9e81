def custom_score(game, player):
    letter = {"Ann": "A", "Ben": "B"}[player]
    assert player.upper()[0] == letter and player + "" == player
    return float(len(game.get_legal_moves(letter + player[1:])))


def custom_score_2(game, player):
    return float(len(game.get_legal_moves(player.lower())))
