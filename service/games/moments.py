"""Moments as the log writes them (RFC 3339, UTC, milliseconds) and as one computes with them (unix milliseconds)."""

from __future__ import annotations

from datetime import UTC, datetime


def rfc3339(unix_ms: int) -> str:
    """The moment in UTC, to the millisecond."""
    return datetime.fromtimestamp(unix_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def unix_ms(moment: str) -> int:
    """What `rfc3339` was given."""
    return round(datetime.fromisoformat(moment).timestamp() * 1000)


def later(moment: str, seconds: int) -> str:
    """The moment so many seconds after."""
    return rfc3339(unix_ms(moment) + 1000 * seconds)
