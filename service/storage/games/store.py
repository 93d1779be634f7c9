"""The games' store: the log is the truth, and one script is the only door into it.

**Compare and append.** A commit says which revision it was decided on. The script looks first and
writes only if the log still has that many events, so of two writers one wins and the other has
changed nothing. With the events it writes all that follows from them (snapshot, view, tokens, what
is due, listings, the hub's entry, the idempotency record, the new expiry): no reader sees half, and
since Redis logs a script's effects as one transaction, neither does a restart.

**A lost answer is not a lost race.** When a connection breaks, the client sends the commit again and
cannot know whether the first went through. Each commit carries a nonce, and the game keeps those of
its last 32 commits; the repeated script finds its own there and answers as the first did, even if
others have committed on top meanwhile. Hence retries are safe at any number.

**A commit also writes what is due** (see `schedule`), so a wake-up may be lost or sent twice.

Times are unix milliseconds. The script reads the server's clock.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from redis import Redis

from service.storage.base import listing
from service.storage.base.keys import Buckets, GameKeys, Keys
from service.storage.base.listing import Page
from service.storage.base.packing import DENSE, QUICK, packed
from service.storage.base.pipelining import Command, Question, ask, ask_all, good
from service.storage.base.scripts import Script
from service.storage.base.transactions import Read, Transaction, exists, flat, item, reply
from service.storage.games import checkpoints, game_log
from service.storage.games.schedule import Schedule
from service.storage.games.stored import (
    LOADED,
    Commit,
    Glance,
    Outline,
    Stored,
    fields_packed,
    glance_of,
    outline_of,
    stored_of,
)

NONCE_BYTES = 8
SWEEP_BATCH = 500
PROBE_MS = 60_000
HOLDER = "player:"
"""How fields of the tokens begin that are players."""
ReplayEntry = tuple[bytes, int]
"""What is remembered under an idempotency key, and its lifetime in ms."""
NOTED = ("rating", "rating_applied", "archived")
OURS = frozenset({"revision", "attempts", "expires", "messages", "nonces", game_log.TAIL, *NOTED})
"""Fields of a game that only the scripts write."""


class StaleRevisionError(Exception):
    """The log is not at the revision that the commit expected; nothing was written."""

    def __init__(self, current: int) -> None:
        super().__init__(f"the log is at revision {current}")
        self.current = current


class KeyTakenError(Exception):
    """A record stands under the idempotency key; nothing was written or judged."""

    def __init__(self, replay_entry: bytes) -> None:
        super().__init__("this idempotency key has been used")
        self.replay_entry = replay_entry


class GameNotFoundError(Exception):
    """No game has this id, or it has expired."""


class GameExistsError(Exception):
    """A game with this id exists already; nothing was written."""


class Store:
    """Reads and commits games; safe to share between threads and greenlets.

    Every method may raise `redis.exceptions.RedisError` (Redis is away or refuses).
    """

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self.keys = Keys(buckets)
        self._lists = listing.Lists(redis)
        self._commit = Script(redis, "commit")
        self.schedule = Schedule(redis, self.keys)

    @property
    def redis(self) -> Redis:
        """Where the games lie, for what measures it."""
        return self._redis

    def agree_on_buckets(self) -> None:
        """Go by these numbers of buckets from now on. ValueError where another keeper goes by others, or more."""
        ours = ",".join(map(str, self.keys.counts))
        theirs = (cast("bytes | None", self._redis.get(self.keys.growth)) or b"").decode()
        if theirs == ours:
            return
        if theirs:
            if not ours.startswith(f"{theirs},"):
                raise ValueError(f"the games are divided into BUCKETS={theirs}, and not {ours}")
            self._hook_in_new_buckets(int(theirs.rpartition(",")[2]))
        self._redis.set(self.keys.growth, ours)

    def _hook_in_new_buckets(self, old_count: int) -> None:
        """Games in those that have been added, too, tell the players who have a webhook."""
        first, *others = self.keys.every_bucket()
        hooked = cast("set[bytes]", self._redis.smembers(first.hooked))
        ttl_ms = self._redis.pttl(first.hooked)
        for bucket in others[old_count - 1 :] if hooked else ():
            self._redis.sadd(bucket.hooked, *hooked)
            self._redis.pexpire(bucket.hooked, ttl_ms)

    def new_game_id(self, remembered: str | None = None) -> str:
        """A fresh id of 96 random bits, in the bucket of the digest a create is remembered by."""
        return self.keys.new_id(remembered)

    # Writing

    def create(self, game_id: str, commit: Commit, remembered: tuple[str, bytes, int] | None = None) -> None:
        """Begin a game; `remembered` is (digest, answer, seconds) of an idempotent create.

        Raises `KeyTakenError` (looked at first) with what is remembered, `GameExistsError`; `ValueError` if
        the commit expects a revision or the id is not from `new_game_id(digest)`.
        """
        if commit.expected != 0:
            raise ValueError(f"a new game has no revision {commit.expected}")
        names, replay_entries = [], []
        if remembered is not None:
            digest, answer, ttl_s = remembered
            names = self.keys.created(digest)[:1]
            if names != [self.keys.home(game_id).created(digest)]:
                raise ValueError("a remembered create needs an id from new_game_id(digest)")
            replay_entries = [(answer, 1000 * ttl_s)]
        self._write(game_id, commit, names, replay_entries)

    def commit(self, game_id: str, commit: Commit) -> None:
        """Append to a game.

        Raises, in this order of judgement, `KeyTakenError`, `GameNotFoundError`, `StaleRevisionError`; `ValueError`
        for a commit that no state of the game could accept.
        """
        if commit.expected < 1:
            raise ValueError("a commit appends to a game that exists; see create")
        self._write(game_id, commit, [], [])

    def _write(self, game_id: str, commit: Commit, names: Sequence[str], replay_entries: Sequence[ReplayEntry]) -> None:
        if not commit.events or commit.ttl_s < 1 or OURS & commit.fields.keys():
            raise ValueError("a commit has events, a lifetime and no field of the store's own")
        if any(len(event.splitlines()) != 1 for event in commit.events):
            raise ValueError("an event of a commit is a line")
        keys = self.keys.game(game_id)
        if commit.idempotency is not None:
            suffix, replay_entry, ttl_s = commit.idempotency
            names, replay_entries = [*names, keys.beside(suffix)], [*replay_entries, (replay_entry, 1000 * ttl_s)]
        lists = [name(player) for player in commit.players for name in (keys.bucket.games, keys.bucket.turns)]
        names = [*lists, *names]
        if commit.follow_up is not None:
            names += [keys.bucket.follow_ups, keys.bucket.follow_ups_due]
        packed_fields = fields_packed(commit.fields, DENSE if commit.ended else QUICK)
        kept: Mapping[Any, bytes] = {revision: packed(then) for revision, then in commit.checkpoints.items()}
        if commit.ended:
            kept = checkpoints.joined({**checkpoints.read_all(self._redis, keys), **commit.checkpoints})
        given = {
            "id": game_id,
            "nonce": secrets.token_bytes(NONCE_BYTES),
            "checkpoints": flat(kept),
            **commit.arguments(),
        }

        def write(log: game_log.Change) -> list[Any]:
            answer: list[Any] = self._commit(
                [*keys.committed(), *names],
                **given,
                replay_entries=replay_entries,
                written=log.what,
                tail=log.tail,
                fields=flat({**packed_fields, **log.chunks}),
            )
            return answer

        word, *value = write(game_log.changed(self._redis, keys, commit.expected, commit.events, ended=commit.ended))
        if word == b"stream":
            word, *value = write(game_log.taken_over(self._redis, keys, commit.events))
        if word != b"done":
            raise _refusal(word, value)

    # Reading

    def load(self, game_id: str, holder: str | None = None, *along: Question[Any]) -> Stored | None:
        """The game as last committed, and the roles of a token or player in it, in one exchange; None if there is none.

        `holder` is a field of the tokens: a digest, or ``player:<id>``. `along`: what is asked with it.
        """
        keys = self.keys.game(game_id)
        commands: list[Command] = [("HMGET", keys.game, *LOADED)]
        if holder is not None:
            commands.append(("HGET", keys.tokens, holder))
        return ask(self._redis, Question(commands, stored_of), *along)

    def glance(self, game_id: str, *along: Question[Any]) -> Glance | None:
        """Revision, visibility and view; None if there is no such game. `along`: what is asked with it."""
        commands = (("HMGET", self.keys.game(game_id).game, "revision", "visibility", "view"),)
        return ask(self._redis, Question(commands, lambda replies: glance_of(good(replies)[0])), *along)

    def glances(self, game_ids: Iterable[str]) -> list[Glance | None]:
        """The same of many games, in one exchange."""
        return [*map(glance_of, self._fields_of(game_ids, "revision", "visibility", "view"))]

    def outlines(self, game_ids: Iterable[str]) -> list[Outline | None]:
        """Revision, visibility and facts of many games, in one exchange."""
        return [*map(outline_of, self._fields_of(game_ids, "revision", "visibility", "facts"))]

    def _fields_of(self, game_ids: Iterable[str], *fields: str) -> list[list[bytes | None]]:
        return ask_all(self._redis, (("HMGET", self.keys.game(game_id).game, *fields) for game_id in game_ids))

    def revision(self, game_id: str) -> int:
        """The number of events in the game's log; 0 if there is no such game."""
        reply = self._redis.hget(self.keys.game(game_id).game, "revision")
        return int(reply) if reply is not None else 0

    def roles(self, game_id: str, holder: str) -> str:
        """What a token or player may be in this game, divided by blanks; nothing if nothing."""
        reply = cast("bytes | None", self._redis.hget(self.keys.game(game_id).tokens, holder))
        return "" if reply is None else reply.decode()

    def roles_in(self, game_ids: Sequence[str], holder: str) -> dict[str, str]:
        """The same in several games, of those in which it is something."""
        replies = ask_all(self._redis, (("HGET", self.keys.game(game_id).tokens, holder) for game_id in game_ids))
        return {game_id: reply.decode() for game_id, reply in zip(game_ids, replies, strict=True) if reply}

    def holders(self, game_id: str) -> dict[str, str]:
        """All tokens and players of the game, with their roles."""
        reply = cast("dict[bytes, bytes]", self._redis.hgetall(self.keys.game(game_id).tokens))
        return {holder.decode(): roles.decode() for holder, roles in reply.items()}

    def rotate(self, game_id: str, role: str, token_digest: str) -> None:
        """The role's tokens end, this one holds from now on. Raises `GameNotFoundError`."""
        keys, change = self.keys.game(game_id), Transaction(self._redis)
        change.require("gone", exists(keys.game))
        former = Read("FIELDS_OF", keys.tokens, role, HOLDER)  # players keep theirs
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
        """The player has nothing to do with the game any more.

        What is written instead: `fields` of the game, and all `events` of its log, none if it stays as it is;
        `messages` are taken out by their numbers. Raises `StaleRevisionError` if the game is at another revision. A
        game that does not exist is erased.
        """
        keys, change = self.keys.game(game_id), Transaction(self._redis)
        change.expect("hash", keys.checkpoints)
        change.expect("stream", keys.log, keys.messages)
        change.require("missing", exists(keys.game))
        change.require("stale", Read("HGET", keys.game, "revision").equals(revision))
        fields = fields_packed(fields, QUICK)
        if events:
            log = game_log.whole(events)
            fields |= {**log.chunks, game_log.TAIL: log.tail}
            change.run("DEL", keys.log)
            change.run("HDEL", keys.game, item(), each=Read("FIELDS_WITH", keys.game, game_log.CHUNK_PREFIX))
        change.hset(keys.game, fields)
        change.remove("XDEL", keys.messages, (f"{number}-0" for number in messages))
        change.run("DEL", keys.checkpoints)  # they are computed again
        change.run("HDEL", keys.tokens, f"{HOLDER}{player_id}")
        for name in (keys.bucket.games(player_id), keys.bucket.turns(player_id)):
            change.run("ZREM", name, game_id)
        _archive_again(change, keys)
        if change.commit().word == "stale":
            raise StaleRevisionError(revision)

    def log(
        self, game_id: str, after: int = 0, until: int | None = None, count: int | None = None
    ) -> list[tuple[int, bytes]]:
        """Events with their revisions, `after` < revision <= `until`, the first `count` of them."""
        return game_log.read(self._redis, self.keys.game(game_id), after, until, count)

    def checkpoint(self, game_id: str, revision: int) -> bytes | None:
        """The game as it was at that revision, if that was kept."""
        return checkpoints.read(self._redis, self.keys.game(game_id), revision)

    def refresh(self, game_id: str, revision: int, fields: Mapping[str, bytes], passed: Mapping[int, bytes]) -> None:
        """Keep what was computed again of a game, if it is still at that revision: of its fields, and checkpoints."""
        keys, change = self.keys.game(game_id), Transaction(self._redis)
        change.require("stale", Read("HGET", keys.game, "revision").equals(revision))
        change.hset(keys.game, fields_packed(fields, QUICK))
        if passed:
            change.hset(keys.checkpoints, {then: packed(content) for then, content in passed.items()})
            change.run("PEXPIREAT", keys.checkpoints, reply(change.run("HGET", keys.game, "expires")))
        change.commit()

    def remembered(self, game_id: str, suffix: str) -> bytes | None:
        """The idempotency record under this suffix of the game's key."""
        return cast("bytes | None", self._redis.get(self.keys.game(game_id).beside(suffix)))

    def created(self, digest: str) -> bytes | None:
        """The remembered answer of a create."""
        replies = (cast("bytes | None", self._redis.get(key)) for key in self.keys.created(digest))
        return next((reply for reply in replies if reply is not None), None)

    def remember_created(self, digest: str, answer: bytes, ttl_s: int) -> bool:
        """Remember the answer of a create that is done later; False if one is remembered."""
        key = self.keys.created(digest)[0]
        return bool(self._redis.set(key, answer, nx=True, ex=ttl_s))

    def forget_created(self, digest: str) -> None:
        """There was no such create after all."""
        self._redis.delete(self.keys.created(digest)[0])

    def listing(self, before: str | None, count: int) -> Page:
        """Listed games, last changed first; `before` is the cursor of the page before.

        Games that have expired are skipped, and forgotten. Raises `ValueError` for a cursor that
        is none.
        """
        lists = [bucket.listing for bucket in self.keys.every_bucket()]
        return self._lists.page(lists, before, count)

    def count(self) -> int:
        """How many games are stored."""
        return sum(ask_all(self._redis, (("ZCARD", bucket.expiry) for bucket in self.keys.every_bucket())))

    def every_game(self, before: str | None, count: int) -> Page:
        """The same of all games, listed or not, those that live longest first."""
        lists = [bucket.expiry for bucket in self.keys.every_bucket()]
        return self._lists.page(lists, before, count, tidy=False)

    def sweep(self, now_ms: int, between: Callable[[], object] = bool) -> int:
        """Forget, in the lists of what is due, listed and expiring, the games that have expired; how many.

        `between` is called after each batch.
        """
        swept = 0
        for bucket in self.keys.every_bucket():
            start = 0
            while True:
                ids = cast(
                    "list[bytes]",
                    self._redis.zrangebyscore(bucket.expiry, "-inf", now_ms, start=start, num=SWEEP_BATCH),
                )
                gone = listing.gone(self._redis, self.keys, ids)
                if gone:
                    for name in (bucket.due, bucket.timeouts, bucket.listing, bucket.expiry):
                        self._redis.zrem(name, *gone)
                between()
                swept += len(gone)
                start += len(ids) - len(gone)
                if len(ids) < SWEEP_BATCH:
                    break
        return swept

    def probe(self) -> None:
        """Return if Redis answers and can be written; else raise `redis.exceptions.RedisError`."""
        self._redis.set(self.keys.bucket(0).probe, 1, px=PROBE_MS)


def _archive_again(change: Transaction, keys: GameKeys) -> None:
    """Have a game archived again if it is archived, or waits for it."""
    change.run("ZADD", keys.bucket.to_archive, "XX", 0, keys.game_id)
    is_archived = Read("HEXISTS", keys.game, "archived").above(0)
    change.run("ZADD", keys.bucket.to_archive, 0, keys.game_id, when=is_archived)


def _refusal(word: bytes, value: list[Any]) -> Exception:
    if word == b"stale":
        return StaleRevisionError(int(value[0]))
    if word == b"taken":
        return KeyTakenError(value[0])
    return GameExistsError() if word == b"exists" else GameNotFoundError()
