"""Answers something of 20 MB whose text is longer still."""


class CustomPlayer:
    def get_move(self, game, time_left):
        return ["x" * 2_000_000] * 10
