"""Decisions: an action, a trial of one, a resignation, an abort.

The order of judgement is fixed: who asks, whether the request was served before (idempotency), which revision it
was decided on, and only then turn and legality.
"""

from __future__ import annotations

from collections.abc import Callable

from service.games.errors import GameError
from service.games.session import GameSession
from service.rulesets.ruleset import Json
from service.state.store import KeyTaken
from service.usecases.core import access, game_ids, replaying, repository
from service.usecases.core.access import Roles
from service.usecases.core.actions import read_action
from service.usecases.core.context import Caller, Context, Idempotency, Written
from service.usecases.core.i18n import refusal
from service.usecases.core.repository import IDEMPOTENCY_TTL_S, Extras, Loaded

Command = Callable[[GameSession, Roles], None]


def act(
    context: Context,
    caller: Caller,
    game_id: str,
    action_id: str | None,
    action: Json | None,
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """One action of the caller's seat, by its id or by its fields."""

    def command(session: GameSession, roles: Roles) -> None:
        seat = access.seat_of(roles, session.game)
        if expected is None:
            raise GameError("game/revision_required")
        _act(session, caller, seat, action_id, action)

    return perform(context, caller, game_id, expected, idempotency, command)


def dry_run(
    context: Context,
    caller: Caller,
    game_id: str,
    action_id: str | None,
    action: Json | None,
    expected: int | None,
) -> Written:
    """What would follow up to the first draw. Nothing is written."""
    loaded = repository.load(context, game_id, caller)
    access.must_hold_role(caller, loaded.stored.visibility, loaded.roles)
    repository.must_match(loaded, expected)
    session = repository.opened(context, loaded.game)
    _act(session, caller, access.seat_of(loaded.roles, loaded.game), action_id, action, draw=False)
    return repository.written(session, repository.viewed(context, session.game), caller.language)


def resign(
    context: Context,
    caller: Caller,
    game_id: str,
    seat: int | None,
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """The caller's seat gives up."""

    def command(session: GameSession, roles: Roles) -> None:
        session.resign(access.seat_of(roles, session.game, seat))

    return perform(context, caller, game_id, expected, idempotency, command)


def abort(
    context: Context, caller: Caller, game_id: str, expected: int | None, idempotency: Idempotency | None = None
) -> Written:
    """The host ends the game without an outcome; the operator may, whoever would lose by it."""

    def command(session: GameSession, roles: Roles) -> None:
        if access.ADMIN in roles:
            session.end()
        else:
            access.must_host(roles)
            session.abort()

    return perform(context, caller, game_id, expected, idempotency, command)


def perform(
    context: Context,
    caller: Caller,
    game_id: str,
    expected: int | None,
    idempotency: Idempotency | None,
    command: Command,
) -> Written:
    """Load, check, append, wake; or the answer that an earlier request with the same key got."""
    loaded = repository.load(context, game_id, caller)
    access.must_hold_role(caller, loaded.stored.visibility, loaded.roles)
    remember = None
    if idempotency is not None:
        suffix = repository.idempotency_suffix(caller.digest, idempotency.key)
        record = context.store.remembered(game_id, suffix)
        if record is not None:
            return _again(context, caller, loaded, record, idempotency)
        remember = (suffix, idempotency.body_hash, IDEMPOTENCY_TTL_S)
    repository.must_match(loaded, expected)
    session = repository.opened(context, loaded.game, lambda: game_ids.new_game_id(context, caller))
    command(session, loaded.roles)
    if not session.events:  # it is so already
        return repository.written(session, loaded.stored.view, caller.language)
    try:
        view = repository.append(context, session, Extras(remember=remember))
    except KeyTaken as taken:  # the same request, served while this one was judged
        if idempotency is None:
            raise
        return _again(context, caller, loaded, taken.record, idempotency)
    repository.wake(context, session.game)
    return repository.written(session, view, caller.language)


def _again(context: Context, caller: Caller, loaded: Loaded, record: bytes, idempotency: Idempotency) -> Written:
    """The answer of the request that the record is of, rebuilt from the log."""
    known = repository.recalled(record, idempotency)
    loaded = repository.at_least(context, loaded, known["last"])
    events = replaying.events_of(context, loaded.game.meta.id, known["first"] - 1, known["last"])
    view = repository.view_at(context, loaded, known["last"])
    told = repository.told(loaded.game, events, caller.language)
    return Written(known["last"], told, view, loaded.game.rematch, replayed=True)


def _act(
    session: GameSession, caller: Caller, seat: int, action_id: str | None, action: Json | None, *, draw: bool = True
) -> None:
    if not session.game.is_over:
        session.must_be_active(seat)
    try:
        session.act(seat, read_action(session.game.ruleset, action_id, action), draw=draw)
    except GameError as error:
        if error.code == "game/illegal_action":
            error.detail = refusal(session.game, error.extra["reason"], caller.language)
        raise
