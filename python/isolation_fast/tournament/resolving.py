"""From a player as people give it, by name or as an object, to an entrant that can be sent to a process."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeAlias

from isolation_fast import jail as jails
from isolation_fast._native import Heuristic
from isolation_fast.budgets import Budget, parse_budget
from isolation_fast.compiled import is_compiling
from isolation_fast.endings import Fault
from isolation_fast.exceptions import InvalidArgumentError, UnknownCostError
from isolation_fast.jail import Limits
from isolation_fast.jail import outline as jailed_outline
from isolation_fast.numbers import Nan
from isolation_fast.players import (
    AlphaBetaPlayer,
    GreedyPlayer,
    MinimaxPlayer,
    PerfectPlayer,
    Player,
    RandomPlayer,
)
from isolation_fast.players.bases import CLASSIC_TIME_LIMIT, DEFAULT_MARGIN, SearchingPlayer
from isolation_fast.players.ready_made import HumanPlayer, native_form
from isolation_fast.playing.entrants import (
    CountedEntrant,
    Entrant,
    NativeEntrant,
    ObjectEntrant,
    SubmissionEntrant,
    pickled,
)
from isolation_fast.programs import Program, digest_of_program
from isolation_fast.searching import cost_within
from isolation_fast.submission import MemberKind, SubmissionPlayer, digest_of, parse
from isolation_fast.text import described
from isolation_fast.tournament.grammar import WrittenPlayer, parse_player, player_text

SEARCHING: Final = (AlphaBetaPlayer, SubmissionPlayer)

DEFAULT_BUDGET: Final = "work=2000"
"""The budget of alpha-beta players that name none."""

ROSTERS: Final[Mapping[str, tuple[str, ...]]] = {
    "classic": ("Random", "MM_Open", "MM_Center", "MM_Improved", "AB_Open", "AB_Center", "AB_Improved"),
    "early": (
        *("Random", "MM_Null", "MM_Open", "MM_Improved"),
        *(f"AB_{name.title()}=AB:{name}@depth=5" for name in ("null", "open", "improved")),
    ),
}
"""The opponents of the course's tournaments, in the order of its tables.

Minimax players look three moves ahead, the alpha-beta players of `early` five. Those of `classic` have the
tournament's budget, as they had the turn's time in the course.
"""

Given: TypeAlias = (
    str | Heuristic | Program | Player | Callable[[Any, Any], float] | Entrant | Mapping[str, Any]
)
"""A player: its text, a native heuristic, a program, an object with `get_move`, a function `f(game, player)`,
an entrant, or one of these with a name, as `{"mine": player}`."""

OfFile: TypeAlias = Callable[[WrittenPlayer, Budget, str], SubmissionEntrant | CountedEntrant]


def entrant(
    given: Given,
    *,
    default_budget: Budget | str = DEFAULT_BUDGET,
    name: str | None = None,
    jail: bool | None = None,
    limits: Limits | None = None,
    nan: Nan = "course",
    value_work: int | None = None,
) -> Entrant:
    """Make an entrant of a player in any form.

    Alpha-beta players without a budget get `default_budget`, and so do functions, which our search uses as
    heuristics. An object is copied now: later changes to it have no effect. With a budget of work a native
    heuristic gets its cost from the package's table now; a function spends its work as it is searched, unless
    its budget has a cost. A heuristic of a file is read from the text, in the jail, and plays as its program
    where it has one; `jail=`, `limits=`, `nan=` and `value_work=` are those of a tournament.

    >>> entrant("AB:bfs@nodes=500").budget
    Budget(nodes=500)
    >>> from isolation_fast import MinimaxPlayer, heuristics
    >>> entrant(heuristics.bfs, default_budget="depth=4", name="mine")
    NativeEntrant(name='mine', kind='alphabeta', heuristic=heuristics.bfs, budget=Budget(depth=4), ...)
    >>> entrant(MinimaxPlayer("open", depth=2)).name
    'MM:open@depth=2'
    """
    budget = checked_budget(default_budget)
    of_file = partial(_submission, jail=jail, limits=limits, nan=nan, value_work=value_work)
    if isinstance(given, Mapping):
        name, given = _named(given, name)
    if isinstance(given, Entrant):
        if isinstance(given, NativeEntrant):
            costed = _with_cost(given.budget, given.heuristic, given.name)
            given = given if costed is given.budget else replace(given, budget=costed)
        return given if name is None else replace(given, name=name_of(WrittenPlayer("random", ""), name))
    if isinstance(given, str):
        return _written(parse_player(given), budget, name, of_file)
    if isinstance(given, Heuristic):
        return _written(WrittenPlayer("alphabeta", f"AB:{given.name}", given), budget, name, of_file)
    if isinstance(given, type):
        raise TypeError(
            f"a player is an object, not a class: give {given.__name__}(...), not {given.__name__}"
        )
    if callable(getattr(given, "get_move", None)):
        return _player(given, budget, name, of_file)
    if isinstance(given, Program):
        return _counted(given, budget, name, value_work)
    if callable(given):
        _check_parameters(given)
        return _function(given, WrittenPlayer("alphabeta", _called(given)), budget, name)
    raise TypeError(
        "a player is a text such as 'AB_Improved', a native heuristic, a program, an object with get_move "
        f"or a function f(game, player), not {described(given)}"
    )


def _named(given: Mapping[str, Any], name: str | None) -> tuple[str, Any]:
    if len(given) != 1 or name is not None:
        raise InvalidArgumentError(f"one player with a name is given as {{'mine': player}}, not {given!r}")
    [named] = given.items()
    return named


def checked_budget(budget: Budget | str) -> Budget:
    """A budget, given as an object or as text."""
    return budget if isinstance(budget, Budget) else parse_budget(budget)


def _written(player: WrittenPlayer, budget: Budget, name: str | None, of_file: OfFile) -> Entrant:
    """The entrant of a text, or of an object that a text could state."""
    name = name_of(player, name)
    if player.kind == "file":
        return of_file(player, budget, name)
    if player.kind == "perfect":
        assert player.budget is not None
        return _object(PerfectPlayer(nodes=player.budget.nodes), name)
    limits = _limits(player, budget) if player.kind == "alphabeta" else player.budget
    limits = _with_cost(limits, player.heuristic, name)
    ends = any(getattr(limits, limit, None) is not None for limit in ("nodes", "work", "ms"))
    if player.heuristic is not None and player.heuristic.walks and not (ends and player.kind == "alphabeta"):
        raise InvalidArgumentError(
            f"{name}: {player.heuristic.name} walks the tree of play below each position, which may take "
            "years. hint: use an alpha-beta player whose budget has nodes=, work= or ms="
        )
    return NativeEntrant(name, player.kind, player.heuristic, limits, player.mode or "plain")


def _player(player: Any, budget: Budget, name: str | None, of_file: OfFile) -> Entrant:
    if isinstance(player, HumanPlayer):
        raise InvalidArgumentError("a HumanPlayer cannot take part: a tournament is played without people")
    asked = player
    if type(player) in SEARCHING and player.budget is None:
        player = copy.copy(player)
        player.budget = budget
    written = _in_words(player)
    if written is None:
        if isinstance(player, SearchingPlayer) and player._is_set_up:
            limits = _with_cost(player.budget, player.score, name or type(player).__name__)
            if limits is not player.budget:
                player = copy.copy(player)
                player.budget = limits
        return _object(player, name_of(WrittenPlayer("alphabeta", type(player).__name__), name))
    if player is not asked:  # its name has no budget, as it had none
        written = replace(written, budget=None)
    if written.kind == "alphabeta" and written.heuristic is None:
        return _function(player.score, written, budget, name)
    return _written(written, budget, name, of_file)


def _counted(program: Program, budget: Budget, name: str | None, value_work: int | None) -> CountedEntrant:
    digest = digest_of_program(program)
    name = name_of(WrittenPlayer("alphabeta", f"program {digest[:8]}"), name)
    if budget.cost is not None:
        raise InvalidArgumentError(f"{name}: the work of a program is counted as it is done: leave out cost=")
    return CountedEntrant(name, program, digest, budget, value_work=value_work)


def _object(player: Any, name: str) -> ObjectEntrant:
    content = pickled(player, name)
    return ObjectEntrant(name, content, sha256(content).hexdigest())


def _limits(player: WrittenPlayer, budget: Budget) -> Budget:
    """The budget of a player that searches: its own, else the tournament's."""
    limits = player.budget or budget
    return limits if player.cost is None else replace(limits, cost=player.cost)


def _with_cost(budget: Budget | None, heuristic: Any, name: str) -> Budget | None:
    """The budget with today's cost, so that a later table does not change the plan."""
    if budget is None or budget.work is None or budget.cost is not None:
        return budget
    try:
        return replace(budget, cost=cost_within(budget, heuristic))
    except UnknownCostError as error:
        raise UnknownCostError(
            f"the cost of {name}, which its budget of work needs, is not known: {error}; "
            "give it a cost= beside work=, or a budget of nodes=, depth= or ms="
        ) from None


def _in_words(player: Any) -> WrittenPlayer | None:
    """The text form of a player of ours; None if it is not ours, or does what no text can state."""
    ours = (RandomPlayer, GreedyPlayer, MinimaxPlayer, *SEARCHING)
    if type(player) not in ours or "get_move" in vars(player) or getattr(player, "seed", None) is not None:
        return None
    if isinstance(player, RandomPlayer):
        return WrittenPlayer("random", "Random")
    if isinstance(player, GreedyPlayer | MinimaxPlayer):
        if native_form(player, CLASSIC_TIME_LIMIT) is None:
            return None
        assert isinstance(player.score, Heuristic)
        if isinstance(player, GreedyPlayer):
            return WrittenPlayer("greedy", f"Greedy:{player.score.name}", player.score)
        return WrittenPlayer("minimax", f"MM:{player.score.name}", player.score, budget=player.budget)
    if player.timeout != DEFAULT_MARGIN and player.budget.ms is not None:
        return None
    options: Any = {"budget": player.budget, "mode": None if player.mode == "plain" else player.mode}
    if type(player) is not AlphaBetaPlayer:
        path, member = str(player.submission.path), player.name
        return WrittenPlayer("file", f"{path}:{member}", path=path, member=member, **options)
    if isinstance(player.score, Heuristic):
        return WrittenPlayer("alphabeta", f"AB:{player.score.name}", player.score, **options)
    return WrittenPlayer("alphabeta", _called(player.score), **options)


def _function(
    function: Callable[..., Any], player: WrittenPlayer, budget: Budget, name: str | None
) -> ObjectEntrant:
    name = name_of(player, name)
    content = pickled(function, name)
    digest = sha256(content).hexdigest()
    return ObjectEntrant(name, content, digest, _limits(player, budget), player.mode or "plain")


def _submission(
    player: WrittenPlayer,
    budget: Budget,
    name: str,
    *,
    jail: bool | None,
    limits: Limits | None,
    nan: Nan,
    value_work: int | None,
) -> SubmissionEntrant | CountedEntrant:
    assert player.path is not None
    assert player.member is not None
    path = Path(player.path)
    kind = checked_member(path, player.member, jail=jail, limits=limits)
    made = SubmissionEntrant(name, str(path.absolute()), player.member, digest_of(path))
    if kind == "heuristic":
        own, mode = _limits(player, budget), player.mode or "plain"
        form = why_timed(own, nan) or _program_in(path, player.member, limits)
        if isinstance(form, Program):
            return CountedEntrant(name, form, digest_of_program(form), own, mode, value_work=value_work)
        return replace(made, budget=own, mode=mode, timed=form, value_work=value_work)
    if player.budget is not None or player.cost is not None or player.mode is not None:
        raise InvalidArgumentError(
            f"{player.member} of {path.name} is a class: it plays by itself and takes no options"
        )
    return made


def why_timed(budget: Budget, nan: Nan = "course") -> str | None:
    """Why no heuristic of a file is counted with this budget, whatever its text says; None if it may be.

    >>> why_timed(Budget(work=2000)), why_timed(Budget(ms=150))
    (None, 'its budget is a time')
    """
    if budget.ms is not None:
        return "its budget is a time"
    if budget.cost is not None:
        return "its budget has a cost"
    if nan != "course":
        return "a NaN is to lose the game, and a program has none"
    return None if is_compiling() else "nothing is to be compiled"


def _program_in(path: Path, member: str, limits: Limits | None) -> Program | str:
    """The program of a heuristic, read from the text, or why it has none. Nothing of the file is run."""
    try:
        [found] = jails.read_heuristics(path, [member], limits).values()
    except Fault as fault:
        return f"{fault.ending} while it was read: {fault.detail}"
    if isinstance(found, Program):
        return found
    where = f"line {found.line} of {found.filename or path.name}: " if found.line else ""
    return where + found.message


def name_of(player: WrittenPlayer, name: str | None) -> str:
    """The given name, else the player's text without a file's folder and without a cost.

    So the name is the same whether a cost was given or not.
    """
    if name is not None and player.name is not None:
        raise InvalidArgumentError(f"a player has one name, not both {name!r} and {player.name!r}")
    name = name if name is not None else player.name
    if name is None:
        what = player.what if player.path is None else f"{Path(player.path).name}:{player.member}"
        limits = player.budget and replace(player.budget, cost=None)
        return player_text(replace(player, what=what, budget=limits, cost=None))
    if not isinstance(name, str):
        raise TypeError(f"the name of a player is a str, not {described(name)}")
    if not name.strip() or not name.isprintable():
        raise InvalidArgumentError(f"the name of a player is one line with at least one letter, not {name!r}")
    return name.strip()


def _called(function: object) -> str:
    name = getattr(function, "__name__", None)
    return name if isinstance(name, str) else type(function).__name__


def _check_parameters(function: Callable[..., Any]) -> None:
    try:
        inspect.signature(function).bind(None, None)
    except ValueError:  # some compiled functions do not say what they take
        return
    except TypeError:
        called = _called(function)
        raise TypeError(f"a heuristic is called as f(game, player), which {called} does not accept") from None


def checked_member(
    path: Path, member: str, *, jail: bool | None = None, limits: Limits | None = None
) -> MemberKind:
    """Whether a member of a submission is a heuristic or a player's class; an error where it is neither.

    The answer comes from the source: nothing of the file is run. A name that only running the file defines,
    as in `custom_score = partial(...)`, counts as a heuristic. A stranger's file is parsed in the jail where
    there is one, since it may crash the parser; with `jail=False` it is parsed in this process.

    >>> checked_member(Path("examples/game_agent.py"), "custom_score_2")
    'heuristic'
    """
    if jail is False or (jail is None and jails.available().name == "none"):
        return parse(path).kind_of(member)
    try:
        return jailed_outline(path, limits).kind_of(member)
    except Fault as fault:
        why = fault.detail if fault.ending == "not loaded" else f"{fault.ending}: {fault.detail}"
        raise InvalidArgumentError(f"{path} cannot be parsed: {why}") from fault
