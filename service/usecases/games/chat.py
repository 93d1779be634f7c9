"""Chat messages in a game. They are not in the log and change no revision."""

from __future__ import annotations

from service.games.errors import GameError
from service.games.state.model import Game
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.usecases.base import access, repository
from service.usecases.base.access import HOST, WATCH, Roles
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.games.messages import message_json, serialize


def post_message(
    context: Context, caller: Caller, game_id: str, text: str, seat: int | None, idempotency: Idempotency | None = None
) -> Json:
    """Post a message from the caller's seat, or from the host, and return it."""
    game, roles = _among_people(context, caller, game_id)
    if access.seats_of(roles):
        sender: int | None = access.seat_of(roles, game, seat)
    elif seat is None and HOST in roles:
        sender = None
    else:
        raise GameError("auth/wrong_seat")
    player_id = None if sender is None else game.seats[sender].player
    owner = None if caller.credential is None else caller.credential.owner  # of the host's token
    if (writer := player_id or owner) is not None:
        access.must_not_be_muted(context, writer)
    if player_id is not None:
        access.must_not_be_blocked(context, game, player_id)
    message = {"seat": sender, "text": text, "at": rfc3339(context.now_ms())}
    key = None
    if idempotency is not None:
        key = repository.idempotency_suffix(caller.digest, f"message {idempotency.key}")
    number = context.chat.append(game_id, serialize(message, player_id), key)
    if number is None:
        raise GameError("game/not_found")
    return {"number": number, **message, "deletes": None}


def messages(context: Context, caller: Caller, game_id: str, after: int, limit: int, timeout_s: float) -> list[Json]:
    """Return messages after a number, oldest first. With a timeout, wait for the first one."""
    _among_people(context, caller, game_id)
    if timeout_s:
        context.hub.wait_for_message(game_id, after, timeout_s)
        _among_people(context, caller, game_id)  # the token may have ended
    return [message_json(*each) for each in context.chat.messages(game_id, after, limit)]


def _among_people(context: Context, caller: Caller, game_id: str) -> tuple[Game, Roles]:
    """Return the game and the caller's roles. Raises: auth/not_taking_part for callers who only have an invitation."""
    loaded = repository.load_with_role(context, game_id, caller)
    if not access.seats_of(loaded.roles) and not loaded.roles & {HOST, WATCH, access.ADMIN}:
        raise GameError("auth/not_taking_part")
    return loaded.game, loaded.roles
