"""Stored games in the format of older versions: the log is a stream, and nothing is compressed with a dictionary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from redis import Redis

from service.storage.base.keys import GameKeys
from service.storage.base.packing import unpack
from service.storage.games import checkpoints, game_log
from service.storage.games.stored_game import PACKED_FIELDS

NEW_FIELDS = ("nonces", "form", game_log.TAIL)


def make_older(
    redis: Redis, keys: GameKeys, older_event: Callable[[int, bytes], bytes] = lambda _, event: event
) -> None:
    """Rewrite a game in place. `older_event` maps an event's revision and bytes to its older bytes."""
    events = game_log.read(redis, keys, 0, None, None)
    fields = cast("dict[bytes, bytes]", redis.hgetall(keys.game))
    with redis.pipeline() as pipeline:
        for revision, event in events:
            entry: dict[Any, Any] = {"e": older_event(revision, event), "n": b"n" * 12}
            pipeline.xadd(keys.log, entry, id=f"{revision}-0")
        chunks = [name for name in fields if name.startswith(b"log:")]
        pipeline.hdel(keys.game, *NEW_FIELDS, *chunks)
        for name in PACKED_FIELDS & {name.decode() for name in fields}:
            pipeline.hset(keys.game, name, unpack(fields[name.encode()]))
        contents = checkpoints.read_all(redis, keys)
        pipeline.delete(keys.checkpoints)
        for revision, content in contents.items():
            pipeline.hset(keys.checkpoints, str(revision), content)
        pipeline.execute()
