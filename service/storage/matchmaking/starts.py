"""Starts of games: they end what their players have agreed to before.

A person plays one game with a live clock at a time. Its start ends the seeks of the person, and all other consent that
they gave earlier: challenges they sent, and offers in games. A published bot has places for a number of games instead.
A start shares the bucket of seeks, so that two starts of one person do not both count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.bucket_store import MatchmakingStore
from service.storage.base.keys import seek_channel
from service.storage.base.pipelining import ask_all, decode_all
from service.storage.base.transactions import Condition, Read, Transaction, item

LONGEST_CONSENT_MS = 259_200_000
"""Consent lapses after three days, so older starts do not matter."""
NO_PLACE, LAPSED = "busy", "lapsed"


class Consent(NamedTuple):
    """A player's consent to a game."""

    player: str
    since_ms: int | None = None
    """When the player agreed; None: with this request."""
    places: int | None = None
    """Number of games that a published bot plays at once; None for anybody else."""


class Start(NamedTuple):
    """The start of a game. `scope`: the game, or what it was agreed in; a repeated start of a scope changes nothing.

    `is_live`: whether its clock is live. `ttl_s`: lifetime of the game.
    """

    scope: str
    game_id: str
    is_live: bool
    now_ms: int
    ttl_s: int


def add_start(change: Transaction, bucket: BucketKeys, start: Start, consents: Iterable[Consent]) -> None:
    """Let a transaction start a game. It is refused with NO_PLACE for a bot without a place, and with LAPSED."""
    for one in consents:
        if one.places is not None:
            games = bucket.bot_games(one.player)
            has_place = Read("ZSCORE", games, start.game_id).differs(None)
            change.require(NO_PLACE, has_place, Read("ZCARD", games).is_below(one.places))
            change.run("ZADD", games, "NX", start.now_ms, start.game_id)
            change.run("PEXPIRE", games, 1000 * start.ttl_s)
        elif start.is_live:
            last = bucket.live_start(one.player)
            if one.since_ms is not None:
                is_own = Read("HGET", last, "scope").equals(start.scope)
                change.require(LAPSED, is_own, Read("HGET", last, "at").is_below(one.since_ms + 1))
            is_new = Read("HGET", last, "scope").differs(start.scope)
            end_seeks(change, bucket, one.player, when=is_new)
            change.run("SADD", bucket.starters, one.player, when=is_new)
            change.run("HSET", last, "at", start.now_ms, "scope", start.scope, when=is_new)
            change.run("PEXPIRE", last, LONGEST_CONSENT_MS)


def end_seeks(change: Transaction, bucket: BucketKeys, player_id: str, when: Condition | None = None) -> None:
    """Let a transaction end all seeks of a player."""
    own = bucket.seeks_of(player_id)
    each = Read("SMEMBERS", own)
    change.run("HDEL", bucket.seeks, item(), each=each, when=when)
    change.run("ZREM", bucket.seeks_ending, item(), each=each, when=when)
    change.run("HDEL", bucket.holders("seeks"), item(), each=each, when=when)
    change.announce(bucket.hub, item(prefix=seek_channel("")), 1, each=each, when=when)
    change.run("DEL", own, when=when)


class Starts(MatchmakingStore):
    """Records starts of games that need no pairing."""

    def begin(self, start: Start, consents: Sequence[Consent]) -> str:
        """Start a game. Return "done", NO_PLACE or LAPSED."""
        change = Transaction(self._redis)
        add_start(change, self._bucket, start, consents)
        return change.commit().word

    def last_live(self, player_ids: Iterable[str]) -> dict[str, int]:
        """Return when each player last started a game with a live clock, in unix ms; 0: not in three days."""
        names = [*player_ids]
        replies = ask_all(self._redis, (("HGET", self._bucket.live_start(name), "at") for name in names))
        return {name: int(reply or 0) for name, reply in zip(names, replies, strict=True)}

    def forget(self, player_id: str) -> None:
        """Delete the last start of a deleted player."""
        bucket = self._bucket
        ask_all(self._redis, (("DEL", bucket.live_start(player_id)), ("SREM", bucket.starters, player_id)))

    def take_starters(self) -> list[str]:
        """Return and remove the players who have started a game. Their earlier challenges may be open."""
        names = cast("set[bytes]", self._redis.smembers(self._bucket.starters))
        if names:
            self._redis.srem(self._bucket.starters, *names)
        return decode_all(names)
