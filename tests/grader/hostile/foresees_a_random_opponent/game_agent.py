"""Foresees the moves of a random opponent from the number that its own random numbers are seeded with."""
import random

import honest
import ours

WORD, GOLDEN = 2**64 - 1, 0x9E3779B97F4A7C15
Handler = ours.module("worker.handler").Handler
begin, seat = Handler._begin, Handler._seated
dice = None


def mixed(bits):
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & WORD
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & WORD
    return bits ^ bits >> 31


def stream(seed, place):
    """That of a place, as `game_stream` has it."""
    return mixed(mixed(seed + GOLDEN & WORD) ^ (place + 1) * GOLDEN & WORD)


def begun(self, game):
    global dice
    # The opponent is the second entrant.
    dice = random.Random(stream(game.stream, 2))
    return begin(self, game)


def seated(self, moves):
    for move in moves:
        if (self._board._active_player == "player 2") == (self._side == 0):
            print("foreseen" if dice.choice(self._board.get_legal_moves()) == move else "not foreseen")
        self._board.apply_move(move)
    return seat(self, [])


Handler._begin, Handler._seated = begun, seated
custom_score = honest.custom_score
