"""How attacks read and write anywhere in the memory of their process: an array of numpy may lie at any address."""

import numpy


# What begins as zeros, at the end of our library: other memory may follow.
ZEROS = 16384


class At:
    def __init__(self, address, count, kind):
        self.__array_interface__ = {"data": (address, False), "shape": (count,), "typestr": kind, "version": 3}


def pieces_of_our_library(rights):
    """Where the memory of our library with these rights lies, and how long each piece is."""
    found, is_ours = [], False
    with open("/proc/self/maps") as lines:
        for line in lines:
            places, has, _, _, _, *name = line.split()
            is_ours = "_native." in name[0] if name else is_ours
            start, end = (int(each, 16) for each in places.split("-"))
            if is_ours and has.startswith(rights):
                found.append((start, end - start if name else min(end - start, ZEROS), bool(name)))
    return found


def array(address, length, kind="|u1"):
    """The memory from this address on, as an array."""
    return numpy.asarray(At(address, length // numpy.dtype(kind).itemsize, kind))
