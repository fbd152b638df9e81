"""`isolation-grade conformance`: sound players pass, and each usual mistake fails the test about it."""

import io
import json
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from textwrap import indent

import pytest

from isolation_fast import Board
from isolation_fast.endings import GameEnding
from isolation_fast.jail import Limits
from isolation_grader.cli import main
from isolation_grader.conforming import Conformance, conformance
from isolation_grader.course_tests import CHILDREN, right, standing
from isolation_grader.exceptions import ExitStatus
from isolation_grader.probing import probe

SECOND = (Path(__file__).resolve().parents[2] / "examples" / "game_agent.py").read_text("utf-8")
FIRST = """
class Timeout(Exception):
    pass


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))


class CustomPlayer:
    def __init__(self, search_depth=3, score_fn=custom_score, iterative=True, method="minimax", timeout=10.0):
        self.search_depth, self.score, self.iterative = search_depth, score_fn, iterative
        self.method, self.TIMER_THRESHOLD, self.time_left = method, timeout, None

    def get_move(self, game, legal_moves, time_left):
        self.time_left = time_left
        search = getattr(self, self.method)
        best = legal_moves[0] if legal_moves else (-1, -1)
        try:
            if not self.iterative:
                return search(game, self.search_depth)[1]
            for depth in range(1, 60):
                best = search(game, depth)[1]
        except Timeout:
            pass
        return best

    def minimax(self, game, depth, maximizing_player=True):
        if self.time_left() < self.TIMER_THRESHOLD:
            raise Timeout
        moves = game.get_legal_moves()
        if depth == 0 or not moves:
            return self.score(game, self), (-1, -1)
        boards = [game.forecast_move(each) for each in moves]
        values = [self.minimax(each, depth - 1, not maximizing_player)[0] for each in boards]
        pairs = list(zip(values, moves))
        return (max if maximizing_player else min)(pairs)

    def alphabeta(self, game, depth, alpha=float("-inf"), beta=float("inf"), maximizing_player=True):
        if self.time_left() < self.TIMER_THRESHOLD:
            raise Timeout
        moves = game.get_legal_moves()
        if depth == 0 or not moves:
            return self.score(game, self), (-1, -1)
        sign = 1 if maximizing_player else -1
        best = None
        for each in moves:
            value = self.alphabeta(game.forecast_move(each), depth - 1, alpha, beta, not maximizing_player)[0]
            if best is None or sign * value > sign * best[0]:
                best = value, each
            if maximizing_player:
                alpha = max(alpha, best[0])
            else:
                beta = min(beta, best[0])
            if alpha >= beta:
                break
        return best
"""

ENDS = "max(values) if game.active_player == self else min(values)"
DEEPENS = "                best = self.alphabeta(game, depth)"
TIMED = {"minimax timeout", "alphabeta timeout", "get_move interface"}
MOVED = {"get_move interface", "iterative deepening", "AlphaBetaPlayer games"}
SLIPS = {
    "no clock": (SECOND, "        self.look_at_the_clock()\n", "", TIMED),
    "too deep": (
        SECOND,
        "forecast_move(move), depth - 1) for",
        "forecast_move(move), depth) for",
        {"minimax"},
    ),
    "always the maximum": (SECOND, ENDS, "max(values)", {"minimax"}),
    "no cut": (SECOND, "            if alpha >= beta:\n                break\n", "", {"alphabeta"}),
    "a cut too early": (SECOND, "if alpha >= beta:", "if alpha + 900 >= beta:", {"alphabeta"}),
    "its own heuristic": (
        SECOND,
        "self.score(game, self)",
        "custom_score(game, self)",
        {"minimax", "alphabeta"},
    ),
    "one depth": (SECOND, "range(1, len(game.get_blank_spaces()) + 1)", "(3,)", {"iterative deepening"}),
    "its timeout let out": (
        SECOND,
        "        except SearchTimeout:\n            pass",
        "        finally:\n            pass",
        MOVED - {"AlphaBetaPlayer games"},
    ),
    "an int": (
        SECOND,
        "return float(len(own) - 2 * len(other))",
        "return len(own) - 2 * len(other)",
        {"custom_score"},
    ),
    "a move off the board": (SECOND, DEEPENS, "                best = (9, 9)", MOVED),
    "half a move": (
        SECOND,
        "(game.forecast_move(move), depth - 1))",
        "(game.forecast_move(move), depth - 1))[:1]",
        {"minimax interface"},
    ),
    "the process ended": (
        SECOND,
        '        """Answer the move with the best minimax value."""',
        "        import os; os._exit(0)",
        {"minimax interface", "minimax", "minimax timeout"},
    ),
    "values as pairs": (
        FIRST,
        "return (max if maximizing_player else min)(pairs)",
        "return pairs, pairs[0][1]",
        {"minimax interface", "minimax"},
    ),
    "deepened from 2 on": (FIRST, "range(1, 60)", "range(2, 60)", {"iterative deepening"}),
}


def conforming(folder: Path, source: str, *, games: bool = False) -> Conformance:
    file = folder / "game_agent.py"
    file.write_text(source)
    return conformance(file, games=games, limits=Limits(move_cpu=2.0, wall_factor=60))


def failed(found: Conformance) -> set[str]:
    return {each.name for each in found.tests if each.outcome != "passed"}


@pytest.mark.parametrize("source", [FIRST, SECOND], ids=["first", "later"])
def test_sound_players_of_both_layouts_pass(source: str, tmp_path: Path) -> None:
    found = conforming(tmp_path, source)
    assert failed(found) == set()
    assert found.passed == found.of == (9 if source is FIRST else 11)
    assert found.status is ExitStatus.GOOD


@pytest.mark.parametrize(("source", "sound", "slip", "tests"), SLIPS.values(), ids=SLIPS)
def test_a_slip_fails_its_test(source: str, sound: str, slip: str, tests: set[str], tmp_path: Path) -> None:
    assert sound in source
    if sound.endswith("key="):
        sound = "        return max(moves, key=lambda move: self.value(game.forecast_move(move), depth - 1))"
        slip = f"        return [*{sound.strip().removeprefix('return ')}]"
    found = conforming(tmp_path, source.replace(sound, slip), games="AlphaBetaPlayer games" in tests)
    assert tests <= failed(found)
    assert found.status is ExitStatus.FAILED
    shown = [each for test in found.tests for each in test.failures]
    assert all(each.expected and each.came and each.call for each in shown)


def test_full_games_are_played_to_their_end(tmp_path: Path) -> None:
    found = conforming(tmp_path, FIRST.replace("range(1, 60)", "range(1, 3)"), games=True)
    assert [each.outcome for each in found.tests if each.name == "CustomPlayer games"] == ["passed"]


GIVES_UP = """
class CustomPlayer:
    def get_move(self, game, legal_moves, time_left):
        boards = [game.forecast_move(each) for each in legal_moves]
        # Whether some reply to each move ends the game.
        replies = [[each.forecast_move(to) for to in each.get_legal_moves()] for each in boards]
        ends = [any(not each.get_legal_moves() for each in some) for some in replies]
        if {0}:
            return (-1, -1)
        count = [(len(board.get_legal_moves(self)), move) for board, move in zip(boards, legal_moves)]
        return min(count)[1] if count else None


def custom_score(game, player):
    return 0.0
"""
ENDINGS = {"it is lost": ("all(ends)", "passed"), "it is not": ("game.move_count > 3", "failed")}


@pytest.mark.parametrize(("when", "outcome"), ENDINGS.values(), ids=ENDINGS)
def test_giving_up_a_game_is_a_fault_unless(when: str, outcome: str, tmp_path: Path) -> None:
    (tmp_path / "game_agent.py").write_text(GIVES_UP.format(when))

    def endings(seed: int) -> Mapping[GameEnding, int]:
        played = probe(tmp_path, members=["CustomPlayer"], games=2, opponents=["Random"], seed=seed)
        return played.members[0].endings

    gives_up = next(seed for seed in range(100) if "illegal move" in endings(seed))
    found = conformance(tmp_path, seed=gives_up)
    assert [each.outcome for each in found.tests if each.name == "CustomPlayer games"] == [outcome]


def test_what_is_not_written_fails_with_its_name(tmp_path: Path) -> None:
    body = SECOND.partition("        best, best_value = (-1, -1)")[0] + "        raise NotImplementedError\n"
    found = conforming(tmp_path, body)
    came = {each.name: each.failures[0].came for each in found.tests if each.failures}
    assert came["alphabeta"] == "AlphaBetaPlayer.alphabeta only raises NotImplementedError"
    assert "minimax" not in came


def test_a_failure_draws_its_position_and_has_the_list_to_paste(tmp_path: Path) -> None:
    (tmp_path / "game_agent.py").write_text(SECOND.replace("else min(values)", "else max(values)"))
    arguments = ["conformance", str(tmp_path), "--no-games"]
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        assert main(arguments) == ExitStatus.FAILED
        assert main([*arguments, "--json"]) == ExitStatus.FAILED
    text, _, document = out.getvalue().partition("\n{")
    assert "minimax: moves, values and node counts" in text
    assert "       0   1   2   3   4   5   6\n  0  | 2 |   |" in text
    (failure, *_) = next(
        each["failures"] for each in json.loads(f"{{{document}")["tests"] if each["outcome"] == "failed"
    )
    board = Board()
    board._board_state = failure["board_state"]
    assert Board.from_text(failure["position"])._board_state == board._board_state
    assert f"game._board_state = {failure['board_state']}" in text
    assert failure["call"].startswith("MinimaxPlayer(")


def test_the_same_seed_gives_the_same_and_another_one_other_positions(tmp_path: Path) -> None:
    file = tmp_path / "game_agent.py"
    file.write_text(SECOND.replace("max(values) if game.active_player == self else min(values)", "0.0"))
    one, again, other = (conformance(file, seed=seed, games=False) for seed in (5, 5, 6))
    assert one == again
    assert one.tests != other.tests


def test_what_is_not_done_in_time_is_not_run() -> None:
    found = conformance("examples/game_agent.py", total_wall=0.01)
    assert {each.outcome for each in found.tests} == {"not run"}
    assert found.status is ExitStatus.FAILED


def test_a_submission_that_does_not_load_has_a_problem_and_no_tests(tmp_path: Path) -> None:
    found = conforming(tmp_path, "import nothing_of_that_name")
    assert found.problem is not None
    assert (found.tests, found.status) == ((), ExitStatus.NOT_GRADED)


WRITES = """
import contextlib, os
for each in range(3, 64):
    with contextlib.suppress(OSError):
        os.write(each, {0})
"""
RAISES = "{'__iter__': lambda self: 1 / 0, '__repr__': lambda self: 1 / 0}"
ATTACKS = {
    "loops": "while True: pass",
    "ends": "import os\nos._exit(0)",
    "raises an exit": "raise SystemExit(0)",
    "eats memory": "held = [bytearray(2**24) for _ in range(1000)]",
    "writes a head": WRITES.format("bytes([7]) + bytes(12)"),
    "writes what fills a pipe": WRITES.format("bytes(2**20)"),
    "recurses": "return self.minimax(game, depth)",
    "answers megabytes": "return 'x' * 2**24",
    "answers what raises": f"return type('T', (tuple,), {RAISES})()",
    "answers huge cells": "return (10**30, -(10**30))",
    "answers what equals all": "return type('T', (tuple,), {'__eq__': lambda self, other: True})((9, 9))",
}


@pytest.mark.parametrize("body", ATTACKS.values(), ids=ATTACKS)
def test_an_attack_in_a_search_fails_and_ends_in_time(body: str, tmp_path: Path) -> None:
    head = '        """Answer the move with the best minimax value."""\n'
    (tmp_path / "game_agent.py").write_text(SECOND.replace(head, indent(body, 8 * " ") + "\n"))
    found = conformance(tmp_path, games=False, limits=Limits(move_cpu=0.5, memory=1024), total_wall=120)
    outcomes = {each.name: each.outcome for each in found.tests}
    assert {outcomes[each] for each in ("minimax interface", "minimax", "minimax timeout")} == {"failed"}
    # Each test has a process of its own.
    assert {outcomes[each] for each in ("alphabeta", "iterative deepening", "custom_score")} == {"passed"}


def test_the_counts_of_the_course_are_those_of_the_whole_tree() -> None:
    counts = [right(standing((2, 3), (0, 0), 7), depth, seed=1).children for depth in range(1, 6)]
    assert counts == [children for children, _ in CHILDREN]
