"""The comparison of one submission, in a process of its own: load it, ask, play, tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from isolation_fast._native import Board
from isolation_fast.comparison.checkouts import Checkout, NoCheckoutError, choose_checkout
from isolation_fast.comparison.findings import Difference, HeuristicFinding
from isolation_fast.comparison.matches import play_matches
from isolation_fast.comparison.outcomes import Outcome, relation
from isolation_fast.comparison.phases import BoardName, phase
from isolation_fast.comparison.positions import Spot, seeded_positions
from isolation_fast.comparison.sides import Order, Side, load_side, observe, player_variants
from isolation_fast.comparison.verdicts import judge_outcomes
from isolation_fast.jail import is_locked
from isolation_fast.submission import SubmissionError, parse
from isolation_fast.submission.recognition import is_custom_score

__all__ = ["Request", "examine"]

Send: TypeAlias = Callable[[Mapping[str, Any]], None]

# How far the seeds of the second classic board are from those of the others: more than there are calls.
OTHER_SEED: Final = 10_000_019
# How often a call is tried again that differs in a heuristic that is random elsewhere.
TRIALS: Final = 16


@dataclass(frozen=True, slots=True)
class Request:
    """What a worker is asked to do: the copy of a submission, the checkouts, and how much of everything."""

    path: str
    checkouts: tuple[dict[str, Any], ...]
    positions: int
    games: int
    seed: int


def examine(request: Request, send: Send) -> None:
    """Compare a submission on both boards, and send each finding as soon as it is made."""
    path = Path(request.path)
    checkouts = [Checkout.from_dict(each) for each in request.checkouts]
    try:
        outline = parse(path)
        number = choose_checkout(outline.layout, outline.early_names, checkouts)
        send({"kind": "outline", "layout": outline.layout, "checkout": number + 1})
    except (SubmissionError, NoCheckoutError) as error:
        send({"kind": "reason", "reason": str(error)})
        return
    sides = _load_sides(path, checkouts[number], send)
    if sides is None:
        return
    heuristics = list(sides.classic.submission.heuristics)
    players = list(player_variants(sides.classic.submission))
    templates = list(sides.classic.submission.templates)
    send({"kind": "loaded", "heuristics": heuristics, "players": players, "templates": templates})
    spots = seeded_positions(request.positions, request.seed)
    # What is submitted first: should another function take all the time there is, that is done by then.
    submitted = [name for name in heuristics if is_custom_score(name)]
    others = [name for name in heuristics if name not in submitted]
    for name in submitted:
        send({"kind": "heuristic", "finding": asdict(_ask(name, sides, spots, request.seed, send))})
    for label in players:
        begin = partial(_begin, send, label)
        finding = play_matches(label, sides.playing, sides.ours_playing, request.games, request.seed, begin)
        send({"kind": "player", "finding": asdict(finding)})
    for name in others:
        send({"kind": "heuristic", "finding": asdict(_ask(name, sides, spots, request.seed, send))})


def _begin(send: Send, what: str, board: BoardName) -> None:
    """Say what comes next: should the process end in it, it is known on which board that was."""
    send(phase(what, board))


class _Sides(NamedTuple):
    """A submission on the classic board, there once more, there in our order of moves, and on ours.

    Games are played by copies of their own: what a submission keeps between calls is then the same for each
    of the four that are asked. The classic one of these, in our order too, can repeat what it was not asked.
    """

    classic: Side
    again: Side
    ordered: Side
    playing: Side
    ours: Side
    ours_playing: Side


def _load_sides(path: Path, checkout: Checkout, send: Send) -> _Sides | None:
    _begin(send, "import", "classic")
    classic = _try_to_load(path, checkout)
    again = _try_to_load(path, checkout, "random")
    ordered, playing = (_try_to_load(path, checkout, "ours") for _ in range(2))
    _begin(send, "import", "ours")
    ours, ours_playing = (_try_to_load(path, None) for _ in range(2))
    sides = (classic, again, ordered, playing, ours, ours_playing)
    loaded = [each for each in sides if isinstance(each, Side)]
    if len(loaded) == len(sides):
        return _Sides(*loaded)
    # Whether it loads may be up to chance too.
    before = next((each for each in sides[:4] if not isinstance(each, Side)), classic)
    after = next((each for each in sides[4:] if not isinstance(each, Side)), ours)
    failures = [each.reason for each in (before, after) if isinstance(each, SubmissionError)]
    if len(failures) == 2 and failures[0] == failures[1]:
        send({"kind": "reason", "reason": f"{before}{_by_the_jail(before)}"})
    else:
        told = [("classic", before), ("ours", after)]
        detail = "; ".join(f"{board}: {'loads' if isinstance(each, Side) else each}" for board, each in told)
        send({"kind": "heuristic", "finding": asdict(HeuristicFinding("import", "differs", detail=detail))})
    return None


def _by_the_jail(failure: Side | SubmissionError) -> str:
    refused = isinstance(failure, SubmissionError) and isinstance(failure.__cause__, PermissionError)
    return "; the jail refuses that, and --no-jail does not" if refused and is_locked() else ""


def _try_to_load(path: Path, checkout: Checkout | None, order: Order = "own") -> Side | SubmissionError:
    try:
        return load_side(path, checkout, order)
    except SubmissionError as error:
        return error


def _ask(name: str, sides: _Sides, spots: tuple[Spot, ...], seed: int, send: Send) -> HeuristicFinding:
    def asked(side: Side, seed: int, spots: Sequence[Spot] = spots) -> list[Outcome]:
        _begin(send, name, "classic" if side.checkout else "ours")
        return observe(side, name, spots, seed)

    classic = asked(sides.classic, seed)
    again = asked(sides.again, seed + OTHER_SEED)
    ordered = asked(sides.ordered, seed)
    ours = asked(sides.ours, seed)

    def stands(number: int) -> bool:
        # What is drawn from few values is the same by chance now and then, but not so many times.
        position, player = divmod(number, 2)
        for other_seed in range(seed + OTHER_SEED, seed + (1 + TRIALS) * OTHER_SEED, OTHER_SEED):
            before, after = (
                asked(side, other_seed, spots[position : position + 1])[player]
                for side in (sides.playing, sides.ours_playing)
            )
            if relation(classic[number], before) != "same" or relation(before, after) != "different":
                return False
        return True

    judgement = judge_outcomes(classic, again, ordered, ours, lambda: asked(sides.playing, seed), stands)
    difference = None
    if judgement.first is not None:
        spot = spots[judgement.first // 2]
        board = spot.on(Board)
        difference = Difference(
            position=board.to_text(),
            drawing=board.to_string().replace("\r", ""),
            player=judgement.first % 2 + 1,
            classic=(ordered if judgement.in_order else classic)[judgement.first].shown,
            ours=ours[judgement.first].shown,
        )
    return HeuristicFinding(
        name,
        judgement.verdict,
        calls=len(classic),
        equal=judgement.equal,
        rounding=judgement.rounding,
        exceptions=judgement.exceptions,
        detail=judgement.detail,
        difference=difference,
    )
