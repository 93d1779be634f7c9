"""Measure large services: `python -m tests.bench.bench_scale [--games 100000 --streams 1000 10000]`.

Starts a service with `BUCKETS=16`, a Redis for games, a Redis for the queue and one process of gunicorn, and measures
it with few games and with many. Prints the processor time of each process for a request, an AI's turn, a pass of a
keeper, an event of the hub without followers, and an event sent to many streams; and the bytes of a game and of a
stream. From these it computes what a million live games and ten thousand actions a second need, and which limit comes
first. The baseline of the same run is a bare Flask route.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any, cast

from redis import Redis

from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.storage.base.connect import connect
from service.usecases.base.context import Context, open_context
from service.usecases.keeping.duties import BackOff, run_due
from tests.bench.bench_bytes import used_memory
from tests.bench.bench_streams import Audience, megabytes
from tests.bench.bench_web import HELLO, LISTED, REQUESTS, ROUNDS, Act, Replays, Served, new_game
from tests.bench.stored_games import fill
from tests.e2e.stack import ROOT, cpu_s
from tests.patience import wait_until
from tests.workers.test_processes import child_pids
from workers.warm import warm

BUCKETS = 16
PARTS = ("games", "its commands", "queue", "commands of that")
FEW = 100
TURNS = 200
LOOKS = 200
EVENTS = 10
ENTRIES = 4_000
ARRIVING = 250
WANTED_GAMES, WANTED_ACTIONS = 1_000_000, 10_000
BUSY = 0.6
"""The planned utilization of a core that serves people."""


@dataclass
class Place:
    """The running parts: Redis of the games and of the queue, the web process, and dependencies in this process."""

    games: Redis
    queue: Redis
    served: Served
    context: Context

    def cost(self, act: Callable[[], tuple[float, int]]) -> dict[str, float]:
        """Return the µs of the web process (returned by `act`), of the games' Redis and of the queue's, per action.

        The figures of a Redis include its whole processor time, and its commands alone. A busy Redis shares the rest,
        the polling of sockets and the writing of its file, between many requests.
        """
        before = redis_s(self.games) + redis_s(self.queue)
        web, times = act()
        after = redis_s(self.games) + redis_s(self.queue)
        of_redis = [1e6 * (later - earlier) / times for earlier, later in zip(before, after, strict=True)]
        return {"web": web, **dict(zip(PARTS, of_redis, strict=True))}

    def cost_of_requests(self, acts: list[Act]) -> dict[str, float]:
        """Return the cost of each of these requests."""
        return self.cost(lambda: (self.served.cost(*acts)[0], len(acts)))


def redis_s(redis: Redis) -> tuple[float, float]:
    """Return the processor seconds of a server, and the seconds of its commands."""
    cpu, stats = cast("Any", redis.info("cpu")), cast("Any", redis.info("stats"))
    return float(cpu["used_cpu_user"] + cpu["used_cpu_sys"]), 1e-6 * stats["eventloop_duration_cmd_sum"]


def requests(place: Place) -> dict[str, dict[str, float]]:
    """Return the least cost of each kind of request in `ROUNDS` that take turns."""
    served = place.served
    game = f"/v1/games/{new_game(served)['game']['id']}"
    tag = f'"{served.ask_json("GET", game)["revision"]}"'
    replays = Replays(served, "")
    asked = {
        HELLO: partial(served.ask, "GET", "/baseline/hello"),
        "a game": partial(served.ask, "GET", game),
        "304": partial(served.ask, "GET", game, If_None_Match=tag),
        "legal actions": partial(served.ask, "GET", f"{game}/actions"),
        f"a list of {LISTED} games": partial(served.ask, "GET", f"/v1/games?limit={LISTED}"),
    }
    found: dict[str, list[dict[str, float]]] = {}
    for _ in range(ROUNDS):
        for name, ask in asked.items():
            found.setdefault(name, []).append(place.cost_of_requests([ask] * REQUESTS))
        found.setdefault("an action", []).append(place.cost_of_requests(replays.acts()))
    return {name: {part: min(cost[part] for cost in costs) for part in costs[0]} for name, costs in found.items()}


def turns(place: Place) -> dict[str, float]:
    """Return the cost of a person's action with the following turn of an AI, with one worker."""
    settings = place.context.settings
    environment = {**os.environ, "REDIS_URL": settings.redis_url, "QUEUE_URL": settings.queue_url, "BUCKETS": "16"}
    worker = subprocess.Popen([sys.executable, "-m", "workers"], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: place.context.queue.count_living("worker"), "a worker")
        play_against_ai(place, 10)
        before = cpu_s(worker.pid) + sum(map(cpu_s, child_pids(worker.pid)))
        found = place.cost(lambda: play_against_ai(place, TURNS))
        found["worker"] = 1e6 * (cpu_s(worker.pid) + sum(map(cpu_s, child_pids(worker.pid))) - before) / TURNS
        return found
    finally:
        worker.terminate()
        worker.wait()


def play_against_ai(place: Place, times: int) -> tuple[float, int]:
    """Act and wait for the AI, several times. Return the µs of the web process, and the number of times."""
    served, made, before = place.served, None, sum(map(cpu_s, place.served.pids))
    for _ in range(times):
        if made is None or made["game"]["status"] != "playing":
            made = new_game(served, seats=[{"kind": "player"}, {"kind": "ai", "level": "greedy"}])
        path = f"/v1/games/{made['game']['id']}"
        listed = served.ask_json("GET", f"{path}/actions?limit=1")
        body = {"id": listed["actions"][0]["id"], "revision": listed["revision"]}
        game = served.ask_json("POST", f"{path}/actions", body, made["tokens"]["seats"]["0"])["game"]
        while game["status"] == "playing" and game["to_decide"] != 0:
            game = served.ask_json("GET", f"{path}?wait=20", If_None_Match=f'"{game["revision"]}"')
        made["game"] = game
    return 1e6 * (sum(map(cpu_s, place.served.pids)) - before) / times, times


def keeper_passes(place: Place) -> dict[str, float]:
    """Return the cost of a keeper's pass while nothing is due. `web` is the keeper here."""
    back_off = BackOff()

    def act() -> tuple[float, int]:
        began = time.process_time()
        for _ in range(LOOKS):
            run_due(place.context, back_off)
        return 1e6 * (time.process_time() - began) / LOOKS, LOOKS

    run_due(place.context, back_off)
    return place.cost(act)


async def streams(served: Served, size: int) -> dict[str, float]:
    """Send an event to all followers of a game. Return µs of the web process for each, ms until all have it, and KB."""
    made = new_game(served)
    path, game = f"/v1/games/{made['game']['id']}", made["game"]
    before_mb, audiences = sum(megabytes(served.pids)), list[Audience]()
    for first in range(0, size, ARRIVING):  # as many as get a connection to Redis before they time out
        audiences.append(Audience(served.port, made["game"]["id"], min(ARRIVING, size - first)))
        await audiences[-1].wait_for_snapshots()
    kb = 1024 * (sum(megabytes(served.pids)) - before_mb) / size
    lasted, before = list[float](), sum(map(cpu_s, served.pids))
    for _ in range(EVENTS):
        listed = await asyncio.to_thread(served.ask_json, "GET", f"{path}/actions?limit=1")
        body = {"id": listed["actions"][0]["id"], "revision": listed["revision"]}
        token = made["tokens"]["seats"][str(game["to_decide"])]
        for audience in audiences:
            audience.arrivals.clear()
        began = time.perf_counter()
        game = (await asyncio.to_thread(served.ask_json, "POST", f"{path}/actions", body, token))["game"]
        for audience in audiences:
            await audience.wait_for_event()
        lasted.append(1000 * (max(moment for audience in audiences for moment in audience.arrivals) - began))
    spent = sum(map(cpu_s, served.pids)) - before
    for audience in audiences:
        audience.dismiss()
    return {
        "µs an event and stream": 1e6 * spent / EVENTS / size,
        "ms until all": sorted(lasted)[EVENTS // 2],
        "KB": kb,
    }


async def hub(place: Place) -> dict[str, float]:
    """Return the µs of the web process for an entry of a hub bucket that contains another game with a follower."""
    made = new_game(place.served)
    game = str(made["game"]["id"])
    audience, hub_key = Audience(place.served.port, game, 1), place.context.store.keys.home(game).hub
    await audience.wait_for_snapshots()
    found = dict[str, float]()
    for name, batch in (("one by one", 1), ("in batches", ENTRIES)):
        before = sum(map(cpu_s, place.served.pids))
        for number in range(0, ENTRIES, batch):
            pipeline = place.games.pipeline(transaction=False)
            for revision in range(number, number + batch):
                pipeline.xadd(hub_key, {"g": f"other-{revision}", "r": 5}, maxlen=10_000, approximate=True)
            pipeline.execute()
            await asyncio.sleep(0.001)
        await asyncio.sleep(1)
        found[name] = 1e6 * (sum(map(cpu_s, place.served.pids)) - before) / ENTRIES
    audience.dismiss()
    return found


def report(rows: dict[str, dict[str, float]], hello: float) -> None:
    """Print costs in µs."""
    for name, costs in rows.items():
        parts = ", ".join(f"{part} {cost:.0f}" for part, cost in costs.items())
        print(f"  {name:22} {parts} µs; {costs['web'] / hello:.1f} x Flask hello", flush=True)


def needs(many: dict[str, dict[str, float]], turn: dict[str, float], each: dict[str, float], size: float) -> None:
    """Print the needs of `WANTED_GAMES` and `WANTED_ACTIONS`. Half of the actions are turns of AIs.

    Each action is sent to one stream and followed by one more request (legal actions).
    """
    action, listed = many["an action"], many["legal actions"]
    people = ais = WANTED_ACTIONS / 2
    web_s = people * (action["web"] + listed["web"]) + WANTED_ACTIONS * each["stream"]
    web = ceil(web_s / 1e6 / (BUSY - WANTED_ACTIONS * each["entry"] / 1e6))
    least = {part: 1e6 / cost for part, cost in (("turns", turn["queue"]), ("actions", action["games"]))}
    most = {"turns": 1e6 / turn["commands of that"], "actions": 1e6 / action["its commands"]}
    primaries = ceil((WANTED_ACTIONS * action["games"] + people * listed["games"]) / 1e6 / BUSY)
    queues = ceil(ais * turn["queue"] / 1e6 / BUSY)
    workers = ceil(ais * turn["worker"] / 1e6 / BUSY)
    print(f"{WANTED_GAMES:,} live games, {WANTED_ACTIONS:,} actions a second, half of them by AIs that do not search;")
    print(f"each is sent to a stream, people request their legal actions, and cores are {BUSY:.0%} busy:")
    print(f"  Redis of the games: {WANTED_GAMES * size / 1e9:.1f} GB, {primaries} primaries")
    print(f"  Redis of the queue: {queues} servers")
    print(f"  web: {web} processes with a core each; the hub takes {WANTED_ACTIONS * each['entry'] / 1e4:.0f} % of it")
    print(f"  workers: {workers} cores, plus the time of searches")
    print("first limits, a second: as measured one by one, and with commands alone")
    print(f"  a queue on one server: turns of AIs {least['turns']:,.0f} to {most['turns']:,.0f}")
    print(f"  games on one primary: actions {least['actions']:,.0f} to {most['actions']:,.0f}")
    print(f"  any number of web processes that only read all hubs: actions {1e6 / each['entry']:,.0f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--streams", type=int, nargs="*", default=[1_000, 10_000])
    options = parser.parse_args()
    warm()
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as other,
        EmbeddedRedis(Path(folder)) as games,
        EmbeddedRedis(Path(other)) as queue,
        Served(games.socket_url, QUEUE_URL=queue.socket_url, BUCKETS=str(BUCKETS)) as served,
        connect(games.socket_url) as games_redis,
        connect(queue.socket_url) as queue_redis,
    ):
        urls = {"REDIS_URL": games.socket_url, "QUEUE_URL": queue.socket_url, "BUCKETS": str(BUCKETS)}
        context = open_context(Settings.from_environment({**urls, "ACCESS_LOG": "off"}))
        place = Place(games_redis, queue_redis, served, context)
        fill(context, FEW)
        few = {**requests(place), "a keeper's pass": keeper_passes(place)}
        hello = few[HELLO]["web"]
        print(f"{FEW} games:")
        report(few, hello)
        before, began = used_memory(games_redis), time.monotonic()
        fill(context, options.games)
        served.connection.close()  # the server has closed it in the meantime; the next request opens it again
        size = (used_memory(games_redis) - before) / options.games
        print(f"{options.games:,} games, stored in {time.monotonic() - began:.0f} s: {size:,.0f} bytes each")
        many = {**requests(place), "a keeper's pass": keeper_passes(place)}
        report(many, hello)
        turn = turns(place)
        report({"an action, an AI's turn": turn}, hello)
        each = {"entry": 0.0, "stream": 0.0}
        of_hub = asyncio.run(hub(place))
        each["entry"] = of_hub["in batches"]
        print("  an entry of the hub without followers:", ", ".join(f"{k} {v:.1f} µs" for k, v in of_hub.items()))
        for number in options.streams:
            figures = asyncio.run(streams(served, number))
            each["stream"] = figures["µs an event and stream"]
            print(
                f"  {number} streams:", ", ".join(f"{name} {value:.1f}" for name, value in figures.items()), flush=True
            )
        needs(many, turn, each, size)
        served.process.send_signal(signal.SIGTERM)


if __name__ == "__main__":
    main()
