"""The process in which one submission is compared: it gives up its rights, loads, asks, plays and reports.

`running` sends the order, and asks on after each message.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from isolation_fast import Board
from isolation_fast.exceptions import JailError
from isolation_fast.jail import Policy, is_locked, lock_down
from isolation_fast.process import Channel, Frame, Kind
from isolation_fast.submission import SubmissionError, is_custom_score, parse
from isolation_fast.text import ADDRESS, COPY
from isolation_fast.worker.entry import import_libraries, import_with_its_parts, readable_places
from validation.findings import BoardName, Difference, HeuristicFinding
from validation.matches import play_matches
from validation.messages import LONGEST_REPORT, MEMORY_LIMIT, memory_of_this_process, phase
from validation.positions import Spot, seeded_positions
from validation.sides import Order, Side, load_side, observe, player_variants
from validation.sources import Checkout, NoCheckoutError, choose_checkout
from validation.verdicts import Outcome, judge_outcomes, relation

__all__ = ["Request", "main"]

Send: TypeAlias = Callable[[Mapping[str, Any]], None]

LARGEST_FILE: Final = 64 * 2**20
# After the limit that the parent watches, in case the parent is gone.
GRACE_SECONDS: Final = 10
# Given back when memory has run out, so that there is enough left to say so.
RESERVE: Final = 8 * 2**20
OUT_OF_MEMORY: Final = b'{"kind": "stopped", "reason": "%s"}' % MEMORY_LIMIT.encode()
# A name that `tempfile` made up, and the place of the submission's copy where a long text was cut off in it.
TEMPORARY_NAME: Final = re.compile(r"(TMPDIR/)tmp\w{8}")
CUT_PATH: Final = re.compile(r"[^\s'\"]*/isolation-fast[^\s'\"]*\.\.\.$")
# How far the seeds of the second classic board are from those of the others: more than there are calls.
OTHER_SEED: Final = 10_000_019
# How often a call is tried again that differs in a heuristic that is random elsewhere.
TRIALS: Final = 16


class Reporter:
    """Answers each request with a message, from this process alone."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._process = os.getpid()
        self._hidden: dict[str, str] = {}
        request = self._next()
        self._number = request.number
        self.order: dict[str, Any] = json.loads(request.content)
        hidden: dict[str, str] = self.order["hidden"]
        # Lines about exceptions have the random name of our folder without its end already.
        self._hidden = {**hidden, **{COPY.sub("isolation-fast", path): hidden[path] for path in hidden}}

    def _next(self) -> Frame:
        request = self._channel.receive(Kind.PLAY)
        if request is None:
            # Nobody asks on.
            os._exit(0)
        return request

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message. What is of this machine or this run alone is replaced."""
        if os.getpid() != self._process:
            # The submission has forked, and its child has returned from the submission's code.
            os._exit(0)
        self.answer(json.dumps(self._shown(dict(message))).encode())

    def answer(self, content: bytes) -> None:
        """Send content as it is, and wait for the next request."""
        self._channel.send(Frame(Kind.REPORTED, self._number, content))
        self._number = self._next().number

    def _shown(self, value: Any) -> Any:
        if isinstance(value, str):
            for path, name in self._hidden.items():
                value = value.replace(path, name)
            return ADDRESS.sub("", TEMPORARY_NAME.sub(r"\1tmp...", CUT_PATH.sub("...", value)))
        if isinstance(value, dict):
            return {self._shown(key): self._shown(each) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._shown(each) for each in value]
        return value


def main(requests: int, answers: int) -> None:
    """Compare one submission. The process ends here, whatever threads the submission has left behind."""
    sys.path.remove(str(Path(__file__).resolve().parents[1]))
    reporter = Reporter(Channel(requests, answers, LONGEST_REPORT))
    request = reporter.order
    reporter.send({"kind": "started"})
    # The submission finds nothing of ours: no argument, and the working directory is its own.
    sys.argv[:] = [request["examine"]["path"]]
    os.chdir(Path(request["examine"]["path"]).parent)
    reserve = [bytes(RESERVE)]
    try:
        _limit(request["memory"], request["seconds"])
        if request["jail"]:
            _lock(request)
        _examine(Request(**request["examine"]), reporter.send)
    except MemoryError:
        reserve.clear()
        reporter.answer(OUT_OF_MEMORY)
    except BaseException as error:  # noqa: BLE001 - what submissions raise is caught where they are called
        fault = f"{type(error).__name__}: {error}"
        reporter.send({"kind": "stopped", "reason": f"the comparison itself failed: {fault}"})
    reporter.send({"kind": "done"})
    os._exit(0)


def _lock(request: Mapping[str, Any]) -> None:
    """Close the jail, once all is imported that cannot be any more then. Nothing of it has run by now."""
    wanted = request["jail"]
    import_libraries()
    for name in wanted["modules"]:
        import_with_its_parts(name)
    policy = Policy(
        readable=(*readable_places(), *wanted["readable"]),
        memory=request["memory"],
        user=wanted["user"],
        parent=os.getppid(),
    )
    level = lock_down(policy)
    if level.name != wanted["level"]:
        raise JailError(f"the jail is {level.name}, and it was to be {wanted['level']}")


def _limit(memory: int, seconds: float) -> None:
    """Bound what this process and those that it starts may use, for good."""
    allowed = memory * 2**20
    if memory_of_this_process().get("size", 0) >= allowed:
        # Not left to chance: Python's parser, for one, calls it a syntax error when it gets no memory at all.
        raise MemoryError
    _lower(resource.RLIMIT_AS, allowed)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, LARGEST_FILE)
    _lower(resource.RLIMIT_CPU, int(seconds) + GRACE_SECONDS)
    signal.alarm(int(seconds) + GRACE_SECONDS)


def _lower(what: int, limit: int) -> None:
    _, hard = resource.getrlimit(what)
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(what, (limit, limit))


@dataclass(frozen=True, slots=True)
class Request:
    """What a worker is asked to do: the copy of a submission, the checkouts, and how much of everything."""

    path: str
    checkouts: tuple[dict[str, Any], ...]
    positions: int
    games: int
    seed: int


def _examine(request: Request, send: Send) -> None:
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
