"""Follow-ups: what a change of a player or a game leaves to be done in other slots (a transactional outbox).

A script touches one slot. So the change is written together with a follow-up, and whoever has written it does that at
once; if they die before, a keeper does it when it is due. It may be done twice, so doing it again must change nothing.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any, cast

import orjson
from redis import Redis

from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.keys import ID_BYTES, Buckets, Keys
from service.storage.base.pipelining import ask_all

RESULT = "result"
"""The kind of what follows from the end of a game with players."""


@dataclass(frozen=True)
class FollowUp:
    """One of them. `owner`: the player or game whose change it follows from, in whose bucket it lies.

    `kind`: what is to be done; `facts`: JSON, with what.
    """

    owner: str
    kind: str
    facts: dict[str, Any] = field(default_factory=dict)
    id: str = field(default_factory=lambda: secrets.token_urlsafe(ID_BYTES))

    def to_bytes(self) -> bytes:
        """As it is stored under its id."""
        return orjson.dumps([self.owner, self.kind, self.facts])


Noted = tuple[FollowUp, int]
"""What follows from a change, and unix ms from which a keeper does it."""


class FollowUps:
    """Reads and forgets follow-ups; the scripts add them. Every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)

    def take(self, now_ms: int, until_ms: int, count: int) -> list[FollowUp]:
        """Those that are due, at most so many of a bucket; until then other keepers leave them alone."""
        buckets, limit = [*self._keys.every_bucket()], ("LIMIT", 0, count)
        due_until_now = (("ZRANGEBYSCORE", bucket.follow_ups_due, "-inf", now_ms, *limit) for bucket in buckets)
        found = zip(buckets, ask_all(self._redis, due_until_now), strict=True)
        return [follow_up for bucket, due in found if due for follow_up in self._taken(bucket, due, until_ms)]

    def _taken(self, bucket: BucketKeys, due: list[bytes], until_ms: int) -> list[FollowUp]:
        self._redis.zadd(bucket.follow_ups_due, dict.fromkeys(due, until_ms), xx=True)
        contents = cast("list[bytes | None]", self._redis.hmget(bucket.follow_ups, due))
        return [_read(name, content) for name, content in zip(due, contents, strict=True) if content is not None]

    def done(self, follow_up: FollowUp) -> None:
        """There is nothing left of it to do."""
        bucket = self._keys.home(follow_up.owner)
        commands = (("ZREM", bucket.follow_ups_due, follow_up.id), ("HDEL", bucket.follow_ups, follow_up.id))
        ask_all(self._redis, commands)


def _read(name: bytes, content: bytes) -> FollowUp:
    owner, kind, facts = orjson.loads(content)
    return FollowUp(owner, kind, facts, name.decode())
