"""A player that talks, at all levels, and listens."""
import os
import sys


def custom_score(game, player):
    return 0.0


class Talking:
    def get_move(self, game, time_left):
        print("x" * 10_000)
        print("y" * 10_000, file=sys.stderr)
        sys.__stdout__.write("z")
        os.write(1, b"\nisolation-fast worker\n\0\0\0\0\0\0\0\x02{}")
        os.write(2, b"!" * 100_000)
        os.system("echo from a shell")
        assert sys.stdin.read() == ""
        return min(game.get_legal_moves())
