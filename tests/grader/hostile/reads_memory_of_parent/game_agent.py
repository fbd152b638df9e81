"""Reads and writes the referee's memory, and its parent's, by /proc, process_vm_readv and process_vm_writev."""
import ctypes
import os

import honest
from attempts import attempt, once, system_call
from targets import PARENT, VICTIM


class Piece(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


def attack():
    buffer = ctypes.create_string_buffer(16)
    here = bytes(Piece(ctypes.addressof(buffer), 16))
    for process in (PARENT, VICTIM, os.getppid()):
        attempt("mem", lambda: open(f"/proc/{process}/mem", "rb").read(1))
        attempt("mem to write", lambda: open(f"/proc/{process}/mem", "r+b"))
        attempt("readv", lambda: system_call("process_vm_readv", process, here, 1, here, 1, 0))
        attempt("writev", lambda: system_call("process_vm_writev", process, here, 1, here, 1, 0))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
