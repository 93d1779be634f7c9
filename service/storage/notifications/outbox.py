"""Notices for players. Commits of games write them, and keepers turn them into deliveries.

Only **subscribers**, players with a webhook or device, get notices in an outbox. The bucket of a player is not that of
the game, so each bucket has a copy of all subscribers, and its own outbox.

A notice is removed after its deliveries were written. If a keeper dies before, the next one writes the same deliveries
again, see `webhooks`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from service.storage.base.bucket_store import BucketStore
from service.storage.base.pipelining import Command, ask_all, decode_all
from service.storage.base.transactions import Transaction


@dataclass(frozen=True)
class Entry:
    """A notice in an outbox. `key` and `id` together identify it forever."""

    key: str
    id: str
    player: str
    notice: bytes


class Outbox(BucketStore):
    """The outboxes of all buckets."""

    def subscribe(self, player_id: str, ttl_s: int) -> None:
        """Let games put this player's notices into the outbox for at least `ttl_s`."""
        commands: list[Command] = []
        for bucket in self._keys.all_buckets():
            commands += [("SADD", bucket.subscribers, player_id), ("EXPIRE", bucket.subscribers, ttl_s)]
        ask_all(self._redis, commands)

    def subscribers(self, count: int) -> list[str]:
        """Return the ids of up to `count` subscribers."""
        return sorted(decode_all(cast("set[bytes]", self._redis.smembers(self._keys.bucket(0).subscribers))))[:count]

    def unsubscribe(self, player_id: str) -> None:
        """Let games put no more notices of this player into the outbox."""
        ask_all(self._redis, (("SREM", bucket.subscribers, player_id) for bucket in self._keys.all_buckets()))

    def write(self, player_id: str, notice: bytes, ttl_s: int) -> None:
        """Put a notice into the outbox if the player is a subscriber."""
        change = Transaction(self._redis)
        change.notify(self._keys.home(player_id), player_id, notice, 1000 * ttl_s)
        change.commit()

    def entries(self, count: int) -> list[Entry]:
        """Return up to `count` entries of each outbox, oldest first."""
        names = [bucket.outbox for bucket in self._keys.all_buckets()]
        replies = ask_all(self._redis, (("XRANGE", name, "-", "+", "COUNT", count) for name in names))
        return [
            Entry(name, entry_id.decode(), fields[b"p"].decode(), fields[b"n"])
            for name, entries in zip(names, replies, strict=True)
            for entry_id, fields in entries
        ]

    def remove(self, entry: Entry) -> None:
        """Remove a notice whose deliveries were written."""
        self._redis.xdel(entry.key, entry.id)
