"""Makes memory that is executable, for code of its own."""
import ctypes
import mmap

import honest
import memory
from attempts import attempt, once, system_call

PAGE = mmap.PAGESIZE
EVERYTHING = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC


def protected():
    library = ctypes.CDLL(None, use_errno=True)
    own = mmap.mmap(-1, PAGE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(own))
    if library.mprotect(ctypes.c_void_p(address), PAGE, mmap.PROT_READ | mmap.PROT_EXEC):
        raise OSError(ctypes.get_errno(), "mprotect")
    return "executable"


def pkey():
    library = ctypes.CDLL(None, use_errno=True)
    own = mmap.mmap(-1, PAGE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(own))
    if library.pkey_mprotect(ctypes.c_void_p(address), PAGE, EVERYTHING, -1):
        raise OSError(ctypes.get_errno(), "pkey_mprotect")
    return "executable"


def remapped():
    """Our engine's machine code a second time, where no lock was looked for."""
    start, length, _ = memory.pieces_of_our_library("r-x")[0]
    return system_call("mremap", start, length, length, 1 | 4, None)


def attack():
    attempt("mmap", lambda: mmap.mmap(-1, PAGE, prot=EVERYTHING))
    attempt("shared mmap", lambda: mmap.mmap(-1, PAGE, flags=mmap.MAP_SHARED, prot=EVERYTHING))
    attempt("mprotect", protected)
    attempt("pkey_mprotect", pkey)
    attempt("mremap", remapped)


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
