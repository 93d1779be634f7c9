"""Which players were seen at the same address. Neither addresses nor anything that reveals one later is stored.

An address is stored as an HMAC under a random key of the current period. The key and everything computed with it expire
at the end of the period, so addresses of different periods cannot be compared.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable

from service.storage.base.bucket_store import BucketStore
from service.storage.base.pipelining import ask_all, decode_all
from service.storage.base.transactions import Transaction, exists
from service.storage.people.ratings import DAY_MS

PERIOD_MS = 14 * DAY_MS
"""Lifetime of a key."""
MAX_PLAYERS, MAX_ADDRESSES = 100, 20
"""Players that are stored of an address, and addresses of a player: those seen last."""
SECRET_BYTES, DIGEST_DIGITS = 32, 32
NO_PLAYER = "gone"


def period_end(now_ms: int) -> int:
    """Return when the current period ends, in unix ms."""
    return (now_ms // PERIOD_MS + 1) * PERIOD_MS


class AddressLinks(BucketStore):
    """Reads and writes which players share an address."""

    def record(self, player_id: str, address: str, now_ms: int) -> None:
        """Record that a player was seen at an address now."""
        secret, end_ms = self._secret(now_ms), period_end(now_ms)
        if secret is None:  # the period has just ended
            return
        digest = hmac.digest(secret, address.encode(), hashlib.sha256).hex()[:DIGEST_DIGITS]
        players = self._keys.address_players(digest)
        change = Transaction(self._redis)
        change.run("ZADD", players, now_ms, player_id)
        change.run("ZREMRANGEBYRANK", players, 0, -MAX_PLAYERS - 1)
        change.run("PEXPIREAT", players, end_ms)
        change.commit()
        home, change = self._keys.home(player_id), Transaction(self._redis)
        own = home.address_digests(player_id)
        change.require(NO_PLAYER, exists(home.player(player_id)))
        change.run("ZADD", own, now_ms, digest)
        oldest = change.run("ZRANGE", own, 0, -MAX_ADDRESSES - 1)
        change.run("ZREMRANGEBYRANK", own, 0, -MAX_ADDRESSES - 1)
        change.run("PEXPIREAT", own, end_ms)
        outcome = change.commit()
        dropped = decode_all(outcome.replies[oldest - 1]) if outcome.is_done else [digest]
        self._remove(player_id, dropped)

    def _secret(self, now_ms: int) -> bytes | None:
        name = self._keys.bucket(0).address_secret(now_ms // PERIOD_MS)
        new = ("SET", name, secrets.token_bytes(SECRET_BYTES), "NX", "PXAT", period_end(now_ms))
        secret: bytes | None = ask_all(self._redis, [new, ("GET", name)])[-1]
        return secret

    def digests(self, player_id: str) -> dict[str, int]:
        """Return the digests of the player's addresses in this period, and when they were last seen, in unix ms."""
        (entries,) = ask_all(self._redis, [("ZRANGE", self._own_key(player_id), 0, -1, "REV", "WITHSCORES")])
        return {digest.decode(): int(ms) for digest, ms in entries}

    def players(self, digests: Iterable[str]) -> dict[str, int]:
        """Return the players seen at these addresses, and when they were last seen there, in unix ms."""
        names = map(self._keys.address_players, digests)
        seen: dict[str, int] = {}
        for entries in ask_all(self._redis, [("ZRANGE", name, 0, -1, "WITHSCORES") for name in names]):
            for player_id, ms in entries:
                seen[player_id.decode()] = max(int(ms), seen.get(player_id.decode(), 0))
        return seen

    def forget(self, player_id: str) -> None:
        """Delete what is stored about a deleted player."""
        self._remove(player_id, self.digests(player_id))
        ask_all(self._redis, [("DEL", self._own_key(player_id))])

    def _remove(self, player_id: str, digests: Iterable[str]) -> None:
        ask_all(self._redis, [("ZREM", self._keys.address_players(digest), player_id) for digest in digests])

    def _own_key(self, player_id: str) -> str:
        return self._keys.home(player_id).address_digests(player_id)
