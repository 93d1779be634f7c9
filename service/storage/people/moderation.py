"""Moderation: the staff with their tokens, the audit log of their acts, and what they set for the whole service.

All staff are in the first bucket. An entry of the log is in the bucket of the object of its act, so a
transaction can change the object and add the entry. No method changes or removes an entry.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import orjson
from redis import Redis

from service import record_reader, stored_json
from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.bucket_store import BucketStore
from service.storage.base.follow_ups import Actor, LogEntry
from service.storage.base.keys import Buckets
from service.storage.base.pipelining import ask_all, decode, decode_fields
from service.storage.base.transactions import APPLIED, Read, Transaction
from service.storage.people.address_links import AddressLinks

MODERATOR, ADMIN = "moderator", "admin"
STAFF_ROLES = (MODERATOR, ADMIN)
MISSING, LAST_ADMIN = "gone", "last"
ENTRY_ID = re.compile(r"(\d{1,15})-(\d{1,9})-(\d{1,2})")
"""Id of an entry: unix ms, a counter, and the number of its bucket."""


class StoredMember(NamedTuple):
    """A member of staff. Only the digest of the token is stored."""

    id: str
    role: str
    name: str
    created_at: str
    digest: str

    @property
    def field(self) -> str:
        """The field of the staff's hash."""
        return f"{self.role}:{self.id}"

    def to_bytes(self) -> bytes:
        """Return the content of the field."""
        return orjson.dumps((self.name, self.created_at, self.digest))


class Standing(NamedTuple):
    """What moderators have imposed on a player. All times are unix ms; None: not imposed."""

    warned_at: int | None
    muted_until: int | None
    unrated_until: int | None
    """Until when the player gets no rated games."""
    banned_until: int | None
    """None also for a ban for good."""
    warning: str | None
    ban_reason: str | None
    muted_reason: str | None
    unrated_reason: str | None


class Moderation(BucketStore):
    """The staff, the audit log, the standing of players, and `address_links`: players at the same address."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        super().__init__(redis, buckets)
        self.address_links = AddressLinks(redis, buckets)

    # --------------------------------------------------------------------------------------------------- staff

    @property
    def _staff_bucket(self) -> BucketKeys:
        return self._keys.bucket(0)

    def member(self, member_id: str) -> StoredMember | None:
        """Return the member of staff, or None if there is none with this id."""
        fields = [f"{role}:{member_id}" for role in STAFF_ROLES]
        (contents,) = ask_all(self._redis, [("HMGET", self._staff_bucket.staff, *fields)])
        return next(iter(_members(zip(fields, contents, strict=True))), None)

    def members(self) -> list[StoredMember]:
        """Return all members of staff, oldest first."""
        (fields,) = ask_all(self._redis, [("HGETALL", self._staff_bucket.staff)])
        return sorted(_members(decode_fields(fields).items()), key=lambda one: (one.created_at, one.id))

    def add_member(self, member: StoredMember, entry: LogEntry) -> None:
        """Add a member of staff. Adding the same one again changes nothing."""
        bucket, change = self._staff_bucket, Transaction(self._redis)
        change.require(APPLIED, Read("HEXISTS", bucket.staff, member.field).is_below(1))
        change.run("HSET", bucket.staff, member.field, member.to_bytes())
        entry.add_to(change, bucket)
        change.commit()

    def remove_member(self, member: StoredMember, entry: LogEntry, *, needs_another_admin: bool) -> str:
        """Remove a member of staff. Return `APPLIED`, `MISSING`, or `LAST_ADMIN` if another admin is needed."""
        bucket, change = self._staff_bucket, Transaction(self._redis)
        change.require(MISSING, Read("HEXISTS", bucket.staff, member.field).is_above(0))
        if needs_another_admin:
            change.require(LAST_ADMIN, Read("FIELDS_WITH", bucket.staff, f"{ADMIN}:").is_above(1))
        change.run("HDEL", bucket.staff, member.field)
        entry.add_to(change, bucket)
        return change.commit().word

    # --------------------------------------------------------------------------------------------------- players

    def standing(self, player_id: str) -> Standing:
        """Return the standing of a player, or an empty one if there is no such player. `Players.change` changes it."""
        (contents,) = ask_all(self._redis, [("HMGET", self._keys.player(player_id), *Standing._fields)])
        fields = [*map(decode, contents)]
        warned_at, muted_until, unrated_until, banned_until = (int(time) if time else None for time in fields[:4])
        return Standing(warned_at, muted_until, unrated_until, banned_until, *fields[4:])

    # --------------------------------------------------------------------------------------------------- service

    def service_status(self, *names: str) -> list[dict[str, Any] | None]:
        """Return the announcement or the maintenance of these names; None: not set. Needs one round trip."""
        (contents,) = ask_all(self._redis, [("HMGET", self._keys.bucket(0).service_status, *names)])
        return [None if content is None else orjson.loads(content) for content in contents]

    def set_service_status(self, name: str, status: dict[str, Any] | None, entry: LogEntry) -> None:
        """Set the announcement or the maintenance; None removes it. Setting it to the same changes nothing."""
        bucket, change = self._keys.bucket(0), Transaction(self._redis)
        content = None if status is None else orjson.dumps(status, option=orjson.OPT_SORT_KEYS)
        change.require(APPLIED, Read("HGET", bucket.service_status, name).differs(content))
        if content is None:
            change.run("HDEL", bucket.service_status, name)
        else:
            change.run("HSET", bucket.service_status, name, content)
        entry.add_to(change, bucket)
        change.commit()

    # --------------------------------------------------------------------------------------------------- audit log

    def append(self, entry: LogEntry) -> None:
        """Add an entry of an act that no transaction of its bucket makes. Call it before the act."""
        bucket, change = self._keys.home(entry.object_id), Transaction(self._redis)
        entry.add_to(change, bucket)
        change.commit()

    def log(self, before: str | None, count: int) -> list[LogEntry]:
        """Return up to `count` entries, newest first: all, or those before the entry of this id.

        Raises `ValueError` for an id of another form.
        """
        buckets = [*self._keys.all_buckets()]
        ends = ["+"] * len(buckets)
        if before is not None:
            ms, number, last = _parts(before)
            ends = [f"{'' if bucket < last else '('}{ms}-{number}" for bucket in range(len(buckets))]
        commands = [
            ("XREVRANGE", bucket.audit_log, end, "-", "COUNT", count) for bucket, end in zip(buckets, ends, strict=True)
        ]
        stored = [
            (f"{entry_id.decode()}-{number}", content[b"e"])
            for number, entries in enumerate(ask_all(self._redis, commands))
            for entry_id, content in entries
        ]
        newest = sorted(stored, key=lambda one: _parts(one[0]), reverse=True)[:count]
        return record_reader.read_all("audit entry", newest, _entry)


def _parts(entry_id: str) -> tuple[int, int, int]:
    match = ENTRY_ID.fullmatch(entry_id)
    if match is None:
        raise ValueError(f"no id of an entry: {entry_id}")
    ms, number, bucket = map(int, match.groups())
    return ms, number, bucket


def _members(fields: Any) -> list[StoredMember]:
    return record_reader.read_all("member of staff", fields, _member)


def _member(field: str, content: bytes) -> StoredMember:
    role, _, member_id = field.partition(":")
    name, created_at, digest, *_ = orjson.loads(content)
    return StoredMember(member_id, role, name, created_at, digest)


def _entry(entry_id: str, content: bytes) -> LogEntry:
    members = stored_json.select_known(LogEntry, orjson.loads(content))
    return LogEntry(**{**members, "actor": Actor(*members["actor"][:2]), "id": entry_id})
