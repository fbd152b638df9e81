"""Talks to processes of this machine by unix sockets: with a path, abstract, in pairs."""
import socket

import honest
from attempts import attempt, once
from targets import UNIX_ABSTRACT, UNIX_PATH


def connected(address):
    line = socket.socket(socket.AF_UNIX)
    line.connect(address)
    return line


def attack():
    attempt("path", lambda: connected(UNIX_PATH))
    attempt("abstract", lambda: connected("\0" + UNIX_ABSTRACT))
    attempt("pair", lambda: socket.socketpair())


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
