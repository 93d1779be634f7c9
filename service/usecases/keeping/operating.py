"""The operator's page: state of the service, and drained processes."""

from __future__ import annotations

from dataclasses import dataclass

from service.storage.base.follow_ups import Actor, LogEntry
from service.storage.notifications.webhooks import StoredWebhook
from service.storage.people.moderation import ADMIN
from service.storage.people.players import StoredPlayer
from service.storage.work import store_metrics
from service.storage.work.store_metrics import Server, Waiting
from service.usecases.base import access, game_facts, handles
from service.usecases.base.context import Caller, Context
from service.usecases.base.game_facts import KnownGame

WORKING = ("worker", "background", "dialer")
PROCESSES = ("keeper", *WORKING)
LATE_MS = 5_000
"""A decision overdue by this time is shown as late."""
MAX_ON_A_PAGE = 50
MAX_SUBSCRIBERS = 1_000
"""Maximum number of players whose webhooks are checked."""


@dataclass(frozen=True)
class Overview:
    """State of the service and a page of games, longest remaining lifetime first. `cursor`: of the next page."""

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
    games: list[tuple[str, KnownGame]]
    cursor: str | None


def overview(context: Context, caller: Caller, cursor: str | None) -> Overview:
    """Return the overview. Raises: `ValueError` for an invalid cursor, and as `must_be_staff`."""
    access.must_be_staff(context, caller, ADMIN)
    store, queue, now = context.store, context.queue, context.now_ms()
    page = store.list_all(cursor, MAX_ON_A_PAGE)
    queue_servers = {f"queue {number}": one for number, one in enumerate(queue.servers, 1)}
    servers = store_metrics.servers({"games": store.redis, **queue_servers})
    answering = [one for name, one in queue_servers.items() if servers[name] is not None]
    return Overview(
        stored_games=store.count(),
        due=store_metrics.due(store.redis, store.keys, now),
        queues=store_metrics.queues(answering),
        processes=store_metrics.count_heartbeats(answering, PROCESSES),
        working={kind: queue.names(kind) for kind in WORKING},
        servers=servers,
        late=_existing_games(context, store.schedule.due(now - LATE_MS, MAX_ON_A_PAGE)),
        disabled=_disabled_webhooks(context),
        games=_existing_games(context, [game_id for game_id, _ in page.games]),
        cursor=page.cursor,
    )


def _existing_games(context: Context, game_ids: list[str]) -> list[tuple[str, KnownGame]]:
    facts = zip(game_ids, game_facts.get_many(context, game_ids), strict=True)
    return [(game_id, one) for game_id, one in facts if one is not None]


def _disabled_webhooks(context: Context) -> list[tuple[str, StoredWebhook]]:
    players = context.outbox.subscribers(MAX_SUBSCRIBERS)
    webhooks = [(player, one) for player in players for one in context.webhooks.get_all(player) if not one.enabled]
    return webhooks[:MAX_ON_A_PAGE]


def drain(context: Context, caller: Caller, name: str) -> None:
    """Stop the process from taking jobs, for a day or until `resume`."""
    _log(context, access.must_be_staff(context, caller, ADMIN), "drain_process", name)
    context.queue.drain(name)


def resume(context: Context, caller: Caller, name: str) -> None:
    """Let a drained process take jobs again."""
    _log(context, access.must_be_staff(context, caller, ADMIN), "resume_process", name)
    context.queue.resume(name)


def _log(context: Context, actor: Actor, act: str, process: str) -> None:
    context.moderation.append(LogEntry(actor, act, "process", process))


def get_player(context: Context, caller: Caller, word: str) -> StoredPlayer:
    """Return the player with this id or handle. Raises: player/not_found, and as `must_be_staff`."""
    access.must_be_staff(context, caller, ADMIN)
    return handles.must_find(context, word)
