"""The compiled engine. Private: import what you need from `isolation_fast`."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Final, Literal, NoReturn, TypeAlias, final

from typing_extensions import Self, disjoint_base

__version__: Final[str]
__all__ = [
    "OPCODES",
    "PRICES",
    "Board",
    "Compiled",
    "Heuristic",
    "NativePlayer",
    "Program",
    "Searcher",
    "__version__",
    "answer_tag",
    "board_in_order",
    "compare",
    "evaluate",
    "evaluate_many",
    "evaluate_many_in_python",
    "game_stream",
    "heuristic",
    "heuristic_names",
    "interrupt_when",
    "is_locked",
    "jail_available",
    "jail_lock_down",
    "judge",
    "perft",
    "play_native",
    "play_searched",
    "play_series",
    "require_free_engine",
    "search",
    "serve",
    "solve",
    "strategy",
    "weighted_sum",
]

@disjoint_base
class Board:
    """A position of knight's Isolation with its two players, as the classic course code knows it."""

    BLANK: ClassVar[int]
    NOT_MOVED: ClassVar[None]

    width: int
    height: int
    move_count: int
    _player_1: Any
    _player_2: Any
    _active_player: Any
    _inactive_player: Any
    _board_state: list[Any]
    _order_bits: int
    _second_visits: int
    # The oldest private names, see _early_names.py.
    __board_state__: list[list[int]]
    __last_player_move__: dict[Any, tuple[int, int] | None]
    __player_symbols__: dict[Any, int]
    __player_1__: Any
    __player_2__: Any
    __active_player__: Any
    __inactive_player__: Any

    def __new__(cls, *args: Any, **kwargs: Any) -> Self: ...
    def __init__(
        self, player_1: object = "player 1", player_2: object = "player 2", width: int = 7, height: int = 7
    ) -> None: ...
    @staticmethod
    def from_text(text: str, player_1: object = "player 1", player_2: object = "player 2") -> Board: ...
    def to_text(self) -> str: ...
    @property
    def active_player(self) -> Any: ...
    @property
    def inactive_player(self) -> Any: ...
    def get_opponent(self, player: object) -> Any: ...
    def copy(self) -> Board: ...
    def forecast_move(self, move: Sequence[int]) -> Board: ...
    def apply_move(self, move: Sequence[int]) -> None: ...
    def move_is_legal(self, move: Sequence[int]) -> bool: ...
    def get_blank_spaces(self) -> list[tuple[int, int]]: ...
    def get_player_location(self, player: object) -> tuple[int, int] | None: ...
    def get_legal_moves(self, player: object | None = None) -> list[tuple[int, int]]: ...
    def _Board__get_moves(self, loc: Sequence[int] | None) -> list[tuple[int, int]]: ...
    def __get_moves__(self, move: Sequence[int] | None) -> list[tuple[int, int]]: ...
    def is_winner(self, player: object) -> bool: ...
    def is_loser(self, player: object) -> bool: ...
    def utility(self, player: object) -> float: ...
    def hash(self) -> int: ...
    def to_string(self, symbols: Sequence[str] = ("1", "2")) -> str: ...
    def print_board(self) -> str: ...
    def to_svg(self, *, size: int = 360) -> str: ...
    def _repr_svg_(self) -> str: ...
    def play(self, time_limit: float = ...) -> tuple[Any, list[list[int]], str]: ...
    def __copy__(self) -> Self: ...
    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]: ...
    def __setstate__(self, state: Any) -> None: ...

_Counts: TypeAlias = tuple[int, int, int]

OPCODES: Final[dict[str, tuple[int, tuple[str, ...]]]]
PRICES: Final[dict[str, Any]]

@final
class Program:
    """A program, checked, as heuristics are compiled to."""

    def __new__(
        cls,
        functions: Sequence[tuple[_Counts, _Counts, _Counts, Sequence[tuple[int, ...]]]],
        integers: Sequence[int],
        floats: Sequence[float],
        data: Sequence[int],
        *,
        lines: Sequence[Sequence[int]] | None = None,
    ) -> Self: ...
    @property
    def functions(self) -> list[tuple[_Counts, _Counts, _Counts, list[tuple[int, ...]]]]: ...
    @property
    def integers(self) -> list[int]: ...
    @property
    def floats(self) -> list[float]: ...
    @property
    def data(self) -> list[int]: ...
    @property
    def lines(self) -> list[list[int]] | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]: ...
    def priced_run(
        self, board: Board, player: object, *, machine_code: bool = False
    ) -> tuple[float | None, int]:
        """The value, and what the run cost in nanoseconds as the price list has them."""

    def run(self, board: Board, player: object, *, machine_code: bool = False) -> float | None: ...
    def probe(self, board: Board, order_bits: int = 0) -> tuple[float | None, bool]: ...
    def play_by_machine_code(self, width: int, height: int) -> None:
        """Have players of this object play by machine code on boards of that size; or an error why not."""
    def profile(
        self, board: Board, work: int | None, depth: int | None, nodes: int | None
    ) -> tuple[dict[int, int], int]:
        """What a search pays for each line of the source, 0 where that is unknown, and for its nodes."""

def board_in_order(text: str, player_1: object, player_2: object, order_bits: int) -> Board:
    """The board of a position, its moves ordered by these bits instead of ones drawn from `random`."""

@final
class Heuristic:
    """A heuristic that runs inside the engine; also a plain callable `f(game, player)`."""

    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def formula(self) -> str: ...
    @property
    def ending(self) -> Literal["T", "S"] | None: ...
    @property
    def report(self) -> str | None: ...
    @property
    def label(self) -> str | None: ...
    @property
    def base(self) -> str | None: ...
    @property
    def parameters(self) -> dict[str, float]: ...
    @property
    def allowed(self) -> dict[str, tuple[float, float]]: ...
    @property
    def parts(self) -> tuple[tuple[Heuristic, float], ...]: ...
    @property
    def walks(self) -> bool: ...
    def variant(self, **values: float) -> Heuristic: ...
    def __call__(self, game: Board, player: object) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    # Each is a TypeError that names `heuristics.weighted_sum`.
    def __add__(self, other: object, /) -> NoReturn: ...
    def __radd__(self, other: object, /) -> NoReturn: ...
    def __sub__(self, other: object, /) -> NoReturn: ...
    def __rsub__(self, other: object, /) -> NoReturn: ...
    def __mul__(self, other: object, /) -> NoReturn: ...
    def __rmul__(self, other: object, /) -> NoReturn: ...
    def __truediv__(self, other: object, /) -> NoReturn: ...
    def __rtruediv__(self, other: object, /) -> NoReturn: ...
    def __neg__(self) -> NoReturn: ...

@final
class Compiled:
    """What is known of a function that may be compiled."""

    values: Final[int]
    bails: Final[int]
    is_ready: Final[bool]
    is_off: Final[bool]

    def __new__(
        cls,
        compiler: Callable[[Any], tuple[Program, Callable[[], bool]] | None],
        like: Compiled | None = None,
        /,
    ) -> Compiled: ...
    def compile(self, function: Callable[[Any, Any], float]) -> bool:
        """Compile the function now; whether there is a program."""

    def take(self, made: tuple[Program, Callable[[], bool]] | None) -> None:
        """Take what `compile` gave elsewhere."""

    def turn_off(self) -> None:
        """Never compile it again."""

@final
class NativePlayer:
    """What the engine needs to know of a player to play its side without Python."""

    @staticmethod
    def random() -> NativePlayer: ...
    @staticmethod
    def greedy(heuristic: Heuristic | Program) -> NativePlayer: ...
    @staticmethod
    def minimax(heuristic: Heuristic | Program, depth: int) -> NativePlayer: ...
    @staticmethod
    def counted(
        program: Program,
        work: int | None,
        depth: int | None,
        nodes: int | None,
        ms: float | None,
        fast: bool,
        value_work: int | None,
    ) -> NativePlayer:
        """Alpha-beta; `work` of a turn and of a value is as much as so many nodes with `improved` cost."""

    def choose(
        self, board: Board
    ) -> tuple[
        tuple[tuple[int, int] | None, float | None, int, int, int, Any] | None, tuple[str, int, bool] | None
    ]:
        """Move, value, depth, nodes, price paid, reason; or what `play_series` says of a missing value."""

    @staticmethod
    def alphabeta(
        heuristic: Heuristic | Program,
        depth: int | None,
        nodes: int | None,
        ms: float | None,
        bands: Sequence[tuple[float, int]],
        fast: bool,
    ) -> NativePlayer:
        """`bands`: a share of blank cells below which a band lies, and the nodes it allows; or none."""

@final
class Searcher:
    """How a player searches in each of its turns: with a native heuristic, or with a compiled function."""

    def __new__(
        cls,
        heuristic: Heuristic | Callable[[Any, Any], float],
        compiled: Compiled | None,
        depth: int | None,
        nodes: int | None,
        bands: Sequence[tuple[float, int]],
        minimax: bool,
        fast: bool,
        seed: int | None,
    ) -> Searcher: ...

def play_searched(
    board: Board,
    first: Searcher,
    second: Searcher,
    reports: bool,
    each: Callable[[tuple[int, int], Literal[0, 1]], object] | None,
) -> (
    tuple[
        int,
        list[tuple[int, int]],
        list[tuple[float | None, int, int, str]] | None,
        tuple[int, int],
    ]
    | None
):
    """Winner (1 or 2), moves, for each move value, depth, nodes and reason, nodes of each player.

    None where a function of Python would have had a say. `each` is called with each move and the number, 0
    or 1, of the player whose turn is next.
    """

def heuristic_names() -> list[str]:
    """The registered names, in registry order."""

def heuristic(name: str, parameters: dict[str, float] | None = None) -> Heuristic:
    """The native heuristic of that name, or a variant. KeyError for a name that is not registered."""

def weighted_sum(parts: Sequence[tuple[Heuristic, float]]) -> Heuristic: ...
def evaluate(
    board: Board, heuristic: Heuristic | Callable[[Board, Any], float], player: object | None, nodes: int
) -> float: ...
def evaluate_many(
    boards: Iterable[Board | str], heuristic: Heuristic, player: object | None, nodes: int
) -> bytearray:
    """The values, one after the other, as the bytes of C doubles."""

def compare(
    compiled: Compiled,
    function: Callable[[Any, Any], float],
    boards: Sequence[Board],
    clock: Callable[[], float],
) -> tuple[float | None, float, int, tuple[str, float, str] | None]:
    """Seconds a value of the program and of the function, the program's bails, a difference."""

def evaluate_many_in_python(
    boards: Iterable[Board | str],
    function: Callable[[Board, Any], float],
    player: object | None,
    compiled: Compiled | None,
) -> bytearray: ...
def search(
    board: Board,
    heuristic: Heuristic | Callable[[Board, Any], float],
    depth: int | None,
    nodes: int | None,
    ms: float | None,
    minimax: bool,
    fast: bool,
    seed: int | None,
    root_values: bool,
    refuses_nan: bool,
    stops: type[BaseException] | tuple[type[BaseException], ...] | None,
    compiled: Compiled | None,
    spent: tuple[int | None, float, int | None] | None,
) -> tuple[tuple[int, int] | None, float | None, int, int, str, dict[tuple[int, int], float] | None, int]:
    """Move, value, depth, nodes, reason, value of each root move, how often the heuristic returned NaN."""

def solve(
    board: Board,
    moves: bool,
    line: bool,
    distance: bool,
    table: bool,
    threads: int,
    nodes: int | None,
    ms: float | None,
) -> tuple[str, list[tuple[tuple[int, int], str, int | None]], list[tuple[int, int]], int | None, int, bool]:
    """Outcome; each move with its outcome and distance; line; distance; nodes; whether it was looked up."""

def judge(start: str, moves: Sequence[tuple[int, int]], nodes: int | None) -> tuple[str, int]:
    """Who wins the start and the position after each move, for the player to move: w, l or u; nodes.

    An IllegalMoveError names the first move that is not legal.
    """

def strategy(board: Board) -> bytes | None:
    """The replies of the player not to move, who wins, in the order of a walk; None: it does not win."""

def answer_tag(key: bytes, number: int, asked: bytes, answer: bytes) -> int:
    """What ends the answer to a search, made of the worker's key, the request and the answer before it."""

def serve(requests: int, answers: int, handler: object) -> None:
    """Answer a referee's requests, once in a process, which is locked; else an EngineLockedError."""

def perft(board: Board, depth: int) -> int: ...
def play_native(
    first: NativePlayer, second: NativePlayer, start: str, seed: int
) -> tuple[int, list[tuple[int, int]], str, tuple[int, int], str]:
    """Winner (1 or 2), moves from `start` on, how it ended, nodes of each, `start` as we write it."""

def interrupt_when(asked: Callable[[], bool] | None, /) -> None:
    """Have native work of this thread end by a `KeyboardInterrupt` once the function says so; None: no more.

    Python tells Ctrl-C to its main thread alone. The function is asked every 50 ms.
    """

def game_stream(seed: int, opening: int, side: int) -> int:
    """The 64 bits of chance of one game; side 0 is the one in which the first player is player 1."""

def play_series(
    first: NativePlayer,
    second: NativePlayer,
    openings: Sequence[str],
    first_opening: int,
    seed: int,
    threads: int,
    record: bool,
    exact: int | None,
) -> tuple[
    bytes,
    tuple[int, int],
    tuple[int, int],
    tuple[int, int],
    list[list[tuple[tuple[int, int], float | None, int, int, str | None]]] | None,
    list[str] | None,
    list[tuple[int, str, int, bool]],
]:
    """Two games from each opening: a byte each (1: `first` won), nodes and turns of both, moves if wanted.

    Then what their programs paid. With `exact` nodes for each position, also what `judge` says of each game.
    Last the games that ended where a program has no value: number, position, player that it is for, and
    whether it costs more than a value may.
    """

def jail_available() -> tuple[list[str], list[str], int]:
    """What could be enforced, what not, and the version of Landlock's interface."""

def jail_lock_down(
    readable: Sequence[str],
    listable: Sequence[str],
    memory: int | None,
    cpu_seconds: int | None,
    open_files: int,
    user: int | None,
    parent: int | None,
    keeps_engine: bool,
) -> tuple[list[str], list[str], int]:
    """Lock the process and the engine, for good. What is enforced, what is missing, Landlock's version."""

def is_locked() -> bool: ...
def require_free_engine(function: str) -> None:
    """EngineLockedError in a locked process."""
