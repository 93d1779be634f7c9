"""The index of players by creation, ban, handle and name, for the staff.

An entry is a field, a colon, its content, a zero byte and the player's id. The entries of a bucket are one sorted set,
in the order of their bytes. The transaction that changes a player changes their entries. Entries of expired players,
and those of a change that lost a race, stay: readers skip and remove them, and the keepers check some at random.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

from service.storage.base.bucket_store import BucketStore
from service.storage.base.pipelining import ask_all
from service.storage.base.transactions import Transaction

BY_CREATION, BY_BAN, BY_HANDLE, BY_NAME = "created_at", "banned_at", "handle", "name"
INDEXED = (BY_CREATION, BY_BAN, BY_HANDLE, BY_NAME)
NEWEST_FIRST = (BY_CREATION, BY_BAN)
"""Fields whose pages begin with the last content."""
CHECKED_PER_SWEEP = 50  # entries of each bucket
LAST = b"\xff"
"""A byte that no text in UTF-8 contains."""


def entry_of(field: str, content: str, player_id: str) -> str:
    """Return the entry of a field of a player."""
    return f"{field}:{content.casefold()}\0{player_id}"


def entries_of(profile: Mapping[str, Any], player_id: str) -> list[str]:
    """Return all entries of a player with these fields."""
    return [entry_of(field, profile[field], player_id) for field in INDEXED if profile.get(field)]


def change_entries(
    change: Transaction,
    index: str,
    player_id: str,
    before: Mapping[str, str],
    fields: Mapping[str, Any],
    dropped: Container[str],
    ttl_ms: int | None,
) -> None:
    """Add the changes of the entries of a player to a transaction that sets and drops these fields.

    `ttl_ms`: the new lifetime of the player; None keeps it, and 0 deletes them.
    """
    for field in INDEXED:
        if field in before and (ttl_ms == 0 or field in fields or field in dropped):
            change.run("ZREM", index, entry_of(field, before[field], player_id))
        if field in fields:
            change.run("ZADD", index, 0, entry_of(field, fields[field], player_id))
    if ttl_ms:
        change.run("OUTLIVE", index, ttl_ms)


class PlayerIndex(BucketStore):
    """Reads the index."""

    def page(self, field: str, prefix: str, after: str | None, count: int) -> list[str]:
        """Return up to `count` entries of a field whose content begins with a prefix, behind the entry `after`.

        Entries of `NEWEST_FIRST` are in descending order, others ascending. Raises `ValueError` if `after` is none of
        these entries.
        """
        begin = f"{field}:{prefix.casefold()}".encode()
        if after is not None and not after.encode().startswith(begin):
            raise ValueError("not an entry of this page")
        low, high, backwards = b"[" + begin, b"(" + begin + LAST, field in NEWEST_FIRST
        if after is not None:
            low, high = (low, b"(" + after.encode()) if backwards else (b"(" + after.encode(), high)
        bounds = (high, low, "BYLEX", "REV") if backwards else (low, high, "BYLEX")
        buckets = self._keys.all_buckets()
        parts = ask_all(self._redis, (("ZRANGE", one.player_index, *bounds, "LIMIT", 0, count) for one in buckets))
        return [one.decode() for one in sorted((one for part in parts for one in part), reverse=backwards)[:count]]

    def remove(self, entries: Iterable[str]) -> None:
        """Remove entries."""
        keys = ((self._keys.home(one.rpartition("\0")[2]).player_index, one) for one in entries)
        ask_all(self._redis, (("ZREM", key, one) for key, one in keys))

    def sweep(self) -> None:
        """Check some entries of each bucket, and remove those of expired players."""
        buckets = [*self._keys.all_buckets()]
        drawn = ask_all(self._redis, (("ZRANDMEMBER", one.player_index, CHECKED_PER_SWEEP) for one in buckets))
        entries = [entry.decode() for part in drawn for entry in part]
        players = [self._keys.player(entry.rpartition("\0")[2]) for entry in entries]
        replies = ask_all(self._redis, (("EXISTS", player) for player in players))
        self.remove(entry for entry, is_found in zip(entries, replies, strict=True) if not is_found)
