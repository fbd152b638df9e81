"""Tries random programs: their values, then whole searches and games; says what came of each feature."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Final

from program_checks import Compiler, Difference, Tally, compare
from program_grammar import features
from program_shrinking import shrink
from program_spots import Spot, random_spots
from program_trials import TRIALS, try_whole
from program_writer import write_program

POSITIONS: Final = 24
# One program in so many also searches and plays.
WHOLE: Final = 4


class Fuzzing:
    """Random programs against a compiler. Without `compiled` all searches and games are Python's."""

    def __init__(self, compiler: Compiler, folder: Path, *, compiled: bool = True) -> None:
        self.compiler, self.folder, self.compiled = compiler, folder, compiled
        self.tally = Tally()
        self._seen: dict[str, Counter[str]] = {
            word: Counter() for word in ("programs", "compiled", "gave values", "different")
        }

    def program(self, seed: str, number: int, *also: str) -> list[Difference]:
        """Try the program of that seed and number, which may use these features too; where it differs."""
        program = write_program(f"{seed}:{number}", *also)
        spots = random_spots(POSITIONS, f"{seed}:{number // 20}")
        found = compare(program.text, spots, self.folder, self.compiler)
        if not found.differences and number % WHOLE == 0:
            trial = f"{list(TRIALS)[number // WHOLE % len(TRIALS)]} {number}"
            found.add(try_whole(trial, program.text, spots, self.folder, compiled=self.compiled))
        self.tally.add(found)
        words = {
            "programs": 1,
            "compiled": not found.refused and found.asked,
            "gave values": found.same,
            "different": found.differences,
        }
        for word, holds in words.items():
            self._seen[word].update(program.features if holds else ())
        return found.differences

    def smallest(self, found: Difference) -> Difference:
        """The same difference with all taken out of the program that does not matter to it."""
        return smallest(found, self.folder, self.compiler, compiled=self.compiled)

    def table(self) -> str:
        """For each feature how many programs have it, and what became of them."""
        width = max(map(len, features()))
        lines = [f"{'feature':{width}}  " + "  ".join(self._seen)]
        for feature in ["core", *features()]:
            counts = [f"{self._seen[word][feature]:{len(word)}}" for word in self._seen]
            lines.append(f"{feature:{width}}  " + "  ".join(counts))
        never = [each for each in features() if not self._seen["compiled"][each]]
        return "\n".join([*lines, f"never compiled: {', '.join(never) or 'none'}"])


def smallest(found: Difference, folder: Path, compiler: Compiler, *, compiled: bool = True) -> Difference:
    """The same difference with all taken out of the program that does not matter to it."""
    last = [found]

    def differences(text: str, spots: tuple[Spot, ...]) -> list[Difference]:
        if found.trial:
            return try_whole(found.trial, text, spots, folder, compiled=compiled).differences
        return compare(text, spots, folder, compiler).differences

    def differs(text: str) -> bool:
        # Most need no other position; some need that others were asked before.
        tried = {(found.spot,), last[0].spots} if last[0].spots == found.spots else {last[0].spots}
        for spots in sorted(tried, key=len):
            if again := differences(text, spots):
                last[:] = again
                return True
        return False

    text = shrink(found.text, differs)
    differs(text)
    return replace(last[0], text=text)
