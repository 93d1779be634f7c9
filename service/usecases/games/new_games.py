"""Store new games."""

from __future__ import annotations

import contextlib

import orjson

from service.games.session import GameSession
from service.games.state.model import Game, Meta
from service.games.state.seats import AI, HTTP
from service.storage.base.connect import RedisError
from service.storage.work.figures import GAMES
from service.usecases.base import repository
from service.usecases.base.context import Context
from service.usecases.base.repository import Extras
from service.usecases.games import consents

RATED_KIND, PEOPLE_KIND, COMPUTER_KIND = "rated", "people", "computer"
KINDS_OF_GAMES = (RATED_KIND, PEOPLE_KIND, COMPUTER_KIND)
"""Rated games, other games with seats for several people, and games with a seat for at most one person."""


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
    count(context, session.game)


def count(context: Context, game: Game) -> None:
    """Count a new game in the figures of the day, unless it was imported with actions."""
    if any(game.acted):
        return
    people = sum(seat.kind not in (AI, HTTP) for seat in game.seats)
    kind = RATED_KIND if game.meta.rated else PEOPLE_KIND if people > 1 else COMPUTER_KIND
    with contextlib.suppress(RedisError):  # the game exists
        context.figures.count(context.now_ms(), [f"{GAMES}{game.meta.ruleset}:{kind}"])
