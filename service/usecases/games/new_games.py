"""New games, as they are put into the store."""

from __future__ import annotations

import orjson

from service.games.session import GameSession
from service.games.state.model import Game, Meta
from service.usecases.base import repository
from service.usecases.base.context import Context
from service.usecases.base.repository import Extras


def created(meta: Meta) -> GameSession:
    """A game that begins as agreed; it starts at once where no seat is open."""
    session = GameSession(Game.new(meta), meta.created_at)
    session.create()
    return session


def first_extras(meta: Meta, holders: dict[str, str]) -> Extras:
    """What a new game brings beside its events. `holders`: roles by digest of a token, or ``player:<id>``."""
    fields = {"meta": orjson.dumps(meta.to_json()), "visibility": meta.visibility.encode()}
    return Extras(tokens=holders, more_fields=fields)


def keep(context: Context, session: GameSession, holders: dict[str, str]) -> None:
    """Keep a new game. Raises `GameExistsError`."""
    commit, _ = repository.commit_of(context, session, first_extras(session.game.meta, holders))
    context.store.create(session.game.meta.id, commit)
    repository.wake(context, session.game)
