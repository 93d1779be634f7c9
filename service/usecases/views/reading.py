"""Reading: the game now, later, and as it was; what is legal; the log; and following a game live."""

from __future__ import annotations

import time
import zlib
from collections.abc import Generator, Iterator
from dataclasses import replace
from types import MappingProxyType

import orjson

from service.games import log
from service.games.errors import GameError
from service.games.events import Event
from service.games.state.model import Game
from service.games.state.statuses import UNFINISHED
from service.rulesets.ruleset import Position
from service.rulesets.wire import Json
from service.storage.games.stored import Glance
from service.usecases.base import access, archived, game_facts, replaying, repository
from service.usecases.base.context import Caller, Context
from service.usecases.base.repository import Loaded
from service.usecases.positions.legal import Members, legal_actions, listed
from service.usecases.views import viewers
from service.usecases.views.viewers import OPENLY, Look, Viewer

STEPS_AT_ONCE = 50  # events that a follower reads


def glance(context: Context, caller: Caller, game_id: str) -> tuple[int, bytes]:
    """Revision and view: one command to Redis, nothing decoded."""
    found = _readable(context, caller, game_id)
    return found.revision, found.view


def _readable(context: Context, caller: Caller, game_id: str) -> Glance:
    found = context.store.glance(game_id, *caller.along)
    if found is None and archived.restored(context, game_id):
        found = context.store.glance(game_id)
    if found is None:
        raise GameError("game/not_found")
    if found.visibility == "private":
        access.must_read(found.visibility, access.roles_of(context, caller, game_id))
    return found


def readable(context: Context, caller: Caller, game_id: str) -> Loaded:
    """The game, if the caller may read it. A ticket is spent by it. game/not_found, auth/ticket_unknown."""
    of_ticket = None if caller.ticket is None else access.roles_of(context, caller, game_id)
    loaded = repository.load(context, game_id, caller)
    if of_ticket is not None:
        loaded = replace(loaded, roles=of_ticket)
    access.must_read(loaded.stored.visibility, loaded.roles)
    return loaded


def wait(
    context: Context, caller: Caller, game_id: str, revision: int, timeout_s: float, look: Look = OPENLY
) -> tuple[int, bytes] | None:
    """Revision and view as soon as the game is newer than `revision`; None when the time runs out before.

    At once where it is older: the store has lost what the caller knows. `look`: how who waits is seen.
    """
    now, view = glance(context, caller, game_id)
    if now != revision:
        return now, view
    with viewers.waiting(context, caller, game_id, timeout_s, look):
        if not context.hub.wait(game_id, revision, timeout_s):
            return None
    return glance(context, caller, game_id)


def legal(
    context: Context,
    caller: Caller,
    game_id: str,
    action_filter: Members = MappingProxyType({}),
    page: slice = slice(None),
) -> Json:
    """The legal actions of the seat to decide that have these members, how many they are, and a page of them."""
    game = readable(context, caller, game_id).game
    total, actions = listed(_position_to_decide(game), caller.language, action_filter, page)
    return {"revision": game.revision, "seat": game.to_decide, "total": total, "actions": actions}


def choices(context: Context, caller: Caller, game_id: str) -> Json:
    """The legal actions of the seat to decide in factored form, and how many they are."""
    game = readable(context, caller, game_id).game
    position = _position_to_decide(game)
    total, offered = (0, None) if position is None else (len(legal_actions(position)), position.choices())
    return {"revision": game.revision, "seat": game.to_decide, "total": total, "choices": offered}


def _position_to_decide(game: Game) -> Position | None:
    """None while nobody is to decide: before the start, after a resignation or the end."""
    return None if game.to_decide is None else game.position


def history(context: Context, caller: Caller, game_id: str, after: int = 0, limit: int = 500) -> Json:
    """The log after a revision, with sentences."""
    loaded = readable(context, caller, game_id)
    events = replaying.events_of(context, game_id, after, loaded.game.revision, limit)
    return {"revision": loaded.game.revision, "events": repository.events_json(loaded.game, events, caller.language)}


def at(context: Context, caller: Caller, game_id: str, revision: int) -> bytes:
    """The view at a revision. game/revision_not_found, game/rebased."""
    return repository.view_at(context, readable(context, caller, game_id), revision)


def follow(
    context: Context,
    caller: Caller,
    game_id: str,
    after: int | None,
    keep_alive_s: float = 15.0,
    look: Look = OPENLY,
) -> Generator[Json | None, None, None]:
    """A snapshot and then each event with the view it left, as they come; only events where `after` is given.

    None after `keep_alive_s` in which nothing happened. Ends when the game has, or when it is no longer there.
    Whatever is wrong with the request is raised here, before the first item. Who follows is seen to be there until
    the items end or are closed; `look`: how.
    """
    loaded = readable(context, caller, game_id)
    game = loaded.game
    viewer = Viewer(context, game_id, loaded.roles, loaded.player, look)
    if after is None:
        items = _follow(context, caller, game, orjson.loads(loaded.stored.view), keep_alive_s)
    elif 0 <= after <= game.revision:
        seen = game if after == game.revision else replaying.replay(context, game, after)
        items = _follow(context, caller, seen, None, keep_alive_s)
    else:
        raise GameError("game/revision_not_found", revision=game.revision)
    return items if game.is_over else viewer.during(items)


def has_ended(context: Context, game_id: str, after: int) -> bool:
    """Whether the game is over and nothing comes after that revision."""
    (seen,) = game_facts.games(context, [game_id])
    return seen is not None and seen.facts.revision == after and seen.facts.status not in UNFINISHED


def _follow(
    context: Context, caller: Caller, game: Game, snapshot: Json | None, keep_alive_s: float
) -> Generator[Json | None, None, None]:
    if snapshot is not None:
        yield {"type": "snapshot", "revision": game.revision, "game": snapshot}
    while True:
        for event, after in _next_steps(context, game):
            time.sleep(0)  # let others run: a follower may have much to catch up on
            game = after
            view = orjson.loads(_view(context, game))
            entry = repository.events_json(game, [event], caller.language)[0]
            yield {"type": "event", "revision": game.revision, "event": entry, "game": view}
        if game.is_over:
            return
        if not context.hub.wait(game.meta.id, game.revision, keep_alive_s):
            if context.store.revision(game.meta.id) == 0:
                return
            yield None


def _view(context: Context, game: Game) -> bytes:
    """The game's view, from memory if this process has made it lately."""
    return context.views.get((game.meta.id, game.revision), lambda: repository.viewed(context, game))


def _known_steps(context: Context, game: Game) -> Iterator[tuple[Event, Game]]:
    """The next events, each with the game after it, as far as another follower in this process has read them."""
    while (step := context.steps.known((game.meta.id, game.revision + 1))) is not None:
        yield step
        game = step[1]


def _next_steps(context: Context, game: Game) -> list[tuple[Event, Game]]:
    """The same, out of the log where nobody has read it yet."""
    if known := list(_known_steps(context, game)):
        return known
    with context.reading[zlib.crc32(game.meta.id.encode()) % len(context.reading)]:
        if known := list(_known_steps(context, game)):
            return known
        events = replaying.events_of(context, game.meta.id, game.revision, count=STEPS_AT_ONCE)
        for event, after in (steps := [*log.steps(game, events)]):
            context.steps.put((game.meta.id, event.revision), (event, after))
        return steps
