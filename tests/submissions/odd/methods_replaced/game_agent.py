def custom_score(game, player):
    calls = []
    plain = game.get_legal_moves

    def counted(who=None):
        calls.append(who)
        return plain(who)

    game.get_legal_moves = counted
    total = len(game.get_legal_moves(player)) + len(game.get_legal_moves())
    del game.get_legal_moves
    return total + 100.0 * len(calls) + 0.5 * (game.get_legal_moves != counted)
