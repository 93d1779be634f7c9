"""Secrets of bots' endpoints before, in and after an overlap, in a running game with a simulated clock."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.outgoing import signing
from service.usecases.base.context import Caller, Context
from service.usecases.games import endpoints
from service.usecases.games.creating import NewEndpoint
from service.usecases.games.endpoints import Call
from service.usecases.games.tokens import Issuer
from service.usecases.matchmaking import bots, challenging
from tests.usecases.bots import AZUL, CALLED, create_bot, publish_bot
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.players import Time, decide, player, view
from tests.usecases.webhook_deliveries import is_verified

DAY_S = 86_400


@pytest.fixture
def calling(context: Context) -> Context:
    """Allow outgoing calls."""
    context.settings = replace(context.settings, outgoing="on")
    return context


def publish_called(context: Context) -> tuple[Caller, str]:
    """Publish a bot with an endpoint. Return its caller and its secret."""
    _, caller = create_bot(context)
    return caller, bots.publish(context, caller, CALLED)["secret"]


def call_of_game(context: Context, bot: Caller) -> Call:
    """Start a game with the bot. Return the first decision of its endpoint."""
    ana = player(context)[1]
    game = challenging.create(context, ana, bot.player_id or "", AZUL)["game_id"]
    while view(context, game)["seats"][view(context, game)["to_decide"]]["kind"] != "http":
        decide(context, game, ana)
    now = view(context, game)
    call = endpoints.take(context, game, now["revision"], now["to_decide"])
    assert call is not None
    return call


def verifying(context: Context, time: Time, call: Call, secrets: list[str]) -> list[str]:
    """Return which of the secrets verify the request."""
    request = endpoints.build_request(context, call)
    return [secret for secret in secrets if is_verified(secret, request, time)]


def test_both_secrets_verify_in_the_overlap_and_one_before_and_after(calling: Context, time: Time) -> None:
    bot, old = publish_called(calling)
    call, new = call_of_game(calling, bot), signing.new_secret()
    assert [old] == verifying(calling, time, call, [old, new])
    assert new == bots.rotate_secret(calling, bot, new, DAY_S)["secret"]
    assert [old, new] == verifying(calling, time, call, [old, new])
    time.pass_(DAY_S - 0.001)
    assert [old, new] == verifying(calling, time, call, [old, new])
    time.pass_(0.001)
    assert [new] == verifying(calling, time, call, [old, new])


def test_old_secrets_can_be_ended_at_once(calling: Context, time: Time) -> None:
    bot, old = publish_called(calling)
    call, new = call_of_game(calling, bot), bots.rotate_secret(calling, bot, None, DAY_S)["secret"]
    bots.end_old_secrets(calling, bot)
    assert [new] == verifying(calling, time, call, [old, new])


def test_publishing_again_keeps_old_secrets_unless_it_sets_another(calling: Context, time: Time) -> None:
    bot, old = publish_called(calling)
    call, new = call_of_game(calling, bot), bots.rotate_secret(calling, bot, None, DAY_S)["secret"]
    bots.publish(calling, bot, replace(CALLED, games_at_once=2))
    assert [old, new] == verifying(calling, time, call, [old, new])
    third = signing.new_secret()
    bots.publish(calling, bot, replace(CALLED, endpoint=replace(CALLED.endpoint or NewEndpoint(""), secret=third)))
    assert [third] == verifying(calling, time, call, [old, new, third])


def test_a_running_game_keeps_its_secret_when_the_bot_moves_or_is_withdrawn(calling: Context, time: Time) -> None:
    bot, old = publish_called(calling)
    call, new = call_of_game(calling, bot), signing.new_secret()
    bots.publish(calling, bot, replace(CALLED, endpoint=NewEndpoint("https://other.example/", new)))
    assert [old] == verifying(calling, time, call, [old, new])
    bots.withdraw(calling, bot)
    assert [old] == verifying(calling, time, call, [old, new])


def test_a_request_that_is_repeated_after_a_crash_rotates_once(calling: Context, time: Time) -> None:
    bot, old = publish_called(calling)
    issuer = Issuer(bot, None, entity_id="A" * 16)
    made = [bots.rotate_secret(calling, bot, None, DAY_S, issuer)["secret"] for _ in range(2)]
    assert made[0] == made[1]
    assert [old, made[0]] == verifying(calling, time, call_of_game(calling, bot), [old, made[0]])


def test_bots_that_poll_and_players_without_a_bot_have_no_secret(calling: Context) -> None:
    _, polling = publish_bot(calling)
    for caller, code in ((polling, "bot/no_endpoint"), (player(calling)[1], "bot/not_found")):
        with raises_error(code):
            bots.rotate_secret(calling, caller, None, DAY_S)
        with raises_error(code):
            bots.end_old_secrets(calling, caller)


def test_the_current_secret_is_refused_as_the_new_one(calling: Context) -> None:
    bot, secret = publish_called(calling)
    with raises_error("request/invalid"):
        bots.rotate_secret(calling, bot, secret, DAY_S)


def test_secrets_can_be_rotated_while_outgoing_calls_are_off(calling: Context, time: Time) -> None:
    bot, old = publish_called(calling)
    call = call_of_game(calling, bot)
    calling.settings = replace(calling.settings, outgoing="off")
    new = bots.rotate_secret(calling, bot, None, 0)["secret"]
    assert [new] == verifying(calling, time, call, [old, new])
