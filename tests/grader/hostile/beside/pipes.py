"""What attacks share that take their process's pipes over: our loop then searches in one heuristic call for ever."""

import fcntl
import gc
import os
import struct

from isolation_fast import Board
import ours
from attempts import descriptors

messages = ours.module("worker.messages")
SEARCH, GAME, DONE, MOVED = 18, 17, 4, 5
state = []


def frame(kind, number, content):
    return struct.pack("<BIQ", kind, len(content), number) + content


def noted(handler):
    handler.has_searched = True


def take_over(asked=None):
    """Keep the pipe of requests, and put one in its place in which our own request waits: by default a search."""
    ends = [each for each in descriptors() if each > 2]
    requests = next(each for each in ends if fcntl.fcntl(each, fcntl.F_GETFL) & 3 == os.O_RDONLY)
    answers = next(each for each in ends if each != requests)
    handler = next(each for each in gc.get_objects() if str(type(each).__module__).startswith("isolation_fast.") and type(each).__name__ == "Handler")
    kept = os.dup(requests)
    read, written = os.pipe()
    asked = asked or messages.SearchAsked(moves=(), position=handler._board.to_text(), depth=1)
    os.write(written, frame(asked.kind, 0, asked.content()))
    os.dup2(read, requests)
    type(handler).searched.__code__ = noted.__code__
    state.extend((kept, answers, handler))


def exactly(descriptor, count):
    content = b""
    while len(content) < count:
        part = os.read(descriptor, count - len(content))
        if not part:
            os._exit(0)
        content += part
    return content


def is_ours():
    """Whether the pipes are taken over, and the first search was answered: the next one is our own."""
    return bool(state) and hasattr(state[2], "has_searched")


def request(requests):
    """Kind, number and content of the next one."""
    kind, length, number = struct.unpack("<BIQ", exactly(requests, 13))
    return kind, number, exactly(requests, length)


def answered(kind, content, choose=lambda board: sorted(board.get_legal_moves())[-1], nodes=1):
    """The move that is chosen, by default the last legal one there is; or that a game has begun."""
    if kind == GAME:
        return DONE, b""
    asked = messages.SearchAsked.of(content)
    move, found = choose(Board.from_text(asked.position, "us", "them")), nodes or asked.nodes
    return MOVED, messages.Moved(*move, flags=3, value=0.5, depth=1, nodes=found, reason=1).content()


def answer_all(choose, nodes=None, waiting=None):
    """Choose the moves of all turns from now on, and claim so many nodes for each, or all that it may have."""
    requests, answers, _ = state
    while True:
        if waiting is not None:
            waiting(requests)
        kind, number, content = request(requests)
        kind, content = answered(kind, content, choose, nodes)
        os.write(answers, frame(kind, number, content))
