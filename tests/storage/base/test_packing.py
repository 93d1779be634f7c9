"""Frames are read by whoever has their dictionary, however many dictionaries there have been."""

from __future__ import annotations

import random
import threading
from collections import defaultdict, deque
from pathlib import Path

import pytest
from zstandard import FRAME_HEADER, get_frame_parameters, train_dictionary

from service.storage.base import packing
from service.storage.base.packing import CLOSE, DENSE, QUICK, UnreadableFrameError, packed, unpacked, unpacked_all

VIEW = b'{"ruleset":"azul","variant":"coloured","status":"playing","seats":[{"kind":"ai","level":"greedy"}]}'


@pytest.mark.parametrize("level", [QUICK, CLOSE, DENSE])
@pytest.mark.parametrize("content", [b"", b"x", VIEW, bytes(range(256)) * 400])
def test_what_was_packed_is_unpacked(content: bytes, level: int) -> None:
    assert content == unpacked(packed(content, level))


def test_a_frame_names_the_newest_dictionary_and_is_shorter_for_it() -> None:
    frame = packed(VIEW)
    assert packing.newest() == get_frame_parameters(frame).dict_id
    assert len(frame) < len(VIEW) / 2


def test_bytes_that_no_version_has_packed_are_read_as_they_are() -> None:
    assert [b"", VIEW, b"\x00\x01"] == [unpacked(content) for content in (b"", VIEW, b"\x00\x01")]


def test_frames_one_after_another_are_read_apart() -> None:
    assert [b"a", VIEW, b""] == unpacked_all(packed(b"a") + packed(VIEW) + packed(b""))
    assert [] == unpacked_all(b"")
    with pytest.raises(UnreadableFrameError):
        unpacked(packed(b"a") + packed(VIEW))


def test_a_damaged_frame_is_told() -> None:
    frame = packed(VIEW)
    for damaged in (frame[:-1], frame[:6], FRAME_HEADER, FRAME_HEADER + b"\xff" * 30):
        with pytest.raises(UnreadableFrameError):
            unpacked(damaged)
    assert VIEW == unpacked(frame)


def test_what_an_older_dictionary_has_packed_is_read_after_a_newer_one_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, old = 99, packed(VIEW)
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
        new = packed(VIEW)
        assert number == get_frame_parameters(new).dict_id
        assert [VIEW, VIEW, VIEW] == unpacked_all(old + new + old)
    forget()
    packing._decompressors.clear()
    with pytest.raises(UnreadableFrameError, match=f"dictionary {number}"):
        unpacked(new)


def forget() -> None:
    """What is known of dictionaries."""
    for known in (packing._files, packing.newest, packing._of_records, packing._dictionary):
        known.cache_clear()


def test_threads_pack_and_unpack_at_the_same_time() -> None:
    wrong: list[int] = []

    def work(who: int) -> None:
        content = VIEW * who
        wrong.extend(who for _ in range(300) if unpacked(packed(content)) != content)

    threads = [threading.Thread(target=work, args=(who,)) for who in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [] == wrong
