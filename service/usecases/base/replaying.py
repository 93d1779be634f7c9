"""Rebuild a game at a revision from its log, starting at the nearest checkpoint.

Besides the log, the store has two forms of a position. A **snapshot** is the record in the layout of the current rules.
It is used only if its tag matches their sources and its seal is intact. A **checkpoint** is a snapshot at every 32nd
revision, with the rest of the game. The view contains the **position for later rules** in wire form, with the number of
that form. A game continues from it after the rules have changed. All of this can be computed from the log. If anything
is missing, it is recomputed and, if the store accepts writes, stored again.
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
from service.record_reader import reading
from service.rulesets.ruleset import DamagedSnapshotError, Json, Position, Ruleset
from service.storage.base.connect import RedisError
from service.storage.base.scripts import DamagedRecordError
from service.storage.games.stored_game import StoredGame
from service.usecases.base.context import Context

POSITION_FORM = b"1"
"""Version of the form in which the view has the position."""


def events_of(
    context: Context, game_id: str, after: int, last: int | None = None, count: int | None = None
) -> Iterator[Event]:
    """Yield at most `count` events of a stored log after the revision `after`, up to `last`."""
    log_entries = context.store.log(game_id, after, last, count)
    for revision, entry in log_entries:
        with reading("event", f"{revision} of {game_id}"):
            event = events.read(orjson.loads(entry), revision)
        yield event


def replay(context: Context, game: Game, revision: int) -> Game:
    """Return the game at a revision, from its log. Raises: game/rebased if that needs older rules."""
    start = _replay_start(game, revision)
    state = _checkpoint(context, game, revision, start.revision) or start
    checkpoints = dict[int, bytes]()
    for _, state in log.steps(state, events_of(context, game.meta.id, state.revision, revision)):  # noqa: B020 - advances
        if state.is_checkpoint:
            checkpoints[state.revision] = checkpoint_bytes(state)
            time.sleep(0)  # let other greenlets run: a log may be very long
    if checkpoints:
        store_computed(context, game, {}, checkpoints)
    return state


def replay_steps(context: Context, game: Game) -> tuple[Game, Iterator[tuple[Event, Game]]]:
    """Return the first game that the current rules can replay, and each later event with the game after it."""
    start = _replay_start(game, game.revision)
    return start, log.steps(start, events_of(context, game.meta.id, start.revision, game.revision))


def _replay_start(game: Game, revision: int) -> Game:
    """Return the game from which the current rules can replay to `revision`. Raises: game/rebased."""
    base = game.base
    if base is None:
        return Game.new(game.meta)
    if revision < base.revision:
        raise GameError("game/rebased", since=base.revision)
    position: Position = game.ruleset.read(base.position)
    return replace(Game.from_state(game.meta, base.revision, base.state, position), base=base)


def checkpoint_bytes(game: Game) -> bytes:
    """Serialize the game as a checkpoint."""
    return orjson.dumps(game.state()) + b"\n" + position_of(game).to_snapshot()


def _checkpoint(context: Context, game: Game, revision: int, least: int) -> Game | None:
    """Return the game at the last checkpoint after `least` and up to `revision`, or None if invalid."""
    at = checkpoint_before(revision)
    content = context.store.checkpoint(game.meta.id, at) if at > least else None
    if content is None:
        return None
    try:
        state, _, snapshot = content.partition(b"\n")
        position = game.ruleset.from_snapshot(snapshot)
    except DamagedSnapshotError:  # damaged, or of other sources or an older form
        return None
    return Game.from_state(game.meta, at, orjson.loads(state), position)


def store_computed(context: Context, game: Game, fields: dict[str, bytes], checkpoints: dict[int, bytes]) -> None:
    """Store computed values. Errors are ignored, because the caller is only reading."""
    with contextlib.suppress(RedisError, DamagedRecordError):
        context.store.refresh(game.meta.id, game.revision, fields, checkpoints)


# ---------------------------------------------------------------------------------------- newer rules


def rebase(game: Game, stored: StoredGame, ruleset: Ruleset) -> Game:
    """Return a game of older rules so that the current rules can continue it from its position."""
    position = _position_of(stored)
    base = Base(stored.revision, ruleset.version, position, replace(game, base=None).state_json())
    return replace(game, position=ruleset.read(position), base=base)


def _position_of(stored: StoredGame) -> Json:
    """Return the position in wire form. An older version stored it outside the view, with its revision."""
    members: Json = orjson.loads(zlib.decompress(stored.position)) if stored.position else {}
    if members.get("revision") == stored.revision:
        return dict(members["position"])
    return dict(orjson.loads(stored.view)["position"])
