"""The scripts: what Redis does as one, with what stands before each of them.

A script that meets a key of another type than it expects (somebody has written into our Redis) answers so before it
writes anything: see `damage.lua`. That is a fault of the store, which only its operator can mend.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import NoScriptError

from service.storage.base.pipelining import Question, ask, good

FOLDER = Path(__file__).parents[1]
DAMAGED = b"damaged"


class Damaged(Exception):  # noqa: N818 - the name says what happened
    """A key holds something else than it should; nothing was written."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} has another type than it should")
        self.key = key


@cache
def _files() -> dict[str, Path]:
    """Return the Lua files by name. Each is beside the module that runs it."""
    return {path.stem: path for path in FOLDER.rglob("*.lua")}


def source_of(*names: str) -> bytes:
    """Return the source of a script: the last of these files, after those it needs and what precedes every script."""
    return b"".join(_files()[name].read_bytes() for name in ("damage", *names))


class Script:
    """One of the Lua files, ready to run; safe to share between threads and greenlets.

    names: those that it needs, and itself last.
    """

    def __init__(self, redis: Redis, *names: str) -> None:
        self._redis = redis
        self._run = redis.register_script(source_of(*names))

    def question(self, keys: Sequence[str], args: Sequence[Any]) -> Question[Any]:
        """Running it, to go along with other questions; run again where the server has been started since."""
        command = ("EVALSHA", self._run.sha, len(keys), *keys, *args)

        def read(replies: list[Any]) -> Any:
            unknown = isinstance(replies[0], NoScriptError)
            answer: Any = self._run(keys=keys, args=args) if unknown else good(replies)[0]
            if isinstance(answer, list) and answer[:1] == [DAMAGED]:
                raise Damaged(keys[int(answer[1]) - 1])
            return answer

        return Question((command,), read)

    def __call__(self, *, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """What it answers. Raises `Damaged`, `redis.exceptions.RedisError`."""
        return ask(self._redis, self.question(keys, args))
