"""The samples of deploy/proxy in front of a real service."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests
from requests.adapters import HTTPAdapter

from service.operate.redis.launcher import EmbeddedRedis
from tests.deploy.samples import DEPLOY
from tests.deploy.servers import write_certificate
from tests.e2e.stack import free_port
from tests.patience import HANG_S, wait_until
from tests.serving import Handler, served_by

SITE = "games.example.org"
ON_DEBIAN = f"{os.environ['PATH']}:/usr/sbin"
NGINX, CADDY = (shutil.which(name, path=ON_DEBIAN) for name in ("nginx", "caddy"))
PEOPLE = [{"kind": "player", "name": name} for name in ("Ana", "Ben")]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has more addresses than 127.0.0.1 at once")


class From(HTTPAdapter):
    """Connect from another address of this machine."""

    def __init__(self, address: str) -> None:
        self._address = address
        super().__init__()

    def init_poolmanager(self, *arguments: Any, **named: Any) -> None:
        """Bind connections to the address."""
        super().init_poolmanager(*arguments, **named, source_address=(self._address, 0))


@dataclass
class Proxied:
    """A service put_proxy a proxy."""

    url: str
    ca: Path

    def client(self, address: str = "127.0.0.1") -> requests.Session:
        """Return a client at this address."""
        session = requests.Session()
        session.mount("https://", From(address))
        session.trust_env = False  # REQUESTS_CA_BUNDLE would come before `verify`
        session.verify = str(self.ca)
        return session


@contextmanager
def nginx(upstream: str, folder: Path) -> Iterator[Proxied]:
    port, ca = free_port(), write_certificate(folder)
    site = (DEPLOY / "proxy" / "nginx.conf").read_text("utf-8")
    for sample, replacement in (
        ("127.0.0.1:8000", upstream.removeprefix("http://")),
        ("    listen 80;\n    listen [::]:80;\n", f"    listen 127.0.0.1:{free_port()};\n"),
        ("    listen 443 ssl http2;\n    listen [::]:443 ssl http2;\n", f"    listen 127.0.0.1:{port} ssl http2;\n"),
        (f"/etc/letsencrypt/live/{SITE}", str(folder)),
        (f"server_name {SITE}", "server_name 127.0.0.1"),
    ):
        assert sample in site
        site = site.replace(sample, replacement)
    (folder / "site.conf").write_text(site)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    rooms = "".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    whole = f"pid {folder}/pid; error_log stderr; events {{}} http {{ access_log off; {rooms} include site.conf; }}"
    (folder / "nginx.conf").write_text(f"daemon off; {whole}")
    with program([str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf")], folder):
        yield Proxied(f"https://127.0.0.1:{port}", ca)


@contextmanager
def caddy(upstream: str, folder: Path) -> Iterator[Proxied]:
    port = free_port()
    local = f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {free_port()}\n}}\nimport {DEPLOY}/proxy/Caddyfile\n"
    (folder / "Caddyfile").write_text(local)
    settings = {"SITE_ADDRESS": f"https://127.0.0.1:{port}", "UPSTREAM": upstream.removeprefix("http://")}
    rooms = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    command = [str(CADDY), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    with program(command, folder, **settings, **rooms):  # Caddy's own authority issues certificates for addresses
        yield Proxied(f"https://127.0.0.1:{port}", folder / "caddy" / "pki" / "authorities" / "local" / "root.crt")


@contextmanager
def program(command: list[str], folder: Path, **environment: str) -> Iterator[None]:
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=output, stderr=subprocess.STDOUT)
    try:
        yield
        assert process.poll() is None, (folder / "output").read_text()
    finally:
        process.terminate()
        process.wait()


PROXIES = [
    pytest.param(proxy, marks=pytest.mark.skipif(binary is None, reason=f"there is no {proxy.__name__}"))
    for proxy, binary in ((nginx, NGINX), (caddy, CADDY))
]


@pytest.fixture(params=PROXIES, ids=lambda proxy: proxy.__name__)
def put_proxy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Proxied]]:
    """Return a function that puts a proxy in front of an address. The test runs with each proxy."""
    with ExitStack() as ended:

        def start(upstream: str) -> Proxied:
            proxied: Proxied = ended.enter_context(request.param(upstream, tmp_path))

            def is_reached() -> bool:
                try:
                    return proxied.ca.exists() and proxied.client().get(f"{proxied.url}/healthz", timeout=HANG_S).ok
                except requests.RequestException:
                    return False

            wait_until(is_reached, "the proxy passes requests on")
            return proxied

        yield start


class Echo(Handler):
    """Respond with the headers of the request."""

    def respond(self) -> None:
        self.answer(json.dumps(dict(self.headers.items())).encode())


@pytest.fixture
def echo() -> Iterator[str]:
    """Yield the address of a server that echoes headers."""
    with served_by(Echo) as url:
        yield url


def test_proxy_replaces_forwarded_headers_of_the_client(put_proxy: Callable[[str], Proxied], echo: str) -> None:
    proxied = put_proxy(echo)
    lies = {"For": "203.0.113.9", "Host": "evil.example", "Prefix": "/evil", "Proto": "http"}
    headers = {f"X-Forwarded-{name}": value for name, value in lies.items()} | {"X-Request-Id": "asked-by-the-test"}
    answer = proxied.client("127.0.0.2").get(f"{proxied.url}/v1/levels", headers=headers, timeout=HANG_S)
    actual = {name.lower(): value for name, value in answer.json().items()}
    expected = {"for": "127.0.0.2", "host": proxied.url.removeprefix("https://"), "proto": "https", "prefix": None}
    assert expected == {name: actual.get(f"x-forwarded-{name}") for name in expected}
    assert "asked-by-the-test" == actual["x-request-id"]


def test_proxy_passes_events_at_once_and_limits_apply_to_each_client(
    put_proxy: Callable[[str], Proxied], serve: Callable[..., str], valkey: EmbeddedRedis, redis_client: object
) -> None:
    proxied = put_proxy(serve(REDIS_URL=valkey.url, TRUSTED_PROXIES="1", LIMIT_GAMES="2/60"))
    client = proxied.client("127.0.0.2")
    for form in ("text/event-stream", "application/x-ndjson"):
        answer = create(client, proxied.url)
        assert requests.codes.created == answer.status_code, answer.text
        assert ["snapshot", "action"] == first_kinds(client, proxied.url, answer.json(), form)
    assert requests.codes.too_many_requests == create(client, proxied.url).status_code
    assert requests.codes.created == create(proxied.client("127.0.0.3"), proxied.url).status_code


def create(client: requests.Session, url: str) -> requests.Response:
    """Create a game of two people."""
    body = {"ruleset": "azul", "variant": "grey", "seats": PEOPLE}
    return client.post(f"{url}/v1/games", json=body, timeout=HANG_S)


def first_kinds(client: requests.Session, url: str, created: dict[str, Any], form: str) -> list[str]:
    """Return the kinds of the first events of a stream, with an action after the snapshot.

    A proxy that buffers would deliver the action with the next keep-alive, 15 s later.
    """
    path = f"{url}/v1/games/{created['game']['id']}"
    kinds = list[str]()
    with client.get(f"{path}/events", headers={"Accept": form}, stream=True, timeout=HANG_S) as stream:
        for line in stream.iter_lines(chunk_size=1):
            text = line.decode().removeprefix("data: ")
            if not text.startswith("{"):
                assert not kinds or text in ("", f"id: {created['game']['revision'] + 1}"), "a keep-alive came first"
                continue
            kinds.append(json.loads(text)["kind"])
            if len(kinds) > 1:
                return kinds
            act(client, path, created)
    return kinds


def act(client: requests.Session, path: str, created: dict[str, Any]) -> None:
    """Play the first legal action."""
    token = created["tokens"]["seats"][str(created["game"]["to_decide"])]
    legal = client.get(f"{path}/actions", timeout=HANG_S).json()
    body = {"id": legal["actions"][0]["id"], "revision": legal["revision"]}
    answer = client.post(f"{path}/actions", json=body, headers={"Authorization": f"Bearer {token}"}, timeout=HANG_S)
    assert requests.codes.created == answer.status_code, answer.text
