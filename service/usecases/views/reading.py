"""Read games: view, legal actions, log; wait for changes and follow them live."""

from __future__ import annotations

import time
import zlib
from collections.abc import Generator, Iterator, Mapping
from functools import partial
from types import MappingProxyType

import orjson

from service.games import log
from service.games.errors import GameError
from service.games.events import Event
from service.games.state.model import Game
from service.games.state.statuses import UNFINISHED
from service.rulesets.ruleset import Position
from service.rulesets.wire import Json
from service.storage.games.hub import KEEP_ALIVE_S
from service.usecases.base import access, archived_games, game_facts, replaying, repository
from service.usecases.base.context import Caller, Context
from service.usecases.base.repository import Loaded
from service.usecases.positions.action_filters import Value, read_filters
from service.usecases.positions.legal import legal_actions, list_actions
from service.usecases.views import viewers
from service.usecases.views.viewers import DEFAULT_OPTIONS, Viewer, ViewerOptions

STEPS_AT_ONCE = 50  # events that a follower reads at a time


def glance(context: Context, caller: Caller, game_id: str) -> tuple[int, bytes]:
    """Return revision and view, with one Redis command and without decoding."""
    stored = context.store.glance(game_id, *caller.extra_reads)
    if stored is None and archived_games.restore(context, game_id):
        stored = context.store.glance(game_id)
    if stored is None:
        raise GameError("game/not_found")
    if stored.visibility == "private":
        reader = access.redeem(context, caller, game_id)
        access.must_read(stored.visibility, access.find_roles(context, reader, game_id)[0])
    return stored.revision, stored.view


def readable(context: Context, caller: Caller, game_id: str) -> Loaded:
    """Return the game if the caller can read it. This uses up a ticket. Raises: game/not_found, auth/ticket_unknown."""
    loaded = repository.load(context, game_id, access.redeem(context, caller, game_id))
    access.must_read(loaded.stored.visibility, loaded.roles)
    return loaded


def wait(
    context: Context,
    caller: Caller,
    game_id: str,
    revision: int,
    timeout_s: float,
    options: ViewerOptions = DEFAULT_OPTIONS,
) -> tuple[int, bytes] | None:
    """Return revision and view as soon as the game has another revision; None after the timeout.

    Returns at once if the game is older than `revision`, because Redis has lost writes.
    """
    current, view = glance(context, caller, game_id)
    if current != revision:
        return current, view
    with viewers.waiting(context, caller, game_id, timeout_s, options):
        if not context.hub.wait(game_id, revision, timeout_s):
            return None
    return glance(context, caller, game_id)


def list_legal_actions(
    context: Context,
    caller: Caller,
    game_id: str,
    action_filters: Mapping[str, Value] = MappingProxyType({}),
    page: slice = slice(None),
) -> Json:
    """Return the legal actions of the seat to decide that have these fields: their number and a page of them.

    Raises: request/invalid if the game's ruleset does not have a filter or its value.
    """
    game = readable(context, caller, game_id).game
    filters = read_filters(game.ruleset, action_filters)
    total, actions = list_actions(_position_to_decide(game), caller.language, filters, page)
    return {"revision": game.revision, "seat": game.to_decide, "total": total, "actions": actions}


def legal_choices(context: Context, caller: Caller, game_id: str) -> Json:
    """Return the legal actions of the seat to decide as choices, and their number."""
    game = readable(context, caller, game_id).game
    position = _position_to_decide(game)
    total, offered = (0, None) if position is None else (len(legal_actions(position)), position.choices())
    return {"revision": game.revision, "seat": game.to_decide, "total": total, "choices": offered}


def _position_to_decide(game: Game) -> Position | None:
    """Return the position, or None if no seat can decide, such as before the start or after the end."""
    return None if game.to_decide is None else game.position


def history(context: Context, caller: Caller, game_id: str, after: int = 0, limit: int = 500) -> Json:
    """Return the log after a revision, with sentences."""
    loaded = readable(context, caller, game_id)
    events = replaying.events_of(context, game_id, after, loaded.game.revision, limit)
    return {"revision": loaded.game.revision, "events": repository.events_json(loaded.game, events, caller.language)}


def view_at(context: Context, caller: Caller, game_id: str, revision: int) -> bytes:
    """Return the view at a revision. Raises: game/revision_not_found, game/rebased."""
    return repository.view_at(context, readable(context, caller, game_id), revision)


def follow(
    context: Context,
    caller: Caller,
    game_id: str,
    after: int | None,
    keep_alive_s: float = KEEP_ALIVE_S,
    options: ViewerOptions = DEFAULT_OPTIONS,
) -> Generator[Json | None, None, None]:
    """Yield a snapshot and then each event with the view after it; with `after`, only later events.

    Yields None after `keep_alive_s` without events. Ends when the game is over or deleted. Errors in the request are
    raised before the first item. The caller is shown as a viewer until the items end or are closed.
    """
    reader = access.redeem(context, caller, game_id)
    loaded = readable(context, reader, game_id)
    game, player = loaded.game, loaded.player
    if reader is not caller:  # a ticket names nobody, but the token beside it does
        player = None if access.holder_of(context, caller) is None else caller.player_id
    viewer = Viewer(context, game_id, loaded.roles, player, options)
    if after is None:
        items = _follow(context, caller, game, orjson.loads(loaded.stored.view), keep_alive_s)
    elif 0 <= after <= game.revision:
        known = game if after == game.revision else replaying.replay(context, game, after)
        items = _follow(context, caller, known, None, keep_alive_s)
    else:
        raise GameError("game/revision_not_found", revision=game.revision)
    if game.is_over:
        return items
    is_private = loaded.stored.visibility == "private"

    def is_allowed() -> bool:
        """Return whether the credentials of the request are still good."""
        roles, owner = access.find_roles(context, reader, game_id)
        is_named = reader is caller or player is None or access.holder_of(context, caller) is not None
        return is_named and (bool(roles) or (owner is not None and not is_private))

    if loaded.roles or loaded.player is not None:
        items = access.until_refused(items, is_allowed, 0.0 if is_private else keep_alive_s)
    return viewer.show_during(items)


def has_ended(context: Context, game_id: str, after: int) -> bool:
    """Return whether the game is over and has no events after the revision."""
    (stored,) = game_facts.get_many(context, [game_id])
    return stored is not None and stored.facts.revision == after and stored.facts.status not in UNFINISHED


def _follow(
    context: Context, caller: Caller, game: Game, snapshot: Json | None, keep_alive_s: float
) -> Generator[Json | None, None, None]:
    if snapshot is not None:
        yield {"type": "snapshot", "revision": game.revision, "game": snapshot}
    while True:
        for event, after in _next_steps(context, game):
            time.sleep(0)  # let other greenlets run: a follower may be far behind
            game = after
            key = (game.meta.id, game.revision)
            view = orjson.loads(context.views.get(key, partial(repository.serialize_view, context, game)))
            entry = repository.events_json(game, [event], caller.language)[0]
            yield {"type": "event", "revision": game.revision, "event": entry, "game": view}
        if game.is_over:
            return
        if not context.hub.wait(game.meta.id, game.revision, keep_alive_s):
            if context.store.revision(game.meta.id) == 0:
                return
            yield None


def _known_steps(context: Context, game: Game) -> Iterator[tuple[Event, Game]]:
    """Yield the next cached events, each with the game after it."""
    while (step := context.steps.peek((game.meta.id, game.revision + 1))) is not None:
        yield step
        game = step[1]


def _next_steps(context: Context, game: Game) -> list[tuple[Event, Game]]:
    """Return the next events with the games after them, from the cache or else from the log."""
    if steps := list(_known_steps(context, game)):
        return steps
    with context.log_locks[zlib.crc32(game.meta.id.encode()) % len(context.log_locks)]:
        if steps := list(_known_steps(context, game)):
            return steps
        events = replaying.events_of(context, game.meta.id, game.revision, count=STEPS_AT_ONCE)
        for event, after in (steps := [*log.steps(game, events)]):
            context.steps.set((game.meta.id, event.revision), (event, after))
        return steps
