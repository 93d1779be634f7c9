"""Web Push: encryption for a device, tokens for a push service, and invalid keys."""

from __future__ import annotations

import pytest

from service.outgoing import web_push
from tests.outgoing.push_service import Device, claims_of

RFC_8291 = {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}


def test_only_the_device_can_decrypt_its_message() -> None:
    device, other = Device(), Device()
    body = web_push.encrypt(b'{"type": "your_turn"}', **device.keys)
    assert {"type": "your_turn"} == device.read(body)
    assert b"your_turn" not in body
    assert body != web_push.encrypt(b'{"type": "your_turn"}', **device.keys)
    with pytest.raises(Exception, match="Decryption"):
        other.read(body)


def test_the_longest_notice_fits_into_one_record() -> None:
    """Push services accept 4,096 bytes."""
    body = web_push.encrypt(b"x" * 1_000, **Device().keys)
    assert len(body) < 1_200


def test_the_token_names_the_push_service_and_expires_after_half_a_day() -> None:
    key = web_push.new_private_key()
    headers = web_push.headers(key, "mailto:games@games.example", "https://push.example:8443/send/x?y=z", 1_800_000_000)
    assert {
        "aud": "https://push.example:8443",
        "exp": 1_800_000_000 + 43_200,
        "sub": "mailto:games@games.example",
    } == claims_of(headers["Authorization"])
    assert headers["Authorization"].endswith(f"k={web_push.public_key(key)}")
    assert "aes128gcm" == headers["Content-Encoding"]
    assert "sub" not in claims_of(web_push.headers(key, "", "https://push.example/", 1_800_000_000)["Authorization"])


def test_new_private_keys_differ_and_invalid_ones_are_refused() -> None:
    keys = {web_push.new_private_key() for _ in range(20)}
    assert (20, {43}) == (len(keys), {len(key) for key in keys})
    assert {87} == {len(web_push.public_key(key)) for key in keys}
    for wrong in ("", "x", "=" * 43, "A" * 43, "A" * 44, "é" * 43):
        with pytest.raises(ValueError):  # noqa: PT011 - some errors are raised by the library
            web_push.public_key(wrong)


def test_keys_of_the_rfc_are_valid_and_damaged_keys_are_reported() -> None:
    assert {} == web_push.device_key_errors(**RFC_8291)
    assert {} == web_push.device_key_errors(RFC_8291["p256dh"] + "=", RFC_8291["auth"] + "==")
    off_the_curve = RFC_8291["p256dh"][:-2] + "AA"
    for p256dh in (off_the_curve, RFC_8291["p256dh"][:-4], "", "!" * 87, "é"):
        assert ["p256dh"] == [*web_push.device_key_errors(p256dh, RFC_8291["auth"])]
    for auth in ("", "BTBZMqHH6r4Tts7J_aSI", "!" * 22):
        assert ["auth"] == [*web_push.device_key_errors(RFC_8291["p256dh"], auth)]
