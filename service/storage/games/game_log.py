"""The log of a game as it is stored: chunks that are packed densely, and a tail that each commit lengthens.

A **chunk** holds `CHUNK` events: the field ``log:<number>`` of the game, counted from 0. The **tail** holds the events
after the last chunk, a frame for each commit. Events are lines of JSON, so joined frames are joined lines. A commit
that fills a chunk packs the tail, and writes it with all else that it writes; one that ends the game packs all there
is, up to `ENDED_CHUNKS` chunks in a frame, which has the number of the first of them.

Older versions kept a log as a stream, an entry for each event. It is read as it is, until a commit of this version
makes chunks of all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from redis import Redis

from service.storage.base.keys import GameKeys
from service.storage.base.packing import CLOSE, DENSE, packed, unpacked, unpacked_all
from service.storage.base.pipelining import ask, one

CHUNK = 32
"""Events: a game is kept as it was at every so many, too, so who replays from there begins with a chunk."""
ENDED_CHUNKS = 8
TAIL, CHUNK_PREFIX = "tail", "log:"
APPENDED, CHUNK_FILLED, ALL, ENDED = "", "chunk", "all", "end"
Numbered = list[tuple[int, bytes]]
"""Events with their revisions."""


def chunk_field(number: int) -> str:
    """The field of a game that holds a chunk of its log."""
    return f"{CHUNK_PREFIX}{number}"


@dataclass(frozen=True)
class Change:
    """What a commit writes of the log, in words that commit.lua knows."""

    what: str
    """`APPENDED`, `CHUNK_FILLED`, `ALL` or `ENDED`."""
    tail: bytes
    """Put behind the tail, or in its place."""
    chunks: Mapping[str, bytes] = field(default_factory=dict)
    """Fields of the game."""


def changed(redis: Redis, keys: GameKeys, expected: int, events: Sequence[bytes], *, ended: bool) -> Change:
    """What a commit writes that appends events to so many. `ended`: hardly another will follow."""
    before = expected - expected % CHUNK
    if ended:
        earlier = [event for _, event in read(redis, keys, 0, expected, None)]
        return _packed(ENDED, 0, [*earlier, *events], CHUNK * ENDED_CHUNKS)
    if expected + len(events) - before < CHUNK:
        return Change(APPENDED, packed(lines(events)))
    open_chunk = [event for _, event in read(redis, keys, before, expected, None)]
    return _packed(CHUNK_FILLED, before, [*open_chunk, *events], CHUNK)


def taken_over(redis: Redis, keys: GameKeys, events: Sequence[bytes]) -> Change:
    """The same, where the log is the stream of an older version."""
    return whole([*(event for _, event in _read_stream(redis, keys, 0, None)), *events])


def whole(events: Sequence[bytes]) -> Change:
    """A whole log, written anew."""
    return _packed(ALL, 0, events, CHUNK)


def ended(events: Sequence[bytes]) -> Mapping[str, bytes]:
    """The fields of a game that hold the log of one that is over."""
    return _packed(ENDED, 0, events, CHUNK * ENDED_CHUNKS).chunks


def _packed(what: str, before: int, events: Sequence[bytes], size: int) -> Change:
    """Events after the revision `before`, with which a chunk ends, in frames of so many."""
    chunks, tail = dict[str, bytes](), b""
    for at in range(0, len(events), size):
        part = events[at : at + size]
        if what == ENDED or len(part) == size:
            chunks[chunk_field((before + at) // CHUNK)] = packed(lines(part), DENSE if what == ENDED else CLOSE)
        else:
            tail = packed(lines(part))
    return Change(what, tail, chunks)


def lines(events: Sequence[bytes]) -> bytes:
    """Events, one a line."""
    return b"".join([event + b"\n" for event in events])


def read(redis: Redis, keys: GameKeys, after: int, until: int | None, count: int | None) -> Numbered:
    """Events with their revisions, `after` < revision <= `until`, the first `count` of them."""
    ends = [end for end in (until, None if count is None else after + count) if end is not None]
    last = min(ends) if ends else int(cast("Any", redis.hget(keys.game, "revision")) or 0)
    if last <= after:
        return []
    events = _read_frames(redis, keys, after, last)
    if events is None:  # and where it is no stream either, a commit has just made frames of that
        events = _read_stream(redis, keys, after, last) or _read_frames(redis, keys, after, last)
    return events or []


def _read_frames(redis: Redis, keys: GameKeys, after: int, last: int) -> Numbered | None:
    """None where there are no frames."""
    numbers = range(after // CHUNK, (last - 1) // CHUNK + 1)
    joined = numbers[0] - numbers[0] % ENDED_CHUNKS  # the frame that may have the first of them
    asked = ("HMGET", keys.game, "revision", TAIL, chunk_field(joined), *map(chunk_field, numbers))
    revision, tail, frame, *chunks = ask(redis, one(asked))
    present = int(revision or 0)
    if present <= after:
        return []
    parts = [(number * CHUNK, unpacked(chunk)) for number, chunk in zip(numbers, chunks, strict=True) if chunk]
    if chunks[-1] is None and tail:
        of_tail = b"".join(unpacked_all(tail))
        parts.append((present - of_tail.count(b"\n"), of_tail))
    if chunks[0] is None and frame and (not parts or parts[0][0] > after):
        parts.insert(0, (joined * CHUNK, unpacked(frame)))
    return [event for before, content in parts for event in _between(content, before, after, last)] if parts else None


def _between(content: bytes, before: int, after: int, last: int) -> Iterator[tuple[int, bytes]]:
    """Of lines that stand behind the revision `before`."""
    events = content.splitlines()[max(0, after - before) : max(0, last - before)]
    return enumerate(events, 1 + max(before, after))


def _read_stream(redis: Redis, keys: GameKeys, after: int, last: int | None) -> Numbered:
    """The same of a log that an older version has kept as a stream."""
    entries = cast("Any", redis.xrange(keys.log, f"{after + 1}-0", "+" if last is None else f"{last}-0"))
    return [(int(entry.partition(b"-")[0]), event[b"e"]) for entry, event in entries]
