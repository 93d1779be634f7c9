"""The stored log of a game: densely packed chunks, and a tail to which each commit appends.

A **chunk** contains `CHUNK` events: the field ``log:<number>`` of the game, counted from 0. The **tail** contains the
events after the last chunk, one frame for each commit. Events are lines of JSON, so joined frames are joined lines. A
commit that fills a chunk packs the tail and writes the chunk together with its other changes. A commit that ends the
game packs the whole log, up to `ENDED_CHUNKS` chunks in one frame, which has the number of its first chunk.

Older versions stored a log as a stream with one entry for each event. It remains readable. The next commit converts it
to chunks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from redis import Redis

from service.storage.base.keys import GameKeys
from service.storage.base.packing import CLOSE, DENSE, pack, unpack, unpack_all
from service.storage.base.pipelining import ask, single_command

CHUNK = 32
"""Events. Checkpoints have the same distance, so a replay from a checkpoint begins with a chunk."""
ENDED_CHUNKS = 8
TAIL, CHUNK_PREFIX = "tail", "log:"
APPENDED, CHUNK_FILLED, ALL, ENDED = "", "chunk", "all", "end"
Numbered = list[tuple[int, bytes]]
"""Events with their revisions."""


def chunk_field(number: int) -> str:
    """Return the field of a game that contains a chunk of its log."""
    return f"{CHUNK_PREFIX}{number}"


@dataclass(frozen=True)
class LogChange:
    """What a commit writes of the log, for commit.lua."""

    kind: str
    """`APPENDED`, `CHUNK_FILLED`, `ALL` or `ENDED`."""
    tail: bytes
    """Appended to the tail if `kind` is `APPENDED`; otherwise replaces it."""
    chunks: Mapping[str, bytes] = field(default_factory=dict)
    """Fields of the game."""


def plan_append(redis: Redis, keys: GameKeys, expected: int, events: Sequence[bytes], *, ended: bool) -> LogChange:
    """Return the change that appends events to a log of `expected` events. `ended`: hardly another event follows."""
    chunk_begin = expected - expected % CHUNK
    if ended:
        earlier = [event for _, event in read(redis, keys, 0, expected, None)]
        return _pack_chunks(ENDED, 0, [*earlier, *events], CHUNK * ENDED_CHUNKS)
    if expected + len(events) - chunk_begin < CHUNK:
        return LogChange(APPENDED, pack(lines(events)))
    open_chunk = [event for _, event in read(redis, keys, chunk_begin, expected, None)]
    return _pack_chunks(CHUNK_FILLED, chunk_begin, [*open_chunk, *events], CHUNK)


def plan_takeover(redis: Redis, keys: GameKeys, events: Sequence[bytes]) -> LogChange:
    """Return the change that converts the stream of an older version and appends events."""
    return plan_rewrite([*(event for _, event in _read_stream(redis, keys, 0, None)), *events])


def plan_rewrite(events: Sequence[bytes]) -> LogChange:
    """Return the change that replaces the whole log."""
    return _pack_chunks(ALL, 0, events, CHUNK)


def finished_log_fields(events: Sequence[bytes]) -> Mapping[str, bytes]:
    """Return the fields of a game that contain the log of a finished game."""
    return _pack_chunks(ENDED, 0, events, CHUNK * ENDED_CHUNKS).chunks


def _pack_chunks(kind: str, first: int, events: Sequence[bytes], size: int) -> LogChange:
    """Pack the events after revision `first`, which must end a chunk, into frames of `size` events."""
    chunks, tail = dict[str, bytes](), b""
    for at in range(0, len(events), size):
        part = events[at : at + size]
        if kind == ENDED or len(part) == size:
            chunks[chunk_field((first + at) // CHUNK)] = pack(lines(part), DENSE if kind == ENDED else CLOSE)
        else:
            tail = pack(lines(part))
    return LogChange(kind, tail, chunks)


def lines(events: Sequence[bytes]) -> bytes:
    """Return the events, one on each line."""
    return b"".join([event + b"\n" for event in events])


def read(redis: Redis, keys: GameKeys, after: int, until: int | None, count: int | None) -> Numbered:
    """Return the first `count` events with `after` < revision <= `until`, with their revisions."""
    ends = [end for end in (until, None if count is None else after + count) if end is not None]
    last = min(ends) if ends else int(cast("Any", redis.hget(keys.game, "revision")) or 0)
    if last <= after:
        return []
    events = _read_frames(redis, keys, after, last)
    if events is None:  # if there is no stream either, a commit has just converted it to frames
        events = _read_stream(redis, keys, after, last) or _read_frames(redis, keys, after, last)
    return events or []


def _read_frames(redis: Redis, keys: GameKeys, after: int, last: int) -> Numbered | None:
    """Return the events in frames, or None if there are no frames."""
    numbers = range(after // CHUNK, (last - 1) // CHUNK + 1)
    joined = numbers[0] - numbers[0] % ENDED_CHUNKS  # the frame that may contain the first of these chunks
    command = ("HMGET", keys.game, "revision", TAIL, chunk_field(joined), *map(chunk_field, numbers))
    reply, tail, frame, *chunks = ask(redis, single_command(command))
    revision = int(reply or 0)
    if revision <= after:
        return []
    parts = [(number * CHUNK, unpack(chunk)) for number, chunk in zip(numbers, chunks, strict=True) if chunk]
    if chunks[-1] is None and tail:
        content = b"".join(unpack_all(tail))
        parts.append((revision - content.count(b"\n"), content))
    if chunks[0] is None and frame and (not parts or parts[0][0] > after):
        parts.insert(0, (joined * CHUNK, unpack(frame)))
    return [event for first, content in parts for event in _number(content, first, after, last)] if parts else None


def _number(content: bytes, first: int, after: int, last: int) -> Iterator[tuple[int, bytes]]:
    """Return the events from `after` to `last` of the lines that follow revision `first`, with their revisions."""
    events = content.splitlines()[max(0, after - first) : max(0, last - first)]
    return enumerate(events, 1 + max(first, after))


def _read_stream(redis: Redis, keys: GameKeys, after: int, last: int | None) -> Numbered:
    """Return the events of a log that an older version stored as a stream."""
    entries = cast("Any", redis.xrange(keys.log, f"{after + 1}-0", "+" if last is None else f"{last}-0"))
    return [(int(entry.partition(b"-")[0]), event[b"e"]) for entry, event in entries]
