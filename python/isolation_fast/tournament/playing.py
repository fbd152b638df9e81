"""Playing one chunk, wherever that is: in this process, in a pool, on another machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from isolation_fast import _native
from isolation_fast.tournament.native_chunks import run_native_chunk
from isolation_fast.tournament.outcomes import ChunkResult
from isolation_fast.tournament.plan import Chunk

if TYPE_CHECKING:
    from isolation_fast.tournament.outcomes import Use

__all__ = ["run_chunk"]


def run_chunk(
    chunk: Chunk,
    *,
    threads: int = 1,
    interrupted: Callable[[], bool] | None = None,
    used: Callable[[Use], object] | None = None,
) -> ChunkResult:
    """Play the games of a chunk.

    A function of its argument alone, but for the times that it took: so chunks can be handed to joblib, MPI
    or a batch system as well. `threads` are for native players; a chunk with a Python player is
    played in a fresh process of its own, game by game, which `interrupted` ends early once it is true.
    `used` is told of each process of a submission in the jail what it used and printed.
    """
    _native.require_free_engine("a tournament")
    if chunk.is_native:
        return run_native_chunk(chunk, threads)
    # Not at the top: what supervises other processes is not needed where the engine plays.
    from isolation_fast.tournament.python_chunks import run_python_chunk

    return run_python_chunk(chunk, interrupted=interrupted, used=used)
