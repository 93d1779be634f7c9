"""Single-use tickets. Each reads one game in the name of the caller who created it, within a limited time."""

from __future__ import annotations

from typing import cast

from service.storage.base.bucket_store import BucketStore


class Tickets(BucketStore):
    """The tickets of every game, by digest."""

    def add(self, game_id: str, digest: str, credential: bytes, ttl_ms: int) -> None:
        """Store a ticket with the credential of its creator for `ttl_ms`."""
        self._redis.set(self._keys.game(game_id).ticket(digest), credential, px=ttl_ms)

    def exists(self, game_id: str, digest: str) -> bool:
        """Return whether there is a ticket of this digest."""
        return bool(self._redis.exists(self._keys.game(game_id).ticket(digest)))

    def redeem(self, game_id: str, digest: str) -> bytes | None:
        """Return the credential of a ticket and delete it. Return None if it is unknown, used or expired."""
        return cast("bytes | None", self._redis.getdel(self._keys.game(game_id).ticket(digest)))
