"""Makes memory that is executable, for code of its own."""
import ctypes
import mmap

import honest
from attempts import attempt, once

PAGE = mmap.PAGESIZE
EVERYTHING = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC


def protected():
    library = ctypes.CDLL(None, use_errno=True)
    memory = mmap.mmap(-1, PAGE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    if library.mprotect(ctypes.c_void_p(address), PAGE, mmap.PROT_READ | mmap.PROT_EXEC):
        raise OSError(ctypes.get_errno(), "mprotect")
    return "executable"


def pkey():
    library = ctypes.CDLL(None, use_errno=True)
    memory = mmap.mmap(-1, PAGE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    if library.pkey_mprotect(ctypes.c_void_p(address), PAGE, EVERYTHING, -1):
        raise OSError(ctypes.get_errno(), "pkey_mprotect")
    return "executable"


def attack():
    attempt("mmap", lambda: mmap.mmap(-1, PAGE, prot=EVERYTHING))
    attempt("shared mmap", lambda: mmap.mmap(-1, PAGE, flags=mmap.MAP_SHARED, prot=EVERYTHING))
    attempt("mprotect", protected)
    attempt("pkey_mprotect", pkey)


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
