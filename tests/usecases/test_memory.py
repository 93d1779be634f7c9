"""The memory of a process: bounded, and shared between threads."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from service.usecases.base.context import Context
from service.usecases.base.memory import Memory


def test_a_value_is_computed_once_and_the_least_recently_used_is_evicted() -> None:
    memory, made = Memory[str, str](2), list[str]()

    def get(key: str) -> str:
        def make() -> str:
            made.append(key)
            return key.upper()

        return memory.get(key, make)

    assert ["A", "B", "A", "C", "A", "B"] == [get(key) for key in "abacab"]
    assert ["a", "b", "c", "b"] == made
    assert (None, "A") == (memory.peek("c"), memory.peek("a"))
    memory.clear()
    assert memory.peek("a") is None


def test_threads_share_a_memory() -> None:
    memory, start = Memory[int, int](10, ttl_ms=1_000), threading.Barrier(8)

    def use(thread: int) -> list[tuple[int, int]]:
        def get(key: int) -> int:
            return memory.get(key, lambda: -key)

        start.wait()
        return [(key, get(key)) for key in (n * (thread + 1) % 37 for n in range(2_000))]

    with ThreadPoolExecutor(8) as pool:
        pairs_read = [pair for pairs in pool.map(use, range(8)) for pair in pairs]
    assert all(key == -value for key, value in pairs_read)
    assert 10 == len(memory.cache)


def test_a_replaced_store_clears_memories_even_during_a_read(context: Context) -> None:
    def now_ms() -> int:
        context.clear_caches()
        return 0

    context.views.set(("game", 1), b"old")
    context.unknown_games = Memory[str, bool](ttl_ms=1_000, now_ms=now_ms)
    assert context.unknown_games.get("game", lambda: True)
    assert context.views.peek(("game", 1)) is None


def test_values_computed_from_a_replaced_store_are_not_stored() -> None:
    memory = Memory[str, str](2)

    def make() -> str:
        memory.clear()
        return "old"

    assert "old" == memory.get("view", make)
    assert memory.peek("view") is None
