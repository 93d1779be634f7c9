"""Lua scripts, which Redis runs atomically.

Every script begins with `prelude.lua`. If another program has written a key of the wrong type, a script returns before
its first write. Only the operator can repair that.
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

from service.storage.base.pipelining import Question, ask, raise_errors

FOLDER = Path(__file__).parents[1]
DAMAGED = b"damaged"


class DamagedRecordError(Exception):
    """A key has the wrong type. Nothing was written."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} has the wrong type: delete or repair it")
        self.key = key


@cache
def _files() -> dict[str, Path]:
    """Return the Lua files by name. Each is beside the module that runs it."""
    return {path.stem: path for path in FOLDER.rglob("*.lua")}


@cache
def source_of(name: str) -> bytes:
    """Return the prelude and the source of a script."""
    return b"".join(_files()[part].read_bytes() for part in ("prelude", name))


@cache
def _sha1_of(name: str) -> str:
    return hashlib.sha1(source_of(name), usedforsecurity=False).hexdigest()


class Script:
    """One of the Lua files, by name. Safe to share between threads and greenlets.

    Its arguments are one MessagePack map. Text and bytes both become strings of Lua.
    """

    def __init__(self, redis: Redis, name: str) -> None:
        self._redis = redis
        self._name = name

    def question(self, keys: Sequence[str], **arguments: Any) -> Question[Any]:
        """Return the call, to send it together with others. It is repeated if the server does not know the script."""
        args = [msgpack.packb(arguments, use_bin_type=False)]
        command = ("EVALSHA", _sha1_of(self._name), len(keys), *keys, *args)

        def read(replies: list[Any]) -> Any:
            if isinstance(replies[0], NoScriptError):
                answer: Any = self._redis.register_script(source_of(self._name))(keys=keys, args=args)
            else:
                answer = raise_errors(replies)[0]
            if isinstance(answer, list) and answer[:1] == [DAMAGED]:
                raise DamagedRecordError(keys[int(answer[1]) - 1])
            return answer

        return Question((command,), read)

    def __call__(self, keys: Sequence[str], **arguments: Any) -> Any:
        """Run the script with named arguments. Raises `DamagedRecordError`, `redis.exceptions.RedisError`."""
        return ask(self._redis, self.question(keys, **arguments))
