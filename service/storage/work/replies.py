"""Replay entries of requests with an Idempotency-Key, by the digest of caller, operation and key."""

from __future__ import annotations

from typing import cast

from service.storage.base.bucket_store import BucketStore
from service.storage.base.transactions import Read, Transaction


class Replies(BucketStore):
    """Reads and replaces replay entries."""

    def get(self, digest: str) -> bytes | None:
        """Return the replay entry, or None."""
        entries = (cast("bytes | None", self._redis.get(key)) for key in self._keys.create_replays(digest))
        return next((entry for entry in entries if entry is not None), None)

    def replace(self, digest: str, before: bytes | None, after: bytes, ttl_s: int) -> bool:
        """Store an entry for `ttl_s`, unless another request has changed it. Return whether it was stored."""
        key, change = self._keys.create_replays(digest)[0], Transaction(self._redis)
        change.require("changed", Read("GET", key).equals(before))
        change.run("SET", key, after, "EX", ttl_s)
        return change.commit().is_done

    def delete(self, digest: str, before: bytes) -> None:
        """Delete an entry, unless another request has changed it."""
        key, change = self._keys.create_replays(digest)[0], Transaction(self._redis)
        change.require("changed", Read("GET", key).equals(before))
        change.run("DEL", key)
        change.commit()
