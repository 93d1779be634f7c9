"""Webhooks of their owners: created, changed, deleted, and hidden from others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from redis import Redis

from service.games.errors import GameError
from service.usecases.base.context import Caller, Context
from service.usecases.keeping import duties
from service.usecases.notifications import dispatch, webhooks
from service.usecases.people import players
from tests import keeping
from tests.usecases.games.test_usecases import AI, PLAYER, seat
from tests.usecases.players import Time, decide, elapse, new_game_of, player
from tests.usecases.webhook_deliveries import URL, ana, hook_of, outgoing, refusal_code

__all__ = ["ana", "outgoing"]  # fixtures


def test_webhooks_stay_when_their_owner_gets_a_new_token(context: Context, ana: Caller) -> None:
    before = hook_of(context, ana)
    assert before == hook_of(context, Caller(players.rotate(context, ana)["token"]))


def test_using_a_webhook_prolongs_it_and_its_owner(context: Context, ana: Caller, redis_client: Redis) -> None:
    keys = [f"{{b00}}:{name}" for name in (f"player:{ana.player_id}", f"webhooks:{ana.player_id}", "hooked")]
    for key in keys:
        redis_client.expire(key, 1000)
    hook_of(context, ana)
    assert all(redis_client.ttl(key) > 1000 for key in keys)


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        *((url, "must be an https URL") for url in ("http://bot.example/", "ftp://bot.example/", "bot.example")),
        *((f"https://{rest}", "must be an https URL") for rest in ("ana:secret@bot.example/", "bot.example/#part")),
        *((f"https://bot.example/{path}", "must be an https URL") for path in ("zug\nx", "zügig")),
        ("https://bot.example:8443/", "must use one of these ports: 443"),
    ],
)
def test_a_forbidden_url_is_refused(context: Context, ana: Caller, url: str, fault: str) -> None:
    hook = hook_of(context, ana)["id"]
    commands: list[Callable[[], Any]] = [
        lambda: webhooks.create(context, ana, url, None, None),
        lambda: webhooks.change(context, ana, hook, {"url": url}),
    ]
    for command in commands:
        with pytest.raises(GameError) as error:
            command()
        assert "request/invalid" == error.value.code
        assert ["/url"] == list(error.value.errors)
        assert error.value.errors["/url"].startswith(fault)
    assert URL == hook_of(context, ana)["url"]


def test_without_outgoing_calls_webhooks_can_only_be_read_disabled_and_deleted(context: Context, ana: Caller) -> None:
    context.settings = replace(context.settings, outgoing="off")
    hook = hook_of(context, ana)["id"]
    for command in (
        lambda: webhooks.create(context, ana, URL, None, None),
        lambda: webhooks.change(context, ana, hook, {"enabled": True}),
        lambda: webhooks.change(context, ana, hook, {"url": URL}),
        lambda: webhooks.ping(context, ana, hook),
    ):
        assert "outgoing/off" == refusal_code(command)
    assert not webhooks.change(context, ana, hook, {"enabled": False})["enabled"]
    webhooks.delete(context, ana, hook)
    assert [] == webhooks.list_webhooks(context, ana)


def test_a_player_has_five_webhooks_at_most(context: Context, ana: Caller) -> None:
    for _ in range(4):
        webhooks.create(context, ana, URL, None, None)
    assert "limit/webhooks" == refusal_code(lambda: webhooks.create(context, ana, URL, None, None))


def test_another_players_webhook_is_not_found(context: Context, ana: Caller) -> None:
    hook = hook_of(context, ana)["id"]
    _, ben = player(context)
    for command in (webhooks.get, webhooks.delete, webhooks.list_deliveries, webhooks.ping):
        assert "webhook/not_found" == refusal_code(lambda command=command: command(context, ben, hook))  # type: ignore[misc]
    assert "webhook/not_found" == refusal_code(lambda: webhooks.change(context, ben, hook, {"enabled": False}))
    delivery = webhooks.ping(context, ana, hook)["id"]
    assert "webhook/not_found" == refusal_code(lambda: webhooks.resend(context, ben, hook, delivery))
    assert hook_of(context, ana)["enabled"]


def test_expiry_removes_a_player_with_their_webhooks_and_deliveries(
    context: Context, redis_client: Redis, time: Time
) -> None:
    context.settings = replace(context.settings, player_ttl_s=100, game_ttl_s=100)
    _, ben = player(context)
    webhooks.create(context, ben, URL, None, None)
    new_game_of(context, ben, PLAYER, AI)
    dispatch.drain(context)
    actual: Any = redis_client.keys("{*")
    assert {"hooked", "deliveries_due", "outbox"} <= {name.decode().split(":")[1] for name in actual}
    elapse(time, redis_client, 101)
    duties.sweep(context)
    others = {name for part in ("rq:*", "{dial:*", "*:figures:*") for name in redis_client.keys(part)}
    assert {b"{b00}:hub"} >= set(redis_client.keys("*")) - others


def test_stored_games_do_not_contain_webhook_urls_or_secrets(
    context: Context, ana: Caller, redis_client: Redis
) -> None:
    made = webhooks.create(context, ana, "https://hidden.example/", None, None)
    game, tokens = new_game_of(context, ana, PLAYER, PLAYER)
    decide(context, game, ana)
    decide(context, game, seat(tokens, 1))
    keeping.send_webhooks(context)
    for key in redis_client.keys(f"*{game}*"):
        dumped: Any = redis_client.dump(key)
        assert b"hidden" not in dumped
        assert made["secret"].encode() not in dumped
