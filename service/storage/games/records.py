"""The record of a finished game, as it is archived: all that is needed to put the game back, in one frame.

It is lines: what stands in it, as JSON; then the fields of the game, then its events, each a line of JSON as they are
stored, but for their moments: each tells how many ms after the one before it was. What follows from these is left out:
the snapshot, and the game as it was at earlier revisions.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import orjson

from service.storage.base.packing import UnreadableFrameError, packed_record, unpacked

AS_STORED, RELATIVE = 1, 2
"""Formats. The first, of an older version, and of events that cannot be told otherwise, has the moments themselves."""
RECORDED = ("meta", "facts", "visibility", "form", "rating", "rating_applied", "state", "view")
"""Of the game, in the order in which they stand in a record."""


@dataclass(frozen=True)
class Record:
    """A finished game. `fields`: those of `RECORDED` that it has; `holders`: a token or player -> roles."""

    revision: int
    fields: Mapping[str, bytes]
    holders: Mapping[str, str]
    events: tuple[bytes, ...]

    def lines(self) -> bytes:
        """As it is archived, before it is packed."""
        names, events, form = [name for name in RECORDED if name in self.fields], self.events, AS_STORED
        with contextlib.suppress(ValueError, TypeError, KeyError):
            relative = tuple(_relative(self.events))
            if tuple(_absolute(relative)) == self.events:
                events, form = relative, RELATIVE
        head = {"format": form, "revision": self.revision, "fields": names, "holders": self.holders}
        return b"\n".join([orjson.dumps(head), *(self.fields[name] for name in names), *events])

    def to_bytes(self) -> bytes:
        """As it is archived."""
        return packed_record(self.lines())


def read(content: bytes) -> Record:
    """What was archived. Raises `UnreadableFrameError`."""
    first, *lines = unpacked(content).split(b"\n")
    try:
        head = orjson.loads(first)
        if head["format"] not in (AS_STORED, RELATIVE):
            raise UnreadableFrameError(f"a record of format {head['format']}")
        names = head["fields"]
        events = tuple(lines[len(names) :])
        if head["format"] == RELATIVE:
            events = tuple(_absolute(events))
        record = Record(head["revision"], dict(zip(names, lines, strict=False)), head["holders"], events)
    except (ValueError, TypeError, KeyError) as error:
        raise UnreadableFrameError(f"no record of a game: {error}") from None
    if len(record.events) != record.revision:
        raise UnreadableFrameError("the record has not all events")
    return record


def _relative(events: Iterable[bytes]) -> Iterator[bytes]:
    before = 0
    for event in events:
        told = orjson.loads(event)
        yield orjson.dumps({**told, "at": told["at"] - before})
        before = told["at"]


def _absolute(events: Iterable[bytes]) -> Iterator[bytes]:
    at = 0
    for event in events:
        told = orjson.loads(event)
        at += told["at"]
        yield orjson.dumps({**told, "at": at})
