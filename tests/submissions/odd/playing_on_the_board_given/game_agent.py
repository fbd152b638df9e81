def custom_score(game, player):
    """Saves a copy: plays its moves right here."""
    for _ in range(3):
        moves = game.get_legal_moves()
        if not moves:
            break
        game.apply_move(min(moves))
    return float(game.move_count + len(game.get_legal_moves(player)) / 10)
