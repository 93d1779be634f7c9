"""How long Redis keeps a game that waits for longer than games live; and what is kept for a shorter time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import redis

from service.games.state.clocks import ClockRule
from service.games.state.moments import unix_ms
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context
from service.usecases.games import chat, creating, offering, seating, tickets
from service.usecases.games.commands import Request
from service.usecases.games.creating import NewGame
from tests.patience import by_redis
from tests.usecases.games.test_usecases import AI, KEY, OPEN, PLAYER, act, new, seat
from tests.usecases.players import Time, new_of, player, view
from tests.usecases.waiting import lives

DAY_S = 86_400
SLOW = ClockRule(turn_s=2 * DAY_S, bank_s=0, on_timeout="ai", level="random")


@pytest.fixture
def short(context: Context) -> Context:
    """Doors of an operator who keeps no game for more than a minute."""
    context.settings = replace(context.settings, game_ttl_s=60)
    return context


def ends(redis_client: redis.Redis, game: str, player_id: str) -> dict[str, Any]:
    """When each key of the game, and each list of the player that it is in, expires."""
    names = [*redis_client.scan_iter(f"*:game:{game}*"), *redis_client.scan_iter(f"*s:{player_id}")]
    return {name.decode(): redis_client.pexpiretime(name) for name in names}


@pytest.mark.parametrize("waits_for", ["clock", "pause"])
def test_every_key_of_a_game_is_there_beyond_the_moment_that_it_waits_for(
    short: Context, redis_client: redis.Redis, waits_for: str
) -> None:
    ana, as_ana = player(short)
    game, _ = new_of(short, as_ana, PLAYER, AI, clock=SLOW if waits_for == "clock" else None)
    chat.say(short, as_ana, game, "see you tomorrow", None)
    if waits_for == "pause":
        offering.pause(short, Request(as_ana, game), None, 2 * DAY_S)
    actual = view(short, game)
    moment = unix_ms(actual["clock"]["deadline"] if waits_for == "clock" else actual["paused_until"])
    seen = ends(redis_client, game, ana)
    assert len(seen) >= 4
    assert {} == {name: end for name, end in seen.items() if end <= moment}


# ------------------------------------------------------------------------------------------------- beside a game


@pytest.mark.parametrize("what", ["create", "claim", "handover"])
def test_an_answer_that_holds_tokens_is_kept_for_ten_minutes(
    context: Context, redis_client: redis.Redis, what: str
) -> None:
    began = by_redis(redis_client)
    made = creating.create(
        context, Caller(), NewGame("azul", "grey", (PLAYER, OPEN)), KEY if what == "create" else None
    )
    game = made["game"]["id"]
    if what == "claim":
        seating.claim(context, Caller(), game, None, None, None, KEY)
    if what == "handover":
        seating.hand_over(context, seat(made["tokens"], 0), game, 0, None, KEY)
    (key,) = redis_client.scan_iter("*:create:*" if what == "create" else "*:idem:*")
    assert lives(redis_client, key, 600, began)


def test_what_was_decided_with_a_key_is_known_for_a_day(context: Context, redis_client: redis.Redis) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    began = by_redis(redis_client)
    act(context, game, seat(tokens, 0), KEY)
    (key,) = redis_client.scan_iter("*:idem:*")
    assert lives(redis_client, key, DAY_S, began)


@pytest.mark.parametrize("game_ttl_s", [10, 600])
def test_a_ticket_tells_when_it_ends(
    context: Context, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch, game_ttl_s: int
) -> None:
    """After a minute, or with its game."""
    context.settings = replace(context.settings, game_ttl_s=game_ttl_s)
    game, tokens = new(context, PLAYER, PLAYER)
    now, began = Time(context, monkeypatch), by_redis(redis_client)
    given = tickets.give(context, seat(tokens, 0), game)
    expires = unix_ms(given["expires_at"])
    assert min(now.ms + 60_000, repository.load(context, game).stored.expires_at_ms) == expires
    (key,) = redis_client.scan_iter("*:ticket:*")
    assert began <= redis_client.pexpiretime(key) - (expires - now.ms) <= by_redis(redis_client)
