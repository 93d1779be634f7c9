"""Competitions: what is kept of each, and the pairings that come of them.

All of them lie with the seeks, so that a round is one commit: whoever dies leaves none, or all of its games, each of
which is created as that of any pairing. A change is taken only of the version that it was made from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, cast

from redis import Redis

from service.storage.base.due import take_due
from service.storage.base.keys import Buckets, Keys, competition_channel
from service.storage.base.pipelining import Command, ask_all
from service.storage.base.transactions import Read, Transaction, by_name
from service.storage.matchmaking.seeks import Pairing, add_pairing

MAX_HOSTED = 3
MAX_OPEN = 200
MAX_REMEMBERED_OF_A_PLAYER = 500
MAX_LISTED_OVER = 300
OVER_KEPT_MS = 30 * 86_400_000
"""So long a competition is kept after its end, and at least so long after its last change."""
REMEMBERED_MS = 120 * 86_400_000
"""Longer than any competition is kept."""
HEAD_FIELDS = ("version", "plan", "state")
LISTS = ("coming", "running", "over")
ENDED_STATUSES = ("over", "cancelled")


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

    # ------------------------------------------------------------------------------------------------- changes

    def commit(self, change: CompetitionChange, now_ms: int) -> Committed:
        """Write the change; `stale`: it is of another version by now; `own`, `past`, `all`: there are too many."""
        bucket, one, writing = self._bucket, change.id, Transaction(self._redis)
        competition, entrants, contests = bucket.competition(one), bucket.entrants(one), bucket.contests(one)
        version = max(change.version + 1, now_ms)  # versions are not repeated after an expiry
        writing.require("stale", Read("HGET", competition, "version").equals(change.version or None))
        writing.expect("hash", entrants, contests)
        if not change.version:
            self._announce(writing, one, change.listing.host or "", now_ms)
        writing.hset(competition, {"version": version, **change.fields})
        writing.hset(entrants, change.entrants)
        writing.remove("HDEL", entrants, change.dropped_entrants)
        writing.hset(contests, change.contests)
        writing.remove("HDEL", contests, change.dropped_contests)
        for pairing in change.pairings:
            add_pairing(writing, bucket, pairing, now_ms)
        writing.hset(bucket.competition_games, {pairing.game_id: one for pairing in change.pairings})
        writing.remove("HDEL", bucket.competition_games, change.ended_games)
        for name in map(bucket.competitions_entered, change.entering):
            _remember(writing, name, one, now_ms)
        for name in map(bucket.competitions_entered, change.leaving):
            writing.run("ZREM", name, one)
        for name in (competition, entrants, contests):
            writing.run("PEXPIRE", name, OVER_KEPT_MS)
        self._set_due(writing, one, change.due_ms)
        self._list(writing, change, now_ms)
        writing.announce(bucket.hub, competition_channel(one), version)
        return cast("Committed", writing.commit().word)

    def _announce(self, writing: Transaction, one: str, host: str, now_ms: int) -> None:
        """A new competition, unless there are too many."""
        opened, hosted = self._bucket.competitions_open, self._bucket.competitions_hosted(host)
        remembered = Read("ZCOUNT", hosted, f"({now_ms - REMEMBERED_MS}", "+inf")
        writing.require("own", Read("SHARED", hosted, writing.key(opened)).below(MAX_HOSTED))
        writing.require("past", remembered.below(MAX_REMEMBERED_OF_A_PLAYER))
        writing.require("all", Read("ZCARD", opened).below(MAX_OPEN))
        writing.run("ZADD", opened, now_ms, one)
        _remember(writing, hosted, one, now_ms)

    def _set_due(self, writing: Transaction, one: str, due_ms: int | None) -> None:
        if due_ms is None:
            writing.run("ZREM", self._bucket.competitions_due, one)
        else:
            writing.run("ZADD", self._bucket.competitions_due, due_ms, one)

    def _list(self, writing: Transaction, change: CompetitionChange, now_ms: int) -> None:
        """List a competition by its status, or not."""
        bucket, listing, over = self._bucket, change.listing, self._bucket.competitions("over")
        for name in map(bucket.competitions, LISTS):
            writing.run("ZREM", name, change.id)
        if listing.public:
            writing.run("ZADD", bucket.competitions(listing.status), listing.at_ms, change.id)
        if listing.status in ENDED_STATUSES:
            writing.run("ZREM", bucket.competitions_open, change.id)
            writing.run("ZREMRANGEBYRANK", over, 0, -MAX_LISTED_OVER - 1)
            writing.run("ZREMRANGEBYSCORE", over, "-inf", now_ms - OVER_KEPT_MS)

    def looked(self, competition_id: str, version: int, due_ms: int | None) -> None:
        """It is due again then, unless it has changed."""
        writing = Transaction(self._redis)
        writing.require("stale", Read("HGET", self._bucket.competition(competition_id), "version").equals(version))
        self._set_due(writing, competition_id, due_ms)
        writing.commit()

    def forget(self, competition_id: str) -> None:
        """It has expired: it is due and listed no more."""
        bucket = self._bucket
        names = (bucket.competitions_due, bucket.competitions_open, *map(bucket.competitions, LISTS))
        ask_all(self._redis, (("ZREM", name, competition_id) for name in names))

    # ------------------------------------------------------------------------------------------------- reading

    def every(self, ids: Iterable[str]) -> list[StoredCompetition | None]:
        """The competitions of these ids, whole; None for one that is not."""
        reading = Transaction(self._redis)  # all parts of one version
        for one in ids:
            reading.run("HMGET", self._bucket.competition(one), *HEAD_FIELDS)
            reading.run("HGETALL", self._bucket.entrants(one))
            reading.run("HGETALL", self._bucket.contests(one))
        replies = reading.commit().replies
        return [
            None if None in head else StoredCompetition(int(head[0]), head[1], head[2], *map(by_name, parts))
            for head, *parts in zip(replies[::3], replies[1::3], replies[2::3], strict=True)
        ]

    def get(self, competition_id: str) -> StoredCompetition | None:
        """The competition; None if there is none of this id."""
        return self.every([competition_id])[0]

    def heads(self, ids: Iterable[str]) -> list[tuple[StoredCompetition, int] | None]:
        """Them without entrants and games, and how many entrants there are; None for one that is not."""
        commands: list[Command] = []
        for one in ids:
            commands += [("HMGET", self._bucket.competition(one), *HEAD_FIELDS), ("HLEN", self._bucket.entrants(one))]
        replies = ask_all(self._redis, commands)
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
        ask_all(
            self._redis,
            [("DEL", bucket.competitions_hosted(player_id)), ("DEL", bucket.competitions_entered(player_id))],
        )

    def of_games(self, game_ids: Sequence[str]) -> list[str | None]:
        """Of which competitions these games are, while they are played; None: of none."""
        reply = cast("list[bytes | None]", self._redis.hmget(self._bucket.competition_games, list(game_ids)))
        return [None if name is None else name.decode() for name in reply]

    def take_due(self, now_ms: int, until_ms: int, count: int) -> list[str]:
        """Ids of those that are due, at most so many; other keepers leave them alone until then."""
        return take_due(self._redis, [self._bucket.competitions_due], now_ms, until_ms, count)[0]


def _remember(writing: Transaction, name: str, one: str, now_ms: int) -> None:
    """In a list of a player's."""
    writing.run("ZREMRANGEBYSCORE", name, "-inf", now_ms - REMEMBERED_MS)
    writing.run("ZADD", name, now_ms, one)
    writing.run("PEXPIRE", name, REMEMBERED_MS)
