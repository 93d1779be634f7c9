"""Backups of the embedded Redis, made while games go on, and put back.

A backup is a snapshot of all keys as they were at one moment (an RDB file), which Redis writes in a child of its own
while it serves. Restoring is done while the service stands still. A Redis loads the file by itself and writes an
append-only file from it, so what is put in the place of the old one is known to be whole; the old one is kept beside
it. Whoever is killed in between leaves either the old state or the new one (see `aof.finish_restore`).

    DATA_DIR/backups/azul-20261125T120000000Z.rdb      a backup, 0600: it holds all that is stored
    DATA_DIR/redis/appendonlydir                        what Redis loads
    DATA_DIR/redis/appendonlydir.restored               the new one, for the moment in which they change places
    DATA_DIR/redis/appendonlydir.before-20261125T120000000Z  the old one
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import shutil
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
    """Write a backup; of all, all but the newest `keep` are deleted. OperateError where it fails.

    Where the service runs, its Redis is asked; else one is started for that.
    """
    if keep is not None and keep < 1:
        raise OperateError(f"--keep must be at least 1, not {keep}.")
    folder = data_dir / "backups"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"azul-{_stamp()}.rdb"
    with _serving(data_dir) as redis:
        snapshot = rooms.redis_directory(data_dir) / SNAPSHOT
        _save(redis)
        snapshot.chmod(0o600)
        snapshot.replace(path)
    if keep is not None:
        for old in sorted(folder.glob("azul-*.rdb"))[:-keep]:
            old.unlink()
    return path


def restore(data_dir: Path, path: Path) -> tuple[int, Path | None]:
    """Put a backup back: how many keys it holds, and where the state of before is kept, None where there was none.

    OperateError where the service runs, or the backup cannot be read; then nothing is changed.
    """
    if not path.is_file():
        raise OperateError(f"there is no file {path}.")
    lock = rooms.lock(data_dir)
    try:
        directory = rooms.redis_directory(data_dir)
        finish_restore(directory)
        new = directory / RESTORED
        shutil.rmtree(new, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=directory, prefix="restoring-") as place:
            count = _load(Path(place), path)
            (Path(place) / APPEND_ONLY).rename(new)
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
def _serving(data_dir: Path) -> Iterator[Redis]:
    """The Redis of the directory."""
    if rooms.holder(data_dir) is not None:
        with Redis.from_url(socket_url(rooms.socket_path(data_dir), rooms.remembered_password(data_dir))) as redis:
            yield redis
    elif (data_dir / "redis" / APPEND_ONLY).exists():
        with EmbeddedRedis(data_dir) as server, Redis.from_url(server.socket_url) as redis:
            yield redis
    else:
        raise OperateError(f"DATA_DIR={data_dir} contains no data yet.")


def _save(redis: Redis) -> None:
    """Have it write its snapshot, and wait until that stands."""
    deadline = time.monotonic() + PATIENCE_S
    try:
        while not _begins(redis):
            _wait(deadline, "Redis is writing another file")
        while _persistence(redis)["rdb_bgsave_in_progress"]:
            _wait(deadline, "Redis is writing its snapshot")
        if _persistence(redis)["rdb_last_bgsave_status"] != "ok":
            raise OperateError("Redis could not write its snapshot. Check the free disk space and the log of Redis.")
    except RedisError as error:
        raise OperateError(f"Redis could not be asked for a backup: {error}") from error


def _begins(redis: Redis) -> bool:
    """Whether a snapshot of now has begun; not while Redis writes another file."""
    try:
        redis.bgsave(schedule=False)
    except ResponseError as error:
        if "in progress" in str(error) or "rewriting" in str(error):
            return False
        raise
    return True


def _load(place: Path, path: Path) -> int:
    """Have a Redis load the backup and write an append-only file into `place`: how many keys it holds."""
    shutil.copyfile(path, place / SNAPSHOT)
    deadline = time.monotonic() + PATIENCE_S
    with _apart(place) as (server, redis):
        while not _answers(redis):
            if server.poll() is not None:
                raise OperateError(f"{path} cannot be read: {_last_line(place / 'output')}")
            _wait(deadline, "Redis is loading the backup")
        redis.config_set("appendonly", "yes")
        while (state := _persistence(redis))["aof_rewrite_in_progress"] or state["aof_rewrite_scheduled"]:
            _wait(deadline, "Redis is writing its append-only file")
        if state["aof_last_bgrewrite_status"] != "ok":
            raise OperateError(f"the append-only file could not be written: {_last_line(place / 'output')}")
        return int(redis.dbsize())


@contextlib.contextmanager
def _apart(place: Path) -> Iterator[tuple[subprocess.Popen[bytes], Redis]]:
    """A Redis that loads the snapshot in `place`, for us alone."""
    with tempfile.TemporaryDirectory(prefix="azul-") as room:  # DATA_DIR may be too long a path for a socket
        socket = str(Path(room) / "redis.sock")
        arguments = {"port": "0", "unixsocket": socket, "dir": str(place), "save": "", "appendonly": "no"}
        command = [str(redis_binary()), *(part for name, value in arguments.items() for part in (f"--{name}", value))]
        with (place / "output").open("wb") as output:
            server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        try:
            with Redis(unix_socket_path=socket, retry=Retry(NoBackoff(), 0)) as redis:  # `_load` asks again itself
                yield server, redis
        finally:
            server.terminate()
            server.wait()


def _answers(redis: Redis) -> bool:
    """Whether it has loaded its file."""
    try:
        return bool(redis.ping())
    except RedisError:
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
