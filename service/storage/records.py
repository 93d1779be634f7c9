"""The record of a finished game, as it is archived: all that is needed to put the game back, in one frame.

It is lines: what stands in it, as JSON; then the fields of the game, then its events, each a line of JSON as they are
stored. What follows from these is left out: the snapshot, and the game as it was at earlier revisions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from service.storage.packing import ARCHIVED, UnreadableFrame, packed, unpacked

FORMAT = 1
"""Raised when the lines change; older ones are read for ever."""
RECORDED = ("meta", "facts", "visibility", "form", "rating", "rating_applied", "state", "view")
"""Of the game, in the order in which they stand in a record."""


@dataclass(frozen=True)
class Record:
    """A finished game. `fields`: those of `RECORDED` that it has; `holders`: a token or player -> roles."""

    revision: int
    fields: Mapping[str, bytes]
    holders: Mapping[str, str]
    events: tuple[bytes, ...]

    def to_bytes(self) -> bytes:
        """As it is archived."""
        names = [name for name in RECORDED if name in self.fields]
        head = {"format": FORMAT, "revision": self.revision, "fields": names, "holders": self.holders}
        return packed(b"\n".join([orjson.dumps(head), *(self.fields[name] for name in names), *self.events]), ARCHIVED)


def read(content: bytes) -> Record:
    """What was archived. Raises `UnreadableFrame`."""
    first, *lines = unpacked(content).split(b"\n")
    try:
        head = orjson.loads(first)
        if head["format"] != FORMAT:
            raise UnreadableFrame(f"a record of format {head['format']}")
        names = head["fields"]
        record = Record(
            head["revision"], dict(zip(names, lines, strict=False)), head["holders"], tuple(lines[len(names) :])
        )
    except (ValueError, TypeError, KeyError) as error:
        raise UnreadableFrame(f"no record of a game: {error}") from None
    if len(record.events) != record.revision:
        raise UnreadableFrame("the record has not all events")
    return record
