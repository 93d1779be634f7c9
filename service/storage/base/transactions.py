"""Transactions: commands that Redis runs as one, if conditions hold.

All keys of a transaction share a hash slot. Its script checks their types and all conditions before the first write.

    change = Transaction(redis)
    change.require("taken", Read("GET", name).equals(None), Read("GET", name).equals(player))
    change.run("SET", name, player)
    change.commit()  # Outcome("done", ...) or Outcome("taken", [])

A client that loses the response repeats the transaction, so its conditions must recognise that it has been applied, or
applying it again must change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from redis import Redis

from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.scripts import Script

OWN_COMMANDS = {
    **dict.fromkeys(("FIELDS_OF", "FIELDS_WITH"), "hash"),
    **dict.fromkeys(("ENDED", "LIVE"), ""),
    "VERSION": "zset",
    "OUTLIVE": "",
}
"""Commands of transaction.lua, with the type of key that each expects, '' for any.

FIELDS_WITH returns the fields of a hash that begin with a prefix; FIELDS_OF those that have a value, but do not begin
with a prefix that may follow. LIVE returns the members of a set that have a score above a minimum in a sorted set,
ENDED the others. OUTLIVE gives a key a minimum lifetime in ms. VERSION returns the unix time in ms, or one more than
the highest score.
"""
TYPES = {
    **OWN_COMMANDS,
    **dict.fromkeys(("GET", "SET"), "string"),
    **dict.fromkeys(("HDEL", "HEXISTS", "HGET", "HGETALL", "HINCRBY", "HLEN", "HMGET", "HSET", "HSETNX"), "hash"),
    **dict.fromkeys(("LPUSH", "LRANGE", "LREM"), "list"),
    **dict.fromkeys(("SADD", "SCARD", "SISMEMBER", "SMEMBERS", "SREM"), "set"),
    **dict.fromkeys(("XADD", "XDEL", "XRANGE"), "stream"),
    **dict.fromkeys(
        ("ZADD", "ZCARD", "ZCOUNT", "ZRANGE", "ZREM", "ZREMRANGEBYRANK", "ZREMRANGEBYSCORE", "ZSCORE"), "zset"
    ),
    **dict.fromkeys(("DEL", "EXISTS", "PEXPIRE", "PEXPIREAT", "PTTL"), ""),
}
"""The type of key that each command expects, '' for any."""
APPLIED = "done"
MAX_ARGUMENTS = 2_000
"""Maximum number of arguments of one command. Lua cannot unpack more than 8,000."""
HUB_ENTRIES, OUTBOX_ENTRIES = 10_000, 100_000
Argument = Any
"""Text, bytes, a number, or a value returned by `reply`, `item`, `time_from_now` or `key`."""


def reply(step: int, *, prefix: str = "", suffix: str = "") -> Argument:
    """Return an argument: the reply of an earlier step."""
    return {"reply": step, "prefix": prefix, "suffix": suffix}


def item(*, prefix: str = "") -> Argument:
    """Return an argument: the item of `each` that the step is run for."""
    return {"prefix": prefix, "suffix": ""}


def time_from_now(ms: int) -> Argument:
    """Return an argument: the server's unix time `ms` milliseconds from now."""
    return {"after": ms, "prefix": "", "suffix": ""}


class Condition(NamedTuple):
    """A comparison of a read's reply with a value."""

    read: tuple[Any, ...]
    test: str
    value: Argument


class Read:
    """A command whose reply is compared, or has items."""

    def __init__(self, name: str, key: str, *arguments: Argument) -> None:
        self.command = (name, key, *arguments)

    def equals(self, value: str | bytes | int | None) -> Condition:
        """Return the condition that a text is this value; None: that it is missing."""
        return Condition(self.command, "equals", _text(value))

    def differs(self, value: str | bytes | int | None) -> Condition:
        """Return the condition that a text is not this value; None: that it exists."""
        return Condition(self.command, "differs", _text(value))

    def is_below(self, value: Argument) -> Condition:
        """Return the condition that a number, or the length of a list, is less. A missing value counts as 0."""
        return Condition(self.command, "below", value)

    def is_above(self, value: Argument) -> Condition:
        """Return the condition that a number, or the length of a list, is greater. A missing value counts as 0."""
        return Condition(self.command, "above", value)


def exists(key: str) -> Condition:
    """Return the condition that a key exists."""
    return Read("EXISTS", key).is_above(0)


class Outcome(NamedTuple):
    """The result of a transaction: `APPLIED`, or the word of the requirement that did not hold."""

    word: str
    replies: list[Any]
    """The reply of each step; None for one that was skipped."""

    @property
    def is_done(self) -> bool:
        """True if the commands were run."""
        return self.word == APPLIED


class Transaction:
    """Requirements, followed by steps that are run only if all requirements hold."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._types: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._requirements: list[Any] = []
        self._steps: list[Any] = []
        self._when: dict[int, Any] = {}
        self._each: dict[int, Any] = {}

    def expect(self, kind: str, *keys: str) -> None:
        """Require that keys have this type or do not exist. Needed only for keys that no typed command uses."""
        for key in keys:
            self._number(key, kind)

    def key(self, key: str) -> Argument:
        """Return an argument: another key."""
        return {"key": self._number(key, ""), "prefix": "", "suffix": ""}

    def require(self, word: str, *alternatives: Condition) -> None:
        """Refuse the transaction with this word, or with `APPLIED` if it was run before, unless a condition holds."""
        self._requirements.append((word, *map(self._condition, alternatives)))

    def run(
        self, name: str, key: str, *arguments: Argument, when: Condition | None = None, each: Read | None = None
    ) -> int:
        """Add a command. Return the number of its step, from 1.

        `when`: skip it unless the condition holds; `each`: run it for each item of this read's reply.
        """
        self._steps.append(self._command((name, key, *arguments)))
        step = len(self._steps)
        if when is not None:
            self._when[step] = self._condition(when)
        if each is not None:
            self._each[step] = self._command(each.command)
        return step

    def hset(self, key: str, fields: Mapping[Any, Any]) -> None:
        """Set these fields, if there are any."""
        for part in _parts(flat(fields)):
            self.run("HSET", key, *part)

    def remove(self, name: str, key: str, members: Iterable[Any]) -> None:
        """Remove these members by this command, if there are any."""
        for part in _parts([*members]):
            self.run(name, key, *part)

    def announce(
        self, hub: str, name: Argument, number: Argument, each: Read | None = None, when: Condition | None = None
    ) -> None:
        """Add an entry to a hub. It wakes the callers that wait for a number of this name."""
        self.run("XADD", hub, "MAXLEN", "~", HUB_ENTRIES, "*", "g", name, "r", number, each=each, when=when)

    def notify(self, bucket: BucketKeys, player_id: str, notice: bytes, lifetime: Argument) -> None:
        """Put a notice into the outbox if the player has a webhook or device.

        `lifetime`: minimum lifetime of the outbox, in ms.
        """
        is_subscriber = Read("SISMEMBER", bucket.subscribers, player_id).is_above(0)
        entry = ("MAXLEN", "~", OUTBOX_ENTRIES, "*", "p", player_id, "n", notice)
        self.run("XADD", bucket.outbox, *entry, when=is_subscriber)
        self.run("OUTLIVE", bucket.outbox, lifetime, when=is_subscriber)

    def commit(self) -> Outcome:
        """Run the transaction. Raises `DamagedRecordError`, `redis.exceptions.RedisError`."""
        if not self._types:
            return Outcome(APPLIED, [])
        word, *rest = Script(self._redis, "transaction")(
            [*self._types],
            types=[*self._types.values()],
            requirements=self._requirements,
            steps=self._steps,
            when=self._when,
            each=self._each,
        )
        return Outcome(word.decode(), *rest) if rest else Outcome(word.decode(), [])

    def _number(self, key: str, kind: str) -> int:
        self._types[key] = self._types.get(key) or kind  # keeps the position of a known key
        return self._numbers.setdefault(key, len(self._types))

    def _command(self, command: tuple[Any, ...]) -> tuple[Any, ...]:
        name, key, *arguments = command
        return (name, self._number(key, TYPES[name]), *arguments)

    def _condition(self, condition: Condition) -> tuple[Any, ...]:
        return (condition.test, condition.value, *self._command(condition.read))


def by_name(pairs: Sequence[Any]) -> dict[Any, Any]:
    """Return the dict of alternating names and values, the form of an HGETALL reply in a transaction."""
    return dict(zip(pairs[::2], pairs[1::2], strict=True))


def flat(pairs: Mapping[Any, Any]) -> list[Any]:
    """Return alternating keys and values."""
    return [part for pair in pairs.items() for part in pair]


def _parts(arguments: list[Any]) -> Iterable[list[Any]]:
    return (arguments[at : at + MAX_ARGUMENTS] for at in range(0, len(arguments), MAX_ARGUMENTS))


def _text(value: str | bytes | int | None) -> str | bytes | bool:
    if value is None:
        return False  # the form of a missing reply in Lua
    return str(value) if isinstance(value, int) else value
