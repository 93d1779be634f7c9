"""Decisions by endpoints: a dialer takes a due decision, sends the request and applies the response.

The request contains the game, the legal actions and the deadline. A failure is written to the log with the time of the
next attempt, so attempts are not lost if a dialer dies.
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
from service.storage.games.endpoint_health import Failures
from service.usecases.base import outgoing, profiles, repository
from service.usecases.base.context import Context
from service.usecases.base.i18n import named_action
from service.usecases.base.outgoing import BOT, FAILING
from service.usecases.games import turns
from service.usecases.positions.actions import read_action

LONGEST_REST_MS = 60_000  # of a failing endpoint, which clocks do not wait for
SPARE_MS = 3_000  # the lease ends this long after the timeout of the request
MAX_LOST_LEASES = 3  # after more expired leases, the request seems to kill dialers
DECISION_REQUEST = "decision"
MAX_LISTED = 200  # more legal actions are sent as choices


@dataclass(frozen=True)
class Call:
    """A decision due from an endpoint."""

    game: Game
    seat: int
    position: Position
    endpoint: Endpoint
    cause: bytes = b""  # stored trace context of the request that made it due
    failures: Failures | None = None  # of the endpoint in a row, over all of its games

    @property
    def endpoint_id(self) -> str:
        """The endpoint's id, which is the same for all games of its owner."""
        return outgoing.endpoint_id(self.endpoint.owner, self.endpoint.url)


@dataclass(frozen=True)
class SignedRequest:
    """Body and headers of a request to an endpoint."""

    body: bytes
    headers: dict[str, str]


def call_of(game: Game) -> Call | None:
    """Return the decision that is due from an endpoint, or None."""
    if game.to_decide is None or game.position is None or game.endpoint_to_decide is None:
        return None
    return Call(game, game.to_decide, game.position, game.endpoint_to_decide)


def take(context: Context, game_id: str, revision: int, seat: int, before: int | None = None) -> Call | None:
    """Return the decision with a lease, or None if it is not due from an endpoint.

    With `before`, also return None unless there were exactly that many attempts.
    """
    loaded = turns.game_waiting_for(context, game_id, revision, seat)
    call = None if loaded is None else call_of(loaded.game)
    if loaded is None or call is None:
        return None
    call = replace(call, cause=loaded.stored.cause, failures=context.endpoint_health.get(call.endpoint_id))
    if not _may_call(context, call, loaded.stored.attempts):
        return None
    until = context.now_ms() + round(1000 * call.endpoint.timeout_s) + SPARE_MS
    attempt = context.store.schedule.lease(game_id, revision, until, before)
    if attempt is None:
        return None
    if attempt > MAX_LOST_LEASES:
        record_failure(context, call, "lost")
        return None
    return call


def _may_call(context: Context, call: Call, attempts: int) -> bool:
    """Return whether the endpoint may be called now. `attempts`: leases granted so far.

    If its time is up, or it is disabled or banned, record that the attempt failed. A failing endpoint is called later.
    """
    player = call.game.seats[call.seat].player
    bot = None if player is None or call.failures is None else context.bots.get(player)
    is_late = repository.open_session(context, call.game).is_time_up
    if is_late or profiles.is_banned(context, player) or (bot is not None and bot.disabled):
        _fail(context, call, "late" if is_late else "off")
        return False
    if call.failures is None:
        return True
    until = outgoing.rests_until_ms(call.failures.since_ms, call.failures.last_ms, LONGEST_REST_MS)
    if until <= context.now_ms():
        return True
    context.store.schedule.postpone(call.game.meta.id, call.game.revision, until, before=attempts)
    return False


def build_request(context: Context, call: Call) -> SignedRequest:
    """Return the signed request. If there are too many actions to list, the endpoint can use `POST /v1/positions`."""
    now_ms = context.now_ms()
    body = orjson.dumps(
        {
            "type": DECISION_REQUEST,
            "timestamp": rfc3339(now_ms),
            "data": {
                "game": orjson.loads(repository.serialize_view(context, call.game)),
                "revision": call.game.revision,
                "seat": call.seat,
                "deadline": rfc3339(now_ms + round(1000 * call.endpoint.timeout_s)),
                **_legal(call.position),
                "positions_url": f"{context.settings.base_url}/v1/positions",
            },
        }
    )
    message_id = f"msg_{call.game.meta.id}_{call.game.revision}"
    return SignedRequest(body, signing.headers(message_id, now_ms // 1000, body, *_secrets(context, call)))


def _secrets(context: Context, call: Call) -> list[str]:
    """Return the secrets that sign the request: of the published bot with this URL, or else of the game."""
    player = call.game.seats[call.seat].player
    bot = None if player is None else context.bots.get(player)
    if bot is None or bot.endpoint is None or bot.endpoint["url"] != call.endpoint.url:
        return [call.endpoint.secret]
    return signing.current_secrets(bot.endpoint["secret"], bot.old_secrets, context.now_ms())


def _legal(position: Position) -> Json:
    legal = position.legal_actions()
    if len(legal) > MAX_LISTED:
        return {"total": len(legal), "actions": None, "choices": position.choices()}
    actions = [named_action(position.ruleset, position.variant, action, LANGUAGES[0]) for action in legal]
    return {"total": len(legal), "actions": actions, "choices": None}


def decide(context: Context, call: Call, answer: bytes) -> None:
    """Apply the endpoint's response, `{"id": …}` or `{"action": {…}}`, and commit."""
    session = repository.open_session(context, call.game)
    action = apply_answer(session, call, answer)
    is_first = turns.commit(context, session)
    if action is None and is_first:
        _count_failure(context, call)
    elif action is not None and call.failures is not None:
        context.endpoint_health.reset(call.endpoint_id)


def apply_answer(session: GameSession, call: Call, answer: bytes) -> int | None:
    """Apply the response to the session and return the action.

    If the response is invalid, record the failure and return None.
    """
    try:
        action = _read(call, answer)
        session.act(call.seat, action)
    except GameError as error:
        if error.code == "game/illegal_action":
            session.fail("illegal", error.extra["reason"])
        else:
            session.fail("late" if error.code == "game/time_is_up" else "unreadable")
        return None
    return action


def _read(call: Call, answer: bytes) -> int:
    try:
        members = orjson.loads(answer)
    except orjson.JSONDecodeError:
        raise GameError("request/malformed") from None
    if not isinstance(members, dict):
        raise GameError("request/malformed")
    action_id, action, notation = (members.get(name) for name in ("id", "action", "notation"))
    if not isinstance(action, dict | None) or not all(isinstance(text, str | None) for text in (action_id, notation)):
        raise GameError("request/malformed")
    return read_action(call.game.ruleset, action_id, action, notation)


def record_failure(context: Context, call: Call, reason: str) -> None:
    """Write that the attempt failed, for one of `FAILURES`, and commit."""
    if _fail(context, call, reason):
        _count_failure(context, call)


def _fail(context: Context, call: Call, reason: str) -> bool:
    session = repository.open_session(context, call.game)
    session.fail(reason)
    return turns.commit(context, session)


def _count_failure(context: Context, call: Call) -> None:
    """Count a failure of the endpoint. A player's bot is offline for a while, or disabled if it has failed for long."""
    now, player = context.now_ms(), call.game.seats[call.seat].player
    failures = context.endpoint_health.fail(call.endpoint_id, now)
    if player is None:
        return
    context.bots.record_failure(player, now)
    if outgoing.is_to_be_disabled(failures.number, failures.since_ms, now) and (bot := context.bots.disable(player)):
        owners = [player] if bot.owner is None else [player, bot.owner]
        outgoing.notify_owners(context, owners, BOT, player, FAILING, failures.since_ms)
