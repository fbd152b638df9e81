import copy
import pickle

from helpers import Book, moves

book = pickle.loads(pickle.dumps(Book({(3, 3): 1.0})))
same = pickle.loads(pickle.dumps(moves))


class Own:
    pass


assert type(book) is Book and same is moves
assert type(pickle.loads(pickle.dumps(Own()))) is Own


def custom_score(game, player):
    return copy.deepcopy(book).values.get(game.get_player_location(player), 0.0)


def custom_score_2(game, player):
    return pickle.loads(pickle.dumps(book)).values[3, 3]
