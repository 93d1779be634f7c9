"""Changes are retried when they lose a race, but not forever."""

from __future__ import annotations

import pytest
from redis import Redis
from redis.exceptions import RedisError

from service.storage.base import optimistic as module
from service.storage.base.optimistic import LostRaceError, optimistic
from service.storage.base.transactions import Read, Transaction
from tests.threads import run_at_once

KEY = "{b00}:count"


def test_racing_writers_lose_no_change(client: Redis) -> None:
    def attempt() -> None:
        before = client.hget(KEY, "n")
        change = Transaction(client)
        change.require("changed", Read("HGET", KEY, "n").equals(before))
        change.run("HSET", KEY, "n", int(before or 0) + 1)
        if not change.commit().is_done:
            raise LostRaceError

    run_at_once(lambda _: [optimistic(attempt) for _ in range(10)], range(4))
    assert b"40" == client.hget(KEY, "n")


def test_a_change_that_always_loses_the_race_raises_after_the_last_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PAUSE_S", 0)
    attempts = []

    def attempt() -> None:
        attempts.append(1)
        raise LostRaceError

    with pytest.raises(RedisError):
        optimistic(attempt)
    assert module.MAX_TRIES == len(attempts)


def test_the_caller_defines_which_errors_mean_a_lost_race() -> None:
    def attempt() -> int:
        attempts.append(1)
        if len(attempts) < 3:
            raise KeyError
        return 7

    attempts: list[int] = []
    assert 7 == optimistic(attempt, lambda error: isinstance(error, KeyError))


def test_any_other_error_is_raised_at_once() -> None:
    def attempt() -> None:
        attempts.append(1)
        raise KeyError

    attempts: list[int] = []
    with pytest.raises(KeyError):
        optimistic(attempt)
    assert 1 == len(attempts)
