"""Elsewhere than on Linux there is no jail, and nothing to try."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from inside_referee import Referee, Start

LINUX_ALONE = ["test_jail.py", "test_jailed_nursery.py", "test_jailed_pool.py"]
collect_ignore = ["jail_attempts.py", *([] if sys.platform == "linux" else LINUX_ALONE)]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a process for a submission of this source."""
    with ExitStack() as stack:

        def started(source: str, member: str | None = "custom_score", **options: Any) -> Referee:
            file = tmp_path / "game_agent.py"
            file.write_text(source)
            referee = Referee(file, member, **options)
            stack.callback(referee.close)
            return referee

        yield started
