"""The one place where a mistyped word is answered with the word that was probably meant."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final


def unknown_word(what: str, word: str, allowed: Sequence[str], candidates: Iterable[str] = ()) -> str:
    """The message for a word that is not among those allowed.

    `candidates` are what may have been meant, where what is listed as allowed does not say it all.

    >>> unknown_word("mode", "fats", ["plain", "fast"])
    "unknown mode 'fats', did you mean 'fast'? Allowed: 'plain', 'fast'"
    >>> unknown_word("mode", "x", ["plain", "fast"])
    "unknown mode 'x'. Allowed: 'plain', 'fast'"
    >>> unknown_word("player", "ab_open", ["Random", "AB:heuristic"], ["AB:open", "AB:bfs"])
    "unknown player 'ab_open', did you mean 'AB:open'? Allowed: 'Random', 'AB:heuristic'"
    >>> unknown_word("heuristic of game_agent.py", "mine", [])
    "unknown heuristic of game_agent.py 'mine'. There is none"
    """
    listed = _listed(word, allowed)
    # Lower case and without the classic suffix, so that `Improved` and `improved_score` find `improved`.
    simplified = word.lower().removesuffix("_score")
    meant = {each.lower(): each for each in (candidates or allowed)}
    close = get_close_matches(simplified, meant, n=1)
    hint = f", did you mean {meant[close[0]]!r}?" if close else "."
    return f"unknown {what} {word!r}{hint} {f'Allowed: {listed}' if allowed else 'There is none'}"


MOST_LISTED: Final = 20
"""A longer list hides the word that was probably meant."""

NEAREST: Final = 12


def _listed(word: str, allowed: Sequence[str]) -> str:
    """The words that are allowed; of many the nearest, if some are near.

    >>> _listed("stp 3", [f"step {number}" for number in range(48)])
    "'step 3', ..., and 36 others"
    """
    few = len(allowed) <= MOST_LISTED or not get_close_matches(word.lower(), allowed)
    shown = allowed if few else get_close_matches(word.lower(), allowed, NEAREST, cutoff=0.0)
    return ", ".join(map(repr, shown)) + ("" if few else f", and {len(allowed) - NEAREST} others")
