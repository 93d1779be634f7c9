"""The key that identifies the service to push services, if the operator has not set one."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from service.storage.base.bucket_store import BucketStore


class PushKeys(BucketStore):
    """Reads and creates the key."""

    def get_or_create(self, create: Callable[[], str]) -> str:
        """Return the key, which is the same for all processes. The first caller creates it."""
        name = self._keys.bucket(0).push_key
        reply = self._redis.get(name)
        if reply is None:
            self._redis.set(name, create(), nx=True)
            reply = self._redis.get(name)
        return cast("bytes", reply).decode()
