"""What the operator and admins see and change of the service: its state, processes and settings."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.base.follow_ups import LogEntry
from service.storage.notifications.webhooks import StoredWebhook
from service.storage.people.moderation import ADMIN
from service.storage.work import store_metrics
from service.storage.work.store_metrics import Server, Waiting
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


@dataclass(frozen=True)
class State:
    """State of the service."""

    stored_games: int
    due: dict[str, Waiting]
    queues: dict[str, Waiting]
    processes: dict[str, int]
    working: dict[str, dict[str, bool]]
    """Processes that take jobs, by kind and name, and whether each is drained."""
    servers: dict[str, Server | None]
    """None: the server does not answer and is not included in the figures."""
    late: list[tuple[str, KnownGame]]
    disabled: list[tuple[str, StoredWebhook]]
    """Webhooks with the ids of their players."""


def state(context: Context, caller: Caller) -> Json:
    """Return the state of the service. Raises: as `must_be_staff`."""
    access.must_be_staff(context, caller, ADMIN)
    found = _state(context)
    servers = ((name, asdict(one) if one is not None else _UNAVAILABLE) for name, one in found.servers.items())
    working = [
        {"name": name, "kind": kind, "drained": drained}
        for kind, names in found.working.items()
        for name, drained in names.items()
    ]
    late = [
        {
            "id": game_id,
            "ruleset": one.facts.ruleset,
            "variant": one.facts.variant,
            "updated_at": rfc3339(one.facts.updated_ms),
        }
        for game_id, one in found.late
    ]
    return {
        "stored_games": found.stored_games,
        "living": [{"kind": kind, "count": count} for kind, count in found.processes.items()],
        "processes": working,
        "queues": [{"name": name, **asdict(one)} for name, one in found.queues.items()],
        "due": [{"name": name, **asdict(one)} for name, one in found.due.items()],
        "servers": [{"name": name, **one} for name, one in servers],
        "late_games": late,
        "disabled_webhooks": [
            {"player": player, "url": one.url, "reason": one.disabled_reason} for player, one in found.disabled
        ],
        "warnings": service_warnings(context),
    }


_UNAVAILABLE: Json = dict.fromkeys(("ping_s", "used_bytes", "most_bytes", "evicts"))


def _state(context: Context) -> State:
    store, queue, now = context.store, context.queue, context.now_ms()
    queue_servers = {f"queue {number}": one for number, one in enumerate(queue.servers, 1)}
    servers = store_metrics.servers({"games": store.redis, **queue_servers})
    answering = [one for name, one in queue_servers.items() if servers[name] is not None]
    return State(
        stored_games=store.count(),
        due=store_metrics.due(store.redis, store.keys, now),
        queues=store_metrics.queues(answering),
        processes=store_metrics.count_heartbeats(answering, PROCESSES),
        working={kind: queue.names(kind) for kind in WORKING},
        servers=servers,
        late=_existing_games(context, store.schedule.due(now - LATE_MS, MAX_ON_A_PAGE)),
        disabled=_disabled_webhooks(context),
    )


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
