"""Dependencies of the use cases, and the caller of a request."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from service.competitions.progress import WATCH_MS
from service.rulesets.texts import LANGUAGES
from service.rulesets.wire import Json
from service.settings import Settings
from service.storage.base.clock import Clock
from service.storage.base.connect import connect
from service.storage.base.follow_ups import FollowUps
from service.storage.base.pipelining import Question
from service.storage.base.shares import OpenGames
from service.storage.games.archive import Archive
from service.storage.games.archive_queue import ArchiveQueue
from service.storage.games.chat import Chat
from service.storage.games.endpoint_health import EndpointHealth
from service.storage.games.hub import Hub
from service.storage.games.presence import Presence
from service.storage.games.store import Store
from service.storage.games.tickets import Tickets
from service.storage.matchmaking.bots import Bots
from service.storage.matchmaking.challenges import Challenges
from service.storage.matchmaking.competitions import Competitions
from service.storage.matchmaking.seeks import Seeks
from service.storage.matchmaking.starts import Starts
from service.storage.notifications.outbox import Outbox
from service.storage.notifications.push_keys import PushKeys
from service.storage.notifications.webhooks import Webhooks
from service.storage.people.leaderboards import Leaderboards
from service.storage.people.moderation import Moderation
from service.storage.people.players import TOKEN_ID_DIGITS, Players
from service.storage.people.ratings import Ratings
from service.storage.people.reports import Reports
from service.storage.people.reservations import HANDLE, IDENTITY, Reservations
from service.storage.people.sign_ins import SignIns
from service.storage.people.statistics import Statistics
from service.storage.puzzles.puzzle_attempts import PuzzleAttempts
from service.storage.work.backlog import Backlog
from service.storage.work.dial_queue import DialQueue
from service.storage.work.figures import Figures
from service.storage.work.queue import BACKGROUND, CALLS, HOOKS, MATCHES, Queue
from service.storage.work.replies import Replies
from service.storage.work.tasks import Tasks
from service.usecases.base.memory import Memory

if TYPE_CHECKING:  # the keeper imports this module too, and starts without the games' modules
    from service.games.events import Event
    from service.games.state.model import Game


MAX_PICTURES, MAX_ANIMATIONS = 100, 50  # about 60 KB and 30 KB each
UNKNOWN_MS = 30_000
"""Interval before a process looks again for a game that was not in the archive."""
PRESENCE_INTERVAL_MS = 20_000
"""A process records the presence of a bot at most this often."""
LIVING_MS = 1_000
"""Interval at which a process counts the living processes of a kind."""
PLAYERS_TOKEN = re.compile(
    r"([A-Za-z0-9_-]{16,17})\.(?:([0-9a-f]{%d})\.)?[A-Za-z0-9_-]{43}" % TOKEN_ID_DIGITS  # noqa: UP031 - braces
)
"""A player's id and a secret; between them, in a game's token, the id of the player's token it was issued to."""


class Credential(NamedTuple):
    """What a token says about its bearer, not yet verified."""

    digest: str
    """The token's digest, which is all that is stored of it."""
    owner: str | None = None
    """Id of the player to whom the token was issued, or None."""
    token_id: str | None = None
    """For a game's token: the id of the player's token to which it was issued. It ends with that token."""

    @classmethod
    def from_token(cls, token: str) -> Credential:
        """Return the credential of a token."""
        match = PLAYERS_TOKEN.fullmatch(token)
        return cls(digest_of(token), *(match.groups() if match else ()))

    @property
    def player_id(self) -> str | None:
        """The player's id if the token is a player's."""
        return self.owner if self.token_id is None else None

    @property
    def issuer(self) -> str:
        """The beginning of tokens that are issued to the bearer; empty if the token belongs to no player."""
        return "" if self.owner is None else f"{self.owner}.{self.token_id or self.digest[:TOKEN_ID_DIGITS]}"


@dataclass(frozen=True)
class Caller:
    """The sender of a request: their credentials, if any, and the language of sentences for them."""

    token: str | None = None
    language: str = LANGUAGES[0]
    ticket: str | None = None  # sent in the query instead of a token; valid once, for reading only
    origin: str = ""  # the calling application, or else its address
    extra_reads: tuple[Question[Any], ...] = ()  # sent to Redis together with the query for a game
    changes: bool = False  # whether the request changes anything; some tokens allow reading only
    may_guess: bool = True  # whether the operator's token is accepted; not after too many wrong secrets
    redeemed: Credential | None = None  # that of the caller who created the ticket

    @cached_property
    def credential(self) -> Credential | None:
        """The credential of the redeemed ticket, or else of the token."""
        return self.redeemed or (None if self.token is None else Credential.from_token(self.token))

    @cached_property
    def player_id(self) -> str | None:
        """The player id in the token, not yet verified. None for a token of another kind."""
        return None if self.credential is None else self.credential.player_id

    @cached_property
    def share(self) -> str:
        """Digest of the calling application or address, under which all that it creates is counted."""
        return digest_of(f"caller {self.origin}")[:32]

    @cached_property
    def digest(self) -> str | None:
        """The token's digest."""
        return None if self.credential is None else self.credential.digest

    @cached_property
    def holder(self) -> str | None:
        """The name under which games store the caller's roles, or None without a token."""
        return self.digest if self.player_id is None else f"player:{self.player_id}"

    @cached_property
    def issuer(self) -> str:
        """The beginning of tokens that are issued to the caller; see `Credential`."""
        return "" if self.credential is None else self.credential.issuer


@dataclass(frozen=True)
class Idempotency:
    """Key that identifies a request when it is repeated. `body_hash` detects a different request with the same key."""

    key: str
    body_hash: str


@dataclass(frozen=True)
class CommandResult:
    """Result of a command: its events, with sentences, and the view after them."""

    revision: int
    events: list[Json]
    view: bytes
    rematch: str | None = None  # id of the rematch
    replayed: bool = False  # the request was repeated; the result was rebuilt from the log


class Replay(dict[str, Any]):
    """The response to an earlier request with the same idempotency key."""


@dataclass
class Context:
    """Dependencies of the use cases. One instance per process; connections are lazy."""

    settings: Settings
    store: Store
    players: Players
    handles: Reservations
    identities: Reservations
    sign_ins: SignIns
    seeks: Seeks
    challenges: Challenges
    starts: Starts
    competitions: Competitions
    bots: Bots
    follow_ups: FollowUps
    archive_queue: ArchiveQueue
    archive: Archive | None  # None if no archive is configured
    ratings: Ratings
    leaderboards: Leaderboards
    statistics: Statistics
    moderation: Moderation
    reports: Reports
    chat: Chat
    presence: Presence
    tickets: Tickets
    open_games: OpenGames
    tasks: Tasks
    replies: Replies
    outbox: Outbox
    webhooks: Webhooks
    devices: Webhooks
    push_keys: PushKeys
    queue: Queue
    backlogs: Mapping[str, Backlog]  # by name; work of background workers and dialers
    dial_queues: Mapping[str, DialQueue]  # by name; outgoing calls
    endpoint_health: EndpointHealth
    hub: Hub
    clock: Clock
    # caches of this process, by game (or competition) and revision; `steps` has each event with the game after it
    views: Memory[tuple[str, int], bytes] = field(default_factory=Memory)
    steps: Memory[tuple[str, int], tuple[Event, Game]] = field(default_factory=Memory)
    pictures: Memory[tuple[Any, ...], bytes] = field(default_factory=partial(Memory, MAX_PICTURES))
    animations: Memory[tuple[Any, ...], bytes] = field(default_factory=partial(Memory, MAX_ANIMATIONS))  # gzip
    animation_lock: threading.Lock = field(default_factory=threading.Lock)  # drawing an animation takes a second
    stories: Memory[tuple[Any, ...], list[Json]] = field(default_factory=Memory)  # by review, language and view
    unknown_games: Memory[str, bool] = field(init=False)  # in neither Redis nor the archive
    watched_competitions: Memory[str, bool] = field(init=False)  # competitions whose games were checked recently
    seen_bots: Memory[str, None] = field(init=False)  # bots whose presence was recorded recently
    living: Memory[str, int] = field(init=False)  # number of processes of a kind
    # when many followers of a game wake, one reads the log and the others use its result
    log_locks: tuple[threading.Lock, ...] = field(default_factory=lambda: tuple(threading.Lock() for _ in range(64)))

    def __post_init__(self) -> None:
        self.clock.on_new_server = self.clear_caches
        self.unknown_games, self.watched_competitions, self.seen_bots, self.living = (
            Memory(ttl_ms=ttl_ms, now_ms=lambda: self.now_ms())  # noqa: PLW0108 - tests replace it
            for ttl_ms in (UNKNOWN_MS, WATCH_MS, PRESENCE_INTERVAL_MS, LIVING_MS)
        )

    def now_ms(self) -> int:
        """Return Unix time in milliseconds by Redis's clock, which all processes share."""
        return self.clock.now_ms()

    @property
    def all_hooks(self) -> tuple[Webhooks, Webhooks]:
        """Everything that receives notices: webhooks, then devices."""
        return self.webhooks, self.devices

    @cached_property
    def figures(self) -> Figures:
        """The figures of each day."""
        return Figures(self.store.redis, self.settings.buckets)

    @cached_property
    def puzzle_attempts(self) -> PuzzleAttempts:
        """The attempts at puzzles."""
        return PuzzleAttempts(self.store.redis, self.settings.buckets)

    def clear_caches(self) -> None:
        """Clear all caches of this process, because they may be invalid."""
        for memory in vars(self).values():
            if isinstance(memory, Memory):
                memory.clear()


def open_context(settings: Settings) -> Context:
    """Create the context from the settings. The supervisor must have set `redis_url`."""
    redis = connect(settings.redis_url)
    return Context(
        settings=settings,
        store=Store(redis, settings.buckets),
        players=Players(redis, settings.buckets),
        handles=Reservations(redis, settings.buckets, HANDLE),
        identities=Reservations(redis, settings.buckets, IDENTITY),
        sign_ins=SignIns(redis, settings.buckets),
        seeks=Seeks(redis, settings.buckets),
        challenges=Challenges(redis, settings.buckets),
        starts=Starts(redis, settings.buckets),
        competitions=Competitions(redis, settings.buckets),
        bots=Bots(redis, settings.buckets),
        follow_ups=FollowUps(redis, settings.buckets),
        archive_queue=ArchiveQueue(redis, settings.buckets),
        archive=Archive(settings.archive) if settings.archive else None,
        ratings=Ratings(redis, settings.buckets),
        leaderboards=Leaderboards(redis, settings.buckets),
        statistics=Statistics(redis, settings.buckets),
        moderation=Moderation(redis, settings.buckets),
        reports=Reports(redis, settings.buckets),
        chat=Chat(redis, settings.buckets),
        presence=Presence(redis, settings.buckets),
        tickets=Tickets(redis, settings.buckets),
        tasks=Tasks(redis, settings.buckets),
        replies=Replies(redis, settings.buckets),
        outbox=Outbox(redis, settings.buckets),
        webhooks=Webhooks(redis, settings.buckets),
        devices=Webhooks(redis, settings.buckets, devices=True),
        push_keys=PushKeys(redis, settings.buckets),
        open_games=OpenGames(redis),
        queue=Queue(settings.queue_url or settings.redis_url, dialers=settings.allows_calls),
        backlogs={name: Backlog(redis, name) for name in (BACKGROUND, MATCHES)},
        dial_queues={name: DialQueue(redis, name) for name in (CALLS, HOOKS)},
        endpoint_health=EndpointHealth(redis, settings.buckets),
        hub=Hub(redis, settings.buckets),
        clock=Clock(redis),
    )


def digest_of(secret: str) -> str:
    """Return the SHA-256 of a token or key in hex. Secrets have 256 random bits, so no salt is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()
