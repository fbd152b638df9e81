"""In a process that is locked the engine refuses, and what a submission has to work with goes on working."""

import inspect
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest

import isolation_fast.jail

# Private to the package, so not imported.
ENGINE: Any = sys.modules["isolation_fast._native"]

LOCKED = """
import contextlib, os, sys
import isolation_fast
from isolation_fast import *
from isolation_fast import heuristics, jail, reference, theory, tournament
from isolation_fast.classic import first_sample_players, sample_players
from isolation_fast.exceptions import EngineLockedError

engine = sys.modules["isolation_fast._native"]
board = Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
own = lambda game, player: float(len(game.get_legal_moves(player)))
random = engine.NativePlayer.random()
record = engine.Compiled(len)
heuristic = heuristics.improved
searcher = engine.Searcher(heuristic, None, 1, None, [], False, False, None)
match = tournament.Match("AB_Improved@nodes=50", "Random", games=2, seed=1)
plan = match.plan()
chunk = next(plan.chunks())

folders = [os.path.dirname(os.__file__), os.path.dirname(os.path.dirname(isolation_fast.__file__))]
jail.lock_down(jail.Policy(readable=tuple(folders), user=jail.NOBODY))

def refuses(function, *arguments, **named):
    try:
        return function(*arguments, **named)
    except EngineLockedError as error:
        return str(error).split(" is part of")[0]
"""


def printed(script: str) -> str:
    """What a script prints in a locked process."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", LOCKED + textwrap.dedent(script)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert ended.stderr == ""
    assert ended.returncode == 0
    return ended.stdout


BAILING = "engine.Program([((2, 1, 0), (2, 0, 0), (0, 1, 0), [(engine.OPCODES['Bail'][0],)])], [], [], [])"

# Every callable of the engine that plays, searches or evaluates, with arguments that it would take.
ENTRIES = {
    "compare": "engine.compare(record, own, [board], len)",
    "evaluate": "engine.evaluate(board, heuristic, None, 1)",
    "evaluate_many": "engine.evaluate_many([board], heuristic, None, 1)",
    "evaluate_many_in_python": "engine.evaluate_many_in_python([board], own, None, None)",
    "interrupt_when": "engine.interrupt_when(None)",
    "judge": "engine.judge(board.to_text(), [], None)",
    "perft": "engine.perft(board, 1)",
    "play_native": "engine.play_native(random, random, board.to_text(), 1)",
    "play_searched": "engine.play_searched(board, searcher, searcher, False, None)",
    "play_series": "engine.play_series(random, random, [board.to_text()], 0, 1, 1, False, None)",
    "require_free_engine": "engine.require_free_engine('it')",
    "search": "engine.search(board, own, 1, None, None, False, False, 1, False, True, None, None, None)",
    "solve": "engine.solve(board, True, False, False, True, 1, None, None)",
    "strategy": "engine.strategy(board)",
    "Heuristic.__call__": "heuristic(board, board.active_player)",
    "Compiled.compile": "record.compile(own)",
    "Compiled.take": "record.take(None)",
    "NativePlayer.choose": "random.choose(board)",
    "Program.play_by_machine_code": f"{BAILING}.play_by_machine_code(7, 7)",
    "Program.probe": f"{BAILING}.probe(board)",
    "Program.priced_run": f"{BAILING}.priced_run(board, board.active_player)",
    "Program.profile": f"{BAILING}.profile(board, None, 1, None)",
    "Program.run": f"{BAILING}.run(board, board.active_player)",
}
HARMLESS = {
    # Names and descriptions.
    "game_stream",
    "heuristic",
    "heuristic_names",
    "weighted_sum",
    "Heuristic.variant",
    # A description of a player; the engine alone can let it play.
    "NativePlayer.alphabeta",
    "NativePlayer.counted",
    "Program.__getnewargs_ex__",
    "NativePlayer.greedy",
    "NativePlayer.minimax",
    "NativePlayer.random",
    # It only gives a program up.
    "Compiled.turn_off",
    # A board, as `Board.from_text` makes one.
    "board_in_order",
    # Takes the key, which no submission has.
    "answer_tag",
    # Refuses a second time, and the process has been served by then where a submission is loaded.
    "serve",
    # Of the jail: refuses a second time, looks.
    "is_locked",
    "jail_available",
    "jail_lock_down",
}
# What every object has, and what only says why it is refused.
# The last is what the first pickling of an object leaves on its class.
OF_OBJECTS = set(dir(object)) | {"__module__", "__weakref__", "__slotnames__"}
NO_ARITHMETIC = {
    f"Heuristic.__{side}{name}__" for side in ("", "r") for name in ("add", "sub", "mul", "truediv")
} | {"Heuristic.__neg__"}


def callables() -> Iterator[str]:
    """All that can be called in the engine, but for the board, which is for everybody."""
    for name in ENGINE.__all__:
        found = getattr(ENGINE, name)
        if name == "Board" or not callable(found):
            continue
        if not inspect.isclass(found):
            yield name
            continue
        try:
            found()
            yield name
        except TypeError:
            pass  # it is made by the engine alone
        for method, value in vars(found).items():
            if method not in OF_OBJECTS and not inspect.isgetsetdescriptor(value):
                yield f"{name}.{method}"


def test_every_callable_of_the_engine_refuses_or_is_known_to_be_harmless() -> None:
    assert set(callables()) == set(ENTRIES) | HARMLESS | NO_ARITHMETIC


def test_every_entry_of_the_engine_refuses() -> None:
    lines = [f"print(refuses(lambda: {call}))" for call in ENTRIES.values()]
    names = [
        "compare",
        "evaluate",
        "evaluate_many",
        "evaluate_many",
        "interrupt_when",
        "annotate",
        "perft",
        "play_native",
        "play_searched",
        "play_series",
        "it",
        "search",
        "solve",
        "strategy",
    ]
    assert printed("\n".join(lines)).split("\n") == [
        *names,
        "a native heuristic",
        "a program",
        "a program",
        "a player",
        "a program",
        "a program",
        "a program",
        "a program",
        "a program",
        "",
    ]


PUBLIC = {
    "search": "search(board, own, depth=1)",
    "a native search": "search(board, 'improved', depth=1)",
    "evaluate": "evaluate(board, own)",
    "evaluate_many": "evaluate_many([board], own)",
    "perft": "perft(board, 1)",
    "play_game": "play_game(sample_players.RandomPlayer(), sample_players.RandomPlayer())",
    "a native game": "play_game(RandomPlayer(), RandomPlayer())",
    "a native player": "AlphaBetaPlayer('improved', depth=1).get_move(board, lambda: 150.0)",
    "a greedy player": "GreedyPlayer('improved').get_move(board, lambda: 150.0)",
    "a perfect player": "PerfectPlayer(nodes=10).get_move(board, lambda: 150.0)",
    "solve": "solve(board)",
    "theory": "theory.prove(3, 3)",
    "certificate": "theory.certificate(None)",
    "annotate": "annotate([])",
    "a variant": "heuristics.aggressive.variant(factor=1.5)(board, board.active_player)",
    "a sum": "heuristics.weighted_sum({'open': 2.0})(board, board.active_player)",
    "a tournament": "match.run()",
    "run": "tournament.run(plan)",
    "Run": "tournament.Run(plan)",
    "run_chunk": "tournament.run_chunk(chunk)",
}


def test_what_the_package_offers_around_the_engine_refuses() -> None:
    lines = [f"print(isinstance(refuses(lambda: {call}), str))" for call in PUBLIC.values()]
    assert printed("\n".join(lines)) == "True\n" * len(PUBLIC)


WORKS = {
    "board": """
        board.apply_move(board.get_legal_moves()[0])
        assert board.forecast_move(board.get_legal_moves()[0]).copy().move_count == board.move_count + 1
        assert not board.is_winner("player 1") and board.utility("player 1") == 0.0
        assert board.get_player_location("player 1") and board.get_blank_spaces() and board.hash()
        assert board.to_string() and board.to_svg() and Board() and Board(width=9, height=9)
        board._board_state
        winner, history, reason = Board(*[sample_players.RandomPlayer() for _ in "ab"]).play()
        assert reason == "illegal move"
    """,
    "reference": """
        slow = reference.Board.from_text("7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1")
        report = reference.search(slow, "improved", depth=3)
        assert (report.value, report.depth) == (2.0, 3)
        assert reference.search(slow, own, depth=3).value == 7.0
    """,
    "sample players": """
        assert sample_players.improved_score(board, board.active_player) == -2.0
        assert sample_players.open_move_score(board, board.active_player) == 5.0
        for module in (sample_players, first_sample_players):
            assert module.center_score(board, board.active_player) > 0
        players = sample_players.GreedyPlayer(), sample_players.RandomPlayer()
        assert Board(*players).play()[0] in players
    """,
}


@pytest.mark.parametrize("what", WORKS)
def test_what_a_submission_has_to_work_with_goes_on_working(what: str) -> None:
    assert printed(WORKS[what] + "\n        print('works')") == "works\n"


def test_here_the_engine_is_free() -> None:
    assert not isolation_fast.jail.is_locked()
