"""Takes all memory, catches the error, and goes on with nothing left for anybody."""
import honest

kept = []


def custom_score(game, player):
    size = 2**26
    while size > 64 and len(kept) < 5000:
        try:
            kept.append(bytearray(size))
        except MemoryError:
            size //= 2
    return honest.custom_score(game, player)
