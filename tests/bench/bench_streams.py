"""Measure how long an event takes to reach all followers of a game: `python -m tests.bench.bench_streams [streams]`.

Starts the whole service and its clients on the same machine, with one game. The baseline of the same run is a single
follower. The time begins before the POST of the action and ends with the arrival of the event. Also prints the time of
the POST and the memory of the web processes.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.e2e.stack import Stack

ACTIONS = 12


class Audience:
    """Followers of a game. `arrivals`: the times at which the last event reached each."""

    def __init__(self, port: int, game: str, size: int) -> None:
        self.size = size
        self.arrivals: list[float] = []
        self._following = [asyncio.create_task(self._follow(port, game)) for _ in range(size)]
        self._seated = 0
        self._changed = asyncio.Event()

    async def _follow(self, port: int, game: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        accept = "Accept: application/x-ndjson\r\n"
        writer.write(f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: localhost\r\n{accept}\r\n".encode())
        while line := await reader.readline():
            if line.startswith(b'{"kind":"snapshot"'):
                self._seated += 1
            elif line.startswith(b"{"):
                self.arrivals.append(time.perf_counter())
            if self.size in (self._seated, len(self.arrivals)):
                self._changed.set()

    async def wait_for_snapshots(self) -> None:
        """Return when all followers have their snapshot."""
        await self._changed.wait()
        await asyncio.sleep(0.5)

    async def wait_for_event(self) -> None:
        """Return when the event has reached all followers."""
        while len(self.arrivals) < self.size:
            self._changed.clear()
            await self._changed.wait()

    def dismiss(self) -> None:
        """Close all connections."""
        for task in self._following:
            task.cancel()


async def measure(stack: Stack, size: int) -> float:
    """Return the median ms until an event has reached the median follower."""
    created = stack.create(ruleset="azul", variant="coloured", seats=[{"kind": "player"}, {"kind": "player"}])
    game, tokens = created["game"]["id"], created["tokens"]["seats"]
    audience = Audience(stack.port, game, size)
    await audience.wait_for_snapshots()
    rows = [await one_action(stack, game, tokens, audience) for _ in range(ACTIONS)]
    audience.dismiss()
    half, last, post = (float(statistics.median(column)) for column in zip(*rows, strict=True))
    print(f"{size} followers: half are reached in {half:.0f} ms, all in {last:.0f}; the POST takes {post:.0f}")
    return half


async def one_action(stack: Stack, game: str, tokens: dict[str, Any], audience: Audience) -> tuple[float, ...]:
    """Return the ms from the start of the POST until half the followers, all of them, and the POST were done."""
    legal = (await asyncio.to_thread(stack.get, f"/games/{game}/actions?limit=1")).json()
    audience.arrivals.clear()
    began = time.perf_counter()
    chosen = (game, tokens[str(legal["seat"])], legal["actions"][0]["id"], legal["revision"])
    await asyncio.to_thread(stack.act, *chosen)
    answered = time.perf_counter()
    await audience.wait_for_event()
    times = sorted(audience.arrivals)[: audience.size]
    return tuple((moment - began) * 1e3 for moment in (times[len(times) // 2], times[-1], answered))


async def main(size: int) -> None:
    """Print the figures."""
    with Stack(Path(tempfile.mkdtemp(prefix="streams-"))) as stack:
        alone = await measure(stack, 1)
        many = await measure(stack, size)
        print(f"{many / alone:.1f} x a single follower; web processes {megabytes(stack.pids('web'))} MB")


def megabytes(pids: list[int]) -> list[int]:
    """Return the resident memory of processes in MB."""
    return [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4 // 1024 for pid in pids]


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500))
