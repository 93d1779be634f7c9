"""Commands append to a game's log on request.

Every command is checked in the same order: caller, repeated request (idempotency), expected revision, and then the
command's own conditions, such as turn and legality.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, ParamSpec

from service.games.errors import GameError
from service.games.session import GameSession
from service.storage.base.optimistic import optimistic
from service.storage.games.store import KeyTakenError
from service.usecases.base import access, replaying, repository
from service.usecases.base.access import Roles
from service.usecases.base.context import Caller, CommandResult, Context, Idempotency
from service.usecases.base.repository import IDEMPOTENCY_TTL_S, Extras, Loaded, Revisions
from service.usecases.games import shares

Arguments = ParamSpec("Arguments")
"""Arguments of a command besides the request."""
ANY_REVISION = range(2**53)
"""Expected revisions of a request with `If-Match: *`."""


@dataclass(frozen=True)
class Request:
    """Caller, game, expected revisions (None: not given) and idempotency key of a command."""

    caller: Caller
    game_id: str
    expected: Revisions | None = None
    idempotency: Idempotency | None = None


@dataclass(frozen=True)
class Invocation:
    """One execution of a command: the request, the session that it changes, and the caller's roles in the game."""

    context: Context
    request: Request
    session: GameSession
    roles: Roles

    def seat(self, requested: int | None = None) -> int:
        """Return the caller's seat. Raises: auth/wrong_seat."""
        return access.seat_of(self.roles, self.session.game, requested)


Command = Callable[Concatenate[Context, Request, Arguments], CommandResult]


def command(function: Callable[Concatenate[Invocation, Arguments], None]) -> Command[Arguments]:
    """Turn a change of a session into a command that loads, checks and commits the game.

    A repeated request returns the result of the first one. If another command or an AI commits first, a request without
    an expected revision, or one that expects any, is retried.
    """

    @functools.wraps(function)
    def execute(
        context: Context, request: Request, /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> CommandResult:
        def attempt() -> CommandResult:
            return _attempt(context, request, lambda invocation: function(invocation, *args, **kwargs))

        return optimistic(
            attempt, lambda error: request.expected in (None, ANY_REVISION) and repository.is_stale(error)
        )

    return execute


def _attempt(context: Context, request: Request, function: Callable[[Invocation], None]) -> CommandResult:
    caller, key, remember = request.caller, request.idempotency, None
    loaded = repository.load_with_role(context, request.game_id, caller)
    if key is not None:
        remember = (repository.idempotency_suffix(caller.digest, key.key), key.body_hash, IDEMPOTENCY_TTL_S)
    session = repository.open_session(context, loaded.game, lambda: shares.new_game_id(context, caller))
    try:
        repository.must_match(loaded, request.expected)
        function(Invocation(context, request, session, loaded.roles))
        if session.events:
            view = repository.append(context, session, Extras(remember=remember))
        elif (earlier := _earlier_result(context, request, loaded)) is not None:
            return earlier
        else:
            view = loaded.stored.view  # the game already has the requested state
    except (GameError, KeyTakenError) as error:
        entry = error.replay_entry if isinstance(error, KeyTakenError) else None
        if (earlier := _earlier_result(context, request, loaded, entry)) is None:
            raise
        return earlier
    if session.events:
        repository.wake(context, session.game)
    return repository.result_of(session, view, caller.language)


def _earlier_result(
    context: Context, request: Request, loaded: Loaded, replay_entry: bytes | None = None
) -> CommandResult | None:
    """Rebuild the result of an earlier request with the same key from the log; None if there was none.

    Without `replay_entry`, load it. That is only necessary if nothing was committed, because a commit checks the key.
    """
    caller, key = request.caller, request.idempotency
    if key is None:
        return None
    if replay_entry is None:
        suffix = repository.idempotency_suffix(caller.digest, key.key)
        replay_entry = context.store.replay_entry(request.game_id, suffix)
    if replay_entry is None:
        return None
    entry = repository.read_replay_entry(replay_entry, key)
    loaded = repository.ensure_revision(context, loaded, entry["last"])
    events = replaying.events_of(context, loaded.game.meta.id, entry["first"] - 1, entry["last"])
    view = repository.view_at(context, loaded, entry["last"])
    events_json = repository.events_json(loaded.game, events, caller.language)
    return CommandResult(entry["last"], events_json, view, loaded.game.rematch, replayed=True)
