"""Signatures of webhooks: equal to the standard and its library, and rejected if anything is changed."""

from __future__ import annotations

import base64
import hmac
import time

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from service.outgoing import signing

NOW = 1_000_000
BODY = '{"type": "your_turn", "name": "Jörg"}'


def test_signature_covers_id_time_and_body_separated_by_dots() -> None:
    secret = signing.new_secret()
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.digest(key, f"msg_1.1614265330.{BODY}".encode(), "sha256")
    signed = signing.headers("msg_1", 1_614_265_330, BODY.encode(), secret)
    assert f"v1,{base64.b64encode(mac).decode()}" == signed["webhook-signature"]
    assert ("msg_1", "1614265330") == (signed["webhook-id"], signed["webhook-timestamp"])


@pytest.mark.parametrize("secret", ["", "whsec_" + "A" * 32, "whsec_" + "A" * 84 + "AA=="])
def test_signature_is_verified_by_the_library_of_the_standard(secret: str) -> None:
    secret = secret or signing.new_secret()
    signed = signing.headers("msg_1", int(time.time()), BODY.encode(), secret)
    assert Webhook(secret).verify(BODY, signed)["type"] == "your_turn"


@pytest.mark.parametrize("number", [0, 1, 2])
def test_each_of_several_secrets_verifies(number: int) -> None:
    several = [signing.new_secret() for _ in range(3)]
    signed = signing.headers("msg_1", int(time.time()), BODY.encode(), *several)
    assert 3 == len(signed["webhook-signature"].split(" "))
    assert Webhook(several[number]).verify(BODY, signed)["type"] == "your_turn"


def test_signature_depends_on_body_id_time_and_secret() -> None:
    secret, now = signing.new_secret(), int(time.time())
    signed = signing.headers("msg_1", now, BODY.encode(), secret)
    for wrong in (
        {"webhook-id": "msg_2"},
        {"webhook-timestamp": str(now - 1)},
        {"webhook-signature": "v1,AAAA"},
    ):
        with pytest.raises(WebhookVerificationError):
            Webhook(secret).verify(BODY, {**signed, **wrong})
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(BODY + " ", signed)
    with pytest.raises(WebhookVerificationError):
        Webhook(signing.new_secret()).verify(BODY, signed)


def secret_with(length: int) -> str:
    return "whsec_" + base64.b64encode(b"s" * length).decode()


@pytest.mark.parametrize("length", [24, 25, 63, 64])
def test_a_secret_has_24_to_64_bytes(length: int) -> None:
    assert b"s" * length == signing.decode_secret(secret_with(length))


@pytest.mark.parametrize("length", [0, 23, 65])
def test_a_secret_of_fewer_or_more_bytes_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="24 to 64 bytes"):
        signing.decode_secret(secret_with(length))


@pytest.mark.parametrize("text", ["", "whsec_", "whsec_AAAA", "A" * 44, "whsec_" + "A" * 92, "whsec_ä", "whsec_!" * 9])
def test_invalid_secret_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="the secret is not"):
        signing.decode_secret(text)


# ---------------------------------------------------------------------------------------------- old secrets


def test_an_old_secret_signs_until_the_end_of_the_overlap() -> None:
    old = signing.replace_secret("one", (), "two", NOW, 60)
    assert (("one", NOW + 60_000),) == old
    assert ["two", "one"] == signing.current_secrets("two", old, NOW + 59_999)
    assert ["two"] == signing.current_secrets("two", old, NOW + 60_000)


def test_an_old_secret_ends_at_once_without_an_overlap() -> None:
    assert () == signing.replace_secret("one", (), "two", NOW, 0)


@pytest.mark.parametrize(
    ("overlap_s", "expected"),
    [
        (90, [("two", 120_000), ("one", 60_000)]),  # the older one is not prolonged
        (10, [("two", 40_000), ("one", 40_000)]),
        (0, []),
    ],
)
def test_a_rotation_during_an_overlap_shortens_it_or_leaves_it(overlap_s: int, expected: list[tuple[str, int]]) -> None:
    old = signing.replace_secret("one", (), "two", NOW, 60)
    old = signing.replace_secret("two", old, "three", NOW + 30_000, overlap_s)
    assert [(secret, NOW + ms) for secret, ms in expected] == [*old]


def test_secrets_that_have_ended_are_no_longer_stored() -> None:
    old = signing.replace_secret("one", (), "two", NOW, 60)
    assert ["two"] == [secret for secret, _ in signing.replace_secret("two", old, "three", NOW + 60_000, 60)]


def test_a_secret_that_returns_is_no_old_one() -> None:
    old = signing.replace_secret("one", (), "two", NOW, 60)
    assert ["two"] == [secret for secret, _ in signing.replace_secret("two", old, "one", NOW, 60)]


def test_the_oldest_of_five_old_secrets_ends() -> None:
    old: tuple[signing.OldSecret, ...] = ()
    for number in range(signing.MAX_OLD_SECRETS + 1):
        old = signing.replace_secret(str(number), old, str(number + 1), NOW, 60)
    assert ["4", "3", "2", "1"] == [secret for secret, _ in old]
