"""Leaves something behind for its next process: memory and queues of System V and POSIX."""
import honest
from attempts import attempt, once, system_call
from multiprocessing import shared_memory


def attack():
    attempt("shmget", lambda: system_call("shmget", 4711, 4096, 0o1600))
    attempt("msgget", lambda: system_call("msgget", 4711, 0o1600))
    attempt("semget", lambda: system_call("semget", 4711, 1, 0o1600))
    attempt("mq_open", lambda: system_call("mq_open", b"x", 0o102, 0o600, None))
    attempt("/dev/shm", lambda: shared_memory.SharedMemory(create=True, size=16))
    attempt("a key", lambda: system_call("add_key", b"user", b"x", b"y", 1, -4))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
