"""Conversion between times in a log (RFC 3339, UTC, milliseconds) and unix milliseconds."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache

LATEST_MS = 221_845_392_000_000  # the year 9000, so that later deadlines still have four-digit years
RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


def rfc3339(unix_ms: int) -> str:
    """Return the time in RFC 3339, in UTC with milliseconds."""
    seconds, ms = divmod(unix_ms, 1000)
    return f"{_to_the_second(seconds)}.{ms:03}Z"


@lru_cache(64)
def _to_the_second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


@lru_cache(64)
def unix_ms(moment: str) -> int:
    """Return the unix milliseconds of a result of `rfc3339`."""
    return round(datetime.fromisoformat(moment).timestamp() * 1000)


def parse_ms(text: object) -> int:
    """Return the unix milliseconds of an RFC 3339 time in any zone. Raise ValueError unless it is in 1970 to 9000."""
    if not isinstance(text, str) or not RFC_3339.fullmatch(text):
        raise ValueError("it is not RFC 3339")
    try:
        ms = unix_ms(text.upper())
    except OverflowError:
        ms = -1
    if not 0 <= ms <= LATEST_MS:
        raise ValueError("it is not of the years 1970 to 9000")
    return ms


def seconds_until(until_ms: int, now_ms: int) -> int:
    """Return the seconds from now until a time in unix milliseconds, rounded up, and at least 1: for Retry-After."""
    return max(1, -((now_ms - until_ms) // 1000))


def add_seconds(moment: str, seconds: int) -> str:
    """Return the time that many seconds later, in RFC 3339."""
    return rfc3339(unix_ms(moment) + 1000 * seconds)
