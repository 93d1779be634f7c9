"""Players: who they are, their tokens, and which games wait for them.

A player has some tokens, one for each device, of which the digests are kept. The player's key lies in the bucket of
its id; the games it plays lie wherever their own ids put them, so each bucket has its part of the player's lists,
written by the games' commits. A game that expired leaves its name in them; it is taken out when it is met, and a
list expires with the longest-lived game in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, cast

import orjson
from redis import Redis

from service.storage.base.follow_ups import Noted
from service.storage.base.keys import Buckets, Keys
from service.storage.base.listing import Lists, Page
from service.storage.base.pipelining import Question, ask, ask_all, good
from service.storage.base.transactions import APPLIED, Read, Transaction, exists

MAX_TOKENS = 10
MAX_BLOCKED = 200
MAX_LEFT = 1000
PLAY, READ = "play", "read"
SCOPES = (PLAY, READ)
TOKEN_ID_DIGITS = 16
CHANGED, FULL = "changed", "full"
NEW = ("created_at", "")
"""A field of the player and its value, for a player who does not exist yet."""
PROFILE = ("created_at", "name", "bot", "colour", "country", "handle", "handle_at", "banned_at")
TOKEN = "token:"  # noqa: S105 - how fields are named
BLOCKED, LINKED = "blocked:", "identity:"
OLD_TOKEN = "token"  # noqa: S105 - a field's name
"""The digest of a player's only token, as an older version kept it: it may do everything."""


class StoredToken(NamedTuple):
    """A token as it is kept, under its digest. `scopes`: what one may do with it."""

    digest: str
    name: str | None
    scopes: tuple[str, ...]
    created_at: str
    used_at: str | None = None
    """When it was used, but for the last hundredth of PLAYER_TTL_S."""
    is_old: bool = False
    """Whether an older version keeps it, as the player's only one."""

    @property
    def id(self) -> str:
        """By which its player names it: it tells nothing about the token."""
        return self.digest[:TOKEN_ID_DIGITS]

    @property
    def field(self) -> str:
        """Where it stands in the player's hash."""
        return OLD_TOKEN if self.is_old else f"{TOKEN}{self.digest}"

    def to_bytes(self) -> bytes:
        """What stands there."""
        if self.is_old:
            return self.digest.encode()
        return orjson.dumps((self.name, self.scopes, self.created_at, self.used_at))

    def seen(self) -> tuple[str, bytes]:
        """The field and what was read there."""
        return self.field, self.to_bytes()


class StoredIdentity(NamedTuple):
    """An identity as its player has it. `name`: by which it is claimed; `linked_at`: RFC 3339."""

    name: str
    linked_at: str

    def stored(self, provider: str) -> tuple[str, bytes]:
        """The field of the player's hash that it is, and what stands there."""
        return f"{LINKED}{provider}", orjson.dumps((self.name, self.linked_at))


@dataclass(frozen=True)
class StoredPlayer:
    """A player as it is kept, but for what hangs on others."""

    id: str
    created_at: str
    name: str | None = None
    bot: bool = False
    colour: str | None = None
    country: str | None = None
    handle: str | None = None
    handle_at: int | None = None
    """Unix ms when the handle was chosen or given up last."""
    banned_at: str | None = None
    """RFC 3339; None: they are not."""
    token: StoredToken | None = None
    """The one that was asked with, if it is the player's."""
    ttl_s: int = field(default=0, compare=False)
    """How long it is still kept."""

    def fields(self) -> dict[str, str]:
        """The fields of the player's hash that are something, but for tokens."""
        members = {name: getattr(self, name) for name in PROFILE}
        return {name: "1" if value is True else str(value) for name, value in members.items() if value}


class Players:
    """Reads and writes players; every method may raise `redis.exceptions.RedisError`, those that write `Damaged`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)
        self._lists = Lists(redis)

    # ------------------------------------------------------------------------------------------------- writing

    def create(self, player: StoredPlayer, token: StoredToken, ttl_s: int) -> None:
        """Keep a new player for so long."""
        fields: dict[str, str | bytes] = {**player.fields(), token.field: token.to_bytes()}
        self._write(player.id, NEW, fields, ttl_ms=1000 * ttl_s)

    def change(
        self,
        player: StoredPlayer,
        changes: Mapping[str, str | None],
        *,
        unchanged: str = "created_at",
        follow_up: Noted | None = None,
    ) -> bool:
        """Change fields of the profile, None drops one; False if the field `unchanged` is not as it was read any more.

        `follow_up`: what follows from it, and unix ms from which a keeper does it.
        """
        fields = {name: value for name, value in changes.items() if value is not None}
        dropped = [name for name, value in changes.items() if value is None]
        seen = (unchanged, player.fields().get(unchanged, ""))
        return self._write(player.id, seen, fields, dropped, follow_up=follow_up) == APPLIED

    def link(self, player: StoredPlayer, provider: str, identity: StoredIdentity, follow_up: Noted) -> bool:
        """The identity is the player's; False if they have one of this provider, or are gone."""
        field = f"{LINKED}{provider}"
        return (
            self._write(player.id, (field, ""), {field: orjson.dumps(tuple(identity))}, follow_up=follow_up) == APPLIED
        )

    def unlink(
        self, player: StoredPlayer, provider: str, identity: StoredIdentity, follow_up: Noted | None = None
    ) -> bool:
        """It is not any more; False if it was not."""
        field = f"{LINKED}{provider}"
        return (
            self._write(player.id, (field, orjson.dumps(tuple(identity))), {}, [field], follow_up=follow_up) == APPLIED
        )

    def delete(self, player: StoredPlayer, follow_up: Noted | None) -> bool:
        """The player is no more; False if they were not there. `follow_up` as in `change`; None: they have nothing."""
        seen = ("created_at", player.created_at)
        return self._write(player.id, seen, {}, ttl_ms=0, follow_up=follow_up) == APPLIED

    def add_token(self, player: StoredPlayer, token: StoredToken) -> bool | None:
        """Keep one more; False where there are too many, None where the player is gone."""
        return self._add(player, {token.field: token.to_bytes()}, (OLD_TOKEN, MAX_TOKENS))

    def replace_token(self, player: StoredPlayer, token: StoredToken) -> bool:
        """Keep it instead of the one that was asked with; False if that is the player's no longer."""
        if player.token is None:
            return False
        fields, dropped = {token.field: token.to_bytes()}, [player.token.field]
        return self._write(player.id, player.token.seen(), fields, dropped) == APPLIED

    def drop_token(self, player: StoredPlayer, token: StoredToken) -> None:
        """It is not the player's any more."""
        self._write(player.id, token.seen(), {}, [token.field])

    def block(self, player: StoredPlayer, other_id: str, at: str) -> bool | None:
        """The player has nothing to do with the other from now on. False, None as in `add_token`."""
        return self._add(player, {f"{BLOCKED}{other_id}": at}, (BLOCKED, MAX_BLOCKED))

    def unblock(self, player: StoredPlayer, other_id: str) -> None:
        """The other may meet the player again."""
        self._write(player.id, ("created_at", player.created_at), {}, [f"{BLOCKED}{other_id}"])

    def _add(self, player: StoredPlayer, fields: Mapping[str, str | bytes], limited: tuple[str, int]) -> bool | None:
        word = self._write(player.id, ("created_at", player.created_at), fields, limited=limited)
        return {APPLIED: True, FULL: False}.get(word)

    def _write(
        self,
        player_id: str,
        seen: tuple[str, str | bytes],
        fields: Mapping[str, str | bytes],
        dropped: Iterable[str] = (),
        *,
        limited: tuple[str, int] | None = None,
        ttl_ms: int | None = None,
        follow_up: Noted | None = None,
    ) -> str:
        """Change a player if the field `seen` is as it was read ("": missing): `APPLIED`, `CHANGED` or `FULL`.

        It is done already where all is as it is to be. `limited`: a prefix, and how many such fields there may be, of
        which `fields` adds one; `ttl_ms`: None as it is, 0 the player is deleted.
        """
        bucket, change = self._keys.home(player_id), Transaction(self._redis)
        player, dropped, (field, before) = bucket.player(player_id), [*dropped], seen
        differs = [Read("HGET", player, name).differs(value) for name, value in fields.items()]
        differs += [Read("HEXISTS", player, name).above(0) for name in dropped]
        if differs:
            change.require(APPLIED, *differs)
        if seen != NEW:
            change.require(CHANGED, exists(player))
        change.require(CHANGED, Read("HGET", player, field).equals(before or None))
        if limited is not None:
            prefix, most = limited
            new = [Read("HEXISTS", player, name).above(0) for name in fields]
            change.require(FULL, *new, Read("FIELDS_WITH", player, prefix).below(most))
        change.hset(player, fields)
        change.remove("HDEL", player, dropped)
        if ttl_ms is not None:
            change.run("PEXPIRE", player, ttl_ms)
        if follow_up is not None:
            noted, from_ms = follow_up
            change.run("HSET", bucket.follow_ups, noted.id, noted.to_bytes())
            change.run("ZADD", bucket.follow_ups_due, from_ms, noted.id)
        return change.commit().word

    def keep(self, player: StoredPlayer, ttl_s: int, used_at: str) -> StoredPlayer:
        """The player was here: it is kept for so long from now, and its token was used. The player after that."""
        self._redis.expire(self._keys.player(player.id), ttl_s)
        if (token := player.token) is None or token.is_old:
            return player
        used = token._replace(used_at=used_at)
        done = self._write(player.id, token.seen(), {used.field: used.to_bytes()}) == APPLIED
        return replace(player, token=used) if done else player

    # ------------------------------------------------------------------------------------------------- reading

    def get(self, player_id: str, digest: str | None = None) -> StoredPlayer | None:
        """The player, and their token of this digest; None if there is none of this id."""
        return ask(self._redis, self.question(player_id, digest))

    def question(self, player_id: str, digest: str | None = None) -> Question[StoredPlayer | None]:
        """The same, to go along with another."""
        key = self._keys.player(player_id)

        def read(replies: list[Any]) -> StoredPlayer | None:
            entries, ttl_s = good(replies)
            *profile, old_token, token = ((part or b"").decode() for part in entries)
            members: dict[str, Any] = {name: value or None for name, value in zip(PROFILE, profile, strict=True)}
            if members["created_at"] is None:
                return None
            members["bot"] = bool(members["bot"])
            members["handle_at"] = int(members["handle_at"]) if members["handle_at"] else None
            shown = None
            if digest is not None and token:
                shown = _token(digest, token)
            elif digest is not None and old_token == digest:
                shown = _old_token(digest, members["created_at"])
            return StoredPlayer(player_id, **members, token=shown, ttl_s=ttl_s)

        return Question((("HMGET", key, *PROFILE, OLD_TOKEN, f"{TOKEN}{digest}"), ("TTL", key)), read)

    def tokens(self, player: StoredPlayer) -> list[StoredToken]:
        """The player's tokens, oldest first."""
        reply = cast("dict[bytes, bytes]", self._redis.hgetall(self._keys.player(player.id)))
        results = []
        for name, content in reply.items():
            field = name.decode()
            if field == OLD_TOKEN:
                results.append(_old_token(content.decode(), player.created_at))
            elif field.startswith(TOKEN):
                results.append(_token(field.removeprefix(TOKEN), content))
        return sorted(results, key=lambda token: (token.created_at, token.digest))

    def blocked(self, player: StoredPlayer) -> dict[str, str]:
        """Whom the player has blocked, and when (RFC 3339), by id, oldest first."""
        reply = cast("dict[bytes, bytes]", self._redis.hgetall(self._keys.player(player.id)))
        fields = {name.decode(): content.decode() for name, content in reply.items()}
        found = [(at, name.removeprefix(BLOCKED)) for name, at in fields.items() if name.startswith(BLOCKED)]
        return {other_id: at for at, other_id in sorted(found)}

    def identities(self, player_id: str) -> dict[str, StoredIdentity]:
        """The player's identities by provider; none of a player who is gone."""
        reply = cast("dict[bytes, bytes]", self._redis.hgetall(self._keys.player(player_id)))
        fields = {name.decode(): content for name, content in reply.items()}
        return {
            name.removeprefix(LINKED): StoredIdentity(*orjson.loads(content))
            for name, content in sorted(fields.items())
            if name.startswith(LINKED)
        }

    def has_blocked(self, player_ids: Iterable[str], other_id: str) -> bool:
        """Whether one of these players has blocked the other."""
        names = map(self._keys.player, player_ids)
        return any(ask_all(self._redis, (("HEXISTS", name, f"{BLOCKED}{other_id}") for name in names)))

    def every(self, player_ids: Iterable[str]) -> list[StoredPlayer | None]:
        """These players, None for one that is gone."""
        questions = [self.question(player_id) for player_id in player_ids]
        if questions:
            ask(self._redis, *questions)
        return [question.answer for question in questions]

    def new_id(self) -> str:
        """A fresh id of 96 random bits."""
        return self._keys.new_id()

    # -------------------------------------------------------------------------------------------------- games

    def turns(self, player_id: str, count: int) -> list[str]:
        """Ids of games that wait for the player's decision, longest waiting first, at most so many."""
        names = (bucket.turns(player_id) for bucket in self._keys.every_bucket())
        parts = ask_all(self._redis, (("ZRANGE", name, 0, count - 1, "WITHSCORES") for name in names))
        entries = sorted((score, game_id) for part in parts for game_id, score in part)
        return [game_id.decode() for _, game_id in entries[:count]]

    def games(self, player_id: str, before: str | None, count: int) -> Page:
        """The player's games, last changed first. ValueError for a cursor that is none."""
        lists = [bucket.games(player_id) for bucket in self._keys.every_bucket()]
        return self._lists.page(lists, before, count)

    def note_left(self, player_id: str, game_id: str, now_ms: int, ttl_s: int) -> None:
        """The player leaves a game, in whose log they stay."""
        name, change = self._keys.game(game_id).bucket.games_left(player_id), Transaction(self._redis)
        change.run("ZADD", name, now_ms, game_id)
        change.run("ZREMRANGEBYRANK", name, 0, -MAX_LEFT - 1)
        change.run("PEXPIRE", name, 1000 * ttl_s)
        change.commit()

    def game_ids(self, player_id: str) -> list[str]:
        """Ids of all games that the player has, or had, a seat in, also of some that have expired."""
        lists = [name for bucket in self._keys.every_bucket() for name in (bucket.games, bucket.games_left)]
        parts = ask_all(self._redis, (("ZRANGE", name(player_id), 0, -1) for name in lists))
        return [game_id.decode() for part in parts for game_id in part]

    def forget_lists(self, player_id: str) -> None:
        """No game is the player's any more."""
        buckets = self._keys.every_bucket()
        lists = [name for bucket in buckets for name in (bucket.games, bucket.games_left, bucket.turns)]
        ask_all(self._redis, (("DEL", name(player_id)) for name in lists))

    def forget(self, player_id: str, game_ids: Iterable[str]) -> None:
        """Games that have expired wait for nobody."""
        for game_id in game_ids:
            self._redis.zrem(self._keys.game(game_id).bucket.turns(player_id), game_id)


def _token(digest: str, content: str | bytes) -> StoredToken:
    name, scopes, created_at, used_at = orjson.loads(content)
    return StoredToken(digest, name, tuple(scopes), created_at, used_at)


def _old_token(digest: str, created_at: str) -> StoredToken:
    return StoredToken(digest, None, SCOPES, created_at, is_old=True)
