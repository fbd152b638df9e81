"""The games of an attack: in a tournament, with a well-behaved submission after it, and by itself."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

from hostile_scene import WELL_BEHAVED, Attack, Scene

from isolation_fast import Board, Budget, heuristics
from isolation_fast.cost import WITH_IMPROVED
from isolation_fast.jail import Answer, Assignment, Fault, JailedProcess, Limits, Output, shared_yardstick
from isolation_fast.submission.asking import order_bits_of
from isolation_fast.tournament import Match, NativeEntrant, RandomOpenings, Run, SubmissionEntrant, Use, run
from isolation_fast.tournament.plan import Pairing, Plan

# A few times what any attack needs that is to end otherwise than by the clock, however busy the machine is.
LIMITS = Limits(load_cpu=1.0, move_cpu=0.6, wall_factor=100.0, memory=512)
# Who uses no processor time is ended by the wall clock. It would end others too where a machine is busy.
IMPATIENT = replace(LIMITS, wall_factor=5.0)
WAITING = ("sleeps", "sleeps_at_import", "stops_itself", "begins_a_frame", "steals_requests")
BUDGET = Budget(nodes=30)
TIME_LIMIT = 150.0
OPENING = "5x5 x4/5/5/5/4x 0,0 4,4 1"
STREAM = 7
IDLE_SECONDS = 0.06


@dataclass
class Seen:
    """What came of an attack's games."""

    ending: str = "plays on"
    """`plays on`, `plays otherwise`, or how it lost the first game that it lost by what it did."""
    endings: list[str] = field(default_factory=list)
    won: int = 0
    report: str = ""
    """All that a referee has kept, as text."""
    games: list[Any] = field(default_factory=list)
    """Records of its games."""
    bystander: str = ""
    """All that is said of the well-behaved submission that played after it."""
    seconds: float = 0.0


def entrant(name: str, file: Path, member: str) -> SubmissionEntrant:
    budget = BUDGET if member == "custom_score" else None
    return SubmissionEntrant(name, str(file), member, sha256(file.read_bytes()).hexdigest(), budget)


def limits_of(attack: Attack) -> Limits:
    return IMPATIENT if attack.name in WAITING else LIMITS


def in_a_tournament(file: Path, member: str, folder: Path, limits: Limits = LIMITS) -> Seen:
    """Two games, from both sides, then the same of a well-behaved submission, in one run."""
    players = (
        entrant("submission", file, member),
        entrant("bystander", WELL_BEHAVED, "custom_score"),
        NativeEntrant("Greedy", "greedy", heuristics.open),
    )
    pairings = (Pairing(0, 2), Pairing(1, 2))
    plan = Plan(
        "gauntlet",
        players,
        (0, 1),
        pairings,
        RandomOpenings(1, 1, 5, 5),
        1,
        TIME_LIMIT,
        record=True,
        jail=limits,
    )
    started = monotonic()
    result = run(plan, workers=1, records=folder / "records.jsonl")
    seen = Seen(seconds=monotonic() - started)
    records = [json.loads(line) for line in (folder / "records.jsonl").read_text("utf-8").splitlines()]
    attacker, bystander = result.player("submission"), result.player("bystander")
    seen.won, seen.endings = attacker.won, [each.ending for each in attacker.faults]
    seen.games = [each for each in records if each["pairing"] == 0]
    seen.ending = "plays on"
    if seen.endings:
        seen.ending = seen.endings[0]
    elif file != WELL_BEHAVED and seen.games != of_the_well_behaved(member).games:
        seen.ending = "plays otherwise"
    beside = [each for each in records if each["pairing"] == 1]
    seen.bystander = json.dumps([bystander.to_dict(), beside])
    seen.report = f"{result.to_json()}\n{result}\n{result.classic_table()}\n{json.dumps(records)}"
    return seen


@cache
def of_the_well_behaved(member: str) -> Seen:
    """What a submission comes to that only plays: attacks that play on come to the same."""
    with TemporaryDirectory() as folder:
        return in_a_tournament(WELL_BEHAVED, member, Path(folder))


@dataclass
class Sitting:
    """What came of an attack's process by itself."""

    ending: str
    detail: str
    output: Output
    idle_cpu: float
    seconds: float


def by_itself(scene: Scene, attack: Attack, idle_cpu: float = 0.0) -> Sitting:
    """Load it, ask it for some moves, leave it alone for a moment, then begin a game.

    The moment is longer where it is to use some CPU time in it. What it prints is seen here alone.
    """
    digest = sha256(scene.file.read_bytes()).hexdigest()
    started, ending, detail, idle = monotonic(), "plays on", "", 0.0
    with JailedProcess.start(Assignment(scene.file, attack.member, digest), limits_of(attack)) as process:
        try:
            _load(process)
            _three_moves(process, attack.member)
            before = process.cpu_seconds
            sleep(IDLE_SECONDS)
            while (idle := process.cpu_seconds - before) < idle_cpu:
                sleep(0.01)
            process.begin_game(OPENING, STREAM, order_bits_of(STREAM), 0)
        except Fault as fault:
            ending, detail = fault.ending, fault.detail
    # Read after its end: then all that it printed has come.
    return Sitting(ending, detail, process.output, idle, monotonic() - started)


WORK = 2000
"""Of a move where work is enforced: some ten milliseconds. What a turn may take besides is little."""
MOST = 1.5
"""The machine may be faster or slower now than it was in the games."""


def at_work(file: Path, games: int = 8) -> str:
    """What becomes of it where its turns are held to their work, in the words of `work.txt`."""
    plan = Match(f"{file}:custom_score", "AB_Improved", games=games, budget=f"work={WORK}", seed=1).plan()
    uses: list[Use] = []
    with Run(plan, workers=1, on_use=lambda _, use: uses.append(use)) as running:
        (player,) = (each for each in running.play().players if "custom_score" in each.name)
    if player.is_broken:
        return "overspends" if set(player.endings) <= {"no moves", "overspent"} else "is broken"
    # Whatever it says of itself, no more time of its process was used than its turns have work.
    had = WORK * max(WITH_IMPROVED) * sum(each.moves for each in uses)
    took = 1e9 * shared_yardstick().scale(os.getpid()) * sum(each.cpu_seconds for each in uses)
    return "gains nothing" if took <= MOST * had and not player.faults else "takes more"


def _load(process: JailedProcess) -> None:
    try:
        process.load(STREAM)
    except Fault as fault:
        # Whatever ended it, a tournament has it so.
        raise Fault("not loaded", fault.detail) from fault


def _three_moves(process: JailedProcess, member: str) -> None:
    board = Board.from_text(OPENING, "us", "them")
    process.begin_game(OPENING, STREAM, order_bits_of(STREAM), 0)
    since: list[tuple[int, int]] = []
    for _ in range(3):
        if member == "custom_score":
            answer: Answer = process.search(since, board.to_text(), BUDGET)
        else:
            answer = process.move(since, TIME_LIMIT)
        if answer.move not in board.get_legal_moves():
            raise Fault("illegal move", f"it answered {answer.move}")
        since = [answer.move]
        board.apply_move(answer.move)
        if not (replies := sorted(board.get_legal_moves())):
            return
        since.append(replies[0])
        board.apply_move(replies[0])
        if not board.get_legal_moves():
            return
