"""Goes to a file of the grader through /proc: roots and folders of itself, of the parent, of the victim."""
import os

import honest
from attempts import attempt, once
from targets import PARENT, SECRET, VICTIM


def attack():
    for process in ("self", "thread-self", "1", str(PARENT), str(VICTIM)):
        for way in (f"root{SECRET}", "environ", "mem", "maps", "fd", "cwd/secret.txt"):
            path = f"/proc/{process}/{way}"
            if path == "/proc/self/maps":  # the one that may be read: docs/security.md says why
                continue
            read = os.listdir if way == "fd" else lambda path: open(path, "rb").read(100)
            attempt(path, lambda: read(path))
    attempt("list of processes", lambda: os.listdir("/proc"))
    attempt("command line", lambda: open(f"/proc/{PARENT}/cmdline").read())


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
