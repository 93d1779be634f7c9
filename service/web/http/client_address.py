"""The address by which a caller is counted."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

MAX_ADDRESSES = 10_000  # remembered; parsing one takes longer than asking Flask who it is


@lru_cache(MAX_ADDRESSES)
def counted_as(address: str) -> str:
    """An address as it is counted: of IPv6 the /64, which one household or machine has for itself.

    Some proxies add a port. What is no address (a proxy may tell a name, a Unix socket tells nothing) counts as it is.
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
