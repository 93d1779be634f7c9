"""Published bots, their owners and games, and the pairings of the bots' arena.

All bots are in the bucket of seeks, so that two bots of the arena become a pairing in one commit. A bot is a player. If
the account was deleted, the next reader of its remains removes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, Literal, NamedTuple, cast

import orjson

from service import record_reader, stored_json
from service.storage.base.bucket_store import MatchmakingStore
from service.storage.base.optimistic import LostRaceError, optimistic
from service.storage.base.pipelining import Command, ask_all, decode, decode_fields
from service.storage.base.shares import NO_SHARE, Share, SharedList
from service.storage.base.transactions import APPLIED, Read, Transaction
from service.storage.matchmaking.seeks import Pairing, add_pairing
from service.storage.matchmaking.starts import Consent, Start, add_start

MAX_BOTS = 500
MAX_BOTS_OF_AN_OWNER = 10
HOLDER_KEPT_MS = 3_650 * 86_400_000
"""Bots do not expire, and a caller's share must not be forgotten before its bots."""
DAY_OF_ARENA_MS = 86_400_000
SEPARATE_FIELDS = ("id", "owner", "seen_at", "failed_at")
"""Fields that are not in the stored bot, but in keys of their own."""


@dataclass(frozen=True)
class StoredBot:
    """A published bot. `turn_s`, `bank_s`: minimum and maximum of a clock, in seconds.

    `unclocked`: it also plays without a clock. `rated`, `opponents`: see `service.usecases.base.published_bots`.
    `arena`: it takes part in the bots' arena. `endpoint`: url, secret, timeout_s and attempts, or None.
    """

    id: str
    rulesets: tuple[str, ...]
    seats: tuple[int, ...]
    turn_s: tuple[int, int]
    bank_s: tuple[int, int]
    unclocked: bool
    games_at_once: int
    rated: str
    opponents: str
    arena: bool
    endpoint: dict[str, Any] | None
    published_at: str
    disabled: bool = False
    """The endpoint has failed for a day. It is not called until the bot is published again."""
    old_secrets: tuple[tuple[str, int], ...] = ()
    """Replaced secrets that sign, too, newest first, and unix ms until which they do."""
    secret_request: str | None = None
    """Id of the request that has rotated the secret last."""
    owner: str | None = field(default=None, compare=False)
    seen_at: int = field(default=0, compare=False)
    """Unix ms of its last visit, or 0."""
    failed_at: int = field(default=0, compare=False)
    """Unix ms of the last failure of its endpoint, or 0."""

    def to_bytes(self) -> bytes:
        """Return the form that is stored under its id."""
        fields = asdict(self)
        return orjson.dumps({name: fields[name] for name in fields if name not in SEPARATE_FIELDS})


class ArenaBot(NamedTuple):
    """A bot in the bots' arena. `paired_at`: unix ms of its last pairing there, or 0."""

    id: str
    paired_at: int


class Bots(MatchmakingStore):
    """Reads and writes bots."""

    # --------------------------------------------------------------------------------------------------- bots

    @property
    def shared_list(self) -> SharedList:
        """The published bots, as a list that all callers fill."""
        return SharedList(self._redis, self._bucket, "bots", self._bucket.bots_seen)

    def publish(self, bot: StoredBot, now_ms: int, share: Share = NO_SHARE) -> str:
        """Publish a bot, or replace it. Return `APPLIED`, or the word of `shares` if there are too many bots."""
        bucket, change, shared = self._bucket, Transaction(self._redis), self.shared_list
        shared.require(change, share, Read("HEXISTS", bucket.bots, bot.id).is_above(0), of_all=MAX_BOTS)
        shared.add(change, bot.id, share, now_ms, HOLDER_KEPT_MS)
        change.run("HSET", bucket.bots, bot.id, bot.to_bytes())
        for name in (bucket.bots_seen, bucket.bots_failed):
            change.run("ZADD", name, "NX", 0, bot.id)
        if bot.arena:
            change.run("ZADD", bucket.bot_arena, "NX", 0, bot.id)
        else:
            change.run("ZREM", bucket.bot_arena, bot.id)
        return change.commit().word

    def withdraw(self, player_id: str) -> bool:
        """Withdraw a published bot. Return False if it was not published."""
        bucket, change = self._bucket, Transaction(self._redis)
        change.run("HDEL", bucket.bots, player_id)
        change.run("HDEL", bucket.bot_owners, player_id)
        for name in (bucket.bots_seen, bucket.bots_failed, bucket.bot_arena):
            change.run("ZREM", name, player_id)
        self.shared_list.remove(change, player_id)
        return bool(change.commit().replies[0])

    def set_owner(self, player_id: str, owner: str) -> Literal["done", "gone", "full"]:
        """Set the owner of a bot. "gone": it is not published; "full": the owner has too many bots."""
        owners, change = self._bucket.bot_owners, Transaction(self._redis)
        change.require("gone", Read("HEXISTS", self._bucket.bots, player_id).is_above(0))
        has_few = Read("FIELDS_OF", owners, owner).is_below(MAX_BOTS_OF_AN_OWNER)
        change.require("full", Read("HGET", owners, player_id).equals(owner), has_few)
        change.run("HSET", owners, player_id, owner)
        return cast("Literal['done', 'gone', 'full']", change.commit().word)

    def remove_owner(self, player_id: str, owner: str) -> bool:
        """Remove the owner of a bot. Return False if it does not belong to this player."""
        owners, change = self._bucket.bot_owners, Transaction(self._redis)
        change.require("gone", Read("HEXISTS", self._bucket.bots, player_id).is_above(0))
        change.require("gone", Read("HGET", owners, player_id).equals(owner))
        change.run("HDEL", owners, player_id)
        return change.commit().is_done

    def record_visit(self, player_id: str, now_ms: int) -> None:
        """Store the time of a visit, if the player is a published bot."""
        self._redis.zadd(self._bucket.bots_seen, {player_id: now_ms}, xx=True, gt=True)

    def record_failure(self, player_id: str, now_ms: int) -> None:
        """Store the time of a failure of its endpoint, if the player is a published bot."""
        self._redis.zadd(self._bucket.bots_failed, {player_id: now_ms}, xx=True, gt=True)

    def change(self, player_id: str, change: Callable[[StoredBot], StoredBot | None]) -> StoredBot | None:
        """Change a published bot. Return the changed bot, or None if it is not published or `change` returns None."""

        def attempt() -> StoredBot | None:
            before, bot = self._redis.hget(self._bucket.bots, player_id), self.get(player_id)
            after = None if before is None or bot is None else change(bot)
            if after is None:
                return None
            writing = Transaction(self._redis)
            writing.require("changed", Read("HGET", self._bucket.bots, player_id).equals(before))
            writing.run("HSET", self._bucket.bots, player_id, after.to_bytes())
            if not writing.commit().is_done:
                raise LostRaceError
            return after

        return optimistic(attempt)

    def disable(self, player_id: str) -> StoredBot | None:
        """Disable the endpoint of a bot. Return the bot if it was enabled."""
        return self.change(
            player_id, lambda bot: None if bot.disabled or bot.endpoint is None else replace(bot, disabled=True)
        )

    def get_all(self) -> list[StoredBot]:
        """Return all published bots."""
        bucket = self._bucket
        hashes = (("HGETALL", name) for name in (bucket.bots, bucket.bot_owners))
        sets = (("ZRANGE", name, 0, -1, "WITHSCORES") for name in (bucket.bots_seen, bucket.bots_failed))
        contents, owners, *moments = ask_all(self._redis, (*hashes, *sets))
        seen, failed = map(dict, moments)

        def load(name: str, content: bytes) -> StoredBot:
            key = name.encode()
            return _bot(name, content, owners.get(key), (seen.get(key), failed.get(key)))

        return record_reader.read_all("bot", decode_fields(contents).items(), load)

    def get_many(self, player_ids: Sequence[str]) -> list[StoredBot | None]:
        """Return these bots, None for a player who is not a published bot."""
        if not player_ids:
            return []
        bucket = self._bucket
        hashes = (("HMGET", name, *player_ids) for name in (bucket.bots, bucket.bot_owners))
        sets = (("ZSCORE", name, player) for player in player_ids for name in (bucket.bots_seen, bucket.bots_failed))
        contents, owners, *moments = ask_all(self._redis, (*hashes, *sets))
        pairs = zip(moments[::2], moments[1::2], strict=True)
        return [
            record_reader.read("bot", name, content, partial(_bot, owner=owner, times=times))
            for name, content, owner, times in zip(player_ids, contents, owners, pairs, strict=True)
        ]

    def get(self, player_id: str) -> StoredBot | None:
        """Return the bot, or None if the player is not a published bot."""
        return self.get_many([player_id])[0]

    # -------------------------------------------------------------------------------------------------- games

    def games(self, player_ids: Iterable[str]) -> dict[str, dict[str, int]]:
        """Return the games of each bot from pairings, with unix ms of the pairing."""
        names = {player_id: self._bucket.bot_games(player_id) for player_id in player_ids}
        replies = ask_all(self._redis, (("ZRANGE", name, 0, -1, "WITHSCORES") for name in names.values()))
        return {
            player_id: {game_id.decode(): int(at) for game_id, at in reply}
            for player_id, reply in zip(names, replies, strict=True)
        }

    def add_game(self, player_ids: Iterable[str], game_id: str, now_ms: int, ttl_s: int) -> None:
        """Add a game to the games of these bots, unless they have it."""
        commands: list[Command] = []
        for name in map(self._bucket.bot_games, player_ids):
            commands += [("ZADD", name, "NX", now_ms, game_id), ("EXPIRE", name, ttl_s)]
        ask_all(self._redis, commands)

    def remove_games(self, player_ids: Iterable[str], game_ids: Sequence[str]) -> None:
        """Remove games from the games of these bots."""
        ask_all(self._redis, (("ZREM", name, *game_ids) for name in map(self._bucket.bot_games, player_ids)))

    def forget_games(self, player_id: str) -> None:
        """Delete the games of a deleted player."""
        self._redis.delete(self._bucket.bot_games(player_id))

    # -------------------------------------------------------------------------------------------------- arena

    def lease_arena(self, pause_ms: int) -> bool:
        """Lease the bots' arena for `pause_ms`. Return False if another keeper has the lease."""
        return bool(self._redis.set(self._bucket.bot_arena_lease, "1", nx=True, px=pause_ms))

    def arena_bots(self) -> list[ArenaBot]:
        """Return the bots in the arena. The bot whose last pairing is the longest ago is first."""
        reply = cast("Any", self._redis.zrange(self._bucket.bot_arena, 0, -1, withscores=True))
        return [ArenaBot(name.decode(), int(at)) for name, at in reply]

    def arena_games_today(self, now_ms: int) -> Mapping[str, int]:
        """Return the number of today's arena games of each bot by id, and of each pair by both ids in order."""
        reply = self._redis.hgetall(self._bucket.bot_arena_day(now_ms // DAY_OF_ARENA_MS))
        return {name: int(count) for name, count in decode_fields(cast("Any", reply)).items()}

    def pair(
        self,
        two: Sequence[ArenaBot],
        at_once: Sequence[int],
        pairing: Pairing,
        times: tuple[int, int],
        limits: tuple[int, int],
        ttl_s: int,
    ) -> Literal["done", "changed", "full", "busy"]:
        """Turn two bots of the arena into a pairing, in one commit.

        `at_once`: maximum number of concurrent games of each. `times`: unix ms now, and when a keeper creates the game.
        `limits`: maximum number of arena games a day, of each bot and of the pair. `ttl_s`: lifetime of a game.
        """
        (now_ms, due_ms), (limit_of_each, limit_of_both) = times, limits
        bucket, game_id, change = self._bucket, pairing.game_id, Transaction(self._redis)
        day, both = bucket.bot_arena_day(now_ms // DAY_OF_ARENA_MS), " ".join(sorted(bot.id for bot in two))
        change.require(APPLIED, Read("HEXISTS", bucket.pairings, game_id).is_below(1))
        for bot in two:
            change.require("changed", Read("ZSCORE", bucket.bot_arena, bot.id).equals(bot.paired_at))
            change.require("full", Read("HGET", day, bot.id).is_below(limit_of_each))
        change.require("full", Read("HGET", day, both).is_below(limit_of_both))
        start = Start(game_id, game_id, is_live=False, now_ms=now_ms, ttl_s=ttl_s)
        places = zip(two, at_once, strict=True)
        add_start(change, bucket, start, [Consent(bot.id, places=limit) for bot, limit in places])
        for bot in two:
            change.run("ZADD", bucket.bot_arena, max(now_ms, bot.paired_at + 1), bot.id)
        for name in (*(bot.id for bot in two), both):
            change.run("HINCRBY", day, name, 1)
        change.run("PEXPIRE", day, 2 * DAY_OF_ARENA_MS)
        add_pairing(change, bucket, pairing, due_ms)
        return cast("Literal['done', 'changed', 'full', 'busy']", change.commit().word)


def _bot(player_id: str, content: bytes, owner: bytes | None, times: tuple[float | None, float | None]) -> StoredBot:
    members = stored_json.select_known(StoredBot, orjson.loads(content))
    members |= {part: tuple(members[part]) for part in ("rulesets", "seats", "turn_s", "bank_s")}
    members["old_secrets"] = tuple((secret, ends_at) for secret, ends_at in members.get("old_secrets", ()))
    seen_at, failed_at = (int(time or 0) for time in times)
    return StoredBot(player_id, **members, owner=decode(owner), seen_at=seen_at, failed_at=failed_at)
