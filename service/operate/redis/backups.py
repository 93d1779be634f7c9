"""Backup and restore of the embedded Redis.

A backup is a consistent snapshot of all keys (an RDB file). A child process of Redis writes it while games continue.
A restore needs the service stopped. A separate Redis loads the snapshot and writes an append-only file from it, so a
damaged snapshot never replaces data. The previous files are kept. If a restore is killed, either the old or the new
state is loaded (see `aof_repair.finish_restore`).

    DATA_DIR/backups/azul-20261125T120000000Z.rdb            a backup with all data, mode 0600
    DATA_DIR/redis/appendonlydir                             loaded by Redis
    DATA_DIR/redis/appendonlydir.restored                    new state, before it replaces the old one
    DATA_DIR/redis/appendonlydir.before-20261125T120000000Z  previous state
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError
from redis.retry import Retry

from service.operate import data_dir as rooms
from service.operate.data_dir import OperateError
from service.operate.redis.aof_repair import APPEND_ONLY, RESTORED, finish_restore
from service.operate.redis.launcher import EmbeddedRedis, redis_binary, socket_url

SNAPSHOT = "dump.rdb"
PATIENCE_S = 600.0
STEP_S = 0.05


def backup(data_dir: Path, keep: int | None = None) -> Path:
    """Write a backup and delete all but the newest `keep` backups. Return the path. Raises OperateError or OSError.

    If the service is running, its Redis writes the backup. Otherwise one is started.
    """
    if keep is not None and keep < 1:
        raise OperateError(f"--keep must be at least 1, not {keep}.")
    folder = data_dir / "backups"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"azul-{_stamp()}.rdb"
    with _running_redis(data_dir) as redis:
        snapshot = rooms.redis_directory(data_dir) / SNAPSHOT
        _save(redis)
        snapshot.chmod(0o600)
        snapshot.replace(path)
    if keep is not None:
        for old in sorted(folder.glob("azul-*.rdb"))[:-keep]:
            old.unlink()
    return path


def restore(data_dir: Path, path: Path) -> tuple[int, Path | None]:
    """Restore a backup. Return the number of keys, and the path of the previous state or None.

    Raises OperateError if the service is running or the backup is not readable, or OSError. Then nothing changes.
    """
    if not path.is_file():
        raise OperateError(f"{path} is not a file." if path.exists() else f"there is no file {path}.")
    lock = rooms.lock(data_dir)
    try:
        directory = rooms.redis_directory(data_dir)
        finish_restore(directory)
        new = directory / RESTORED
        shutil.rmtree(new, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=directory, prefix="restoring-", ignore_cleanup_errors=True) as folder:
            count = _load(Path(folder), path)
            (Path(folder) / APPEND_ONLY).rename(new)
        old: Path | None = directory / f"{APPEND_ONLY}.before-{_stamp()}"
        try:
            (directory / APPEND_ONLY).rename(str(old))
        except FileNotFoundError:
            old = None
        finish_restore(directory)
    finally:
        os.close(lock)
    return count, old


def _stamp() -> str:
    now = dt.datetime.now(dt.UTC)
    return f"{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03}Z"


@contextlib.contextmanager
def _running_redis(data_dir: Path) -> Iterator[Redis]:
    """Yield the Redis of the directory, started if necessary."""
    if rooms.lock_holder(data_dir) is not None:
        with Redis.from_url(socket_url(rooms.socket_path(data_dir), rooms.remembered_password(data_dir))) as redis:
            yield redis
    elif (data_dir / "redis" / APPEND_ONLY).exists():
        with EmbeddedRedis(data_dir) as server, Redis.from_url(server.socket_url) as redis:
            yield redis
    else:
        raise OperateError(f"DATA_DIR={data_dir} contains no data yet.")


def _save(redis: Redis) -> None:
    """Have Redis write its snapshot, and wait until it is complete."""
    deadline = time.monotonic() + PATIENCE_S
    try:
        while not _start_snapshot(redis):
            _wait(deadline, "Redis is writing another file")
        while _persistence(redis)["rdb_bgsave_in_progress"]:
            _wait(deadline, "Redis is writing its snapshot")
        if _persistence(redis)["rdb_last_bgsave_status"] != "ok":
            raise OperateError("Redis could not write its snapshot. Check the free disk space and the log of Redis.")
    except RedisError as error:
        raise OperateError(f"Redis could not write a backup: {error}") from error


def _start_snapshot(redis: Redis) -> bool:
    """Start a snapshot. Return False if Redis is writing another file."""
    try:
        redis.bgsave(schedule=False)
    except ResponseError as error:
        if "in progress" in str(error) or "rewriting" in str(error):
            return False
        raise
    return True


def _load(folder: Path, path: Path) -> int:
    """Have a separate Redis convert the backup into an append-only file in `folder`. Return the number of keys."""
    shutil.copyfile(path, folder / SNAPSHOT)
    deadline = time.monotonic() + PATIENCE_S
    with _separate_redis(folder) as (server, redis):
        while not _is_loaded(redis):
            if server.poll() is not None:
                raise OperateError(f"{path} cannot be read: {_last_line(folder / 'output')}")
            _wait(deadline, "Redis is loading the backup")
        redis.config_set("appendonly", "yes")
        while True:
            state = _persistence(redis)
            if state["aof_last_bgrewrite_status"] != "ok":  # Redis would try again and again
                raise OperateError("Redis could not write its append-only file. Check the free disk space.")
            if not (state["aof_rewrite_in_progress"] or state["aof_rewrite_scheduled"]):
                break
            _wait(deadline, "Redis is writing its append-only file")
        return int(redis.dbsize())


@contextlib.contextmanager
def _separate_redis(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], Redis]]:
    """Yield a Redis that loads the snapshot in `folder` and has no other clients."""
    with tempfile.TemporaryDirectory(prefix="azul-") as sockets:  # the path of DATA_DIR can be too long for a socket
        socket = str(Path(sockets) / "redis.sock")
        arguments = {"port": "0", "unixsocket": socket, "dir": str(folder), "save": "", "appendonly": "no"}
        command = [str(redis_binary()), *(part for name, value in arguments.items() for part in (f"--{name}", value))]
        with (folder / "output").open("wb") as output:
            server = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
            )
        try:
            with Redis(unix_socket_path=socket, retry=Retry(NoBackoff(), 0)) as redis:  # `_load` retries itself
                yield server, redis
        except BaseException:
            # Redis ignores SIGTERM while its child writes the first append-only file, so end both.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
            raise
        finally:
            server.terminate()
            server.wait()


def _is_loaded(redis: Redis) -> bool:
    """Return whether Redis has loaded its file."""
    with contextlib.suppress(RedisError):
        return bool(redis.ping())
    return False


def _persistence(redis: Redis) -> dict[str, Any]:
    return dict(redis.info("persistence"))


def _wait(deadline: float, what: str) -> None:
    if time.monotonic() > deadline:
        raise OperateError(f"timed out after {PATIENCE_S:.0f} s: {what}.")
    time.sleep(STEP_S)


def _last_line(path: Path) -> str:
    lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1] if lines else "Redis printed no message"
