"""Contents of a Redis, for comparing two moments. `DUMP` is no use: it returns the fields of a hash in any order."""

from __future__ import annotations

from typing import Any, cast

from redis import Redis

READERS: dict[bytes, Any] = {
    b"string": lambda redis, key: redis.get(key),
    b"hash": lambda redis, key: sorted(redis.hgetall(key).items()),
    b"list": lambda redis, key: redis.lrange(key, 0, -1),
    b"set": lambda redis, key: sorted(redis.smembers(key)),
    b"zset": lambda redis, key: redis.zrange(key, 0, -1, withscores=True),
    b"stream": lambda redis, key: redis.xrange(key),
}


def redis_contents(redis: Redis) -> dict[bytes, bytes]:
    """Return the `repr` of the content of each key, except those of the job queue."""
    keys = [key for key in cast("list[bytes]", redis.keys("*")) if b"rq:" not in key]
    return {key: repr(READERS[cast("bytes", redis.type(key))](redis, key)).encode() for key in keys}
