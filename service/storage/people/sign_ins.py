"""Unfinished sign-ins: the data that is needed when a provider redirects a player back. Each is used up once."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import cast

import orjson

from service import record_reader, stored_json
from service.storage.base.bucket_store import BucketStore

SIGN_IN_ID_BYTES = 24


@dataclass(frozen=True)
class StoredSignIn:
    """An unfinished sign-in. Without a browser, `redirect_uri` is None and `verifier` empty."""

    id: str
    provider: str
    nonce: str
    redirect_uri: str | None
    verifier: str
    secret_digest: str = ""
    """Digest of the secret that completes the sign-in. Sign-ins of older versions have none and cannot be completed."""
    proof_digest: str = ""
    """Digest of the ID token or code that was accepted. Empty if none was."""
    identity: str = ""
    """The reserved name of the identity that it proved."""


class SignIns(BucketStore):
    """The unfinished sign-ins."""

    @staticmethod
    def new_id() -> str:
        """Return 192 random bits. The id is also the `state` in a browser."""
        return secrets.token_urlsafe(SIGN_IN_ID_BYTES)

    def add(self, sign_in: StoredSignIn, ttl_s: int) -> None:
        """Store a sign-in for `ttl_s`."""
        self._redis.set(self._keys.sign_in(sign_in.id), orjson.dumps(sign_in), ex=ttl_s)

    def get(self, sign_in_id: str) -> StoredSignIn | None:
        """Return the sign-in, or None if it is unknown, expired or used up."""
        reply = cast("bytes | None", self._redis.get(self._keys.sign_in(sign_in_id)))
        return record_reader.read("sign-in", "", reply, _sign_in)  # its id is a secret

    def store_proof(self, sign_in: StoredSignIn) -> bool:
        """Store the accepted proof in a sign-in. Return False if the sign-in is used up."""
        return bool(self._redis.set(self._keys.sign_in(sign_in.id), orjson.dumps(sign_in), xx=True, keepttl=True))

    def use_up(self, sign_in_id: str) -> bool:
        """Delete the sign-in. Return False if it was used up before."""
        return bool(self._redis.delete(self._keys.sign_in(sign_in_id)))


def _sign_in(_: str, content: bytes) -> StoredSignIn:
    return StoredSignIn(**stored_json.select_known(StoredSignIn, orjson.loads(content)))
