"""Players and budgets as text: `AB_Improved`, `AB:bfs@nodes=2000`, `mine=game_agent.py:custom_score`.

    player    = [ NAME "=" ] what [ "@" option { "," option } ]
    what      = "Random" | "Greedy" [ ":" heuristic ] | "MM:" heuristic | "AB:" heuristic
              | ( "MM_" | "AB_" | "ID_" ) ( "Null" | "Open" | "Center" | "Improved" ) | FILE ".py:" MEMBER
    heuristic = NAME [ "(" PARAMETER "=" NUMBER { "," ... } ")" ]
              | "weighted_sum(" heuristic "=" NUMBER { "," ... } ")"
    option    = limit | "mode=" ( "plain" | "fast" )
    limit     = "course" | ( "depth" | "nodes" | "ms" | "work" ) "=" NUMBER | "cost=" cost
    cost      = NUMBER [ ":" NUMBER { "/" NUMBER } ]
    budget    = limit { "," limit }

No file is looked at here, and nothing is run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, cast

from isolation_fast import heuristics
from isolation_fast._native import Heuristic
from isolation_fast.budgets import LIMITS, Budget
from isolation_fast.cost import COURSE_WORK, Cost, checked_cost
from isolation_fast.exceptions import InvalidArgumentError, InvalidBudgetError, UnknownHeuristicError
from isolation_fast.searching import LARGEST_DEPTH, LARGEST_NODES, MODES, Mode
from isolation_fast.text import unknown_word
from isolation_fast.tournament.pieces import Piece, whole

__all__ = [
    "CLASSIC_PLAYERS",
    "PLAYER_FORMS",
    "WrittenPlayer",
    "budget_text",
    "cost_text",
    "parse_budget",
    "parse_player",
    "player_text",
]

Kind = Literal["random", "greedy", "minimax", "alphabeta", "file"]

USUAL_DEPTH: Final = Budget(depth=3)
"""How far minimax players look unless told otherwise, as in both rosters of the course."""

_COUNTS: Final = ("depth", "nodes", "work")
# More is beyond every search, and a slip.
_MOST: Final = {"depth": LARGEST_DEPTH, "nodes": LARGEST_NODES, "work": LARGEST_NODES}
_SEARCH_OPTIONS: Final = (*LIMITS, "mode")
_CLASSIC: Final = {"Null": "null", "Open": "open", "Center": "center", "Improved": "improved"}
_KINDS: Final[dict[str, Kind]] = {"Greedy": "greedy", "MM": "minimax", "AB": "alphabeta"}
_NAMED: Final[dict[str, tuple[Kind, str | None]]] = {
    "Random": ("random", None),
    "Greedy": ("greedy", "open"),
    **{f"MM_{each}": ("minimax", name) for each, name in _CLASSIC.items()},
    **{f"AB_{each}": ("alphabeta", name) for each, name in _CLASSIC.items()},
    **{f"ID_{each}": ("alphabeta", name) for each, name in _CLASSIC.items()},
}
CLASSIC_PLAYERS: Final = tuple(_NAMED)
"""The players that have a name of their own."""

PLAYER_FORMS: Final = (*CLASSIC_PLAYERS, *(f"{each}:heuristic" for each in _KINDS), "FILE.py:member")
"""All that a player can be written as, what varies in words."""

_FILE_FORM: Final = "game_agent.py:custom_score"
# A name ends at the first `=`, if nothing stands before it that a player is written with.
_NAME: Final = re.compile(r"([^=@:(,/\\]*)=(.*)", re.DOTALL)
_FILE: Final = re.compile(r"(.*\.py)(?::([^@]*)(?:@(.*))?)?", re.DOTALL)
_CALL: Final = re.compile(r"(\w+)\s*(?:\((.*)\))?", re.DOTALL)
_BARE: Final = re.compile(r"(?:(time|timeout|time_limit)\s*=\s*)?([0-9]+(?:\.[0-9]+)?)\s*(ms)?")
_DIGITS: Final = re.compile(r"[0-9]+")
_MOST_DIGITS: Final = 40
_DEEPEST: Final = 20
"""So many sums within sums are a slip or worse."""


@dataclass(frozen=True, slots=True)
class WrittenPlayer:
    """What a text says of a player. Nothing that it leaves out is filled in, but minimax's depth."""

    kind: Kind
    what: str
    """What stands before the `@`, as we write it."""
    heuristic: Heuristic | None = None
    path: str | None = None
    member: str | None = None
    budget: Budget | None = None
    mode: Mode | None = None
    name: str | None = None
    cost: Cost | float | None = None
    """What a node costs, where no work is named beside it: then it goes with the tournament's work."""


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
    piece = whole(text, "player", "such as 'AB_Improved' or 'AB:bfs@nodes=2000'")
    name: str | None = None
    named = _NAME.fullmatch(piece.text)
    if named is not None:
        name = named[1].strip()
        if not name:
            raise piece.refused(f"there is no name before the '=' in {piece.text!r}")
        piece = piece.part(*named.span(2))
    file = _FILE.fullmatch(piece.text)
    player = _file(piece, file) if file is not None else _known(piece)
    return player if name is None else replace(player, name=name)


def player_text(player: WrittenPlayer) -> str:
    """Write a player, so that reading it gives the same.

    >>> player_text(parse_player("mine = MM_Open @ depth = 2"))
    'mine=MM_Open@depth=2'
    """
    options = []
    if player.budget is not None and player.budget != _usual(player.kind):
        options.append(budget_text(player.budget))
    if player.cost is not None:
        options.append(f"cost={cost_text(player.cost)}")
    if player.mode is not None:
        options.append(f"mode={player.mode}")
    name = "" if player.name is None else f"{player.name}="
    return f"{name}{player.what}{'@' if options else ''}{','.join(options)}"


def parse_budget(text: str) -> Budget:
    """Read a budget.

    >>> parse_budget("nodes=500"), parse_budget("depth=3,ms=12.5")
    (Budget(nodes=500), Budget(depth=3, ms=12.5))
    >>> parse_budget("nodes=0")
    Traceback (most recent call last):
    ...
    isolation_fast.exceptions.InvalidArgumentError: nodes must be an integer of at least 1, not 0
    """
    piece = whole(text, "budget", "such as 'nodes=2000'")
    limits, _ = _options(piece, LIMITS)
    return _budget(piece, limits)


def budget_text(budget: Budget) -> str:
    """Write a budget, so that reading it gives the same.

    >>> budget_text(Budget(depth=5, nodes=2000))
    'depth=5,nodes=2000'
    """
    limits = [f"{name}={value!r}" for name in LIMITS[:-1] if (value := getattr(budget, name)) is not None]
    return ",".join([*limits, f"cost={cost_text(budget.cost)}"] if budget.cost is not None else limits)


def cost_text(cost: Cost | float) -> str:
    """Write a cost behind `cost=`: its value, then that of each band, if it has any.

    How far a measurement's rounds lay apart is left out: no search goes by it.

    >>> cost_text(5.2), cost_text(Cost(2.0, bands=(8.0, 4.0, 2.0, 1.0, 1.0), spread=0.1))
    ('5.2', '2.0:8.0/4.0/2.0/1.0/1.0')
    """
    cost = checked_cost(cost)
    bands = "" if cost.bands is None else f":{'/'.join(map(repr, cost.bands))}"
    return f"{cost.value!r}{bands}"


def _file(piece: Piece, found: re.Match[str]) -> WrittenPlayer:
    path, member = found[1], (found[2] or "").strip()
    form, colon, rest = path.partition(":")
    if colon and form in _KINDS:
        raise piece.refused(
            f"a function or class of a file is written without {form + ':'!r}: {rest}:{member}"
        )
    if not member.isidentifier():
        raise piece.refused(
            f"{piece.text!r} names no function or class of the file, as {_FILE_FORM!r} does behind the colon"
        )
    player = WrittenPlayer("file", f"{path}:{member}", path=path, member=member)
    return player if found[3] is None else _with_options(player, piece.part(*found.span(3)), _SEARCH_OPTIONS)


def _known(piece: Piece) -> WrittenPlayer:
    """A player of ours: under a name of its own, or with a heuristic behind a colon."""
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
        raise _unknown(what)
    if at >= 0:
        options = piece.part(at + 1, len(piece.text))
        allowed = {"alphabeta": _SEARCH_OPTIONS, "minimax": ("depth",)}.get(player.kind)
        if allowed is None:
            raise options.refused(f"{player.what} takes no options: it searches nothing")
        player = _with_options(player, options, allowed)
    return player if player.budget is not None else replace(player, budget=_usual(player.kind))


def _usual(kind: Kind) -> Budget | None:
    return USUAL_DEPTH if kind == "minimax" else None


def _unknown(piece: Piece) -> InvalidArgumentError:
    # `bfs` and `AB_bfs` mean `AB:bfs`, `MM_bfs` means `MM:bfs`: so of the many only those of one form.
    start = piece.text[:2].upper()
    classic = start if start in ("MM", "ID") else "AB"
    named = [each for each in CLASSIC_PLAYERS if "_" not in each or each.startswith(classic)]
    form = {"MM": "MM", "GR": "Greedy"}.get(start, "AB")
    registered = [f"{form}:{name}" for name in heuristics.names()]
    return piece.refused(unknown_word("player", piece.text, PLAYER_FORMS, [*named, *registered, _FILE_FORM]))


def _with_options(player: WrittenPlayer, piece: Piece, allowed: tuple[str, ...]) -> WrittenPlayer:
    limits, mode = _options(piece, allowed)
    if [*limits] == ["cost"]:
        return replace(player, cost=limits["cost"], mode=mode)
    return replace(player, budget=_budget(piece, limits) if limits else None, mode=mode)


def _options(piece: Piece, allowed: tuple[str, ...]) -> tuple[dict[str, Cost | float], Mode | None]:
    limits: dict[str, Cost | float] = {}
    mode: Mode | None = None
    words = (*allowed, "course") if "work" in allowed else allowed
    for each in piece.split():
        word = each.sides()[0].text if "=" in each.text else each.text
        if not word:
            raise each.refused("an option is missing here, such as 'nodes=2000'")
        if word not in words:
            raise each.refused(_meant(each.text, words) or unknown_word("option", word, words))
        name = "work" if word == "course" else word
        if name in limits or (name == "mode" and mode is not None):
            raise each.refused(f"{name} is there twice")
        if word == "course":
            if each.text != word:
                raise each.refused(f"course takes no value: it means work={COURSE_WORK}")
            limits[name] = COURSE_WORK
            continue
        value = each.sides()[1]
        if name == "mode":
            if value.text not in MODES:
                raise value.refused(unknown_word("mode", value.text, MODES))
            mode = cast(Mode, value.text)
        elif name == "cost":
            limits[name] = _cost(value)
        else:
            limits[name] = _number(name, value)
    return limits, mode


def _meant(text: str, allowed: tuple[str, ...]) -> str | None:
    """What to write in place of a number that does not say of what, or of a time by another name."""
    found = _BARE.fullmatch(text)
    if found is None:
        return None
    time, number, unit = found.groups()
    names = [each for each in (("ms",) if time or unit else ("nodes", "ms")) if each in allowed] or ["depth"]
    return f"{text!r} does not say what it limits: write {' or '.join(f'{each}={number}' for each in names)}"


def _cost(piece: Piece) -> Cost | float:
    value, colon, bands = piece.text.partition(":")
    start = len(value) + 1
    costs = [_number("cost", piece.part(0, len(value)))]
    for each in bands.split("/") if colon else ():
        costs.append(_number("the cost of a band", piece.part(start, start + len(each))))
        start += len(each) + 1
    try:
        return Cost(costs[0], tuple(costs[1:])) if colon else checked_cost(costs[0]).value
    except InvalidBudgetError as error:
        raise piece.refused(str(error)) from None


def _number(name: str, piece: Piece) -> float:
    if _DIGITS.fullmatch(piece.text):
        if len(piece.text) > _MOST_DIGITS:  # Python refuses to read very long ones
            raise piece.refused(f"{name} is too large")
        return int(piece.text)
    if name in _COUNTS:
        raise piece.refused(f"{name} must be a whole number, not {piece.text!r}")
    try:
        return float(piece.text)
    except ValueError:
        raise piece.refused(f"{name} must be a number, not {piece.text!r}") from None


def _budget(piece: Piece, limits: dict[str, Cost | float]) -> Budget:
    try:
        budget = Budget(**limits)  # type: ignore[arg-type]
    except InvalidBudgetError as error:
        raise piece.refused(str(error)) from None
    for name, most in _MOST.items():
        value = getattr(budget, name)
        if value is not None and value > most:
            raise piece.refused(f"{name} must be at most {most}, not {value}")
    return budget


def _heuristic(piece: Piece, depth: int = 0) -> Heuristic:
    call = _CALL.fullmatch(piece.text)
    if call is None or depth > _DEEPEST:
        raise piece.refused(
            f"{piece.text!r} is no heuristic: write a name, or as 'aggressive(factor=1.5)', "
            "or as 'weighted_sum(bfs=1.0, open=0.5)'"
        )
    inside = piece.part(*call.span(2)) if call[2] else None
    arguments = [each.sides() for each in inside.split()] if inside is not None else []
    is_sum = call[1] == "weighted_sum"
    numbers: dict[Any, float] = {}
    for word, number in arguments:
        key = _heuristic(word, depth + 1) if is_sum else word.text
        if key in numbers:
            raise word.refused(f"{word.text} is there twice")
        numbers[key] = _number(f"the value of {word.text}", number)
    try:
        if is_sum:
            return heuristics.weighted_sum(numbers)
        plain = heuristics.get(call[1])
        return plain.variant(**numbers) if numbers else plain
    except (UnknownHeuristicError, InvalidArgumentError) as error:
        raise piece.refused(str(error)) from None
