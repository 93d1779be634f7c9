"""Notices for players, written by the games' commits and taken out by the keepers.

Only players who are **hooked**, because they have a webhook, get anything into an outbox: others cost nothing here.
A game's bucket cannot be told from a player's, so each bucket knows all who are hooked, and has an outbox of its own.

A notice is taken out when what follows from it has been written. A keeper that dies in between leaves it to the next,
which finds what the first has done: see `webhooks`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from redis import Redis

from service.storage.base.keys import Buckets, Keys
from service.storage.base.pipelining import Command, ask_all


@dataclass(frozen=True)
class Entry:
    """A notice in an outbox. `key` and `id` together name it for ever."""

    key: str
    id: str
    player: str
    notice: bytes


class Outbox:
    """The outboxes of all buckets; every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)

    def hook(self, player_id: str, ttl_s: int) -> None:
        """From now on, for so long at least, games put this player's notices into the outbox."""
        commands: list[Command] = []
        for bucket in self._keys.every_bucket():
            commands += [("SADD", bucket.hooked, player_id), ("EXPIRE", bucket.hooked, ttl_s)]
        ask_all(self._redis, commands)

    def hooked(self, most: int) -> list[str]:
        """Players whose notices are put there, at most so many."""
        found = cast("set[bytes]", self._redis.smembers(self._keys.bucket(0).hooked))
        return sorted(player_id.decode() for player_id in found)[:most]

    def unhook(self, player_id: str) -> None:
        """Nothing is put there for this player any more."""
        ask_all(self._redis, (("SREM", bucket.hooked, player_id) for bucket in self._keys.every_bucket()))

    def entries(self, count: int) -> list[Entry]:
        """The oldest of each outbox, at most so many of each."""
        names = [bucket.outbox for bucket in self._keys.every_bucket()]
        replies = ask_all(self._redis, (("XRANGE", name, "-", "+", "COUNT", count) for name in names))
        return [
            Entry(name, entry_id.decode(), fields[b"p"].decode(), fields[b"n"])
            for name, entries in zip(names, replies, strict=True)
            for entry_id, fields in entries
        ]

    def forget(self, entry: Entry) -> None:
        """What follows from the notice has been written."""
        self._redis.xdel(entry.key, entry.id)
