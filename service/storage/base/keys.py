"""Names of all keys.

On Redis Cluster, one script may use several keys only if they are in one hash slot. The slot depends on the part of the
name between braces. So every key carries the tag of its bucket, and every game belongs to one bucket forever:
``crc32(id) % buckets``. With one bucket (the default) all keys are together. With sixteen, the load spreads over a
cluster. Each bucket has its own hub, due queue, listing and expiry list, which the scripts of its games can use.

The number of buckets is part of the data: it may grow (see `Buckets`), but never shrink.
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
"""96 random bits, 16 characters of ``[A-Za-z0-9_-]``, which RQ also allows in the id of a job."""
MAX_COUNTS = 10
"""The number of buckets can grow nine times, because one digit of an id counts the growth."""


_BUCKETS = tuple(BucketKeys(f"{{b{number:02d}}}") for number in range(100))


@dataclass(frozen=True)
class GameKeys:
    """Names of the keys of one game. All expire at the same moment, or earlier."""

    bucket: BucketKeys
    game_id: str

    @property
    def game(self) -> str:
        """HASH: revision, meta, state, snapshot, tag, facts, view, form, visibility, attempts, expires, cause, nonces,
        tail, ``log:<number>``, messages, rating, rating_applied, rating_removed, archived.

        Frames (see packing.py): meta, 150 bytes; state, 50; snapshot, 150 to 450; view, 400 to 1,200;
        the log (see game_log.py), 75 an event in the tail, 10 to 40 in a chunk. A game of two seats has 4 to 8 KB at
        its end. Older versions stored no frames, and a `position` that is valid only for its own revision.

        `snapshot` is valid only for the sources that `tag` names. The position in the view is valid for every later
        version, which reads it by the number in `form`. `facts`: properties of the game that can be read without
        loading it. `cause`: request id and trace of the decision that is due. `nonces`: see commit.lua. `messages`:
        number of messages so far. `rating`: the rating change of each seat, 300 bytes. `rating_applied`: 1 when all
        changes are applied. `rating_removed`: 1 if an admin removed the game from the ratings. `archived`: the revision
        in the archive.
        """
        return f"{self.bucket.tag}:game:{self.game_id}"

    @property
    def log(self) -> str:
        """STREAM: entry ``<revision>-0``, ``e`` = the event. Written by older versions, until the next commit."""
        return f"{self.game}:log"

    @property
    def tokens(self) -> str:
        """HASH: SHA-256 of a token in hex, or ``player:<id>`` -> roles, separated by spaces. 100 bytes each."""
        return f"{self.game}:tokens"

    @property
    def messages(self) -> str:
        """STREAM: entry ``<number>-0``, ``m`` = the message. The last 200."""
        return f"{self.game}:messages"

    @property
    def checkpoints(self) -> str:
        """HASH: revision -> a checkpoint, 150 to 600 bytes; ``all`` -> all checkpoints of a finished game."""
        return f"{self.game}:checkpoints"

    @property
    def review(self) -> str:
        """STRING: id of the task of the newest review. As long as the task, 90 bytes."""
        return f"{self.game}:review"

    def ticket(self, digest: str) -> str:
        """Return the key of the ticket of this digest. STRING: digest, owner and token id of its creator's token."""
        return f"{self.game}:ticket:{digest}"

    def commit_keys(self) -> list[str]:
        """Return the keys of a commit, in the order of commit.lua."""
        shared = self.bucket
        own = [self.game, self.log, self.tokens, self.messages, self.checkpoints]
        due = [shared.due, shared.timeouts]
        notices = [shared.outbox, shared.subscribers]
        return [*own, shared.hub, *due, shared.listing, shared.expiry, *notices, shared.to_archive]

    def subkey(self, suffix: str) -> str:
        """Return another key of this game, such as the replay entry ``idem:<digest>``."""
        return f"{self.game}:{suffix}"


Buckets = int | tuple[int, ...]
"""Number of buckets, from 1 to 100 because the tag has two digits. After a growth: all numbers so far, ascending.

An id shows the number of buckets at its creation: ids since the first growth end with the number of growths, as their
17th character. So nothing has to be moved: old entities stay in their buckets, and new ones are spread over all
buckets.
"""


@dataclass(frozen=True)
class Keys:
    """Names of all keys for a number of buckets."""

    buckets: Buckets

    def __post_init__(self) -> None:
        rising = all(before < after for before, after in pairwise(self.counts))
        fits = all(1 <= count <= 100 for count in self.counts) and 1 <= len(self.counts) <= MAX_COUNTS
        if not rising or not fits:
            raise ValueError(f"buckets: {self.buckets}, expected a number from 1 to 100, or ascending numbers")

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """All numbers of buckets so far, ascending."""
        return (self.buckets,) if isinstance(self.buckets, int) else self.buckets

    def bucket_number(self, entity_id: str) -> int:
        """Return the number of the bucket of a game, player or task."""
        suffix = entity_id[ID_LENGTH:]
        growth = int(suffix) if len(suffix) == 1 and suffix.isdecimal() else 0
        return _hash(entity_id) % self.counts[min(growth, len(self.counts) - 1)]

    def _bucket_of_name(self, name: str) -> BucketKeys:
        """Return the bucket of a chosen or derived name. It does not change when buckets are added."""
        return self.bucket(_hash(name) % self.counts[0])

    def bucket(self, number: int) -> BucketKeys:
        """Return the keys of the bucket of this number."""
        return _BUCKETS[number]

    def all_buckets(self) -> Iterator[BucketKeys]:
        """Return an iterator over the keys of all buckets."""
        return map(self.bucket, range(self.counts[-1]))

    @property
    def growth(self) -> str:
        """STRING: the numbers of buckets that the keepers use, ascending, separated by commas."""
        return f"{self.bucket(0).tag}:growth"

    def create_replays(self, digest: str) -> list[str]:
        """Return the keys that may contain the replay entry of a create. New entries use the first."""
        numbers = dict.fromkeys(_hash(digest) % count for count in reversed(self.counts))
        return [self.bucket(number).create_replay(digest) for number in numbers]

    def game(self, game_id: str) -> GameKeys:
        """Return the keys of one game."""
        return GameKeys(self.home(game_id), game_id)

    def player(self, player_id: str) -> str:
        """Return the key of a player."""
        return self.home(player_id).player(player_id)

    @property
    def matchmaking_bucket(self) -> BucketKeys:
        """The bucket of all seeks, challenges, bots and competitions. They share one, so a pairing is one commit."""
        return self.bucket(0)

    def home(self, owner: str) -> BucketKeys:
        """Return the keys of the bucket that contains a player, game or task."""
        return self.bucket(self.bucket_number(owner))

    def reservation(self, kind: str, name: str) -> str:
        """Return the key of a reserved name."""
        return self._bucket_of_name(name).reservation(kind, name)

    def meetings(self, digest: str) -> str:
        """Return the key of the recent rated games of two players, or of a player and new accounts."""
        return self._bucket_of_name(digest).meetings(digest)

    def address_players(self, digest: str) -> str:
        """Return the key of the players seen at an address."""
        return self._bucket_of_name(digest).address_players(digest)

    def board(self, name: str, part: str = "") -> str:
        """Return the key of a leaderboard, or of a part of it. All parts share a slot."""
        return self._bucket_of_name(name).board(name + part)

    def sign_in(self, sign_in_id: str) -> str:
        """Return the key of a sign-in."""
        return self._bucket_of_name(sign_in_id).sign_in(sign_in_id)

    def task(self, task_id: str) -> str:
        """Return the key of a task.

        HASH: kind, asked, owner, status, found (a frame), version (of the last report), expires. TASK_TTL_S from its
        creation; a review lives as long as its game if that is longer. 400 bytes, 3 KB for a review of 80 decisions.
        """
        return f"{self.home(task_id).tag}:task:{task_id}"

    def parts(self, task_id: str) -> str:
        """Return the key of the finished parts of a task. HASH: number of a part -> its result."""
        return f"{self.task(task_id)}:parts"

    def new_id(self, digest: str | None = None) -> str:
        """Return a new id of 96 random bits. With `digest`, the id belongs to the bucket of that create's replay entry.

        One script writes the game and the replay entry of its create, so both must be in one bucket. Finding such an
        id takes about as many attempts as there are buckets.
        """
        growth = str(len(self.counts) - 1) if len(self.counts) > 1 else ""
        while True:
            entity_id = secrets.token_urlsafe(ID_BYTES) + growth
            if digest is None or self.home(entity_id).create_replay(digest) == self.create_replays(digest)[0]:
                return entity_id


def id_from(text: str) -> str:
    """Return an id derived from a text. Equal texts have equal ids."""
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()[:ID_BYTES]).decode()


def _hash(text: str) -> int:
    return zlib.crc32(text.encode())


# Channels are the names of hub entries. Those of revisions are game ids.


def turns_channel(player_id: str) -> str:
    """Return the channel of games that begin to wait for a player. Every hub uses it."""
    return f"player:{player_id}"


def games_channel(player_id: str) -> str:
    """Return the channel of changed games of a player. The entries of these games name their players."""
    return f"games:{player_id}"


def seek_channel(seek_id: str) -> str:
    """Return the channel of the end of a seek, in the hub of the matchmaking bucket."""
    return f"seek:{seek_id}"


def challenges_channel(player_id: str) -> str:
    """Return the channel of changed challenges from or to a player, in the hub of the matchmaking bucket."""
    return f"challenges:{player_id}"


def challenge_channel(challenge_id: str) -> str:
    """Return the channel of the end of a challenge, in the hub of the matchmaking bucket."""
    return f"challenge:{challenge_id}"


def competition_channel(competition_id: str) -> str:
    """Return the channel of the versions of a competition, in the hub of the matchmaking bucket."""
    return f"competition:{competition_id}"


def messages_channel(game_id: str) -> str:
    """Return the channel of the messages of a game."""
    return f"{game_id}:messages"


def task_channel(task_id: str) -> str:
    """Return the channel of the reports of a task."""
    return f"{task_id}:task"


# The following keys are on the server of the queue.


def heartbeats(kind: str) -> str:
    """Return the key of the heartbeats of a kind of process. ZSET: process name -> unix ms when it counts as dead."""
    return f"beats:{kind}"


def tree_holder(game_id: str, seat: int) -> str:
    """Return the key of the worker that has the search tree of a seat's last decision. STRING: its name."""
    return f"rq:tree_holder:{game_id}-{seat}"


DRAINED = "drained"
"""ZSET: name of a process that must take no jobs -> unix ms until when. 60 bytes each."""


def run_key(run_id: str) -> str:
    """Return the key of a run of the laboratory. STRING: exists while a process waits for its games."""
    return f"arena:{run_id}"


def reports_key(run_id: str) -> str:
    """Return the key of the reports of a run. LIST: results of its games."""
    return f"{run_key(run_id)}:reports"
