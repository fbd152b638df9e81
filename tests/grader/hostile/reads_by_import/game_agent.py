"""Lets Python's own machinery read a file of the grader: import, runpy, linecache, zipimport."""
import importlib.machinery
import importlib.util
import linecache
import runpy
import zipimport

import honest
from attempts import attempt, once
from targets import SECRET


def by_import():
    loader = importlib.machinery.SourceFileLoader("secret", SECRET)
    spec = importlib.util.spec_from_file_location("secret", SECRET, loader=loader)
    loader.exec_module(importlib.util.module_from_spec(spec))


def by_linecache():
    lines = linecache.getlines(SECRET)
    if not lines:
        raise PermissionError(13, "linecache shows nothing")
    return lines


def attack():
    attempt("import", by_import)
    attempt("data of the loader", lambda: importlib.machinery.SourceFileLoader("s", SECRET).get_data(SECRET))
    attempt("run_path", lambda: runpy.run_path(SECRET))
    attempt("linecache", by_linecache)
    attempt("zipimport", lambda: zipimport.zipimporter(SECRET))


def custom_score(game, player):
    once(attack)
    return honest.custom_score(game, player)
