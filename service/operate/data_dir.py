"""DATA_DIR: its lock, and the port, password and socket of the embedded Redis.

Two Redis servers would destroy one append-only file, so `flock` locks the directory. The kernel releases the lock when
the last process with the descriptor ends. The Redis process inherits the descriptor, so the directory stays locked
until Redis ends, even if the supervisor was killed.

    DATA_DIR/lock            locked while the service runs; contains the process id, for error messages
    DATA_DIR/redis.port      chosen loopback port, reused after a restart
    DATA_DIR/redis.password  password of the embedded Redis, mode 0600
    DATA_DIR/redis/          append-only files, configuration and unix socket, mode 0700
    DATA_DIR/crew.lock       locked by the crews on duty (see `workers.crew`)
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import re
import secrets
import socket
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from service.files import write_file

# sun_path has 108 bytes on Linux and 104 on macOS, including the final zero.
LONGEST_SOCKET_PATH = 100
# Below the ephemeral ports (Linux from 32768, macOS from 49152), so that no outgoing connection takes the port while
# Redis restarts.
PORTS = range(20_000, 30_000)
LOOPBACK = "127.0.0.1"
BACKLOG = 1_024  # connections that wait to be accepted
PASSWORD_BYTES = 32
PASSWORD = re.compile(r"[A-Za-z0-9_-]{20,200}")
# After its supervisor was killed, Redis takes a moment to end.
LOCK_PATIENCE_S = 3.0
LOCK, CREW_LOCK = "lock", "crew.lock"
PROBE = bytes(4_096)
"""Content of a temporary file. An empty file can be created on a full disk."""


class OperateError(Exception):
    """A problem in the environment, such as a used port. The message contains the remedy."""


@contextlib.contextmanager
def describe_failures(data_dir: Path) -> Iterator[None]:
    """Raise OperateError instead of an OSError of a file in `data_dir`."""
    try:
        yield
    except OSError as failed:
        place = failed.filename or data_dir
        raise OperateError(f"DATA_DIR={data_dir}: {failed.strerror or failed} ({place})") from failed


def check_writable(folder: Path) -> None:
    """Write a temporary file in a folder, or if it is missing, where it would be created. Raises OSError."""
    existing = next(place for place in (folder, *folder.parents) if os.path.lexists(place))
    try:
        with tempfile.TemporaryFile(dir=existing, buffering=0) as file:
            file.write(PROBE)
    except OSError as failed:
        failed.filename = str(existing)  # not the name of the temporary file
        raise


def open_lock(data_dir: Path, name: str) -> int:
    """Create `data_dir`, and open a file in it to lock. Return the descriptor. Raises OSError."""
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    return os.open(data_dir / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def lock(data_dir: Path, patience_s: float = LOCK_PATIENCE_S) -> int:
    """Create and lock `data_dir`. Return the descriptor to keep open.

    Raises OperateError if it is in use, or OSError.
    """
    descriptor = open_lock(data_dir, LOCK)
    deadline = time.monotonic() + patience_s
    while not _try_to_lock(descriptor):
        if time.monotonic() > deadline:
            holder = _read_process_id(descriptor) or "unknown"
            os.close(descriptor)
            raise OperateError(
                f"DATA_DIR={data_dir} is in use by another instance (process {holder}). "
                "Stop it, or set DATA_DIR to another directory."
            )
        time.sleep(0.05)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def _read_process_id(descriptor: int) -> str:
    return os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()


def _try_to_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def lock_holder(data_dir: Path) -> int | None:
    """Return the process id that has locked `data_dir` (0 if unknown), or None if it is not locked."""
    try:
        descriptor = os.open(data_dir / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if _try_to_lock(descriptor):
            return None
        text = _read_process_id(descriptor)
        return int(text) if text.isdigit() else 0
    finally:
        os.close(descriptor)


def redis_directory(data_dir: Path) -> Path:
    """Return DATA_DIR/redis. It is created if missing and accessible only to its owner."""
    directory = data_dir / "redis"
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    directory.chmod(0o700)
    return directory


def redis_password(data_dir: Path) -> str:
    """Return the password of the embedded Redis; create it if missing. Requires the lock."""
    if password := remembered_password(data_dir):
        return password
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    write_file(data_dir / "redis.password", f"{password}\n".encode())
    return password


def remembered_password(data_dir: Path) -> str:
    """Return the stored password, or an empty text if there is no valid one."""
    text = _read_text(data_dir / "redis.password")
    return text if PASSWORD.fullmatch(text) else ""


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def socket_path(data_dir: Path) -> Path:
    """Return the path of the unix socket: in DATA_DIR, or in a private temporary directory if that is too long."""
    path = data_dir / "redis" / "redis.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    # The name depends only on DATA_DIR, so it is the same after a restart. Another user could have created it.
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


def port_failure(host: str, port: int) -> str | None:
    """Return why no server can listen on the port, or None if one can."""
    try:
        open_listener(host, port).close()
    except OSError as failed:
        return describe_listen_failure(failed)
    return None


def describe_listen_failure(failed: OSError) -> str:
    """Return the reason of an OSError of `open_listener`."""
    hint = " (ports below 1024 need a privilege)" if failed.errno == errno.EACCES else ""
    return f"{failed.strerror or failed}{hint}"


def open_listener(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises OSError if the address is unavailable."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        # Without SO_REUSEADDR, a port with connections in TIME_WAIT counts as used.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def redis_port(data_dir: Path, preferred: int) -> int:
    """Return the TCP port of the embedded Redis: `preferred`, or for 0 the stored one or a new free one.

    Requires the lock. Raises OperateError if no server can listen on `preferred`.
    """
    if preferred:
        if failure := port_failure(LOOPBACK, preferred):
            raise OperateError(
                f"REDIS_PORT={preferred}: {failure}. Set REDIS_PORT to another port, or to 0 for a free port."
            )
        return preferred
    remembered = remembered_port(data_dir)
    if remembered and port_failure(LOOPBACK, remembered) is None:
        return remembered
    for _attempt in range(100):
        port = PORTS.start + secrets.randbelow(len(PORTS))
        if port_failure(LOOPBACK, port) is None:
            (data_dir / "redis.port").write_text(f"{port}\n", encoding="ascii")
            return port
    raise OperateError("no free port found for the embedded Redis. Set REDIS_PORT.")


def remembered_port(data_dir: Path) -> int | None:
    """Return the stored port, or None."""
    text = _read_text(data_dir / "redis.port")
    return int(text) if text.isdigit() and int(text) in PORTS else None
