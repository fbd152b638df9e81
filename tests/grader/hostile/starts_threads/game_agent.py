"""Thinks on in threads while its opponent moves."""
import _thread
import concurrent.futures
import faulthandler
import threading

import honest
from attempts import attempt, once


def pool():
    with concurrent.futures.ThreadPoolExecutor(2) as workers:
        return list(workers.map(abs, [1, 2]))


def attack():
    attempt("threading", lambda: threading.Thread(target=print, daemon=True).start())
    attempt("_thread", lambda: _thread.start_new_thread(print, ()))
    attempt("pool", pool)
    attempt("timer", lambda: threading.Timer(0, print).start())
    attempt("faulthandler's", lambda: faulthandler.dump_traceback_later(60))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
