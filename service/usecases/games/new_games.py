"""Store new games."""

from __future__ import annotations

import orjson

from service.games.session import GameSession
from service.games.state.model import Game, Meta
from service.usecases.base import repository
from service.usecases.base.context import Context
from service.usecases.base.repository import Extras
from service.usecases.games import consents


def new_session(meta: Meta) -> GameSession:
    """Return the session of a new game. It starts at once if no seat is open."""
    session = GameSession(Game.new(meta), meta.created_at)
    session.create()
    return session


def creation_extras(meta: Meta, holders: dict[str, str]) -> Extras:
    """Return the extras of a new game's commit. `holders`: roles by digest of a token or ``player:<id>``."""
    fields = {"meta": orjson.dumps(meta.to_json()), "visibility": meta.visibility.encode()}
    return Extras(tokens=holders, more_fields=fields)


def store(context: Context, session: GameSession, holders: dict[str, str]) -> None:
    """Commit a new game and wake its first decider. Raises `GameExistsError`."""
    commit, _ = repository.build_commit(context, session, creation_extras(session.game.meta, holders))
    consents.record_start(context, session.game)
    context.store.create(session.game.meta.id, commit)
    repository.wake(context, session.game)
