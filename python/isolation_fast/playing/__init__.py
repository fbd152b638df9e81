"""Playing a chunk of a tournament, wherever that is: the players at the board, the referee, what came of it.

A process in which a chunk is played imports this room and none that stands after it.
"""
