"""What a process remembers: bounded, and shared between threads."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from service.usecases.base.context import Context
from service.usecases.base.memory import Memory


def test_a_value_is_made_once_and_the_least_recently_used_goes_first() -> None:
    memory, made = Memory[str, str](2), list[str]()

    def get(key: str) -> str:
        def make() -> str:
            made.append(key)
            return key.upper()

        return memory.get(key, make)

    assert ["A", "B", "A", "C", "A", "B"] == [get(key) for key in "abacab"]
    assert ["a", "b", "c", "b"] == made
    assert (None, "A") == (memory.known("c"), memory.known("a"))
    memory.clear()
    assert memory.known("a") is None


def test_threads_may_share_a_memory() -> None:
    memory, start = Memory[int, int](10, ttl_ms=1_000), threading.Barrier(8)

    def use(thread: int) -> list[tuple[int, int]]:
        def get(key: int) -> int:
            return memory.get(key, lambda: -key)

        start.wait()
        return [(key, get(key)) for key in (n * (thread + 1) % 37 for n in range(2_000))]

    with ThreadPoolExecutor(8) as pool:
        found = [pair for pairs in pool.map(use, range(8)) for pair in pairs]
    assert all(key == -value for key, value in found)
    assert 10 == len(memory.cache)


def test_another_store_makes_a_process_forget_even_while_a_memory_asks_for_the_time(context: Context) -> None:
    def now_ms() -> int:
        context.forget()
        return 0

    context.views.put(("game", 1), b"what was so")
    context.unknown_games = Memory[str, bool](ttl_ms=1_000, now_ms=now_ms)
    assert context.unknown_games.get("game", lambda: True)
    assert context.views.known(("game", 1)) is None


def test_what_was_being_computed_of_another_store_is_forgotten_too() -> None:
    memory = Memory[str, str](2)

    def make() -> str:
        memory.clear()
        return "what was so"

    assert "what was so" == memory.get("view", make)
    assert memory.known("view") is None
