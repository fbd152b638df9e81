"""How the boards of worked examples are drawn: what a heuristic goes by, in the cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias, cast

from isolation_fast.output import grid_lines
from isolation_fast.reference import Board
from isolation_fast.reference.board import column_major
from isolation_fast.reference.heuristics import HEURISTICS, distance, mobility, space
from isolation_fast.reference.heuristics.baselines import knight_steps
from isolation_fast.worked_examples.working import shown

Cell: TypeAlias = tuple[int, int]
Marks: TypeAlias = Mapping[Cell, str]

PLAYERS: Final = ("player 1", "player 2")
SIGNS: Final = "P1, P2: the players; -: blocked"
MOVES: Final = f"{SIGNS}; a, b: moves of player 1, of player 2"
AROUND: Final = f"{SIGNS}; a, b: blank cells around player 1, around player 2"


def draw(family: str, name: str, board: Board, working: str) -> str:
    """What the heuristic of that name and family goes by on a board; of a blend, what its working names."""
    if family == "blends":
        return _blend(board, working)
    if family == "continuations":
        return _tree(board, longest=name.startswith("longest"))
    return DRAWINGS.get(name, DRAWINGS.get(family, _moves))(board)


def _drawn(board: Board, marks: Marks, title: str = "") -> list[str]:
    """The board line by line, with what is marked in its cells."""
    signs = {cell: "" if board.move_is_legal(cell) else "-" for cell in _cells(board)}
    signs |= {_place(board, player): sign for player, sign in zip(PLAYERS, ("P1", "P2"), strict=True)}
    texts = {cell: f"{sign} {marks.get(cell, '')}".strip() for cell, sign in signs.items()}
    return [*([title] if title else []), *grid_lines(board.width, board.height, texts)]


def _one(board: Board, marks: Marks, *legend: str) -> str:
    return "\n".join([*_drawn(board, marks), *legend])


def _beside(*drawings: list[str]) -> str:
    """Several drawings side by side."""
    widths = [max(map(len, drawing)) for drawing in drawings]
    return "\n".join(
        "      ".join(f"{line:{width}}" for line, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*drawings, strict=True)
    )


def _both(board: Board, marks: Callable[[Board, str], Marks], title: str, legend: str) -> str:
    """A drawing for each player."""
    sides = [_drawn(board, marks(board, player), title.format(player)) for player in PLAYERS]
    return f"{_beside(*sides)}\n{SIGNS}\n{legend}"


def _cells(board: Board) -> list[Cell]:
    return [(row, column) for column in range(board.width) for row in range(board.height)]


def _letters(of_player_1: Iterable[Cell], of_player_2: Iterable[Cell]) -> dict[Cell, str]:
    """An a for the cells of player 1, a b for those of player 2, ab for those of both."""
    marks = dict.fromkeys(of_player_1, "a")
    for cell in of_player_2:
        marks[cell] = marks.get(cell, "") + "b"
    return marks


def _letters_of_moves(board: Board) -> dict[Cell, str]:
    return _letters(*map(board.get_legal_moves, PLAYERS))


def _letters_of_space(board: Board) -> dict[Cell, str]:
    def around(player: str) -> Iterator[Cell]:
        row, column = _place(board, player)
        near = ((row + rows, column + columns) for rows, columns in space.KING_STEPS)
        return filter(board.move_is_legal, near)

    return _letters(*map(around, PLAYERS))


def _place(board: Board, player: str) -> Cell:
    return cast(Cell, board.get_player_location(player))  # in a worked example both stand on a cell


def _moves(
    board: Board, more: Callable[[Cell, str], str] = lambda _, letter: letter, legend: str = ""
) -> str:
    """The players' moves, each with something more."""
    marks = {cell: more(cell, letter) for cell, letter in _letters_of_moves(board).items()}
    return _one(board, marks, MOVES + legend)


def _numbers(board: Board, number: Callable[[Cell], float], legend: str) -> str:
    """A number in each cell."""
    return _one(board, {cell: shown(number(cell)) for cell in _cells(board)}, SIGNS, legend)


def _corners(board: Board) -> str:
    # As the report prints them; on a board that is not square they are not its corners.
    rows, columns = (0, board.width - 1), (0, board.height - 1)
    return _moves(
        board,
        lambda cell, letter: f"({letter})" if cell[0] in rows and cell[1] in columns else letter,
        "; (a), (b): into a corner",
    )


def _two_steps(board: Board) -> str:
    def more(cell: Cell, letter: str) -> str:
        return f"{letter} {sum(map(board.move_is_legal, knight_steps(cell)))}"

    return _moves(board, more, "\nand the blank cells a knight's move on")


def _ratios(board: Board, player: str) -> Marks:
    marks = {}
    for move in board.get_legal_moves(player):
        after = board.forecast_move(move)
        own, other = (after.get_legal_moves(each) for each in (player, board.get_opponent(player)))
        marks[move] = f"{len(own)}/{len(other)}"
    return marks


def _weights(board: Board) -> str:
    letters = _letters_of_moves(board)
    weights = {cell: mobility.weight(board, cell) for cell in _cells(board)}
    marks = {cell: f"{letters.get(cell, '')} {weight:.2f}".strip() for cell, weight in weights.items()}
    return _one(board, marks, MOVES, "in each cell its weight w")


def _squares(board: Board) -> str:
    row, column = board.height / 2, board.width / 2
    legend = f"in each cell the square of its distance from ({shown(row)}, {shown(column)})"
    return _numbers(board, lambda cell: (row - cell[0]) ** 2 + (column - cell[1]) ** 2, legend)


def _ways(board: Board, start: tuple[float, float] | None = None, name: str = "") -> str:
    row, column = start or (board.height / 2, board.width / 2)
    place = name or f"({shown(row)}, {shown(column)}), the centre"
    legend = f"in each cell the rows and columns from {place}"
    return _numbers(board, lambda cell: abs(row - cell[0]) + abs(column - cell[1]), legend)


def _rings(rings: Callable[[Board, Cell], Iterator[set[Cell]]], board: Board, player: str) -> Marks:
    """How many moves each blank cell is from a player."""
    start = _place(board, player)
    counted = {start, *board.get_blank_spaces()}
    return {cell: str(steps) for steps, ring in enumerate(rings(board, start)) for cell in ring & counted}


def _spaces_after(board: Board, player: str) -> Marks:
    moves = board.get_legal_moves()
    return {move: shown(space.space_score(board.forecast_move(move), player)) for move in moves}


def _window(board: Board) -> str:
    rows, columns = round(board.height / 2), round(board.width / 2)
    center = space.least_occupied_window(board)
    top, left = center[0] - rows // 2, center[1] - columns // 2
    marks = _letters_of_moves(board)
    for cell in ((top + row, left + column) for row in range(rows) for column in range(columns)):
        marks[cell] = f"{marks.get(cell, '')}{'(w)' if cell == center else 'w'}"
    legend = f"w: the least occupied window, {rows} by {columns}, (w): its centre"
    return _one(board, marks, MOVES, legend)


def _blend(board: Board, working: str) -> str:
    if "continuations" in working:
        return _tree(board, longest=False)
    if "space" not in working:
        return _moves(board)
    around = _letters_of_space(board)
    if "mobility" not in working and "improved" not in working:
        return _one(board, around, AROUND)
    both = _beside(_drawn(board, _letters_of_moves(board), "moves"), _drawn(board, around, "space"))
    return f"{both}\n{MOVES}\nor the blank cells around them"


def _tree(board: Board, *, longest: bool) -> str:
    """The tree of play below a board: a line for each position, with what both players have below it."""
    name = "longest_win" if longest else "continuations"
    lines = [("the tree of play", PLAYERS), *_branches(board, HEURISTICS[name], "")]
    widest = max(len(line) for line, _ in lines)
    tree = [f"{line:{widest}}  {own:>9}  {other:>9}" for line, (own, other) in lines]
    return _one(board, {}, SIGNS, "", *tree, f"for each position its {name}, by player")


def _branches(
    board: Board, score: Callable[[Any, Any], float], indent: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for move in sorted(board.get_legal_moves(), key=column_major):
        after = board.forecast_move(move)
        lost = "" if after.get_legal_moves() else f": {after.active_player} has lost"
        line = f"{indent}{board.active_player} to {move}{lost}"
        yield line, tuple(shown(score(after, player)) for player in PLAYERS)
        yield from _branches(after, score, f"{indent}  ")


DRAWINGS: Final[Mapping[str, Callable[[Board], str]]] = {
    "center": _squares,
    "corner_averse_mobility": _corners,
    "lookahead_mobility": _two_steps,
    "lookahead_ratio": lambda board: _both(
        board,
        _ratios,
        "{}",
        "in each move of p the moves of p / those of o "
        f"once {board.active_player}, which is to move, is on that cell",
    ),
    "weights": _weights,
    "close_to_center": _ways,
    "far_from_center": _ways,
    "distance": lambda board: _ways(board, _place(board, PLAYERS[0]), "P1"),
    "decay": lambda board: _both(
        board,
        lambda *of: _rings(distance.rings_on_an_empty_board, *of),
        "from {}",
        "in each cell that counts the knight's moves to it, on an empty board",
    ),
    "floods": lambda board: _both(
        board,
        lambda *of: _rings(distance.rings_through_blank_cells, *of),
        "from {}",
        "in each cell in reach the moves to it, through blank cells",
    ),
    "lookahead_space": lambda board: _both(
        board,
        _spaces_after,
        "space of {}",
        f"in each move of {board.active_player}, which is to move, the space after it",
    ),
    "space": lambda board: _one(board, _letters_of_space(board), AROUND),
    "clusters": _window,
}
"""By heuristic or family. All others go by the players' moves."""
