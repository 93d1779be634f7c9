"""What is due: the keeper's part. It knows no rules, so a keeper starts in a moment and stays small."""

from __future__ import annotations

import orjson

from service.cases.context import Cases

AGAIN_MS = 1_000  # a wake-up that nobody followed is repeated after so long
AT_ONCE = 200  # games a look


def wake_due(cases: Cases) -> int:
    """Wake workers for all decisions that are due and not leased; how many wake-ups were sent."""
    woken = 0
    for game_id in cases.store.due(cases.now_ms(), AT_ONCE):
        stored = cases.store.load(game_id)
        if stored is None:
            continue  # expired; the sweep forgets it
        seat = orjson.loads(stored.view)["to_decide"]
        if cases.store.postpone(game_id, stored.revision, cases.now_ms() + AGAIN_MS):
            woken += cases.queue.wake(game_id, stored.revision, seat, stored.attempts)
    return woken


def sweep(cases: Cases) -> int:
    """Forget what has expired; how many games."""
    return cases.store.sweep(cases.now_ms())
