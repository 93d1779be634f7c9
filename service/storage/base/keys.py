"""Every key name, in one place.

A script may touch several keys at once on Redis Cluster only if all of them live in one hash slot,
and the slot is computed from what stands between the braces. So every key carries its bucket's tag
and every game belongs to one bucket for good: ``crc32(id) % buckets``. With one bucket (the
default) everything is together; with sixteen the load spreads over a cluster and each bucket still
has a hub, a due list, a listing and an expiry list of its own, reachable from its games' scripts.

The number of buckets is part of the data: it may grow (see `Buckets`), and never shrink.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from service.storage.base.bucket_keys import BucketKeys

ID_BYTES, ID_LENGTH = 12, 16
"""96 random bits, 16 characters of ``[A-Za-z0-9_-]``: what RQ allows in a job's id, too."""
MAX_COUNTS = 10
"""One digit says which."""


_BUCKETS = tuple(BucketKeys(f"{{b{number:02d}}}") for number in range(100))


@dataclass(frozen=True)
class GameKeys:
    """The keys of one game; all expire at the same moment, or earlier."""

    bucket: BucketKeys
    game_id: str

    @property
    def game(self) -> str:
        """HASH: revision, meta, state, snapshot, tag, facts, view, form, visibility, attempts, expires, cause, nonces,
        tail, ``log:<number>``, messages, rating, rating_applied, archived.

        Frames (see packing.py): meta, 150 bytes; state, 50; snapshot, 150 to 450; view, 400 to 1,200;
        the log (see game_log.py), 75 an event in the tail, 10 to 40 in a chunk. At two seats all is 4 to 8 KB at the
        end. Older versions stored no frames, and `position`, which counts where it tells the game's revision.

        `snapshot` means something to the sources that `tag` names; the view's position, by the number of its `form`, to
        every later version; `facts`: what is asked of a game without loading it. `cause`: request id and trace of what
        is due. `nonces`: see commit.lua. `messages`: how many there were. `rating`: what it brings each seat, 300
        bytes; `rating_applied`: 1 when they all have it. `archived`: the revision that stands in the archive.
        """
        return f"{self.bucket.tag}:game:{self.game_id}"

    @property
    def log(self) -> str:
        """STREAM: entry ``<revision>-0``, ``e`` = the event: of an older version, until a commit of this one."""
        return f"{self.game}:log"

    @property
    def tokens(self) -> str:
        """HASH: SHA-256 of a token in hex, or ``player:<id>`` -> roles, divided by blanks; 100 bytes each."""
        return f"{self.game}:tokens"

    @property
    def messages(self) -> str:
        """STREAM: entry ``<number>-0``, ``m`` = the message; the last 200."""
        return f"{self.game}:messages"

    @property
    def checkpoints(self) -> str:
        """HASH: revision -> the game as it was then, 150 to 600 bytes; ``all`` -> those of one that is over."""
        return f"{self.game}:checkpoints"

    @property
    def presence(self) -> str:
        """ZSET: who looks at the game -> unix ms until which they are taken to.

        80 s at most from the last that is heard of them; 1,100 at most; 100 bytes each.
        """
        return f"{self.game}:presence"

    @property
    def review(self) -> str:
        """STRING: id of the task that is its newest review. As long as that; 90 bytes."""
        return f"{self.game}:review"

    def ticket(self, digest: str) -> str:
        """STRING: the roles that the ticket of this digest gives, once."""
        return f"{self.game}:ticket:{digest}"

    def committed(self) -> list[str]:
        """The keys of a commit, in the order commit.lua numbers them."""
        shared = self.bucket
        own = [self.game, self.log, self.tokens, self.messages, self.checkpoints]
        due = [shared.due, shared.timeouts]
        return [*own, shared.hub, *due, shared.listing, shared.expiry, shared.outbox, shared.hooked, shared.to_archive]

    def beside(self, suffix: str) -> str:
        """Another key of this game, such as the idempotency record ``idem:<digest>``."""
        return f"{self.game}:{suffix}"


Buckets = int | tuple[int, ...]
"""How many buckets there are (1 to 100: the tag has two digits). Where they were made more, all numbers, ascending.

An id tells under which of them it was made: those since the first growth have its number as a last, 17th character.
So nothing is moved: what there was stays where it is, and what is new is spread over all.
"""


@dataclass(frozen=True)
class Keys:
    """All names, for so many buckets."""

    buckets: Buckets

    def __post_init__(self) -> None:
        rising = all(before < after for before, after in pairwise(self.counts))
        fits = all(1 <= count <= 100 for count in self.counts) and 1 <= len(self.counts) <= MAX_COUNTS
        if not rising or not fits:
            raise ValueError(f"buckets: {self.buckets}, expected 1 to 100, or such numbers, each larger")

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """All numbers, ascending."""
        return (self.buckets,) if isinstance(self.buckets, int) else self.buckets

    def bucket_of(self, entity_id: str) -> int:
        """The bucket of what has this id: a game, a player, a task."""
        growth = (
            int(entity_id[ID_LENGTH]) if len(entity_id) == ID_LENGTH + 1 and entity_id[ID_LENGTH].isdecimal() else 0
        )
        return _hash(entity_id) % self.counts[min(growth, len(self.counts) - 1)]

    def _named(self, name: str) -> BucketKeys:
        """The bucket of a name that others choose, or that follows from something: the same for ever."""
        return self.bucket(_hash(name) % self.counts[0])

    def bucket(self, number: int) -> BucketKeys:
        """The shared keys of a bucket."""
        return _BUCKETS[number]

    def every_bucket(self) -> Iterator[BucketKeys]:
        """The shared keys of each bucket in turn."""
        return map(self.bucket, range(self.counts[-1]))

    @property
    def growth(self) -> str:
        """STRING: the numbers of buckets that the keepers go by, ascending."""
        return f"{self.bucket(0).tag}:growth"

    def created(self, digest: str) -> list[str]:
        """The keys under which a create may be remembered by this digest: first the one where it is now."""
        numbers = dict.fromkeys(_hash(digest) % count for count in reversed(self.counts))
        return [self.bucket(number).created(digest) for number in numbers]

    def game(self, game_id: str) -> GameKeys:
        """The keys of one game."""
        return GameKeys(self.home(game_id), game_id)

    def player(self, player_id: str) -> str:
        """The key of a player."""
        return self.home(player_id).player(player_id)

    @property
    def of_seeks(self) -> BucketKeys:
        """The bucket in which all seeks, bots and competitions lie, so that a pairing is one commit."""
        return self.bucket(0)

    def home(self, owner: str) -> BucketKeys:
        """The shared keys of the bucket that a player, a game or a task is kept in."""
        return self.bucket(self.bucket_of(owner))

    def claim(self, kind: str, name: str) -> str:
        """The key of a name that is one player's at most."""
        return self._named(name).claim(kind, name)

    def meetings(self, digest: str) -> str:
        """The key of the rated games of two players on one day."""
        return self._named(digest).meetings(digest)

    def board(self, name: str) -> str:
        """The key of a leaderboard."""
        return self._named(name).board(name)

    def sign_in(self, sign_in_id: str) -> str:
        """The key of a sign-in."""
        return self._named(sign_in_id).sign_in(sign_in_id)

    def task(self, task_id: str) -> str:
        """HASH: kind, asked, owner, status, found (a frame), version (of the last report), expires.

        TASK_TTL_S from when it was asked for; a review as long as its game, where that is longer. 400 bytes, 3 KB of a
        review of 80 decisions.
        """
        return f"{self.home(task_id).tag}:task:{task_id}"

    def parts(self, task_id: str) -> str:
        """HASH: number of a task's part -> what came of it."""
        return f"{self.task(task_id)}:parts"

    def hub_of(self, entity_id: str) -> str:
        """The hub that announces what happens to the game or task of that id."""
        return self.home(entity_id).hub

    def new_id(self, beside: str | None = None) -> str:
        """A fresh id of 96 random bits; with `beside`, one in that digest's bucket (about as many tries as buckets).

        A create is remembered under its idempotency key's digest, and one script writes both, so
        the game has to go where the digest is looked for.
        """
        growth = str(len(self.counts) - 1) if len(self.counts) > 1 else ""
        while True:
            entity_id = secrets.token_urlsafe(ID_BYTES) + growth
            if beside is None or self.home(entity_id).created(beside) == self.created(beside)[0]:
                return entity_id


def id_from(text: str) -> str:
    """The id that follows from a text: the same for the same, and another for any other."""
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()[:ID_BYTES]).decode()


def _hash(text: str) -> int:
    return zlib.crc32(text.encode())


def turns_channel(player_id: str) -> str:
    """The name under which the hubs announce that a game waits for a player."""
    return f"player:{player_id}"


def seek_channel(seek_id: str) -> str:
    """The name under which the hub of the seeks announces that one waits no more."""
    return f"seek:{seek_id}"


def challenges_channel(player_id: str) -> str:
    """The name under which that hub announces that the challenges of a player are others now."""
    return f"challenges:{player_id}"


def challenge_channel(challenge_id: str) -> str:
    """The name under which it announces that a challenge waits no more."""
    return f"challenge:{challenge_id}"


def competition_channel(competition_id: str) -> str:
    """The name under which it announces a competition's new version."""
    return f"competition:{competition_id}"


def messages_channel(game_id: str) -> str:
    """The name under which a game's hub announces its messages."""
    return f"{game_id}:messages"


def task_channel(task_id: str) -> str:
    """The name under which a hub announces the reports on a task."""
    return f"{task_id}:task"


def beats(kind: str) -> str:
    """ZSET beside the queue: process name -> unix ms until which it counts as alive."""
    return f"beats:{kind}"


def tree_holder(game_id: str, seat: int) -> str:
    """STRING beside the queue: the name of the worker that holds the tree of the seat's last decision."""
    return f"rq:tree_holder:{game_id}-{seat}"


DRAINED = "drained"
"""ZSET beside the queue: name of a process that is to take no jobs -> unix ms until then; 60 bytes each."""


def run(run_id: str) -> str:
    """STRING beside the queue: there for as long as somebody waits for the games of this run of the arena."""
    return f"arena:{run_id}"


def reports(run_id: str) -> str:
    """LIST beside the queue: what has come of the games of a run."""
    return f"{run(run_id)}:reports"
