"""Small, complete commits that differ from one another."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

from redis import Redis

from service.storage.games.store import Store
from service.storage.games.stored_game import Commit
from tests.patience import redis_now_ms

FIELDS = {"state": b"{}", "snapshot": b"\x00\xff", "tag": b"rules-1", "view": b'{"revision":1}'}
BIRTH = FIELDS | {"meta": b'{"ruleset":"azul"}', "visibility": b"public"}


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def pass_a_millisecond(client: Redis) -> None:
    """Wait until the store's clock advances. Lists are sorted by its milliseconds."""
    now = redis_now_ms(client)
    while redis_now_ms(client) == now:
        pass


def commit_on(expected: int, *events: bytes, **changes: Any) -> Commit:
    """Return a commit that appends `events` (by default one) to a log of `expected`."""
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
    """Create a game at revision 1."""
    game_id = store.new_game_id()
    store.create(game_id, commit_on(0, **changes))
    return game_id
