"""Asks the kernel by number for all that no player needs: io_uring, keys, bpf, mounts, namespaces, modules."""
import honest
from attempts import SYSTEM_CALLS, attempt, once, system_call

HARMLESS_BY_ARGUMENT = (0, 0, 0, 0, 0, 0)


def attack():
    for name in SYSTEM_CALLS:
        if name not in ("openat2",):
            attempt(name, lambda: system_call(name, *HARMLESS_BY_ARGUMENT))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
