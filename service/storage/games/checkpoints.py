"""Checkpoints of games: one frame for each revision in one hash. A finished game has one frame with all of them."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import cast

from redis import Redis

from service.storage.base.keys import GameKeys
from service.storage.base.packing import DENSE, UnreadableFrameError, pack, unpack
from service.storage.base.pipelining import ask, single_command

JOINED = "all"
"""The field of the frame with all checkpoints."""
HEAD = struct.Struct(">II")  # revision, number of bytes that follow


def join(checkpoints: Mapping[int, bytes]) -> dict[str, bytes]:
    """Return one field with all checkpoints, or no field if there are none."""
    parts = [HEAD.pack(revision, len(content)) + content for revision, content in sorted(checkpoints.items())]
    return {JOINED: pack(b"".join(parts), DENSE)} if parts else {}


def read_all(redis: Redis, keys: GameKeys) -> dict[int, bytes]:
    """Return all checkpoints by revision. Damaged ones are left out, since they can be computed from the log."""
    fields = cast("dict[bytes, bytes]", redis.hgetall(keys.checkpoints))
    checkpoints = _separate(fields.pop(JOINED.encode(), b""))
    for revision, frame in fields.items():
        if content := _content(frame):
            checkpoints[int(revision)] = content
    return checkpoints


def read(redis: Redis, keys: GameKeys, revision: int) -> bytes | None:
    """Return the checkpoint at a revision, or None if there is none or it is damaged."""
    frame, joined = ask(redis, single_command(("HMGET", keys.checkpoints, revision, JOINED)))
    return _content(frame or b"") or _separate(joined or b"").get(revision)


def _separate(frame: bytes) -> dict[int, bytes]:
    content, at, checkpoints = _content(frame), 0, dict[int, bytes]()
    while at < len(content):
        revision, length = HEAD.unpack_from(content, at)
        at += HEAD.size + length
        checkpoints[revision] = content[at - length : at]
    return checkpoints


def _content(frame: bytes) -> bytes:
    try:
        return unpack(frame)
    except UnreadableFrameError:
        return b""
