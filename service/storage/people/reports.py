"""Reports of players about players, names, messages and games. All are in the first bucket.

The queue has open reports first, oldest first, and then resolved ones, the last resolved first. Expired reports stay in
the lists until a reader removes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

import orjson

from service import record_reader, stored_json
from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.bucket_store import BucketStore
from service.storage.base.follow_ups import LogEntry
from service.storage.base.pipelining import ask_all, decode_all, decode_fields
from service.storage.base.transactions import APPLIED, Read, Transaction, exists
from service.storage.people.moderation import MISSING

RECEIVED, ACTED_ON, NO_ACTION = "received", "acted_on", "no_action"
REPORT_STATUSES = (RECEIVED, ACTED_ON, NO_ACTION)
REPORT_TTL_S = 180 * 86_400
COUNTED_MS = 86_400_000
MAX_REPORTS_A_DAY = 10
MAX_REPORTS, MAX_REPORTS_OF_PLAYER = 20_000, 100
READ_AT_ONCE = 100
AFTER_OPEN = 4 * 10**15
"""Scores of resolved reports in the queue are this minus unix ms, and so above those of open ones."""
KNOWN, TOO_MANY = "known", "many"


@dataclass(frozen=True)
class StoredReport:
    """A report. `player`: the reported one; `context`: a copy of the object."""

    id: str
    category: str
    text: str | None
    type: str
    player: str | None
    game_id: str | None
    message: int | None
    created_at: str
    context: dict[str, Any]
    reporter: str | None = None
    """None after the reporter has deleted their account."""
    status: str = RECEIVED
    resolved_at: str | None = None

    def fields(self) -> dict[str, Any]:
        """Return the fields of the hash. Those that change are fields of their own."""
        members = asdict(self)
        own = {name: members.pop(name) or "" for name in ("reporter", "status", "resolved_at")}
        return {"report": orjson.dumps(members), **own}


class Reports(BucketStore):
    """Reads and writes reports."""

    @property
    def _bucket(self) -> BucketKeys:
        return self._keys.bucket(0)

    def add(self, report: StoredReport, now_ms: int) -> str:
        """Add a report, or replace a resolved one of the same id. Return `APPLIED`, `KNOWN` or `TOO_MANY`."""
        bucket, change = self._bucket, Transaction(self._redis)
        key, own = bucket.report(report.id), bucket.reports_of(report.reporter or "")
        change.require(KNOWN, Read("HGET", key, "status").differs(RECEIVED))
        change.require(TOO_MANY, Read("ZCOUNT", own, now_ms - COUNTED_MS, "+inf").is_below(MAX_REPORTS_A_DAY))
        change.hset(key, report.fields())
        for name, most in ((bucket.reports, MAX_REPORTS), (own, MAX_REPORTS_OF_PLAYER)):
            change.run("ZADD", name, now_ms, report.id)
            first, last = (most, -1) if name == bucket.reports else (0, -most - 1)
            change.run("ZREMRANGEBYRANK", name, first, last)
        for name in (key, own, bucket.reports):
            change.run("PEXPIRE", name, 1000 * REPORT_TTL_S)
        return change.commit().word

    def next_free_ms(self, reporter: str) -> int:
        """Return when the first of a player's last `MAX_REPORTS_A_DAY` reports no longer counts."""
        own = self._bucket.reports_of(reporter)
        last = cast("list[Any]", self._redis.zrange(own, 0, MAX_REPORTS_A_DAY - 1, desc=True, withscores=True))
        return int(last[-1][1]) + COUNTED_MS + 1 if last else 0

    def resolve(self, report: StoredReport, status: str, at: str, now_ms: int, entry: LogEntry) -> str:
        """Set the status of a report and add the entry. Return `APPLIED` or `MISSING`. Repeating it changes nothing."""
        bucket, change = self._bucket, Transaction(self._redis)
        key, is_open = bucket.report(report.id), status == RECEIVED
        change.require(MISSING, exists(key))
        change.require(APPLIED, Read("HGET", key, "status").differs(status))
        change.hset(key, {"status": status, "resolved_at": "" if is_open else at})
        change.run("ZADD", bucket.reports, now_ms if is_open else AFTER_OPEN - now_ms, report.id)
        entry.add_to(change, bucket)
        return change.commit().word

    def get(self, report_id: str) -> StoredReport | None:
        """Return the report, or None if there is none."""
        return next(iter(self._read([report_id])), None)

    def queue(self, first: int = 0, count: int | None = None) -> Iterator[StoredReport]:
        """Yield reports of the queue from this index, all or up to `count`. They are read in batches."""
        name = self._bucket.reports
        (members,) = ask_all(self._redis, [("ZRANGE", name, first, -1 if count is None else first + count - 1)])
        ids = decode_all(members)
        for start in range(0, len(ids), READ_AT_ONCE):
            yield from self._read_list(name, ids[start : start + READ_AT_ONCE])

    def get_own(self, player_id: str) -> list[StoredReport]:
        """Return the reports of a reporter, newest first."""
        own = self._bucket.reports_of(player_id)
        (members,) = ask_all(self._redis, [("ZRANGE", own, 0, -1, "REV")])
        return self._read_list(own, decode_all(members))

    def forget_reporter(self, player_id: str) -> None:
        """Remove the reporter from their reports."""
        own = self._bucket.reports_of(player_id)
        (ids,) = ask_all(self._redis, [("ZRANGE", own, 0, -1)])
        commands = [("HDEL", self._bucket.report(report_id), "reporter") for report_id in decode_all(ids)]
        ask_all(self._redis, [*commands, ("DEL", own)])

    def _read_list(self, name: str, ids: Sequence[str]) -> list[StoredReport]:
        """Return the reports with these ids of a list. Remove expired ones from the list."""
        found = self._read(ids)
        if gone := {*ids} - {report.id for report in found}:
            keys = [(report_id, self._bucket.report(report_id)) for report_id in gone]
            replies = ask_all(self._redis, [("EXISTS", key) for _, key in keys])
            expired = [report_id for (report_id, _), reply in zip(keys, replies, strict=True) if not reply]
            ask_all(self._redis, [("ZREM", name, report_id) for report_id in expired])
        return found

    def _read(self, ids: Iterable[str]) -> list[StoredReport]:
        names = [*ids]
        replies = ask_all(self._redis, [("HGETALL", self._bucket.report(name)) for name in names])
        contents = [(name, fields or None) for name, fields in zip(names, replies, strict=True)]
        return record_reader.read_all("report", contents, _report)


def _report(_: str, fields: Any) -> StoredReport:
    own = {name: value.decode() or None for name, value in decode_fields(fields).items() if name != "report"}
    members = stored_json.select_known(StoredReport, orjson.loads(fields[b"report"]))
    report = StoredReport(**members)
    return replace(
        report, reporter=own.get("reporter"), status=own["status"] or RECEIVED, resolved_at=own.get("resolved_at")
    )
