"""Tokens in responses, which a repeated request with the same Idempotency-Key gets again.

Only digests of tokens are stored, so Redis, its files and their copies give no access to games. Replay entries contain
no tokens either. The tokens of such a request are derived from secrets of the caller (the key, and the token in the
request, if any) and a stored salt. A repeated request has all of these but the salt.

A token that is issued to a player begins with the ids of the player and of the player's token, and ends with that
token; see `Credential`. So does a token that is issued to its bearer. `Issuer.issuer` is this beginning.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

from service.rulesets.wire import Json
from service.usecases.base.context import Caller, Idempotency

TOKEN_BYTES = 32
SALT_BYTES = 16


class Issuer:
    """Issues the tokens of one response: random ones, or derived ones if the request has an Idempotency-Key."""

    def __init__(
        self, caller: Caller, idempotency: Idempotency | None, salt: str | None = None, issuer: str | None = None
    ) -> None:
        """Prepare the tokens of a request. `salt` is the stored one if the request is repeated.

        `issuer`: the beginning of the tokens, by default that of the caller.
        """
        self._issuer = caller.issuer if issuer is None else issuer
        # Redis stores SHA-256 digests of other texts with these parts, but never this text
        self._secret = None if idempotency is None else f"{caller.token or ''} {idempotency.key}".encode()
        self.salt = secrets.token_urlsafe(SALT_BYTES) if salt is None and idempotency is not None else salt

    @classmethod
    def from_entry(cls, caller: Caller, idempotency: Idempotency, entry: Json) -> Issuer:
        """Return the issuer of an earlier request from its replay entry."""
        return cls(caller, idempotency, entry["salt"], entry.get("issuer", ""))  # older versions had no issuer

    def to_entry(self) -> Json:
        """Return the members of the replay entry."""
        return {"salt": self.salt, "issuer": self._issuer}

    def token(self, role: str) -> str:
        """Return the token of a role: 32 bytes in base64url, after the ids of the player and the player's token."""
        return ".".join(filter(None, (self._issuer, self._secret_of(role))))

    def _secret_of(self, role: str) -> str:
        if self._secret is None:
            return secrets.token_urlsafe(TOKEN_BYTES)
        derived = hmac.digest(self._secret, f"{self.salt} {role}".encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(derived).rstrip(b"=").decode()
