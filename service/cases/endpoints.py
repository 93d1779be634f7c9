"""An endpoint's turn, as a dialer has it played: take the decision that is due, ask, and act on the answer.

The request tells the game, what is legal, and until when the answer is awaited. Whatever goes wrong is written into
the log, with the moment of the next attempt; so attempts survive whoever makes them.
"""

from __future__ import annotations

from dataclasses import dataclass

import orjson

from service.cases import ledgers, turns
from service.cases.context import Cases
from service.cases.playing import read_action
from service.cases.sentences import named_action
from service.games.endpoints import Endpoint
from service.games.errors import GameError
from service.games.ledger import Ledger
from service.games.model import Game
from service.games.moments import rfc3339
from service.outgoing import signing
from service.rulesets.ruleset import Position
from service.rulesets.texts import LANGUAGES
from service.rulesets.wire import Json

SPARE_MS = 3_000  # a lease outlives the time an answer has by so much
LOST_AFTER = 3  # leases of one attempt that ran out: whoever asks dies of it
DECISION = "decision"  # the type of what is sent
MOST_LISTED = 200  # legal actions; of more, the factored form is told


@dataclass(frozen=True)
class Call:
    """A decision that an endpoint is to be asked for."""

    game: Game
    seat: int
    position: Position
    endpoint: Endpoint


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


def take(cases: Cases, game_id: str, revision: int, seat: int) -> Call | None:
    """The decision, leased; None if no endpoint has to make it any more."""
    game = turns.found(cases, game_id, revision, seat)
    call = None if game is None else call_of(game)
    if call is None:
        return None
    until = cases.now_ms() + round(1000 * call.endpoint.timeout_s) + SPARE_MS
    attempt = cases.store.lease(game_id, revision, until)
    if attempt is None:
        return None
    if attempt > LOST_AFTER:
        fail(cases, call, "lost")
        return None
    return call


def asking(cases: Cases, call: Call) -> Asking:
    """The signed request. Where there is more to choose than is listed, `POST /v1/positions` lists it."""
    now_ms = cases.now_ms()
    body = orjson.dumps(
        {
            "type": DECISION,
            "timestamp": rfc3339(now_ms),
            "data": {
                "game": orjson.loads(ledgers.viewed(cases, call.game)),
                "revision": call.game.revision,
                "seat": call.seat,
                "deadline": rfc3339(now_ms + round(1000 * call.endpoint.timeout_s)),
                **_legal(call.position),
                "positions_url": f"{cases.settings.base_url}/v1/positions",
            },
        }
    )
    message_id = f"msg_{call.game.meta.id}_{call.game.revision}"
    return Asking(body, signing.headers(call.endpoint.secret, message_id, now_ms // 1000, body))


def _legal(position: Position) -> Json:
    found = position.legal_actions()
    if len(found) > MOST_LISTED:
        return {"total": len(found), "actions": None, "choices": position.choices()}
    named = [named_action(position.ruleset, action, LANGUAGES[0]) for action in found]
    return {"total": len(found), "actions": named, "choices": None}


def decide(cases: Cases, call: Call, answer: bytes) -> None:
    """Act as the endpoint has answered: `{"id": …}` or `{"action": {…}}`."""
    ledger = ledgers.opened(cases, call.game)
    write(ledger, call, answer)
    turns.commit(cases, ledger)


def write(ledger: Ledger, call: Call, answer: bytes) -> None:
    """Write what the answer decides; or, where it decides nothing, that."""
    try:
        ledger.act(call.seat, _read(call, answer))
    except GameError as error:
        if error.code == "game/illegal_action":
            ledger.fail("illegal", error.extra["reason"])
        else:
            ledger.fail("unreadable")


def _read(call: Call, answer: bytes) -> int:
    try:
        told = orjson.loads(answer)
    except orjson.JSONDecodeError:
        raise GameError("request/malformed") from None
    if not isinstance(told, dict):
        raise GameError("request/malformed")
    action_id, action = told.get("id"), told.get("action")
    if not isinstance(action_id, str | None) or not isinstance(action, dict | None):
        raise GameError("request/malformed")
    return read_action(call.game.ruleset, action_id, action)


def fail(cases: Cases, call: Call, reason: str) -> None:
    """There was no decision, for one of `FAILURES`."""
    ledger = ledgers.opened(cases, call.game)
    ledger.fail(reason)
    turns.commit(cases, ledger)
