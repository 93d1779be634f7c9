"""Signed requests, as https://www.standardwebhooks.com describes them: who has the secret knows that they are ours.

A secret is `whsec_` and base64 of 24 to 64 bytes. What is signed is the request's id, its Unix time in seconds and its
body, divided by dots; so a body that is sent again bears the same id, and another time.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from datetime import UTC, datetime

from standardwebhooks import Webhook

PREFIX = "whsec_"
SECRET_BYTES = 32
FEWEST_SECRET_BYTES, MAX_SECRET_BYTES = 24, 64


def new_secret() -> str:
    """A secret that nobody knows yet."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def key_of(secret: str) -> bytes:
    """The bytes of a secret. ValueError for what is none."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX).encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise ValueError("it is not base64") from None
    if not secret.startswith(PREFIX) or not FEWEST_SECRET_BYTES <= len(key) <= MAX_SECRET_BYTES:
        raise ValueError("it is no secret of 24 to 64 bytes")
    return key


def headers(secret: str, message_id: str, unix_s: int, body: bytes) -> dict[str, str]:
    """The headers of a request with this body."""
    signature = Webhook(secret).sign(message_id, datetime.fromtimestamp(unix_s, UTC), body.decode())
    return {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(unix_s),
        "webhook-signature": signature,
    }
