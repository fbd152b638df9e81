"""Players that answer what is no move, and heuristics that give what is no number."""


def custom_score(game, player):
    return "much"


def custom_score_2(game, player):
    return float("nan")


class Silent:
    def get_move(self, game, time_left):
        return None


class Listing:
    def get_move(self, game, time_left):
        return list(game.get_legal_moves()[0])


class Giddy:
    def get_move(self, game, time_left):
        return (-1, -1)


class Off:
    def get_move(self, game, time_left):
        return (99, 10**10000)


class AlwaysEqual:
    def get_move(self, game, time_left):
        class Equal:
            def __eq__(self, other):
                return True

            def __repr__(self):
                raise RuntimeError

        return Equal()


class Taking:
    """Of the first layout: takes its move out of the list."""

    def get_move(self, game, legal_moves, time_left):
        return legal_moves.pop()
