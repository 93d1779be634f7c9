"""A stored game as versions before this one kept it: its log a stream, and nothing compressed with a dictionary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from redis import Redis

from service.storage.base.keys import GameKeys
from service.storage.base.packing import unpacked
from service.storage.games import checkpoints, game_log
from service.storage.games.stored import PACKED

NEW_FIELDS = ("nonces", "form", game_log.TAIL)


def make_older(redis: Redis, keys: GameKeys, told: Callable[[int, bytes], bytes] = lambda _, event: event) -> None:
    """Rewrite it in place. `told`: an event's revision and bytes -> the bytes that were kept of it then."""
    events = game_log.read(redis, keys, 0, None, None)
    fields = cast("dict[bytes, bytes]", redis.hgetall(keys.game))
    with redis.pipeline() as pipeline:
        for revision, event in events:
            entry: dict[Any, Any] = {"e": told(revision, event), "n": b"n" * 12}
            pipeline.xadd(keys.log, entry, id=f"{revision}-0")
        chunks = [name for name in fields if name.startswith(b"log:")]
        pipeline.hdel(keys.game, *NEW_FIELDS, *chunks)
        for name in PACKED & {name.decode() for name in fields}:
            pipeline.hset(keys.game, name, unpacked(fields[name.encode()]))
        kept = checkpoints.read_all(redis, keys)
        pipeline.delete(keys.checkpoints)
        for revision, content in kept.items():
            pipeline.hset(keys.checkpoints, str(revision), content)
        pipeline.execute()
