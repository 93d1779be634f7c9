"""Long work that somebody asked for, and what has come of it so far: analyses, tournaments, imports.

A task is a hash that expires by itself; whoever works on it reports to it, and the hub tells each report, so that one
can wait for the next. Work that was cancelled is a task that is gone: whoever still works on it hears so at the next
report. A task may have numbered parts, each of which is written once, however often it is reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from redis import Redis

from service.storage.base.keys import Buckets, Keys, task_channel
from service.storage.base.packing import packed, unpacked
from service.storage.base.pipelining import ask_all
from service.storage.base.transactions import Transaction, exists, flat, reply

WAITING, RUNNING, DONE, FAILED = "waiting", "running", "done", "failed"
TASK_STATUSES = (WAITING, RUNNING, DONE, FAILED)

FIELDS = {  # of a StoredTask, as the hash names them
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
    """A task as it is kept. `request`, `result`: JSON; `owner`: digest of a token, or nothing."""

    id: str
    kind: str
    request: bytes
    owner: str
    status: str
    result: bytes
    version: int
    expires_at_ms: int


class Tasks:
    """Reads and writes tasks; every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)

    def put(self, kind: str, request: bytes, owner: str, expires_at_ms: int) -> StoredTask:
        """A new task that waits to be done."""
        task = StoredTask(self._keys.new_id(), kind, request, owner, WAITING, b"", 1, expires_at_ms)
        key = self._keys.task(task.id)
        fields: dict[Any, Any] = {field: getattr(task, name) for name, field in FIELDS.items()}
        ask_all(self._redis, (("HSET", key, *flat(fields)), ("PEXPIREAT", key, expires_at_ms)))
        return task

    def review_of(self, game_id: str) -> str | None:
        """Id of the game's newest review, which may be gone."""
        task_id = cast("bytes | None", self._redis.get(self._keys.game(game_id).review))
        return None if task_id is None else task_id.decode()

    def note_review(self, game_id: str, review: StoredTask, before: str | None) -> str:
        """Have it be the game's newest, unless there was none `before` and somebody was faster: id of the newest."""
        key = self._keys.game(game_id).review
        noted = self._redis.set(key, review.id, pxat=review.expires_at_ms, nx=before is None)
        return review.id if noted else self.review_of(game_id) or review.id

    def get(self, kind: str, task_id: str) -> StoredTask | None:
        """The task of that kind; None if there is none."""
        reply = cast("list[bytes | None]", self._redis.hmget(self._keys.task(task_id), *FIELDS.values()))
        stored_kind, request, owner, status, outcome, version, expires = (part or b"" for part in reply)
        if stored_kind.decode() != kind:
            return None
        return StoredTask(
            task_id, kind, request, owner.decode(), status.decode(), unpacked(outcome), int(version), int(expires)
        )

    def report(self, task_id: str, status: str, result: bytes | None = None, request: bytes | None = None) -> bool:
        """How far the task is; False if nobody wants it any more. `request`: what of it is still to be kept."""
        changes = {"status": status, "found": None if result is None else packed(result), "asked": request}
        return self._change(task_id, {name: value for name, value in changes.items() if value is not None}) is not None

    def add_part(self, task_id: str, number: int, part: bytes) -> int | None:
        """One of the task's parts is done: how many there are now; None if nobody wants it any more."""
        return self._change(task_id, {"status": RUNNING}, (number, part))

    def _change(self, task_id: str, fields: Mapping[str, Any], part: tuple[int, bytes] | None = None) -> int | None:
        """Change a task unless it is gone: how many parts there are."""
        task, parts, change = self._keys.task(task_id), self._keys.parts(task_id), Transaction(self._redis)
        change.require("gone", exists(task))
        version = change.run("HINCRBY", task, "version", 1)
        if part is not None:
            change.run("HSETNX", parts, *part)
            change.run("PEXPIRE", parts, reply(change.run("PTTL", task)))
        change.hset(task, fields)
        change.announce(self._keys.hub_of(task_id), task_channel(task_id), reply(version))
        change.run("HLEN", parts)
        outcome = change.commit()
        return outcome.replies[-1] if outcome.is_done else None

    def parts(self, task_id: str) -> dict[int, bytes]:
        """What has been done of it, by number."""
        reply = cast("dict[bytes, bytes]", self._redis.hgetall(self._keys.parts(task_id)))
        return {int(number): part for number, part in sorted(reply.items(), key=lambda item: int(item[0]))}

    def has_part(self, task_id: str, number: int) -> bool:
        """Whether that part has been done."""
        return bool(self._redis.hexists(self._keys.parts(task_id), str(number)))

    def delete(self, task_id: str) -> None:
        """Nobody wants it any more."""
        ask_all(self._redis, [("DEL", self._keys.task(task_id), self._keys.parts(task_id))])
