"""Bots that one can find: what they play, whose they are, when they were here; and the pairings of their arena.

All of it lies with the seeks, so that two bots of the arena become a pairing in one commit. A bot is a player; where
that is no more, whoever meets what it has left forgets that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple, cast

import orjson
from redis import Redis

from service.storage.base.keys import Buckets, Keys
from service.storage.base.pipelining import Command, ask_all
from service.storage.base.transactions import APPLIED, Read, Transaction
from service.storage.matchmaking.seeks import Pairing, add_pairing

MAX_BOTS = 500
MAX_BOTS_OF_AN_OWNER = 10
DAY_OF_ARENA_MS = 86_400_000
NOT_SAID = ("id", "owner", "seen_at", "failed_at")
"""What is kept beside what a bot says of itself."""


@dataclass(frozen=True)
class StoredBot:
    """What a bot plays, and for how many at once. `turn_s`, `bank_s`: least and most of a clock, in seconds.

    `unclocked`: whether it plays without a clock, too; `rated`, `opponents`: see
    `service.usecases.base.published_bots`; `arena`: whether it takes part in the bots' arena; `endpoint`: url, secret,
    timeout_s, attempts of one that is called.
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
    owner: str | None = field(default=None, compare=False)
    seen_at: int = field(default=0, compare=False)
    """Unix ms when it was here last; 0: never."""
    failed_at: int = field(default=0, compare=False)
    """Unix ms when its endpoint failed last; 0: never."""

    def to_bytes(self) -> bytes:
        """As it is stored under its id."""
        kept = asdict(self)
        return orjson.dumps({name: kept[name] for name in kept if name not in NOT_SAID})


class InArena(NamedTuple):
    """A bot that takes part in the bots' arena. `paired_at`: unix ms when it was paired there last, 0: never."""

    id: str
    paired_at: int


class Bots:
    """Reads and writes bots. Every method may raise `redis.exceptions.RedisError`, those that write `Damaged`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._bucket = Keys(buckets).of_seeks

    # --------------------------------------------------------------------------------------------------- bots

    def put(self, bot: StoredBot) -> bool:
        """It plays that from now on; False where there are too many bots."""
        bucket, change = self._bucket, Transaction(self._redis)
        change.require("full", Read("HEXISTS", bucket.bots, bot.id).above(0), Read("HLEN", bucket.bots).below(MAX_BOTS))
        change.run("HSET", bucket.bots, bot.id, bot.to_bytes())
        for name in (bucket.bots_seen, bucket.bots_failed):
            change.run("ZADD", name, "NX", 0, bot.id)
        if bot.arena:
            change.run("ZADD", bucket.bot_arena, "NX", 0, bot.id)
        else:
            change.run("ZREM", bucket.bot_arena, bot.id)
        return change.commit().is_done

    def drop(self, player_id: str) -> bool:
        """It is a bot that one can find no more; False if it was not."""
        bucket, change = self._bucket, Transaction(self._redis)
        change.run("HDEL", bucket.bots, player_id)
        change.run("HDEL", bucket.bot_owners, player_id)
        for name in (bucket.bots_seen, bucket.bots_failed, bucket.bot_arena):
            change.run("ZREM", name, player_id)
        return bool(change.commit().replies[0])

    def give(self, player_id: str, owner: str) -> Literal["done", "gone", "full"]:
        """It is this player's; or it is no bot, or they have too many."""
        owners, change = self._bucket.bot_owners, Transaction(self._redis)
        change.require("gone", Read("HEXISTS", self._bucket.bots, player_id).above(0))
        has_few = Read("FIELDS_OF", owners, owner).below(MAX_BOTS_OF_AN_OWNER)
        change.require("full", Read("HGET", owners, player_id).equals(owner), has_few)
        change.run("HSET", owners, player_id, owner)
        return cast("Literal['done', 'gone', 'full']", change.commit().word)

    def release(self, player_id: str, owner: str) -> bool:
        """It is nobody's; False if it was not this player's."""
        owners, change = self._bucket.bot_owners, Transaction(self._redis)
        change.require("gone", Read("HEXISTS", self._bucket.bots, player_id).above(0))
        change.require("gone", Read("HGET", owners, player_id).equals(owner))
        change.run("HDEL", owners, player_id)
        return change.commit().is_done

    def saw(self, player_id: str, now_ms: int) -> None:
        """If it is a bot, it was here at that moment."""
        self._redis.zadd(self._bucket.bots_seen, {player_id: now_ms}, xx=True, gt=True)

    def failed(self, player_id: str, now_ms: int) -> None:
        """If it is a bot, its endpoint failed at that moment."""
        self._redis.zadd(self._bucket.bots_failed, {player_id: now_ms}, xx=True, gt=True)

    def every(self) -> list[StoredBot]:
        """All of them."""
        bucket = self._bucket
        hashes = (("HGETALL", name) for name in (bucket.bots, bucket.bot_owners))
        sets = (("ZRANGE", name, 0, -1, "WITHSCORES") for name in (bucket.bots_seen, bucket.bots_failed))
        contents, owners, *moments = ask_all(self._redis, (*hashes, *sets))
        seen, failed = map(dict, moments)
        return [
            _bot(name, content, owners.get(name), (seen.get(name), failed.get(name)))
            for name, content in contents.items()
        ]

    def of(self, player_ids: Sequence[str]) -> list[StoredBot | None]:
        """Those of these players; None for one that is no bot that one can find."""
        if not player_ids:
            return []
        bucket = self._bucket
        hashes = (("HMGET", name, *player_ids) for name in (bucket.bots, bucket.bot_owners))
        sets = (("ZSCORE", name, one) for one in player_ids for name in (bucket.bots_seen, bucket.bots_failed))
        contents, owners, *moments = ask_all(self._redis, (*hashes, *sets))
        both = zip(moments[::2], moments[1::2], strict=True)
        return [
            None if content is None else _bot(name.encode(), content, owner, seen)
            for name, content, owner, seen in zip(player_ids, contents, owners, both, strict=True)
        ]

    def get(self, player_id: str) -> StoredBot | None:
        """That of the player; None if it is none."""
        return self.of([player_id])[0]

    # -------------------------------------------------------------------------------------------------- games

    def games(self, player_ids: Iterable[str]) -> dict[str, dict[str, int]]:
        """Of each bot, the games that it plays out of pairings, and unix ms when it was paired for each."""
        ids = list(player_ids)
        replies = ask_all(self._redis, (("ZRANGE", self._bucket.bot_games(one), 0, -1, "WITHSCORES") for one in ids))
        return {
            player_id: {name.decode(): int(at) for name, at in reply}
            for player_id, reply in zip(ids, replies, strict=True)
        }

    def begin(self, player_ids: Iterable[str], game_id: str, now_ms: int, ttl_s: int) -> None:
        """These bots play the game, if they do not already."""
        commands: list[Command] = []
        for name in map(self._bucket.bot_games, player_ids):
            commands += [("ZADD", name, "NX", now_ms, game_id), ("EXPIRE", name, ttl_s)]
        ask_all(self._redis, commands)

    def end(self, player_ids: Iterable[str], game_ids: Sequence[str]) -> None:
        """They play these games no more, if they did."""
        ask_all(self._redis, (("ZREM", name, *game_ids) for name in map(self._bucket.bot_games, player_ids)))

    def forget_games(self, player_id: str) -> None:
        """The player is no more."""
        self._redis.delete(self._bucket.bot_games(player_id))

    # -------------------------------------------------------------------------------------------------- arena

    def may_look(self, pause_ms: int) -> bool:
        """Whether it is this keeper that looks after the arena now; no other does for so long."""
        return bool(self._redis.set(self._bucket.bot_arena_look, "1", nx=True, px=pause_ms))

    def in_arena(self) -> list[InArena]:
        """Those that take part, of whom the last was paired longest ago first."""
        reply = cast("Any", self._redis.zrange(self._bucket.bot_arena, 0, -1, withscores=True))
        return [InArena(name.decode(), int(at)) for name, at in reply]

    def begun_today(self, now_ms: int) -> Mapping[str, int]:
        """How many games the arena has begun today for each bot, by id, and for each two, by both in order."""
        reply = self._redis.hgetall(self._bucket.bot_arena_day(now_ms // DAY_OF_ARENA_MS))
        return {name.decode(): int(count) for name, count in cast("dict[bytes, bytes]", reply).items()}

    def pair(
        self,
        two: Sequence[InArena],
        at_once: Sequence[int],
        pairing: Pairing,
        times: tuple[int, int],
        most: tuple[int, int],
        ttl_s: int,
    ) -> Literal["done", "changed", "full"]:
        """These two become a game, in one commit.

        `at_once`: how many each plays; `times`: unix ms now, and from which a keeper creates the game; `most`: how many
        games the arena begins a day, for each and for the two; `ttl_s`: how long a game is kept.
        """
        (now_ms, due_ms), (most_of_each, most_of_two) = times, most
        bucket, game_id, change = self._bucket, pairing.game_id, Transaction(self._redis)
        day, both = bucket.bot_arena_day(now_ms // DAY_OF_ARENA_MS), " ".join(sorted(one.id for one in two))
        change.require(APPLIED, Read("HEXISTS", bucket.pairings, game_id).below(1))
        for one, limit in zip(two, at_once, strict=True):
            change.require("changed", Read("ZSCORE", bucket.bot_arena, one.id).equals(one.paired_at))
            change.require("full", Read("ZCARD", bucket.bot_games(one.id)).below(limit))
            change.require("full", Read("HGET", day, one.id).below(most_of_each))
        change.require("full", Read("HGET", day, both).below(most_of_two))
        for one in two:
            change.run("ZADD", bucket.bot_arena, max(now_ms, one.paired_at + 1), one.id)
            change.run("ZADD", bucket.bot_games(one.id), now_ms, game_id)
            change.run("PEXPIRE", bucket.bot_games(one.id), 1000 * ttl_s)
        for name in (*(one.id for one in two), both):
            change.run("HINCRBY", day, name, 1)
        change.run("PEXPIRE", day, 2 * DAY_OF_ARENA_MS)
        add_pairing(change, bucket, pairing, due_ms)
        return cast("Literal['done', 'changed', 'full']", change.commit().word)


def _bot(name: bytes, content: bytes, owner: bytes | None, moments: tuple[float | None, float | None]) -> StoredBot:
    members = orjson.loads(content)
    members |= {part: tuple(members[part]) for part in ("rulesets", "seats", "turn_s", "bank_s")}
    seen_at, failed_at = (int(moment or 0) for moment in moments)
    owner_id = None if owner is None else owner.decode()
    return StoredBot(name.decode(), **members, owner=owner_id, seen_at=seen_at, failed_at=failed_at)
