"""Tokens that an answer gives out, and gives out again to who repeats the request with its Idempotency-Key.

Only digests of tokens are stored, so that nothing in Redis, on its disk or in a copy of either opens a game. What is
remembered of such a request holds no token either: its tokens are derived from what the caller alone has, the key
(and the token, if any, that the request was sent with), and from a salt that is remembered. Whoever repeats the
request brings all of it but the salt.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import Self

from service.usecases.base.context import Caller, Idempotency

TOKEN_BYTES = 32
SALT_BYTES = 16


class Issuer:
    """Gives out the tokens of one answer: fresh ones, or where the request has a key, those that belong to it."""

    def __init__(self, secret: bytes | None, salt: str | None) -> None:
        self._secret = secret
        self.salt = salt
        """To be remembered; None where the request has no key."""

    @classmethod
    def new(cls, caller: Caller, idempotency: Idempotency | None) -> Self:
        """For a request that is served for the first time."""
        if idempotency is None:
            return cls(None, None)
        return cls(_secret(caller, idempotency), secrets.token_urlsafe(SALT_BYTES))

    @classmethod
    def again(cls, caller: Caller, idempotency: Idempotency, salt: str) -> Self:
        """For one that has been served before."""
        return cls(_secret(caller, idempotency), salt)

    def token(self, role: str) -> str:
        """The token of a role: 32 bytes in base64url."""
        if self._secret is None:
            return secrets.token_urlsafe(TOKEN_BYTES)
        derived = hmac.digest(self._secret, f"{self.salt} {role}".encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(derived).rstrip(b"=").decode()


def _secret(caller: Caller, idempotency: Idempotency) -> bytes:
    """What the store never sees: it knows the SHA-256 of other texts with these parts."""
    return f"{caller.token or ''} {idempotency.key}".encode()
