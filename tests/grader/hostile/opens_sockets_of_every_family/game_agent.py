"""Opens a socket of every family and kind."""
import socket

import honest
from attempts import attempt, once


def attack():
    for family in range(48):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
            attempt(f"{family} {kind}", lambda: socket.socket(family, kind))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
