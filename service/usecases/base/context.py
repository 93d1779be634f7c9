"""What every use case works with: the store, the queue, the hub, the clock; and who is asking."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from service.competitions.progress import WATCH_MS
from service.rulesets.texts import LANGUAGES
from service.rulesets.wire import Json
from service.settings import Settings
from service.storage.base.clock import Clock
from service.storage.base.connect import connect
from service.storage.base.follow_ups import FollowUps
from service.storage.base.limits import OpenGames
from service.storage.base.pipelining import Question
from service.storage.games.archive import Archive
from service.storage.games.archive_queue import Archivals
from service.storage.games.chat import Chat
from service.storage.games.hub import Hub
from service.storage.games.presence import Presence
from service.storage.games.store import Store
from service.storage.games.tickets import Tickets
from service.storage.matchmaking.bots import Bots
from service.storage.matchmaking.challenges import Challenges
from service.storage.matchmaking.competitions import Competitions
from service.storage.matchmaking.seeks import Seeks
from service.storage.notifications.outbox import Outbox
from service.storage.notifications.push_keys import PushKeys
from service.storage.notifications.webhooks import Webhooks
from service.storage.people.claims import HANDLE, IDENTITY, Claims
from service.storage.people.leaderboards import Leaderboards
from service.storage.people.players import Players
from service.storage.people.ratings import Ratings
from service.storage.people.sign_ins import SignIns
from service.storage.people.statistics import Statistics
from service.storage.work.backlog import Backlog
from service.storage.work.queue import BACKGROUND, MATCHES, Queue
from service.storage.work.tasks import Tasks
from service.usecases.base.memory import Memory

if TYPE_CHECKING:  # the keeper opens these doors too, and knows no games
    from service.games.events import Event
    from service.games.state.model import Game


MAX_PICTURES, MAX_ANIMATIONS = 100, 50  # of some 60 KB and 30 KB
UNKNOWN_MS = 30_000
"""After so long a process looks again for a game that was not in the archive."""
NOTED_EVERY_MS = 20_000
PLAYER_TOKEN = re.compile(r"([A-Za-z0-9_-]{16,17})\.[A-Za-z0-9_-]{43}")  # a player's id and a secret


@dataclass(frozen=True)
class Caller:
    """Who asks: a bearer token, a ticket or nobody; and the language sentences are wanted in."""

    token: str | None = None
    language: str = LANGUAGES[0]
    ticket: str | None = None  # shown in a query instead of a token: good once, and only for reading
    counted: str | None = None  # for whom their games count, where their number is limited
    origin: str = ""  # the application that asks, or the address it asks from
    along: tuple[Question[Any], ...] = ()  # what the store is asked together with a game
    changes: bool = False  # whether what they ask for changes something: a token may be good for reading only

    @cached_property
    def player_id(self) -> str | None:
        """Whose token it claims to be; None for a token of another kind."""
        match = None if self.token is None else PLAYER_TOKEN.fullmatch(self.token)
        return None if match is None else match[1]

    @cached_property
    def digest(self) -> str | None:
        """What is stored of the token."""
        return None if self.token is None else digest_of(self.token)


@dataclass(frozen=True)
class Idempotency:
    """A caller's promise that requests with this key are one request. `body_hash` shows a broken promise."""

    key: str
    body_hash: str


@dataclass(frozen=True)
class Written:
    """What a command did: its events, with sentences, and the view after them."""

    revision: int
    events: list[Json]
    view: bytes
    rematch: str | None = None  # id of the game that follows
    replayed: bool = False  # answered from the log: the request had been served before


@dataclass
class Context:
    """The doors to the outside, opened once a process; every one connects when it is first used."""

    settings: Settings
    store: Store
    players: Players
    handles: Claims
    identities: Claims
    sign_ins: SignIns
    seeks: Seeks
    challenges: Challenges
    competitions: Competitions
    bots: Bots
    follow_ups: FollowUps
    archivals: Archivals
    archive: Archive | None  # where the operator keeps one
    ratings: Ratings
    leaderboards: Leaderboards
    statistics: Statistics
    chat: Chat
    presence: Presence
    tickets: Tickets
    open_games: OpenGames
    tasks: Tasks
    outbox: Outbox
    webhooks: Webhooks
    devices: Webhooks
    push_keys: PushKeys
    queue: Queue
    backlogs: Mapping[str, Backlog]  # by name: what background workers do, and what dialers do beside their calls
    hub: Hub
    clock: Clock
    # what this process has lately computed, by game and revision: views (of competitions, too), events with the games
    views: Memory[tuple[str, int], bytes] = field(default_factory=Memory)
    steps: Memory[tuple[str, int], tuple[Event, Game]] = field(default_factory=Memory)
    pictures: Memory[tuple[Any, ...], bytes] = field(default_factory=partial(Memory, MAX_PICTURES))
    animations: Memory[tuple[Any, ...], bytes] = field(default_factory=partial(Memory, MAX_ANIMATIONS))  # in gzip
    animating: threading.Lock = field(default_factory=threading.Lock)  # one is made at a time: it takes a second
    unknown_games: Memory[str, bool] = field(init=False)  # not archived either
    competitions_watched: Memory[str, bool] = field(init=False)  # their games were looked at
    bots_noted: Memory[str, None] = field(init=False)  # players that were noted to be here
    # of a thousand followers that wake together one reads the log, the others find what it read
    reading: tuple[threading.Lock, ...] = field(default_factory=lambda: tuple(threading.Lock() for _ in range(64)))

    def __post_init__(self) -> None:
        self.clock.when_another = self.forget
        self.unknown_games, self.competitions_watched, self.bots_noted = (
            Memory(ttl_ms=ttl_ms, now_ms=lambda: self.now_ms())  # noqa: PLW0108 - tests replace it
            for ttl_ms in (UNKNOWN_MS, WATCH_MS, NOTED_EVERY_MS)
        )

    def now_ms(self) -> int:
        """Unix time in milliseconds, the same for all processes on all machines."""
        return self.clock.now_ms()

    @property
    def every_hooks(self) -> tuple[Webhooks, Webhooks]:
        """Whatever gets notices: webhooks, then devices."""
        return self.webhooks, self.devices

    def forget(self) -> None:
        """Nothing that this process has computed may be so any more."""
        for memory in vars(self).values():
            if isinstance(memory, Memory):
                memory.clear()


def open_context(settings: Settings) -> Context:
    """The doors that the settings name (REDIS_URL must be set by now: the supervisor sets it)."""
    redis = connect(settings.redis_url)
    return Context(
        settings=settings,
        store=Store(redis, settings.buckets),
        players=Players(redis, settings.buckets),
        handles=Claims(redis, settings.buckets, HANDLE),
        identities=Claims(redis, settings.buckets, IDENTITY),
        sign_ins=SignIns(redis, settings.buckets),
        seeks=Seeks(redis, settings.buckets),
        challenges=Challenges(redis, settings.buckets),
        competitions=Competitions(redis, settings.buckets),
        bots=Bots(redis, settings.buckets),
        follow_ups=FollowUps(redis, settings.buckets),
        archivals=Archivals(redis, settings.buckets),
        archive=Archive(settings.archive) if settings.archive else None,
        ratings=Ratings(redis, settings.buckets),
        leaderboards=Leaderboards(redis, settings.buckets),
        statistics=Statistics(redis, settings.buckets),
        chat=Chat(redis, settings.buckets),
        presence=Presence(redis, settings.buckets),
        tickets=Tickets(redis, settings.buckets),
        tasks=Tasks(redis, settings.buckets),
        outbox=Outbox(redis, settings.buckets),
        webhooks=Webhooks(redis, settings.buckets),
        devices=Webhooks(redis, settings.buckets, devices=True),
        push_keys=PushKeys(redis, settings.buckets),
        open_games=OpenGames(redis, settings.limit_open_games),
        queue=Queue(settings.queue_url or settings.redis_url, dialers=settings.calls),
        backlogs={name: Backlog(redis, name) for name in (BACKGROUND, MATCHES)},
        hub=Hub(redis, settings.buckets),
        clock=Clock(redis),
    )


def digest_of(secret: str) -> str:
    """SHA-256 in hex: all that is ever stored of a token or key (they have 256 random bits, so no salt is needed)."""
    return hashlib.sha256(secret.encode()).hexdigest()
