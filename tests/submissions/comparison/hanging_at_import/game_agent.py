"""Never gets as far as its heuristic."""
import time

while True:
    time.sleep(60)


def custom_score(game, player):
    return 0.0
