"""Games on their way between Redis and the archive: due, archived and restored games.

The script that ends a game, or changes it later, also marks it as due for archiving. A keeper leases the game, writes
its record, adds the game to the lists of its players, and marks it as archived. If a keeper dies at any step, the next
one repeats all steps and writes the same object.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.bucket_store import BucketStore
from service.storage.base.due import take_due
from service.storage.base.listing import END, Listed, read_cursor
from service.storage.base.packing import QUICK, unpack
from service.storage.base.pipelining import Command, ask_all, decode_all, decode_fields
from service.storage.base.transactions import Read, Transaction, exists, time_from_now
from service.storage.games import game_log
from service.storage.games.records import RECORDED, Record
from service.storage.games.stored_game import PACKED_FIELDS, pack_fields

PLAYER = "player:"
"""Prefix of a deleted player's entry in the queue."""
TAG_OF_ARCHIVED = b"archived"
"""A tag that matches no sources, so the snapshot is computed from the log."""


class ArchiveTask(NamedTuple):
    """A leased entry of the queue: a game id, or `PLAYER` and a player id. `until_ms`: end of the lease."""

    name: str
    until_ms: int


class ArchiveQueue(BucketStore):
    """The queue of the archive, the archived games of players, and the records of games in Redis."""

    # --------------------------------------------------------------------------------------------------- queue

    def take(self, now_ms: int, until_ms: int, count: int) -> list[ArchiveTask]:
        """Lease up to `count` due entries of each bucket until `until_ms`."""
        names = [bucket.to_archive for bucket in self._keys.all_buckets()]
        parts = take_due(self._redis, names, now_ms, until_ms, count)
        return [ArchiveTask(name, until_ms) for part in parts for name in part]

    def put_off(self, task: ArchiveTask, until_ms: int) -> None:
        """Make an entry due at `until_ms`."""
        self._redis.zadd(self._home(task.name).to_archive, {task.name: until_ms}, xx=True)

    def cancel(self, task: ArchiveTask) -> None:
        """Remove an entry that needs no archiving."""
        self._redis.zrem(self._home(task.name).to_archive, task.name)

    def mark_archived(self, task: ArchiveTask, revision: int) -> bool:
        """Mark a game as archived at a revision. Return False if it has changed since, so it stays in the queue."""
        keys, change = self._keys.game(task.name), Transaction(self._redis)
        to_archive = keys.bucket.to_archive
        change.run("HSET", keys.game, "archived", revision, when=exists(keys.game))
        change.run("ZADD", to_archive, "NX", 0, task.name)
        is_unchanged = Read("ZSCORE", to_archive, task.name).equals(task.until_ms)
        removed = change.run("ZREM", to_archive, task.name, when=is_unchanged)
        return bool(change.commit().replies[removed - 1])

    def forget_player(self, player_id: str, game_ids: Sequence[str]) -> None:
        """Queue the removal of a deleted player from archived games, including any of `game_ids` that are archived."""
        bucket = self._keys.home(player_id)
        name = bucket.archived_games(player_id)
        commands: list[Command] = [("ZADD", name, "NX", 0, game_id) for game_id in game_ids]
        commands += [("PERSIST", name), ("ZADD", bucket.to_archive, 0, f"{PLAYER}{player_id}")]
        ask_all(self._redis, commands)

    def _home(self, name: str) -> BucketKeys:
        return self._keys.home(name.removeprefix(PLAYER))

    # ------------------------------------------------------------------------------------------------- players

    def add(self, player_id: str, game_id: str, ms: int, ttl_s: int) -> None:
        """Add an archived game to a player's list, which then lives for `ttl_s`."""
        name, change = self._key(player_id), Transaction(self._redis)
        change.run("ZADD", name, ms, game_id)
        change.run("PEXPIRE", name, 1000 * ttl_s)
        change.commit()

    def keep(self, player_id: str, ttl_s: int) -> None:
        """Let a player's list live for `ttl_s` from now."""
        self._redis.expire(self._key(player_id), ttl_s)

    def remove(self, player_id: str, game_id: str) -> None:
        """Remove a game from a player's list."""
        self._redis.zrem(self._key(player_id), game_id)

    def game_ids(self, player_id: str, count: int | None = None) -> list[str]:
        """Return the ids of up to `count` archived games of a player, oldest first."""
        return decode_all(self._redis.zrange(self._key(player_id), 0, -1 if count is None else count - 1))

    def page(self, player_id: str, before: str | None, count: int) -> list[tuple[str, int]]:
        """Return up to `count` archived games of a player and unix ms of their last change, newest first.

        Raises `ValueError` for an invalid cursor `before`.
        """
        name, point = self._key(player_id), END if before is None else read_cursor(before)
        start, found = 0, list[tuple[str, int]]()
        while len(found) < count:
            reply = self._redis.zrevrangebyscore(name, point[0], "-inf", start=start, num=count, withscores=True)
            batch = cast("list[tuple[bytes, float]]", reply)
            found += [(game_id.decode(), int(ms)) for game_id, ms in batch if (int(ms), game_id) < point]
            start += count
            if len(batch) < count:
                break
        return found[:count]

    def games_in_redis(self, player_id: str, game_ids: Sequence[str]) -> set[str]:
        """Return those of these games that are in Redis and in the player's list there."""
        commands: list[Command] = []
        for game_id in game_ids:
            keys = self._keys.game(game_id)
            commands += [("ZSCORE", keys.bucket.games(player_id), game_id), ("EXISTS", keys.game)]
        replies = ask_all(self._redis, commands)
        games = zip(game_ids, replies[::2], replies[1::2], strict=True)
        return {game_id for game_id, score, game_exists in games if score is not None and game_exists}

    def _key(self, player_id: str) -> str:
        return self._keys.home(player_id).archived_games(player_id)

    # ------------------------------------------------------------------------------------------------- records

    def record(self, game_id: str) -> Record | None:
        """Return the record of a game in Redis, or None if there is no such game."""
        keys = self._keys.game(game_id)
        commands = (("HMGET", keys.game, "revision", *RECORDED), ("HGETALL", keys.tokens))
        (revision, *values), tokens = ask_all(self._redis, commands)
        if revision is None:
            return None
        stored = {name: value for name, value in zip(RECORDED, values, strict=True) if value is not None}
        fields = {name: unpack(value) if name in PACKED_FIELDS else value for name, value in stored.items()}
        holders = {holder: roles.decode() for holder, roles in decode_fields(tokens).items()}
        events = tuple(event for _, event in game_log.read(self._redis, keys, 0, int(revision), None))
        return Record(int(revision), fields, holders, events)

    def restore(self, game_id: str, record: Record, ttl_s: int) -> None:
        """Write an archived game into Redis for `ttl_s`, unless it exists."""
        keys, change, expires = self._keys.game(game_id), Transaction(self._redis), time_from_now(1000 * ttl_s)
        fields: dict[str, Any] = {
            **pack_fields(record.fields, QUICK),
            **game_log.finished_log_fields(record.events),
            "revision": record.revision,
            "archived": record.revision,
            "attempts": 0,
            "tag": TAG_OF_ARCHIVED,
            "expires": expires,
        }
        change.require("exists", Read("EXISTS", keys.game).is_below(1))
        change.run("DEL", keys.tokens)
        change.hset(keys.game, fields)
        change.hset(keys.tokens, record.holders)
        for name in (keys.game, keys.tokens):
            change.run("PEXPIREAT", name, expires)
        change.run("ZADD", keys.bucket.expiry, expires, game_id)
        change.commit()

    def prolong(self, game_id: str, ttl_s: int) -> None:
        """Give a game a minimum lifetime of `ttl_s`."""
        keys, change, expires = self._keys.game(game_id), Transaction(self._redis), time_from_now(1000 * ttl_s)
        change.expect("hash", keys.tokens, keys.checkpoints)
        change.expect("stream", keys.log, keys.messages)
        change.require("gone", exists(keys.game))
        change.require("later", Read("HGET", keys.game, "expires").is_below(expires))
        change.run("HSET", keys.game, "expires", expires)
        for name in (keys.game, keys.log, keys.tokens, keys.messages, keys.checkpoints):
            change.run("PEXPIREAT", name, expires)
        change.run("ZADD", keys.bucket.expiry, expires, game_id)
        change.commit()


def listed_game(record: Record) -> Listed:
    """Return the part of an archived game that a list contains."""
    fields = record.fields
    return Listed(record.revision, fields["visibility"].decode(), fields.get("facts", b""), fields["view"])
