"""Signatures of webhooks: equal to the standard and its library, and rejected if anything is changed."""

from __future__ import annotations

import base64
import hmac
import time

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from service.outgoing import signing

BODY = '{"type": "your_turn", "name": "Jörg"}'


def test_signature_covers_id_time_and_body_separated_by_dots() -> None:
    secret = signing.new_secret()
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.digest(key, f"msg_1.1614265330.{BODY}".encode(), "sha256")
    signed = signing.headers(secret, "msg_1", 1_614_265_330, BODY.encode())
    assert f"v1,{base64.b64encode(mac).decode()}" == signed["webhook-signature"]
    assert ("msg_1", "1614265330") == (signed["webhook-id"], signed["webhook-timestamp"])


@pytest.mark.parametrize("secret", ["", "whsec_" + "A" * 32, "whsec_" + "A" * 84 + "AA=="])
def test_signature_is_verified_by_the_library_of_the_standard(secret: str) -> None:
    secret = secret or signing.new_secret()
    signed = signing.headers(secret, "msg_1", int(time.time()), BODY.encode())
    assert Webhook(secret).verify(BODY, signed)["type"] == "your_turn"


def test_signature_depends_on_body_id_time_and_secret() -> None:
    secret, now = signing.new_secret(), int(time.time())
    signed = signing.headers(secret, "msg_1", now, BODY.encode())
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
