"""Measure how much faster submissions are here than on the classic modules, as ratios within one run.

    python benchmarks/submissions.py FOLDER --classic CHECKOUT [--classic CHECKOUT2]

FOLDER is a submission or has submissions in its sub-folders. Three figures for each, all of them in heuristic
calls a second of CPU time, over those on the classic board:

- heuristic: all its `custom_score` heuristics, called for positions in the middle of the game;
- own search: its own alpha-beta player around `custom_score`, on our board;
- native search: our alpha-beta around `custom_score`, over its own alpha-beta on the classic board.

With `perf` (Debian: linux-perf) on the PATH and `--profile`, the share of each that is spent inside our code.

Submissions are code of strangers: run this where they can do no harm, without network and as nobody.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, Final

from tabulate import tabulate

from isolation_fast.submission import Submission, SubmissionPlayer, as_player, load, parse

ROOT = Path(__file__).resolve().parents[1]
# For these imports alone: a submission must not import from the tree.
sys.path.append(str(ROOT))
from validation.positions import seeded_positions  # noqa: E402
from validation.sources import choose_checkout, find_submissions, read_checkout  # noqa: E402

sys.path.remove(str(ROOT))

POSITIONS: Final = 24
ROUNDS: Final = 5
SECONDS: Final = 0.06
NODES: Final = 1500
"""Of a native search; its own players get as many looks at the clock."""
WORKLOADS: Final = ("heuristic", "own search", "native search")
BARS: Final = {"heuristic": 5.0, "own search": 5.0, "native search": 8.0}
LARGEST_SHARE: Final = 25.0
LONGEST: Final = 600
"""Seconds for one submission."""
SLOW: Final = 3.0

Work = Callable[[], float]
"""Does something and gives the number of heuristic calls in it."""


def positions() -> list[Any]:
    """Give positions of the classic size in the middle of a game."""
    spots = [spot for spot in seeded_positions(40 * POSITIONS, seed=0) if (spot.width, spot.height) == (7, 7)]
    return [spot for spot in spots if 8 <= len(spot.moves) <= 20][:POSITIONS]


def own_player(submission: Submission, heuristic: Callable[..., float]) -> Any:
    """Make the submission's own alpha-beta player around a heuristic."""
    kind: Any = submission.players.get("AlphaBetaPlayer") or submission.players.get("CustomPlayer")
    if kind is None:
        return None
    return kind(score_fn=heuristic, **({"method": "alphabeta"} if submission.layout == "v1" else {}))


def heuristic_work(submission: Submission) -> Work | None:
    """Call each of its heuristics once for each position."""
    board_class = board_of(submission)
    player, other = as_player(submission, depth=1).stand_in, as_player(submission, depth=1).stand_in
    boards = [spot.on(board_class, (player, other)) for spot in positions()]
    named = {name: call for name, call in submission.heuristics.items() if name.startswith("custom_score")}
    calls = [call for call in named.values() if answers(call, boards, player)]

    def work() -> float:
        for board in boards:
            for call in calls:
                call(board, player)
        return len(boards) * len(calls)

    return work if calls else None


def board_of(submission: Submission) -> Any:
    """Give the class of the board that the submission was loaded with."""
    with submission.activated():
        return __import__("isolation").Board


def answers(call: Callable[..., float], boards: list[Any], player: Any) -> bool:
    """Tell whether a heuristic can be called for all of these."""
    try:
        return all(call(board, player) is not None for board in boards)
    except Exception:  # noqa: BLE001 - a heuristic that fails is left out
        return False


class Counted:
    """A heuristic that counts its calls."""

    def __init__(self, call: Callable[..., float]) -> None:
        self.call = call
        self.calls = 0

    def __call__(self, game: Any, player: Any) -> float:
        """Give what the heuristic gives."""
        self.calls += 1
        return self.call(game, player)


def own_search_work(submission: Submission) -> Work | None:
    """Let its own player answer for each position, with a clock that counts looks."""
    counted = Counted(submission.heuristics["custom_score"])
    player = own_player(submission, counted)
    if player is None:
        return None
    boards = [spot.on(board_of(submission), seats(spot, player)) for spot in positions()]
    takes_moves = submission.layout == "v1"

    def work() -> float:
        before = counted.calls
        for board in boards:
            looks = iter(range(NODES, 0, -1))

            def time_left(looks: Iterator[int] = looks) -> float:
                return 150.0 * next(looks, 0) / NODES

            moves = (board.get_legal_moves(),) if takes_moves else ()
            player.get_move(board.copy(), *moves, time_left)
        return counted.calls - before

    return work


def native_search_work(submission: Submission) -> Work:
    """Let our player around its heuristic answer for each position."""
    player: SubmissionPlayer = as_player(submission, nodes=NODES)
    counted = Counted(submission.heuristics["custom_score"])
    player.heuristic = counted
    boards = [spot.on(board_of(submission), seats(spot, player)) for spot in positions()]

    def work() -> float:
        before = counted.calls
        for board in boards:
            player.get_move(board, lambda: 150.0)
        return counted.calls - before

    return work


def seats(spot: Any, player: Any) -> tuple[Any, Any]:
    """Seat a player where it is to move."""
    return (player, "opponent") if len(spot.moves) % 2 == 0 else ("opponent", player)


def works(submission: Submission) -> dict[str, Work | None]:
    """Give the three workloads of a submission on the board that it was loaded with."""
    return {
        "heuristic": heuristic_work(submission),
        "own search": own_search_work(submission),
        "native search": native_search_work(submission),
    }


def rate(submission: Submission, work: Work) -> float:
    """Heuristic calls in a second of CPU time."""
    with submission.activated():
        started, done = process_time(), 0.0
        while (spent := process_time() - started) < SECONDS:
            done += work()
    return done / spent


def measure(path: Path, classic: Path) -> dict[str, float]:
    """Measure the three ratios of one submission, each round on both boards in turn."""
    ours, peers = load(path), load(path, classic=classic)
    mine, theirs = works(ours), works(peers)
    peer_of = {"heuristic": "heuristic", "own search": "own search", "native search": "own search"}
    ratios: dict[str, float] = {}
    for name, peer in peer_of.items():
        work, peer_work = mine[name], theirs[peer]
        if work is None or peer_work is None:
            continue
        pairs = [(rate(ours, work), rate(peers, peer_work)) for _ in range(ROUNDS)]
        if all(one and other for one, other in pairs):
            ratios[name] = median(one / other for one, other in pairs)
    return ratios


def run_workload(path: Path, name: str) -> None:
    """Do one workload on our board for two seconds, to be profiled."""
    submission = load(path)
    work = works(submission)[name]
    if work is not None:
        with submission.activated():
            started = process_time()
            while process_time() - started < 2:
                work()


def said_by(command: list[str]) -> str:
    """What a command prints; ValueError with its last words where it fails or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise ValueError(f"not done within {LONGEST} s") from None
    if done.returncode:
        raise ValueError((done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1])
    return done.stdout


def share_of_our_code(path: Path, name: str) -> float:
    """Percent of a workload's time inside the compiled module, by perf."""
    with tempfile.TemporaryDirectory() as folder:
        record = f"{folder}/perf.data"
        sampling = ["perf", "record", "--quiet", "--event", "cpu-clock:u", "--freq", "2000", "-o", record]
        said_by([*sampling, "--", sys.executable, __file__, str(path), "--workload", name])
        shares = said_by(["perf", "report", "--stdio", "--sort", "dso", "--input", record])
    found = re.search(r"([\d.]+)%.*_native", shares)
    return float(found[1]) if found else 0.0


def in_its_own_process(path: Path, classic: Path, profile: bool) -> dict[str, Any]:
    """Measure a submission where it cannot disturb the others."""
    command = [sys.executable, __file__, str(path), "--classic", str(classic), "--one"]
    found: dict[str, Any] = {}
    try:
        found["ratios"] = json.loads(said_by(command).splitlines()[-1])
        if profile:
            found["shares"] = {name: share_of_our_code(path, name) for name in found["ratios"]}
    except ValueError as problem:
        found["error"] = str(problem)
    return found


def cell(found: dict[str, Any], name: str) -> str:
    """Show a ratio, and the share of our code where it was profiled."""
    ratio = found.get("ratios", {}).get(name)
    if ratio is None:
        return "-"
    share = found.get("shares", {}).get(name)
    return f"{ratio:.1f}" if share is None else f"{ratio:.1f} ({share:.0f} %)"


def report(results: dict[str, dict[str, Any]]) -> None:
    """Print the table, the medians, what is slow and what spends much in our code."""
    rows = [[name, *(cell(found, each) for each in WORKLOADS)] for name, found in results.items()]
    print(tabulate(rows, ["submission", *WORKLOADS], colalign=("left", "right", "right", "right")))
    for name in WORKLOADS:
        ratios = [found["ratios"][name] for found in results.values() if name in found.get("ratios", {})]
        if ratios:
            shown = f"{median(ratios):.1f} of {len(ratios)}, least {min(ratios):.1f}"
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            print(f"{name}: median {shown}, geometric mean {mean:.1f} (bar: at least {BARS[name]:g})")
    for name, found in results.items():
        if "error" in found:
            print(f"not measured: {name}: {found['error']}")
        for each, ratio in found.get("ratios", {}).items():
            if ratio < SLOW:
                print(f"below {SLOW:g}: {name}: {each} {ratio:.1f}")
        for each, share in found.get("shares", {}).items():
            if share > LARGEST_SHARE:
                print(f"above {LARGEST_SHARE:g} % in our code: {name}: {each} {share:.0f} %")


def main() -> int:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--classic", type=Path, action="append", default=[], metavar="CHECKOUT")
    parser.add_argument("--profile", action="store_true", help="tell the share of our code, by perf")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--workload", choices=WORKLOADS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.workload:
        run_workload(options.folder, options.workload)
    elif options.one:
        print(json.dumps(measure(options.folder, options.classic[0])))
    else:
        checkouts = [read_checkout(path) for path in options.classic]
        results = {}
        for found in find_submissions(options.folder)[0]:
            name, path = found.name, found.path
            outline = parse(path)
            chosen = checkouts[choose_checkout(outline.layout, outline.early_names, checkouts)]
            print(name, file=sys.stderr, flush=True)
            results[name] = in_its_own_process(path, chosen.path, options.profile)
        report(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
