"""The frames between a jailed process and its referee: from there anything may come."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation_fast.process import MOST_BYTES, Frame, FrameError, FrameReader, Kind

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
