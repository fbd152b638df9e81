"""Goes on when it was not asked: in ends of objects, in the hooks of tracing, by timers."""
import signal
import sys
import time

import honest

counted = []


def work(*arguments):
    end = time.process_time() + 0.005
    while time.process_time() < end:
        pass
    counted.append(1)
    return work if len(counted) < 50 else None


class CustomPlayer(honest.CustomPlayer):
    def get_move(self, game, time_left):
        move = honest.CustomPlayer.get_move(self, game, time_left)
        if not counted:
            signal.signal(signal.SIGALRM, work)
            signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
            signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        return move
