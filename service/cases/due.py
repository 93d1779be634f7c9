"""What is due: the keeper's part. It knows no rules by itself, so a keeper starts in a moment."""

from __future__ import annotations

import orjson

from service.cases import deliveries
from service.cases.context import Cases
from service.rulesets.wire import Json

AGAIN_MS = 1_000  # a wake-up that nobody followed is repeated after so long
AT_ONCE = 200  # games a look


def wake_due(cases: Cases) -> int:
    """Wake workers for all decisions that are due and not leased, and keep the time; how many were sent or kept."""
    done = 0
    for game_id in cases.store.due(cases.now_ms(), AT_ONCE):
        stored = cases.store.load(game_id)
        if stored is None:
            continue  # expired; the sweep forgets it
        view = orjson.loads(stored.view)
        if not cases.store.postpone(game_id, stored.revision, cases.now_ms() + AGAIN_MS):
            continue
        if _is_timed(view):
            done += keep_time(cases, game_id)
        else:
            seat = view["to_decide"]
            done += cases.queue.wake(
                game_id, stored.revision, seat, stored.attempts, call=_is_called(view["seats"][seat])
            )
    return done


def _is_timed(view: Json) -> bool:
    """Whether time is what is due, not a decision of an AI or an endpoint."""
    return view["paused_until"] is not None or (view["clock"] is not None and view["clock"]["deadline"] is not None)


def _is_called(seat: Json) -> bool:
    """Whether an endpoint decides there."""
    return bool(seat["kind"] == "http" and seat["status"] == "active")


def keep_time(cases: Cases, game_id: str) -> bool:
    """As `times.keep_time`, which needs the rules: they are loaded with the first game whose time is up, or before."""
    from service.cases import times

    return times.keep_time(cases, game_id)


def learn_the_rules() -> None:
    """Load what keeping the time needs, so that the first game whose time is up need not wait for it."""
    import service.cases.times  # noqa: F401


def tell_webhooks(cases: Cases) -> int:
    """Make deliveries of what players are to be told, and have those that are due delivered; how many were sent."""
    if not cases.settings.calls:
        return 0
    deliveries.drain(cases)
    return deliveries.send_due(cases)


def sweep(cases: Cases) -> int:
    """Forget what has expired; how many games."""
    return cases.store.sweep(cases.now_ms())
