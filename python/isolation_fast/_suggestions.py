"""The one place where a mistyped word is answered with the word that was probably meant."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def unknown_word(what: str, word: str, allowed: Sequence[str], also: Iterable[str] = ()) -> str:
    """The message for a word that is not among those allowed; what is `also` allowed is not listed.

    >>> unknown_word("mode", "fats", ["plain", "fast"])
    "unknown mode 'fats', did you mean 'fast'? Allowed: 'plain', 'fast'"
    >>> unknown_word("mode", "x", ["plain", "fast"])
    "unknown mode 'x'. Allowed: 'plain', 'fast'"
    >>> unknown_word("player", "ab_open", ["Random", "AB_..."], also=["AB_Open", "MM_Open"])
    "unknown player 'ab_open', did you mean 'AB_Open'? Allowed: 'Random', 'AB_...'"
    """
    listed = ", ".join(repr(each) for each in allowed)
    # Lower case and without the classic suffix, so that `Improved` and `improved_score` find `improved`.
    simplified = word.lower().removesuffix("_score")
    meant = {each.lower(): each for each in (*also, *allowed)}
    close = get_close_matches(simplified, meant, n=1)
    hint = f", did you mean {meant[close[0]]!r}?" if close else "."
    return f"unknown {what} {word!r}{hint} Allowed: {listed}"
