"""The frames between a jailed process and its referee: from there anything may come."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Final, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation_fast.endings import ENDINGS, SELF_REPORTED
from isolation_fast.process import MOST_BYTES, Frame, FrameError, FrameReader, Kind
from isolation_fast.reports import Reason
from isolation_fast.searching import MODES

SERVING: Final = Path(__file__).parents[3] / "rust" / "py" / "src" / "serving.rs"
FRAMES = st.builds(Frame, st.sampled_from(Kind), st.integers(0, 2**64 - 1), st.binary(max_size=500))


@given(st.lists(FRAMES, max_size=5), st.integers(1, 40))
def test_frames_come_out_as_they_went_in_whatever_the_pieces(frames: list[Frame], step: int) -> None:
    content = b"".join(frame.encoded() for frame in frames)
    reader, found = FrameReader(), []
    for start in range(0, len(content), step):
        reader.feed(content[start : start + step])
        while (frame := reader.next()) is not None:
            found.append(frame)
    assert found == frames
    assert reader.is_empty


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_frames_or_an_error_and_nothing_else(content: bytes) -> None:
    reader = FrameReader()
    reader.feed(content)
    with suppress(FrameError):
        while (frame := reader.next()) is not None:
            assert len(frame.content) <= MOST_BYTES


def test_a_frame_that_is_too_long_is_refused_before_its_content_has_come() -> None:
    reader = FrameReader()
    reader.feed(bytes([Kind.MOVED]) + (MOST_BYTES + 1).to_bytes(4, "little") + bytes(8))
    with pytest.raises(FrameError, match="65537 bytes was announced"):
        reader.next()
    with pytest.raises(FrameError, match="at most 65536"):
        Frame(Kind.MOVED, 0, bytes(MOST_BYTES + 1)).encoded()


def test_the_engine_has_the_numbers_that_python_declares() -> None:
    text = SERVING.read_text(encoding="utf-8")
    kinds = re.findall(r"^const ([A-Z]+): u8 = (\d+);", text, re.MULTILINE)
    known = {kind.name: int(kind) for kind in Kind}
    known |= {"REFUSED": ENDINGS.index("refused"), "BROKEN": ENDINGS.index("protocol broken")}
    assert len(kinds) == 8
    assert {name: int(number) for name, number in kinds}.items() <= known.items()
    assert f"= {Kind.LOADED:d}..={Kind.VALUES:d};" in text
    assert f"MOST_BYTES: usize = {MOST_BYTES // 1024} * 1024;" in text
    assert f"HEADER: usize = {len(Frame(Kind.DONE, 0).encoded())};" in text
    for name, ending in (("UNSHOWN", "raised"), ("OUT_OF_MEMORY", "out of memory")):
        assert f'{name}: &[u8] = b"\\x{ENDINGS.index(ending):02x}' in text
        assert ending in SELF_REPORTED
    reasons = re.findall(r"Reason::(\w+) => (\d)", text)
    assert [(each.capitalize(), str(place)) for place, each in enumerate(get_args(Reason))] == reasons
    modes = re.findall(r"(\d) => Mode::(\w+)", text)
    assert [(str(place), each.capitalize()) for place, each in enumerate(MODES)] == modes
