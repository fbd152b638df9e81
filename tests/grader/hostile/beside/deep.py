"""What attacks share that think for themselves: what a position comes to some plies on, by our boards."""

import time

import honest
import ours

MOST = 20
told = []


def value(game, player, plies):
    moves = game.get_legal_moves() if plies else ()
    if not moves:
        return honest.custom_score(game, player)
    values = [value(game.forecast_move(move), player, plies - 1) for move in moves]
    return max(values) if game.active_player == player else min(values)


def best_move(game, plies):
    """Of the player to move, by what each move comes to so many plies on."""
    player = game.active_player
    return max(sorted(game.get_legal_moves()), key=lambda move: value(game.forecast_move(move), player, plies))


def best_within(game, seconds):
    """The same, as many plies deep as so much CPU time is enough for."""
    move, plies, until = best_move(game, 0), 1, time.process_time() + seconds
    while 8 * (time.process_time() - until + seconds) < seconds and plies < MOST:
        move, plies = best_move(game, plies), plies + 1
    while time.process_time() < until:  # a ply more would take too long
        best_move(game, 0)
    return move


def is_measured():
    """Whether its cost is measured here, and no game played: the reference is in the memory of such a process."""
    if not told:
        told.append(any(name.startswith("isolation_fast.reference") for name in ours.modules()))
    return told[0]
