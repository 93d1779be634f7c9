"""Bounded caches inside a process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Generic, TypeVar

from cachetools import Cache, LRUCache, TTLCache, cachedmethod

Key = TypeVar("Key")
Value = TypeVar("Value")
MAX_REMEMBERED = 1_000  # about 3 KB each


class Memory(Generic[Key, Value]):
    """A bounded cache; safe to share between threads and greenlets."""

    def __init__(
        self, max_size: int = MAX_REMEMBERED, ttl_ms: int | None = None, now_ms: Callable[[], int] = lambda: 0
    ) -> None:
        """Keep the `max_size` most recently used values; with `ttl_ms`, drop them after that time by `now_ms`."""
        self.lock = threading.Lock()
        self._empty: Callable[[], Cache[Key, Value]] = (
            partial(LRUCache, max_size) if ttl_ms is None else partial(TTLCache, max_size, ttl_ms, timer=now_ms)
        )
        self.cache: Cache[Key, Value] = self._empty()

    @cachedmethod(attrgetter("cache"), key=lambda _, key, __: key, lock=attrgetter("lock"))
    def get(self, key: Key, make: Callable[[], Value]) -> Value:  # noqa: ARG002 - the decorator uses it
        """Return the cached value of the key, or compute it with `make`."""
        return make()

    def peek(self, key: Key) -> Value | None:
        """Return the value of the key, or None."""
        with self.lock:
            return self.cache.get(key)

    def set(self, key: Key, value: Value) -> None:
        """Remember the value."""
        with self.lock:
            self.cache[key] = value

    def clear(self) -> None:
        """Drop all values, including those being computed now. Takes no lock, so the clock can call it during `get`."""
        self.cache = self._empty()
