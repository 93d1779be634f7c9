"""Replay entries of requests with an Idempotency-Key, by the digest of caller, operation and key."""

from __future__ import annotations

from service.storage.base.bucket_store import BucketStore
from service.storage.base.transactions import Read, Transaction


class Replies(BucketStore):
    """Replaces replay entries. `Store.create_replay` reads them."""

    def replace(self, digest: str, before: bytes | None, after: bytes | None, ttl_s: int) -> bool:
        """Store an entry for `ttl_s`, unless another request has changed it. Return whether it was stored.

        None for `after` deletes the entry.
        """
        key, change = self._keys.create_replays(digest)[0], Transaction(self._redis)
        change.require("changed", Read("GET", key).equals(before))
        if after is None:
            change.run("DEL", key)
        else:
            change.run("SET", key, after, "EX", ttl_s)
        return change.commit().is_done
