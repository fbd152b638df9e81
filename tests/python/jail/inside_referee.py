"""A small referee that asks a jailed process: what is asked, what it answers."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import isolation_fast
from isolation_fast.process import Frame, FrameReader, Kind
from isolation_fast.worker.messages import TAG_BYTES, Assign, Faulted, KeyGiven, Loaded, Locked, Moved

ROOT: Final = Path(isolation_fast.__file__).resolve().parents[1]
BOOT: Final = (
    "import sys; root, requests, answers = sys.argv[1:]; sys.path.insert(0, root); "
    "from isolation_fast.worker.entry import import_libraries, main; "
    "import_libraries(); main(int(requests), int(answers))"
)
# Private to the package, so not imported.
ENGINE: Any = sys.modules["isolation_fast._native"]
KEY: Final = bytes(range(100, 116))
OPENING: Final = "7x7 7/2x4/7/3x3/7/7/7 1,2 3,3 1"
ANSWERS: Final[dict[Kind, Any]] = {each.kind: each for each in (Locked, Loaded, Moved, Faulted)}

GOOD: Final = """
import random

class SearchTimeout(Exception):
    pass

class CustomPlayer:
    def __init__(self, score_fn=None, timeout=10.0):
        self.score, self.calls, self.time_left = score_fn, 0, None
        self.drawn = random.random()

    def get_move(self, game, time_left):
        self.calls += 1
        assert game.active_player is self and time_left() == 150.0
        return sorted(game.get_legal_moves())[random.randrange(len(game.get_legal_moves()))]

def custom_score(game, player):
    player.calls += 1
    own, other = game.get_legal_moves(player), game.get_legal_moves(game.get_opponent(player))
    left = player.time_left() / 1000
    return len(own) - len(other) + player.drawn + random.random() + left + player.calls % 7

def custom_score_2(game, player):
    if player.time_left() < 75:
        raise SearchTimeout
    return float(len(game.get_legal_moves(player)))
"""


class Referee:
    """Asks a process that it has started."""

    def __init__(
        self, file: Path, member: str | None, memory: int | None = 2048, *, has_key: bool = True
    ) -> None:
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-s", "-c", BOOT, str(ROOT), str(requests), str(answers)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(requests, answers),
            cwd="/",
            env={
                "PYTHONHASHSEED": "0",
                "LANG": "C.UTF-8",
                "OPENBLAS_NUM_THREADS": "1",
                "OMP_NUM_THREADS": "1",
            },
        )
        os.close(requests)
        os.close(answers)
        self._reader, self._number = FrameReader(), random.getrandbits(60)
        self.locked = self.ask(Assign(path=str(file), member=member, memory=memory, parent=os.getpid()))
        if has_key:
            assert self.ask(KeyGiven(KEY)).kind is Kind.DONE

    def ask(self, message: Any) -> Any:
        """The answer to a request; it must be the only one."""
        return self.ask_bytes(message.kind, message.content())

    def ask_bytes(self, kind: int, content: bytes) -> Any:
        self._number += 1
        header = bytes([kind]) + len(content).to_bytes(4, "little") + self._number.to_bytes(8, "little")
        os.write(self._requests, header + content)
        answer = self._answer()
        assert answer.number == self._number
        assert self._reader.is_empty
        if answer.kind not in ANSWERS:
            return answer
        found = ANSWERS[answer.kind].of(answer.content)
        if kind == Kind.SEARCH and isinstance(found, Moved):
            tag = ENGINE.answer_tag(KEY, self._number, content, answer.content[:-TAG_BYTES])
            assert found.tag == tag
            found.tag = 0
        return found

    def _answer(self) -> Frame:
        while (frame := self._reader.next()) is None:
            content = os.read(self._answers, 70_000)
            assert content, f"the process ended: {self.close()}"
            self._reader.feed(content)
        return frame

    def close(self) -> tuple[int, bytes, bytes]:
        """Its exit status and what it printed, once nobody asks any more."""
        if self._requests >= 0:
            os.close(self._requests)
            os.close(self._answers)
            self._requests = -1
        stdout, stderr = self.process.communicate(timeout=60)
        return self.process.returncode, stdout, stderr


Start = Callable[..., Referee]
