"""Records of finished games in the archive. One frame contains everything that is needed to restore the game.

A record consists of lines: a JSON head, the fields of the game, then its events. An event has its stored form, but its
time is relative to the previous event, in ms. Snapshot and checkpoints are left out, since they can be computed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import orjson

from service.storage.base.packing import NewerFrameError, UnreadableFrameError, pack_record, unpack

AS_STORED, RELATIVE = 1, 2
"""Formats. `AS_STORED` has absolute times. Older versions wrote it, and it is used if times cannot be converted."""
RECORDED = ("meta", "facts", "visibility", "form", "rating", "rating_applied", "rating_removed", "state", "view")
"""Fields of the game, in the order of a record."""


@dataclass(frozen=True)
class Record:
    """A finished game. `fields`: those of `RECORDED` that it has; `holders`: a token or player -> roles."""

    revision: int
    fields: Mapping[str, bytes]
    holders: Mapping[str, str]
    events: tuple[bytes, ...]

    def lines(self) -> bytes:
        """Return the archived lines before compression."""
        names, events, form = [name for name in RECORDED if name in self.fields], self.events, AS_STORED
        with contextlib.suppress(ValueError, TypeError, KeyError):
            relative = tuple(_relative_times(self.events))
            if tuple(_absolute_times(relative)) == self.events:
                events, form = relative, RELATIVE
        head = {"format": form, "revision": self.revision, "fields": names, "holders": self.holders}
        return b"\n".join([orjson.dumps(head), *(self.fields[name] for name in names), *events])

    def to_bytes(self) -> bytes:
        """Return the archived frame."""
        return pack_record(self.lines())


def read(content: bytes) -> Record:
    """Return the record of an archived frame. Raises `UnreadableFrameError`."""
    first, *lines = unpack(content).split(b"\n")
    try:
        head = orjson.loads(first)
        if head["format"] not in (AS_STORED, RELATIVE):
            raise NewerFrameError(f"a newer version has written the record: unknown format {head['format']}")
        names = head["fields"]
        events = tuple(lines[len(names) :])
        if head["format"] == RELATIVE:
            events = tuple(_absolute_times(events))
        record = Record(head["revision"], dict(zip(names, lines, strict=False)), head["holders"], events)
    except (ValueError, TypeError, KeyError) as error:
        raise UnreadableFrameError(f"not a record of a game: {error}") from None
    if len(record.events) != record.revision:
        raise UnreadableFrameError(f"the record has {len(record.events)} of {record.revision} events")
    return record


def _relative_times(events: Iterable[bytes]) -> Iterator[bytes]:
    before = 0
    for line in events:
        event = orjson.loads(line)
        yield orjson.dumps({**event, "at": event["at"] - before})
        before = event["at"]


def _absolute_times(events: Iterable[bytes]) -> Iterator[bytes]:
    at = 0
    for line in events:
        event = orjson.loads(line)
        at += event["at"]
        yield orjson.dumps({**event, "at": at})
