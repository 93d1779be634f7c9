"""Measure how long an event takes to reach all followers of a game: `python -m tests.bench.bench_streams [streams]`.

Starts the whole service and its clients on the same machine, with one game. The baseline of the same run is a single
follower. The time begins before the POST of the action and ends with the arrival of the event. Also prints the time of
the POST and the memory of the web processes.

Then compares the streams of players' own events with polls of their challenges, as the table sends them without a
stream: the processor time of the web processes and of Redis while nothing changes.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.e2e.stack import Stack, cpu_s

ACTIONS = 12
PLAYERS = 100
IDLE_S = 40.0
POLL_S = 5.0


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


async def stay(port: int, token: str, path: str, pause_s: float) -> None:
    """Request the path again and again, each time over a new connection, and read the response to its end."""
    headers = f"Host: localhost\r\nAccept: application/x-ndjson, application/json\r\nAuthorization: Bearer {token}\r\n"
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n".encode())
        await reader.read()
        writer.close()
        await asyncio.sleep(pause_s)


async def idle_cost(stack: Stack, tokens: list[str], path: str) -> float:
    """Return the processor ms a minute that each player's open page costs the web processes and Redis."""
    pids = [*stack.pids("web"), *stack.pids("redis")]
    pages = [asyncio.create_task(stay(stack.port, token, path, POLL_S)) for token in tokens]
    await asyncio.sleep(POLL_S)
    before = sum(map(cpu_s, pids))
    await asyncio.sleep(IDLE_S)
    spent = sum(map(cpu_s, pids)) - before
    for page in pages:
        page.cancel()
    return 60_000 * spent / IDLE_S / len(tokens)


async def compare_idle_pages(stack: Stack) -> None:
    """Print what idle pages cost with a stream, and with polls."""
    tokens = [stack.new_player() for _ in range(PLAYERS)]
    before = sum(megabytes(stack.pids("web")))
    polls = await idle_cost(stack, tokens, "/v1/me/challenges")
    polled = sum(megabytes(stack.pids("web")))
    stream = await idle_cost(stack, tokens, "/v1/me/events")
    kb = 1024 * (sum(megabytes(stack.pids("web"))) - polled) / PLAYERS
    print(
        f"an idle page: {stream:.1f} ms of a core a minute with a stream, {polls:.1f} with a poll every {POLL_S:.0f} s"
    )
    print(f"a stream of a player: {kb:.0f} KB; {polled - before} MB more after the polls")


async def main(size: int) -> None:
    """Print the figures."""
    with Stack(Path(tempfile.mkdtemp(prefix="streams-"))) as stack:
        alone = await measure(stack, 1)
        many = await measure(stack, size)
        print(f"{many / alone:.1f} x a single follower; web processes {megabytes(stack.pids('web'))} MB")
        await compare_idle_pages(stack)


def megabytes(pids: list[int]) -> list[int]:
    """Return the resident memory of processes in MB."""
    return [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4 // 1024 for pid in pids]


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500))
