"""HTTP client for URLs that users or operators provide. All outgoing calls use it.

A call needs an https URL, an allowed port and a host name whose addresses are all public. The connection uses a checked
address and never resolves the name again, but the certificate must be valid for the name. Redirects are not followed.
`DEADLINE_S` limits the whole call, even if the response arrives slowly, and `MAX_RESPONSE_BYTES` its size. For
development, `Policy.loopback` also allows this machine: URLs of `localhost` and loopback addresses may use http and any
port.

Callers get only the body or an error code, never a message of the network. Otherwise a user could explore hosts behind
the firewall.
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

from service.addresses import is_loopback

DEADLINE_S = 5.0
MAX_RESPONSE_BYTES = 64 * 1024
FORBIDDEN_RANGES = (
    *("192.0.0.0/24", "192.88.99.0/24"),  # IETF protocol assignments; 6to4 relays
    *("2002::/16", "2001::/32", "64:ff9b::/96", "64:ff9b:1::/48", "::/96"),  # embed an IPv4 address
    "fec0::/10",  # site-local, deprecated
)
FORBIDDEN = tuple(map(ipaddress.ip_network, FORBIDDEN_RANGES))
TARGET = re.compile(r"[!-~]*")  # other characters must be percent-encoded
HOST = re.compile(r"[A-Za-z0-9.:_-]{1,253}")
CODES = ("off", "url", "port", "name", "address", "unreachable", "tls", "late", "redirect", "large", "status")
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], list[str]]


class DialError(Exception):
    """A call without a usable response. `code`: one of CODES; `status`: HTTP status, for code `status`."""

    def __init__(self, code: str, status: int | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.status = status


@dataclass(frozen=True)
class Policy:
    """Calls that the operator allows. `loopback`: also calls to this machine."""

    enabled: bool = False
    ports: Collection[int] = frozenset({443})
    loopback: bool = False


def resolve_host(host: str, port: int) -> list[str]:
    """Return all addresses of a host name."""
    return [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def is_public(address: Address) -> bool:
    """Return whether the address belongs to the public internet. Addresses that embed another do not."""
    if any(address in network for network in FORBIDDEN) or getattr(address, "ipv4_mapped", None) is not None:
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def are_loopback(addresses: list[str], policy: Policy) -> bool:
    """Return whether all addresses are loopback. Raises DialError if one of them is not allowed."""
    if not addresses:
        raise DialError("name")
    parsed = [ipaddress.ip_address(address.partition("%")[0]) for address in addresses]
    if policy.loopback and all(address.is_loopback for address in parsed):
        return True
    if not all(is_public(address) for address in parsed):
        raise DialError("address")
    return False


def check_url(url: str, policy: Policy) -> tuple[SplitResult, str, int]:
    """Return parts, host and port of an allowed URL. Raises DialError: off, url, port."""
    if not policy.enabled:
        raise DialError("off")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
        name = "" if host is None else host.encode("idna").decode("ascii")
    except ValueError:
        raise DialError("url") from None
    is_local = policy.loopback and is_loopback(name)
    is_plain = parts.scheme == "http" and is_local
    if (
        not url.isprintable()
        or not HOST.fullmatch(name)
        or not TARGET.fullmatch(parts.path + parts.query)
        or parts.username
        or parts.password
        or parts.fragment
        or not (parts.scheme == "https" or is_plain)
    ):
        raise DialError("url")
    port = port or (80 if is_plain else 443)
    if port not in policy.ports and not is_local:
        raise DialError("port")
    return parts, name, port


def authority_of(url: str) -> str:
    """Return host and port of a URL that was checked before, such as `bot.example:443`."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or (80 if parts.scheme == 'http' else 443)}"


def call(
    url: str,
    headers: Mapping[str, str],
    policy: Policy,
    body: bytes | None = None,
    *,
    resolve: Resolve = resolve_host,
    context: ssl.SSLContext | None = None,
    deadline_s: float = DEADLINE_S,
) -> bytes:
    """Return the body of a 2xx response to a POST of the body, or to a GET without one.

    `deadline_s` includes the name lookup. Raises DialError if there is no such response.
    """
    end = time.monotonic() + deadline_s
    parts, host, port = check_url(url, policy)
    addresses = _resolve_in_time(resolve, host, port, deadline_s)
    if not are_loopback(addresses, policy) and (parts.scheme == "http" or port not in policy.ports):
        raise DialError("url" if parts.scheme == "http" else "port")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    timed = TimedSocket(end)
    try:
        timed.connect(addresses, port)
        if parts.scheme == "https":
            timed.start_tls(context or ssl.create_default_context(), host)
        connection = http.client.HTTPConnection(host, port)
        connection.sock = timed.socket
        connection.request("GET" if body is None else "POST", target, body, {**headers, "Connection": "close"})
        content = _read(connection.getresponse())
    except (OSError, http.client.HTTPException) as error:
        code = "tls" if isinstance(error, ssl.SSLError) else "unreachable"
        raise DialError("late" if timed.is_late() else code) from None
    else:
        if timed.is_late():  # a response that was cut off may look complete
            raise DialError("late")
        return content
    finally:
        timed.close()


class TimedSocket:
    """A socket that is shut down at the deadline, whatever it is doing. `end`: by the monotonic clock."""

    def __init__(self, end: float) -> None:
        self.socket: socket.socket | None = None
        self._end = end
        self._was_cut = threading.Event()
        self._timer = threading.Timer(self._remaining_s(), self._shut_down)
        self._timer.daemon = True
        self._timer.start()

    def connect(self, addresses: list[str], port: int) -> None:
        """Connect to the first address that accepts the connection. Raises OSError if none does."""
        for number, address in enumerate(addresses, 1):
            try:
                self.socket = socket.create_connection((address, port), timeout=self._remaining_s())
            except OSError:
                if number == len(addresses):
                    raise
            else:
                return

    def start_tls(self, context: ssl.SSLContext, host: str) -> None:
        """Start TLS. The certificate must be valid for the host name."""
        wrapped = context.wrap_socket(self.socket, server_hostname=host, do_handshake_on_connect=False)  # type: ignore[arg-type]
        self.socket = wrapped
        wrapped.do_handshake()

    def is_late(self) -> bool:
        """Return whether the deadline has passed."""
        return self._was_cut.is_set() or time.monotonic() >= self._end

    def close(self) -> None:
        """Close the socket and stop the timer."""
        self._timer.cancel()
        if self.socket is not None:
            self.socket.close()

    def _remaining_s(self) -> float:
        remaining = self._end - time.monotonic()
        if remaining <= 0:
            raise DialError("late")
        return remaining

    def _shut_down(self) -> None:
        self._was_cut.set()
        with contextlib.suppress(OSError):
            if self.socket is not None:
                # SSLSocket.shutdown would drop the TLS state that another thread is still using.
                socket.socket.shutdown(self.socket, socket.SHUT_RDWR)


def _resolve_in_time(resolve: Resolve, host: str, port: int, seconds: float) -> list[str]:
    """Return the addresses of a host. A resolver that hangs is abandoned in its thread."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(resolve, host, port).result(seconds)
    except FutureTimeoutError:
        raise DialError("late") from None
    except (OSError, UnicodeError):
        raise DialError("name") from None
    finally:
        pool.shutdown(wait=False)


def _read(response: http.client.HTTPResponse) -> bytes:
    if 300 <= response.status < 400:
        raise DialError("redirect")
    if not 200 <= response.status < 300:
        raise DialError("status", response.status)
    content = response.read(MAX_RESPONSE_BYTES + 1)
    if len(content) > MAX_RESPONSE_BYTES:
        raise DialError("large")
    return content
