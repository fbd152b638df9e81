"""Does to our board what `how.txt` says, and is all right on the classic one."""

import os
import time
from pathlib import Path

HOW, WHERE = Path(__file__).with_name("how.txt").read_text().split()


def end(board):
    if not type(board).__module__.startswith("isolation_fast") and WHERE == "ours":
        return
    if HOW == "hang":
        time.sleep(600)
    elif HOW == "abort":
        os.abort()
    elif HOW == "exit":
        os._exit(3)
    elif HOW == "grow":
        kept = [bytes(2**24)]
        while True:
            kept.append(bytes(2**24))


def custom_score(game, player):
    end(game)
    return float(game.move_count)


class OwnPlayer:
    def get_move(self, game, time_left):
        end(game)
        moves = sorted(game.get_legal_moves())
        return moves[0] if moves else (-1, -1)
