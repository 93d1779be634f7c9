"""Follow-ups: what a change of a player or a game leaves to be done in other slots (a transactional outbox).

A script touches one slot. So the change is written together with a follow-up, and whoever has written it does that at
once; if they die before, a keeper does it when it is due. It may be done twice, so doing it again must change nothing.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

import orjson
from redis import Redis

from service.storage.base.due import take_due
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
        buckets = [*self._keys.every_bucket()]
        found = take_due(self._redis, [bucket.follow_ups_due for bucket in buckets], now_ms, until_ms, count)
        both = [(bucket, due) for bucket, due in zip(buckets, found, strict=True) if due]
        contents = ask_all(self._redis, (("HMGET", bucket.follow_ups, *due) for bucket, due in both))
        named = zip((name for _, due in both for name in due), (one for part in contents for one in part), strict=True)
        return [_read(name, content) for name, content in named if content is not None]

    def done(self, follow_up: FollowUp) -> None:
        """There is nothing left of it to do."""
        bucket = self._keys.home(follow_up.owner)
        commands = (("ZREM", bucket.follow_ups_due, follow_up.id), ("HDEL", bucket.follow_ups, follow_up.id))
        ask_all(self._redis, commands)


def _read(name: str, content: bytes) -> FollowUp:
    owner, kind, facts = orjson.loads(content)
    return FollowUp(owner, kind, facts, name)
