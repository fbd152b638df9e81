"""Lines of JSON: whole or dropped, and resumed by one process at a time."""

from pathlib import Path
from typing import Any

import pytest

from isolation_fast import InvalidRecordError, JournalError
from isolation_fast.output import LineFile, json_line, numbered_lines

HEADER = {"schema": "test/1"}


def refused(_found: Any) -> None:
    raise JournalError("another header")


def test_a_line_torn_anywhere_is_dropped_and_the_file_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    whole = "".join(json_line(each) for each in (HEADER, {"a": 1}, {"b": 2})).encode()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        with LineFile(path, header=HEADER, resume=True) as file:
            kept = whole[:length].rpartition(b"\n")[0].count(b"\n") + (b"\n" in whole[:length])
            assert [number for number, _ in file.lines()] == [*range(2, kept + 1)]
            assert file.torn == length - (whole[:length].rfind(b"\n") + 1)
            for each in ({"a": 1}, {"b": 2})[max(kept - 1, 0) :]:
                file.add(each)
        assert path.read_bytes() == whole


def test_an_existing_file_is_refused_unless_it_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    with LineFile(path) as file:
        file.add({"a": 1})
    with pytest.raises(JournalError, match=r"there is a journal already: .*resume it"):
        LineFile(path)
    assert path.read_text() == '{"a":1}\n'


def test_another_header_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    for content in ('{"schema":"other"}\n{"a":1}\nx', "no line", "no JSON\n"):
        path.write_text(content)
        with pytest.raises(JournalError, match="another header"):
            LineFile(path, header=HEADER, require=refused, resume=True)
        assert path.read_text() == content


def test_one_process_writes_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    with LineFile(path), pytest.raises(JournalError, match="another process is writing this journal"):
        LineFile(path, resume=True)


def test_a_device_is_no_such_file() -> None:
    with pytest.raises(JournalError, match="must be a regular file"):
        LineFile("/dev/zero", resume=True)


def test_blank_lines_are_passed_over_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("one\n\n \ntwo")
    found = [*numbered_lines(path, "record", InvalidRecordError)]
    assert found == [(1, b"one\n"), (4, b"two")]


def test_a_line_without_end_is_refused() -> None:
    with pytest.raises(InvalidRecordError, match="line 1 is longer than any record: this is no file of"):
        next(numbered_lines("/dev/zero", "record", InvalidRecordError))
