"""Seeks: players who wait for others to play with, and pairings: seeks that become a game.

All of them lie in one bucket, so that a pairing is one commit: nobody is in two games, nobody is lost. A seek lives as
long as somebody keeps it. The game of a pairing lies in another slot: its id is given out with the pairing, whoever
comes first creates it, and a keeper does if nobody else has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple, cast

import orjson
from redis import Redis

from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.due import take_due
from service.storage.base.keys import Buckets, Keys, seek_channel
from service.storage.base.pipelining import ask_all
from service.storage.base.transactions import APPLIED, Read, Transaction, item, reply

MAX_SEEKS_OF_A_PLAYER = 3
MAX_SEEKS = 2_000
LONGEST_MS = 172_800_000
"""No seek lives longer."""
PAIRED_MS = 86_400_000
"""So long a seek tells which game it has become."""


@dataclass(frozen=True)
class StoredSeek:
    """A seek as it is kept. Times are unix ms.

    `settings`: what is wanted, and is the same for all who play together; `fill`: the level that takes the seats for
    which nobody has come by `fill_at`; `blocked`: ids of players whom this one does not want to meet; `points`: the
    player's rating; `rating_range`: how far from it others may be at first, None as far as they like;
    `bot`: whether the player is a program; `mixed`: whether they are rated with people and bots.
    """

    id: str
    player: str
    name: str | None
    settings: dict[str, Any]
    created_at: int
    fill: str | None = None
    fill_at: int = 0
    blocked: frozenset[str] = frozenset()
    points: int = 0
    rating_range: int | None = None
    bot: bool = False
    mixed: bool = False
    ends_at: int = field(default=0, compare=False)
    """When it ends unless somebody keeps it."""


class Partner(NamedTuple):
    """Who has a seat of a pairing: a player, or an AI of a level."""

    player: str | None
    name: str | None
    level: str | None


@dataclass(frozen=True)
class Pairing:
    """A game to come: what is played, and by whom, seat by seat."""

    game_id: str
    settings: dict[str, Any]
    partners: tuple[Partner, ...]

    def to_bytes(self) -> bytes:
        """As it is stored under the game's id."""
        return orjson.dumps([self.settings, [tuple(partner) for partner in self.partners]])


class Seeks:
    """Reads and writes seeks. Every method may raise `redis.exceptions.RedisError`, those that write `Damaged`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._bucket = Keys(buckets).of_seeks

    # -------------------------------------------------------------------------------------------------- seeks

    def add(self, seek: StoredSeek, now_ms: int) -> Literal["done", "own", "all"]:
        """Have it wait, unless it does already or has become a game; or whose seeks are too many."""
        word = self._add(seek)
        if word == "own":
            self._forget_ended(seek.player, now_ms)
            word = self._add(seek)
        return word

    def _add(self, seek: StoredSeek) -> Literal["done", "own", "all"]:
        """The same, where seeks that have ended, and that no keeper has dropped yet, count."""
        content = {name: value for name, value in asdict(seek).items() if name not in ("id", "ends_at")}
        bucket, own, change = self._bucket, self._bucket.seeks_of(seek.player), Transaction(self._redis)
        change.expect("string", bucket.paired(seek.id))
        change.require(APPLIED, Read("HEXISTS", bucket.seeks, seek.id).below(1))
        change.require(APPLIED, Read("EXISTS", bucket.paired(seek.id)).below(1))
        change.require("own", Read("SCARD", own).below(MAX_SEEKS_OF_A_PLAYER))
        change.require("all", Read("HLEN", bucket.seeks).below(MAX_SEEKS))
        change.run("HSET", bucket.seeks, seek.id, orjson.dumps(content, default=sorted))
        change.run("ZADD", bucket.seeks_ending, seek.ends_at, seek.id)
        change.run("SADD", own, seek.id)
        change.run("PEXPIRE", own, LONGEST_MS)
        return cast("Literal['done', 'own', 'all']", change.commit().word)

    def _forget_ended(self, player_id: str, now_ms: int) -> None:
        own, change = self._bucket.seeks_of(player_id), Transaction(self._redis)
        has_ended = Read("ZSCORE", self._bucket.seeks_ending, item()).below(now_ms + 1)
        change.run("SREM", own, item(), each=Read("SMEMBERS", own), when=has_ended)
        change.commit()

    def waiting(self, now_ms: int) -> list[StoredSeek]:
        """All that wait, longest first."""
        contents = cast("dict[bytes, bytes]", self._redis.hgetall(self._bucket.seeks))
        if not contents:
            return []
        ends = dict(cast("Any", self._redis.zrange(self._bucket.seeks_ending, 0, -1, withscores=True)))
        seeks = [_seek(name, content, int(ends.get(name, 0))) for name, content in contents.items()]
        return sorted((seek for seek in seeks if seek.ends_at > now_ms), key=lambda seek: (seek.created_at, seek.id))

    def get(self, seek_id: str, now_ms: int) -> StoredSeek | None:
        """The seek; None if it does not wait (any more)."""
        commands = (("HGET", self._bucket.seeks, seek_id), ("ZSCORE", self._bucket.seeks_ending, seek_id))
        content, ends_at = ask_all(self._redis, commands)
        if content is None or ends_at is None or ends_at <= now_ms:
            return None
        return _seek(seek_id.encode(), content, int(ends_at))

    def paired(self, seek_id: str) -> tuple[StoredSeek, str] | None:
        """The seek that waits no more, and the id of the game that it has become; None if it has become none."""
        reply = cast("bytes | None", self._redis.get(self._bucket.paired(seek_id)))
        if reply is None:
            return None
        game_id, _, content = reply.partition(b" ")
        return _seek(seek_id.encode(), content, 0), game_id.decode()

    def keep(self, seek_id: str, until_ms: int) -> None:
        """It does not end before then, if it still waits."""
        self._redis.zadd(self._bucket.seeks_ending, {seek_id: until_ms}, xx=True, gt=True)

    def drop(self, seek: StoredSeek, ended_by_ms: int | None = None) -> bool:
        """It waits no more; False if it did not. With `ended_by_ms` only if it has ended by then."""
        bucket, change = self._bucket, Transaction(self._redis)
        if ended_by_ms is not None:
            change.require("kept", Read("ZSCORE", bucket.seeks_ending, seek.id).below(ended_by_ms + 1))
        change.run("HDEL", bucket.seeks, seek.id)
        change.run("ZREM", bucket.seeks_ending, seek.id)
        change.run("SREM", bucket.seeks_of(seek.player), seek.id)
        change.announce(bucket.hub, seek_channel(seek.id), 1)
        outcome = change.commit()
        return outcome.is_done and bool(outcome.replies[0])

    def ended(self, now_ms: int, count: int) -> list[StoredSeek]:
        """Seeks that nobody has kept, at most so many."""
        reply = self._redis.zrangebyscore(self._bucket.seeks_ending, "-inf", now_ms, start=0, num=count)
        names = cast("list[bytes]", reply)
        if not names:
            return []
        contents = cast("list[bytes | None]", self._redis.hmget(self._bucket.seeks, names))
        lost = [name for name, content in zip(names, contents, strict=True) if content is None]
        if lost:
            self._redis.zrem(self._bucket.seeks_ending, *lost)
        return [_seek(name, content, 0) for name, content in zip(names, contents, strict=True) if content is not None]

    # ------------------------------------------------------------------------------------------------ pairings

    def pair(self, group: Sequence[StoredSeek], pairing: Pairing, now_ms: int, due_ms: int) -> bool:
        """These seeks become a game, and all others of their players end; False if one of them waits no more."""
        bucket, change = self._bucket, Transaction(self._redis)
        change.require(APPLIED, Read("HEXISTS", bucket.pairings, pairing.game_id).below(1))
        for seek in group:
            change.require("gone", Read("ZSCORE", bucket.seeks_ending, seek.id).above(now_ms))
            change.require("gone", Read("HEXISTS", bucket.seeks, seek.id).above(0))
        for seek in group:
            content = change.run("HGET", bucket.seeks, seek.id)
            become = reply(content, prefix=f"{pairing.game_id} ")
            change.run("SET", bucket.paired(seek.id), become, "PX", PAIRED_MS)
        for own in (bucket.seeks_of(seek.player) for seek in group):
            each = Read("SMEMBERS", own)
            change.run("HDEL", bucket.seeks, item(), each=each)
            change.run("ZREM", bucket.seeks_ending, item(), each=each)
            change.announce(bucket.hub, item(prefix=seek_channel("")), 1, each=each)
            change.run("DEL", own)
        add_pairing(change, bucket, pairing, due_ms)
        return change.commit().is_done

    def pairing(self, game_id: str) -> Pairing | None:
        """The pairing whose game this is to be; None if that is created already."""
        content = cast("bytes | None", self._redis.hget(self._bucket.pairings, game_id))
        return None if content is None else _pairing(game_id, content)

    def take_due(self, now_ms: int, until_ms: int, count: int) -> list[Pairing]:
        """Pairings whose games nobody has created yet, at most so many; other keepers leave them alone until then."""
        (due,) = take_due(self._redis, [self._bucket.pairings_due], now_ms, until_ms, count)
        contents = ask_all(self._redis, (("HGET", self._bucket.pairings, name) for name in due))
        return [_pairing(name, content) for name, content in zip(due, contents, strict=True) if content is not None]

    def done(self, pairing: Pairing) -> None:
        """Its game is created."""
        bucket, game_id = self._bucket, pairing.game_id
        ask_all(self._redis, (("ZREM", bucket.pairings_due, game_id), ("HDEL", bucket.pairings, game_id)))


def add_pairing(change: Transaction, bucket: BucketKeys, pairing: Pairing, due_ms: int) -> None:
    """Have a transaction add a pairing, whose game a keeper creates from then on if nobody else has."""
    change.run("HSET", bucket.pairings, pairing.game_id, pairing.to_bytes())
    change.run("ZADD", bucket.pairings_due, due_ms, pairing.game_id)


def _seek(name: bytes, content: bytes, ends_at: int) -> StoredSeek:
    members = orjson.loads(content)
    return StoredSeek(**{**members, "id": name.decode(), "blocked": frozenset(members["blocked"]), "ends_at": ends_at})


def _pairing(game_id: str, content: bytes) -> Pairing:
    settings, partners = orjson.loads(content)
    return Pairing(game_id, settings, tuple(Partner(*partner) for partner in partners))
