"""Players and heuristics that raise."""
import signal
import sys


def custom_score(game, player):
    return 1 / len(game.get_legal_moves(player))


class SearchTimeout(Exception):
    pass


class Raising:
    def get_move(self, game, time_left):
        return self.search(game)

    def search(self, game):
        raise SearchTimeout(f"{__file__} ran out of time, {object()}")


class Exiting:
    def get_move(self, game, time_left):
        sys.exit("no more of this")


class Interrupting:
    def get_move(self, game, time_left):
        raise KeyboardInterrupt


class Unspeakable:
    def get_move(self, game, time_left):
        class Odd(BaseException):
            def __str__(self):
                raise self

        raise Odd


def ring(number, frame):
    raise SearchTimeout("too late")


class Ringing:
    """Sets off an alarm that rings when its turn is over: by CPU time, or a busy machine made it ring before."""

    def get_move(self, game, time_left):
        signal.signal(signal.SIGPROF, ring)
        signal.setitimer(signal.ITIMER_PROF, 0.01)
        return game.get_legal_moves()[0]
