"""Sets a tracer that changes locals and jumps in each of our frames."""
import sys

import honest


def tracer(frame, event, argument):
    if "isolation_fast" in frame.f_code.co_filename:
        frame.f_trace_lines = True
        for name in list(frame.f_locals):
            frame.f_locals[name] = None
        try:
            frame.f_lineno = frame.f_lineno + 1
        except ValueError:
            pass
    return tracer


def custom_score(game, player):
    sys.settrace(tracer)
    sys.setprofile(lambda *arguments: None)
    frame = sys._getframe()
    while frame is not None:
        frame.f_trace = tracer
        frame = frame.f_back
    return honest.custom_score(game, player)
