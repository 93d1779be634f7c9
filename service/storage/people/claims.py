"""Claims: names of which each is one player's at most: handles, and identities of other services.

A name's key lies in the bucket of the name, its player's in that of the player, so a change of one is three steps: the
new name is claimed for a while, the player is changed together with a follow-up, and the follow-up confirms the new one
and gives the old one back. Whoever dies in between leaves a claim that runs out by itself, or a follow-up that a keeper
does.
"""

from __future__ import annotations

from typing import cast

from redis import Redis

from service.storage.base.keys import Buckets, Keys
from service.storage.base.transactions import Read, Transaction

HANDLE, IDENTITY = "handle", "identity"


class Claims:
    """Who has which name of a kind.

    Every method may raise `redis.exceptions.RedisError`, those that write `Damaged`.
    """

    def __init__(self, redis: Redis, buckets: Buckets, kind: str) -> None:
        self._redis = redis
        self._keys = Keys(buckets)
        self._kind = kind

    def claim(self, name: str, player_id: str, ttl_s: int) -> bool:
        """Have it be the player's for so long at least; False if it is another player's."""
        key, change = self._keys.claim(self._kind, name), self._change_of(name, player_id)
        change.run("SET", key, player_id, "NX", "PX", 1000 * ttl_s)
        change.run("OUTLIVE", key, 1000 * ttl_s)
        return change.commit().is_done

    def give_back(self, name: str, player_id: str) -> None:
        """It is not the player's any more."""
        change = self._change_of(name, player_id)
        change.run("DEL", self._keys.claim(self._kind, name))
        change.commit()

    def _change_of(self, name: str, player_id: str) -> Transaction:
        """A transaction that is refused where the name is another player's."""
        key, change = self._keys.claim(self._kind, name), Transaction(self._redis)
        change.require("taken", Read("GET", key).equals(None), Read("GET", key).equals(player_id))
        return change

    def owner(self, name: str) -> str | None:
        """The id of the player who has it; None if nobody has."""
        reply = cast("bytes | None", self._redis.get(self._keys.claim(self._kind, name)))
        return None if reply is None else reply.decode()
