"""Searches on several processors: multiprocessing and pools of processes."""
import concurrent.futures
import multiprocessing

import honest
from attempts import attempt, once


def pool():
    with concurrent.futures.ProcessPoolExecutor(2) as workers:
        return list(workers.map(abs, [1, 2]))


def attack():
    attempt("process", lambda: multiprocessing.get_context("fork").Process(target=print).start())
    attempt("spawned", lambda: multiprocessing.get_context("spawn").Process(target=print).start())
    attempt("pool", pool)
    attempt("shared memory", lambda: multiprocessing.Array("d", 10))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
