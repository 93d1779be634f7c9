"""Players: their profiles, tokens, identities and relations to others.

A player has several tokens, one for each device. Only digests are stored. The key of a player is in the bucket of the
player's id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any, NamedTuple, cast

import orjson
from redis import Redis

from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.follow_ups import DueFollowUp, LogEntry
from service.storage.base.keys import Buckets, games_channel
from service.storage.base.pipelining import Question, ask, ask_all, decode_fields, raise_errors
from service.storage.base.transactions import APPLIED, Read, Transaction, exists
from service.storage.people.game_lists import GameLists
from service.storage.people.player_index import PlayerIndex, change_entries, entries_of

MAX_TOKENS = 10
PLAY, READ = "play", "read"
SCOPES = (PLAY, READ)
TOKEN_ID_DIGITS = 16
CHANGED, FULL = "changed", "full"
NEW = ("created_at", "")
"""A field and its content that identify a player who does not exist yet."""
PROFILE = ("created_at", "name", "bot", "colour", "country", "handle", "handle_at", "banned_at")
TOKEN = "token:"  # noqa: S105 - the prefix of fields
LINKED = "identity:"
OLD_TOKEN = "token"  # noqa: S105 - the name of a field
"""The field in which older versions stored the digest of a player's only token. It has all scopes."""


class Relation(NamedTuple):
    """A relation of a player to others: the prefix of its fields, and how many others there may be."""

    prefix: str
    most: int


BLOCKED, FOLLOWED = Relation("blocked:", 200), Relation("following:", 200)


class StoredToken(NamedTuple):
    """A token, stored under its digest."""

    digest: str
    name: str | None
    scopes: tuple[str, ...]
    created_at: str
    used_at: str | None = None
    """Time of its last use, with a precision of a hundredth of PLAYER_TTL_S."""
    is_old: bool = False
    """True if an older version stored it as the player's only token."""

    @property
    def id(self) -> str:
        """A public id, which does not reveal the token."""
        return self.digest[:TOKEN_ID_DIGITS]

    @property
    def field(self) -> str:
        """The field of the player's hash."""
        return OLD_TOKEN if self.is_old else f"{TOKEN}{self.digest}"

    def to_bytes(self) -> bytes:
        """Return the content of the field."""
        if self.is_old:
            return self.digest.encode()
        return orjson.dumps((self.name, self.scopes, self.created_at, self.used_at))

    def entry(self) -> tuple[str, bytes]:
        """Return the field and its content."""
        return self.field, self.to_bytes()


class StoredIdentity(NamedTuple):
    """An identity of a player. `name`: the reserved name; `linked_at`: RFC 3339."""

    name: str
    linked_at: str

    def entry(self, provider: str) -> tuple[str, bytes]:
        """Return the field of the player's hash and its content."""
        return f"{LINKED}{provider}", orjson.dumps((self.name, self.linked_at))


@dataclass(frozen=True)
class StoredPlayer:
    """The profile of a player."""

    id: str
    created_at: str
    name: str | None = None
    bot: bool = False
    colour: str | None = None
    country: str | None = None
    handle: str | None = None
    handle_at: int | None = None
    """Unix ms of the last change of the handle."""
    banned_at: str | None = None
    """RFC 3339; None if the player is not banned."""
    token: StoredToken | None = None
    """The token of the request, if it belongs to the player."""
    ttl_s: int = field(default=0, compare=False)
    """Remaining lifetime."""

    @property
    def display_name(self) -> str | None:
        """The name at the player's seats: their name, or else their handle."""
        return self.name or self.handle

    def fields(self) -> dict[str, str]:
        """Return the fields of the profile that are set."""
        members = {name: getattr(self, name) for name in PROFILE}
        return {name: "1" if value is True else str(value) for name, value in members.items() if value}


class Players(GameLists):
    """Reads and writes players."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        super().__init__(redis, buckets)
        self.index = PlayerIndex(redis, buckets)

    # ------------------------------------------------------------------------------------------------- writing

    def create(self, player: StoredPlayer, token: StoredToken, ttl_s: int) -> bool:
        """Store a new player for `ttl_s`. Return False if there is one with this id."""
        fields: dict[str, str | bytes] = {**player.fields(), token.field: token.to_bytes()}
        return self._write(player.id, NEW, fields, ttl_ms=1000 * ttl_s, profile={}) == APPLIED

    def change(
        self,
        player: StoredPlayer,
        changes: Mapping[str, str | None],
        *,
        unchanged: str = "created_at",
        follow_up: DueFollowUp | None = None,
        log_entry: LogEntry | None = None,
    ) -> bool:
        """Change fields of the profile; None deletes a field. Return False if the field `unchanged` has changed."""
        fields = {name: value for name, value in changes.items() if value is not None}
        dropped = [name for name, value in changes.items() if value is None]
        entry = (unchanged, player.fields().get(unchanged, ""))
        word = self._write(
            player.id, entry, fields, dropped, follow_up=follow_up, log_entry=log_entry, profile=player.fields()
        )
        return word == APPLIED

    def link(self, player: StoredPlayer, provider: str, identity: StoredIdentity, follow_up: DueFollowUp) -> bool:
        """Add an identity. Return False if the player has one of this provider, or does not exist."""
        name, content = identity.entry(provider)
        return self._write(player.id, (name, ""), {name: content}, follow_up=follow_up) == APPLIED

    def unlink(
        self, player: StoredPlayer, provider: str, identity: StoredIdentity, follow_up: DueFollowUp | None = None
    ) -> bool:
        """Remove an identity. Return False if the player does not have it."""
        entry = identity.entry(provider)
        return self._write(player.id, entry, {}, [entry[0]], follow_up=follow_up) == APPLIED

    def delete(self, player: StoredPlayer, follow_up: DueFollowUp | None, log_entry: LogEntry | None = None) -> bool:
        """Delete a player. Return False if there is none. `follow_up` may be None for a player without other data."""
        entry, profile = _creation_entry(player), player.fields()
        word = self._write(player.id, entry, {}, ttl_ms=0, follow_up=follow_up, log_entry=log_entry, profile=profile)
        return word == APPLIED

    def add_token(self, player: StoredPlayer, token: StoredToken) -> bool | None:
        """Add a token. Return False if there are too many, None if the player does not exist."""
        return self._add(player, {token.field: token.to_bytes()}, (OLD_TOKEN, MAX_TOKENS))

    def replace_token(self, player: StoredPlayer, token: StoredToken) -> bool:
        """Replace the token of the request. Return False if it no longer belongs to the player."""
        if player.token is None:
            return False
        fields, dropped = {token.field: token.to_bytes()}, [player.token.field]
        return self._write(player.id, player.token.entry(), fields, dropped) == APPLIED

    def drop_token(self, player: StoredPlayer, token: StoredToken) -> None:
        """Remove a token."""
        self._write(player.id, token.entry(), {}, [token.field])

    def relate(self, player: StoredPlayer, kind: Relation, other_id: str, at: str, *ended: Relation) -> bool | None:
        """Relate another player, and end other relations. Return False or None like `add_token`."""
        dropped = [f"{relation.prefix}{other_id}" for relation in ended]
        return self._add(player, {f"{kind.prefix}{other_id}": at}, kind, dropped)

    def end_relation(self, player: StoredPlayer, kind: Relation, *other_ids: str) -> None:
        """End a relation to other players."""
        self._write(player.id, _creation_entry(player), {}, [f"{kind.prefix}{other_id}" for other_id in other_ids])

    def _add(
        self, player: StoredPlayer, fields: Mapping[str, Any], limit: tuple[str, int], dropped: Sequence[str] = ()
    ) -> bool | None:
        word = self._write(player.id, _creation_entry(player), fields, dropped, limit=limit)
        return {APPLIED: True, FULL: False}.get(word)

    def _write(
        self,
        player_id: str,
        unchanged: tuple[str, str | bytes],
        fields: Mapping[str, str | bytes],
        dropped: Iterable[str] = (),
        *,
        limit: tuple[str, int] | None = None,
        ttl_ms: int | None = None,
        follow_up: DueFollowUp | None = None,
        log_entry: LogEntry | None = None,
        profile: Mapping[str, str] | None = None,
    ) -> str:
        """Change a player. Return `APPLIED`, `CHANGED` or `FULL`.

        `unchanged`: a field and the content that it must have, "" for a missing field. A change that was applied before
        is not repeated. `limit`: prefix of fields, and their maximum number including one that `fields` adds. `ttl_ms`:
        new lifetime; None keeps it, and 0 deletes the player. `profile`: the indexed fields before, if they may change.
        """
        bucket, change = self._keys.home(player_id), Transaction(self._redis)
        player, dropped, (field, content) = bucket.player(player_id), [*dropped], unchanged
        differs = [Read("HGET", player, name).differs(value) for name, value in fields.items()]
        differs += [Read("HEXISTS", player, name).is_above(0) for name in dropped]
        if differs:
            change.require(APPLIED, *differs)
        if unchanged != NEW:
            change.require(CHANGED, exists(player))
        change.require(CHANGED, Read("HGET", player, field).equals(content or None))
        if limit is not None:
            prefix, most = limit
            is_known = [Read("HEXISTS", player, name).is_above(0) for name in fields]
            change.require(FULL, *is_known, Read("FIELDS_WITH", player, prefix).is_below(most))
        change.hset(player, fields)
        change.remove("HDEL", player, dropped)
        if ttl_ms is not None:
            change.run("PEXPIRE", player, ttl_ms)
        if profile is not None:
            change_entries(change, bucket.player_index, player_id, profile, fields, dropped, ttl_ms)
        _add_records(change, bucket, follow_up, log_entry)
        return change.commit().word

    def keep(self, player: StoredPlayer, ttl_s: int, used_at: str) -> StoredPlayer:
        """Let the player live for `ttl_s` from now, and store when the token was used. Return the changed player.

        Adds players whom an older version has created to the index.
        """
        entries = [part for entry in entries_of(player.fields(), player.id) for part in (0, entry)]
        bucket, change = self._keys.home(player.id), Transaction(self._redis)
        change.require(CHANGED, exists(key := bucket.player(player.id)))
        change.run("PEXPIRE", key, 1000 * ttl_s)
        change.run("ZADD", bucket.player_index, *entries)
        change.run("OUTLIVE", bucket.player_index, 1000 * ttl_s)
        change.commit()
        if (token := player.token) is None or token.is_old:
            return player
        used = token._replace(used_at=used_at)
        is_applied = self._write(player.id, token.entry(), {used.field: used.to_bytes()}) == APPLIED
        return replace(player, token=used) if is_applied else player

    # ------------------------------------------------------------------------------------------------- reading

    def get(self, player_id: str, digest: str | None = None) -> StoredPlayer | None:
        """Return the player, with the token of this digest, or None if there is no such player."""
        return ask(self._redis, self.question(player_id, digest))

    def question(self, player_id: str, digest: str | None = None) -> Question[StoredPlayer | None]:
        """Return the question of `get`, to send it together with others."""
        key = self._keys.player(player_id)

        def read(replies: list[Any]) -> StoredPlayer | None:
            entries, ttl_s = raise_errors(replies)
            *profile, old_token, content = ((part or b"").decode() for part in entries)
            members: dict[str, Any] = {name: value or None for name, value in zip(PROFILE, profile, strict=True)}
            if members["created_at"] is None:
                return None
            members["bot"] = bool(members["bot"])
            members["handle_at"] = int(members["handle_at"]) if members["handle_at"] else None
            token = None
            if digest is not None and content:
                token = _token(digest, content)
            elif digest is not None and old_token == digest:
                token = _old_token(digest, members["created_at"])
            return StoredPlayer(player_id, **members, token=token, ttl_s=ttl_s)

        return Question((("HMGET", key, *PROFILE, OLD_TOKEN, f"{TOKEN}{digest}"), ("TTL", key)), read)

    def issuer_question(self, player_id: str, token_id: str) -> Question[bool]:
        """Return the question whether the player has a token of this id and is not banned."""
        key = self._keys.player(player_id)

        def read(replies: list[Any]) -> bool:
            old_token, names = raise_errors(replies)
            if b"banned_at" in names:
                return False
            prefix = f"{TOKEN}{token_id}".encode()
            return any(name.startswith(prefix) for name in (*names, TOKEN.encode() + (old_token or b"")))

        return Question((("HGET", key, OLD_TOKEN), ("HKEYS", key)), read)

    def tokens(self, player: StoredPlayer) -> list[StoredToken]:
        """Return the player's tokens, oldest first."""
        fields = decode_fields(cast("Any", self._redis.hgetall(self._keys.player(player.id))))
        tokens = [
            _token(name.removeprefix(TOKEN), content) for name, content in fields.items() if name.startswith(TOKEN)
        ]
        if OLD_TOKEN in fields:
            tokens.append(_old_token(fields[OLD_TOKEN].decode(), player.created_at))
        return sorted(tokens, key=lambda token: (token.created_at, token.digest))

    def relations(self, player: StoredPlayer, kind: Relation) -> dict[str, str]:
        """Return the ids of related players and since when (RFC 3339), oldest first."""
        since = sorted((at.decode(), other_id) for other_id, at in self._fields(player.id, kind.prefix).items())
        return {other_id: at for at, other_id in since}

    def identities(self, player_id: str) -> dict[str, StoredIdentity]:
        """Return the player's identities by provider. Empty if there is no such player."""
        fields = self._fields(player_id, LINKED)
        return {provider: StoredIdentity(*orjson.loads(content)[:2]) for provider, content in fields.items()}

    def _fields(self, player_id: str, prefix: str) -> dict[str, bytes]:
        """Return the fields of a player that begin with a prefix, without the prefix."""
        fields = decode_fields(cast("Any", self._redis.hgetall(self._keys.player(player_id))))
        return {name.removeprefix(prefix): content for name, content in fields.items() if name.startswith(prefix)}

    def has_blocked(self, player_ids: Iterable[str], other_id: str) -> bool:
        """Return whether one of these players has blocked the other."""
        names = map(self._keys.player, player_ids)
        return any(ask_all(self._redis, (("HEXISTS", name, f"{BLOCKED.prefix}{other_id}") for name in names)))

    def blocks_among(self, player_ids: Iterable[str]) -> list[tuple[str, str]]:
        """Return the pairs of these players of whom the first has blocked the second."""
        pairs = [*permutations(player_ids, 2)]
        commands = (("HEXISTS", self._keys.player(one), f"{BLOCKED.prefix}{other}") for one, other in pairs)
        replies = ask_all(self._redis, commands)
        return [pair for pair, is_blocked in zip(pairs, replies, strict=True) if is_blocked]

    def get_many(self, player_ids: Iterable[str], *along: Question[Any]) -> list[StoredPlayer | None]:
        """Return these players, None for one that does not exist. The questions `along` share the round trip."""
        questions = [self.question(player_id) for player_id in player_ids]
        if questions:
            ask(self._redis, *questions, *along)
        return [question.answer for question in questions]


def _add_records(
    change: Transaction, bucket: BucketKeys, follow_up: DueFollowUp | None, log_entry: LogEntry | None
) -> None:
    if follow_up is not None:
        follow_up[0].add_to(change, bucket, follow_up[1])
    if log_entry is not None:
        log_entry.add_to(change, bucket)
        change.announce(bucket.hub, games_channel(log_entry.object_id), 1)  # wakes the player's streams


def _creation_entry(player: StoredPlayer) -> tuple[str, str]:
    """Return the field that every existing player has, and its content."""
    return "created_at", player.created_at


def _token(digest: str, content: str | bytes) -> StoredToken:
    name, scopes, created_at, used_at, *_ = orjson.loads(content)
    return StoredToken(digest, name, tuple(scopes), created_at, used_at)


def _old_token(digest: str, created_at: str) -> StoredToken:
    return StoredToken(digest, None, SCOPES, created_at, is_old=True)
