"""What random programs are made of where no rule says it: names, literals, sums of what variables hold."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

HEADER: Final = """import functools
import itertools
import math
import operator
from math import sqrt

try:
    import numpy as np
except ImportError:
    np = None

CALLS = 0
"""
NAMES: Final = (
    *("best", "cell", "count", "delta", "edge", "field", "gain", "here", "items", "jump", "known", "left"),
    *("mine", "near", "other", "pick", "queue", "rest"),
)
MORE_NAMES: Final = [f"{name}_{number}" for number in range(2, 6) for name in NAMES]
BUILTIN_NAMES: Final = ("max", "min", "len", "sum", "abs", "list", "range", "sorted", "math", "float", "int")
# They make most compilers refuse a program, so that few programs have them.
RARE: Final = (
    *("deletes", "impure", "isinstance", "matches", "mutabledefault", "mutates", "nonlocals", "numpy"),
    *("prints", "setorder", "shadowed", "state", "strings", "unbound"),
)
# Few rules have them, which are lost among all others.
FOCUS: Final = (
    *("changes", "combinators", "crossing", "decorators", "factories", "library", "moveorder", "parameters"),
    *("passing", "passing", "recursion", "texts"),
)
# What may run this often in one evaluation, all loops around it taken together.
MOST: Final = 600
UNARY: Final = (
    *("sin", "cos", "tan", "atan", "tanh", "exp", "log1p", "expm1", "log2", "log10"),
    *("asin", "acos", "sinh", "cosh", "sqrt", "degrees", "radians"),
)
BINARY: Final = ("add", "sub", "mul", "truediv", "floordiv", "mod", "lt", "ge", "eq", "ne")
EXPONENTS: Final = ("0", "1", "2", "2", "3", "4", "0.5", "1.5", "2.0", "-1", "-2", "-0.5", "0.0")
BIG: Final = [2**31, 2**53 - 1, 2**53, 2**53 + 1, 2**62, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**20]
# What a function that is a value may cost: a caller counts on no more.
PASSED: Final = 20
KINDS: Final = ("own", "other", "both", "blank")


def _float(stream: Random) -> str:
    rounded = round(stream.uniform(-5, 5), stream.randint(1, 3))
    return repr(stream.choice([0.0, 0.5, 1.5, 2.5, -0.5, 0.1, 1.0, rounded, rounded, stream.gauss(0, 3)]))


# What has no rules: small ints, moduli, divisors, floats, exponents ...
LITERALS: Final[dict[str, Callable[[Random], object]]] = {
    "lit": lambda stream: stream.choice([0, 1, 1, 2, 3, stream.randint(-9, 12)]),
    "nat": lambda stream: stream.randint(0, 6),
    "one": lambda stream: stream.choice([0, 1, 1, 1]),
    "pick": lambda stream: stream.choice([0, -1, -1]),
    "mod": lambda stream: stream.randint(2, 13),
    "nz": lambda stream: stream.choice([-7, -3, -2, -1, 2, 2, 3, 5, 7, 10]),
    "big": lambda stream: stream.choice(BIG),
    "exp": lambda stream: stream.choice(EXPONENTS),
    "flt": _float,
    "unary": lambda stream: stream.choice(UNARY),
    "binary": lambda stream: stream.choice(BINARY),
    "kind": lambda stream: f'"{stream.choice(KINDS)}"',
    "truth": lambda stream: stream.choice(["True", "False"]),
}

# How what a variable holds is counted, so that a wrong one is seen.
CHECKSUMS: Final[dict[str, list[str]]] = {
    "int": ["{0}", "3 * {0}"],
    "bool": ["{0}"],
    "float": ["{0}", "0.5 * {0}"],
    "num": ["{0}", "{0} * 2"],
    "cell": ["7 * {0}[0] + {0}[1]"],
    "opt": ["(0 if {0} is None else 5 * {0}[0] - {0}[1])"],
    "ints": ["len({0})", "sum({0})", "({0}[0] if {0} else 0)", "({0}[-1] if {0} else 1)"],
    "floats": ["sum({0})", "len({0})"],
    "cells": [
        "len({0})",
        "(3 * {0}[0][0] + {0}[0][1] if {0} else 0.5)",
        "(5 * {0}[-1][0] - {0}[-1][1] if {0} else 2)",
        "sum(r for r, c in {0})",
    ],
    "cset": ["len({0})", "((0, 0) in {0})"],
    "iset": ["len({0})", "(2 in {0})"],
    "idict": ["len({0})", "sum({0}.values())", "{0}.get(1, 7)"],
    "cdict": ["len({0})", "sum({0}.values())"],
    "text": ['(2 if {0} == "own" else 3)', '({0} != "both")'],
    "texts": ["len({0})", '({0}[0] == "own")', '5 * ("other" in {0})'],
    "fn": ["{0}(2)", "{0}(3) * 2"],
    "walker": ["sum({0}(2, game.get_legal_moves()))", "sum({0}(1, game.get_blank_spaces()[:3]))"],
    "gpfn": ["{0}(game, player)", "2 * {0}(game, player)"],
    "pfn": ["{0}(game, player)"],
    "dfn": ["{0}(1)", "{0}(2, third=1.5)"],
    "sfn": ["{0}(1, 2.5)"],
    "rec": ["{0}(2, 1)"],
    "look": ["{0}(game, player, 1)"],
    "tfn": ["{0}(1, 0.5)[0]"],
    "maker": ["{0}(2, 0.5)(3)", "({0}(1, 2)(3) - 3 * {0}(2, 1.5)(3))"],
    "gpmaker": ["({0}(1, 2)(game, player) - 3 * {0}(2, 1.5)(game, player))"],
    "applier": ["({0}(lambda a: a + game.move_count, 2) - 3 * {0}(lambda a: a * 2, 3))"],
    "fsapplier": [
        "{0}((lambda a: a + game.move_count, lambda a: a * 2), 2)",
        "{0}((lambda a: a - 1, lambda a: game.move_count - a), 3)",
    ],
    "xfn": ['({0}(game, player, "own") - 3 * {0}(game, player, "both"))'],
    "textdict": ['{0}["own"]', '{0}.get("both", 2)'],
    "module": ["{0}.scale", "{0}.weights[-1]"],
    "fns": ["{0}[0](1)", "{0}[-1](3)", "len({0})"],
    "rows": ["len({0})", "sum(len(row) for row in {0})", "({0}[0][-1] if {0} and {0}[0] else 2)"],
    "game": ["len({0}.get_legal_moves())", "{0}.move_count"],
}
