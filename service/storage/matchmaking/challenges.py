"""Challenges: one player offers another a game. They share the bucket of seeks. An accepted one becomes a pairing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple, cast

import orjson

from service import record_reader, stored_json
from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.bucket_store import MatchmakingStore
from service.storage.base.keys import challenge_channel, challenges_channel
from service.storage.base.pipelining import ask_all, decode_all
from service.storage.base.shares import PLAYER_FULL, Share, SharedList
from service.storage.base.transactions import APPLIED, Argument, Read, Transaction, reply
from service.storage.matchmaking.seeks import Pairing, add_pairing
from service.storage.matchmaking.starts import Consent, Start, add_start

MAX_SENT, MAX_RECEIVED, MAX_CHANGED = 10, 50, 100
ANSWERED_KEPT_MS = 86_400_000
"""Lifetime of a challenge after its end."""
PlayerNotice = tuple[str, bytes]
"""A player, and the notice that is put into the outbox if the player has a webhook or device."""


@dataclass(frozen=True)
class StoredChallenge:
    """A challenge. Times are unix ms. `reason`: why it was declined.

    `mixed`: the challenger wants a rated game although one of the players is a program. `caller`: digest of the
    challenger's address or application.
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
    caller: str = ""
    content: bytes = field(default=b"", compare=False, repr=False)
    """The stored form. Other versions have stored fewer or more members."""

    def to_bytes(self) -> bytes:
        """Return the stored form."""
        return orjson.dumps({name: value for name, value in asdict(self).items() if name != "content"})


class Acceptance(NamedTuple):
    """The pairing of an accepted challenge, and the consents of its players. A keeper creates the game at `due_ms`."""

    pairing: Pairing
    due_ms: int
    start: Start
    consents: Sequence[Consent]

    def add_to(self, change: Transaction, bucket: BucketKeys) -> None:
        """Let a transaction start the game."""
        add_start(change, bucket, self.start, self.consents)
        add_pairing(change, bucket, self.pairing, self.due_ms)


class Challenges(MatchmakingStore):
    """Reads and writes challenges."""

    def shared_list(self, player_id: str, now_ms: int = 0) -> SharedList:
        """Return the open challenges to a player, as a list that all callers fill."""
        live = self._bucket.challenges_received(player_id)
        return SharedList(self._redis, self._bucket, f"challenges:{player_id}", live, now_ms)

    def add(
        self,
        challenge: StoredChallenge,
        now_ms: int,
        notice: bytes,
        accepted: Acceptance | None = None,
        most_of_caller: int = 0,
    ) -> str:
        """Add a challenge, with a notice for the challenged player. Return `APPLIED`, or why it was refused.

        A word of `shares`: the challenger has too many open challenges, or the challenged has too many. "busy": the bot
        plays too many games. `accepted`: the challenged is a bot that accepts at once.
        """
        bucket, key, change = self._bucket, self._bucket.challenge(challenge.id), Transaction(self._redis)
        lifetime = challenge.ends_at - now_ms + ANSWERED_KEPT_MS
        change.require(APPLIED, Read("EXISTS", key).is_below(1))
        if accepted is None:
            self._add_open(change, challenge, now_ms, lifetime, most_of_caller)
        else:
            accepted.add_to(change, bucket)
        change.run("SET", key, challenge.to_bytes(), "PX", lifetime)
        self._announce_change(change, challenge, lifetime)
        change.notify(bucket, challenge.challenged, notice, lifetime)
        return change.commit().word

    def _add_open(
        self, change: Transaction, challenge: StoredChallenge, now_ms: int, lifetime: int, most_of_caller: int
    ) -> None:
        sent, received = self._bucket.challenges_sent(challenge.challenger), self._bucket.challenges_received
        change.require(PLAYER_FULL, Read("ZCOUNT", sent, f"({now_ms}", "+inf").is_below(MAX_SENT))
        share = Share(challenge.caller, challenge.challenger, most_of_caller)
        shared = self.shared_list(challenge.challenged, now_ms)
        shared.require(change, share, of_all=MAX_RECEIVED)
        shared.add(change, challenge.id, share, now_ms, lifetime)
        for name in (sent, received(challenge.challenged)):
            change.run("ZREMRANGEBYSCORE", name, "-inf", now_ms)
            change.run("ZADD", name, challenge.ends_at, challenge.id)
            change.run("OUTLIVE", name, lifetime)

    def _announce_change(self, change: Transaction, challenge: StoredChallenge, lifetime: Argument) -> None:
        """Add a new version to the changes of both players, and announce it to waiting requests.

        A version is at least the current time, so it grows even after the list has expired.
        """
        for player in (challenge.challenger, challenge.challenged):
            name = self._bucket.challenges_changed(player)
            version = reply(change.run("VERSION", name))
            change.run("ZADD", name, version, challenge.id)
            change.run("ZREMRANGEBYRANK", name, 0, -MAX_CHANGED - 1)
            change.run("OUTLIVE", name, lifetime)
            change.announce(self._bucket.hub, challenges_channel(player), version)

    def change(
        self,
        before: StoredChallenge,
        after: StoredChallenge,
        notice: PlayerNotice,
        accepted: Acceptance | None = None,
    ) -> str:
        """End a challenge, or accept it. "changed": it has changed since `before` was read.

        "busy": a bot has no place. "lapsed": the challenger has started another game.
        """
        bucket, key, change = self._bucket, self._bucket.challenge(before.id), Transaction(self._redis)
        change.require(APPLIED, Read("GET", key).differs(after.to_bytes()))
        change.require("changed", Read("GET", key).equals(before.content))
        change.run("SET", key, after.to_bytes(), "KEEPTTL")
        for name in (bucket.challenges_sent(before.challenger), bucket.challenges_received(before.challenged)):
            change.run("ZREM", name, before.id)
        self.shared_list(before.challenged).remove(change, before.id, before.caller)
        if accepted is not None:
            accepted.add_to(change, bucket)
        lifetime = reply(change.run("PTTL", key))
        self._announce_change(change, before, lifetime)
        change.announce(bucket.hub, challenge_channel(before.id), 1)
        change.notify(bucket, *notice, lifetime)
        return change.commit().word

    def get(self, challenge_id: str) -> StoredChallenge | None:
        """Return the challenge, also for a day after its end, or None if there is no such challenge."""
        return next(iter(self._get_many([challenge_id])), None)

    def list_sent(self, player_id: str, now_ms: int) -> list[StoredChallenge]:
        """Return the open challenges from the player, oldest first."""
        return self._list_open(self._bucket.challenges_sent(player_id), now_ms)

    def list_received(self, player_id: str, now_ms: int) -> list[StoredChallenge]:
        """Return the open challenges to the player, oldest first."""
        return self._list_open(self._bucket.challenges_received(player_id), now_ms)

    def list_changes(self, player_id: str, after: int) -> list[tuple[int, StoredChallenge | None]]:
        """Return versions after `after` with the challenges that changed, or None for an expired challenge."""
        name = self._bucket.challenges_changed(player_id)
        reply = cast("Any", self._redis.zrangebyscore(name, f"({after}", "+inf", withscores=True))
        versions = {challenge_id.decode(): int(version) for challenge_id, version in reply}
        found = {challenge.id: challenge for challenge in self._get_many(versions)}
        return [(version, found.get(challenge_id)) for challenge_id, version in versions.items()]

    def _list_open(self, name: str, now_ms: int) -> list[StoredChallenge]:
        ids = decode_all(self._redis.zrangebyscore(name, f"({now_ms}", "+inf"))
        return sorted(self._get_many(ids), key=lambda challenge: (challenge.created_at, challenge.id))

    def _get_many(self, ids: Iterable[str]) -> list[StoredChallenge]:
        names = [*ids]
        contents = ask_all(self._redis, (("GET", self._bucket.challenge(name)) for name in names))
        return record_reader.read_all("challenge", zip(names, contents, strict=True), _challenge)

    def forget(self, player_id: str, now_ms: int) -> None:
        """Withdraw and delete all challenges from and to a deleted player."""
        bucket = self._bucket
        for challenge in (*self.list_sent(player_id, now_ms), *self.list_received(player_id, now_ms)):
            self.change(challenge, replace(challenge, status="withdrawn"), ("", b""))
            self._redis.delete(bucket.challenge(challenge.id))
        lists = (bucket.challenges_sent, bucket.challenges_received, bucket.challenges_changed)
        ask_all(self._redis, [("DEL", *(name(player_id) for name in lists), bucket.holders(f"challenges:{player_id}"))])


def _challenge(_: str, content: bytes) -> StoredChallenge:
    return StoredChallenge(**{**stored_json.select_known(StoredChallenge, orjson.loads(content)), "content": content})
