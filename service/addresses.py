"""What an address that a server listens on means: how it is reached, and by whom."""

from __future__ import annotations

import ipaddress


def reachable_host(host: str) -> str:
    """An address that reaches a server listening on `host` from this machine."""
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # they are read here, not bound
    return everywhere.get(host, host)


def is_loopback(host: str) -> bool:
    """Whether what listens on `host` is reached from this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.casefold() == "localhost"
