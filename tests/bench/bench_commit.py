"""Measure a commit, reads and a transaction: `python -m tests.bench.bench_commit`.

Prints ratios to a plain SET over the same connection in the same run, so that they are stable on a noisy machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from service.storage.base.connect import connect
from service.storage.games.store import Store
from service.storage.games.stored_game import Commit
from tests.bench.stores import own_redis

ROUNDS = 10
PER_ROUND = 500
VIEW = b'{"view":"' + b"v" * 3390 + b'"}'
STATE = b"s" * 800
SNAPSHOT = b"\x00" * 400
EVENT = b"e" * 250


def micros(act: Callable[[], object]) -> float:
    """Return the µs per call over one round."""
    began = time.perf_counter()
    for _ in range(PER_ROUND):
        act()
    return (time.perf_counter() - began) / PER_ROUND * 1e6


def main() -> None:
    with own_redis() as server, connect(server.socket_url) as client:
        store = Store(client, 1)
        game_id = store.new_game_id()
        revision = 0

        def commit() -> None:
            nonlocal revision
            fields = {"state": STATE, "snapshot": SNAPSHOT, "tag": b"tag", "view": VIEW}
            replay_entry = (f"idem:{revision}", b"x" * 60, 60)
            act = store.commit if revision else store.create
            act(
                game_id,
                Commit(revision, (EVENT,), fields, {}, due_at_ms=0, listed=True, ttl_s=60, idempotency=replay_entry),
            )
            revision += 1

        rows: dict[str, list[float]] = {"SET of a view": [], "commit": [], "glance": [], "load": [], "renew": []}
        acts = (
            lambda: client.set("plain", VIEW),
            commit,
            lambda: store.glance(game_id),
            lambda: store.load(game_id),
            lambda: store.schedule.renew(game_id, revision, 1),
        )
        for _ in range(ROUNDS):
            for spent, act in zip(rows.values(), acts, strict=True):
                spent.append(micros(act))
    base = median(rows["SET of a view"])
    for name, spent in rows.items():
        middle = median(spent)
        print(f"{name:<14} {middle:7.1f} µs   {middle / base:4.2f} x SET   (best {min(spent):.1f} µs)")


if __name__ == "__main__":
    main()
