"""Tasks: requested long work and its results so far. Analyses, tournaments and imports are tasks.

A task is an expiring hash. Workers write reports into it, and the hub announces each report to waiting requests. A
cancelled task is deleted, so the next report of its worker fails. A task may have numbered parts. Each is written once,
even if it is reported several times.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import orjson

from service import record_reader
from service.storage.base.bucket_store import BucketStore
from service.storage.base.keys import task_channel
from service.storage.base.packing import pack, unpack
from service.storage.base.pipelining import ask_all, decode, decode_fields
from service.storage.base.transactions import Transaction, exists, flat, reply
from service.stored_json import must_be_readable

WAITING, RUNNING, DONE, FAILED = "waiting", "running", "done", "failed"
TASK_STATUSES = (WAITING, RUNNING, DONE, FAILED)

FIELDS = {  # members of StoredTask -> fields of the hash
    "kind": "kind",
    "request": "asked",
    "owner": "owner",
    "status": "status",
    "result": "found",
    "version": "version",
    "expires_at_ms": "expires",
}


@dataclass(frozen=True)
class StoredTask:
    """A task. `request`, `result`: JSON; `owner`: digest of a token, or empty."""

    id: str
    kind: str
    request: bytes
    owner: str
    status: str
    result: bytes
    version: int
    expires_at_ms: int

    def settings(self) -> Any:
        """Return the request, parsed. Raises UnreadableRecordError."""
        with record_reader.reading(self.kind, self.id):
            settings = orjson.loads(self.request)
            must_be_readable(settings)
        return settings


class Tasks(BucketStore):
    """Reads and writes tasks."""

    def create(
        self, kind: str, request: bytes, owner: str, expires_at_ms: int, task_id: str | None = None
    ) -> StoredTask:
        """Create a waiting task. `task_id`: a new id by default."""
        task = StoredTask(task_id or self._keys.new_id(), kind, request, owner, WAITING, b"", 1, expires_at_ms)
        key = self._keys.task(task.id)
        fields: dict[Any, Any] = {field: getattr(task, name) for name, field in FIELDS.items()}
        ask_all(self._redis, (("HSET", key, *flat(fields)), ("PEXPIREAT", key, expires_at_ms)))
        return task

    def review_id(self, game_id: str) -> str | None:
        """Return the id of the game's newest review, which may have been deleted."""
        return decode(self._redis.get(self._keys.game(game_id).review))

    def set_review(self, game_id: str, review: StoredTask, before: str | None) -> str:
        """Set the newest review of a game. Return the id of the newest.

        If there was none `before`, a review that another request has set since remains.
        """
        key = self._keys.game(game_id).review
        is_set = self._redis.set(key, review.id, pxat=review.expires_at_ms, nx=before is None)
        return review.id if is_set else self.review_id(game_id) or review.id

    def get(self, kind: str, task_id: str) -> StoredTask | None:
        """Return the task, or None if there is none of this kind. Raises UnreadableRecordError."""
        reply = cast("list[bytes | None]", self._redis.hmget(self._keys.task(task_id), *FIELDS.values()))
        stored_kind, request, owner, status, result, version, expires = (part or b"" for part in reply)
        if stored_kind != kind.encode():
            return None
        with record_reader.reading(kind, task_id):
            return StoredTask(
                task_id, kind, request, owner.decode(), status.decode(), unpack(result), int(version), int(expires)
            )

    def report(self, task_id: str, status: str, result: bytes | None = None, request: bytes | None = None) -> bool:
        """Report the progress of a task. Return False if it was deleted. `request`: replaces the stored request."""
        changes = {"status": status, "found": None if result is None else pack(result), "asked": request}
        return self._change(task_id, {name: value for name, value in changes.items() if value is not None}) is not None

    def add_part(self, task_id: str, number: int, part: bytes) -> int | None:
        """Add a finished part. Return the number of finished parts, or None if the task was deleted."""
        return self._change(task_id, {"status": RUNNING}, (number, part))

    def _change(self, task_id: str, fields: Mapping[str, Any], part: tuple[int, bytes] | None = None) -> int | None:
        """Change a task. Return the number of finished parts, or None if the task was deleted."""
        task, parts, change = self._keys.task(task_id), self._keys.parts(task_id), Transaction(self._redis)
        change.require("gone", exists(task))
        version = change.run("HINCRBY", task, "version", 1)
        if part is not None:
            change.run("HSETNX", parts, *part)
            change.run("PEXPIRE", parts, reply(change.run("PTTL", task)))
        change.hset(task, fields)
        change.announce(self._keys.home(task_id).hub, task_channel(task_id), reply(version))
        change.run("HLEN", parts)
        outcome = change.commit()
        return outcome.replies[-1] if outcome.is_done else None

    def parts(self, task_id: str) -> dict[int, bytes]:
        """Return the results of the finished parts by number, in order."""
        fields = decode_fields(cast("Any", self._redis.hgetall(self._keys.parts(task_id))))
        return dict(sorted((int(number), part) for number, part in fields.items()))

    def has_part(self, task_id: str, number: int) -> bool:
        """Return whether a part is finished."""
        return bool(self._redis.hexists(self._keys.parts(task_id), str(number)))

    def delete(self, task_id: str) -> None:
        """Delete a task and its parts."""
        ask_all(self._redis, [("DEL", self._keys.task(task_id), self._keys.parts(task_id))])
