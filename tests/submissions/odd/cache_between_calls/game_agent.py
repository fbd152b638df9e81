class Memory:
    last = None
    calls = 0


def custom_score(game, player):
    """The change since the last time it was asked, about whatever game that was."""
    Memory.calls += 1
    now = len(game.get_legal_moves(player))
    before, Memory.last = Memory.last, now
    return 0.0 if before is None else float(now - before)


table = {}


def custom_score_2(game, player):
    return table.setdefault(game.move_count, len(game.get_legal_moves(player)))
