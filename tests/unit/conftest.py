"""What the tests of submissions share: a way to write one."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def write_submission(tmp_path: Path) -> Callable[..., Path]:
    """Write a submission: its text or bytes, those of the files beside it by name; gives its folder."""

    def written(
        game_agent: str | bytes, beside: dict[str, str | bytes] | None = None, folder: str = "submission"
    ) -> Path:
        for name, content in {"game_agent.py": game_agent, **(beside or {})}.items():
            file = tmp_path / folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / folder

    return written
