"""Sorted sets of due work: member -> unix ms from which a keeper processes it."""

from __future__ import annotations

from collections.abc import Sequence

from redis import Redis

from service.storage.base.pipelining import ask_all, decode_all


def longest_due(redis: Redis, names: Sequence[str], now_ms: int, count: int) -> list[str]:
    """Return up to `count` members that are due in any of these sets, longest due first."""
    limit = ("WITHSCORES", "LIMIT", 0, count)
    parts = ask_all(redis, (("ZRANGEBYSCORE", name, "-inf", now_ms, *limit) for name in names))
    due = sorted((score, member) for part in parts for member, score in part)
    return [member.decode() for _, member in due[:count]]


def take_due(redis: Redis, names: Sequence[str], now_ms: int, until_ms: int, count: int) -> list[list[str]]:
    """Return up to `count` due members of each set. Postpone them to `until_ms`, so that other keepers skip them."""
    parts = ask_all(redis, (("ZRANGEBYSCORE", name, "-inf", now_ms, "LIMIT", 0, count) for name in names))
    members = [(name, member) for name, due in zip(names, parts, strict=True) for member in due]
    ask_all(redis, (("ZADD", name, "XX", until_ms, member) for name, member in members))
    return [*map(decode_all, parts)]
