"""Players, their games, and the time, for tests of what happens between people."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from redis import Redis

from service.games.state.model import position_of
from service.rulesets.kernel import generator
from service.storage.base.keys import id_from
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.games import creating, playing, turns
from service.usecases.games.commands import Request
from service.usecases.games.tokens import Issuer
from service.usecases.people import players
from service.usecases.views import reading
from tests.patience import let_expire, redis_now_ms
from tests.usecases.answers import to_json
from tests.usecases.games.test_usecases import act


class Time:
    """Clock of the use cases, which the test moves."""

    def __init__(self, context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ms = context.now_ms()
        monkeypatch.setattr(context, "now_ms", lambda: self.ms)

    def pass_(self, seconds: float) -> None:
        self.ms += round(1000 * seconds)


def elapse(time: Time, redis_client: Redis, seconds: float) -> None:
    """Let time pass, by the application's clock and by that of the store, which may be ahead in a slow test."""
    time.ms = max(time.ms, redis_now_ms(redis_client))
    time.pass_(seconds)
    let_expire(redis_client, seconds)


def player(context: Context, name: str | None = None) -> tuple[str, Caller]:
    """Create a player: (id, caller with its token)."""
    made = players.create(context, {"name": name})
    return made["player"]["id"], Caller(made["token"])


def issuer_of_retry(caller: Caller, key: str = "a key") -> Issuer:
    """Return the issuer of a request with this key that may have been interrupted."""
    return Issuer(caller, Idempotency(key, ""), "salt", entity_id=id_from(f"{caller.token} {key}"))


def new_game_of(context: Context, caller: Caller, *seats: Any, **changes: Any) -> tuple[str, dict[str, Any]]:
    """Create a game as this caller: (id, tokens)."""
    made = creating.create(context, caller, creating.NewGame("azul", "coloured", seats, first_seat=0, **changes))
    return made["game"]["id"], made["tokens"]


def decide(context: Context, game: str, caller: Caller) -> Any:
    """Play the caller's first legal action, in a game that only they may read."""
    legal = to_json(reading.list_legal_actions(context, caller, game))
    return playing.act(context, Request(caller, game, (legal["revision"],)), legal["actions"][0]["id"], None)


def view(context: Context, game: str) -> dict[str, Any]:
    return dict(orjson.loads(repository.load(context, game).stored.view))


def roles(context: Context, game: str, caller: Caller) -> set[str]:
    return set(repository.load(context, game, caller).roles)


def ai_acts(context: Context, game: str) -> None:
    """Play one decision of the AI that is due."""
    results = view(context, game)
    turn = turns.take(context, game, results["revision"], results["to_decide"])
    assert turn is not None
    turns.act(context, turn, turn.position.random_action(generator(bytes([results["revision"] % 255 + 1]) * 32)))


def play(context: Context, game: str, callers: dict[int, Caller], decisions: int) -> None:
    """Play some decisions of whichever seat must decide."""
    for _ in range(decisions):
        number = view(context, game)["to_decide"]
        if number in callers:
            act(context, game, callers[number])
        else:
            ai_acts(context, game)


def everybody_decides(context: Context, game: str) -> None:
    """Play until every person has decided, so that a rated game counts."""
    session = repository.open_session(context, repository.load(context, game).game)
    while not session.game.is_over and not all(session.game.acted[seat] for seat in session.game.people):
        action = position_of(session.game).random_action(generator(bytes([session.game.revision % 255 + 1]) * 32))
        session.act(session.game.to_decide or 0, action)
    if session.events:
        repository.append(context, session)


def resign(context: Context, game: str, caller: Caller) -> None:
    """Resign after everybody has decided."""
    everybody_decides(context, game)
    playing.resign(context, Request(caller, game), None)


def offer_id(context: Context, game: str) -> int:
    (offer,) = view(context, game)["offers"]
    return int(offer["id"])
