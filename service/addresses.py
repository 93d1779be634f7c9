"""What an address that a server listens on means: how it is reached, and by whom; and the secrets in a URL."""

from __future__ import annotations

import ipaddress
import re


def reachable_host(host: str) -> str:
    """An address that reaches a server listening on `host` from this machine."""
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # they are read here, not bound  # noqa: S104  # they are read here, not bound
    return everywhere.get(host, host)


def is_loopback(host: str) -> bool:
    """Whether what listens on `host` is reached from this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.casefold() == "localhost"


def passwords(url: str) -> list[str]:
    """The passwords in a URL, as they stand there: before the host, or in the query."""
    credentials, at, _ = url.partition("://")[2].rpartition("@")
    before = [credentials.partition(":")[2]] if at else []
    return [hidden for hidden in (*before, *re.findall(r"[?&]password=([^&]*)", url)) if hidden]


def without_passwords(urls: str) -> str:
    """A URL as it may be shown, or several that are divided by blanks."""
    for url in urls.split():
        for password in passwords(url):
            urls = urls.replace(password, "***")
    return urls
