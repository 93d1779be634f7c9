"""Calling out: the one place from which anything here connects to an address that somebody else has named.

A URL is called only if it is https, to a listed port, and if every address that its name resolves to is one of the
public internet. The connection goes to an address that was looked at, never to a name that is resolved again; the name
is kept for the certificate. Redirects are not followed. An answer has DEADLINE_S in all and MAX_BYTES, and whoever
drips it slowly is cut off. For development, loopback addresses may be called, and then without TLS, too.

Nothing of an answer but its status and body goes on from here, and what is wrong is told by a code, never by what the
network said: whoever names a URL must not learn what stands behind a firewall.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

DEADLINE_S = 5.0
MAX_RESPONSE_BYTES = 64 * 1024
FORBIDDEN_RANGES = (
    *("192.0.0.0/24", "192.88.99.0/24"),  # of the protocols themselves; relays of 6to4
    *("2002::/16", "2001::/32", "64:ff9b::/96", "64:ff9b:1::/48", "::/96"),  # that carry an IPv4 address
    "fec0::/10",  # once local to a site
)
FORBIDDEN = tuple(map(ipaddress.ip_network, FORBIDDEN_RANGES))
TARGET = re.compile(r"[!-~]*")  # other characters must be percent-encoded in the given URL
HOST = re.compile(r"[A-Za-z0-9.:_-]{1,253}")
CODES = ("off", "url", "port", "name", "address", "unreachable", "tls", "late", "redirect", "large", "status")
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], list[str]]


class DialError(Exception):
    """Why nothing came back. `code`: one of CODES; `status`: of the answer, where it is that."""

    def __init__(self, code: str, status: int | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.status = status


@dataclass(frozen=True)
class Policy:
    """What the operator allows. `loopback`: also http and https to this very machine, on any port."""

    enabled: bool = False
    ports: Collection[int] = frozenset({443})
    loopback: bool = False


def resolved(host: str, port: int) -> list[str]:
    """Every address of a name."""
    return [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def is_public(address: Address) -> bool:
    """Whether it is an address of the public internet, whatever it is dressed up as."""
    if any(address in network for network in FORBIDDEN) or getattr(address, "ipv4_mapped", None) is not None:
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def vetted(addresses: list[str], policy: Policy) -> bool:
    """Whether the addresses are this machine's. DialError unless all of them may be called."""
    if not addresses:
        raise DialError("name")
    known = [ipaddress.ip_address(address.partition("%")[0]) for address in addresses]
    if policy.loopback and all(address.is_loopback for address in known):
        return True
    if not all(is_public(address) for address in known):
        raise DialError("address")
    return False


def checked(url: str, policy: Policy) -> tuple[SplitResult, str, int]:
    """(parts, host, port) of a URL that may be called at all. DialError: off, url, port."""
    if not policy.enabled:
        raise DialError("off")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
        name = "" if host is None else host.encode("idna").decode("ascii")
    except ValueError:
        raise DialError("url") from None
    plain = parts.scheme == "http" and policy.loopback
    if (
        not url.isprintable()
        or not HOST.fullmatch(name)
        or not TARGET.fullmatch(parts.path + parts.query)
        or parts.username
        or parts.password
        or parts.fragment
        or not (parts.scheme == "https" or plain)
    ):
        raise DialError("url")
    port = port or (80 if plain else 443)
    if port not in policy.ports and not policy.loopback:
        raise DialError("port")
    return parts, name, port


def call(
    url: str,
    headers: Mapping[str, str],
    policy: Policy,
    body: bytes | None = None,
    *,
    resolve: Resolve = resolved,
    context: ssl.SSLContext | None = None,
    deadline_s: float = DEADLINE_S,
) -> bytes:
    """Return the body of a 2xx response to a POST of the body, or to a GET without one.

    `deadline_s` includes the name lookup. DialError: no such response.
    """
    end = time.monotonic() + deadline_s
    parts, host, port = checked(url, policy)
    addresses = _resolved_in_time(resolve, host, port, deadline_s)
    if not vetted(addresses, policy) and (parts.scheme == "http" or port not in policy.ports):
        raise DialError("url" if parts.scheme == "http" else "port")
    line = Line(end)
    try:
        line.open(addresses, port)
        if parts.scheme == "https":
            line.secure(context or ssl.create_default_context(), host)
        connection = http.client.HTTPConnection(host, port)
        connection.sock = line.held
        content = _exchanged(connection, parts, headers, body)
    except (OSError, http.client.HTTPException) as error:
        wrong = "tls" if isinstance(error, ssl.SSLError) else "unreachable"
        raise DialError("late" if line.is_late() else wrong) from None
    else:
        if line.is_late():  # what was cut may look like an end
            raise DialError("late")
        return content
    finally:
        line.close()


def _exchanged(
    connection: http.client.HTTPConnection, parts: SplitResult, headers: Mapping[str, str], body: bytes | None
) -> bytes:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection.request("GET" if body is None else "POST", target, body, {**headers, "Connection": "close"})
    return _read(connection.getresponse())


class Line:
    """A connection that is cut at the deadline, whatever it is doing then."""

    def __init__(self, end: float) -> None:
        self.held: socket.socket | None = None
        self._end = end
        self._cut = threading.Event()
        self._timer = threading.Timer(self._left(), self._shut)
        self._timer.daemon = True
        self._timer.start()

    def open(self, addresses: list[str], port: int) -> None:
        """Connect to the first that answers of the addresses that were looked at. OSError if none does."""
        for number, address in enumerate(addresses, 1):
            try:
                self.held = socket.create_connection((address, port), timeout=self._left())
            except OSError:
                if number == len(addresses):
                    raise
            else:
                return

    def secure(self, context: ssl.SSLContext, host: str) -> None:
        """TLS; the certificate must be of the name."""
        wrapped = context.wrap_socket(self.held, server_hostname=host, do_handshake_on_connect=False)  # type: ignore[arg-type]
        self.held = wrapped
        wrapped.do_handshake()

    def is_late(self) -> bool:
        """Whether it was cut, or should have been."""
        return self._cut.is_set() or time.monotonic() >= self._end

    def close(self) -> None:
        """It is over."""
        self._timer.cancel()
        if self.held is not None:
            self.held.close()

    def _left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise DialError("late")
        return left

    def _shut(self) -> None:
        self._cut.set()
        with contextlib.suppress(OSError):
            if self.held is not None:
                socket.socket.shutdown(self.held, socket.SHUT_RDWR)  # not SSLSocket's, which forgets its key first


def _resolved_in_time(resolve: Resolve, host: str, port: int, seconds: float) -> list[str]:
    """A resolver may hang; then it is left to itself."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(resolve, host, port).result(seconds)
    except FutureTimeoutError:
        raise DialError("late") from None
    except (OSError, UnicodeError):
        raise DialError("name") from None
    finally:
        pool.shutdown(wait=False)


def _read(answer: http.client.HTTPResponse) -> bytes:
    if 300 <= answer.status < 400:
        raise DialError("redirect")
    if not 200 <= answer.status < 300:
        raise DialError("status", answer.status)
    content = answer.read(MAX_RESPONSE_BYTES + 1)
    if len(content) > MAX_RESPONSE_BYTES:
        raise DialError("large")
    return content
