"""The network address that rate limits count."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

MAX_ADDRESSES = 10_000  # cached, because parsing is slow


@lru_cache(MAX_ADDRESSES)
def counted_address(address: str) -> str:
    """Return the address without a port; for IPv6 its /64 network, which belongs to one household or machine.

    Return other texts unchanged: proxies may send a name, and Unix sockets have no address.
    """
    if address.startswith("["):
        address = address[1:].partition("]")[0]
    elif address.count(":") == 1:
        address = address.partition(":")[0]
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(parsed), 64), strict=False))
