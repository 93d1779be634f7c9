"""Frames are read with their own dictionary, however many dictionaries there have been."""

from __future__ import annotations

import random
from collections import defaultdict, deque
from pathlib import Path

import pytest
from zstandard import FRAME_HEADER, get_frame_parameters, train_dictionary

from service.storage.base import packing
from service.storage.base.packing import CLOSE, DENSE, QUICK, UnreadableFrameError, pack, unpack, unpack_all
from tests.threads import run_at_once

VIEW = b'{"ruleset":"azul","variant":"coloured","status":"playing","seats":[{"kind":"ai","level":"greedy"}]}'


@pytest.mark.parametrize("level", [QUICK, CLOSE, DENSE])
@pytest.mark.parametrize("content", [b"", b"x", VIEW, bytes(range(256)) * 400])
def test_packed_content_is_unpacked(content: bytes, level: int) -> None:
    assert content == unpack(pack(content, level))


def test_a_frame_names_the_newest_dictionary_and_is_shorter_for_it() -> None:
    frame = pack(VIEW)
    assert packing.newest_dictionary() == get_frame_parameters(frame).dict_id
    assert len(frame) < len(VIEW) / 2


def test_bytes_that_were_not_packed_are_read_unchanged() -> None:
    assert [b"", VIEW, b"\x00\x01"] == [unpack(content) for content in (b"", VIEW, b"\x00\x01")]


def test_consecutive_frames_are_read_separately() -> None:
    assert [b"a", VIEW, b""] == unpack_all(pack(b"a") + pack(VIEW) + pack(b""))
    assert [] == unpack_all(b"")
    with pytest.raises(UnreadableFrameError):
        unpack(pack(b"a") + pack(VIEW))


def test_a_damaged_frame_raises() -> None:
    frame = pack(VIEW)
    for damaged in (frame[:-1], frame[:6], FRAME_HEADER, FRAME_HEADER + b"\xff" * 30):
        with pytest.raises(UnreadableFrameError):
            unpack(damaged)
    assert VIEW == unpack(frame)


def test_frames_of_an_older_dictionary_are_read_after_a_newer_one_was_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, old = 99, pack(VIEW)
    rng = random.Random(1)
    words = [b"word %d of %d" % (rng.randrange(50), rng.randrange(50)) for _ in range(5000)]
    newer = train_dictionary(2048, [*words], dict_id=number)
    for dictionary in Path(str(packing.DICTIONARIES)).iterdir():
        (tmp_path / dictionary.name).write_bytes(dictionary.read_bytes())
    (tmp_path / f"{number}{packing.SUFFIX}").write_bytes(newer.as_bytes())
    with monkeypatch.context() as patched:
        patched.setattr(packing, "DICTIONARIES", tmp_path)
        patched.setattr(packing, "_compressors", defaultdict(deque))
        forget()
        new = pack(VIEW)
        assert number == get_frame_parameters(new).dict_id
        assert [VIEW, VIEW, VIEW] == unpack_all(old + new + old)
    forget()
    packing._decompressors.clear()
    with pytest.raises(UnreadableFrameError, match=f"dictionary {number}"):
        unpack(new)


def forget() -> None:
    """Clear the caches of dictionaries."""
    for cached in (packing._files, packing.newest_dictionary, packing._record_dictionaries, packing._dictionary):
        cached.cache_clear()


def test_threads_pack_and_unpack_simultaneously() -> None:
    def is_unchanged(content: bytes) -> bool:
        return all(content == unpack(pack(content)) for _ in range(300))

    assert all(run_at_once(is_unchanged, (VIEW * number for number in range(1, 9))))
