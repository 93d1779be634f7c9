"""The rooms of DATA_DIR: who may use it, where the socket and the port stand.

Two Redis servers on one append-only file destroy it, so the directory is locked with `flock`: the kernel lets
go when the last process that holds the descriptor ends, however it ends. The Redis process inherits the
descriptor. So a supervisor killed with −9 leaves the directory locked exactly as long as its Redis still
lives.

    DATA_DIR/lock          locked while served; holds the process id that locked it, for the message
    DATA_DIR/redis.port    the loopback port that was picked, so that it is the same after a restart
    DATA_DIR/redis.password  0600: the embedded Redis' password, made once
    DATA_DIR/redis/        0700: append-only files, configuration, the unix socket
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
import socket
import stat
import tempfile
import time
from pathlib import Path

# sun_path holds 108 bytes on Linux, 104 on macOS, with the final zero.
LONGEST_SOCKET_PATH = 100
# Below the ports systems hand out to outgoing connections (Linux from 32768, macOS from 49152): those could
# take the remembered port while Redis restarts.
PORTS = range(20_000, 30_000)
LOOPBACK = "127.0.0.1"
BACKLOG = 1_024  # connections that wait to be accepted
PASSWORD_BYTES = 32
PASSWORD = re.compile(r"[A-Za-z0-9_-]{20,200}")
# A Redis whose supervisor was killed needs a moment to be gone.
LOCK_PATIENCE_S = 3.0


class OperateError(Exception):
    """Something outside this program keeps it from starting; the message tells a person what to do."""


def lock(data_dir: Path, patience_s: float = LOCK_PATIENCE_S) -> int:
    """Locks `data_dir` (made if missing) and returns the descriptor to keep. Raises OperateError when
    it is taken.
    """
    try:
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(data_dir / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as failed:
        raise OperateError(
            f"DATA_DIR={data_dir} is not writable ({failed.strerror}). Set DATA_DIR to a writable directory."
        ) from failed
    deadline = time.monotonic() + patience_s
    while not _locked(descriptor):
        if time.monotonic() > deadline:
            holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(descriptor)
            raise OperateError(
                f"DATA_DIR={data_dir} is in use by another instance (process {holder}). "
                "Stop it, or set DATA_DIR to another directory."
            )
        time.sleep(0.05)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def holder(data_dir: Path) -> int | None:
    """The process id that serves `data_dir` now, or None."""
    try:
        descriptor = os.open(data_dir / "lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if _locked(descriptor):
            return None
        text = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
        return int(text) if text.isdigit() else 0
    finally:
        os.close(descriptor)


def redis_directory(data_dir: Path) -> Path:
    """DATA_DIR/redis, made if missing, readable by its owner only."""
    directory = data_dir / "redis"
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    directory.chmod(0o700)
    return directory


def redis_password(data_dir: Path) -> str:
    """The embedded Redis' password: the one that was made before, else a new one. Call it with the lock held."""
    known = remembered_password(data_dir)
    if known:
        return known
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    write_private(data_dir / "redis.password", f"{password}\n")
    return password


def remembered_password(data_dir: Path) -> str:
    """What was made before; nothing where nothing was, or it cannot be used."""
    try:
        text = (data_dir / "redis.password").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return text if PASSWORD.fullmatch(text) else ""


def write_private(path: Path, content: str) -> None:
    """Write a file that its owner alone may read, at once or not at all."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(content)
    new.replace(path)


def socket_path(data_dir: Path) -> Path:
    """Where the unix socket stands: in DATA_DIR, or where that path is too long in a 0700 temporary
    directory.
    """
    path = data_dir / "redis" / "redis.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    # The name follows from the directory, so that it is the same after a restart; others may have made it
    # first.
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:12]
    for parent in (Path(tempfile.gettempdir()), Path("/tmp")):  # noqa: S108
        directory = parent / f"azul-{os.getuid()}-{digest}"
        if len(os.fsencode(directory)) > LONGEST_SOCKET_PATH - len("/redis.sock"):
            continue
        directory.mkdir(mode=0o700, exist_ok=True)
        status = directory.lstat()
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid():
            directory.chmod(0o700)
            return directory / "redis.sock"
        raise OperateError(f"{directory} belongs to another user. Set DATA_DIR to a directory with a shorter path.")
    raise OperateError(f"DATA_DIR={data_dir} is too long for a socket path. Set DATA_DIR to a shorter path.")


def port_is_free(host: str, port: int) -> bool:
    """Whether a server could listen on `port` of `host` now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # As servers do: without it a port whose last connections are still being forgotten looks taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there, for the web servers to accept from. OSError when it cannot be had."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def redis_port(data_dir: Path, preferred: int) -> int:
    """The TCP port for the embedded Redis: `preferred`, or for 0 the remembered or a new free one.

    Raises OperateError when `preferred` is in use. Call it with the lock held.
    """
    if preferred:
        if not port_is_free(LOOPBACK, preferred):
            raise OperateError(
                f"port {preferred} on {LOOPBACK} is in use. Set REDIS_PORT to another port, or to 0 for a free port."
            )
        return preferred
    remembered = remembered_port(data_dir)
    if remembered and port_is_free(LOOPBACK, remembered):
        return remembered
    for _attempt in range(100):
        port = PORTS.start + secrets.randbelow(len(PORTS))
        if port_is_free(LOOPBACK, port):
            (data_dir / "redis.port").write_text(f"{port}\n", encoding="ascii")
            return port
    raise OperateError("no free port found for the embedded Redis. Set REDIS_PORT.")


def remembered_port(data_dir: Path) -> int | None:
    """What was picked before, or None."""
    try:
        text = (data_dir / "redis.port").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return int(text) if text.isdigit() and int(text) in PORTS else None
