"""All keys of a Redis as one file, and back: their content and remaining lifetimes.

`DUMP` would be shorter, but a server restores only dumps of its own or an older version.
"""

from __future__ import annotations

import base64
import gzip
from typing import Any, cast

import orjson
from redis import Redis

Json = dict[str, Any]
QUEUE = (b"rq:", b"beats:")
"""Keys of the job queue. Jobs are hints and need not survive an update."""


def dump(redis: Redis) -> Json:
    """Return every key of the store by name: its type, content, and milliseconds to live (-1: unlimited)."""
    names = sorted(name for name in cast("list[bytes]", redis.keys("*")) if not name.startswith(QUEUE))
    return {_text(name): _dump_key(redis, name) for name in names}


def load(redis: Redis, stored: Json) -> None:
    """Write the keys of `dump` into an empty Redis."""
    with redis.pipeline(transaction=False) as pipeline:
        for text, key in stored.items():
            name, content = _bytes(text), key["content"]
            WRITERS[key["type"]](pipeline, name, content)
            if key["ttl_ms"] >= 0:
                pipeline.pexpire(name, key["ttl_ms"])
        pipeline.execute()


def pack(content: Json) -> bytes:
    """Return the content as stored in the repository. Equal content gives equal bytes."""
    return gzip.compress(orjson.dumps(content, option=orjson.OPT_SORT_KEYS), mtime=0)


def unpack(content: bytes) -> Json:
    """Return the packed content."""
    results: Json = orjson.loads(gzip.decompress(content))
    return results


def _dump_key(redis: Redis, name: bytes) -> Json:
    kind = cast("bytes", redis.type(name)).decode()
    return {"type": kind, "ttl_ms": redis.pttl(name), "content": READERS[kind](redis, name)}


def _text(content: bytes) -> str:
    """Return bytes as text: unchanged if readable, otherwise in base64 after a tilde."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return f"~{base64.b64encode(content).decode()}"
    return f"~{base64.b64encode(content).decode()}" if text.startswith("~") else text


def _bytes(text: str) -> bytes:
    return base64.b64decode(text[1:]) if text.startswith("~") else text.encode()


def _pairs(found: Any) -> Json:
    return {_text(field): _text(value) for field, value in found.items()}


READERS: dict[str, Any] = {
    "string": lambda redis, name: _text(redis.get(name)),
    "hash": lambda redis, name: _pairs(redis.hgetall(name)),
    "list": lambda redis, name: [_text(item) for item in redis.lrange(name, 0, -1)],
    "set": lambda redis, name: sorted(_text(item) for item in redis.smembers(name)),
    "zset": lambda redis, name: [[_text(item), score] for item, score in redis.zrange(name, 0, -1, withscores=True)],
    "stream": lambda redis, name: [[_text(entry), _pairs(fields)] for entry, fields in redis.xrange(name)],
}


def _load_stream(redis: Redis, name: bytes, content: Any) -> None:
    for entry, fields in content:
        redis.xadd(name, {_bytes(field): _bytes(value) for field, value in fields.items()}, id=entry)


WRITERS: dict[str, Any] = {
    "string": lambda redis, name, content: redis.set(name, _bytes(content)),
    "hash": lambda redis, name, content: redis.hset(
        name, mapping={_bytes(field): _bytes(value) for field, value in content.items()}
    ),
    "list": lambda redis, name, content: redis.rpush(name, *map(_bytes, content)),
    "set": lambda redis, name, content: redis.sadd(name, *map(_bytes, content)),
    "zset": lambda redis, name, content: redis.zadd(name, {_bytes(item): score for item, score in content}),
    "stream": _load_stream,
}
