"""How long Redis stores waiting games, and data that expires earlier."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from redis import Redis

from service.games.state.clocks import ClockRule
from service.games.state.moments import unix_ms
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context
from service.usecases.games import chat, creating, offering, seating, tickets
from service.usecases.games.commands import Request
from service.usecases.games.creating import NewGame
from tests.patience import redis_now_ms
from tests.usecases.games.test_usecases import AI, KEY, OPEN, PLAYER, act, new_game, seat
from tests.usecases.players import Time, new_game_of, player, view
from tests.usecases.waiting import has_lifetime

DAY_S = 86_400
SLOW = ClockRule(turn_s=2 * DAY_S, bank_s=0, on_timeout="ai", level="random")


@pytest.fixture
def short_context(context: Context) -> Context:
    """Configure an operator who stores games for a minute."""
    context.settings = replace(context.settings, game_ttl_s=60)
    return context


def expiries(redis_client: Redis, game: str, player_id: str) -> dict[str, Any]:
    """Return when each key of the game expires, and each list of the player that contains it."""
    names = [*redis_client.scan_iter(f"*:game:{game}*"), *redis_client.scan_iter(f"*s:{player_id}")]
    return {name.decode(): redis_client.pexpiretime(name) for name in names}


@pytest.mark.parametrize("waits_for", ["clock", "pause"])
def test_every_key_of_a_game_outlives_the_moment_it_waits_for(
    short_context: Context, redis_client: Redis, waits_for: str
) -> None:
    ana, as_ana = player(short_context)
    game, _ = new_game_of(short_context, as_ana, PLAYER, AI, clock=SLOW if waits_for == "clock" else None)
    chat.post_message(short_context, as_ana, game, "see you tomorrow", None)
    if waits_for == "pause":
        offering.pause(short_context, Request(as_ana, game), None, 2 * DAY_S)
    actual = view(short_context, game)
    moment = unix_ms(actual["clock"]["deadline"] if waits_for == "clock" else actual["paused_until"])
    expiry_times = expiries(redis_client, game, ana)
    assert len(expiry_times) >= 4
    assert {} == {name: end for name, end in expiry_times.items() if end <= moment}


# ------------------------------------------------------------------------------------------------- beside a game


@pytest.mark.parametrize("what", ["create", "claim", "handover"])
def test_an_answer_with_tokens_is_stored_for_ten_minutes(context: Context, redis_client: Redis, what: str) -> None:
    began = redis_now_ms(redis_client)
    made = creating.create(
        context, Caller(), NewGame("azul", "grey", (PLAYER, OPEN)), KEY if what == "create" else None
    )
    game = made["game"]["id"]
    if what == "claim":
        seating.claim(context, Caller(), game, None, None, None, KEY)
    if what == "handover":
        seating.hand_over(context, seat(made["tokens"], 0), game, 0, None, KEY)
    (key,) = redis_client.scan_iter("*:create:*" if what == "create" else "*:idem:*")
    assert has_lifetime(redis_client, key, 600, began)


def test_the_replay_entry_of_an_action_is_stored_for_a_day(context: Context, redis_client: Redis) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    began = redis_now_ms(redis_client)
    act(context, game, seat(tokens, 0), KEY)
    (key,) = redis_client.scan_iter("*:idem:*")
    assert has_lifetime(redis_client, key, DAY_S, began)


@pytest.mark.parametrize("game_ttl_s", [10, 600])
def test_a_ticket_names_its_expiry(
    context: Context, redis_client: Redis, monkeypatch: pytest.MonkeyPatch, game_ttl_s: int
) -> None:
    """It expires after a minute, or with its game."""
    context.settings = replace(context.settings, game_ttl_s=game_ttl_s)
    game, tokens = new_game(context, PLAYER, PLAYER)
    now, began = Time(context, monkeypatch), redis_now_ms(redis_client)
    ticket = tickets.issue(context, seat(tokens, 0), game)
    expires = unix_ms(ticket["expires_at"])
    assert min(now.ms + 60_000, repository.load(context, game).stored.expires_at_ms) == expires
    (key,) = redis_client.scan_iter("*:ticket:*")
    assert began <= redis_client.pexpiretime(key) - (expires - now.ms) <= redis_now_ms(redis_client)
