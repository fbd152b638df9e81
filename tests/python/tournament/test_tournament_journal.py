"""The journal: what was finished is there again, whatever happened in between."""

import json
import os
import resource
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation_fast import JournalError
from isolation_fast.playing.outcomes import chunk_line
from isolation_fast.tournament import ChunkResult, Gauntlet, Match, Plan, run_chunk
from isolation_fast.tournament.journal import Journal


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut plans of a few games too, as long ones are."""
    monkeypatch.setattr("isolation_fast.tournament.plan.NATIVE_GAMES_PER_CHUNK", (2, 2000))


def plan(**changes: Any) -> Plan:
    return Match("AB_Improved@depth=1", "Random", **{"games": 60, "seed": 3, **changes}).plan()


def written(path: Path, **changes: Any) -> list[ChunkResult]:
    made = plan(**changes)
    results = [run_chunk(each) for each in made.chunks()]
    with Journal(path, made) as journal:
        for each in results:
            journal.add(chunk_line(each))
    return results


def resumed(path: Path) -> list[ChunkResult]:
    with Journal(path, plan(), resume=True) as journal:
        return [*journal.finished()]


def without_times(results: list[ChunkResult]) -> list[tuple[Any, ...]]:
    return [
        (each.index, each.pairing, each.first_opening, each.outcomes, each.nodes, each.turns)
        for each in results
    ]


def test_what_was_added_is_there_again(tmp_path: Path) -> None:
    results = written(tmp_path / "journal")
    with Journal(tmp_path / "journal", plan(), resume=True) as journal:
        assert without_times([*journal.finished()]) == without_times(results)
        assert journal.torn == 0


def test_records_come_back(tmp_path: Path) -> None:
    results = written(tmp_path / "journal", record=True, games=4)
    with Journal(tmp_path / "journal", plan(record=True, games=4), resume=True) as journal:
        assert [each.records for each in journal.finished()] == [each.records for each in results]


@given(
    outcomes=st.binary(max_size=40).map(lambda each: bytes(byte % 2 for byte in each)),
    endings=st.dictionaries(st.integers(0, 39), st.tuples(st.sampled_from(["raised", "hung"]), st.text())),
    numbers=st.tuples(st.integers(0, 2**62), st.integers(0, 2**62)),
    reproducible=st.booleans(),
)
def test_every_chunk_comes_back_as_it_was(
    tmp_path_factory: Any,
    outcomes: bytes,
    endings: Any,
    numbers: tuple[int, int],
    reproducible: bool,
) -> None:
    made = plan(games=800)
    result = ChunkResult(0, 0, 0, outcomes.ljust(40, b"\2"), endings, numbers, numbers, reproducible)
    path = tmp_path_factory.mktemp("journal") / "journal"
    with Journal(path, made) as journal:
        journal.add(chunk_line(result))
    with Journal(path, made, resume=True) as journal:
        assert [*journal.finished()] == [result]


def test_a_journal_that_is_there_is_refused_unless_it_is_resumed(tmp_path: Path) -> None:
    written(tmp_path / "journal")
    before = (tmp_path / "journal").read_bytes()
    with pytest.raises(JournalError, match="there is a journal already"):
        Journal(tmp_path / "journal", plan())
    assert (tmp_path / "journal").read_bytes() == before


def test_resuming_begins_where_there_is_no_journal_yet(tmp_path: Path) -> None:
    for content in (None, b""):
        path = tmp_path / "journal"
        if content is not None:
            path.write_bytes(content)
        with Journal(path, plan(), resume=True) as journal:
            assert [*journal.finished()] == []
        path.unlink()


def test_a_torn_last_line_is_dropped_wherever_it_is_torn(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    results = written(path, games=4)
    whole = path.read_bytes()
    ends = [at + 1 for at, byte in enumerate(whole) if byte == ord("\n")]
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        complete = sum(end <= length for end in ends)
        with Journal(path, plan(games=4), resume=True) as journal:
            found = len([*journal.finished()])
            assert found == max(complete - 1, 0)
            assert journal.torn == length - max([end for end in ends if end <= length], default=0)
            for each in results[found:]:
                journal.add(chunk_line(each))
        assert path.read_bytes() == whole


def test_a_journal_of_another_plan_is_refused_with_the_difference(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    for other, difference in (
        (plan(seed=4), r"seed is 3 there and 4 here"),
        (plan(games=62), r"openings\.count is 30 there and 31 here"),
        (Match("AB_Improved@depth=2", "Random", games=60, seed=3).plan(), r"depth=1.* there and .*depth=2"),
        (Gauntlet("AB_Improved@depth=1", "Random", games=60, seed=3).plan(), 'format is "match" there'),
    ):
        before = path.read_bytes()
        with pytest.raises(JournalError, match=f"of another plan: .*{difference}"):
            Journal(path, other, resume=True)
        assert path.read_bytes() == before


def test_what_is_no_journal_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    for content in (
        b"hello world, no newline",
        b"{}",
        b"import os\n",
        b"{}\n",
        b"[1]\n",
        b"\xff\n",
        b'{"schema":"other"}\nx',
    ):
        path.write_bytes(content)
        with pytest.raises(JournalError, match="no journal of a tournament"):
            Journal(path, plan(), resume=True)
        assert path.read_bytes() == content


def test_a_spoilt_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    lines = path.read_bytes().splitlines(keepends=True)
    for spoilt in (b"{}\n", b"nonsense\n", lines[1].replace(b'"won":"', b'"won":"!'), lines[2]):
        path.write_bytes(b"".join([lines[0], spoilt, *lines[2:]]))
        with pytest.raises(JournalError, match=r"line [23] of the journal is no chunk of this plan"):
            resumed(path)


def test_two_do_not_write_one_journal(tmp_path: Path) -> None:
    first = Journal(tmp_path / "journal", plan())
    with pytest.raises(JournalError, match="another process is writing"):
        Journal(tmp_path / "journal", plan(), resume=True)
    first.close()
    Journal(tmp_path / "journal", plan(), resume=True).close()


def test_a_journal_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"cannot be opened: .*No such file"):
        Journal(tmp_path / "no folder" / "journal", plan())


@pytest.mark.parametrize(
    "change",
    [
        {"endings": []},
        {"endings": {"0": ["raised"]}},
        {"endings": {"0": ["no such", ""]}},
        {"endings": {"9": ["raised", ""]}},
        {"endings": {"a": ["raised", ""]}},
        {"games": 10**14, "played": 0},
        {"games": 2},
        {"played": 10**14},
        {"played": 1.0},
        {"nodes": ["a", 0]},
        {"nodes": [1]},
        {"turns": None},
        {"turns": [True, 1]},
        {"chunk": 99},
        {"chunk": -1},
        {"chunk": "1"},
        {"chunk": 2},
        {"pairing": 1},
        {"opening": 1},
        {"won": 7},
        {"reproducible": 1},
        {"records": []},
        {"clock_from": -1},
    ],
)
def test_a_line_with_a_wrong_field_is_named(change: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = json.dumps({**json.loads(lines[2]), **change}).encode() + b"\n"
    path.write_bytes(b"".join(lines))
    with pytest.raises(
        JournalError, match=f"line 3 of the journal is no chunk of this plan: .*{next(iter(change))}"
    ):
        resumed(path)


def test_records_that_are_missing_are_named(tmp_path: Path) -> None:
    path, made = tmp_path / "journal", plan(record=True, games=4)
    written(path, record=True, games=4)
    header, line, *_ = path.read_bytes().splitlines(keepends=True)
    wrong: list[object] = [None, {}, [7], [{"opening": 0}]]
    for records in wrong:
        path.write_bytes(header + json.dumps({**json.loads(line), "records": records}).encode() + b"\n")
        with (
            Journal(path, made, resume=True) as journal,
            pytest.raises(JournalError, match=r"line 2 of the journal .*record"),
        ):
            list(journal.finished())


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (tmp_path, pipe, Path("/dev/full"), Path("/dev/zero")):
        for resume in (False, True):
            with pytest.raises(JournalError, match="a journal must be a regular file"):
                Journal(path, plan(), resume=resume)


def test_a_full_disk_is_told_and_what_was_finished_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    results = [run_chunk(each) for each in plan().chunks()]
    limits, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with Journal(path, plan()) as journal:
        journal.add(chunk_line(results[0]))
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 9, limits[1]))
            with pytest.raises(JournalError, match=r"cannot be written: .*finished before"):
                journal.add(chunk_line(results[1]))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, handler)
    assert without_times(resumed(path)) == without_times(results[:1])
