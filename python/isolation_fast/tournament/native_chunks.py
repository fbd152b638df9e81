"""Chunks that the engine plays by itself."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter, process_time
from typing import Any, Literal, TypeAlias, cast

from isolation_fast import _native
from isolation_fast.players import native_form
from isolation_fast.reports import Reason
from isolation_fast.tournament.entrants import NativeEntrant
from isolation_fast.tournament.outcomes import ChunkResult
from isolation_fast.tournament.plan import Chunk
from isolation_fast.tournament.records import game_record
from isolation_fast.tournament.seats import player_of

__all__ = ["run_native_chunk"]

Turn: TypeAlias = tuple[tuple[int, int], float | None, int, int, str | None]
"""A move as the engine reports it: cell, value, depth, nodes, reason."""


def run_native_chunk(chunk: Chunk, threads: int = 1) -> ChunkResult:
    """Play a chunk of native players on so many threads, detached from the interpreter."""
    started, cpu_started = perf_counter(), process_time()
    first, second = (_native_player(cast("NativeEntrant", each), chunk.time_limit) for each in chunk.entrants)
    outcomes, nodes, turns, games = _native.play_series(
        first, second, chunk.openings, chunk.first_opening, chunk.seed, threads, chunk.record
    )
    records = None
    if games is not None:
        records = tuple(_record(chunk, game, outcomes[game], made) for game, made in enumerate(games))
    return ChunkResult(
        chunk.index,
        chunk.pairing,
        chunk.first_opening,
        outcomes,
        nodes=nodes,
        turns=turns,
        reproducible=all(each.budget is None or each.budget.ms is None for each in chunk.entrants),
        records=records,
        seconds=perf_counter() - started,
        cpu_seconds=process_time() - cpu_started,
    )


def _native_player(entrant: NativeEntrant, time_limit: float) -> _native.NativePlayer:
    form = native_form(player_of(entrant), time_limit)
    if form is None:
        raise TypeError(f"the engine cannot play {entrant!r} by itself")
    return form


def _record(chunk: Chunk, game: int, first_won: int, turns: Sequence[Turn]) -> dict[str, Any]:
    # In every other game the pairing's first entrant is player 2.
    winner: Literal[1, 2] = 1 if first_won == (game % 2 == 0) else 2
    searched = [turn if turn[4] is not None else (turn[0], None, None, None, None) for turn in turns]
    return game_record(
        chunk,
        game,
        moves=[turn[0] for turn in turns],
        winner=winner,
        values=[turn[1] for turn in searched],
        depths=[turn[2] for turn in searched],
        nodes=[turn[3] for turn in searched],
        reasons=[cast("Reason | None", turn[4]) for turn in searched],
    )
