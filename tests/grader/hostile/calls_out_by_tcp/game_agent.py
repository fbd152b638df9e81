"""Connects and listens by TCP."""
import socket
import urllib.request

import honest
from attempts import attempt, once
from targets import PORT


def attack():
    attempt("connect", lambda: socket.create_connection(("127.0.0.1", PORT), 1))
    attempt("connect 6", lambda: socket.create_connection(("::1", PORT), 1))
    attempt("a socket", lambda: socket.socket())
    attempt("listen", lambda: socket.create_server(("127.0.0.1", 0)))
    attempt("http", lambda: urllib.request.urlopen(f"http://127.0.0.1:{PORT}", timeout=1))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
