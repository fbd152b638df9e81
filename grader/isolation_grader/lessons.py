"""What happened in a lost game, and what to try next."""

from __future__ import annotations

from isolation_fast.tournament import GameRecord
from isolation_grader.report import Baseline, Graded, LostGame


def lost_game(record: GameRecord, opponent: str, trace: tuple[str, ...]) -> LostGame:
    return LostGame(opponent, record, record.detail or "it had no move left", None, trace)


def advice(graded: Graded, baseline: Baseline) -> tuple[str, ...]:
    return ()
