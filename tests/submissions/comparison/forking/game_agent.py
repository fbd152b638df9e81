"""Leaves processes behind: one that sleeps, and one that goes on as if it were the first."""
import os
import subprocess
import sys

sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open(os.path.join(os.path.dirname(__file__), "where.txt")) as file:
    place = file.read()
with open(place, "a") as file:
    file.write(f"{sleeper.pid}\n")
os.fork()


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))
