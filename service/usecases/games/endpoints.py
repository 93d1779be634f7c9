"""An endpoint's turn, as a dialer has it played: take the decision that is due, ask, and act on the answer.

The request tells the game, what is legal, and until when the answer is awaited. Whatever goes wrong is written into
the log, with the moment of the next attempt; so attempts survive whoever makes them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import orjson

from service.games.errors import GameError
from service.games.session import GameSession
from service.games.state.endpoints import Endpoint
from service.games.state.model import Game
from service.games.state.moments import rfc3339
from service.outgoing import signing
from service.rulesets.ruleset import Position
from service.rulesets.texts import LANGUAGES
from service.rulesets.wire import Json
from service.usecases.base import repository
from service.usecases.base.context import Context
from service.usecases.base.i18n import named_action
from service.usecases.games import turns
from service.usecases.positions.actions import read_action

SPARE_MS = 3_000  # a lease outlives the time an answer has by so much
LOST_AFTER = 3  # leases of one attempt that ran out: the dialers that ask seem to die of it
DECISION_REQUEST = "decision"  # the type of what is sent
MAX_LISTED = 200  # legal actions; where there are more, the factored form is sent


@dataclass(frozen=True)
class Call:
    """A decision that an endpoint is to be asked for."""

    game: Game
    seat: int
    position: Position
    endpoint: Endpoint
    cause: bytes = b""  # what the decision is due by, as the store keeps it


@dataclass(frozen=True)
class Asking:
    """What is sent."""

    body: bytes
    headers: dict[str, str]


def call_of(game: Game) -> Call | None:
    """The decision that an endpoint is to be asked for now."""
    if game.to_decide is None or game.position is None or game.endpoint_to_decide is None:
        return None
    return Call(game, game.to_decide, game.position, game.endpoint_to_decide)


def take(context: Context, game_id: str, revision: int, seat: int, before: int | None = None) -> Call | None:
    """The decision, leased; None if no endpoint has to make it any more, or there were not just `before` attempts."""
    loaded = turns.game_waiting_for(context, game_id, revision, seat)
    call = None if loaded is None else call_of(loaded.game)
    if loaded is None or call is None:
        return None
    call = replace(call, cause=loaded.stored.cause)
    until = context.now_ms() + round(1000 * call.endpoint.timeout_s) + SPARE_MS
    attempt = context.store.schedule.lease(game_id, revision, until, before)
    if attempt is None:
        return None
    if attempt > LOST_AFTER:
        fail(context, call, "lost")
        return None
    return call


def asking(context: Context, call: Call) -> Asking:
    """The signed request. Where there is more to choose than is listed, `POST /v1/positions` lists it."""
    now_ms = context.now_ms()
    body = orjson.dumps(
        {
            "type": DECISION_REQUEST,
            "timestamp": rfc3339(now_ms),
            "data": {
                "game": orjson.loads(repository.viewed(context, call.game)),
                "revision": call.game.revision,
                "seat": call.seat,
                "deadline": rfc3339(now_ms + round(1000 * call.endpoint.timeout_s)),
                **_legal(call.position),
                "positions_url": f"{context.settings.base_url}/v1/positions",
            },
        }
    )
    message_id = f"msg_{call.game.meta.id}_{call.game.revision}"
    return Asking(body, signing.headers(call.endpoint.secret, message_id, now_ms // 1000, body))


def _legal(position: Position) -> Json:
    legal = position.legal_actions()
    if len(legal) > MAX_LISTED:
        return {"total": len(legal), "actions": None, "choices": position.choices()}
    named = [named_action(position.ruleset, position.variant, action, LANGUAGES[0]) for action in legal]
    return {"total": len(legal), "actions": named, "choices": None}


def decide(context: Context, call: Call, answer: bytes) -> None:
    """Act as the endpoint has answered: `{"id": …}` or `{"action": {…}}`."""
    session = repository.opened(context, call.game)
    action = write(session, call, answer)
    turns.commit(context, session)
    if action is None:
        _note_failure(context, call)


def write(session: GameSession, call: Call, answer: bytes) -> int | None:
    """Write what the answer decides, which is the action; or, where it decides nothing, that."""
    try:
        action = _read(call, answer)
        session.act(call.seat, action)
    except GameError as error:
        if error.code == "game/illegal_action":
            session.fail("illegal", error.extra["reason"])
        else:
            session.fail("unreadable")
        return None
    return action


def _read(call: Call, answer: bytes) -> int:
    try:
        answered = orjson.loads(answer)
    except orjson.JSONDecodeError:
        raise GameError("request/malformed") from None
    if not isinstance(answered, dict):
        raise GameError("request/malformed")
    action_id, action, notation = (answered.get(name) for name in ("id", "action", "notation"))
    if not isinstance(action, dict | None) or not all(isinstance(text, str | None) for text in (action_id, notation)):
        raise GameError("request/malformed")
    return read_action(call.game.ruleset, action_id, action, notation)


def fail(context: Context, call: Call, reason: str) -> None:
    """There was no decision, for one of `FAILURES`."""
    session = repository.opened(context, call.game)
    session.fail(reason)
    turns.commit(context, session)
    _note_failure(context, call)


def _note_failure(context: Context, call: Call) -> None:
    """Of a bot that can be found it is remembered for a while."""
    if (player := call.game.seats[call.seat].player) is not None:
        context.bots.failed(player, context.now_ms())
