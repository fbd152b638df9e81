"""Ctrl-C in long native work: it ends at once, as a KeyboardInterrupt, and leaves everything usable."""

import signal
import subprocess
import sys
import textwrap
import time

import pytest

BACKSTOP_SECONDS = 60

# Windows can send a single process nothing but its other interrupt, and that only in a group of its own.
INTERRUPT = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT)
NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)

INTERRUPTED = """
    import faulthandler
    import signal

    from isolation_fast import AlphaBetaPlayer, Board, perft, play_game, search, solve

    board = Board.from_text("7x7 7/7/7/7/7/7/7 - - 1")

    def slow_score(game, player):
        return float(len(game.get_legal_moves(player)))

    # Ends this process even where it hears nothing and nobody is left to end it.
    faulthandler.dump_traceback_later({backstop}, exit=True)
    # What was started in the background by a shell has inherited that Ctrl-C is ignored.
    signal.signal(getattr(signal, "SIGBREAK", signal.SIGINT), signal.default_int_handler)

    def work():
        {work}

    try:
        print("started", flush=True)
        work()
        print("finished")
    except KeyboardInterrupt:
        assert board.to_text() == "7x7 7/7/7/7/7/7/7 - - 1"
        board.apply_move((1, 2))
        board.apply_move((3, 3))
        assert search(board, "improved", depth=3).depth == 3
        assert search(board, slow_score, depth=2).depth == 2
        assert perft(board, 2) > 0
        player = AlphaBetaPlayer("improved", nodes=100)
        assert play_game(player, player, seed=1).reason == "no moves"
        print("interrupted and usable")
"""


@pytest.mark.parametrize(
    "work",
    [
        'search(board, "improved", depth=30)',
        'search(board, "improved", depth=30, method="minimax", root_values=True)',
        'search(board, "improved", ms=10**9, mode="fast")',
        'search(board, "improved", nodes=10**15)',
        "solve(Board(width=9, height=9))",
        "search(board, slow_score, depth=30)",
        "perft(board, 30)",
        "perft(Board(width=101, height=101), 5)",
        'play_game(AlphaBetaPlayer("improved", depth=30), AlphaBetaPlayer("open", depth=30))',
        'play_game(AlphaBetaPlayer(slow_score, depth=30), AlphaBetaPlayer("open", depth=30))',
    ],
)
def test_ctrl_c_ends_long_work_and_leaves_all_usable(work: str) -> None:
    script = textwrap.dedent(INTERRUPTED).format(work=work, backstop=BACKSTOP_SECONDS)
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, creationflags=NEW_GROUP
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "started\n"
            # Long enough to be inside the work, which would go on for ages.
            time.sleep(0.3)
            process.send_signal(INTERRUPT)
            assert process.stdout.read() == "interrupted and usable\n"
            assert process.wait() == 0
        finally:
            process.kill()
