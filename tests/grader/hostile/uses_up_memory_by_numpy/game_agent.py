"""Asks for an array of many gigabytes."""
import numpy


def custom_score(game, player):
    return float(numpy.ones(4 * 2**30 // 8).sum())
