"""Changes that are tried again while others are faster, but not for ever."""

from __future__ import annotations

import threading

import pytest
from redis import Redis
from redis.exceptions import RedisError

from service.storage.base import optimistic as module
from service.storage.base.optimistic import LostRaceError, optimistic
from service.storage.base.transactions import Read, Transaction

KEY = "{b00}:count"


def test_writers_who_race_lose_no_change(client: Redis) -> None:
    def attempt() -> None:
        before = client.hget(KEY, "n")
        change = Transaction(client)
        change.require("changed", Read("HGET", KEY, "n").equals(before))
        change.run("HSET", KEY, "n", int(before or 0) + 1)
        if not change.commit().is_done:
            raise LostRaceError

    writers = [threading.Thread(target=lambda: [optimistic(attempt) for _ in range(10)]) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert b"40" == client.hget(KEY, "n")


def test_an_attempt_that_is_never_the_first_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PAUSE_S", 0)
    attempts = []

    def attempt() -> None:
        attempts.append(1)
        raise LostRaceError

    with pytest.raises(RedisError):
        optimistic(attempt)
    assert module.MAX_TRIES == len(attempts)


def test_the_caller_says_which_errors_mean_that_another_was_faster() -> None:
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
