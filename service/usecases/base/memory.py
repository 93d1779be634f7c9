"""What a process remembers of its work, so that it need not do it again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Generic, TypeVar

from cachetools import Cache, LRUCache, TTLCache, cachedmethod

Key = TypeVar("Key")
Value = TypeVar("Value")
MAX_REMEMBERED = 1_000  # some 3 KB each


class Memory(Generic[Key, Value]):
    """A bounded cache; safe to share between threads and greenlets."""

    def __init__(
        self, most: int = MAX_REMEMBERED, ttl_ms: int | None = None, now_ms: Callable[[], int] = lambda: 0
    ) -> None:
        """Keep the `most` values that were used last, each for `ttl_ms` by the clock `now_ms`; None: for ever."""
        self.lock = threading.Lock()
        self._empty: Callable[[], Cache[Key, Value]] = (
            partial(LRUCache, most) if ttl_ms is None else partial(TTLCache, most, ttl_ms, timer=now_ms)
        )
        self.cache: Cache[Key, Value] = self._empty()

    @cachedmethod(attrgetter("cache"), key=lambda _, key, __: key, lock=attrgetter("lock"))
    def get(self, key: Key, make: Callable[[], Value]) -> Value:  # noqa: ARG002 - the decorator uses it
        """Return the value of the key; `make` computes one that is not known."""
        return make()

    def known(self, key: Key) -> Value | None:
        """Return the value of the key, or None."""
        with self.lock:
            return self.cache.get(key)

    def put(self, key: Key, value: Value) -> None:
        """Remember the value."""
        with self.lock:
            self.cache[key] = value

    def clear(self) -> None:
        """Forget everything, and what is being computed. Needs no lock: the clock may call it while it is asked."""
        self.cache = self._empty()
