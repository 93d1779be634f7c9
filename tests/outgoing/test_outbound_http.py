"""Outgoing calls: permitted URLs and addresses, and limits of responses."""

from __future__ import annotations

import contextlib
import http.server
import itertools
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import trustme

from service.outgoing.outbound_http import CODES, DialError, Policy, are_loopback, call, check_url
from tests.serving import Handler

EVERY_PORT = range(1, 65_536)
LOOPBACK = Policy(enabled=True, loopback=True)
HERE = Policy(enabled=True, ports=EVERY_PORT, loopback=True)
OUT = Policy(enabled=True)
NAME = "bot.example"


class PathHandler(Handler):
    """Respond according to the path."""

    seen: list[tuple[str, dict[str, str], bytes]]
    be_late: Callable[[], object]

    def respond(self) -> None:
        """Record the request and respond."""
        assert (self.command == "POST") == ("Content-Length" in self.headers)
        self.seen.append((self.path, dict(self.headers), self.content if self.command == "POST" else b""))
        if self.path == "/slow":
            self.be_late()
            with contextlib.suppress(OSError):
                self.rfile.read()  # until the caller closes the connection
            return
        if self.path.startswith("/drip"):
            self.drip(in_headers=self.path == "/drip-headers")
            return
        status = {"/redirect": 302, "/missing": 404, "/broken": 500}.get(self.path, 200)
        content = b"x" * 70_000 if self.path == "/huge" else b'{"ok": true}'
        self.send_response(status)
        self.send_header("Location", "http://127.0.0.1:1/secret")
        self.end_headers()
        self.wfile.write(content)  # without Content-Length

    def drip(self, *, in_headers: bool) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\n" if in_headers else b"HTTP/1.1 200 OK\r\n\r\n")
        with contextlib.suppress(OSError):
            for number in itertools.count():
                self.wfile.write(b"X: y\r\n" if in_headers else b"x")
                self.wfile.flush()
                if number == 3:
                    self.be_late()


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def be_late(monkeypatch: pytest.MonkeyPatch) -> Callable[[], object]:
    """Return a function that ends the last call as late. Calls are late only then."""
    ends = list[Callable[[], object]]()

    class Timer(threading.Timer):
        def start(self) -> None:
            ends.append(self.function)

    def end_last() -> None:
        ends[-1]()

    monkeypatch.setattr(threading, "Timer", Timer)
    return end_last


@pytest.fixture
def serve(
    authority: trustme.CA, be_late: Callable[[], object]
) -> Iterator[Callable[..., tuple[int, type[PathHandler]]]]:
    """Return a function that starts a server, with a certificate or without TLS, and returns its port and handler."""
    servers = []

    def start(name: str | None = NAME) -> tuple[int, type[PathHandler]]:
        handler = type("Seeing", (PathHandler,), {"seen": [], "be_late": staticmethod(be_late)})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        if name is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            authority.issue_cert(name).configure_cert(context)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return server.server_address[1], handler

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def resolve_here(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


def call_error(url: str, policy: Policy = OUT, **more: Any) -> str:
    with pytest.raises(DialError) as error:
        call(url, {}, policy, b"{}", **more)
    assert error.value.code in CODES
    return error.value.code


def read_error(url: str, policy: Policy = OUT, **more: Any) -> str:
    with pytest.raises(DialError) as error:
        call(url, {}, policy, **more)
    return error.value.code


def test_response_is_returned_and_the_request_keeps_the_host_name(serve: Any, trusting: ssl.SSLContext) -> None:
    port, seen = serve()
    url = f"https://{NAME}:{port}/move?x=1"
    headers = {"Content-Type": "application/json", "Webhook-Id": "7"}
    assert b'{"ok": true}' == call(url, headers, HERE, b'{"a": 1}', resolve=resolve_here, context=trusting)
    ((path, actual, body),) = seen.seen
    assert ("/move?x=1", f"{NAME}:{port}", "7", b'{"a": 1}') == (path, actual["Host"], actual["Webhook-Id"], body)


def test_get_follows_the_same_rules(serve: Any, trusting: ssl.SSLContext) -> None:
    port, seen = serve()
    here = f"https://{NAME}:{port}"
    assert b'{"ok": true}' == call(f"{here}/keys?x=1", {"X": "7"}, HERE, resolve=resolve_here, context=trusting)
    ((path, actual, _body),) = seen.seen
    assert ("/keys?x=1", f"{NAME}:{port}", "7") == (path, actual["Host"], actual["X"])
    for path, code in (("/redirect", "redirect"), ("/missing", "status"), ("/huge", "large"), ("/drip", "late")):
        assert code == read_error(f"{here}{path}", HERE, resolve=resolve_here, context=trusting)
    assert ["tls", "off"] == [read_error(here, HERE, resolve=resolve_here), read_error(here, Policy())]
    assert "address" == read_error("https://bot.example/", resolve=lambda *_: ["10.0.0.1"])


def test_calls_are_off_by_default() -> None:
    assert "off" == call_error("https://bot.example/", Policy())


@pytest.mark.parametrize(
    "url",
    [
        *("http://bot.example/", "ftp://bot.example/", "//bot.example/", "https://", "https:///path"),
        *("https://user:secret@bot.example/", "https://bot.example/#part", "https://bot.example:port/"),
        *("https://[::1/", "https://\x00/", "https://" + "a" * 70 + ".example/"),
        *("https://bot.example/a\nb", "https://bot.example/a b", "https://bot.example/zügig"),
    ],
)
def test_only_plain_https_urls_are_called(url: str) -> None:
    assert call_error(url, resolve=lambda *_: ["93.184.216.34"]) in ("url", "name")


@pytest.mark.parametrize("port", [22, 80, 6379, 8443])
def test_only_listed_ports_are_called(port: int) -> None:
    assert "port" == call_error(f"https://bot.example:{port}/", resolve=lambda *_: ["93.184.216.34"])


def test_listing_every_port_allows_no_other_addresses_or_schemes() -> None:
    everywhere = Policy(enabled=True, ports=EVERY_PORT)
    assert 8443 == check_url("https://bot.example:8443/", everywhere)[2]
    assert "address" == call_error("https://bot.example:8443/", everywhere, resolve=lambda *_: ["10.0.0.1"])
    assert "url" == call_error("http://bot.example:8443/", everywhere)


INSIDE = {
    "this machine": "127.0.0.1 127.8.9.10 0.0.0.0 ::1 ::",
    "private": "10.0.0.1 172.16.3.4 192.168.1.1 100.64.0.1 fc00::1 fd12:3456::1 fec0::1 feff::1",
    "link-local": "169.254.169.254 fe80::1 fe80::1%eth0",
    "documentation and tests": "192.0.2.1 198.18.0.1 198.51.100.7 203.0.113.9 2001:db8::1",
    "protocols, multicast and broadcast": "192.0.0.8 192.88.99.1 224.0.0.1 240.0.0.1 255.255.255.255 ff02::1",
    "mapped and translated": "::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:93.184.216.34 ::127.0.0.1",
    "tunnels": "64:ff9b::7f00:1 2002:7f00:1:: 2001:0:53aa:64c::1",
}


@pytest.mark.parametrize("address", [address for row in INSIDE.values() for address in row.split()])
def test_addresses_outside_the_public_internet_are_not_called(address: str) -> None:
    assert "address" == call_error("https://bot.example/", resolve=lambda *_: [address])
    assert "address" == call_error("https://bot.example/", resolve=lambda *_: ["93.184.216.34", address])


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "0x7f000001", "2130706433", "0177.0.0.1", "localhost", "127.1"])
def test_this_machine_is_not_called_however_it_is_written(host: str) -> None:
    assert call_error(f"https://{host}/") in ("address", "name")


def test_public_addresses_are_called() -> None:
    for address in ("93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"):
        assert are_loopback([address], OUT) is False


def test_first_address_that_responds_is_called(serve: Any, trusting: ssl.SSLContext) -> None:
    port, _ = serve()
    both = ["127.0.0.2", "127.0.0.1"]  # nobody listens on the first
    assert call(f"https://{NAME}:{port}/", {}, HERE, b"", resolve=lambda *_: both, context=trusting)


def test_name_is_resolved_once(serve: Any, trusting: ssl.SSLContext) -> None:
    """The call uses the first response, which was checked."""
    port, _ = serve()
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    assert call(f"https://{NAME}:{port}/", {}, HERE, b"", resolve=lambda *_: next(answers), context=trusting)
    assert [["10.0.0.1"]] == list(answers)


def test_loopback_policy_allows_only_this_machine() -> None:
    assert "address" == call_error("https://bot.example/", LOOPBACK, resolve=lambda *_: ["10.0.0.1"])
    assert "address" == call_error("https://bot.example/", LOOPBACK, resolve=lambda *_: ["127.0.0.1", "10.0.0.1"])
    assert "url" == call_error("http://localhost/", LOOPBACK, resolve=lambda *_: ["93.184.216.34"])
    assert "port" == call_error("https://localhost:8443/", LOOPBACK, resolve=lambda *_: ["93.184.216.34"])


@pytest.mark.parametrize("host", ["bot.example", "localhost.example", "10.0.0.1", "[fd12::1]", "127.1", "2130706433"])
def test_loopback_policy_allows_http_and_other_ports_only_for_names_of_this_machine(host: str) -> None:
    """The check happens before the name is resolved, so it also applies when a user registers the URL."""
    for url, code in ((f"http://{host}/", "url"), (f"https://{host}:8443/", "port")):
        with pytest.raises(DialError) as error:
            check_url(url, LOOPBACK)
        assert code == error.value.code


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.10", "[::1]"])
def test_loopback_policy_allows_http_and_every_port_for_this_machine(host: str) -> None:
    ports = [
        check_url(f"{url}/move", LOOPBACK)[2] for url in (f"http://{host}", f"http://{host}:1", f"https://{host}:2")
    ]
    assert [80, 1, 2] == ports


def test_loopback_policy_allows_http_on_this_machine(serve: Any) -> None:
    port, _ = serve(None)
    assert b'{"ok": true}' == call(f"http://localhost:{port}/", {}, LOOPBACK, b"", resolve=resolve_here)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        *(("/redirect", "redirect"), ("/missing", "status"), ("/broken", "status"), ("/huge", "large")),
        *((path, "late") for path in ("/slow", "/drip", "/drip-headers")),
    ],
)
@pytest.mark.parametrize("tls", [True, False])
def test_response_must_be_successful_small_and_in_time(
    serve: Any, trusting: ssl.SSLContext, path: str, code: str, *, tls: bool
) -> None:
    port, seen = serve(NAME if tls else None)
    url = f"https://{NAME}:{port}{path}" if tls else f"http://localhost:{port}{path}"
    assert code == call_error(url, HERE, resolve=resolve_here, context=trusting)
    assert 1 == len(seen.seen)  # what it redirects to is not called


def test_certificate_must_match_the_name_and_a_trusted_authority(serve: Any, trusting: ssl.SSLContext) -> None:
    other, seen = serve("another.example")
    assert "tls" == call_error(f"https://{NAME}:{other}/", HERE, resolve=resolve_here, context=trusting)
    port, seen_too = serve()
    assert "tls" == call_error(f"https://{NAME}:{port}/", HERE, resolve=resolve_here)
    assert [] == seen.seen + seen_too.seen


def test_silent_server_is_reported_as_late() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        assert "late" == call_error(f"https://{NAME}:{port}/", HERE, resolve=resolve_here, deadline_s=0.05)
    assert "unreachable" == call_error(f"https://{NAME}:{port}/", HERE, resolve=resolve_here)


def test_unknown_or_slow_name_is_reported() -> None:
    def unknown(*_: object) -> list[str]:
        raise socket.gaierror

    over = threading.Event()

    def hanging(*_: object) -> list[str]:
        over.wait()
        return []

    assert "name" == call_error("https://bot.example/", resolve=unknown)
    assert "name" == call_error("https://bot.example/", resolve=lambda *_: [])
    assert "late" == call_error("https://bot.example/", resolve=hanging, deadline_s=0.05)
    over.set()
