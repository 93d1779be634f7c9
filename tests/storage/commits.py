"""Commits as the tests make them: small, complete, and different from one another."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

from redis import Redis

from service.storage.games.store import Store
from service.storage.games.stored import Commit
from tests.patience import by_redis

FIELDS = {"state": b"{}", "snapshot": b"\x00\xff", "tag": b"rules-1", "view": b'{"revision":1}'}
BIRTH = FIELDS | {"meta": b'{"ruleset":"azul"}', "visibility": b"public"}


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def apart(client: Redis) -> None:
    """A later moment by the server's clock, which counts milliseconds."""
    now = by_redis(client)
    while by_redis(client) == now:
        pass


def commit_on(expected: int, *events: bytes, **changes: Any) -> Commit:
    """A commit that appends `events` (one by default) to a log of `expected`."""
    plain = Commit(
        expected=expected,
        events=events or (b"event %d" % (expected + 1),),
        fields=FIELDS if expected else BIRTH,
        tokens={},
        due_at_ms=None,
        listed=False,
        ttl_s=1000,
        idempotency=None,
    )
    return dataclasses.replace(plain, **changes)


def new_game(store: Store, **changes: Any) -> str:
    """A game at revision 1."""
    game_id = store.new_game_id()
    store.create(game_id, commit_on(0, **changes))
    return game_id
