"""Ids and tokens of new resources, which a repeated request with the same Idempotency-Key gets again.

Only digests of tokens are stored, so Redis, its files and their copies give no access to games. Replay entries contain
no tokens either. The tokens of such a request are derived from secrets of the caller (the key, and the token in the
request, if any) and a stored salt. A repeated request has all of these but the salt. Ids are no secrets, so a replay
entry contains the id of what its request creates (`service.usecases.work.repeating`).

A token that is issued to a player begins with the ids of the player and of the player's token, and ends with that
token; see `Credential`. So does a token that is issued to its bearer. `Issuer.issuer` is this beginning.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

from service.rulesets.wire import Json
from service.usecases.base.context import Caller, Context, Idempotency

TOKEN_BYTES = 32
SALT_BYTES = 16
SUCCESSOR = "successor"


class Issuer:
    """Issues the id and tokens of one response: random ones, or those of the Idempotency-Key of the request."""

    def __init__(
        self,
        caller: Caller,
        idempotency: Idempotency | None,
        salt: str | None = None,
        issuer: str | None = None,
        entity_id: str | None = None,
    ) -> None:
        """Prepare the tokens of a request. `salt` is the stored one if the request is repeated.

        `issuer`: the beginning of the tokens, by default that of the caller. `entity_id`: the id, by default a new one.
        """
        self.is_repeated = salt is not None
        """True if an earlier request may have created the resource already."""
        self._entity_id = entity_id
        self._issuer = caller.issuer if issuer is None else issuer
        # Redis stores SHA-256 digests of other texts with these parts, but never this text
        self._secret = None if idempotency is None else f"{caller.token or ''} {idempotency.key}".encode()
        self.salt = secrets.token_urlsafe(SALT_BYTES) if salt is None and idempotency is not None else salt

    @classmethod
    def from_entry(cls, caller: Caller, idempotency: Idempotency, entry: Json) -> Issuer:
        """Return the issuer of an earlier request from its replay entry."""
        issuer, entity_id = entry.get("issuer", ""), entry.get("id")  # older versions had neither
        return cls(caller, idempotency, entry["salt"], issuer, entity_id)

    def to_entry(self) -> Json:
        """Return the members of the replay entry."""
        return {"salt": self.salt, "issuer": self._issuer}

    def token(self, role: str) -> str:
        """Return the token of a role: 32 bytes in base64url, after the ids of the player and the player's token."""
        return ".".join(filter(None, (self._issuer, self._secret_of(role))))

    def player_token(self, player_id: str | None, role: str = "player") -> str:
        """Return a player's token. `role`: a new one by default, or the `SUCCESSOR` of that of the request."""
        return f"{player_id}.{self._secret_of(role)}"

    def id_in(self, context: Context) -> str:
        """Return the id of what the request creates."""
        return self._entity_id or context.store.new_game_id()

    def _secret_of(self, role: str) -> str:
        if self._secret is None:
            return secrets.token_urlsafe(TOKEN_BYTES)
        derived = hmac.digest(self._secret, f"{self.salt} {role}".encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(derived).rstrip(b"=").decode()


RANDOM = Issuer(Caller(), None)
"""The issuer of requests without an Idempotency-Key."""
