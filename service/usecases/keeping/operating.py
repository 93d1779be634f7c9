"""What the operator and admins see and change of the service: its state, processes and settings."""

from __future__ import annotations

from dataclasses import asdict

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.base.follow_ups import LogEntry
from service.storage.notifications.webhooks import StoredWebhook
from service.storage.people.moderation import ADMIN
from service.storage.work import store_metrics
from service.usecases.base import access, game_facts
from service.usecases.base.context import Caller, Context
from service.usecases.base.game_facts import KnownGame
from service.usecases.keeping.service_warnings import service_warnings

WORKING = ("worker", "background", "dialer")
PROCESSES = ("keeper", *WORKING)
LATE_MS = 5_000
"""A decision overdue by this time is shown as late."""
MAX_ON_A_PAGE = 50
MAX_SUBSCRIBERS = 1_000
"""Maximum number of players whose webhooks are checked."""


def state(context: Context, caller: Caller) -> Json:
    """Return the state of the service. Raises: as `must_be_staff`."""
    access.must_be_staff(context, caller, ADMIN)
    store, queue, now = context.store, context.queue, context.now_ms()
    queue_servers = {f"queue {number}": one for number, one in enumerate(queue.servers, 1)}
    servers = store_metrics.servers({"games": store.redis, **queue_servers})
    answering = [one for name, one in queue_servers.items() if servers[name] is not None]
    waiting, due = store_metrics.queues(answering), store_metrics.due(store.redis, store.keys, now)
    living = store_metrics.count_heartbeats(answering, PROCESSES)
    late = _existing_games(context, store.schedule.due(now - LATE_MS, MAX_ON_A_PAGE))
    return {
        "stored_games": store.count(),
        "living": [{"kind": kind, "count": count} for kind, count in living.items()],
        "processes": [
            {"name": name, "kind": kind, "drained": drained}
            for kind in WORKING
            for name, drained in queue.names(kind).items()
        ],
        "queues": [{"name": name, **asdict(one)} for name, one in waiting.items()],
        "due": [{"name": name, **asdict(one)} for name, one in due.items()],
        "servers": [
            {"name": name, **(asdict(one) if one is not None else _UNAVAILABLE)} for name, one in servers.items()
        ],
        "late_games": [_late_game_json(game_id, one) for game_id, one in late],
        "disabled_webhooks": [
            {"player": player, "url": one.url, "reason": one.disabled_reason}
            for player, one in _disabled_webhooks(context)
        ],
        "warnings": service_warnings(context),
    }


_UNAVAILABLE: Json = dict.fromkeys(("ping_s", "used_bytes", "most_bytes", "evicts"))


def _late_game_json(game_id: str, game: KnownGame) -> Json:
    facts = game.facts
    shown = {"id": game_id, "ruleset": facts.ruleset, "variant": facts.variant}
    return {**shown, "updated_at": rfc3339(facts.updated_ms)}


def _existing_games(context: Context, game_ids: list[str]) -> list[tuple[str, KnownGame]]:
    facts = zip(game_ids, game_facts.get_many(context, game_ids), strict=True)
    return [(game_id, one) for game_id, one in facts if one is not None]


def _disabled_webhooks(context: Context) -> list[tuple[str, StoredWebhook]]:
    players = context.outbox.subscribers(MAX_SUBSCRIBERS)
    webhooks = [(player, one) for player in players for one in context.webhooks.get_all(player) if not one.enabled]
    return webhooks[:MAX_ON_A_PAGE]


def drain(context: Context, caller: Caller, name: str) -> None:
    """Stop the process from taking jobs, for a day or until `resume`. Raises: process/not_found."""
    _log_act(context, caller, "drain_process", name)
    context.queue.drain(name)


def resume(context: Context, caller: Caller, name: str) -> None:
    """Let a drained process take jobs again. Raises: process/not_found."""
    _log_act(context, caller, "resume_process", name)
    context.queue.resume(name)


def _log_act(context: Context, caller: Caller, act: str, process: str) -> None:
    """Add an entry of an act on a living process. Raises: process/not_found."""
    actor = access.must_be_staff(context, caller, ADMIN)
    if not any(process in context.queue.names(kind) for kind in WORKING):
        raise GameError("process/not_found")
    context.moderation.append(LogEntry(actor, act, "process", process))


def settings(context: Context, caller: Caller) -> list[Json]:
    """Return name, value and meaning of all settings, without secrets. Raises: as `must_be_staff`."""
    access.must_be_staff(context, caller, ADMIN)
    return [dict(zip(("name", "value", "meaning"), row, strict=True)) for row in context.settings.rows()]
