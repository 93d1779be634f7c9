"""What the operator's page shows and does: the state of the service, games to end, players to ban."""

from __future__ import annotations

from dataclasses import dataclass

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.storage.notifications.webhooks import StoredWebhook
from service.storage.people.players import StoredPlayer
from service.storage.work import store_metrics
from service.storage.work.store_metrics import Server, Waiting
from service.usecases.base import access, game_facts, handles
from service.usecases.base.context import Caller, Context
from service.usecases.base.game_facts import Known
from service.usecases.matchmaking import pairing

WORKING = ("worker", "background", "dialer")
PROCESSES = ("keeper", *WORKING)
LATE_MS = 5_000
"""A decision that is due for so long is shown as late."""
MAX_ON_A_PAGE = 50
MAX_HOOKED = 1_000
"""Players whose webhooks are looked at."""


@dataclass(frozen=True)
class Overview:
    """The state of the service, and the games that live longest; `cursor`: of the next page of these."""

    stored_games: int
    due: dict[str, Waiting]
    queues: dict[str, Waiting]
    processes: dict[str, int]
    working: dict[str, dict[str, bool]]
    """Those that take jobs, by kind and name, and whether each is drained."""
    servers: dict[str, Server | None]
    """None: it does not answer, and is not counted in."""
    late: list[tuple[str, Known]]
    disabled: list[tuple[str, StoredWebhook]]
    """Webhooks with the ids of their players."""
    games: list[tuple[str, Known]]
    cursor: str | None


def overview(context: Context, caller: Caller, cursor: str | None) -> Overview:
    """All of it. auth/admin_only; ValueError for a cursor that is none."""
    access.must_be_admin(context, caller)
    store, queue, now = context.store, context.queue, context.now_ms()
    page = store.every_game(cursor, MAX_ON_A_PAGE)
    queue_servers = {f"queue {number}": one for number, one in enumerate(queue.servers, 1)}
    servers = store_metrics.servers({"games": store.redis, **queue_servers})
    answering = [one for name, one in queue_servers.items() if servers[name] is not None]
    return Overview(
        stored_games=store.count(),
        due=store_metrics.due(store.redis, store.keys, now),
        queues=store_metrics.queues(answering),
        processes=store_metrics.beating(answering, PROCESSES),
        working={kind: queue.names(kind) for kind in WORKING},
        servers=servers,
        late=_there(context, store.schedule.due(now - LATE_MS, MAX_ON_A_PAGE)),
        disabled=_disabled(context),
        games=_there(context, [game_id for game_id, _ in page.games]),
        cursor=page.cursor,
    )


def _there(context: Context, game_ids: list[str]) -> list[tuple[str, Known]]:
    found = zip(game_ids, game_facts.games(context, game_ids), strict=True)
    return [(game_id, one) for game_id, one in found if one is not None]


def _disabled(context: Context) -> list[tuple[str, StoredWebhook]]:
    hooked = context.outbox.hooked(MAX_HOOKED)
    return [(player, one) for player in hooked for one in context.webhooks.of(player) if not one.enabled][
        :MAX_ON_A_PAGE
    ]


def drain(context: Context, caller: Caller, name: str) -> None:
    """The process of that name takes no more jobs, for a day at most, or until it is let `go_on`."""
    access.must_be_admin(context, caller)
    context.queue.drain(name)


def go_on(context: Context, caller: Caller, name: str) -> None:
    """It takes jobs again."""
    access.must_be_admin(context, caller)
    context.queue.go_on(name)


def player(context: Context, caller: Caller, word: str) -> StoredPlayer:
    """The player of this id or handle. auth/admin_only, player/not_found."""
    access.must_be_admin(context, caller)
    return handles.found(context, word)


def ban(context: Context, caller: Caller, player_id: str) -> None:
    """The player's tokens are good for nothing from now on, and they look for nobody and ask nobody any more."""
    one = player(context, caller, player_id)
    _change(context, one, rfc3339(context.now_ms()))
    pairing.end_all_of(context, one.id)


def unban(context: Context, caller: Caller, player_id: str) -> None:
    """Their tokens are good again."""
    _change(context, player(context, caller, player_id), None)


def _change(context: Context, one: StoredPlayer, banned_at: str | None) -> None:
    if not context.players.change(one, {"banned_at": banned_at}):
        raise GameError("player/not_found")
