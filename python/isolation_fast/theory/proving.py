"""Who wins where both players place their knights freely, proved by the solver.

```text
  empty board             one first placement of each class
     placed               each answer of each class, or one after the other until one wins
        opening           solved: a chunk. With plies=2 so is each position two moves later, and so on
```

A chunk is a position that is solved by itself, here, or by an executor. What is known of one is a fact
of the game, so a journal serves any run about that board.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from isolation_fast import _native
from isolation_fast._native import Board, __version__
from isolation_fast.exact import solve
from isolation_fast.exceptions import InvalidArgumentError, JournalError
from isolation_fast.numbers import integer
from isolation_fast.output import LineFile
from isolation_fast.reports import Move
from isolation_fast.theory.openings import (
    FirstPlacement,
    Opening,
    Replies,
    Theory,
    answers_alike,
    first_placements,
    half_turned,
    images,
    is_dark,
    second_placements,
)
from isolation_fast.tournament.running import available_processors, executor_of, played_by, played_here

Line: TypeAlias = tuple[Move, ...]
SCHEMA: Final = "isolation-fast/theory/1"
MOST_CELLS_FOR_EVERY: Final = 49
"""On boards of so many cells every answer takes seconds."""
MOST_PLIES: Final = 20
"""Each more multiplies the positions to solve by some three."""
MOST_CELLS: Final = 1024
"""What the solver tries."""


@dataclass(frozen=True, slots=True)
class ProofProgress:
    """How far a proof is: positions that were solved, and the nodes that they took."""

    solved: int
    nodes: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A position to solve: the moves that lead to it, and its text."""

    moves: Line
    text: str


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """Whether the side to move wins a chunk's position, and the nodes that it took."""

    moves: Line
    wins: bool
    nodes: int


def solve_chunk(chunk: Chunk, interrupted: Callable[[], bool] | None = None) -> ChunkResult:
    """Solve one position. Where `interrupted` says so, it ends with a `KeyboardInterrupt`."""
    _native.interrupt_when(interrupted)
    try:
        solution = solve(Board.from_text(chunk.text), moves=False, table=False)
    finally:
        _native.interrupt_when(None)
    return ChunkResult(chunk.moves, solution.outcome == "win", solution.nodes)


def prove(
    width: int,
    height: int,
    *,
    replies: Replies | None = None,
    first: Move | None = None,
    second: Move | None = None,
    plies: int = 0,
    workers: int | None = None,
    executor: Any = None,
    journal: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[ProofProgress], object] | None = None,
) -> Theory:
    """Prove who wins on an empty board, and how each first placement is answered.

    On a board with an even side the second player answers every move with its image under the half turn. No
    cell is its own image, so there is always an answer, and nothing has to be computed. On other boards, and
    wherever `replies` says so, the solver looks at `"every"` answer or at `"one"` after the other until one
    wins: by default at every one on boards of up to 49 cells.

    `first` and `second` look at one first placement, or at one answer to it, alone. A chunk of the work is a
    position so many `plies` after the placements. `workers` threads solve them, by default one for each
    processor, or an `executor` as in a tournament. `journal` is a folder for what is solved, with a file for
    each board; with `resume=True` the proof goes on from it. Ctrl-C ends it.

    >>> theory = prove(3, 5)
    >>> theory.winner, theory.won
    (2, (110, 100))
    >>> [(each.cell, each.replies[:2]) for each in theory.placements[:2]]
    [((0, 0), ((0, 1), (1, 0))), ((0, 1), ((2, 0), (2, 2)))]
    """
    _native.require_free_engine("theory")
    wanted = _wanted(width, height, replies, first, second)
    tree = _Tree(width, height, wanted, first, second, integer("plies", plies, 0, MOST_PLIES))
    if workers is not None:
        integer("workers", workers, 1)
    if resume and journal is None:
        raise InvalidArgumentError("resume=True needs the journal= that it goes on from")
    if wanted == "image":
        return tree.theory()
    with ExitStack() as files:
        kept = None
        if journal is not None:
            Path(journal).mkdir(parents=True, exist_ok=True)
            path = Path(journal, f"{width}x{height}.journal")
            kept = files.enter_context(_Journal(path, width, height, resume=resume))
            for result in kept.finished():
                tree.take(result)
        chunks = tree.chunks()
        if executor is None:
            solved = played_here(chunks, workers or available_processors(), solve_chunk)
        else:
            pool, at_a_time = executor_of(executor)
            solved = played_by(pool, chunks, workers or at_a_time, solve_chunk)
        for result in solved:
            tree.take(result)
            if kept is not None:
                kept.add({"moves": result.moves, "wins": result.wins, "nodes": result.nodes})
            if progress is not None:
                progress(ProofProgress(tree.solved, tree.nodes))
    return tree.theory()


def _wanted(
    width: int, height: int, replies: Replies | None, first: Move | None, second: Move | None
) -> Replies:
    """Which answers are looked at; refuses what does not go together."""
    for name, side in (("width", width), ("height", height)):
        integer(name, side, 1)
    if replies not in (None, "every", "one", "image"):
        raise InvalidArgumentError(f'replies must be "every", "one" or "image", not {replies!r}')
    is_even = width * height % 2 == 0
    if width * height > MOST_CELLS:
        by_theorem = (
            ": with an even side player 2 wins on any board, by the half turn theorem" if is_even else ""
        )
        raise InvalidArgumentError(
            f"boards have at most {MOST_CELLS:,} cells, not {width}x{height}{by_theorem}"
        )
    if replies == "image" and not is_even:
        raise InvalidArgumentError(
            f'replies="image" needs an even side: the centre of {width}x{height} is its own image'
        )
    cells = [each for each in (first, second) if each is not None]
    for cell in cells:
        if not (0 <= cell[0] < height and 0 <= cell[1] < width):
            raise InvalidArgumentError(f"cell {cell} is outside the {width}x{height} board")
    if second is not None and (first is None or first == second):
        raise InvalidArgumentError(
            f"second={second} answers a first placement: give first= (--first), on another cell, not {first}"
        )
    if replies is None:
        replies = "every" if width * height <= MOST_CELLS_FOR_EVERY else "one"
        replies = "image" if is_even and second is None else replies
    return replies


class _Tree:
    """What is known of the positions after the first moves, and what is to be solved next."""

    def __init__(
        self, width: int, height: int, replies: Replies, first: Move | None, second: Move | None, plies: int
    ) -> None:
        self._width, self._height, self._replies = width, height, replies
        self._leaf = 2 + plies
        self._children: dict[Line, Sequence[Line]] = {}
        if first is not None:
            alike = images(width, height, (first,) if second is None else (first, second))
            start = min(alike)
            self._children[()] = [start[:1]]
            if second is not None:
                self._children[start[:1]] = [start]
        self._known: dict[Line, bool] = {}
        self._spent: dict[Line, int] = {}
        self._handed: set[Line] = set()

    @property
    def solved(self) -> int:
        return len(self._spent)

    @property
    def nodes(self) -> int:
        return sum(self._spent.values())

    def take(self, result: ChunkResult) -> None:
        self._spent[result.moves] = result.nodes
        self._learn(result.moves, wins=result.wins)

    def _learn(self, path: Line, *, wins: bool) -> None:
        """Keep whether the side to move wins, and what follows from it for the positions before."""
        self._known[path] = wins
        before = path[:-1]
        # Of a first placement that was asked for alone, a journal may know others.
        if before in self._known or path not in self._moves(before):
            return
        if not wins:
            self._learn(before, wins=True)
        elif all(self._known.get(each) for each in self._moves(before)):
            self._learn(before, wins=False)

    def chunks(self) -> Iterator[Chunk]:
        """What can be handed out now; after more results there may be more."""
        return _Again(self._next)

    def theory(self) -> Theory:
        """What all of it comes to."""
        placements = []
        for (cell,) in self._moves(()):
            answers = [half_turned(self._width, self._height, cell)]
            openings: list[Opening] = []
            if self._replies != "image":
                openings = [self._opening(path) for path in self._moves((cell,)) if path in self._known]
                won = (each.second for each in openings if each.winner == 2)
                answers = [
                    answer for each in won for answer in answers_alike(self._width, self._height, cell, each)
                ]
            alike = len(images(self._width, self._height, (cell,)))
            seen = sum(each.alike for each in openings)
            is_all = seen == alike * (self._width * self._height - 1)
            winner: Literal[1, 2] | None = 2 if answers else 1 if is_all else None
            placements.append(
                FirstPlacement(
                    cell, alike, tuple(sorted(answers)), winner, tuple(sorted(openings, key=_cells))
                )
            )
        # A journal may hold more than was asked for.
        nodes = sum(opening.nodes for each in placements for opening in each.openings)
        return Theory(self._width, self._height, self._replies, tuple(placements), nodes)

    def _opening(self, path: Line) -> Opening:
        nodes = sum(spent for moves, spent in self._spent.items() if moves[:2] == path)
        alike = len(images(self._width, self._height, path))
        return Opening(path[0], path[1], 1 if self._known[path] else 2, alike, nodes)

    def _next(self) -> Chunk | None:
        for path in self._missing(()):
            self._handed.add(path)
            return Chunk(path, self._board(path).to_text())
        return None

    def _all_at_once(self, path: Line) -> bool:
        """Whether all moves of a position are looked at, and not one after the other until one wins.

        Player 2 is expected to win: so all moves of player 1 have to be refuted.
        """
        return len(path) % 2 == 0 or (len(path) == 1 and self._replies == "every")

    def _missing(self, path: Line) -> Iterator[Line]:
        """What is to be solved to know who wins a position, and was not handed out yet."""
        is_listed = len(path) <= 1 and self._replies == "every"
        if path in self._known and not is_listed:
            return
        if len(path) == self._leaf:
            if path not in self._handed:
                yield path
            return
        if not self._moves(path):
            self._learn(path, wins=False)
        for child in self._moves(path):
            yield from self._missing(child)
            if path in self._known and not is_listed:
                return
            if child not in self._known and not self._all_at_once(path):
                return

    def _moves(self, path: Line) -> Sequence[Line]:
        """The positions one move later, the most promising for the side to move first."""
        if path not in self._children:
            cells: Sequence[Move]
            if not path:
                cells = [*first_placements(self._width, self._height)]
            else:
                if len(path) == 1:
                    cells = [*second_placements(self._width, self._height, path[0])]
                else:
                    cells = self._board(path).get_legal_moves()
                cells = sorted(cells, key=lambda cell: (self._promise((*path, cell)), cell))
            self._children[path] = [(*path, cell) for cell in cells]
        return self._children[path]

    def _promise(self, path: Line) -> tuple[bool, int]:
        """How soon to try the last move of a path, smallest first."""
        board = self._board(path)
        replies = len(board.get_legal_moves())
        exits = len(board.get_legal_moves(board.inactive_player))
        return len(path) == 2 and is_dark(path[0]) == is_dark(path[1]), 2 * replies - exits

    def _board(self, path: Line) -> Board:
        board = Board(width=self._width, height=self._height)
        for cell in path:
            board.apply_move(cell)
        return board


def _cells(opening: Opening) -> tuple[Move, Move]:
    return opening.first, opening.second


class _Again:
    """An iterator that may have more to give after it had nothing."""

    def __init__(self, take: Callable[[], Chunk | None]) -> None:
        self._take = take

    def __iter__(self) -> _Again:
        return self

    def __next__(self) -> Chunk:
        chunk = self._take()
        if chunk is None:
            raise StopIteration
        return chunk


class _Journal(LineFile):
    """The positions of one board that were solved."""

    def __init__(self, path: Path, width: int, height: int, *, resume: bool) -> None:
        header = {"schema": SCHEMA, "version": __version__, "board": f"{width}x{height}"}

        def require(found: object) -> None:
            if found != header:
                raise JournalError(f"no journal of {width}x{height} by this version: {path}")

        super().__init__(path, header=header, require=require, resume=resume)
        self._size = width, height

    def finished(self) -> Iterator[ChunkResult]:
        for number, line in self.lines():
            result = _solved(line, *self._size)
            if result is None:
                raise JournalError(f"line {number} of the journal is no solved position: {self.path}")
            yield result


def _solved(line: bytes, width: int, height: int) -> ChunkResult | None:
    """A line of a journal; None where it is none."""
    board = Board(width=width, height=height)
    try:
        content = json.loads(line)
        moves = tuple((int(row), int(column)) for row, column in content["moves"])
        wins, nodes = content["wins"], content["nodes"]
        for move in moves:
            if not board.move_is_legal(move):
                return None
            board.apply_move(move)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    is_known = len(moves) >= 2 and type(wins) is bool and type(nodes) is int and nodes >= 0
    return ChunkResult(moves, wins, nodes) if is_known else None
