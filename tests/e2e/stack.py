"""The whole service as an operator starts it: `python -m service.operate serve`, on a free port, in its own folder.

Tests talk to it over HTTP only, find its processes by their command lines, and kill them.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

import requests

from service.operate.data_dir import remembered_password, socket_path
from service.operate.redis.launcher import socket_url
from tests.patience import HANG_S, wait_until

ROOT = Path(__file__).parents[2]
MARKS = {  # part of a process's name or command line
    "crew": "azul-crew",
    "worker": "azul-worker",
    "background": "azul-background"[:15],
    "keeper": "azul-keeper",
    "dialer": "azul-dialer",
    "web": "service.app:create_app",
    "redis": "valkey-server",
}


def free_port() -> int:
    """Return an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_listening(port: int) -> bool:
    """Return True if a server listens on the port of this machine."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def send_signal(number: int, pids: Iterable[int]) -> None:
    """Send a signal to processes. A job may have ended since they were listed."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _action(game: str, token: str, action_id: str, revision: int) -> dict[str, Any]:
    """Return body and headers of an action with its own idempotency key."""
    headers = {"If-Match": f'"{revision}"', "Idempotency-Key": f"{game}-{revision}-{action_id}-0123456789"}
    return {"json": {"id": action_id}, "headers": {**bearer(token), **headers}}


def _words(pid: int) -> str:
    """Return a process's name and command line, or an empty text if it has ended."""
    try:
        return Path(f"/proc/{pid}/comm").read_text() + Path(f"/proc/{pid}/cmdline").read_bytes().decode()
    except OSError:
        return ""


def cpu_s(pid: int) -> float:
    """Return the processor time of a process with its ended children, or 0 if it has ended."""
    try:
        ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]
    except OSError:
        return 0.0
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def bearer(token: str) -> dict[str, str]:
    """Return the header with a token."""
    return {"Authorization": f"Bearer {token}"}


class Service:
    """A service as its callers see it."""

    def __init__(self, api: str) -> None:
        self.api = api
        self.http = requests.Session()

    def create(self, **body: Any) -> dict[str, Any]:
        """POST /games."""
        answer = self.http.post(f"{self.api}/games", json=body, timeout=HANG_S)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def give_turn(self, token: str) -> None:
        """Let a player decide in a new game, so that a waiting bot checks its games."""
        body = {"ruleset": "azul", "variant": "grey", "seats": [{"kind": "player"}] * 2, "first_seat": 0}
        requests.post(f"{self.api}/games", json=body, headers=bearer(token), timeout=HANG_S).raise_for_status()

    def new_player(self, **profile: Any) -> str:
        """Create a player with this profile. Return their token."""
        answer = self.http.post(f"{self.api}/players", json=profile, timeout=HANG_S)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["token"])

    def played_by(self, program: subprocess.Popen[bytes], created: dict[str, Any]) -> dict[str, Any]:
        """Return the view of a game once it is over or its program has ended."""
        host = bearer(created["tokens"]["host"])
        view: dict[str, Any] = self.get(f"/games/{created['game']['id']}", headers=host).json()
        while view["status"] in ("open", "playing") and program.poll() is None:
            view = self.next_view(view, **host)
        return view

    def get(self, path: str, **options: Any) -> requests.Response:
        """GET, repeated while the service restarts."""
        return self._patiently("GET", path, **options)

    def next_view(self, view: dict[str, Any], **headers: str) -> dict[str, Any]:
        """Return the view of a game after the next event."""
        conditions = {"If-None-Match": f'"{view["revision"]}"', **headers}

        def read_change() -> requests.Response | None:
            answer = self.get(f"/games/{view['id']}?wait=20", headers=conditions)
            return answer if answer.status_code == 200 else None

        return dict(wait_until(read_change, f"an event after {view}").json())

    def act(self, game: str, token: str, action_id: str, revision: int) -> requests.Response:
        """POST an action with an idempotency key, repeated while the service restarts."""
        return self._patiently("POST", f"/games/{game}/actions", **_action(game, token, action_id, revision))

    def send_act(
        self, session: requests.Session, game: str, token: str, action_id: str, revision: int
    ) -> requests.Response:
        """POST an action once. RequestException without an answer."""
        request = _action(game, token, action_id, revision)
        return session.post(f"{self.api}/games/{game}/actions", timeout=HANG_S, **request)

    def _patiently(self, method: str, path: str, **options: Any) -> requests.Response:
        def attempt() -> requests.Response | None:
            try:
                answer = requests.request(method, f"{self.api}{path}", timeout=HANG_S, **options)
            except requests.RequestException:
                return None
            return None if answer.status_code in (500, 502, 503, 504) else answer

        return wait_until(attempt, f"{method} {path}")


class Stack(Service):
    """A running service."""

    def __init__(self, folder: Path, root: Path | str = ROOT, **environment: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        super().__init__(f"{self.url}/v1")
        self.output = folder / "output.log"
        self.data_dir = folder / "var"
        settings = {"PORT": str(self.port), "DATA_DIR": str(self.data_dir), "WORKERS": "2"}
        settings = {**settings, "BACKGROUND_WORKERS": "0", "BACKGROUND_NICE": "0", **environment}
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "service.operate", "serve"],
                cwd=root,
                env={**os.environ, "NO_COLOR": "1", **settings},
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
            )

    def __enter__(self) -> Self:
        try:
            wait_until(self.is_ready, "ready")
        except AssertionError:
            self.stop()
            raise AssertionError(self.output.read_text()) from None
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def redis_url(self) -> str:
        """URL of the embedded Redis."""
        return socket_url(socket_path(self.data_dir), remembered_password(self.data_dir))

    def is_ready(self) -> bool:
        """Return True if /readyz succeeds."""
        if self.process.poll() is not None:
            raise AssertionError(f"the service has ended: {self.output.read_text()}")
        try:
            return requests.get(f"{self.url}/readyz", timeout=HANG_S).status_code == 200
        except requests.RequestException:
            return False

    def stop(self) -> int:
        """Stop the service like an operator."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(HANG_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def pids(self, kind: str) -> list[int]:
        """Return the processes of a kind, parents before children."""
        return list(self.parents(kind))

    def is_compiling(self) -> bool:
        """Return True if rules are being compiled."""
        return any("workers.warm" in _words(pid) for pid in self.family())

    def parents(self, kind: str) -> dict[int, int]:
        """Return the processes of a kind and their parents. A worker's child is its job."""
        return {child: parent for child, parent in self.family().items() if MARKS[kind] in _words(child)}

    def counts(self) -> dict[str, int]:
        """Return the number of running processes of each kind."""
        words = [*map(_words, self.family())]
        return {kind: sum(mark in one for one in words) for kind, mark in MARKS.items()}

    def children(self, kind: str) -> dict[int, int]:
        """Return the processes of a kind started by others of that kind, and their parents."""
        parents = self.parents(kind)
        return {child: parent for child, parent in parents.items() if parent in parents}

    def family(self) -> dict[int, int]:
        """Return all descendants of the first process and their parents, parents before children."""
        children = defaultdict[int, list[int]](list)
        for entry in sorted(int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()):
            with contextlib.suppress(OSError):  # the process has ended
                parent = int(Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[1])
                children[parent].append(entry)
        family, generation = dict[int, int](), [self.process.pid]  # ids wrap around, so a child's may be smaller
        while generation:
            born = {child: parent for parent in generation for child in children[parent]}
            family |= born
            generation = [*born]
        return family

    def kill9(self, kind: str) -> list[int]:
        """Kill -9 all processes of a kind at once."""
        pids = self.pids(kind)
        assert pids, f"no {kind} runs"
        send_signal(signal.SIGKILL, reversed(pids))
        return pids

    @contextlib.contextmanager
    def suspend(self, kind: str) -> Iterator[None]:
        """Suspend all processes of a kind in the block."""
        pids = self.pids(kind)
        send_signal(signal.SIGSTOP, pids)
        try:
            yield
        finally:
            send_signal(signal.SIGCONT, pids)
