"""Measure heuristics with private names on our reference board, and on the course's board of their time.

A cost is the time of a node with the heuristic over the time of a node with `improved` on the same board.
The four searches of a position (two boards, two heuristics) run in turn in one process, by CPU time, so that
a busy machine slows all of them; the median over the positions counts.

    python benchmarks/costs_of_their_time.py --classic CHECKOUT [--classic CHECKOUT] SUBMISSION:FUNCTION ...

A checkout is a folder with `isolation/isolation.py` of https://github.com/udacity/AIND-Isolation. A
submission is measured against the first that has all early names it uses. It runs with all your rights: try
only what you trust. The command fails where a ratio is further than 20 % from 1.
"""

from __future__ import annotations

import argparse
import sys
from copy import deepcopy
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from isolation_fast import reference
from isolation_fast.measuring import positions
from isolation_fast.submission import Submission, as_player, load

NODES = 400
ROUNDS = 2
TOLERANCE = 0.2
OPPONENT = "opponent"


class JanuaryBoard(reference.EarlyBoard):
    """The early board with the copies of its time, which took ten times as long as a common heuristic."""

    def copy(self) -> JanuaryBoard:
        """Return a board that is independent of this one and has the same players."""
        twin = super().copy()
        twin.__board_state__ = deepcopy(self.__board_state__)
        return twin

    @staticmethod
    def from_text(text: str, player_1: object = "player 1", player_2: object = "player 2") -> JanuaryBoard:
        """Return the board that a line of the text notation says."""
        board = reference.EarlyBoard.from_text(text, player_1, player_2)
        board.__class__ = JanuaryBoard
        assert isinstance(board, JanuaryBoard)
        return board


def on_classic(board_class: Any, text: str, players: tuple[Any, Any]) -> Any:
    """The board of a checkout at a position: with today's state, or with that of January 2017."""
    ours = reference.EarlyBoard.from_text(text, *players)
    board = board_class(*players)
    board.move_count = ours.move_count
    if hasattr(board, "__board_state__"):
        board.__board_state__ = [list(row) for row in ours.__board_state__]
        board.__last_player_move__ = dict(ours.__last_player_move__)
        board.__active_player__, board.__inactive_player__ = ours.active_player, ours.inactive_player
    else:
        board._board_state = list(ours._board_state)
        board._active_player, board._inactive_player = ours.active_player, ours.inactive_player
    return board


def seconds_of_a_node(board: Any, heuristic: Any) -> float:
    """CPU seconds of a node in the plain search of a board."""
    start = process_time()
    nodes = reference.search(board, heuristic, nodes=NODES, seed=0).nodes
    return (process_time() - start) / nodes


def costs(submission: Submission, name: str, classic: Any, kind: Any) -> tuple[float, float]:
    """What the heuristic costs on our board and on the classic one."""
    player = as_player(submission, name, nodes=NODES)
    found: dict[str, list[float]] = {each: [] for each in ("ours", "ours 1", "theirs", "theirs 1")}
    with submission.activated():
        for text in [text for each in positions(0, ROUNDS) for text in each]:
            first = text.endswith("1")
            players = (player.stand_in, OPPONENT) if first else (OPPONENT, player.stand_in)
            for heuristic, mark in ((player.score, ""), ("improved", " 1")):
                ours = kind.from_text(text, *players)
                found[f"ours{mark}"].append(seconds_of_a_node(ours, heuristic))
                theirs = on_classic(classic, text, players)
                found[f"theirs{mark}"].append(seconds_of_a_node(theirs, heuristic))
    pairs = [zip(found[each], found[f"{each} 1"], strict=True) for each in ("ours", "theirs")]
    own, other = (median(own / unit for own, unit in each) for each in pairs)
    return own, other


def main() -> None:
    """Print one line for each heuristic."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--classic", action="append", required=True, type=Path)
    parser.add_argument("--january", action="store_true", help="copy early boards as deeply as then")
    parser.add_argument("submission", nargs="+")
    options = parser.parse_args()
    checkouts = [(each.name, (each / "isolation/isolation.py").read_text()) for each in options.classic]
    print(f"{'heuristic':62}{'checkout':>10}{'ours':>8}{'theirs':>8}{'ratio':>7}")
    far = 0
    for word in options.submission:
        file, _, name = word.rpartition(":")
        submission = load(file)
        early = submission.outline.early_names
        label, source = next(each for each in checkouts if all(word in each[1] for word in early))
        module: dict[str, Any] = {"__name__": "classic"}
        exec(compile(source, label, "exec"), module)
        kind = reference.board_class_for(early)
        if options.january and kind is reference.EarlyBoard:
            kind = JanuaryBoard
        own, other = costs(submission, name, module["Board"], kind)
        far += abs(own / other - 1) > TOLERANCE
        shown = f"{Path(file).parent.name}:{name} ({', '.join(early) or 'none early'})"
        print(f"{shown[:61]:62}{label:>10}{own:8.2f}{other:8.2f}{own / other:7.2f}", flush=True)
    if far:
        sys.exit(f"{far} further than {TOLERANCE:.0%} from 1")


if __name__ == "__main__":
    main()
