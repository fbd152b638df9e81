"""The contents of frames: what is packed is unpacked as it was, and nothing else is taken."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from isolation_fast import SearchReport
from isolation_fast.endings import SELF_REPORTED
from isolation_fast.process import MOST_BYTES, Frame, FrameError, FrameReader
from isolation_fast.worker.messages import (
    MOST_DEPTHS,
    MOST_DETAIL,
    MOST_TRACE,
    REASONS,
    Assign,
    Call,
    Called,
    Faulted,
    Game,
    KeyGiven,
    Load,
    Loaded,
    Locked,
    Measure,
    Measured,
    MoveAsked,
    Moved,
    SearchAsked,
)

CORPUS: Final = Path(__file__).parents[2] / "jailed_frames" / "corpus.jsonl"
CONTENTS: Final[list[Any]] = [
    Assign,
    KeyGiven,
    Locked,
    Load,
    Loaded,
    Game,
    SearchAsked,
    MoveAsked,
    Measure,
    Moved,
    Measured,
    Faulted,
]

WORDS = st.integers(0, 2**64 - 1)
CELLS = st.tuples(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63), 2**63 - 1))
MOVES = st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), max_size=6).map(tuple)
MILLISECONDS = st.floats(0, 1e9)
NAMES = st.lists(st.sampled_from(["custom_score", "ähnlich", "x" * 100]), max_size=5).map(tuple)
TEXTS = st.lists(st.text(), max_size=4).map(tuple)
SOME_TEXT = st.text(st.characters(codec="utf-8"))
ANY_TEXT = st.text()
SHOWN_TEXT = ANY_TEXT.filter(str.isprintable)


@st.composite
def moved(draw: st.DrawFn) -> Moved:
    cell = draw(CELLS)
    if draw(st.booleans()):
        return Moved.made(cell)
    value = draw(st.none() | st.floats(allow_nan=False))
    depth, nodes = draw(st.integers(0, 2**32 - 1)), draw(WORDS)
    report = SearchReport(cell, value, depth, nodes, draw(st.sampled_from(REASONS)), nans=draw(WORDS))
    found = Moved.made(cell, report, draw(WORDS))
    found.tag = draw(WORDS)
    return found


CALLED = st.builds(
    Called,
    timed_out=st.booleans(),
    has_cell=st.booleans(),
    row=st.integers(-(2**63), 2**63 - 1),
    column=st.integers(-(2**63), 2**63 - 1),
    has_value=st.booleans(),
    value=st.floats(allow_nan=False),
    is_float=st.booleans(),
    nodes=st.integers(0, 2**32 - 1),
    cells=st.integers(0, 2**32 - 1),
    scored=st.integers(0, 2**32 - 1),
    late=st.integers(0, 2**32 - 1),
    first=MOVES,
    depths=st.lists(st.integers(-(2**62), 2**62), max_size=MOST_DEPTHS).map(tuple),
    type=st.sampled_from(["", "float", "numpy.float64"]),
    shown=st.sampled_from(["", "(2, 3)", "ä" * 100]),
)
MESSAGES = st.one_of(
    st.builds(
        Assign,
        path=ANY_TEXT,
        member=st.none() | ANY_TEXT,
        layout=st.none() | SOME_TEXT,
        modules=TEXTS,
        readable=TEXTS,
        memory=st.none() | WORDS,
        cpu=st.none() | WORDS,
        user=st.none() | WORDS,
        parent=st.none() | WORDS,
    ),
    st.builds(Locked, TEXTS, TEXTS, st.integers(0, 99)),
    st.builds(KeyGiven, st.binary(min_size=16, max_size=16)),
    st.builds(Load, WORDS),
    st.builds(
        Loaded, NAMES, NAMES, NAMES, st.sampled_from(["heuristic", "player", None]), st.none() | SHOWN_TEXT
    ),
    st.builds(Game, SOME_TEXT, WORDS, WORDS, st.sampled_from([0, 1])),
    st.builds(Measure, SOME_TEXT, st.integers(0, 2**32 - 1)),
    st.builds(Measured, st.integers(0, 2**32 - 1)),
    st.builds(
        SearchAsked,
        MOVES,
        SOME_TEXT,
        depth=st.none() | st.integers(1, 2**31 - 1),
        nodes=st.none() | st.integers(1, 2**64 - 1),
        ms=st.none() | st.floats(0, 1e9, exclude_min=True),
        mode=st.sampled_from(["plain", "fast"]),
        nan=st.sampled_from(["course", "refuse"]),
        work=st.none() | st.integers(1, 2**64 - 1),
        value_work=st.none() | st.integers(1, 2**64 - 1),
        scale=st.floats(0, 1e9),
    ),
    st.builds(MoveAsked, MOVES, MILLISECONDS),
    moved(),
    st.builds(
        Call,
        function=st.sampled_from(["minimax", "alphabeta", "get_move", "score"]),
        member=SOME_TEXT,
        position=SOME_TEXT,
        side=st.sampled_from([0, 1]),
        depth=st.integers(-(2**31), 2**31 - 1),
        method=st.sampled_from(["minimax", "alphabeta"]),
        iterative=st.booleans(),
        values=st.sampled_from(["cells", "first branch"]),
        seed=WORDS,
        expires=st.none() | WORDS,
        searches=st.integers(0, 2**16 - 1),
    ),
    CALLED,
    st.builds(
        Faulted,
        st.sampled_from(sorted(SELF_REPORTED)),
        st.sampled_from(["", "ZeroDivisionError: division by zero (game_agent.py:3 in custom_score)"]),
        st.sampled_from(["", "line 1\n  line 2\n", "ä" * 100]),
    ),
)


CALL_ENDS: Final = Called().content().partition(b"{")[0] + b"{"
"""Its numbers, and its list of moves."""


def taken(kind: Any, content: bytes) -> Any:
    """What a content is, None where it is refused; any other error than a `FrameError` comes out."""
    with suppress(FrameError):
        return kind.of(content)
    return None


def corpus() -> list[tuple[bytes, bool]]:
    """Bytes as they may come from a jailed process, and whether they are a frame with its right content."""
    lines = [json.loads(line) for line in CORPUS.read_text().splitlines()]
    return [(bytes.fromhex(line["bytes"]), line["taken"]) for line in lines]


@given(MESSAGES)
def test_what_is_packed_is_unpacked_as_it_was(message: Any) -> None:
    content = message.content()
    assert type(message).of(content) == message
    assert len(content) <= MOST_BYTES


@given(st.sampled_from(CONTENTS), st.binary(max_size=120))
@example(Faulted, b"\x03" + b"[" * 60_000)
@example(Loaded, b'{"heuristics":[' + b"1" * 50_000)
@example(Loaded, b'{"heuristics":["a\\u001b"],"players":[],"templates":[],"member_is":null,"misfits":null}')
@example(Faulted, b'\x03{"detail":"\\ud800","trace":""}')
def test_arbitrary_bytes_are_a_content_or_a_frame_error(kind: Any, content: bytes) -> None:
    found = taken(kind, content)
    if found is not None:
        assert kind.of(found.content()) == found


@given(MESSAGES, st.data())
def test_a_content_with_a_byte_changed_or_cut_off_is_one_or_refused(
    message: Any, data: st.DataObject
) -> None:
    content = bytearray(message.content())
    place = data.draw(st.integers(0, len(content) - 1))
    taken(type(message), bytes(content[:place]))
    content[place] = data.draw(st.integers(0, 255))
    taken(type(message), bytes(content))


@pytest.mark.parametrize(("content", "is_taken"), corpus())
def test_the_saved_frames_are_taken_or_refused_as_ever(content: bytes, is_taken: bool) -> None:
    kinds = {kind.kind: kind for kind in CONTENTS}
    reader = FrameReader()
    reader.feed(content)
    frame: Frame | None = None
    with suppress(FrameError):
        frame = reader.next()
    found = None if frame is None or frame.kind not in kinds else taken(kinds[frame.kind], frame.content)
    assert (found is not None) == is_taken


@pytest.mark.parametrize(
    ("kind", "content", "told"),
    [
        (Moved, bytes(46), "holds 70 bytes, not 46"),
        (Moved, bytes(16) + b"\0" + bytes(28) + b"\1" + bytes(24), "without a report"),
        (Moved, bytes(16) + b"\0" + bytes(36) + b"\1" + bytes(16), "without a report"),
        (Moved, bytes(16) + b"\0" + bytes(44) + b"\1" + bytes(8), "without a report"),
        (Moved, bytes(16) + b"\0" + bytes(52) + b"\1", "without a report"),
        (Moved, bytes(16) + b"\3" + b"\0\0\0\0\0\0\xf8\x7f" + bytes(45), "value"),
        (Moved, bytes(16) + b"\2" + bytes(53), "value"),
        (Moved, bytes(16) + b"\3" + bytes(20) + b"\5" + bytes(32), "no reason 5"),
        (Faulted, b"", "at least 1"),
        (Faulted, b'\0{"detail":"","trace":""}', "none that a process may send"),
        (Faulted, b'\xff{"detail":"","trace":""}', "none that a process may send"),
        (Faulted, b'\3{"detail":7,"trace":""}', "detail is no str"),
        (Faulted, b'\3{"detail":"a\\nb","trace":""}', "no text to be shown"),
        (
            Loaded,
            b'{"heuristics":[],"players":[],"templates":[],"member_is":"king","misfits":null}',
            "one of .*heuristic.*player",
        ),
        (
            Loaded,
            b'{"heuristics":[7],"players":[],"templates":[],"member_is":null,"misfits":null}',
            "list of texts",
        ),
        (Loaded, b'{"heuristics":[]}', "other fields"),
        (Load, b'{"stream":true}', "stream is no int"),
        (Load, b'{"stream":-1}', "from 0 to 18446744073709551615"),
        (Called, bytes(60), "JSON object"),
        (Called, CALL_ENDS + b'"depths":[1,true],"type":"","shown":""}', "at most 64 integers"),
        (Called, CALL_ENDS + b'"depths":[' + b"1," * 64 + b'1],"type":"","shown":""}', "at most 64 integers"),
        (Called, CALL_ENDS + b'"depths":[],"type":"","shown":"\\u001b"}', "no text to be shown"),
        (Game, bytes(16) + b"\2", "side number 2"),
        (SearchAsked, bytes(45), "at least 46"),
        (SearchAsked, bytes(20) + b"\2" + bytes(27), "mode number 2"),
        (SearchAsked, bytes(21) + b"\2" + bytes(26), "nan number 2"),
        (SearchAsked, bytes(46) + b"\1\0\0", "cut off"),
        (MoveAsked, bytes(8) + b"\0\0\0", "follow the moves"),
        (MoveAsked, b"\0\0\0\0\0\0\xf0\x7f\0\0", "milliseconds"),
    ],
)
def test_what_is_wrong_with_a_content_is_said(kind: Any, content: bytes, told: str) -> None:
    with pytest.raises(FrameError, match=told):
        kind.of(content)


def test_a_limit_beyond_its_field_is_the_largest_one() -> None:
    asked = SearchAsked((), "3x3 3/3/3 - - 1", depth=10**30, nodes=10**30)
    sent = SearchAsked.of(asked.content())
    assert (sent.depth, sent.nodes) == (2**32 - 1, 2**64 - 1)


def test_what_a_submission_says_is_cut_and_cannot_steer_a_terminal() -> None:
    fault = Faulted("raised", "x\n\x1b]0;title\a" + "é" * 5000, "one\n\ttwo \udc80\n" * 3000)
    got = Faulted.of(fault.content())
    assert got.detail.startswith("x \\x1b]0;title\\x07éé")
    assert got.detail.endswith("...")
    assert got.trace.startswith("one\n\\x09two \\udc80\n")
    assert len(got.detail.encode()) <= MOST_DETAIL
    assert len(got.trace.encode()) <= MOST_TRACE
    names = ("good", "\x1b", "y" * 101, *(f"name_{number}" for number in range(300)))
    assert Loaded.of(Loaded(names, (), ()).content()).heuristics[:2] == ("good", "name_0")
    repeated = json.dumps({**vars(Loaded((), (), ())), "heuristics": ["b", "a"] * 30, "players": ["a"] * 60})
    got_names = Loaded.of(repeated.encode())
    assert (got_names.heuristics, got_names.players) == (("b", "a"), ("a",))
    many = tuple(f"{number:03}{'é' * 48}" for number in range(100))
    assert len(Loaded(many, many, many).content()) <= MOST_BYTES
