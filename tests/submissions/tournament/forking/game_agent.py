"""A player whose process is there twice for a while."""
import os
import re
import subprocess
import sys


def custom_score(game, player):
    return 0.0


class Forking:
    def get_move(self, game, time_left):
        child = os.fork()
        if child:
            os.waitpid(child, 0)
        return min(game.get_legal_moves())


class Starting:
    """Starts a process that would outlive it."""

    def get_move(self, game, time_left):
        if game.move_count < 2:
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            with open(os.environ["NOTE"], "a") as note:
                note.write(f"{child.pid} {os.getpid()}\n")
        if game.move_count > 4:
            while os.environ.get("WAIT"):
                pass
        return min(game.get_legal_moves())


class StartingAndHolding(Starting):
    """Never lets go of the interpreter either."""

    def get_move(self, game, time_left):
        if game.move_count > 4:
            re.match(r"(a+)+$", "a" * 60 + "b")
        return super().get_move(game, time_left)
