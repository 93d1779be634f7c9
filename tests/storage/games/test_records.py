"""The record of a finished game is read in every format that has existed."""

from __future__ import annotations

import orjson
import pytest

from service.storage.base.packing import UnreadableFrameError, pack_record, unpack
from service.storage.games import records
from service.storage.games.records import AS_STORED, RELATIVE, Record

FIELDS = {"meta": b'{"ruleset":"azul"}', "state": b"{}", "view": b'{"status":"finished"}'}
HOLDERS = {"player:abc": "seat:0"}
EVENTS = tuple(
    orjson.dumps({"kind": "action", "at": at, "seat": at % 2}) for at in (1_790_000_000_000, 1_790_000_000_700)
)


def record_of(*events: bytes) -> Record:
    return Record(len(events), FIELDS, HOLDERS, events)


def head(record: Record) -> dict[str, object]:
    return dict(orjson.loads(unpack(record.to_bytes()).split(b"\n")[0]))


@pytest.mark.parametrize("events", [(), EVENTS, EVENTS[:1], (*EVENTS, *EVENTS)])
def test_moments_are_stored_as_differences(events: tuple[bytes, ...]) -> None:
    record = record_of(*events)
    assert RELATIVE == head(record)["format"]
    assert record == records.read(record.to_bytes())
    assert events[1:2] == () or b'"at":700,' in record.lines()


@pytest.mark.parametrize(
    "event", [b'{"kind":"action"}', b'{"at": 5}', b'{"at":"2026-01-01"}', b"[]", b'{"at":null}', b"no JSON"]
)
def test_events_without_a_valid_moment_are_stored_unchanged(event: bytes) -> None:
    record = record_of(EVENTS[0], event)
    assert AS_STORED == head(record)["format"]
    assert record == records.read(record.to_bytes())


def test_a_record_of_the_previous_format_is_read() -> None:
    first = {"format": 1, "revision": 2, "fields": [*FIELDS], "holders": HOLDERS}
    content = b"\n".join([orjson.dumps(first), *FIELDS.values(), *EVENTS])
    assert record_of(*EVENTS) == records.read(pack_record(content))


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"format":3}', b'{"format":2,"fields":[],"holders":{},"revision":1}\n[]']
)
def test_an_invalid_record_raises(content: bytes) -> None:
    with pytest.raises(UnreadableFrameError):
        records.read(pack_record(content))
