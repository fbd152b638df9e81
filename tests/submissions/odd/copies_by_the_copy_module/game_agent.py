import copy
import pickle


def custom_score(game, player):
    total = 0
    for twin in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        total += len(twin.get_legal_moves(player))
        twin.apply_move(twin.get_blank_spaces()[0])
        twin.note = "mine"
        total += 100 * (twin.move_count - game.move_count) + 10 * hasattr(game, "note")
    return total
