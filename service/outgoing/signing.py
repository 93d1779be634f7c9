"""Signatures of webhooks, as specified by https://www.standardwebhooks.com.

A secret is `whsec_` and base64 of 24 to 64 bytes. The signature covers the message id, the Unix time in seconds and the
body, separated by dots. A repeated message has the same id and a new time.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from datetime import UTC, datetime

from standardwebhooks import Webhook

PREFIX = "whsec_"
SECRET_BYTES = 32
MIN_SECRET_BYTES, MAX_SECRET_BYTES = 24, 64


def new_secret() -> str:
    """Return a random secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def decode_secret(secret: str) -> bytes:
    """Return the bytes of a secret. Raises ValueError if it is not one."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX).encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise ValueError("the secret is not base64") from None
    if not secret.startswith(PREFIX) or not MIN_SECRET_BYTES <= len(key) <= MAX_SECRET_BYTES:
        raise ValueError("the secret is not whsec_ and 24 to 64 bytes in base64")
    return key


def headers(secret: str, message_id: str, unix_s: int, body: bytes) -> dict[str, str]:
    """Return the headers of a signed request with this body."""
    signature = Webhook(secret).sign(message_id, datetime.fromtimestamp(unix_s, UTC), body.decode())
    return {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(unix_s),
        "webhook-signature": signature,
    }
