"""Starts programs by subprocess, os.system, os.popen, posix_spawn."""
import os
import subprocess
import sys

import honest
from attempts import attempt, once
from targets import SCRATCH


def system(command):
    status = os.system(command)
    if status:
        raise PermissionError(1, f"status {status}")
    return status


def attack():
    attempt("run", lambda: subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True, check=True))
    attempt("shell", lambda: subprocess.check_output("echo 1", shell=True))
    attempt("system", lambda: system(f"touch {SCRATCH}/made"))
    attempt("popen", lambda: os.popen("echo 1").read())
    attempt("posix_spawn", lambda: os.posix_spawn("/bin/true", ["true"], {}))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
