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

from service.storage.base.connect import away
from service.storage.base.keys import Buckets, Keys
from service.storage.base.scripts import Script

MOST_SEEKS_OF_A_PLAYER = 3
MOST_SEEKS = 2_000
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
        self._add = Script(redis, "seek_add")
        self._drop = Script(redis, "seek_drop")
        self._pair = Script(redis, "seek_pair")

    def _waiting_keys(self, seek: StoredSeek) -> list[str]:
        return [self._bucket.seeks, self._bucket.seeks_ending, self._bucket.seeks_of(seek.player)]

    # -------------------------------------------------------------------------------------------------- seeks

    def add(self, seek: StoredSeek, now_ms: int) -> Literal["done", "own", "all"]:
        """Have it wait, unless it does already or has become a game; or whose seeks are too many."""
        content = {name: value for name, value in asdict(seek).items() if name not in ("id", "ends_at")}
        limits = [MOST_SEEKS_OF_A_PLAYER, MOST_SEEKS]
        args = [seek.id, orjson.dumps(content, default=sorted), seek.ends_at, *limits, now_ms]
        word = self._add(keys=[*self._waiting_keys(seek), self._bucket.paired(seek.id)], args=args)
        return cast("Literal['done', 'own', 'all']", word.decode())

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
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hget(self._bucket.seeks, seek_id)
        pipeline.zscore(self._bucket.seeks_ending, seek_id)
        with away(self._redis):
            content, ends_at = pipeline.execute()
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
        keys = [*self._waiting_keys(seek), self._bucket.hub]
        return bool(self._drop(keys=keys, args=[seek.id, "" if ended_by_ms is None else ended_by_ms]))

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
        bucket = self._bucket
        own = [*map(bucket.seeks_of, (seek.player for seek in group)), *(bucket.paired(seek.id) for seek in group)]
        word = self._pair(
            keys=[bucket.seeks, bucket.seeks_ending, bucket.pairings, bucket.pairings_due, bucket.hub, *own],
            args=[
                now_ms,
                pairing.game_id,
                pairing.to_bytes(),
                due_ms,
                PAIRED_MS,
                len(group),
                *(seek.id for seek in group),
            ],
        )
        return bool(word == b"done")

    def pairing(self, game_id: str) -> Pairing | None:
        """The pairing whose game this is to be; None if that is created already."""
        content = cast("bytes | None", self._redis.hget(self._bucket.pairings, game_id))
        return None if content is None else _pairing(game_id, content)

    def take_due(self, now_ms: int, until_ms: int, count: int) -> list[Pairing]:
        """Pairings whose games nobody has created yet, at most so many; other keepers leave them alone until then."""
        reply = self._redis.zrangebyscore(self._bucket.pairings_due, "-inf", now_ms, start=0, num=count)
        due = cast("list[bytes]", reply)
        if due:
            self._redis.zadd(self._bucket.pairings_due, dict.fromkeys(due, until_ms), xx=True)
        pairings = [self.pairing(name.decode()) for name in due]
        return [pairing for pairing in pairings if pairing is not None]

    def done(self, pairing: Pairing) -> None:
        """Its game is created."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.zrem(self._bucket.pairings_due, pairing.game_id)
        pipeline.hdel(self._bucket.pairings, pairing.game_id)
        with away(self._redis):
            pipeline.execute()


def _seek(name: bytes, content: bytes, ends_at: int) -> StoredSeek:
    members = orjson.loads(content)
    return StoredSeek(**{**members, "id": name.decode(), "blocked": frozenset(members["blocked"]), "ends_at": ends_at})


def _pairing(game_id: str, content: bytes) -> Pairing:
    settings, partners = orjson.loads(content)
    return Pairing(game_id, settings, tuple(Partner(*partner) for partner in partners))
