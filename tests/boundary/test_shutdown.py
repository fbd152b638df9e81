"""A program may end while threads that nobody waits for are searching: it ends as if they were not."""

import subprocess
import sys
import textwrap

import pytest

BEHIND_THE_END = """
    import atexit
    import threading
    import time

    from isolation_fast import AlphaBetaPlayer, Board, GreedyPlayer, perft, play_game, search

    class Pondering:
        def get_move(self, game, time_left):
            while True:
                len([time_left() for _ in range(100)])

    def slow_score(game, player):
        return float(len(game.get_legal_moves(player)))

    def work():
        {work}

    for _ in range(3):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.2)
    position = Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
    atexit.register(lambda: print(search(position, slow_score, depth=1).nodes))
    print("over")
"""


@pytest.mark.parametrize(
    "work",
    [
        'search(Board(), "improved", depth=40)',
        "search(Board(), slow_score, depth=40)",
        "search(Board(), lambda game, player: time.sleep(0.01) or 1.0, depth=40)",
        "perft(Board(), 40)",
        'play_game(AlphaBetaPlayer(depth=40), GreedyPlayer("improved"))',
        'play_game(AlphaBetaPlayer(slow_score, depth=40), GreedyPlayer("improved"))',
        "Board(Pondering(), Pondering()).play(time_limit=1e9)",
    ],
)
def test_the_end_of_a_program_that_still_searches(work: str) -> None:
    script = textwrap.dedent(BEHIND_THE_END).format(work=work)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "over\n5\n", "")
