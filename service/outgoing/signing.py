"""Signatures of webhooks, as specified by https://www.standardwebhooks.com.

A secret is `whsec_` and base64 of 24 to 64 bytes. The signature covers the message id, the Unix time in seconds and the
body, separated by dots. A repeated message has the same id and a new time.

For a while after a rotation, the new secret and the old ones sign each request, so that receivers can change to the new
one without losing a message.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime

from standardwebhooks import Webhook

PREFIX = "whsec_"
SECRET_BYTES = 32
MIN_SECRET_BYTES, MAX_SECRET_BYTES = 24, 64
MAX_OLD_SECRETS = 4
OVERLAP_S, MAX_OVERLAP_S = 86_400, 7 * 86_400
"""How long old secrets sign after a rotation, by default and at most."""
OldSecret = tuple[str, int]
"""A replaced secret, and unix ms until which it signs."""


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


def replace_secret(
    secret: str, old_secrets: Iterable[OldSecret], new: str, now_ms: int, overlap_s: int
) -> tuple[OldSecret, ...]:
    """Return the old secrets after `new` has replaced `secret`, newest first, at most MAX_OLD_SECRETS.

    All of them end within `overlap_s`. Those that would have ended earlier still do.
    """
    end = now_ms + 1000 * overlap_s
    replaced = [(secret, end), *((old, min(ends_at, end)) for old, ends_at in old_secrets)]
    return tuple((old, ends_at) for old, ends_at in replaced if ends_at > now_ms and old != new)[:MAX_OLD_SECRETS]


def current_secrets(secret: str, old_secrets: Iterable[OldSecret], now_ms: int) -> list[str]:
    """Return the secrets that sign requests now, newest first."""
    return [secret, *(old for old, ends_at in old_secrets if ends_at > now_ms)]


def headers(message_id: str, unix_s: int, body: bytes, *signing_secrets: str) -> dict[str, str]:
    """Return the headers of a request with this body, with a signature by each secret."""
    at, text = datetime.fromtimestamp(unix_s, UTC), body.decode()
    signature = " ".join(Webhook(secret).sign(message_id, at, text) for secret in signing_secrets)
    return {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(unix_s),
        "webhook-signature": signature,
    }
