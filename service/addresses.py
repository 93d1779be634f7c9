"""Listening addresses, addresses of Redis servers, and passwords in URLs."""

from __future__ import annotations

import ipaddress
import re

CLUSTER_PORT, SENTINEL_PORT = 6379, 26379
"""Ports of nodes and sentinels that are named without one."""


def reachable_host(host: str) -> str:
    """Return an address at which this machine reaches a server that listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # the address is not bound here


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a server that listens on `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.casefold() == "localhost"


def addresses(names: str, default_port: int) -> list[tuple[str, int]]:
    """Return host and port of each of `host`, `host:port` and `[v6]:port`, separated by commas. Raises ValueError."""
    found = list[tuple[str, int]]()
    for name in names.split(","):
        match = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s:/?@\[\]]+))(?::([0-9]{1,5}))?", name)
        if match is None or not 0 < int(match[3] or default_port) < 65_536:
            raise ValueError(f"expected host:port of a Redis server, not {name!r}")
        found.append((match[1] or match[2], int(match[3] or default_port)))
    return found


def passwords(url: str) -> list[str]:
    """Return the passwords in a URL, before the host and in the query, in their encoded form."""
    credentials, at, _ = url.partition("://")[2].rpartition("@")
    before = [credentials.partition(":")[2]] if at else []
    return [password for password in (*before, *re.findall(r"[?&]password=([^&]*)", url)) if password]


def without_passwords(urls: str) -> str:
    """Return URLs, separated by blanks, with `***` instead of their passwords."""
    for url in urls.split():
        for password in passwords(url):
            urls = urls.replace(password, "***")
    return urls
