"""Looks for hidden tests: lists the folders of the grader, of the home and of the machine."""
import glob
import os

import honest
from attempts import attempt, once
from targets import SECRET


def attack():
    folder = os.path.dirname(SECRET)
    attempt("listdir", lambda: os.listdir(folder))
    attempt("scandir", lambda: list(os.scandir(folder)))
    attempt("glob", lambda: glob.glob(folder + "/*")[0])
    attempt("the root", lambda: os.listdir("/"))
    attempt("home", lambda: os.listdir(os.path.expanduser("~root")))
    attempt("temporary", lambda: os.listdir("/tmp"))
    attempt("/etc/passwd", lambda: open("/etc/passwd").read())
    attempt("/etc/shadow", lambda: open("/etc/shadow").read())
    attempt("/dev/mem", lambda: open("/dev/mem", "rb").read(1))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
