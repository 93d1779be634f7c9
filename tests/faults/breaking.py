"""The faults of the schedule, applied to a running service."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from tests.disk import full_disk, rewrite_aof
from tests.e2e.stack import Stack
from tests.faults.journal import Journal
from tests.faults.jumped_keeper import JumpedKeeper
from tests.faults.schedule import JUMPS_S, PlannedFault
from tests.patience import HANG_S, wait_until


@dataclass(frozen=True)
class RunningRedis:
    """The embedded Redis of a service, in the form that `tests.disk` expects."""

    pid: int
    data_dir: Path
    url: str


class Breaker:
    """Break a service and restore it."""

    def __init__(self, stack: Stack, journal: Journal, keeper: JumpedKeeper) -> None:
        self.stack = stack
        self.journal = journal
        self.keeper = keeper

    def break_it(self, planned: PlannedFault) -> None:
        """Apply a fault and return when the service is ready again. A fault that fails is a violation."""
        try:
            with self.journal.in_force(planned.kind, time.monotonic):
                self._fault(planned.kind)(planned)
                wait_until(self.stack.is_ready, "the service is ready again")
        except (AssertionError, OSError, RedisError) as error:
            self.journal.violate("", None, f"{planned.kind} at {planned.at_s} s could not be done: {error!r}")

    def _fault(self, kind: str) -> Callable[[PlannedFault], None]:
        if kind in JUMPS_S:
            return self._jump
        return {
            "Redis killed": self._kill_redis,
            "Redis paused": self._pause_redis,
            "memory full": self._fill_memory,
            "disk full": self._fill_disk,
        }.get(kind, self._kill)

    # ------------------------------------------------------------------------------------------ processes

    def processes(self, kind: str) -> list[int]:
        """Return the processes that may be killed for this kind of fault."""
        name, _, _ = kind.partition(" killed")
        place, children = {
            "job": ("worker", True),
            "web process": ("web", True),
            "web server": ("web", False),
            "worker": ("worker", False),
            "dialer": ("dialer", False),
        }.get(name, (name, None))
        results = self.stack.parents(place)
        if name == "crew":  # the working crew has children
            on_duty = set(self.stack.parents("keeper").values())
            return [pid for pid in results if pid in on_duty] or list(results)
        return [pid for pid, parent in results.items() if children is None or (parent in results) == children]

    def _kill(self, planned: PlannedFault) -> None:
        """Kill a process. If no job runs long enough to be killed, kill a worker."""
        kinds = (planned.kind, planned.kind.replace("job", "worker"))
        wait_until(lambda: any(self._kill_one(planned, kind) for kind in kinds), "there is no process to kill")

    def _kill_one(self, planned: PlannedFault, kind: str) -> bool:
        if pids := self.processes(kind):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pids[int(planned.pick * len(pids)) % len(pids)], signal.SIGKILL)
                return True
        return False

    # ------------------------------------------------------------------------------------------ the store

    @property
    def redis_pid(self) -> int:
        """The running server."""
        return int(wait_until(lambda: self.stack.pids("redis"), "a Redis")[0])

    def _kill_redis(self, _: PlannedFault) -> None:
        wait_until(self._is_responding, "Redis answers")
        os.kill(self.redis_pid, signal.SIGKILL)

    def _pause_redis(self, planned: PlannedFault) -> None:
        pid = self.redis_pid
        os.kill(pid, signal.SIGSTOP)
        try:
            time.sleep(planned.for_s)
        finally:
            os.kill(pid, signal.SIGCONT)

    def _fill_memory(self, planned: PlannedFault) -> None:
        wait_until(self._is_responding, "Redis answers")
        with Redis.from_url(self.stack.redis_url) as client:
            client.config_set("maxmemory", "1")
            try:
                time.sleep(planned.for_s)
            finally:
                client.config_set("maxmemory", "0")

    def _fill_disk(self, planned: PlannedFault) -> None:
        """Fill the disk after a rewrite, since Redis handles only files that it began while running in this way."""
        wait_until(self._is_responding, "Redis answers")
        with Redis.from_url(self.stack.redis_url) as client:
            rewrite_aof(client)
        with full_disk(RunningRedis(self.redis_pid, self.stack.data_dir, self.stack.redis_url)):
            time.sleep(planned.for_s)

    def _is_responding(self) -> bool:
        with contextlib.suppress(RedisError), Redis.from_url(self.stack.redis_url, socket_timeout=HANG_S) as client:
            return bool(client.ping())
        return False

    # ------------------------------------------------------------------------------------------ clocks

    def _jump(self, planned: PlannedFault) -> None:
        self.keeper.jump(JUMPS_S[planned.kind])
        try:
            time.sleep(planned.for_s)
        finally:
            self.keeper.jump(0)
