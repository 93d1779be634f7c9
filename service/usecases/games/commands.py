"""Commands: what writes into a game's log at somebody's request.

The order of judgement is fixed: who asks, whether the request was served before (idempotency), which revision it
was decided on, and only then what the command itself asks for, such as turn and legality.
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
from service.usecases.base.context import Caller, Context, Idempotency, Written
from service.usecases.base.repository import IDEMPOTENCY_TTL_S, Extras, Loaded
from service.usecases.games import game_ids

Own = ParamSpec("Own")
"""The body of a command, without what all requests share."""


@dataclass(frozen=True)
class Request:
    """Who wants something of which game; and the revision they decided it on, if they say so."""

    caller: Caller
    game_id: str
    expected: int | None = None
    idempotency: Idempotency | None = None


@dataclass(frozen=True)
class Work:
    """What a command works with: the request, the session it writes into, the caller's roles in the game."""

    context: Context
    request: Request
    session: GameSession
    roles: Roles

    def seat(self, requested: int | None = None) -> int:
        """The caller's seat. auth/wrong_seat."""
        return access.seat_of(self.roles, self.session.game, requested)


Command = Callable[Concatenate[Context, Request, Own], Written]


def command(function: Callable[Concatenate[Work, Own], None]) -> Command[Own]:
    """Load, check, append, wake; or the answer that an earlier request with the same key got.

    A request that names no revision is judged anew where somebody was faster: another command, or an AI's move.
    """

    @functools.wraps(function)
    def performed(context: Context, request: Request, /, *args: Own.args, **more: Own.kwargs) -> Written:
        def attempt() -> Written:
            return _attempt(context, request, lambda work: function(work, *args, **more))

        return optimistic(attempt, lambda error: request.expected is None and repository.is_stale(error))

    return performed


def _attempt(context: Context, request: Request, function: Callable[[Work], None]) -> Written:
    caller, key, remember = request.caller, request.idempotency, None
    loaded = repository.load(context, request.game_id, caller)
    access.must_hold_role(caller, loaded.stored.visibility, loaded.roles)
    if key is not None:
        suffix = repository.idempotency_suffix(caller.digest, key.key)
        remember = (suffix, key.body_hash, IDEMPOTENCY_TTL_S)
    session = repository.opened(context, loaded.game, lambda: game_ids.new_game_id(context, caller))
    try:
        repository.must_match(loaded, request.expected)
        function(Work(context, request, session, loaded.roles))
        if not session.events:  # it is so already
            return _known(context, request, loaded) or repository.written(session, loaded.stored.view, caller.language)
        view = repository.append(context, session, Extras(remember=remember))
    except GameError:
        if (answer := _known(context, request, loaded)) is None:
            raise
        return answer
    except KeyTakenError as taken:
        if key is None:
            raise
        return _again(context, caller, loaded, taken.replay_entry, key)
    repository.wake(context, session.game)
    return repository.written(session, view, caller.language)


def _known(context: Context, request: Request, loaded: Loaded) -> Written | None:
    """The answer to an earlier request with the same key. Only asked where nothing is committed: a commit tells too."""
    if (key := request.idempotency) is None:
        return None
    suffix = repository.idempotency_suffix(request.caller.digest, key.key)
    replay_entry = context.store.remembered(request.game_id, suffix)
    return None if replay_entry is None else _again(context, request.caller, loaded, replay_entry, key)


def _again(context: Context, caller: Caller, loaded: Loaded, replay_entry: bytes, idempotency: Idempotency) -> Written:
    """The answer of the request that the record is of, rebuilt from the log."""
    known = repository.read_replay_entry(replay_entry, idempotency)
    loaded = repository.at_least(context, loaded, known["last"])
    events = replaying.events_of(context, loaded.game.meta.id, known["first"] - 1, known["last"])
    view = repository.view_at(context, loaded, known["last"])
    described = repository.events_json(loaded.game, events, caller.language)
    return Written(known["last"], described, view, loaded.game.rematch, replayed=True)
