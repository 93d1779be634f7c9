"""Games on their way between Redis and the archive: what is to be archived, what was, and what is put back.

The commit that ends a game writes that it is to be archived, in the same script; so does whatever changes it later. A
keeper takes it for a while, writes its record, has its players' lists name it, and marks it. Who dies at any step
leaves it to the next, which does all of it again: the object is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from redis import Redis

from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.due import take_due
from service.storage.base.keys import Buckets, Keys
from service.storage.base.listing import END, Listed, ListingPoint, read_cursor
from service.storage.base.packing import QUICK, unpacked
from service.storage.base.pipelining import Command, ask_all
from service.storage.base.transactions import Read, Transaction, exists, later
from service.storage.games import game_log
from service.storage.games.records import RECORDED, Record
from service.storage.games.stored import PACKED, fields_packed

PLAYER = "player:"
"""How a player is named among the games that are to be archived: one who was deleted."""
TAG_OF_ARCHIVED = b"archived"
"""The tag of no rules: the snapshot is computed from the log."""


class Taken(NamedTuple):
    """What is to be archived: a game's id, or `PLAYER` and a player's. `until_ms`: until when others leave it alone."""

    name: str
    until_ms: int


class Archivals:
    """Reads and writes them. Every method may raise `redis.exceptions.RedisError`, those that write `Damaged`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)

    # ------------------------------------------------------------------------------------------ to be archived

    def take(self, now_ms: int, until_ms: int, count: int) -> list[Taken]:
        """What is due, at most so many of a bucket; until then other keepers leave it alone."""
        names = [bucket.to_archive for bucket in self._keys.every_bucket()]
        found = take_due(self._redis, names, now_ms, until_ms, count)
        return [Taken(name, until_ms) for due in found for name in due]

    def put_off(self, taken: Taken, until_ms: int) -> None:
        """It cannot be archived before."""
        self._redis.zadd(self._home(taken.name).to_archive, {taken.name: until_ms}, xx=True)

    def forgotten(self, taken: Taken) -> None:
        """There is nothing of it to be archived."""
        self._redis.zrem(self._home(taken.name).to_archive, taken.name)

    def archived(self, taken: Taken, revision: int) -> bool:
        """The game's record at the revision stands in the archive. False if the game is to be archived once more."""
        keys, change = self._keys.game(taken.name), Transaction(self._redis)
        to_archive = keys.bucket.to_archive
        change.run("HSET", keys.game, "archived", revision, when=exists(keys.game))
        change.run("ZADD", to_archive, "NX", 0, taken.name)
        is_unchanged = Read("ZSCORE", to_archive, taken.name).equals(taken.until_ms)
        removed = change.run("ZREM", to_archive, taken.name, when=is_unchanged)
        return bool(change.commit().replies[removed - 1])

    def forget_player(self, player_id: str, game_ids: Sequence[str]) -> None:
        """A player was deleted: archived games that name them, and these if they are archived, are to forget them."""
        bucket = self._keys.home(player_id)
        name = bucket.archived_games(player_id)
        commands: list[Command] = [("ZADD", name, "NX", 0, game_id) for game_id in game_ids]
        commands += [("PERSIST", name), ("ZADD", bucket.to_archive, 0, f"{PLAYER}{player_id}")]
        ask_all(self._redis, commands)

    def _home(self, name: str) -> BucketKeys:
        return self._keys.home(name.removeprefix(PLAYER))

    # --------------------------------------------------------------------------------------------- the players'

    def add(self, player_id: str, game_id: str, ms: int, ttl_s: int) -> None:
        """An archived game names the player, who is kept for so long."""
        name, change = self._keys.home(player_id).archived_games(player_id), Transaction(self._redis)
        change.run("ZADD", name, ms, game_id)
        change.run("PEXPIRE", name, 1000 * ttl_s)
        change.commit()

    def keep(self, player_id: str, ttl_s: int) -> None:
        """The player is kept for so long from now."""
        self._redis.expire(self._keys.home(player_id).archived_games(player_id), ttl_s)

    def remove(self, player_id: str, game_id: str) -> None:
        """The game names the player no more."""
        self._redis.zrem(self._keys.home(player_id).archived_games(player_id), game_id)

    def game_ids(self, player_id: str, count: int | None = None) -> list[str]:
        """Ids of archived games that name the player, the oldest first; at most so many."""
        name = self._keys.home(player_id).archived_games(player_id)
        found = cast("list[bytes]", self._redis.zrange(name, 0, -1 if count is None else count - 1))
        return [game_id.decode() for game_id in found]

    def page(self, player_id: str, before: str | None, count: int) -> list[tuple[str, int]]:
        """Archived games that name the player, and unix ms of their last change, newest first. ValueError: cursor."""
        name = self._keys.home(player_id).archived_games(player_id)
        point: ListingPoint = END if before is None else read_cursor(before)
        start, found = 0, list[tuple[str, int]]()
        while len(found) < count:
            batch = cast(
                "list[tuple[bytes, float]]",
                self._redis.zrevrangebyscore(name, point[0], "-inf", start=start, num=count, withscores=True),
            )
            found += [(game_id.decode(), int(ms)) for game_id, ms in batch if (int(ms), game_id) < point]
            start += count
            if len(batch) < count:
                break
        return found[:count]

    def listed(self, player_id: str, game_ids: Sequence[str]) -> set[str]:
        """Those of these games that stand in the player's list, and in Redis."""
        commands: list[Command] = []
        for game_id in game_ids:
            keys = self._keys.game(game_id)
            commands += [("ZSCORE", keys.bucket.games(player_id), game_id), ("EXISTS", keys.game)]
        replies = ask_all(self._redis, commands)
        there = zip(game_ids, replies[::2], replies[1::2], strict=True)
        return {game_id for game_id, score, exists in there if score is not None and exists}

    # ------------------------------------------------------------------------------------------------- records

    def record(self, game_id: str) -> Record | None:
        """The game as it stands in Redis; None if it does not."""
        keys = self._keys.game(game_id)
        commands = (("HMGET", keys.game, "revision", *RECORDED), ("HGETALL", keys.tokens))
        (revision, *values), held = ask_all(self._redis, commands)
        if revision is None:
            return None
        fields = {
            name: unpacked(value) if name in PACKED else value
            for name, value in zip(RECORDED, values, strict=True)
            if value is not None
        }
        holders = {holder.decode(): roles.decode() for holder, roles in held.items()}
        events = tuple(event for _, event in game_log.read(self._redis, keys, 0, int(revision), None))
        return Record(int(revision), fields, holders, events)

    def restore(self, game_id: str, record: Record, ttl_s: int) -> None:
        """Put the game back for so long, where it is not there."""
        keys, change, expires = self._keys.game(game_id), Transaction(self._redis), later(1000 * ttl_s)
        fields = {
            **fields_packed(record.fields, QUICK),
            **game_log.ended(record.events),
            "revision": record.revision,
            "archived": record.revision,
            "attempts": 0,
            "tag": TAG_OF_ARCHIVED,
            "expires": expires,
        }
        change.require("exists", Read("EXISTS", keys.game).below(1))
        change.run("DEL", keys.tokens)
        change.hset(keys.game, fields)
        change.hset(keys.tokens, record.holders)
        for name in (keys.game, keys.tokens):
            change.run("PEXPIREAT", name, expires)
        change.run("ZADD", keys.bucket.expiry, expires, game_id)
        change.commit()

    def prolong(self, game_id: str, ttl_s: int) -> None:
        """Have the game live for so long at least."""
        keys, change, expires = self._keys.game(game_id), Transaction(self._redis), later(1000 * ttl_s)
        change.expect("hash", keys.tokens, keys.checkpoints)
        change.expect("stream", keys.log, keys.messages)
        change.require("gone", exists(keys.game))
        change.require("later", Read("HGET", keys.game, "expires").below(expires))
        change.run("HSET", keys.game, "expires", expires)
        for name in (keys.game, keys.log, keys.tokens, keys.messages, keys.checkpoints):
            change.run("PEXPIREAT", name, expires)
        change.run("ZADD", keys.bucket.expiry, expires, game_id)
        change.commit()


def listed_of(record: Record) -> Listed:
    """What a list tells of an archived game."""
    fields = record.fields
    return Listed(record.revision, fields["visibility"].decode(), fields.get("facts", b""), fields["view"])
