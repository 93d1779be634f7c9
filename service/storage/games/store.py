"""The store of games. The log is authoritative, and one script writes all changes of a game's log.

**Compare and append.** A commit contains the revision on which its decision is based. The script writes only if the log
still has that many events, so one of two concurrent writers wins and the other has changed nothing. Together with the
events it writes everything that depends on them: snapshot, view, tokens, due work, listings, the hub's entry, the
replay entry and the new expiry. No reader sees a part of that, and since Redis logs the effects of a script as one
transaction, neither does a restart.

**A lost response is not a lost race.** When a connection breaks, the client repeats the commit without knowing whether
Redis has applied it. Each commit has a nonce, and the game keeps the nonces of its last 32 commits. The repeated script
finds its nonce and returns the same result, even if other commits have followed. So a commit can be repeated any number
of times.

**A commit also writes due work** (see `schedule`), so a wake-up may be lost or sent twice.

Times are unix milliseconds. The script uses the server's clock.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from redis import Redis

from service.storage.base.keys import Buckets, GameKeys, Keys
from service.storage.base.listing import Lists, Page, expired_games
from service.storage.base.packing import DENSE, QUICK, pack
from service.storage.base.pipelining import (
    Command,
    Question,
    ask,
    ask_all,
    decode,
    decode_fields,
    raise_errors,
    single_command,
)
from service.storage.base.scripts import Script
from service.storage.base.transactions import Read, Transaction, exists, flat, item, reply
from service.storage.games import checkpoints, game_log
from service.storage.games.schedule import Schedule
from service.storage.games.stored_game import (
    LOADED,
    Commit,
    Glance,
    Outline,
    StoredGame,
    pack_fields,
    read_game,
    read_glance,
    read_listed_glance,
    read_outline,
)

NONCE_BYTES = 8
SWEEP_BATCH = 500
PROBE_MS = 60_000
HOLDER = "player:"
"""Prefix of the fields of `tokens` that are players."""
ReplayEntry = tuple[bytes, int]
"""The response stored under an idempotency key, and its lifetime in ms."""
NOTED = ("rating", "rating_applied", "rating_removed", "archived")
SCRIPT_FIELDS = frozenset({"revision", "attempts", "expires", "messages", "nonces", game_log.TAIL, *NOTED})
"""Fields of a game that only the scripts write."""


class StaleRevisionError(Exception):
    """The log is not at the revision that the commit expected. Nothing was written."""

    def __init__(self, current: int) -> None:
        super().__init__(f"the log is at revision {current}")
        self.current = current


class KeyTakenError(Exception):
    """The idempotency key already has a replay entry. Nothing else was checked, and nothing was written."""

    def __init__(self, replay_entry: bytes) -> None:
        super().__init__("this idempotency key has been used")
        self.replay_entry = replay_entry


class GameNotFoundError(Exception):
    """No game has this id, or it has expired."""


class GameExistsError(Exception):
    """A game with this id already exists. Nothing was written."""


class Store:
    """Reads and commits games. Safe to share between threads and greenlets.

    Every method may raise `redis.exceptions.RedisError`.
    """

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self.redis = redis
        self.keys = Keys(buckets)
        self._lists = Lists(redis)
        self._commit = Script(redis, "commit")
        self.schedule = Schedule(redis, self.keys)

    def new_game_id(self, digest: str | None = None) -> str:
        """Return a new id of 96 random bits. With `digest`, it belongs to the bucket of that create's replay entry."""
        return self.keys.new_id(digest)

    # Writing

    def create(self, game_id: str, commit: Commit, create_replay: tuple[str, bytes, int] | None = None) -> None:
        """Create a game. `create_replay`: digest of the idempotency key, response, lifetime in seconds.

        Raises `KeyTakenError` (checked first) with the stored response, `GameExistsError`. Raises `ValueError` if the
        commit expects a revision or the id is not from `new_game_id(digest)`.
        """
        if commit.expected != 0:
            raise ValueError(f"a new game has no revision {commit.expected}")
        names, replay_entries = [], []
        if create_replay is not None:
            digest, content, ttl_s = create_replay
            names = self.keys.create_replays(digest)[:1]
            if names != [self.keys.home(game_id).create_replay(digest)]:
                raise ValueError("a create with a replay entry needs an id from new_game_id(digest)")
            replay_entries = [(content, 1000 * ttl_s)]
        self._write(game_id, commit, names, replay_entries)

    def commit(self, game_id: str, commit: Commit) -> None:
        """Append to a game.

        Raises, in this order, `KeyTakenError`, `GameNotFoundError`, `StaleRevisionError`. Raises `ValueError` for a
        commit that is invalid in every state of the game.
        """
        if commit.expected < 1:
            raise ValueError("a commit appends to an existing game; see create")
        self._write(game_id, commit, [], [])

    def _write(self, game_id: str, commit: Commit, names: Sequence[str], replay_entries: Sequence[ReplayEntry]) -> None:
        if not commit.events or commit.ttl_s < 1 or SCRIPT_FIELDS & commit.fields.keys():
            raise ValueError("a commit needs events and a lifetime, and must not set a field that the scripts write")
        if any(len(event.splitlines()) != 1 for event in commit.events):
            raise ValueError("an event of a commit must be one line")
        keys = self.keys.game(game_id)
        if commit.idempotency is not None:
            suffix, replay_entry, ttl_s = commit.idempotency
            names, replay_entries = [*names, keys.subkey(suffix)], [*replay_entries, (replay_entry, 1000 * ttl_s)]
        lists = [name(player) for player in commit.players for name in (keys.bucket.games, keys.bucket.turns)]
        names = [*lists, *names]
        if commit.follow_up is not None:
            names += [keys.bucket.follow_ups, keys.bucket.follow_ups_due]
        packed_fields = pack_fields(commit.fields, DENSE if commit.ended else QUICK)
        new_checkpoints: Mapping[Any, bytes] = {at: pack(content) for at, content in commit.checkpoints.items()}
        if commit.ended:
            new_checkpoints = checkpoints.join({**checkpoints.read_all(self.redis, keys), **commit.checkpoints})
        arguments = {
            "id": game_id,
            "nonce": secrets.token_bytes(NONCE_BYTES),
            "checkpoints": flat(new_checkpoints),
            **commit.arguments(),
        }

        def write(log: game_log.LogChange) -> list[Any]:
            answer: list[Any] = self._commit(
                [*keys.commit_keys(), *names],
                **arguments,
                replay_entries=replay_entries,
                written=log.kind,
                tail=log.tail,
                fields=flat({**packed_fields, **log.chunks}),
            )
            return answer

        word, *value = write(game_log.plan_append(self.redis, keys, commit.expected, commit.events, ended=commit.ended))
        if word == b"stream":
            word, *value = write(game_log.plan_takeover(self.redis, keys, commit.events))
        if word != b"done":
            raise _refusal(word, value)

    # Reading

    def load(self, game_id: str, holder: str | None = None, *along: Question[Any]) -> StoredGame | None:
        """Return the game and the roles of a holder in it, in one round trip. Return None if there is no such game.

        `holder`: the digest of a token, or ``player:<id>``. `along`: questions to ask in the same round trip.
        """
        keys = self.keys.game(game_id)
        commands: list[Command] = [("HMGET", keys.game, *LOADED)]
        if holder is not None:
            commands.append(("HGET", keys.tokens, holder))
        return ask(self.redis, Question(commands, read_game), *along)

    def glance(self, game_id: str, *along: Question[Any]) -> Glance | None:
        """Return revision, visibility and view, or None if there is no such game. `along` as in `load`."""
        commands = (("HMGET", self.keys.game(game_id).game, "revision", "visibility", "view"),)
        return ask(self.redis, Question(commands, lambda replies: read_glance(raise_errors(replies)[0])), *along)

    def glances(self, game_ids: Iterable[str]) -> list[Glance | None]:
        """Return the glances of many games, in one round trip. None for a game that does not exist or is unreadable."""
        ids = [*game_ids]
        found = zip(ids, self._read_fields(ids, "revision", "visibility", "view"), strict=True)
        return [read_listed_glance(game_id, reply) for game_id, reply in found]

    def outlines(self, game_ids: Iterable[str]) -> list[Outline | None]:
        """Return revision, visibility and facts of many games, in one round trip."""
        return [*map(read_outline, self._read_fields(game_ids, "revision", "visibility", "facts"))]

    def _read_fields(self, game_ids: Iterable[str], *fields: str) -> list[list[bytes | None]]:
        return ask_all(self.redis, (("HMGET", self.keys.game(game_id).game, *fields) for game_id in game_ids))

    def revision(self, game_id: str) -> int:
        """Return the number of events in the game's log, or 0 if there is no such game."""
        return int(self.redis.hget(self.keys.game(game_id).game, "revision") or 0)

    def roles(self, game_id: str, holder: str, *along: Question[Any]) -> str:
        """Return the roles of a token or player in this game, separated by spaces. Empty if there are none.

        `along` as in `load`.
        """
        question = single_command(("HGET", self.keys.game(game_id).tokens, holder))
        return decode(ask(self.redis, question, *along)) or ""

    def roles_in(self, game_ids: Sequence[str], holder: str) -> dict[str, str]:
        """Return the roles of a token or player by game, without games in which it has none."""
        replies = ask_all(self.redis, (("HGET", self.keys.game(game_id).tokens, holder) for game_id in game_ids))
        return {game_id: reply.decode() for game_id, reply in zip(game_ids, replies, strict=True) if reply}

    def holders(self, game_id: str) -> dict[str, str]:
        """Return all tokens and players of the game with their roles."""
        fields = decode_fields(cast("Any", self.redis.hgetall(self.keys.game(game_id).tokens)))
        return {holder: roles.decode() for holder, roles in fields.items()}

    def rotate(self, game_id: str, role: str, token_digest: str) -> None:
        """Replace all tokens of a role by this one. Raises `GameNotFoundError`."""
        keys, change = self.keys.game(game_id), Transaction(self.redis)
        change.require("gone", exists(keys.game))
        former = Read("FIELDS_OF", keys.tokens, role, HOLDER)  # players keep their roles
        change.run("HDEL", keys.tokens, item(), each=former)
        change.run("HSET", keys.tokens, token_digest, role)
        change.run("PEXPIREAT", keys.tokens, reply(change.run("HGET", keys.game, "expires")))
        _archive_again(change, keys)
        if not change.commit().is_done:
            raise GameNotFoundError

    def erase(
        self,
        game_id: str,
        player_id: str,
        revision: int,
        fields: Mapping[str, bytes],
        events: Sequence[bytes],
        messages: Sequence[int],
    ) -> None:
        """Remove a player from a game. Does nothing if there is no such game.

        Writes these `fields` of the game and, unless `events` is empty, replaces its whole log by them. Deletes the
        `messages` with these numbers. Raises `StaleRevisionError` if the game is not at `revision`.
        """
        keys, change = self.keys.game(game_id), Transaction(self.redis)
        change.expect("hash", keys.checkpoints)
        change.expect("stream", keys.log, keys.messages)
        change.require("missing", exists(keys.game))
        change.require("stale", Read("HGET", keys.game, "revision").equals(revision))
        fields = pack_fields(fields, QUICK)
        if events:
            log = game_log.plan_rewrite(events)
            fields |= {**log.chunks, game_log.TAIL: log.tail}
            change.run("DEL", keys.log)
            change.run("HDEL", keys.game, item(), each=Read("FIELDS_WITH", keys.game, game_log.CHUNK_PREFIX))
        change.hset(keys.game, fields)
        change.remove("XDEL", keys.messages, (f"{number}-0" for number in messages))
        change.run("DEL", keys.checkpoints)  # they can be computed from the log
        change.run("HDEL", keys.tokens, f"{HOLDER}{player_id}")
        for name in (keys.bucket.games(player_id), keys.bucket.turns(player_id)):
            change.run("ZREM", name, game_id)
        _archive_again(change, keys)
        if change.commit().word == "stale":
            raise StaleRevisionError(revision)

    def log(
        self, game_id: str, after: int = 0, until: int | None = None, count: int | None = None
    ) -> list[tuple[int, bytes]]:
        """Return the first `count` events with `after` < revision <= `until`, with their revisions."""
        return game_log.read(self.redis, self.keys.game(game_id), after, until, count)

    def checkpoint(self, game_id: str, revision: int) -> bytes | None:
        """Return the checkpoint at a revision, or None if there is none."""
        return checkpoints.read(self.redis, self.keys.game(game_id), revision)

    def refresh(
        self, game_id: str, revision: int, fields: Mapping[str, bytes], new_checkpoints: Mapping[int, bytes]
    ) -> None:
        """Store recomputed fields and checkpoints of a game, if it is still at this revision."""
        keys, change = self.keys.game(game_id), Transaction(self.redis)
        change.require("stale", Read("HGET", keys.game, "revision").equals(revision))
        change.hset(keys.game, pack_fields(fields, QUICK))
        if new_checkpoints:
            change.hset(keys.checkpoints, {at: pack(content) for at, content in new_checkpoints.items()})
            change.run("PEXPIREAT", keys.checkpoints, reply(change.run("HGET", keys.game, "expires")))
        change.commit()

    def replay_entry(self, game_id: str, suffix: str) -> bytes | None:
        """Return the replay entry under this suffix of the game's key."""
        return cast("bytes | None", self.redis.get(self.keys.game(game_id).subkey(suffix)))

    def create_replay(self, digest: str) -> bytes | None:
        """Return the replay entry of a create."""
        replies = (cast("bytes | None", self.redis.get(key)) for key in self.keys.create_replays(digest))
        return next((reply for reply in replies if reply is not None), None)

    def store_create_replay(self, digest: str, content: bytes, ttl_s: int) -> bool:
        """Store the replay entry of a create that is executed later. Return False if there is one."""
        return bool(self.redis.set(self.keys.create_replays(digest)[0], content, nx=True, ex=ttl_s))

    def delete_create_replay(self, digest: str) -> None:
        """Delete the replay entry of a create that was not executed."""
        self.redis.delete(self.keys.create_replays(digest)[0])

    def list_public(self, before: str | None, count: int) -> Page:
        """Return public games, most recently changed first, behind the cursor `before`.

        Skips expired games and removes them from the list. Raises `ValueError` for an invalid cursor.
        """
        return self._lists.page((bucket.listing for bucket in self.keys.all_buckets()), before, count)

    def count(self) -> int:
        """Return the number of stored games."""
        return sum(ask_all(self.redis, (("ZCARD", bucket.expiry) for bucket in self.keys.all_buckets())))

    def list_all(self, before: str | None, count: int) -> Page:
        """Return all games, those with the longest remaining life first, behind the cursor `before`."""
        return self._lists.page((bucket.expiry for bucket in self.keys.all_buckets()), before, count, tidy=False)

    def sweep(self, now_ms: int, between: Callable[[], object] = lambda: None) -> int:
        """Remove expired games from the lists of due work, public games and expiry. Return how many games expired.

        `between` is called after each batch.
        """
        swept = 0
        for bucket in self.keys.all_buckets():
            start = 0
            while True:
                reply = self.redis.zrangebyscore(bucket.expiry, "-inf", now_ms, start=start, num=SWEEP_BATCH)
                ids = cast("list[bytes]", reply)
                expired = expired_games(self.redis, self.keys, ids)
                if expired:
                    for name in (bucket.due, bucket.timeouts, bucket.listing, bucket.expiry):
                        self.redis.zrem(name, *expired)
                between()
                swept += len(expired)
                start += len(ids) - len(expired)
                if len(ids) < SWEEP_BATCH:
                    break
        return swept

    def probe(self) -> None:
        """Raise `redis.exceptions.RedisError` unless Redis responds and accepts writes."""
        self.redis.set(self.keys.bucket(0).probe, 1, px=PROBE_MS)


def _archive_again(change: Transaction, keys: GameKeys) -> None:
    """Make an archived game, or one that waits to be archived, due for archiving."""
    change.run("ZADD", keys.bucket.to_archive, "XX", 0, keys.game_id)
    is_archived = Read("HEXISTS", keys.game, "archived").is_above(0)
    change.run("ZADD", keys.bucket.to_archive, 0, keys.game_id, when=is_archived)


def _refusal(word: bytes, value: list[Any]) -> Exception:
    if word == b"stale":
        return StaleRevisionError(int(value[0]))
    if word == b"taken":
        return KeyTakenError(value[0])
    return GameExistsError() if word == b"exists" else GameNotFoundError()
