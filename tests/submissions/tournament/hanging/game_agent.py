"""Players that never answer."""
import json
import re
import time


def custom_score(game, player):
    while True:
        time.sleep(1)


class Looping:
    """In its third move."""

    def get_move(self, game, time_left):
        while game.move_count >= 4:
            pass
        return game.get_legal_moves()[0]


class HoldingTheInterpreter:
    def get_move(self, game, time_left):
        re.match(r"(a+)+$", "a" * 60 + "b")


class Catching:
    """Lets nobody end it from inside."""

    def get_move(self, game, time_left):
        while True:
            try:
                time.sleep(1)
            except BaseException:
                pass


class Sleeping:
    def __repr__(self):
        while True:
            time.sleep(1)


class SleepingAtItsEnd:
    def __del__(self):
        while True:
            time.sleep(1)


class HangingAnswer:
    """Hangs when somebody wants to show what it answered."""

    def get_move(self, game, time_left):
        return Sleeping()


class HangingBoard:
    """Hangs when its copy of the board is forgotten."""

    def get_move(self, game, time_left):
        game.mark = SleepingAtItsEnd()
        return min(game.get_legal_moves())


class HangingReferee:
    """Hangs in what the referee calls after its turn."""

    def get_move(self, game, time_left):
        from isolation_fast.playing import games, seats

        games.game_record = lambda *_, **__: time.sleep(600)
        seats.PlayerSeat.searched = property(lambda _: time.sleep(600))
        return min(game.get_legal_moves())


class HangingReport:
    """Plays to the end, and hangs then."""

    def __init__(self):
        json.dumps = lambda *_: time.sleep(600)

    def get_move(self, game, time_left):
        return min(game.get_legal_moves())
