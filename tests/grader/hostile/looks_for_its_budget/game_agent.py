"""Looks for its budget, node count, seed and trial: at its player, in frames, closures, messages and the collector."""
import gc
import sys

import honest
from attempts import attempt
from ours import modules

NAMES = ("nodes", "depth", "ms", "work", "cost", "seed", "budget", "stream", "order", "asked", "content", "assign",
         "message", "limits", "report", "searched_nodes", "game")
KINDS = ("Budget", "Assign", "Load", "Game", "MoveAsked", "Measure", "SearchAsked", "SearchReport", "Frame",
         "Outline", "NodeCount", "Plan", "Cost")
COURSE = "Budget(ms=150.0)"
UNTOLD = (None, 0, 150.0, 10.0)
seen, known = set(), set()


def objects():
    gc.unfreeze()
    return [each for each in gc.get_objects() if type(each).__name__ in KINDS
            and str(type(each).__module__).startswith("isolation_fast") and str(each) != COURSE]


def some(found):
    found = list(found)
    if not found:
        raise LookupError("nothing")
    return found


def of_player(player):
    shown = {name: getattr(player, name, None) for name in NAMES}
    shown.update({name: value for name, value in vars(player).items() if type(value) in (int, float)})
    return some(each for each in shown.items() if each[1] not in UNTOLD and str(each[1]) != COURSE)


def of_frames():
    frame, found = sys._getframe(1), []
    while frame is not None:
        if "isolation_fast" in frame.f_code.co_filename or frame.f_code.co_filename == "<string>":
            found += [(name, value) for name, value in frame.f_locals.items() if name in NAMES]
        frame = frame.f_back
    return some(found)


def of_closure(player):
    left = player.time_left
    return some([*(left.__closure__ or ()), *(left.__defaults__ or ()), *vars(left)])


def of_modules():
    worker = [each for name, each in modules().items() if ".worker" in name or ".asking" in name]
    return some(value for each in worker for value in each.values()
                if type(value).__name__ in KINDS and id(value) not in known)


def attack(player):
    attempt("its player", lambda: of_player(player))
    attempt("the frames above", of_frames)
    attempt("the clock's closure", lambda: of_closure(player))
    attempt("our modules", of_modules)
    attempt("the collector", lambda: some(each for each in objects() if id(each) not in known))


def custom_score(game, player):
    calls.append(1)
    if len(calls) % 10 == 5:
        attack(player)
    seen.add(player.time_left())
    if len(seen) > 1:
        attempt("the clock", lambda: seen)
    return honest.custom_score(game, player)


calls = []
known.update(map(id, objects()))
