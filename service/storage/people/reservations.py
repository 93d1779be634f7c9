"""Reservations of names that only one player may have: handles, and identities of other services.

The key of a name is in the bucket of the name, and that of its player in another. So a change of a name has three
steps: reserve the new name for a limited time, change the player together with a follow-up, and let the follow-up
confirm the new name and release the old one. If a process dies in between, the reservation expires, or a keeper
executes the follow-up.
"""

from __future__ import annotations

from collections.abc import Iterable

from redis import Redis

from service.storage.base.bucket_store import BucketStore
from service.storage.base.keys import Buckets
from service.storage.base.pipelining import ask_all, decode
from service.storage.base.transactions import Read, Transaction

HANDLE, IDENTITY = "handle", "identity"


class Reservations(BucketStore):
    """The reserved names of one kind, and their players."""

    def __init__(self, redis: Redis, buckets: Buckets, kind: str) -> None:
        super().__init__(redis, buckets)
        self._kind = kind

    def reserve(self, name: str, player_id: str, ttl_s: int) -> bool:
        """Reserve a name for a player for at least `ttl_s`. Return False if another player has it."""
        key, change = self._key(name), self._own_change(name, player_id)
        change.run("SET", key, player_id, "NX", "PX", 1000 * ttl_s)
        change.run("OUTLIVE", key, 1000 * ttl_s)
        return change.commit().is_done

    def release(self, name: str, player_id: str) -> None:
        """Release a name, if the player has it."""
        change = self._own_change(name, player_id)
        change.run("DEL", self._key(name))
        change.commit()

    def _own_change(self, name: str, player_id: str) -> Transaction:
        """Return a transaction that is refused if another player has the name."""
        key, change = self._key(name), Transaction(self._redis)
        change.require("taken", Read("GET", key).equals(None), Read("GET", key).equals(player_id))
        return change

    def owner(self, name: str) -> str | None:
        """Return the id of the player who has the name, or None."""
        return self.owners([name])[0]

    def owners(self, names: Iterable[str]) -> list[str | None]:
        """Return the id of the player who has each name, or None."""
        return [decode(reply) for reply in ask_all(self._redis, [("GET", self._key(name)) for name in names])]

    def _key(self, name: str) -> str:
        return self._keys.reservation(self._kind, name)
