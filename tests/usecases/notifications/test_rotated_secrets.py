"""Secrets of webhooks before, in and after an overlap, with a simulated clock and no network."""

from __future__ import annotations

import pytest
from redis import Redis

from service.games.state.moments import rfc3339
from service.outgoing import signing
from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.base.context import Caller, Context
from service.usecases.games.tokens import Issuer
from service.usecases.notifications import webhooks
from service.usecases.people import player_exports, players
from tests.usecases.players import Time, player
from tests.usecases.webhook_deliveries import URL, is_verified, outgoing, refusal_code, take_parcel

__all__ = ["outgoing"]  # fixtures
DAY_S = 86_400


@pytest.fixture
def hook(context: Context, time: Time) -> tuple[Caller, str, str]:
    """Create a player with a webhook. Return the player, and the webhook's id and secret."""
    _, ana = player(context, "Ana")
    made = webhooks.create(context, ana, URL, None, None)
    return ana, made["webhook"]["id"], made["secret"]


def verifying(context: Context, time: Time, owner: Caller, webhook: str, secrets: list[str]) -> list[str]:
    """Return which of the secrets verify the next message."""
    delivery = webhooks.ping(context, owner, webhook)["id"]
    parcel = take_parcel(context, DeliveryKey(owner.player_id or "", webhook, delivery))
    return [secret for secret in secrets if is_verified(secret, parcel, time)]


def test_both_secrets_verify_in_the_overlap_and_one_before_and_after(
    context: Context, time: Time, hook: tuple[Caller, str, str]
) -> None:
    ana, webhook, old = hook
    new = signing.new_secret()
    assert [old] == verifying(context, time, ana, webhook, [old, new])
    made = webhooks.rotate_secret(context, ana, webhook, new, DAY_S)
    assert (new, rfc3339(time.ms + 1000 * DAY_S)) == (made["secret"], made["webhook"]["old_secrets_end_at"])
    assert [old, new] == verifying(context, time, ana, webhook, [old, new])
    time.pass_(DAY_S - 0.001)
    assert [old, new] == verifying(context, time, ana, webhook, [old, new])
    time.pass_(0.001)
    assert [new] == verifying(context, time, ana, webhook, [old, new])
    assert webhooks.get(context, ana, webhook)["old_secrets_end_at"] is None


def test_a_waiting_delivery_is_signed_with_the_secrets_of_its_attempt(
    context: Context, time: Time, hook: tuple[Caller, str, str]
) -> None:
    ana, webhook, old = hook
    key = DeliveryKey(ana.player_id or "", webhook, webhooks.ping(context, ana, webhook)["id"])
    new = webhooks.rotate_secret(context, ana, webhook, None, 0)["secret"]
    assert is_verified(new, take_parcel(context, key), time)
    assert not is_verified(old, take_parcel(context, key), time)


def test_old_secrets_can_be_ended_at_once(context: Context, time: Time, hook: tuple[Caller, str, str]) -> None:
    ana, webhook, old = hook
    new = webhooks.rotate_secret(context, ana, webhook, None, DAY_S)["secret"]
    for _ in range(2):
        webhooks.end_old_secrets(context, ana, webhook)
        assert [new] == verifying(context, time, ana, webhook, [old, new])
    assert webhooks.get(context, ana, webhook)["old_secrets_end_at"] is None


def test_a_second_rotation_in_an_overlap_keeps_the_first_secret_until_its_end(
    context: Context, time: Time, hook: tuple[Caller, str, str]
) -> None:
    ana, webhook, first = hook
    second = webhooks.rotate_secret(context, ana, webhook, None, DAY_S)["secret"]
    time.pass_(DAY_S / 2)
    third = webhooks.rotate_secret(context, ana, webhook, None, DAY_S)["secret"]
    every = [first, second, third]
    assert every == verifying(context, time, ana, webhook, every)
    time.pass_(DAY_S / 2)
    assert [second, third] == verifying(context, time, ana, webhook, every)
    fourth = webhooks.rotate_secret(context, ana, webhook, None, 0)["secret"]
    assert [fourth] == verifying(context, time, ana, webhook, [*every, fourth])


def test_the_current_secret_is_refused_as_the_new_one(
    context: Context, time: Time, hook: tuple[Caller, str, str]
) -> None:
    ana, webhook, secret = hook
    assert "request/invalid" == refusal_code(lambda: webhooks.rotate_secret(context, ana, webhook, secret, 0))
    assert [secret] == verifying(context, time, ana, webhook, [secret])


def test_a_request_that_is_repeated_after_a_crash_rotates_once(
    context: Context, time: Time, hook: tuple[Caller, str, str]
) -> None:
    ana, webhook, old = hook
    issuer = Issuer(ana, None, entity_id="A" * 16)
    made = [webhooks.rotate_secret(context, ana, webhook, None, DAY_S, issuer)["secret"] for _ in range(2)]
    assert made[0] == made[1]
    assert [old, made[0]] == verifying(context, time, ana, webhook, [old, made[0]])


def test_secrets_can_be_rotated_while_the_webhook_is_disabled(
    context: Context, time: Time, hook: tuple[Caller, str, str]
) -> None:
    ana, webhook, old = hook
    webhooks.change(context, ana, webhook, {"enabled": False})
    new = webhooks.rotate_secret(context, ana, webhook, None, 0)["secret"]
    webhooks.change(context, ana, webhook, {"enabled": True})
    assert [new] == verifying(context, time, ana, webhook, [old, new])


def test_old_secrets_are_not_exported_and_are_deleted_with_the_player(
    context: Context, time: Time, hook: tuple[Caller, str, str], redis_client: Redis
) -> None:
    ana, webhook, old = hook
    new = webhooks.rotate_secret(context, ana, webhook, None, DAY_S)["secret"]
    assert "whsec_" not in str(player_exports.export(context, ana))
    hooks = f"{{b00}}:webhooks:{ana.player_id}"
    assert all(secret.encode() in b"".join(redis_client.hvals(hooks)) for secret in (old, new))  # type: ignore[arg-type]
    players.delete(context, ana)
    assert not redis_client.exists(hooks)
