"""Whole searches, games and rows of boards: compiled they give the same moves, values and nodes."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

from program_checks import Difference, Heuristic, Tally, TooSlowError, change, limited, load
from program_spots import Spot

from isolation_fast import (
    AlphaBetaPlayer,
    Board,
    CompilationWarning,
    GreedyPlayer,
    MinimaxPlayer,
    RandomPlayer,
    evaluate_many,
    play_game,
    search,
)
from isolation_fast.compiled import Refusal, compiled_of

Outcome: TypeAlias = "tuple[object, ...]"
# Processor time of one trial.
SECONDS: Final = 4.0
# What may differ in an error that is the same: where its objects are, and which of the two files it names.
PLACES: Final = re.compile(r"0x[0-9a-f]+|random_\w+\.py")
BESIDE: Final = "random_program_beside"


def _search(
    function: Heuristic, spots: Sequence[Spot], stream: Random, *, compiled: bool
) -> Iterator[Outcome]:
    for number, spot in enumerate(spots[-3:]):
        options: Any = {"mode": stream.choice(["plain", "fast"]), "depth": stream.randint(1, 3)}
        options |= (
            {"nodes": 250} if stream.random() < 0.8 else {"method": "minimax", "mode": "plain", "depth": 1}
        )
        options |= {"seed": stream.choice([None, 1]), "nan": stream.choice(["course", "refuse"])}
        report = search(spot.board(), function, compile=compiled, **options)
        value = None if report.value is None else report.value.hex()
        yield (report.move, value, report.nodes, report.depth, report.reason, report.nans)
        change([function], number)


def _boards(
    function: Heuristic, spots: Sequence[Spot], stream: Random, *, compiled: bool
) -> Iterator[Outcome]:
    often = stream.choice([1, 3, 10])

    def boards() -> Iterator[Board]:
        for number, spot in enumerate(spots):
            if number % often == often - 1:
                change([function], number // often)
            yield spot.board()

    for value in evaluate_many(boards(), function, compile=compiled):
        yield (float(value).hex(),)


def _game(function: Heuristic, spots: Sequence[Spot], stream: Random, *, compiled: bool) -> Iterator[Outcome]:
    players: list[Any] = [
        AlphaBetaPlayer(function, depth=stream.randint(1, 2), nodes=100, nan="course", compile=compiled),
        stream.choice(
            [
                RandomPlayer(),
                AlphaBetaPlayer("improved", depth=1),
                MinimaxPlayer(function, depth=1, nan="course", compile=compiled),
                GreedyPlayer(function, nan="course", compile=compiled),
            ]
        ),
    ]
    stream.shuffle(players)
    small = [each.text for each in spots if each.text.startswith(("5x6", "6x5", "4x7", "3x3"))]
    result = play_game(*players, start=stream.choice(small) if small else "5x5 5/5/5/5/5 - - 1", seed=7)
    yield (result,)


TRIALS: Final[dict[str, Callable[..., Iterator[Outcome]]]] = {
    "search": _search,
    "boards": _boards,
    "game": _game,
}


def try_whole(trial: str, text: str, spots: Sequence[Spot], folder: Path, *, compiled: bool = True) -> Tally:
    """Make a trial, such as "search 7", with a program that compiles; Python may be on both sides."""
    tally = Tally()
    try:
        with limited():
            functions = [load(text, folder), load(text, folder, BESIDE)]
    except (Exception, TooSlowError):  # noqa: BLE001 - a module that raises has no heuristic
        return tally
    # What is refused is Python's anyway, and may keep ever more from one evaluation to the next.
    found = compiled_of(functions[1])
    if isinstance(found, Refusal):
        if compiled and found.construct == "defect":
            tally.differences.append(Difference(text, tuple(spots), "a value", str(found), trial))
        return tally
    try:
        expected, own = (
            _outcome(trial, function, spots, compiled=compiled and number == 1)
            for number, function in enumerate(functions)
        )
    except TooSlowError:
        tally.slow += 1
        return tally
    if expected == own:
        tally.wholes += 1
    else:
        pairs = zip(expected, own)  # noqa: B905 - one may have ended sooner
        first, second = next((pair for pair in pairs if pair[0] != pair[1]), (expected[-1], own[-1]))
        tally.differences.append(Difference(text, tuple(spots), str(first), str(second), trial))
    return tally


def _outcome(trial: str, function: Heuristic, spots: Sequence[Spot], *, compiled: bool) -> list[Outcome]:
    found: list[Outcome] = []
    with warnings.catch_warnings(record=True) as caught, limited(SECONDS):
        warnings.simplefilter("always")
        try:
            made = TRIALS[trial.split()[0]](function, spots, Random(trial), compiled=compiled)
            # What came before an exception counts too.
            found.extend(made)
        except Exception as error:  # noqa: BLE001 - it has to be the same in both
            found.append((type(error).__name__, PLACES.sub("", str(error))))
    # The engine corrects what it finds to be wrong.
    found += [(PLACES.sub("", str(each.message)),) for each in caught if each.category is CompilationWarning]
    return found
