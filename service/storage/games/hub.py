"""Wakes requests that wait for changes of games.

Every commit appends (game, revision, players) to the hub stream of its bucket. One thread for each bucket reads the
stream (a greenlet under gevent) and wakes the waiters of this process. A thousand waiters use one connection.

Other changes use the same stream, each with a channel (see keys.py) and a growing number: the messages of a game, the
turns of a player in any bucket, changed challenges and competitions, the reports of a task.

No change is missed, because of the order of steps. A waiter registers first and then reads the store. The reader knows
its place in the stream before it wakes all waiters for the first time, and keeps that place across connections. If
Redis was unavailable, or the reader is so far behind that the stream may have been trimmed, it wakes all waiters again.
An unnecessary wake-up costs one read. A missing one would delay a player by a long poll.

If the reader has seen a game since it last lost its place, a waiter needs no read: the reader has the last revision,
and sees later ones while the waiter is registered. So a thousand followers of one game cause no reads.

Threads start with the first wait, so a Hub created before a fork works in each child. They end when there are no
waiters, so a process reads only the buckets in which it has some.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from cachetools import LRUCache
from redis import Redis

from service.storage.base.connect import ANSWER_TIMEOUT_S
from service.storage.base.keys import (
    Buckets,
    Keys,
    challenge_channel,
    challenges_channel,
    competition_channel,
    games_channel,
    messages_channel,
    seek_channel,
    task_channel,
    turns_channel,
)

BLOCK_MS = 1000
"""How long one read waits. Must be less than `connect.ANSWER_TIMEOUT_S`."""
IDLE_S = 10.0
BATCH = 1000
FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0
KEEP_ALIVE_S = 4.0
"""Longest silence of a stream. A client that vanished is noticed after a keep-alive."""
MAX_CHANNELS = 10_000
"""Channels whose last number a reader remembers. Waiters for others read the store."""


class _Waiter:
    """One call of `wait`. It is woken when there is a newer number, or when it must read the store."""

    def __init__(self, revision: int) -> None:
        self.revision = revision
        self.newer = False
        self.awake = threading.Event()


class _Bucket:
    """The reader of one bucket, and its waiters."""

    def __init__(self, redis: Redis, stream: str) -> None:
        self._redis = redis
        self._stream = stream
        self._lock = threading.Lock()
        self._waiters: dict[bytes, set[_Waiter]] = {}
        # last number of each channel since the place in the stream was lost
        self._last_numbers = LRUCache[bytes, int](MAX_CHANNELS)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._wanted_at = 0.0  # monotonic s of the last known waiter

    def add(self, channel: bytes, waiter: _Waiter) -> int | None:
        """Register a waiter. Return the last number of the channel if it is known without reading the store."""
        with self._lock:
            if self._stop.is_set():
                waiter.awake.set()
                return None
            self._waiters.setdefault(channel, set()).add(waiter)
            self._wanted_at = time.monotonic()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._read, name=f"hub {self._stream}", daemon=True)
                self._thread.start()
            return self._last_numbers.get(channel)

    def remove(self, channel: bytes, waiter: _Waiter) -> None:
        with self._lock:
            waiters = self._waiters.get(channel, set())
            waiters.discard(waiter)
            if not waiters:
                self._waiters.pop(channel, None)

    def stop(self) -> None:
        self._stop.set()
        self._nudge()

    def join(self) -> None:
        thread = self._thread
        if thread is not None:
            thread.join(ANSWER_TIMEOUT_S)

    def _read(self) -> None:
        cursor, pause = None, FIRST_PAUSE_S
        while not self._stop.is_set():
            try:
                if cursor is None:
                    cursor = self._end()
                    self._nudge()
                cursor = self._read_batch(cursor)
                pause = FIRST_PAUSE_S
                if self._is_idle():
                    return
            except Exception:  # noqa: BLE001 - redis-py's cluster raises more than RedisError; a reader must continue
                cursor = None
                self._forget()
                self._stop.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)

    def _is_idle(self) -> bool:
        """Return whether there were no waiters for a while. The thread then ends, and the next waiter starts one."""
        with self._lock:
            now = time.monotonic()
            if self._waiters:
                self._wanted_at = now
            if now - self._wanted_at < IDLE_S:
                return False
            self._last_numbers.clear()
            self._thread = None
            return True

    def _end(self) -> bytes:
        last = cast("Any", self._redis.xrevrange(self._stream, count=1))
        return cast("bytes", last[0][0]) if last else b"0-0"

    def _read_batch(self, cursor: bytes) -> bytes:
        """Wake the waiters for entries after `cursor`. Return the new cursor."""
        answer = cast("Any", self._redis.xread({self._stream: cursor}, count=BATCH, block=BLOCK_MS))
        entries = answer[0][1] if answer else []
        for _, entry in entries:
            players = entry.get(b"p", b"").decode().split()  # entries of older versions have none
            self._wake(entry[b"g"], int(entry[b"r"]), [games_channel(player).encode() for player in players])
        if len(entries) == BATCH:
            self._forget()
            self._nudge()
        return cast("bytes", entries[-1][0]) if entries else cursor

    def _wake(self, channel: bytes, revision: int, more_channels: Iterable[bytes]) -> None:
        with self._lock:
            self._last_numbers[channel] = revision
            for name in (channel, *more_channels):
                for waiter in self._waiters.get(name, ()):
                    if revision > waiter.revision:
                        waiter.newer = True
                        waiter.awake.set()

    def _forget(self) -> None:
        with self._lock:
            self._last_numbers.clear()

    def _nudge(self) -> None:
        with self._lock:
            for waiters in self._waiters.values():
                for waiter in waiters:
                    waiter.awake.set()


class Hub:
    """Waits for changes of games. Safe to share between threads and greenlets."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)
        self._closed = False
        self._waiting: dict[int, _Waiter] = {}
        self._interruptions: dict[int, threading.Event] = {}
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._buckets = [_Bucket(self._redis, bucket.hub) for bucket in self._keys.all_buckets()]

    def wait(self, game_id: str, revision: int, timeout_s: float) -> bool:
        """Return True when the game's log is longer than `revision`, False after `timeout_s`.

        A missing or expired game is treated like one that does not change. Raises `redis.exceptions.RedisError` if the
        store must be read and Redis is unavailable.
        """
        return self._wait_for_field(game_id, game_id, "revision", revision, timeout_s)

    def wait_for_message(self, game_id: str, number: int, timeout_s: float) -> bool:
        """Return True when the game has a message after that of this number, False after `timeout_s`."""
        return self._wait_for_field(game_id, messages_channel(game_id), "messages", number, timeout_s)

    def _wait_for_field(self, game_id: str, channel: str, field: str, seen: int, timeout_s: float) -> bool:
        bucket, key = self._keys.bucket_number(game_id), self._keys.game(game_id).game
        return self._wait([bucket], channel, seen, timeout_s, lambda: self._number(key, field))

    def wait_for_turn(self, player_id: str, is_waiting: Callable[[], bool], timeout_s: float) -> bool:
        """Return True when `is_waiting` reports that a game waits for the player, False after `timeout_s`."""
        everywhere = range(len(self._own_buckets()))
        return self._wait(everywhere, turns_channel(player_id), 0, timeout_s, lambda: int(is_waiting()), ask=True)

    def wait_for_pairing(self, seek_id: str, is_over: Callable[[], bool], timeout_s: float) -> bool:
        """Return True when `is_over` reports that the seek no longer waits, False after `timeout_s`."""
        return self._wait([0], seek_channel(seek_id), 0, timeout_s, lambda: int(is_over()), ask=True)

    def wait_for_answer(self, challenge_id: str, is_over: Callable[[], bool], timeout_s: float) -> bool:
        """Return True when `is_over` reports that the challenge no longer waits, False after `timeout_s`."""
        return self._wait([0], challenge_channel(challenge_id), 0, timeout_s, lambda: int(is_over()), ask=True)

    def wait_for_challenge(self, player_id: str, is_challenged: Callable[[], bool], timeout_s: float) -> bool:
        """Return True when `is_challenged` reports a challenge to the player, False after `timeout_s`."""
        return self._wait([0], challenges_channel(player_id), 0, timeout_s, lambda: int(is_challenged()), ask=True)

    def wait_for_competition(
        self, competition_id: str, version: int, read_version: Callable[[], int], timeout_s: float
    ) -> bool:
        """Return True when the competition has a version after this one, False after `timeout_s`."""
        return self._wait([0], competition_channel(competition_id), version, timeout_s, read_version)

    def wait_for_report(self, task_id: str, version: int, timeout_s: float) -> bool:
        """Return True when the task has a report after that of this version, False after `timeout_s`."""
        bucket, key = self._keys.bucket_number(task_id), self._keys.task(task_id)
        return self._wait([bucket], task_channel(task_id), version, timeout_s, lambda: self._number(key, "version"))

    def _own_buckets(self) -> list[_Bucket]:
        if self._process != os.getpid():
            self._start()
        return self._buckets

    def _wait(
        self,
        numbers: Iterable[int],
        channel: str,
        seen: int,
        timeout_s: float,
        read_number: Callable[[], int],
        *,
        ask: bool = False,
    ) -> bool:
        """Wait in these buckets until the number of the channel is greater than `seen`.

        `ask`: the numbers of the channel do not matter, so always call `read_number`.
        """
        own_buckets, name = self._own_buckets(), channel.encode()
        buckets = [own_buckets[number] for number in numbers]
        deadline = time.monotonic() + timeout_s
        waiter, thread = _Waiter(seen), threading.get_ident()
        self._waiting[thread] = waiter
        last = [bucket.add(name, waiter) for bucket in buckets]
        known = None if ask else last[0]
        try:
            while not self._closed and not self.is_interrupted:
                if (read_number() if known is None else known) > seen:
                    return True
                known = None
                waiter.awake.wait(max(0.0, deadline - time.monotonic()))
                if not waiter.awake.is_set():
                    return waiter.newer
                if waiter.newer and not ask:
                    return True
                waiter.awake.clear()
            return False
        finally:
            self._waiting.pop(thread, None)
            for bucket in buckets:
                bucket.remove(name, waiter)

    @contextmanager
    def watching(self, player_id: str) -> Iterator[Callable[[float], bool]]:
        """Yield a function that waits for changes of the player's games and challenges during the block.

        It takes a timeout in seconds. It returns True if something may have changed since it last returned True, or
        since the block began, and False after the timeout, or if its thread is interrupted or the hub is closed.
        """
        buckets = self._own_buckets()
        places = [(bucket, games_channel(player_id).encode()) for bucket in buckets]
        places.append((buckets[0], challenges_channel(player_id).encode()))
        waiter = _Waiter(-1)

        def wait(timeout_s: float) -> bool:
            thread = threading.get_ident()
            self._waiting[thread] = waiter
            try:
                if self._closed or self.is_interrupted or not waiter.awake.wait(timeout_s):
                    return False
                waiter.awake.clear()
                return not self._closed and not self.is_interrupted
            finally:
                self._waiting.pop(thread, None)

        for bucket, channel in places:
            bucket.add(channel, waiter)
        try:
            yield wait
        finally:
            for bucket, channel in places:
                bucket.remove(channel, waiter)

    @contextmanager
    def interruptible(self) -> Iterator[Callable[[], None]]:
        """Yield a function that lets all waits of the current thread in the block return False."""
        thread, interrupted = threading.get_ident(), threading.Event()

        def interrupt() -> None:
            """Interrupt the block only, not a later one: the system may give the thread's number to another thread."""
            interrupted.set()
            if (waiter := self._waiting.get(thread)) is not None:
                waiter.awake.set()

        self._interruptions[thread] = interrupted
        try:
            yield interrupt
        finally:
            self._interruptions.pop(thread, None)

    @property
    def is_interrupted(self) -> bool:
        """True if the waits of the current thread have been interrupted."""
        interrupted = self._interruptions.get(threading.get_ident())
        return interrupted is not None and interrupted.is_set()

    @property
    def is_closed(self) -> bool:
        """True if the process is ending, so that no call may wait."""
        return self._closed

    def close(self) -> None:
        """Let every waiter return False. Returns when the readers have ended, in about a second."""
        self._closed = True
        for bucket in self._buckets:
            bucket.stop()
        for bucket in self._buckets:
            bucket.join()

    def _number(self, key: str, field: str) -> int:
        return int(cast("Any", self._redis.hget(key, field)) or 0)
