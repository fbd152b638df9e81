"""What a submission holds by its parsed source alone: nothing of it is imported or run.

A heuristic cannot be recognised for sure by its looks. The rules here hold for what students wrote: two
parameters for the board and a player, and an answer that may be a number.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final, Literal, TypeAlias, TypeVar

from isolation_fast.board.early_names import EARLY_NAMES
from isolation_fast.classic.layouts import Layout, Source, layout_of
from isolation_fast.exceptions import InvalidArgumentError
from isolation_fast.submission.sources import located, read_all
from isolation_fast.text import unknown_word

MemberKind: TypeAlias = Literal["heuristic", "player"]
"""Our search goes around a heuristic; a player is a class that plays by itself."""


@dataclass(frozen=True)
class Outline:
    """What the source of a submission says that it holds.

    All are names: `heuristics` in the file's order but `custom_score` and its like first, `players` of
    classes, `templates` of functions and methods that only raise `NotImplementedError`. `imports` are the
    top-level names that it and the modules beside it import, `early_names` the private names of the first
    boards that they use. `bound` are names that the file assigns or imports; its source does not say what
    they stand for.
    """

    path: Path
    layout: Layout
    heuristics: tuple[str, ...]
    players: tuple[str, ...]
    templates: tuple[str, ...]
    imports: tuple[str, ...]
    early_names: tuple[str, ...]
    bound: tuple[str, ...]

    def kind_of(self, member: str) -> MemberKind:
        """What a member is by the source, or an InvalidArgumentError.

        What only running the file makes, as `custom_score = partial(...)`, counts as a heuristic until then.
        """
        if member in self.heuristics:
            return "heuristic"
        if member in self.players:
            return "player"
        for template in self.templates:
            if template.partition(".")[0] == member:
                raise InvalidArgumentError(
                    f"{template} of {self.path.name} is still a template: it raises NotImplementedError"
                )
        if member in self.bound:
            return "heuristic"
        known = (*self.heuristics, *self.players)
        raise InvalidArgumentError(unknown_word(f"heuristic or player of {self.path.name}", member, known))


def parse(path: str | os.PathLike[str]) -> Outline:
    """Read a submission, a file or its folder, without running anything of it.

    What only running it makes is missing: `custom_score = partial(...)` is a heuristic to `load` alone.

    >>> from isolation_fast.submission import parse
    >>> outline = parse("examples")
    >>> outline.layout, outline.heuristics
    ('v2', ('custom_score', 'custom_score_2', 'custom_score_3'))
    """
    return outline_of(read_all(located(Path(path))))


def outline_of(everything: Sequence[Source]) -> Outline:
    """What these files hold: a submission's own, and after it those that it imports."""
    source, *helpers = everything
    defined = _definitions(source, {each.module: each for each in helpers}, frozenset(), {})
    functions = {name: node for name, node in defined.items() if isinstance(node, Function)}
    heuristics = [name for name, node in functions.items() if is_heuristic(name, node)]
    classes = {
        node.name: node
        for each in reversed(everything)
        for node in top_level(each.tree.body)
        if isinstance(node, ast.ClassDef)
    }
    kinds = {name: node for name, node in defined.items() if isinstance(node, ast.ClassDef)}
    unwritten = [name for name in heuristics if is_template(functions[name])]
    written = [name for name in heuristics if name not in unwritten]
    imported = {name.partition(".")[0] for each in everything for name in each.imports()}
    nodes = (node for each in everything for node in ast.walk(each.tree))
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return Outline(
        path=source.path,
        layout=layout_of(each.tree for each in everything),
        heuristics=tuple(sorted(written, key=lambda name: not is_custom_score(name))),
        players=tuple(name for name, node in kinds.items() if is_player(node, classes)),
        templates=(*unwritten, *_template_methods(kinds.values())),
        imports=tuple(sorted(imported - {"__future__"})),
        early_names=tuple(sorted(attributes & EARLY_NAMES)),
        bound=tuple(dict.fromkeys(_bound(source.tree))),
    )


def _definitions(
    source: Source,
    helpers: Mapping[str, Source],
    busy: frozenset[Path],
    known: dict[tuple[Path, frozenset[Path]], dict[str, Definition]],
) -> dict[str, Definition]:
    """The functions and classes that a module has by name, with those that it imports from helpers.

    `custom_score = other` and `custom_score = lambda game, player: 0.0` count.
    """
    if (source.path, busy) in known:  # the same import once more
        return known[source.path, busy]
    found: dict[str, Definition] = {}
    for node in top_level(source.tree.body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign):
            value = found.get(node.value.id) if isinstance(node.value, ast.Name) else node.value
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            found = {name: each for name, each in found.items() if name not in names}
            if isinstance(value, Definition):
                found |= dict.fromkeys(names, value)
        elif isinstance(node, ast.ImportFrom):
            helper = helpers.get(source.absolute(node))
            # Of two that import each other, one comes first.
            if helper is not None and helper.path not in busy:
                found |= _taken(node.names, _definitions(helper, helpers, busy | {source.path}, known))
    known[source.path, busy] = found
    return found


def _taken(names: Iterable[ast.alias], theirs: Mapping[str, Definition]) -> dict[str, Definition]:
    taken: dict[str, Definition] = {}
    for alias in names:
        if alias.name == "*":
            taken |= {name: each for name, each in theirs.items() if not name.startswith("_")}
        elif alias.name in theirs:
            taken[alias.asname or alias.name] = theirs[alias.name]
    return taken


def _template_methods(kinds: Collection[ast.ClassDef]) -> list[str]:
    methods = {kind.name: {node.name: node for node in functions_in(kind.body)} for kind in kinds}
    bases = {kind.name: {ast.unparse(base) for base in kind.bases} for kind in kinds}
    return [
        f"{kind}.{name}"
        for kind, own in methods.items()
        for name, node in own.items()
        # A base class may leave a method to its subclasses.
        if is_template(node)
        and not any(kind in bases[other] and name in theirs for other, theirs in methods.items())
    ]


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that a module's statements bind, without saying to what."""
    for node in top_level(tree.body):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = (each for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))
            yield from (each.id for each in names)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)


# ---- what counts as what

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Definition: TypeAlias = Function | ast.ClassDef
_Node = TypeVar("_Node", bound=ast.AST)

_GAME: Final = re.compile(r"game|board|state|^[gbs]$", re.IGNORECASE)
_PLAYER: Final = re.compile(r"player|agent|^(p|me)$", re.IGNORECASE)
# Those of `sample_players`, which submissions extend.
_COURSE_PLAYERS: Final = frozenset({"GreedyPlayer", "HumanPlayer", "RandomPlayer"})
# Calls whose result is no score.
_NO_NUMBERS: Final = {
    *("all", "any", "dict", "enumerate", "filter", "frozenset", "isinstance", "list", "map", "range"),
    *("reversed", "set", "sorted", "str", "tuple", "zip"),
    *("copy", "forecast_move", "get_blank_spaces", "get_legal_moves", "get_opponent", "get_player_location"),
    *("is_loser", "is_winner", "move_is_legal"),
}
_DISPLAYS: Final = (
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
    """Whether the names of the first two parameters are those of a heuristic."""
    return len(parameters) >= 2 and bool(_GAME.search(parameters[0]) and _PLAYER.search(parameters[1]))


def is_heuristic(name: str, node: Function) -> bool:
    """Whether a function gives a score for a board and a player."""
    is_generator = not isinstance(node, ast.Lambda) and any(_belonging(node, ast.Yield, ast.YieldFrom))
    if isinstance(node, ast.AsyncFunctionDef) or is_generator:
        return False
    given = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    required = len(given) - len(node.args.defaults)
    named_only = sum(default is None for default in node.args.kw_defaults)
    if required > 2 or named_only or (len(given) < 2 and node.args.vararg is None):
        return False
    return is_custom_score(name) or (fits_heuristic(given) and (is_template(node) or _may_give_number(node)))


def is_template(node: Function) -> bool:
    """Whether a function returns nothing and ends in `raise NotImplementedError`."""
    last = node.body if isinstance(node, ast.Lambda) else node.body[-1]
    if not isinstance(last, ast.Raise) or last.exc is None:
        return False
    raised = last.exc.func if isinstance(last.exc, ast.Call) else last.exc
    gives = any(_belonging(node, ast.Return, ast.Yield, ast.YieldFrom))
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
    # The course's own `get_move` only calls a search, which is a template at first.
    searches = [methods[name] for name in named if name in methods and name != "get_move"]
    return not searches or not all(is_template(search) for search in searches)


def first_line(node: Definition) -> int:
    """The line on which a definition begins, its decorators included, as its code object has it."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(each.lineno for each in decorators)])


def top_level(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, those in its `if`, `try`, `for` and `with` included."""
    waiting: list[ast.stmt | ast.ExceptHandler] = [*reversed([*body])]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.ExceptHandler):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            parts = (getattr(node, part, ()) for part in ("body", "handlers", "orelse", "finalbody"))
            waiting += [*chain.from_iterable(parts)][::-1]


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


def _belonging(node: Function, *kinds: type[_Node]) -> Iterator[_Node]:
    """Nodes of some kind within a function, but not those of functions and classes inside it."""
    waiting: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    while waiting:
        current = waiting.pop()
        if isinstance(current, kinds):
            yield current
        if not isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(current))


def _may_give_number(node: Function) -> bool:
    if isinstance(node, ast.Lambda):
        return not _is_no_number(node.body, {})
    values: dict[str, list[ast.expr]] = {}
    for statement in _belonging(node, ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Name):
                values.setdefault(target.id, []).append(statement.value)
    changed = {
        each.id
        for statement in _belonging(node, ast.AugAssign, ast.For, ast.With)
        for each in ast.walk(statement)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    known = {name: found for name, found in values.items() if name not in changed}
    given = [each.value for each in _belonging(node, ast.Return) if each.value is not None]
    return not all(_is_no_number(each, known) for each in given)


def _is_no_number(node: ast.expr, values: dict[str, list[ast.expr]]) -> bool:
    """Whether an expression can be no score: a list, a text, a truth value and so on."""
    if isinstance(node, _DISPLAYS) or (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)):
        return True
    if isinstance(node, ast.Constant):
        return node.value is None or isinstance(node.value, str | bool)
    if isinstance(node, ast.BoolOp):
        return all(_is_no_number(each, values) for each in node.values)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.IfExp):
        return _is_no_number(node.body, values) and _is_no_number(node.orelse, values)
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).rpartition(".")[2] in _NO_NUMBERS
    if isinstance(node, ast.Name) and node.id in values:
        # Without the name itself, in case it is made from itself; afterwards with what was found.
        found = all(_is_no_number(each, values) for each in values.pop(node.id))
        values[node.id] = [ast.Constant(None if found else 0)]
        return found
    return False
