"""Players as text: `AB_Improved`, `AB:bfs@nodes=2000`, `mine=game_agent.py:custom_score`.

    player    = [ NAME "=" ] what [ "@" option { "," option } ]
    what      = "Random" | "Perfect" | "Greedy" [ ":" heuristic ] | "MM:" heuristic
              | "AB:" heuristic | ( "MM_" | "AB_" | "ID_" ) ( "Null" | "Open" | "Center" | "Improved" )
              | FILE ".py:" MEMBER
    heuristic = NAME [ "(" PARAMETER "=" NUMBER { "," ... } ")" ]
              | "weighted_sum(" heuristic "=" NUMBER { "," ... } ")"
    option    = limit | "mode=" ( "plain" | "fast" )

`isolation_fast.budgets` has the limits. Nothing here opens a file or runs its code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from isolation_fast import heuristics
from isolation_fast._native import Heuristic
from isolation_fast.budgets import LIMITS, Budget, budget_in, budget_text, cost_text, options_in
from isolation_fast.cost import Cost
from isolation_fast.exceptions import InvalidArgumentError, UnknownHeuristicError
from isolation_fast.searching import MODES, Mode
from isolation_fast.text import Piece, unknown_word, whole_piece

Kind = Literal["random", "greedy", "minimax", "alphabeta", "perfect", "file"]

USUAL_BUDGET: Final[dict[Kind, Budget]] = {"minimax": Budget(depth=3), "perfect": Budget(nodes=200_000)}
"""The default of minimax players, as in both rosters of the course, and of perfect ones."""

_SEARCH_OPTIONS: Final = (*LIMITS, "mode")
_CLASSIC: Final = {"Null": "null", "Open": "open", "Center": "center", "Improved": "improved"}
_KINDS: Final[dict[str, Kind]] = {"Greedy": "greedy", "MM": "minimax", "AB": "alphabeta"}
_NAMED: Final[dict[str, tuple[Kind, str | None]]] = {
    "Random": ("random", None),
    "Perfect": ("perfect", "improved"),
    "Greedy": ("greedy", "open"),
    **{f"MM_{each}": ("minimax", name) for each, name in _CLASSIC.items()},
    **{f"AB_{each}": ("alphabeta", name) for each, name in _CLASSIC.items()},
    **{f"ID_{each}": ("alphabeta", name) for each, name in _CLASSIC.items()},
}
CLASSIC_PLAYERS: Final = tuple(_NAMED)
"""The players that have a name of their own."""

PLAYER_FORMS: Final = (*CLASSIC_PLAYERS, *(f"{each}:heuristic" for each in _KINDS), "FILE.py:member")
"""All forms of a player, with words for what varies."""

_FILE_FORM: Final = "game_agent.py:custom_score"
# A name ends at the first `=`, unless a character of a player's own text stands before it.
_NAME: Final = re.compile(r"([^=@:(,/\\]*)=(.*)", re.DOTALL)
_FILE: Final = re.compile(r"(.*\.py)(?::([^@]*)(?:@(.*))?)?", re.DOTALL)
_CALL: Final = re.compile(r"(\w+)\s*(?:\((.*)\))?", re.DOTALL)
_DEEPEST: Final = 20
"""Deeper sums within sums are refused."""


@dataclass(frozen=True, slots=True)
class WrittenPlayer:
    """What a text says of a player. The only defaults filled in are `USUAL_BUDGET`."""

    kind: Kind
    what: str
    """The text before the `@`, in our spelling."""
    heuristic: Heuristic | None = None
    path: str | None = None
    member: str | None = None
    budget: Budget | None = None
    mode: Mode | None = None
    name: str | None = None
    cost: Cost | float | None = None
    """The cost of a node, if the text has no work: it goes with the tournament's work then."""


def parse_player(text: str) -> WrittenPlayer:
    """Read a player.

    >>> player = parse_player("mine = AB:aggressive(factor=1.5)@nodes=2000, mode=fast")
    >>> player.name, player.kind, player.heuristic, player.budget, player.mode
    ('mine', 'alphabeta', heuristics.aggressive.variant(factor=1.5), Budget(nodes=2000), 'fast')
    >>> parse_player("AB_Improved@node=3")
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: in 'AB_Improved@node=3' at character 13:
    unknown option 'node', did you mean 'nodes'? Allowed: 'depth', ...
    """
    piece = whole_piece(text, "player", "such as 'AB_Improved' or 'AB:bfs@nodes=2000'")
    name: str | None = None
    if (named := _NAME.fullmatch(piece.text)) is not None:
        name = named[1].strip()
        if not name:
            raise piece.refused(f"there is no name before the '=' in {piece.text!r}")
        piece = piece.part(*named.span(2))
    file = _FILE.fullmatch(piece.text)
    player = _file(piece, file) if file is not None else _known(piece)
    return player if name is None else replace(player, name=name)


def player_text(player: WrittenPlayer) -> str:
    """Write a player, so that reading it gives the same."""
    budget = None if player.budget == USUAL_BUDGET.get(player.kind) else player.budget
    options = (
        None if budget is None else budget_text(budget),
        None if player.cost is None else f"cost={cost_text(player.cost)}",
        player.mode and f"mode={player.mode}",
    )
    name = "" if player.name is None else f"{player.name}="
    return f"{name}{player.what}@{','.join(filter(None, options))}".removesuffix("@")


def _file(piece: Piece, found: re.Match[str]) -> WrittenPlayer:
    path, member = found[1], (found[2] or "").strip()
    form, colon, rest = path.partition(":")
    if colon and form in _KINDS:
        raise piece.refused(f"a function or class of a file takes no {form + ':'!r}: {rest}:{member}")
    if not member.isidentifier():
        raise piece.refused(
            f"{piece.text!r} names no function or class of the file after the colon, as {_FILE_FORM!r} does"
        )
    player = WrittenPlayer("file", f"{path}:{member}", path=path, member=member)
    return player if found[3] is None else _with_options(player, piece.part(*found.span(3)), _SEARCH_OPTIONS)


def _known(piece: Piece) -> WrittenPlayer:
    """A player of ours: under a name of its own, or with a heuristic after a colon."""
    at = piece.text.find("@")
    what = piece if at < 0 else piece.part(0, at)
    form, colon, _ = what.text.partition(":")
    if what.text in _NAMED:
        kind, name = _NAMED[what.text]
        player = WrittenPlayer(kind, what.text, None if name is None else heuristics.get(name))
    elif colon and form in _KINDS:
        heuristic = _heuristic(what.part(len(form) + 1, len(what.text)))
        player = WrittenPlayer(_KINDS[form], f"{form}:{heuristic.name}", heuristic)
    else:
        # `bfs` and `AB_bfs` mean `AB:bfs`, `MM_bfs` means `MM:bfs`: only the candidates of that form.
        start = what.text[:2].upper()
        classic = start if start in ("MM", "ID") else "AB"
        form = {"MM": "MM", "GR": "Greedy"}.get(start, "AB")
        candidates = [each for each in CLASSIC_PLAYERS if "_" not in each or each.startswith(classic)]
        candidates += [*(f"{form}:{name}" for name in heuristics.names()), _FILE_FORM]
        raise what.refused(unknown_word("player", what.text, PLAYER_FORMS, candidates))
    if at >= 0:
        options = piece.part(at + 1, len(piece.text))
        allowed = {"alphabeta": _SEARCH_OPTIONS, "minimax": ("depth",), "perfect": ("nodes",)}.get(
            player.kind
        )
        if allowed is None:
            raise options.refused(f"{player.what} takes no options: it searches nothing")
        player = _with_options(player, options, allowed)
    return replace(player, budget=player.budget or USUAL_BUDGET.get(player.kind))


def _with_options(player: WrittenPlayer, piece: Piece, allowed: tuple[str, ...]) -> WrittenPlayer:
    limits = options_in(piece, allowed)
    mode = limits.pop("mode", None)
    if mode is not None and mode.text not in MODES:
        raise mode.refused(unknown_word("mode", mode.text, MODES))
    player = replace(player, mode=mode and mode.text)
    if [*limits] == ["cost"]:
        return replace(player, cost=limits["cost"])
    return replace(player, budget=budget_in(piece, limits) if limits else None)


def _heuristic(piece: Piece, depth: int = 0) -> Heuristic:
    call = _CALL.fullmatch(piece.text)
    if call is None or depth > _DEEPEST:
        raise piece.refused(
            f"{piece.text!r} is no heuristic: write a name, or as in 'aggressive(factor=1.5)' "
            "or 'weighted_sum(bfs=1.0, open=0.5)'"
        )
    inside = piece.part(*call.span(2)) if call[2] else None
    arguments = [each.sides() for each in inside.split()] if inside is not None else []
    is_sum = call[1] == "weighted_sum"
    numbers: dict[Any, float] = {}
    for word, number in arguments:
        key = _heuristic(word, depth + 1) if is_sum else word.text
        if key in numbers:
            raise word.refused(f"{word.text} is there twice")
        numbers[key] = number.number(f"the value of {word.text}")
    try:
        if is_sum:
            return heuristics.weighted_sum(numbers)
        plain = heuristics.get(call[1])
        return plain.variant(**numbers) if numbers else plain
    except (UnknownHeuristicError, InvalidArgumentError) as error:
        raise piece.refused(str(error)) from None
