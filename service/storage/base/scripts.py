"""Lua scripts, which Redis runs atomically.

Every script begins with `prelude.lua`. A script that finds a key of the wrong type, because another program has written
to this Redis, returns before its first write. Only the operator can repair that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgpack
from redis import Redis
from redis.exceptions import NoScriptError

from service.storage.base.pipelining import Question, ask, good

FOLDER = Path(__file__).parents[1]
DAMAGED = b"damaged"


class DamagedRecordError(Exception):
    """A key has the wrong type; nothing was written."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} has another type than it should")
        self.key = key


@cache
def _files() -> dict[str, Path]:
    """Return the Lua files by name. Each is beside the module that runs it."""
    return {path.stem: path for path in FOLDER.rglob("*.lua")}


@cache
def source_of(name: str) -> bytes:
    """Return the source of a script, after the prelude."""
    return b"".join(_files()[part].read_bytes() for part in ("prelude", name))


@cache
def _sha1_of(name: str) -> str:
    return hashlib.sha1(source_of(name), usedforsecurity=False).hexdigest()


class Script:
    """One of the Lua files, by its name; safe to share between threads and greenlets.

    Its arguments are one MessagePack map, in which text and bytes are both strings of Lua.
    """

    def __init__(self, redis: Redis, name: str) -> None:
        self._redis = redis
        self._name = name

    def question(self, keys: Sequence[str], **given: Any) -> Question[Any]:
        """Return the call, to send it with others. It is repeated if the server does not know the script yet."""
        args = [msgpack.packb(given, use_bin_type=False)]
        command = ("EVALSHA", _sha1_of(self._name), len(keys), *keys, *args)

        def read(replies: list[Any]) -> Any:
            if isinstance(replies[0], NoScriptError):
                answer: Any = self._redis.register_script(source_of(self._name))(keys=keys, args=args)
            else:
                answer = good(replies)[0]
            if isinstance(answer, list) and answer[:1] == [DAMAGED]:
                raise DamagedRecordError(keys[int(answer[1]) - 1])
            return answer

        return Question((command,), read)

    def __call__(self, keys: Sequence[str], **given: Any) -> Any:
        """Run the script with these named arguments. Raises `Damaged`, `redis.exceptions.RedisError`."""
        return ask(self._redis, self.question(keys, **given))
