"""Seeks, and pairings: seeks that become a game.

All seeks are in one bucket, so that a pairing is one commit: no player is in two games, and none is lost. A seek lives
as long as its player renews it. A player who returns within RESUME_MS of its end resumes it, with its waiting time. The
game of a pairing is in another slot. The pairing contains its id. The first
process that needs the game creates it, or else a keeper.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple, cast

import orjson

from service import record_reader, stored_json
from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.bucket_store import MatchmakingStore
from service.storage.base.due import take_due
from service.storage.base.keys import seek_channel
from service.storage.base.pipelining import ask_all, decode_fields
from service.storage.base.shares import Share, SharedList
from service.storage.base.transactions import APPLIED, Read, Transaction, reply
from service.storage.matchmaking.starts import Consent, Start, add_start, end_seeks

MAX_SEEKS_OF_A_PLAYER = 3
MAX_SEEKS = 2_000
LONGEST_MS = 172_800_000
"""Longest life of a seek."""
UNREADABLE_MS = 86_400_000
"""Unreadable seeks are deleted this long after their end. Until then, processes of a newer version can end them."""
RESUME_MS = 5_000
"""Time after the end of a seek in which its player can resume it."""
PAIRED_MS = 86_400_000
"""Lifetime of a paired seek, which contains the id of its game."""


@dataclass(frozen=True)
class StoredSeek:
    """A seek. Times are unix ms.

    `settings`: the wanted game, equal for all who play together. `fill`: the level of the AIs that take the seats that
    are free at `fill_at`. `blocked`: ids of players whom this player must not meet. `points`: the player's rating.
    `rating_range`: largest difference from the ratings of others at first, None for any. `bot`: the player is a
    program. `mixed`: the game is rated although people and bots play it. `caller`: digest of the player's address or
    application.
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
    caller: str = ""
    ends_at: int = field(default=0, compare=False)
    """When the seek ends unless the player renews it."""


SEEK, PAIRING = "seek", "pairing"


class Partner(NamedTuple):
    """One seat of a pairing: a player, or an AI of a level."""

    player: str | None
    name: str | None
    level: str | None


@dataclass(frozen=True)
class Pairing:
    """A future game: its settings and the partner of each seat."""

    game_id: str
    settings: dict[str, Any]
    partners: tuple[Partner, ...]

    def to_bytes(self) -> bytes:
        """Return the form that is stored under the game's id."""
        return orjson.dumps([self.settings, [tuple(partner) for partner in self.partners]])


class Seeks(MatchmakingStore):
    """Reads and writes seeks and pairings."""

    # -------------------------------------------------------------------------------------------------- seeks

    def shared_list(self, now_ms: int = 0) -> SharedList:
        """Return the waiting seeks, as a list that all callers fill."""
        return SharedList(self._redis, self._bucket, "seeks", self._bucket.seeks_ending, now_ms)

    def add(self, seek: StoredSeek, now_ms: int, most_of_caller: int = 0) -> str:
        """Add a seek, unless it waits or was paired. Return `APPLIED`, or a word of `shares` if there are too many."""
        bucket, own, change = self._bucket, self._bucket.seeks_of(seek.player), Transaction(self._redis)
        change.expect("string", bucket.paired_seek(seek.id))
        change.require(APPLIED, Read("HEXISTS", bucket.seeks, seek.id).is_below(1))
        change.require(APPLIED, Read("EXISTS", bucket.paired_seek(seek.id)).is_below(1))
        shared, share = self.shared_list(now_ms), Share(seek.caller, seek.player, most_of_caller)
        shared.require(change, share, of_all=MAX_SEEKS, of_player=MAX_SEEKS_OF_A_PLAYER, list_of_player=own)
        shared.add(change, seek.id, share, now_ms, LONGEST_MS)
        change.run("HSET", bucket.seeks, seek.id, _content(seek))
        change.run("ZADD", bucket.seeks_ending, seek.ends_at, seek.id)
        change.run("SADD", own, seek.id)
        change.run("PEXPIRE", own, LONGEST_MS)
        return change.commit().word

    def list_waiting(self, now_ms: int) -> list[StoredSeek]:
        """Return all waiting seeks, longest waiting first."""
        contents = cast("dict[bytes, bytes]", self._redis.hgetall(self._bucket.seeks))
        if not contents:
            return []
        ends = dict(cast("Any", self._redis.zrange(self._bucket.seeks_ending, 0, -1, withscores=True)))
        seeks = record_reader.read_all(
            SEEK,
            decode_fields(contents).items(),
            lambda name, content: _seek(name, content, int(ends.get(name.encode(), 0))),
        )
        return sorted((seek for seek in seeks if seek.ends_at > now_ms), key=lambda seek: (seek.created_at, seek.id))

    def get(self, seek_id: str, now_ms: int) -> StoredSeek | None:
        """Return the seek, or None if it does not wait."""
        commands = (("HGET", self._bucket.seeks, seek_id), ("ZSCORE", self._bucket.seeks_ending, seek_id))
        content, ends_at = ask_all(self._redis, commands)
        if content is None or ends_at is None or ends_at <= now_ms:
            return None
        return record_reader.read(SEEK, seek_id, content, lambda name, content: _seek(name, content, int(ends_at)))

    def get_paired(self, seek_id: str) -> tuple[StoredSeek, str] | None:
        """Return the paired seek and the id of its game, or None if the seek was not paired."""
        reply = cast("bytes | None", self._redis.get(self._bucket.paired_seek(seek_id)))
        if reply is None:
            return None
        game_id, _, content = reply.partition(b" ")
        seek = record_reader.read(SEEK, seek_id, content, _seek)
        return None if seek is None else (seek, game_id.decode())

    def keep(self, seek_id: str, until_ms: int) -> None:
        """Renew or resume a seek until `until_ms`."""
        self._redis.zadd(self._bucket.seeks_ending, {seek_id: until_ms}, xx=True, gt=True)

    def suspend(self, seek_id: str, now_ms: int) -> None:
        """End a waiting seek now. For RESUME_MS, `keep` resumes it."""
        self._redis.zadd(self._bucket.seeks_ending, {seek_id: now_ms}, xx=True, lt=True)

    def block(self, seek: StoredSeek, player_ids: Iterable[str]) -> None:
        """Let a waiting seek never meet these players. Its player, or one of them, has blocked the other since."""
        blocked = replace(seek, blocked=seek.blocked | {*player_ids})
        change = Transaction(self._redis)
        change.require("gone", Read("HEXISTS", self._bucket.seeks, seek.id).is_above(0))
        change.run("HSET", self._bucket.seeks, seek.id, _content(blocked))
        change.commit()

    def drop(self, seek: StoredSeek, ended_by_ms: int | None = None) -> bool:
        """End a seek. Return False if it does not wait. With `ended_by_ms`, end it only if its time was up by then."""
        bucket, change = self._bucket, Transaction(self._redis)
        if ended_by_ms is not None:
            change.require("kept", Read("ZSCORE", bucket.seeks_ending, seek.id).is_below(ended_by_ms + 1))
        change.run("HDEL", bucket.seeks, seek.id)
        change.run("ZREM", bucket.seeks_ending, seek.id)
        change.run("SREM", bucket.seeks_of(seek.player), seek.id)
        self.shared_list().remove(change, seek.id, seek.caller)
        change.announce(bucket.hub, seek_channel(seek.id), 1)
        outcome = change.commit()
        return outcome.is_done and bool(outcome.replies[0])

    def list_ended(self, now_ms: int, count: int) -> list[StoredSeek]:
        """Return up to `count` seeks whose time is up. Remove ids without a seek, and unreadable seeks after a day."""
        ending = self._bucket.seeks_ending
        reply = self._redis.zrangebyscore(ending, "-inf", now_ms, start=0, num=count, withscores=True)
        ended_at = {name.decode(): int(score) for name, score in cast("list[tuple[bytes, float]]", reply)}
        if not ended_at:
            return []
        stored = cast("list[bytes | None]", self._redis.hmget(self._bucket.seeks, [*ended_at]))
        contents = dict(zip(ended_at, stored, strict=True))
        seeks = record_reader.read_all(SEEK, contents.items(), _seek)
        for name in {*ended_at} - {seek.id for seek in seeks}:
            if contents[name] is None or ended_at[name] <= now_ms - UNREADABLE_MS:
                ask_all(self._redis, (("ZREM", ending, name), ("HDEL", self._bucket.seeks, name)))
        return seeks

    # ------------------------------------------------------------------------------------------------ pairings

    def pair(
        self, group: Sequence[StoredSeek], pairing: Pairing, due_ms: int, start: Start, consents: Sequence[Consent]
    ) -> bool:
        """Turn these seeks into a game and end all other seeks of their players.

        Return False if one does not wait, or a bot has no place. `consents`: those of the players.
        """
        bucket, change = self._bucket, Transaction(self._redis)
        change.require(APPLIED, Read("HEXISTS", bucket.pairings, pairing.game_id).is_below(1))
        for seek in group:
            change.require("gone", Read("ZSCORE", bucket.seeks_ending, seek.id).is_above(start.now_ms))
            change.require("gone", Read("HEXISTS", bucket.seeks, seek.id).is_above(0))
        for seek in group:
            content = change.run("HGET", bucket.seeks, seek.id)
            paired_seek = reply(content, prefix=f"{pairing.game_id} ")
            change.run("SET", bucket.paired_seek(seek.id), paired_seek, "PX", PAIRED_MS)
        for seek in group:
            end_seeks(change, bucket, seek.player)
        add_start(change, bucket, start, consents)
        add_pairing(change, bucket, pairing, due_ms)
        return change.commit().is_done

    def get_pairing(self, game_id: str) -> Pairing | None:
        """Return the pairing of a future game, or None if the game was created."""
        content = cast("bytes | None", self._redis.hget(self._bucket.pairings, game_id))
        return record_reader.read(PAIRING, game_id, content, _pairing)

    def take_due(self, now_ms: int, until_ms: int, count: int) -> list[Pairing]:
        """Return up to `count` pairings whose games are overdue. Postpone them for other keepers to `until_ms`."""
        (due,) = take_due(self._redis, [self._bucket.pairings_due], now_ms, until_ms, count)
        contents = ask_all(self._redis, (("HGET", self._bucket.pairings, name) for name in due))
        return record_reader.read_all(PAIRING, zip(due, contents, strict=True), _pairing)

    def remove_pairing(self, pairing: Pairing) -> None:
        """Remove a pairing whose game was created."""
        bucket, game_id = self._bucket, pairing.game_id
        ask_all(self._redis, (("ZREM", bucket.pairings_due, game_id), ("HDEL", bucket.pairings, game_id)))


def add_pairing(change: Transaction, bucket: BucketKeys, pairing: Pairing, due_ms: int) -> None:
    """Let a transaction add a pairing. At `due_ms`, a keeper creates its game unless it exists."""
    change.run("HSET", bucket.pairings, pairing.game_id, pairing.to_bytes())
    change.run("ZADD", bucket.pairings_due, due_ms, pairing.game_id)


def _content(seek: StoredSeek) -> bytes:
    """Return the form that is stored under the seek's id."""
    content = {name: value for name, value in asdict(seek).items() if name not in ("id", "ends_at")}
    return orjson.dumps(content, default=sorted)


def _seek(seek_id: str, content: bytes, ends_at: int = 0) -> StoredSeek:
    members = stored_json.select_known(StoredSeek, orjson.loads(content))
    return StoredSeek(**{**members, "id": seek_id, "blocked": frozenset(members["blocked"]), "ends_at": ends_at})


def _pairing(game_id: str, content: bytes) -> Pairing:
    settings, partners, *_ = orjson.loads(content)
    return Pairing(game_id, dict(settings), tuple(Partner(*partner[:3]) for partner in partners))
