"""A game as it was at some revisions: a frame for each, in one hash; all in one frame when the game is over."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import cast

from redis import Redis

from service.storage.base.keys import GameKeys
from service.storage.base.packing import DENSE, UnreadableFrameError, packed, unpacked
from service.storage.base.pipelining import ask, one

JOINED = "all"
"""The field of the frame with several."""
HEAD = struct.Struct(">II")  # revision, and bytes that follow


def joined(checkpoints: Mapping[int, bytes]) -> dict[str, bytes]:
    """All there are, as one field; none where there are none."""
    parts = [HEAD.pack(revision, len(content)) + content for revision, content in sorted(checkpoints.items())]
    return {JOINED: packed(b"".join(parts), DENSE)} if parts else {}


def read_all(redis: Redis, keys: GameKeys) -> dict[int, bytes]:
    """What the game was, by revision; what is damaged is left out: it follows from the log."""
    found = cast("dict[bytes, bytes]", redis.hgetall(keys.checkpoints))
    checkpoints = _separate(found.pop(JOINED.encode(), b""))
    for revision, frame in found.items():
        if content := _content(frame):
            checkpoints[int(revision)] = content
    return checkpoints


def read(redis: Redis, keys: GameKeys, revision: int) -> bytes | None:
    """The game as it was at that revision, if that was kept, and is whole."""
    frame, several = ask(redis, one(("HMGET", keys.checkpoints, revision, JOINED)))
    return _content(frame or b"") or _separate(several or b"").get(revision)


def _separate(several: bytes) -> dict[int, bytes]:
    content, at, checkpoints = _content(several), 0, dict[int, bytes]()
    while at < len(content):
        revision, length = HEAD.unpack_from(content, at)
        at += HEAD.size + length
        checkpoints[revision] = content[at - length : at]
    return checkpoints


def _content(frame: bytes) -> bytes:
    try:
        return unpacked(frame)
    except UnreadableFrameError:
        return b""
