"""Competitions and their pairings.

All competitions are in the bucket of seeks, so that a round is one commit. If a process dies, the round has no games or
all of them, and each is created like the game of any pairing. A change applies only to the version on which it is
based.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from service.storage.base.bucket_store import MatchmakingStore
from service.storage.base.due import take_due
from service.storage.base.keys import competition_channel
from service.storage.base.pipelining import Command, ask_all, decode, decode_all
from service.storage.base.shares import NO_SHARE, Share, SharedList
from service.storage.base.transactions import Read, Transaction, by_name
from service.storage.matchmaking.seeks import Pairing, add_pairing

MAX_HOSTED = 3
MAX_OPEN = 200
MAX_REMEMBERED_OF_A_PLAYER = 500
MAX_LISTED_OVER = 300
OVER_KEPT_MS = 30 * 86_400_000
"""Lifetime of a competition after its last change."""
REMEMBERED_MS = 120 * 86_400_000
"""Longer than the life of any competition."""
HEAD_FIELDS = ("version", "plan", "state")
LISTS = ("coming", "running", "over")
ENDED_STATUSES = ("over", "cancelled")


class StoredCompetition(NamedTuple):
    """A competition. Each part is JSON; entrants are ordered by number, contests by game id."""

    version: int
    plan: bytes
    state: bytes
    entrants: dict[bytes, bytes]
    contests: dict[bytes, bytes]


@dataclass(frozen=True)
class Listing:
    """The place of a competition in the lists: status, whether it is public, and time in unix ms."""

    status: str
    public: bool
    at_ms: int


@dataclass(frozen=True)
class CompetitionChange:
    """A change of a competition. `version`: the version on which it is based, 0 for a new competition.

    `due_ms`: when a keeper must process the competition, None for never. `ended_games`: games that are over.
    `share`: of the host, for a new competition.
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
    notices: Mapping[str, bytes] = field(default_factory=dict)
    """By player id, for players with a webhook or device."""
    share: Share = NO_SHARE


class Competitions(MatchmakingStore):
    """Reads and writes competitions."""

    # ------------------------------------------------------------------------------------------------- changes

    @property
    def shared_list(self) -> SharedList:
        """The competitions that are not over, as a list that all callers fill."""
        return SharedList(self._redis, self._bucket, "competitions", self._bucket.competitions_open)

    def commit(self, change: CompetitionChange, now_ms: int) -> str:
        """Write the change. Return `APPLIED`, or why it was refused.

        "stale": the competition has another version. "past": the host has announced too many competitions. A word of
        `shares`: too many competitions are not over.
        """
        bucket, competition_id, writing = self._bucket, change.id, Transaction(self._redis)
        competition = bucket.competition(competition_id)
        entrants, contests = bucket.entrants(competition_id), bucket.contests(competition_id)
        version = max(change.version + 1, now_ms)  # a version is not used again after an expiry
        writing.require("stale", Read("HGET", competition, "version").equals(change.version or None))
        writing.expect("hash", entrants, contests)
        if not change.version:
            self._add(writing, competition_id, change.share, now_ms)
        writing.hset(competition, {"version": version, **change.fields})
        writing.hset(entrants, change.entrants)
        writing.remove("HDEL", entrants, change.dropped_entrants)
        writing.hset(contests, change.contests)
        writing.remove("HDEL", contests, change.dropped_contests)
        for pairing in change.pairings:
            add_pairing(writing, bucket, pairing, now_ms)
        writing.hset(bucket.competition_games, {pairing.game_id: competition_id for pairing in change.pairings})
        writing.remove("HDEL", bucket.competition_games, change.ended_games)
        for name in map(bucket.competitions_entered, change.entering):
            _remember(writing, name, competition_id, now_ms)
        for name in map(bucket.competitions_entered, change.leaving):
            writing.run("ZREM", name, competition_id)
        for name in (competition, entrants, contests):
            writing.run("PEXPIRE", name, OVER_KEPT_MS)
        for player_id, notice in change.notices.items():
            writing.notify(bucket, player_id, notice, OVER_KEPT_MS)
        self._set_due(writing, competition_id, change.due_ms)
        self._list(writing, change, now_ms)
        writing.announce(bucket.hub, competition_channel(competition_id), version)
        return writing.commit().word

    def _add(self, writing: Transaction, competition_id: str, share: Share, now_ms: int) -> None:
        """Add a new competition to the lists, unless there are too many."""
        hosted, shared = self._bucket.competitions_hosted(share.player), self.shared_list
        remembered = Read("ZCOUNT", hosted, f"({now_ms - REMEMBERED_MS}", "+inf")
        writing.require("past", remembered.is_below(MAX_REMEMBERED_OF_A_PLAYER))
        shared.require(writing, share, of_all=MAX_OPEN, of_player=MAX_HOSTED, list_of_player=hosted)
        shared.add(writing, competition_id, share, now_ms, REMEMBERED_MS)
        writing.run("ZADD", self._bucket.competitions_open, now_ms, competition_id)
        _remember(writing, hosted, competition_id, now_ms)

    def _set_due(self, writing: Transaction, competition_id: str, due_ms: int | None) -> None:
        if due_ms is None:
            writing.run("ZREM", self._bucket.competitions_due, competition_id)
        else:
            writing.run("ZADD", self._bucket.competitions_due, due_ms, competition_id)

    def _list(self, writing: Transaction, change: CompetitionChange, now_ms: int) -> None:
        """Move a competition to the list of its status, if it is public."""
        bucket, listing, over = self._bucket, change.listing, self._bucket.competitions("over")
        for name in map(bucket.competitions, LISTS):
            writing.run("ZREM", name, change.id)
        if listing.public:
            writing.run("ZADD", bucket.competitions(listing.status), listing.at_ms, change.id)
        if listing.status in ENDED_STATUSES:
            writing.run("ZREM", bucket.competitions_open, change.id)
            self.shared_list.remove(writing, change.id)
            writing.run("ZREMRANGEBYRANK", over, 0, -MAX_LISTED_OVER - 1)
            writing.run("ZREMRANGEBYSCORE", over, "-inf", now_ms - OVER_KEPT_MS)

    def set_due(self, competition_id: str, version: int, due_ms: int | None) -> None:
        """Make a competition due at `due_ms`, unless it has changed."""
        writing = Transaction(self._redis)
        writing.require("stale", Read("HGET", self._bucket.competition(competition_id), "version").equals(version))
        self._set_due(writing, competition_id, due_ms)
        writing.commit()

    def forget(self, competition_id: str) -> None:
        """Remove an expired competition from all lists."""
        bucket = self._bucket
        names = (bucket.competitions_due, bucket.competitions_open, *map(bucket.competitions, LISTS))
        ask_all(self._redis, (("ZREM", name, competition_id) for name in names))

    # ------------------------------------------------------------------------------------------------- reading

    def get_many(self, ids: Iterable[str]) -> list[StoredCompetition | None]:
        """Return the competitions of these ids, None for one that does not exist."""
        reading = Transaction(self._redis)  # so that all parts have the same version
        for competition_id in ids:
            reading.run("HMGET", self._bucket.competition(competition_id), *HEAD_FIELDS)
            reading.run("HGETALL", self._bucket.entrants(competition_id))
            reading.run("HGETALL", self._bucket.contests(competition_id))
        replies = reading.commit().replies
        return [
            None if None in head else StoredCompetition(int(head[0]), head[1], head[2], *map(by_name, parts))
            for head, *parts in zip(replies[::3], replies[1::3], replies[2::3], strict=True)
        ]

    def get(self, competition_id: str) -> StoredCompetition | None:
        """Return the competition, or None if it does not exist."""
        return self.get_many([competition_id])[0]

    def get_heads(self, ids: Iterable[str]) -> list[tuple[StoredCompetition, int] | None]:
        """Return competitions without entrants and contests, and their numbers of entrants. None as in `get_many`."""
        commands: list[Command] = []
        for competition_id in ids:
            commands.append(("HMGET", self._bucket.competition(competition_id), *HEAD_FIELDS))
            commands.append(("HLEN", self._bucket.entrants(competition_id)))
        replies = ask_all(self._redis, commands)
        return [
            None if None in head else (StoredCompetition(int(head[0]), head[1], head[2], {}, {}), count)
            for head, count in zip(replies[::2], replies[1::2], strict=True)
        ]

    def version(self, competition_id: str) -> int:
        """Return the version of the competition, or 0 if it does not exist."""
        return int(cast("bytes | None", self._redis.hget(self._bucket.competition(competition_id), "version")) or 0)

    def list_public(self, status: str) -> list[str]:
        """Return the ids of public competitions: coming ones by begin, running and ended ones newest first."""
        return decode_all(self._redis.zrange(self._bucket.competitions(status), 0, -1, desc=status != "coming"))

    def list_open(self) -> list[str]:
        """Return the ids of all competitions that are not over, last announced first."""
        return decode_all(cast("Any", self._redis.zrevrange(self._bucket.competitions_open, 0, -1)))

    def list_hosted(self, player_id: str) -> list[str]:
        """Return the ids of competitions that the player announced, newest first."""
        return decode_all(self._redis.zrange(self._bucket.competitions_hosted(player_id), 0, -1, desc=True))

    def list_entered(self, player_id: str, now_ms: int) -> list[str]:
        """Return the ids of competitions that the player entered, newest first."""
        name = self._bucket.competitions_entered(player_id)
        return decode_all(self._redis.zrevrangebyscore(name, "+inf", now_ms - REMEMBERED_MS))

    def forget_player(self, player_id: str) -> None:
        """Delete the lists of a deleted player's competitions."""
        bucket = self._bucket
        lists = (bucket.competitions_hosted, bucket.competitions_entered)
        ask_all(self._redis, (("DEL", name(player_id)) for name in lists))

    def find_by_games(self, game_ids: Sequence[str]) -> list[str | None]:
        """Return the competition id of each running game, or None."""
        return [*map(decode, cast("Any", self._redis.hmget(self._bucket.competition_games, list(game_ids))))]

    def take_due(self, now_ms: int, until_ms: int, count: int) -> list[str]:
        """Return the ids of up to `count` due competitions, and postpone them for other keepers to `until_ms`."""
        return take_due(self._redis, [self._bucket.competitions_due], now_ms, until_ms, count)[0]


def _remember(writing: Transaction, name: str, competition_id: str, now_ms: int) -> None:
    """Add a competition to the list of a player."""
    writing.run("ZREMRANGEBYSCORE", name, "-inf", now_ms - REMEMBERED_MS)
    writing.run("ZADD", name, now_ms, competition_id)
    writing.run("PEXPIRE", name, REMEMBERED_MS)
