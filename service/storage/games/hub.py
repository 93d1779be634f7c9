"""Wakes those who wait for a game to move on.

Every commit leaves (game, revision) in its bucket's hub stream. One thread a bucket reads it (a
greenlet, where gevent has patched) and wakes this process' waiters: a thousand of them cost one
connection.

Two more kinds of news come the same way, each under a name of its own and with a number that grows: a game's messages,
and that a player's decision is waited for (in whichever bucket the game lies).

Nothing is missed, by order: a waiter registers first and then asks the store; the reader knows its
place in the stream before it first nudges everybody to ask again, and it keeps that place while
connections come and go. When Redis was away, or the reader fell so far behind that the stream may
have been trimmed, it nudges again. A wake-up that is not needed costs one read; one that is missing
would cost a player a long poll.

A game that the reader has met since it last lost its place needs no question to the store: what it
met is known here, and what comes later will be met while the waiter is registered. So of a thousand
followers of one game none asks.

Threads begin with the first wait, so a Hub made before a fork works in each child, and end where nobody waits any
more: of many buckets a process reads those in which it has somebody.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
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
    messages_channel,
    seek_channel,
    task_channel,
    turns_channel,
)

BLOCK_MS = 1000
"""How long one read waits; less than connect.ANSWER_TIMEOUT_S."""
IDLE_S = 10.0
BATCH = 1000
FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0
MAX_MET = 10_000
"""Games whose last revision a reader remembers; of others the store is asked."""


class _Waiter:
    """One call of wait: woken when the revision is known to be newer, or has to be asked for."""

    def __init__(self, revision: int) -> None:
        self.revision = revision
        self.newer = False
        self.awake = threading.Event()


class _Bucket:
    """One bucket's reader and whom it wakes."""

    def __init__(self, redis: Redis, stream: str) -> None:
        self._redis = redis
        self._stream = stream
        self._lock = threading.Lock()
        self._waiters: dict[bytes, set[_Waiter]] = {}
        self._met = LRUCache[bytes, int](MAX_MET)  # last revision, of games met since the place in the stream was lost
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._wanted_at = 0.0  # monotonic s: somebody was last seen waiting

    def add(self, game_id: bytes, waiter: _Waiter) -> int | None:
        """Register; the game's last revision, if that is known without asking."""
        with self._lock:
            if self._stop.is_set():
                waiter.awake.set()
                return None
            self._waiters.setdefault(game_id, set()).add(waiter)
            self._wanted_at = time.monotonic()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._read, name=f"hub {self._stream}", daemon=True)
                self._thread.start()
            return self._met.get(game_id)

    def remove(self, game_id: bytes, waiter: _Waiter) -> None:
        with self._lock:
            waiters = self._waiters.get(game_id, set())
            waiters.discard(waiter)
            if not waiters:
                self._waiters.pop(game_id, None)

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
                cursor = self._next(cursor)
                pause = FIRST_PAUSE_S
                if self._is_idle():
                    return
            except Exception:  # noqa: BLE001 - redis-py's cluster raises more than RedisError; a reader must go on
                cursor = None
                self._forget()
                self._stop.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)

    def _is_idle(self) -> bool:
        """Whether nobody has waited for a while: then this thread ends, and the next who waits begins one."""
        with self._lock:
            now = time.monotonic()
            if self._waiters:
                self._wanted_at = now
            if now - self._wanted_at < IDLE_S:
                return False
            self._met.clear()
            self._thread = None
            return True

    def _end(self) -> bytes:
        last = cast("Any", self._redis.xrevrange(self._stream, count=1))
        return cast("bytes", last[0][0]) if last else b"0-0"

    def _next(self, cursor: bytes) -> bytes:
        """Wake those concerned by what came after `cursor`; the new cursor."""
        answer = cast("Any", self._redis.xread({self._stream: cursor}, count=BATCH, block=BLOCK_MS))
        entries = answer[0][1] if answer else []
        for _, entry in entries:
            self._wake(entry[b"g"], int(entry[b"r"]))
        if len(entries) == BATCH:
            self._forget()
            self._nudge()
        return cast("bytes", entries[-1][0]) if entries else cursor

    def _wake(self, game_id: bytes, revision: int) -> None:
        with self._lock:
            self._met[game_id] = revision
            for waiter in self._waiters.get(game_id, ()):
                if revision > waiter.revision:
                    waiter.newer = True
                    waiter.awake.set()

    def _forget(self) -> None:
        with self._lock:
            self._met.clear()

    def _nudge(self) -> None:
        with self._lock:
            for waiters in self._waiters.values():
                for waiter in waiters:
                    waiter.awake.set()


class Hub:
    """Waits for games to move on; safe to share between threads and greenlets."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)
        self._closed = False
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._buckets = [_Bucket(self._redis, bucket.hub) for bucket in self._keys.every_bucket()]

    def wait(self, game_id: str, revision: int, timeout_s: float) -> bool:
        """True as soon as the game's log is longer than `revision`; False after `timeout_s`.

        A game that does not exist, or expires meanwhile, is waited for like one at rest. Raises
        `redis.exceptions.RedisError` if Redis cannot be asked when it has to be.
        """
        bucket = self._keys.bucket_of(game_id)
        return self._wait(
            [bucket], game_id, revision, timeout_s, lambda: self._number(self._keys.game(game_id).game, "revision")
        )

    def wait_for_message(self, game_id: str, number: int, timeout_s: float) -> bool:
        """The same for a message of the game after that of this number."""
        bucket, name = self._keys.bucket_of(game_id), messages_channel(game_id)
        return self._wait(
            [bucket], name, number, timeout_s, lambda: self._number(self._keys.game(game_id).game, "messages")
        )

    def wait_for_turn(self, player_id: str, waiting: Callable[[], bool], timeout_s: float) -> bool:
        """True as soon as `waiting` says that a game waits for the player; False after `timeout_s`."""
        everywhere = range(len(self._own_buckets()))
        return self._wait(everywhere, turns_channel(player_id), 0, timeout_s, lambda: int(waiting()), ask=True)

    def wait_for_pairing(self, seek_id: str, over: Callable[[], bool], timeout_s: float) -> bool:
        """True as soon as `over` says that the seek waits no more; False after `timeout_s`."""
        return self._wait([0], seek_channel(seek_id), 0, timeout_s, lambda: int(over()), ask=True)

    def wait_for_answer(self, challenge_id: str, over: Callable[[], bool], timeout_s: float) -> bool:
        """True as soon as `over` says that the challenge waits no more; False after `timeout_s`."""
        return self._wait([0], challenge_channel(challenge_id), 0, timeout_s, lambda: int(over()), ask=True)

    def wait_for_challenge(self, player_id: str, there: Callable[[], bool], timeout_s: float) -> bool:
        """True as soon as `there` says that there is a challenge for the player; False after `timeout_s`."""
        return self._wait([0], challenges_channel(player_id), 0, timeout_s, lambda: int(there()), ask=True)

    def wait_for_changed_challenge(
        self, player_id: str, version: int, present: Callable[[], int], timeout_s: float
    ) -> bool:
        """True as soon as a challenge of the player, or for them, has changed after this version.

        False after `timeout_s`. `present` tells the version of the last change.
        """
        return self._wait([0], challenges_channel(player_id), version, timeout_s, present)

    def wait_for_competition(
        self, competition_id: str, version: int, present: Callable[[], int], timeout_s: float
    ) -> bool:
        """True as soon as the competition has a version after this one; False after `timeout_s`."""
        return self._wait([0], competition_channel(competition_id), version, timeout_s, present)

    def wait_for_report(self, task_id: str, version: int, timeout_s: float) -> bool:
        """The same for a report to a task after that of this version."""
        bucket, name, key = self._keys.bucket_of(task_id), task_channel(task_id), self._keys.task(task_id)
        return self._wait([bucket], name, version, timeout_s, lambda: self._number(key, "version"))

    def _own_buckets(self) -> list[_Bucket]:
        if self._process != os.getpid():
            self._start()
        return self._buckets

    def _wait(
        self,
        numbers: Iterable[int],
        name: str,
        seen: int,
        timeout_s: float,
        present: Callable[[], int],
        *,
        ask: bool = False,
    ) -> bool:
        """Wait in these buckets until the number under `name` is greater than `seen`. `ask`: only the store knows."""
        every = self._own_buckets()
        buckets = [every[number] for number in numbers]
        deadline = time.monotonic() + timeout_s
        waiter = _Waiter(seen)
        met = [bucket.add(name.encode(), waiter) for bucket in buckets]
        known = None if ask else met[0]
        try:
            while not self._closed:
                if (present() if known is None else known) > seen:
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
            for bucket in buckets:
                bucket.remove(name.encode(), waiter)

    @property
    def is_closed(self) -> bool:
        """Whether nobody is to wait any more: the process ends."""
        return self._closed

    def close(self) -> None:
        """Send every waiter home with False; returns when the readers have ended, in about a second."""
        self._closed = True
        for bucket in self._buckets:
            bucket.stop()
        for bucket in self._buckets:
            bucket.join()

    def _number(self, key: str, field: str) -> int:
        value = self._redis.hget(key, field)
        return int(value) if value is not None else 0
