"""Messages between the people of a game. They stand outside the log and change no revision."""

from __future__ import annotations

from service.games.errors import GameError
from service.games.state.model import Game
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.usecases.base import access, repository
from service.usecases.base.access import HOST, WATCH, Roles
from service.usecases.base.context import Caller, Context
from service.usecases.games.messages import message_json, stored


def say(context: Context, caller: Caller, game_id: str, text: str, seat: int | None) -> Json:
    """A message of the caller's seat, or of the host, to all who take part."""
    game, roles = _among_people(context, caller, game_id)
    if access.seats_of(roles):
        sender: int | None = access.seat_of(roles, game, seat)
    elif seat is None and HOST in roles:
        sender = None
    else:
        raise GameError("auth/wrong_seat")
    own = None if sender is None else game.seats[sender].player
    if own is not None:
        access.must_not_be_blocked(context, game, own)
    message = {"seat": sender, "text": text, "at": rfc3339(context.now_ms())}
    number = context.chat.append(game_id, stored(message, own))
    if number is None:
        raise GameError("game/not_found")
    return {"number": number, **message}


def messages(context: Context, caller: Caller, game_id: str, after: int, limit: int, timeout_s: float) -> list[Json]:
    """Messages after a number, oldest first; with a time-out, as soon as there is one."""
    _among_people(context, caller, game_id)
    if timeout_s:
        context.hub.wait_for_message(game_id, after, timeout_s)
    return [message_json(*each) for each in context.chat.messages(game_id, after, limit)]


def _among_people(context: Context, caller: Caller, game_id: str) -> tuple[Game, Roles]:
    """403 for who does not take part: what people say to each other is not for everybody who may look on."""
    loaded = repository.load(context, game_id, caller)
    access.must_hold_role(caller, loaded.stored.visibility, loaded.roles)
    if not access.seats_of(loaded.roles) and not loaded.roles & {HOST, WATCH, access.ADMIN}:
        raise GameError("auth/not_taking_part")
    return loaded.game, loaded.roles
