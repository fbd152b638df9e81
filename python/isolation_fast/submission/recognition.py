"""What a function or class of a submission is: a heuristic, a template, a player, or none of them.

All is told from parsed source. A heuristic cannot be told for sure from its looks, so these are rules that
hold for what students wrote: two parameters for the board and a player, and an answer that may be a number.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = [
    "Definition",
    "Function",
    "first_line",
    "fits_heuristic",
    "functions_in",
    "is_custom_score",
    "is_heuristic",
    "is_player",
    "is_template",
    "top_level",
]

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Definition = Function | ast.ClassDef

_GAME = re.compile(r"game|board|state|^[gbs]$", re.IGNORECASE)
_PLAYER = re.compile(r"player|agent|^(p|me)$", re.IGNORECASE)
# Those of `sample_players`, which submissions build upon.
_COURSE_PLAYERS = frozenset({"GreedyPlayer", "HumanPlayer", "RandomPlayer"})
# Calls whose result is no score.
_COLLECTIONS = frozenset(
    [
        "dict",
        "enumerate",
        "filter",
        "frozenset",
        "list",
        "map",
        "range",
        "reversed",
        "set",
        "sorted",
        "str",
        "tuple",
        "zip",
    ]
)
_QUESTIONS = frozenset(["all", "any", "isinstance", "move_is_legal", "is_winner", "is_loser"])
_BOARDS_ANSWERS = frozenset(
    ["copy", "forecast_move", "get_blank_spaces", "get_legal_moves", "get_opponent", "get_player_location"]
)
_NO_NUMBERS = _COLLECTIONS | _QUESTIONS | _BOARDS_ANSWERS
_DISPLAYS = (
    *(ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.JoinedStr, ast.Lambda, ast.Compare),
)


def is_custom_score(name: str) -> bool:
    """Whether a name alone says that it is a heuristic of the submission.

    >>> is_custom_score("custom_score_2"), is_custom_score("score")
    (True, False)
    """
    return name.startswith("custom_score")


def fits_heuristic(parameters: Sequence[str]) -> bool:
    """Whether the names of the first two parameters are those of a heuristic.

    >>> fits_heuristic(["game", "player", "weight"]), fits_heuristic(["board", "p"])
    (True, True)
    >>> fits_heuristic(["game", "move"]), fits_heuristic(["self", "game", "player"])
    (False, False)
    """
    return len(parameters) >= 2 and bool(_GAME.search(parameters[0]) and _PLAYER.search(parameters[1]))


def is_heuristic(name: str, node: Function) -> bool:
    """Whether a function can be asked for the score of a board and a player.

    >>> wanted = ast.parse("def count(game, player): return len(game.get_legal_moves(player))").body[0]
    >>> helper = ast.parse("def own(game, player): return game.get_legal_moves(player)").body[0]
    >>> is_heuristic("count", wanted), is_heuristic("own", helper)
    (True, False)
    """
    if isinstance(node, ast.AsyncFunctionDef):
        return False
    if not isinstance(node, ast.Lambda) and any(_belonging(node, ast.Yield | ast.YieldFrom)):
        return False
    given = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    required = len(given) - len(node.args.defaults)
    named_only = sum(default is None for default in node.args.kw_defaults)
    if required > 2 or named_only or (len(given) < 2 and node.args.vararg is None):
        return False
    return is_custom_score(name) or (fits_heuristic(given) and (is_template(node) or _may_give_number(node)))


def is_template(node: Function) -> bool:
    """Whether a function gives nothing back and ends in `raise NotImplementedError`."""
    last = node.body if isinstance(node, ast.Lambda) else node.body[-1]
    if not isinstance(last, ast.Raise) or last.exc is None:
        return False
    raised = last.exc.func if isinstance(last.exc, ast.Call) else last.exc
    gives = any(_belonging(node, ast.Return | ast.Yield | ast.YieldFrom))
    return ast.unparse(raised) == "NotImplementedError" and not gives


def is_player(kind: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> bool:
    """Whether a class has a `get_move`, its own or a base's, that is more than a template."""
    methods = _methods(kind, classes)
    get_move = methods.get("get_move")
    if get_move is None:
        return any(_base_name(base) in _COURSE_PLAYERS for base in kind.bases)
    if is_template(get_move):
        return False
    named = {node.attr for node in ast.walk(get_move) if isinstance(node, ast.Attribute)}
    # The course wrote a `get_move` that only asks a search, which is a template at first.
    searches = [methods[name] for name in named if name in methods and name != "get_move"]
    return not searches or not all(is_template(search) for search in searches)


def first_line(node: Definition) -> int:
    """The line on which a definition begins, its decorators included, as its code object has it."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(each.lineno for each in decorators)])


def top_level(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, those in its `if`, `try`, `for` and `with` included."""
    waiting = list(body)[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        inner = [
            each for part in ("body", "handlers", "orelse", "finalbody") for each in getattr(node, part, ())
        ]
        statements = [each.body if isinstance(each, ast.ExceptHandler) else [each] for each in inner]
        waiting += [each for block in statements[::-1] for each in block[::-1]]


def functions_in(body: Iterable[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions of a module or the methods of a class."""
    return (node for node in top_level(body) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _methods(kind: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> dict[str, Function]:
    found: dict[str, Function] = {}
    waiting, seen = [kind], set()
    while waiting:
        current = waiting.pop(0)
        if current.name in seen:
            continue
        seen.add(current.name)
        for node in functions_in(current.body):
            found.setdefault(node.name, node)
        bases = (classes.get(_base_name(base)) for base in current.bases)
        waiting += [base for base in bases if base is not None and base.name not in seen]
    return found


def _base_name(base: ast.expr) -> str:
    return ast.unparse(base).rpartition(".")[2]


def _belonging(node: Function, kinds: type | object) -> Iterator[ast.AST]:
    """Nodes of some kind within a function, but not those of functions and classes inside it."""
    waiting: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    while waiting:
        current = waiting.pop()
        if isinstance(current, kinds):  # type: ignore[arg-type]
            yield current
        if not isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(current))


def _may_give_number(node: Function) -> bool:
    if isinstance(node, ast.Lambda):
        return not _is_no_number(node.body, {})
    values: dict[str, list[ast.expr]] = {}
    for statement in _belonging(node, ast.Assign):
        assert isinstance(statement, ast.Assign)
        for target in statement.targets:
            if isinstance(target, ast.Name):
                values.setdefault(target.id, []).append(statement.value)
    changed = {
        each.id
        for statement in _belonging(node, ast.AugAssign | ast.For | ast.With)
        for each in ast.walk(statement)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    known = {name: found for name, found in values.items() if name not in changed}
    given = [each for each in _belonging(node, ast.Return) if isinstance(each, ast.Return)]
    return any(each.value is not None and not _is_no_number(each.value, known) for each in given)


def _is_no_number(node: ast.expr, values: dict[str, list[ast.expr]]) -> bool:
    """Whether an expression can be no score: a list, a text, a truth value and so on."""
    if isinstance(node, _DISPLAYS):
        return True
    if isinstance(node, ast.Constant):
        return node.value is None or isinstance(node.value, str | bool)
    if isinstance(node, ast.BoolOp):
        return all(_is_no_number(each, values) for each in node.values)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.IfExp):
        return _is_no_number(node.body, values) and _is_no_number(node.orelse, values)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return True
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).rpartition(".")[2] in _NO_NUMBERS
    if isinstance(node, ast.Name) and node.id in values:
        # Without the name itself, in case it is made from itself; afterwards with what was found.
        found = all(_is_no_number(each, values) for each in values.pop(node.id))
        values[node.id] = [ast.Constant(None if found else 0)]
        return found
    return False
