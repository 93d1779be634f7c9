"""The messages between the people at a game: outside its log, and kept no longer than the game.

Messages are numbered from 1 and only the last ones are kept; the hub announces each, so that one can wait for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from redis import Redis

from service.storage.base.keys import Buckets, Keys, messages_channel
from service.storage.base.pipelining import ask_all
from service.storage.base.transactions import Transaction, exists, reply

MAX_MESSAGES = 200


class Chat:
    """The messages of every game; every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)

    def append(self, game_id: str, message: bytes) -> int | None:
        """Store a message: its number; None if there is no such game."""
        keys, change = self._keys.game(game_id), Transaction(self._redis)
        change.require("gone", exists(keys.game))
        number = change.run("HINCRBY", keys.game, "messages", 1)
        change.run("XADD", keys.messages, "MAXLEN", MAX_MESSAGES, reply(number, suffix="-0"), "m", message)
        change.run("PEXPIREAT", keys.messages, reply(change.run("HGET", keys.game, "expires")))
        change.announce(keys.bucket.hub, messages_channel(game_id), reply(number))
        outcome = change.commit()
        return outcome.replies[0] if outcome.is_done else None

    def messages(self, game_id: str, after: int, count: int) -> list[tuple[int, bytes]]:
        """The first `count` messages that are kept after number `after`: (number, message)."""
        return _read(self._redis.xrange(self._keys.game(game_id).messages, f"{after + 1}-0", "+", count))

    def of_games(self, game_ids: Sequence[str]) -> dict[str, list[tuple[int, bytes]]]:
        """All messages that are kept of these games."""
        names = (self._keys.game(game_id).messages for game_id in game_ids)
        replies = ask_all(self._redis, (("XRANGE", name, "-", "+") for name in names))
        return dict(zip(game_ids, map(_read, replies), strict=True))


def _read(entries: Any) -> list[tuple[int, bytes]]:
    return [(int(entry.partition(b"-")[0]), message[b"m"]) for entry, message in entries]
