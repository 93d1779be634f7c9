"""The messages of the people at a game. They are not in its log, and live no longer than the game.

Messages are numbered from 1, and only the last are kept. The hub announces each message to waiting requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from service.storage.base.bucket_store import BucketStore
from service.storage.base.follow_ups import LogEntry
from service.storage.base.keys import messages_channel
from service.storage.base.pipelining import ask_all
from service.storage.base.transactions import Read, Transaction, exists, reply

MAX_MESSAGES = 200
REPEATABLE_S = 86_400


class Chat(BucketStore):
    """The messages of every game."""

    def append(self, game_id: str, message: bytes, suffix: str | None = None) -> int | None:
        """Store a message. Return its number, or None if there is no such game.

        `suffix`: of the key that remembers the number for a day. Another message with the same suffix is not stored.
        """
        keys, change = self._keys.game(game_id), Transaction(self._redis)
        change.require("gone", exists(keys.game))
        number = change.run("HINCRBY", keys.game, "messages", 1)
        change.run("XADD", keys.messages, "MAXLEN", MAX_MESSAGES, reply(number, suffix="-0"), "m", message)
        if suffix is not None:
            change.require("sent", Read("GET", keys.subkey(suffix)).equals(None))
            change.run("SET", keys.subkey(suffix), reply(number), "EX", REPEATABLE_S)
        change.run("PEXPIREAT", keys.messages, reply(change.run("HGET", keys.game, "expires")))
        change.announce(keys.bucket.hub, messages_channel(game_id), reply(number))
        outcome = change.commit()
        if suffix is not None and outcome.word == "sent":
            return int(cast("bytes", self._redis.get(keys.subkey(suffix))))
        return outcome.replies[0] if outcome.is_done else None

    def remove(self, game_id: str, number: int, notice: bytes, entry: LogEntry) -> bool:
        """Delete a message, and append a notice of that. Return False if there is no such message."""
        keys, change = self._keys.game(game_id), Transaction(self._redis)
        change.require("gone", Read("XRANGE", keys.messages, f"{number}-0", f"{number}-0").is_above(0))
        change.require("gone", exists(keys.game))
        change.run("XDEL", keys.messages, f"{number}-0")
        last = change.run("HINCRBY", keys.game, "messages", 1)
        change.run("XADD", keys.messages, "MAXLEN", MAX_MESSAGES, reply(last, suffix="-0"), "m", notice)
        change.announce(keys.bucket.hub, messages_channel(game_id), reply(last))
        entry.add_to(change, keys.bucket)
        return change.commit().is_done

    def messages(self, game_id: str, after: int, count: int) -> list[tuple[int, bytes]]:
        """Return the first `count` messages after the number `after`, as (number, message)."""
        return _read(self._redis.xrange(self._keys.game(game_id).messages, f"{after + 1}-0", "+", count))

    def get_many(self, game_ids: Sequence[str]) -> dict[str, list[tuple[int, bytes]]]:
        """Return all messages of these games by game id."""
        names = (self._keys.game(game_id).messages for game_id in game_ids)
        replies = ask_all(self._redis, (("XRANGE", name, "-", "+") for name in names))
        return dict(zip(game_ids, map(_read, replies), strict=True))


def _read(entries: Any) -> list[tuple[int, bytes]]:
    return [(int(entry.partition(b"-")[0]), message[b"m"]) for entry, message in entries]
