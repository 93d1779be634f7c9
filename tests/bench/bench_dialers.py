"""Measure deliveries beside hanging endpoints: `python -m tests.bench.bench_dialers [--owners 10] [--samples 20]`.

Starts a keeper and the dialers of the default settings on a private Redis. Each hostile owner has 20 endpoints that
accept connections and never respond: 5 webhooks and 5 devices with ten waiting notices each, and 10 seats of games.
Every endpoint has its own host, a loopback address. Meanwhile another player's webhook and called bot work.

Prints the time from a notice, and from a decision becoming due, to the request at that player's endpoints.
"""

from __future__ import annotations

import argparse
import os
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import orjson

from service.settings import Settings
from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.base.context import Caller, Context, open_context
from service.usecases.games import creating
from service.usecases.games.creating import NewEndpoint, NewGame, NewSeat
from service.usecases.notifications import devices, dispatch, webhooks
from service.usecases.notifications.devices import NewDevice
from service.usecases.people import players
from tests.bench.stores import own_redis
from tests.outgoing.push_service import Device
from tests.patience import wait_until
from tests.serving import Handler, served_by
from tests.workers.processes import Processes
from workers.warm import warm

HOOKS_OF_AN_OWNER, DEVICES_OF_AN_OWNER, GAMES_OF_AN_OWNER = 5, 5, 10
NOTICES_OF_AN_ENDPOINT = 10
SATURATION_S = 10.0
INTERVAL_S = 0.5


@contextmanager
def hanging() -> Iterator[int]:
    """Yield the port of a server on all loopback addresses that never responds."""
    with socket.create_server(("0.0.0.0", 0), backlog=4_096) as server:  # noqa: S104 - hosts are 127.0.0.0/8
        threading.Thread(target=_hold, args=(server,), daemon=True).start()
        yield server.getsockname()[1]


def _hold(server: socket.socket) -> None:
    held = []
    while server.fileno() >= 0:
        held.append(server.accept()[0])
        if len(held) > 1_000:
            held.pop(0).close()


class Good(Handler):
    """The endpoints of the other player. `arrived`: time of the first request by id."""

    arrived: dict[str, float] = {}  # noqa: RUF012 - of the one server

    def respond(self) -> None:
        """Record the request. Choose the first legal action."""
        request = orjson.loads(self.content)
        if request["type"] == "decision":
            self.arrived.setdefault(request["data"]["game"]["id"], time.perf_counter())
            self.answer(orjson.dumps({"id": request["data"]["actions"][0]["id"]}))
        else:
            self.arrived.setdefault(self.headers["webhook-id"], time.perf_counter())
            self.answer()


def create_game(context: Context, caller: Caller, url: str, attempts: int = 10) -> str:
    """Create a game that waits for the decision of this endpoint."""
    seats = (NewSeat("http", None, "random", NewEndpoint(url, attempts=attempts)), NewSeat("player"))
    return str(creating.create(context, caller, NewGame("azul", "coloured", seats, first_seat=0))["game"]["id"])


def besiege(context: Context, number: int, port: int) -> None:
    """Create a hostile owner with hanging endpoints and notices."""
    owner, hosts = Caller(players.create(context, {})["token"]), iter(range(1, 255))

    def new_url() -> str:
        return f"http://127.1.{number}.{next(hosts)}:{port}/"

    targets = [
        (context.webhooks, webhooks.create(context, owner, new_url(), None, None)["webhook"]["id"])
        for _ in range(HOOKS_OF_AN_OWNER)
    ]
    for _ in range(DEVICES_OF_AN_OWNER):
        new = NewDevice(new_url(), **Device().keys, events=None, language="en", name=None)
        targets.append((context.devices, devices.subscribe(context, owner, new)["id"]))
    data = {"player": owner.player_id, "game": {"id": "a-game", "ruleset": "azul"}}
    notice = {"type": "game_over", "timestamp": "2026-01-01T00:00:00.000Z", "data": data}
    for hooks, hook_id in targets:
        for _ in range(NOTICES_OF_AN_ENDPOINT):
            key = DeliveryKey(owner.player_id or "", hook_id, context.webhooks.new_id())
            dispatch.create_delivery(context, key, notice, hooks)
    for _ in range(GAMES_OF_AN_OWNER):
        create_game(context, owner, new_url())


def measure(context: Context, url: str, samples: int, patience_s: float) -> dict[str, list[float | None]]:
    """Return the delays of the other player's notices and decisions, None for one that did not arrive in time."""
    caller = Caller(players.create(context, {})["token"])
    hook = webhooks.create(context, caller, url, None, None)["webhook"]["id"]
    begun: dict[str, dict[str, float]] = {"notice": {}, "decision": {}}
    for _ in range(samples):
        at = time.perf_counter()
        begun["notice"][webhooks.ping(context, caller, hook)["id"]] = at
        at = time.perf_counter()
        begun["decision"][create_game(context, caller, url)] = at
        time.sleep(INTERVAL_S)
    end = time.perf_counter() + patience_s
    ids = {name for times in begun.values() for name in times}
    while time.perf_counter() < end and not ids <= Good.arrived.keys():
        time.sleep(0.1)
    arrived = Good.arrived
    return {
        kind: [arrived[name] - at if name in arrived else None for name, at in times.items()]
        for kind, times in begun.items()
    }


def report(kind: str, delays: list[float | None], patience_s: float) -> None:
    """Print a line."""
    known = [patience_s if delay is None else delay for delay in delays]
    lost = sum(delay is None for delay in delays)
    missing = f", {lost} not within {patience_s:.0f} s" if lost else ""
    print(f"{kind:10} median {median(known):6.2f} s, longest {max(known):6.2f} s ({len(known)}{missing})")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--owners", type=int, default=10)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--patience", type=float, default=120.0, help="seconds to wait for the last sample")
    options = parser.parse_args()
    warm()
    with own_redis() as server, served_by(Good) as url, hanging() as port, tempfile.TemporaryDirectory() as folder:
        processes = Processes(server.socket_url, Path(folder))
        processes.constants = {}
        processes.environment |= {"OUTGOING": "loopback"}
        os.environ["OUTGOING"] = "loopback"
        context = open_context(Settings.from_environment(processes.environment | {"ACCESS_LOG": "off"}))
        try:
            processes.start("workers", "--dial")
            processes.start("workers.keeper")
            wait_until(lambda: all(context.queue.count_living(kind) for kind in ("dialer", "keeper")))
            for number in range(options.owners):
                besiege(context, number, port)
            time.sleep(SATURATION_S)
            delays: dict[str, Any] = measure(context, url, options.samples, options.patience)
        finally:
            processes.end()
            context.hub.close()
    endpoints = options.owners * (HOOKS_OF_AN_OWNER + DEVICES_OF_AN_OWNER + GAMES_OF_AN_OWNER)
    print(f"beside {endpoints} hanging endpoints of {options.owners} owners:")
    for kind, times in delays.items():
        report(kind, times, options.patience)


if __name__ == "__main__":
    main()
