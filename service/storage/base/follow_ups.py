"""Follow-ups: idempotent steps that complete a change of a player or game in other slots (a transactional outbox).

A script changes one slot. So the change and its follow-up are written together, and the writer executes the follow-up
at once. If the writer dies before, a keeper executes it when it is due. It may be executed twice, so it must be
idempotent.

An entry of the audit log is written together with an act of staff in the same way. `Moderation` reads the log.
"""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import orjson

from service import record_reader
from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.bucket_store import BucketStore
from service.storage.base.due import take_due
from service.storage.base.keys import ID_BYTES
from service.storage.base.pipelining import ask_all
from service.storage.base.transactions import Transaction

RESULT = "result"
"""The kind of follow-up of the end of a game with players."""


@dataclass(frozen=True)
class FollowUp:
    """A follow-up. It is in the bucket of its `owner`, the changed player or game.

    `kind` names the step, and `facts` are its arguments, as JSON.
    """

    owner: str
    kind: str
    facts: dict[str, Any] = field(default_factory=dict)
    id: str = field(default_factory=lambda: secrets.token_urlsafe(ID_BYTES))

    def to_bytes(self) -> bytes:
        """Return the stored form, without the id."""
        return orjson.dumps([self.owner, self.kind, self.facts])

    def add_to(self, change: Transaction, bucket: BucketKeys, due_ms: int) -> None:
        """Add the follow-up to a transaction in this bucket. `due_ms`: see `DueFollowUp`."""
        change.run("HSET", bucket.follow_ups, self.id, self.to_bytes())
        change.run("ZADD", bucket.follow_ups_due, due_ms, self.id)


DueFollowUp = tuple[FollowUp, int]
"""A follow-up, and unix ms from which a keeper executes it."""


class Actor(NamedTuple):
    """A member of staff in the log, or the operator. The name stays after the member is deleted."""

    id: str
    name: str | None


OPERATOR = Actor("operator", None)


@dataclass(frozen=True)
class LogEntry:
    """An entry of the audit log. `object_type`, `object_id`: what the act changed; `id`: empty before it is stored."""

    actor: Actor
    act: str
    object_type: str
    object_id: str
    reason: str | None = None
    id: str = ""

    @property
    def at_ms(self) -> int:
        """Unix ms of the act."""
        return int(self.id.partition("-")[0])

    def add_to(self, change: Transaction, bucket: BucketKeys) -> None:
        """Add the entry to a transaction in this bucket."""
        content = orjson.dumps({**asdict(self), "actor": [*self.actor]})
        change.run("XADD", bucket.audit_log, "*", "e", content)


class FollowUps(BucketStore):
    """Reads and removes follow-ups. Scripts add them."""

    def take(self, now_ms: int, until_ms: int, count: int) -> list[FollowUp]:
        """Return up to `count` due follow-ups of each bucket, and postpone them for other keepers to `until_ms`."""
        buckets = [*self._keys.all_buckets()]
        parts = take_due(self._redis, [bucket.follow_ups_due for bucket in buckets], now_ms, until_ms, count)
        due = [(bucket, ids) for bucket, ids in zip(buckets, parts, strict=True) if ids]
        replies = ask_all(self._redis, (("HMGET", bucket.follow_ups, *ids) for bucket, ids in due))
        contents = [content for reply in replies for content in reply]
        named = zip((follow_up_id for _, ids in due for follow_up_id in ids), contents, strict=True)
        return record_reader.read_all("follow-up", named, _read)

    def replace(self, follow_up: FollowUp, due_ms: int) -> None:
        """Replace the follow-up of this id by another one, which is due at `due_ms`."""
        bucket = self._keys.home(follow_up.owner)
        commands = (
            ("HSET", bucket.follow_ups, follow_up.id, follow_up.to_bytes()),
            ("ZADD", bucket.follow_ups_due, due_ms, follow_up.id),
        )
        ask_all(self._redis, commands)

    def remove(self, follow_up: FollowUp) -> None:
        """Remove a follow-up that was executed."""
        bucket = self._keys.home(follow_up.owner)
        commands = (("ZREM", bucket.follow_ups_due, follow_up.id), ("HDEL", bucket.follow_ups, follow_up.id))
        ask_all(self._redis, commands)


def _read(follow_up_id: str, content: bytes) -> FollowUp:
    owner, kind, facts, *_ = orjson.loads(content)
    return FollowUp(owner, kind, facts, follow_up_id)
