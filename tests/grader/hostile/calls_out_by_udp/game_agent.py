"""Sends a datagram."""
import socket

import honest
from attempts import attempt, once
from targets import UDP_PORT


def attack():
    attempt("datagram", lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", UDP_PORT)))
    attempt("name", lambda: socket.getaddrinfo("localhost", 80, family=socket.AF_INET6, type=socket.SOCK_STREAM)[0][4][5])


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
