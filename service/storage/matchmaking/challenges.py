"""Challenges: one player asks another for a game. They lie with the seeks, and an accepted one becomes a pairing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, NamedTuple, cast

import orjson
from redis import Redis

from service.storage.base.keys import Buckets, Keys, challenge_channel, challenges_channel
from service.storage.base.pipelining import ask_all
from service.storage.base.transactions import APPLIED, Argument, Read, Transaction, reply
from service.storage.matchmaking.seeks import Pairing, add_pairing

MAX_SENT, MAX_RECEIVED, MAX_TOLD = 10, 50, 100
ANSWERED_KEPT_MS = 86_400_000
"""So long a challenge is kept after its end."""
Told = tuple[str, bytes]
"""A player, and the notice for them, which goes into the outbox where they have a webhook."""


@dataclass(frozen=True)
class StoredChallenge:
    """A challenge as it is kept. Times are unix ms. `reason`: why it was declined.

    `mixed`: whether the challenger wants to be rated though one of the two is a program.
    """

    id: str
    challenger: str
    challenged: str
    settings: dict[str, Any]
    created_at: int
    ends_at: int
    status: str = "open"
    reason: str | None = None
    game_id: str | None = None
    mixed: bool = False

    def to_bytes(self) -> bytes:
        """As it is stored."""
        return orjson.dumps(asdict(self))


class Accepted(NamedTuple):
    """What becomes of a challenge to a bot that is called, and when a keeper creates the game, unix ms.

    `at_once`: how many games the bot plays at once, of which each is kept for `ttl_s`.
    """

    pairing: Pairing
    due_ms: int
    at_once: int
    ttl_s: int


class Challenges:
    """Reads and writes challenges. Every method may raise `redis.exceptions.RedisError`, those that write `Damaged`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._bucket = bucket = Keys(buckets).of_seeks
        self._lists = (bucket.challenges_sent, bucket.challenges_received, bucket.challenges_told)

    def add(
        self, one: StoredChallenge, now_ms: int, notice: bytes, accepted: Accepted | None = None
    ) -> Literal["done", "sent", "received", "busy"]:
        """A new challenge, and what the challenged is told; or of which there are too many.

        `accepted`: the challenged is a bot that accepts it at once.
        """
        bucket, key, change = self._bucket, self._bucket.challenge(one.id), Transaction(self._redis)
        lifetime = one.ends_at - now_ms + ANSWERED_KEPT_MS
        change.require(APPLIED, Read("EXISTS", key).below(1))
        if accepted is None:
            self._add_waiting(change, one, now_ms, lifetime)
        else:
            games = bucket.bot_games(one.challenged)
            change.require("busy", Read("ZCARD", games).below(accepted.at_once))
            change.run("ZADD", games, now_ms, accepted.pairing.game_id)
            change.run("PEXPIRE", games, 1000 * accepted.ttl_s)
            add_pairing(change, bucket, accepted.pairing, accepted.due_ms)
        change.run("SET", key, one.to_bytes(), "PX", lifetime)
        self._tell_both(change, one, lifetime)
        change.notify(bucket, one.challenged, notice, lifetime)
        return cast("Literal['done', 'sent', 'received', 'busy']", change.commit().word)

    def _add_waiting(self, change: Transaction, one: StoredChallenge, now_ms: int, lifetime: int) -> None:
        lists = {
            "sent": (self._bucket.challenges_sent(one.challenger), MAX_SENT),
            "received": (self._bucket.challenges_received(one.challenged), MAX_RECEIVED),
        }
        for word, (name, limit) in lists.items():
            change.require(word, Read("ZCOUNT", name, f"({now_ms}", "+inf").below(limit))
            change.run("ZREMRANGEBYSCORE", name, "-inf", now_ms)
            change.run("ZADD", name, one.ends_at, one.id)
            change.run("OUTLIVE", name, lifetime)

    def _tell_both(self, change: Transaction, one: StoredChallenge, lifetime: Argument) -> None:
        """Have both players, and those who follow their challenges, know that this one has changed.

        The version grows with every change, also after the list has expired, since it is the time at least.
        """
        for player in (one.challenger, one.challenged):
            name = self._bucket.challenges_told(player)
            version = reply(change.run("VERSION", name))
            change.run("ZADD", name, version, one.id)
            change.run("ZREMRANGEBYRANK", name, 0, -MAX_TOLD - 1)
            change.run("OUTLIVE", name, lifetime)
            change.announce(self._bucket.hub, challenges_channel(player), version)

    def change(
        self, one: StoredChallenge, changed: StoredChallenge, told: Told, pairing: tuple[Pairing, int] | None = None
    ) -> bool:
        """It is answered or withdrawn; False if it is not as it was read any more.

        `pairing`: what becomes of it, and unix ms from which a keeper creates the game.
        """
        bucket, key, change = self._bucket, self._bucket.challenge(one.id), Transaction(self._redis)
        change.require(APPLIED, Read("GET", key).differs(changed.to_bytes()))
        change.require("changed", Read("GET", key).equals(one.to_bytes()))
        change.run("SET", key, changed.to_bytes(), "KEEPTTL")
        for name in (bucket.challenges_sent(one.challenger), bucket.challenges_received(one.challenged)):
            change.run("ZREM", name, one.id)
        if pairing is not None:
            add_pairing(change, bucket, *pairing)
        lifetime = reply(change.run("PTTL", key))
        self._tell_both(change, one, lifetime)
        change.announce(bucket.hub, challenge_channel(one.id), 1)
        change.notify(bucket, *told, lifetime)
        return change.commit().is_done

    def get(self, challenge_id: str) -> StoredChallenge | None:
        """The challenge, also for a day after its end; None if there is none of this id."""
        return next(iter(self._every([challenge_id])), None)

    def sent(self, player_id: str, now_ms: int) -> list[StoredChallenge]:
        """Those of the player's challenges that wait, oldest first."""
        return self._waiting(self._bucket.challenges_sent(player_id), now_ms)

    def received(self, player_id: str, now_ms: int) -> list[StoredChallenge]:
        """Challenges that wait for the player's answer, oldest first."""
        return self._waiting(self._bucket.challenges_received(player_id), now_ms)

    def version(self, player_id: str) -> int:
        """That of the last change to any challenge of the player, or for them; 0 if there was none for a day."""
        last = cast("Any", self._redis.zrange(self._bucket.challenges_told(player_id), -1, -1, withscores=True))
        return int(last[0][1]) if last else 0

    def told(self, player_id: str, after: int) -> list[tuple[int, StoredChallenge | None]]:
        """Those of the player, or for them, that have changed since that version, as they are now.

        None for one that is gone.
        """
        name = self._bucket.challenges_told(player_id)
        changed = cast("Any", self._redis.zrangebyscore(name, f"({after}", "+inf", withscores=True))
        found = {one.id: one for one in self._every(challenge_id.decode() for challenge_id, _ in changed)}
        return [(int(version), found.get(challenge_id.decode())) for challenge_id, version in changed]

    def _waiting(self, name: str, now_ms: int) -> list[StoredChallenge]:
        ids = cast("list[bytes]", self._redis.zrangebyscore(name, f"({now_ms}", "+inf"))
        return sorted(self._every(map(bytes.decode, ids)), key=lambda one: (one.created_at, one.id))

    def _every(self, ids: Iterable[str]) -> list[StoredChallenge]:
        contents = ask_all(self._redis, (("GET", self._bucket.challenge(challenge_id)) for challenge_id in ids))
        return [StoredChallenge(**orjson.loads(content)) for content in contents if content is not None]

    def forget(self, player_id: str, now_ms: int) -> None:
        """Nobody is challenged by the player any more, nor they by anybody."""
        for one in (*self.sent(player_id, now_ms), *self.received(player_id, now_ms)):
            self.change(one, replace(one, status="withdrawn"), ("", b""))
            self._redis.delete(self._bucket.challenge(one.id))
        ask_all(self._redis, [("DEL", *(name(player_id) for name in self._lists))])
