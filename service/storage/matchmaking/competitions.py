"""Competitions: what is kept of each, and the pairings that come of them.

All of them lie with the seeks, so that a round is one commit: whoever dies leaves none, or all of its games, each of
which is created as that of any pairing. A change is taken only of the version that it was made from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, cast

from redis import Redis

from service.storage.base.connect import away
from service.storage.base.keys import Buckets, Keys
from service.storage.base.scripts import Script
from service.storage.matchmaking.seeks import Pairing

MOST_HOSTED = 3
MOST_OPEN = 200
MOST_REMEMBERED_OF_A_PLAYER = 500
MOST_LISTED_OVER = 300
OVER_KEPT_MS = 30 * 86_400_000
"""So long a competition is kept after its end, and at least so long after its last change."""
REMEMBERED_MS = 120 * 86_400_000
"""Longer than any competition is kept."""


class StoredCompetition(NamedTuple):
    """A competition as it is kept, each part as JSON: entrants by number, games by id."""

    version: int
    plan: bytes
    state: bytes
    entrants: dict[bytes, bytes]
    contests: dict[bytes, bytes]


@dataclass(frozen=True)
class Listing:
    """Where a competition stands: its status, whether anybody finds it and by which moment, and who hosts it."""

    status: str
    public: bool
    at_ms: int
    host: str | None


@dataclass(frozen=True)
class CompetitionChange:
    """What is written of a competition. `version`: that it was made from, 0 of a new one; `due_ms`: None: never.

    `ended_games`: those that are played for it no more.
    """

    id: str
    version: int
    listing: Listing
    due_ms: int | None
    fields: Mapping[str, bytes]
    entrants: Mapping[str, bytes] = field(default_factory=dict)
    dropped_entrants: Sequence[str] = ()
    contests: Mapping[str, bytes] = field(default_factory=dict)
    dropped_contests: Sequence[str] = ()
    pairings: Sequence[Pairing] = ()
    ended_games: Sequence[str] = ()
    entering: Sequence[str] = ()
    leaving: Sequence[str] = ()


Committed = Literal["done", "stale", "own", "past", "all"]


class Competitions:
    """Reads and writes competitions. Every method may raise `redis.exceptions.RedisError`, and `Damaged`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._bucket = Keys(buckets).of_seeks
        self._commit = Script(redis, "competition")
        self._due = Script(redis, "competition_due")

    # ------------------------------------------------------------------------------------------------- changes

    def commit(self, change: CompetitionChange, now_ms: int) -> Committed:
        """Write the change; `stale`: it is of another version by now; `own`, `past`, `all`: there are too many."""
        bucket, one, listing = self._bucket, change.id, change.listing
        keys = [bucket.competition(one), bucket.entrants(one), bucket.contests(one), bucket.hub]
        keys += [bucket.competitions_due, bucket.competition_games, bucket.pairings, bucket.pairings_due]
        keys += [bucket.competitions_open, *map(bucket.competitions, ("coming", "running", "over"))]
        keys += [bucket.competitions_hosted(listing.host or "")]
        keys += map(bucket.competitions_entered, (*change.entering, *change.leaving))
        args = [change.version, one, "" if change.due_ms is None else change.due_ms, OVER_KEPT_MS, now_ms]
        args += [listing.status, int(listing.public), listing.at_ms, MOST_REMEMBERED_OF_A_PLAYER]
        args += [MOST_HOSTED, MOST_OPEN, REMEMBERED_MS, MOST_LISTED_OVER]
        pairings = {pairing.game_id: pairing.to_bytes() for pairing in change.pairings}
        parts = (change.fields, change.entrants, change.dropped_entrants, change.contests, change.dropped_contests)
        every: tuple[Mapping[str, bytes] | Sequence[str], ...] = (*parts, pairings, change.ended_games)
        args += [*map(len, every), len(change.entering), len(change.leaving)]
        for part in every:
            args += [word for pair in part.items() for word in pair] if isinstance(part, Mapping) else part
        return cast("Committed", self._commit(keys=keys, args=args).decode())

    def looked(self, competition_id: str, version: int, due_ms: int | None) -> None:
        """It is due again then, unless it has changed."""
        keys = [self._bucket.competition(competition_id), self._bucket.competitions_due]
        self._due(keys=keys, args=[competition_id, version, "" if due_ms is None else due_ms])

    def forget(self, competition_id: str) -> None:
        """It has expired: it is due and listed no more."""
        bucket = self._bucket
        pipeline = self._redis.pipeline(transaction=False)
        lists = map(bucket.competitions, ("coming", "running", "over"))
        for name in (bucket.competitions_due, bucket.competitions_open, *lists):
            pipeline.zrem(name, competition_id)
        with away(self._redis):
            pipeline.execute()

    # ------------------------------------------------------------------------------------------------- reading

    def every(self, ids: Iterable[str]) -> list[StoredCompetition | None]:
        """The competitions of these ids, whole; None for one that is not."""
        pipeline = self._redis.pipeline()
        count = 0
        for one in ids:
            count += 1
            pipeline.hmget(self._bucket.competition(one), "version", "plan", "state")
            pipeline.hgetall(self._bucket.entrants(one))
            pipeline.hgetall(self._bucket.contests(one))
        if not count:
            return []
        with away(self._redis):
            replies = pipeline.execute()
        return [
            None if None in head else StoredCompetition(int(head[0]), head[1], head[2], entrants, contests)
            for head, entrants, contests in zip(replies[::3], replies[1::3], replies[2::3], strict=True)
        ]

    def get(self, competition_id: str) -> StoredCompetition | None:
        """The competition; None if there is none of this id."""
        return self.every([competition_id])[0]

    def heads(self, ids: Iterable[str]) -> list[tuple[StoredCompetition, int] | None]:
        """Them without entrants and games, and how many entrants there are; None for one that is not."""
        names, pipeline = list(ids), self._redis.pipeline(transaction=False)
        for one in names:
            pipeline.hmget(self._bucket.competition(one), "version", "plan", "state")
            pipeline.hlen(self._bucket.entrants(one))
        with away(self._redis):
            replies = pipeline.execute() if names else []
        return [
            None if None in head else (StoredCompetition(int(head[0]), head[1], head[2], {}, {}), count)
            for head, count in zip(replies[::2], replies[1::2], strict=True)
        ]

    def version(self, competition_id: str) -> int:
        """Its version; 0 if there is none of this id."""
        return int(cast("bytes | None", self._redis.hget(self._bucket.competition(competition_id), "version")) or 0)

    def listed(self, status: str) -> list[str]:
        """Ids of public ones: coming, the first first; running, the newest first; over, those that ended last first."""
        reply = self._redis.zrange(self._bucket.competitions(status), 0, -1, desc=status != "coming")
        return [name.decode() for name in cast("list[bytes]", reply)]

    def hosted(self, player_id: str) -> list[str]:
        """Ids of those that the player has announced, newest first."""
        reply = self._redis.zrange(self._bucket.competitions_hosted(player_id), 0, -1, desc=True)
        return [name.decode() for name in cast("list[bytes]", reply)]

    def entered(self, player_id: str, now_ms: int) -> list[str]:
        """Ids of those that the player has entered, newest first."""
        name = self._bucket.competitions_entered(player_id)
        reply = self._redis.zrevrangebyscore(name, "+inf", now_ms - REMEMBERED_MS)
        return [competition.decode() for competition in cast("list[bytes]", reply)]

    def forget_player(self, player_id: str) -> None:
        """Nothing tells any more in which the player was, or which they have announced."""
        bucket = self._bucket
        pipeline = self._redis.pipeline(transaction=False)
        for name in (bucket.competitions_hosted(player_id), bucket.competitions_entered(player_id)):
            pipeline.delete(name)
        with away(self._redis):
            pipeline.execute()

    def of_games(self, game_ids: Sequence[str]) -> list[str | None]:
        """Of which competitions these games are, while they are played; None: of none."""
        reply = cast("list[bytes | None]", self._redis.hmget(self._bucket.competition_games, list(game_ids)))
        return [None if name is None else name.decode() for name in reply]

    def take_due(self, now_ms: int, until_ms: int, count: int) -> list[str]:
        """Ids of those that are due, at most so many; other keepers leave them alone until then."""
        reply = self._redis.zrangebyscore(self._bucket.competitions_due, "-inf", now_ms, start=0, num=count)
        due = cast("list[bytes]", reply)
        if due:
            self._redis.zadd(self._bucket.competitions_due, dict.fromkeys(due, until_ms), xx=True)
        return [name.decode() for name in due]
