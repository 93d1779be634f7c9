"""Sign-ins that have begun: what is to be known when somebody comes back from a provider. Each is completed once."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import cast

import orjson
from redis import Redis

from service.storage.base.keys import Buckets, Keys

SIGN_IN_ID_BYTES = 24


@dataclass(frozen=True)
class StoredSignIn:
    """A sign-in as it is kept. `redirect_uri`, `verifier`: of the way by a browser, else nothing."""

    id: str
    provider: str
    nonce: str
    redirect_uri: str | None
    verifier: str


class SignIns:
    """The sign-ins of everybody; every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)

    @staticmethod
    def new_id() -> str:
        """192 random bits: it is the `state` in a browser, too."""
        return secrets.token_urlsafe(SIGN_IN_ID_BYTES)

    def put(self, sign_in: StoredSignIn, ttl_s: int) -> None:
        """Keep it for so long."""
        self._redis.set(self._keys.sign_in(sign_in.id), orjson.dumps(sign_in), ex=ttl_s)

    def get(self, sign_in_id: str) -> StoredSignIn | None:
        """The sign-in; None if there is none of this id, or it is completed."""
        reply = cast("bytes | None", self._redis.get(self._keys.sign_in(sign_in_id)))
        return None if reply is None else StoredSignIn(**orjson.loads(reply))

    def complete(self, sign_in_id: str) -> bool:
        """It is completed; False if it was already."""
        return bool(self._redis.delete(self._keys.sign_in(sign_in_id)))
