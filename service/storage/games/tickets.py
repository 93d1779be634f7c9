"""Single-use tickets. Each grants roles in one game, within a limited time."""

from __future__ import annotations

from service.storage.base.bucket_store import BucketStore
from service.storage.base.pipelining import decode


class Tickets(BucketStore):
    """The tickets of every game, by digest."""

    def add(self, game_id: str, digest: str, roles: str, ttl_ms: int) -> None:
        """Store a ticket that grants these roles (separated by spaces) for `ttl_ms`."""
        self._redis.set(self._keys.game(game_id).ticket(digest), roles, px=ttl_ms)

    def exists(self, game_id: str, digest: str) -> bool:
        """Return whether there is a ticket of this digest."""
        return bool(self._redis.exists(self._keys.game(game_id).ticket(digest)))

    def redeem(self, game_id: str, digest: str) -> str | None:
        """Return the roles of a ticket and delete it. Return None if it is unknown, used or expired."""
        return decode(self._redis.getdel(self._keys.game(game_id).ticket(digest)))
