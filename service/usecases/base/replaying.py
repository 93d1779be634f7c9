"""A game as it was: replayed from the nearest revision at which it was kept, or from its beginning.

Two things are kept of a position beside the log. A **snapshot** is the record as the present rules lay it out, and is
trusted only where its tag names their sources and its seal is whole; snapshots at every 32nd revision, with the rest
of the game, are **checkpoints**. The **position for later rules** is the one in the view, which is kept in wire form
with the number of that form: what a game goes on from when the rules have changed. All of it follows from the log, so
what is missing is computed again, and kept where the store can be written.
"""

from __future__ import annotations

import contextlib
import time
import zlib
from collections.abc import Iterator
from dataclasses import replace

import orjson

from service.games import events, log
from service.games.errors import GameError
from service.games.events import Event
from service.games.state.bounds import checkpoint_before
from service.games.state.model import Base, Game, position_of
from service.rulesets.ruleset import DamagedSnapshotError, Json, Position, Ruleset
from service.storage.base.connect import RedisError
from service.storage.base.scripts import DamagedRecordError
from service.storage.games.stored import Stored
from service.usecases.base.context import Context

FORM = b"1"
"""Of the position in the view, for later rules."""


def events_of(
    context: Context, game_id: str, after: int, last: int | None = None, count: int | None = None
) -> Iterator[Event]:
    """The events of a stored log after a revision, as far as `last`, and so many of them at most."""
    log_entries = context.store.log(game_id, after, last, count)
    return (events.read(orjson.loads(entry), revision) for revision, entry in log_entries)


def replay(context: Context, game: Game, revision: int) -> Game:
    """The game at a revision, from its log. game/rebased where older rules would be needed."""
    start = _beginning(game, revision)
    kept = _checkpoint(context, game, revision, start.revision)
    then, passed = kept or start, dict[int, bytes]()
    for _, then in log.steps(then, events_of(context, game.meta.id, then.revision, revision)):  # noqa: B020 - it advances
        if then.is_checkpoint:
            passed[then.revision] = checkpoint(then)
            time.sleep(0)  # let others run: the log of an older game may be very long
    if passed:
        keep(context, game, {}, passed)
    return then


def course(context: Context, game: Game) -> tuple[Game, Iterator[tuple[Event, Game]]]:
    """Where the present rules can begin to replay the log, and each event since then with the game after it."""
    start = _beginning(game, game.revision)
    return start, log.steps(start, events_of(context, game.meta.id, start.revision, game.revision))


def _beginning(game: Game, revision: int) -> Game:
    """Where the present rules can begin to replay, to come to a revision. game/rebased where it lies before."""
    base = game.base
    if base is None:
        return Game.new(game.meta)
    if revision < base.revision:
        raise GameError("game/rebased", since=base.revision)
    position: Position = game.ruleset.read(base.position)
    return replace(Game.restored(game.meta, base.revision, base.state, position), base=base)


def checkpoint(game: Game) -> bytes:
    """The game at its revision, as it is kept."""
    return orjson.dumps(game.state()) + b"\n" + position_of(game).to_snapshot()


def _checkpoint(context: Context, game: Game, revision: int, least: int) -> Game | None:
    """The game as it was kept at or before a revision; None if that was not, by other sources, or before `least`."""
    at = checkpoint_before(revision)
    content = context.store.checkpoint(game.meta.id, at) if at > least else None
    if content is None:
        return None
    try:
        state, _, snapshot = content.partition(b"\n")
        position = game.ruleset.from_snapshot(snapshot)
    except DamagedSnapshotError:  # or of other sources, or in an older form: it is computed again
        return None
    return Game.restored(game.meta, at, orjson.loads(state), position)


def keep(context: Context, game: Game, fields: dict[str, bytes], checkpoints: dict[int, bytes]) -> None:
    """Keep what was computed, where the store can be written; who reads must not suffer from it."""
    with contextlib.suppress(RedisError, DamagedRecordError):
        context.store.refresh(game.meta.id, game.revision, fields, checkpoints)


# ---------------------------------------------------------------------------------------- newer rules


def rebased(game: Game, stored: Stored, ruleset: Ruleset) -> Game:
    """The game, begun by older rules, where newer ones go on: what lies before is text only."""
    position = _position_of(stored)
    base = Base(stored.revision, ruleset.version, position, replace(game, base=None).state_json())
    return replace(game, position=ruleset.read(position), base=base)


def _position_of(stored: Stored) -> Json:
    """The position in wire form; a version that kept it beside the view told its revision."""
    members: Json = orjson.loads(zlib.decompress(stored.position)) if stored.position else {}
    if members.get("revision") == stored.revision:
        return dict(members["position"])
    return dict(orjson.loads(stored.view)["position"])
