"""Goes on when it was not asked: in ends of objects, in the hooks of tracing, by timers."""
import signal
import sys
import time

import honest

MOST = 10  # in all: where others use the processor too, the next timer comes in the middle of this one's work
counted = []


def work(*arguments):
    if len(counted) >= MOST:
        return None
    counted.append(1)
    end = time.process_time() + 0.005
    while time.process_time() < end:
        pass
    return work


class CustomPlayer(honest.CustomPlayer):
    def get_move(self, game, time_left):
        move = honest.CustomPlayer.get_move(self, game, time_left)
        if not counted:
            signal.signal(signal.SIGALRM, work)
            signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
            signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        return move
