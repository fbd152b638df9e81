"""Files: there as a whole or not at all, and checked before the work starts."""

import os
from pathlib import Path

import pytest

from isolation_fast import InvalidArgumentError
from isolation_fast.output import CommandError, WholeFile, require_writable, write_json, write_whole


def test_a_file_is_whole_and_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "report.html"
    for content in ("one\n", "Zoë\n"):
        write_whole(path, content)
        assert path.read_bytes() == content.encode()
    assert [each.name for each in path.parent.iterdir()] == ["report.html"]
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_what_is_interrupted_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "new \udcff")
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("file", "old")]


def test_a_device_is_written_to_as_it_is() -> None:
    write_whole("/dev/null", "gone")
    with pytest.raises(CommandError, match=r"the timings cannot be written: .*No space"):
        write_json("/dev/full", {})


def test_a_pipe_is_written_to_though_its_name_leads_to_no_path() -> None:
    reader, writer = os.pipe()
    with os.fdopen(reader, encoding="utf-8") as received:
        write_whole(f"/dev/fd/{writer}", "report\n")
        with WholeFile(f"/dev/fd/{writer}", "records") as file:
            file.write("{}\n")
        os.close(writer)
        assert received.read() == "report\n{}\n"


def test_to_check_leaves_no_trace(tmp_path: Path) -> None:
    require_writable(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(CommandError, match="the study cannot be written"):
        require_writable(tmp_path, "the study")


def test_a_growing_file_takes_its_name_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with WholeFile(path, "records") as file:
        file.write("{}\n")
        assert not path.exists()
    assert path.read_text() == "{}\n"
    with pytest.raises(InvalidArgumentError, match="there are records already"):
        WholeFile(path, "records")


@pytest.mark.parametrize(("error", "kept"), [(KeyboardInterrupt, "new"), (RuntimeError, "old")])
def test_an_error_keeps_the_old_file_and_ctrl_c_the_new_one(
    tmp_path: Path, error: type[BaseException], kept: str
) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("old")
    file = WholeFile(path, "records", replace=True)
    file.write("new")
    file.__exit__(error, error(), None)
    assert path.read_text() == kept
