"""Who may ask how much: API keys, budgets of requests, and how many streams one may have open.

A request is counted by its method and path alone, before it is judged, or in the exchange that reads the game it is
about. So what is refused changes no game; and each budget is counted apart, so that whoever has read too much can still
act. An application with a key is counted by its name; anybody else by address, since tokens can be made at will. While
Redis is away everybody is let through: the operation itself answers 503.

`g.counted_caller` is whom the present request counts for, where limits hold: use cases with a cap need it. `g.origin`
is the same where they do not.

The headers are those of draft-ietf-httpapi-ratelimit-headers.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeVar

import structlog
from flask import Flask, Response, g, request
from marshmallow import fields

from service.games.errors import GameError
from service.settings import Settings
from service.storage.base.connect import RedisError, connect
from service.storage.base.limits import LEASE_S, Count, Limits
from service.storage.base.pipelining import Question
from service.web.http.client_address import counted_as
from service.web.http.problems import problem, refused

LOG = structlog.get_logger()
Answer = TypeVar("Answer")

TICKETED = tuple(f"/v1/games/<game_id>/{last}" for last in ("events", "board.svg", "animation.svg"))
"""What a browser reads with a ticket, because it cannot send headers there: an API key no more than a token."""
WITH_A_GAME = {
    ("GET", "/v1/games/<game_id>"),
    ("GET", "/v1/games/<game_id>/actions"),
    ("POST", "/v1/games/<game_id>/actions"),
}
"""What begins by asking the store for the game: the request is counted in the same exchange."""
TRIED = "/v1/games/<game_id>/actions"
"""What may be tried only, by `dry_run`."""
BUDGETS = {
    "actions": "limit_actions",
    "games": "limit_games",
    "handles": "limit_handles",
    "analyses": "limit_analyses",
    "animations": "limit_analyses",
    "reads": "limit_reads",
    "streams": "limit_reads",
}
"""The setting that holds each budget's quota."""
OPEN_STREAMS = "open_streams"
RENEW_S = LEASE_S / 4
SILENT_S = 1.0
"""So long Redis is not asked again once it was away: a limiter must not double the waiting."""
COME_BACK_S = 30
"""Retry-After where a place has to be waited for: it may take two keep-alives to notice that a client has gone."""
API_KEY_CODES = ("auth/api_key_required", "auth/api_key_unknown")


class Row(NamedTuple):
    """Whose requests a budget counts."""

    methods: str
    path: str
    """Of the rule; a regular expression."""
    budget: str
    codes: tuple[str, ...] = ()
    """What else may be too much."""


ROWS = (  # the first that fits
    Row("GET", r"/v1/openapi\.json", ""),
    Row("GET", r"/v1/me/export", "games"),
    Row("GET", r"/v1/.+/events", "streams", ("limit/streams",)),
    Row("GET", r"/v1/games/<game_id>/animation\.svg", "animations"),
    Row("GET", r"/v1/.+", "reads"),
    Row("POST", r"/v1/positions", "reads"),
    Row("POST", r"/v1/games/import", "games", ("limit/open_games", "limit/background")),
    Row("POST", r"/v1/games(/<game_id>/rematch)?", "games", ("limit/open_games",)),
    Row("POST", r"/v1/(games/<game_id>/)?(analyses|tournaments)", "analyses", ("limit/background",)),
    Row("PUT", r"/v1/me/handle", "handles"),
    Row("POST", r"/v1/(players|sign-ins(/<sign_in>/token)?|me/(tokens|identities|bots|devices))", "games"),
    Row("POST", r"/v1/players/<player>/challenges", "games"),
    Row("POST", r"/v1/seeks(/<seek_id>/join)?", "games"),
    Row("POST", r"/v1/competitions(/<competition_id>/join)?", "games"),
    Row("PUT", r"/v1/me/bot", "games"),
    Row("POST", r"/v1/me/webhooks(/<webhook_id>/ping)?", "games"),
    Row("POST PUT PATCH DELETE", r"/v1/.+", "actions"),
)
NO_ROW = Row("", "", "")


@cache
def row_of(method: str, rule: str) -> Row:
    """The row of a route; one without a budget where nothing is counted."""
    method = "GET" if method == "HEAD" else method
    return next((row for row in ROWS if method in row.methods.split() and re.fullmatch(row.path, rule)), NO_ROW)


def codes_of(method: str, rule: str) -> tuple[str, ...]:
    """What a route may refuse because of who asks, or how often."""
    row = row_of(method, rule)
    return ("limit/requests", *row.codes, *API_KEY_CODES) if row.budget else ()


@dataclass(frozen=True)
class Budget:
    """A quota as responses show it."""

    name: str
    requests: int
    seconds: int

    @property
    def policy(self) -> str:
        """RateLimit-Policy."""
        return f'"{self.name}";q={self.requests};w={self.seconds}'


class RateLimiter:
    """Refuses what is too much and what brings no key. `limits` None: nothing is too much.

    `is_good`: whether a ticket lets somebody read a game.
    """

    def __init__(self, settings: Settings, limits: Limits | None, is_good: Callable[[str, str], bool]) -> None:
        quotas = {name: getattr(settings, setting) for name, setting in BUDGETS.items()}
        self.budgets = {name: Budget(name, quota.requests, quota.seconds) for name, quota in quotas.items()}
        self.applications = {key.digest: key.name for key in settings.api_keys}
        self.key_required = settings.api_key_required == "on"
        self.max_streams = settings.limit_streams
        self.limits = limits
        self.is_good = is_good
        self.silent_until = 0.0

    def before(self) -> Response | None:
        """The refusal, if it is one."""
        rule = request.url_rule
        if rule is None or request.method == "OPTIONS":
            return None
        budget = row_of(request.method, rule.rule).budget
        if not budget:
            return None
        caller = None
        if self.applications:
            caller, code = self._application()
            if code:
                return _without_key(code)
        g.origin = caller = caller or counted_as(request.remote_addr or "")
        if self.limits is None:
            return None
        g.counted_caller = caller
        if rule.rule == TRIED and request.query_string and _is_dry_run():
            budget = "reads"
        return self._counted(self.limits, caller, rule.rule, budget)

    def _application(self) -> tuple[str | None, str | None]:
        """The application that asks, or why it may not."""
        key = request.headers.get("X-Api-Key")
        if key is None:
            needed = self.key_required and not self._shows_ticket()
            return None, "auth/api_key_required" if needed else None
        name = self.applications.get(hashlib.sha256(key.encode()).hexdigest())
        return (None, "auth/api_key_unknown") if name is None else (f"application {name}", None)

    def _shows_ticket(self) -> bool:
        """Whether a good ticket stands for the key; the operation itself spends it."""
        rule, ticket = request.url_rule, request.args.get("ticket")
        if request.method != "GET" or rule is None or rule.rule not in TICKETED or not ticket:
            return False
        game_id = str((request.view_args or {})["game_id"])
        return bool(self.guarded(lambda: self.is_good(game_id, ticket)))

    def _counted(self, limits: Limits, caller: str, rule: str, name: str) -> Response | None:
        budget = self.budgets[name]
        if budget.requests:
            g.counting = Counting(self, limits, caller, budget)
            if (request.method, rule) not in WITH_A_GAME:
                g.counting.count()
        if name == "streams" and request.method == "GET" and self.max_streams:
            lease = Lease(self, limits, caller)
            if self.guarded(lease.hold) is False:
                return _too_much("limit/streams", COME_BACK_S, limit=self.max_streams)
            g.stream_lease = lease
        return None

    def after(self, answer: Response) -> Response:
        """Tell what is left; have a stream keep its place for as long as it lasts."""
        counting: Counting | None = g.get("counting")
        if counting is not None:
            try:
                counting.count()
            except GameError as error:
                answer = refused(error)
            answer.headers.extend(counting.headers)
        if answer.status_code == 429 and "Retry-After" not in answer.headers:  # a cap's, of a use case
            answer.headers.add("Retry-After", str(COME_BACK_S))
        lease: Lease | None = g.get("stream_lease")
        if lease is not None:
            if answer.is_streamed:
                answer.response = lease.kept(answer.response)
                answer.call_on_close(lease.give_back)
            else:
                lease.give_back()
        return answer

    def guarded(self, ask: Callable[[], Answer]) -> Answer | None:
        """What Redis says; None while it is away."""
        if time.monotonic() < self.silent_until:
            return None
        try:
            return ask()
        except RedisError as error:
            if time.monotonic() >= self.silent_until:  # of many that waited one tells
                self.silent_until = time.monotonic() + SILENT_S
                LOG.warning("limits let everybody through: the store is away", error=str(error))
            return None


class Counting:
    """The present request, which is counted by `count`, or by whoever asks `question` before."""

    def __init__(self, rate_limiter: RateLimiter, limits: Limits, caller: str, budget: Budget) -> None:
        counted = (caller, budget.name, budget.requests, budget.seconds)
        hit = limits.question(*counted)
        self.question = Question(
            hit.commands, lambda replies: self._judge(rate_limiter.guarded(lambda: hit.read(replies)))
        )
        self.headers: dict[str, str] = {}
        """What the answer tells of it."""
        self._budget = budget
        self._hit: Callable[[], Count | None] = lambda: rate_limiter.guarded(lambda: limits.hit(*counted))

    def count(self) -> None:
        """Count it, if it has not been yet. limit/requests."""
        if not self.question.is_asked:
            self.question.is_asked = True
            self._judge(self._hit())

    def _judge(self, count: Count | None) -> None:
        if count is None:
            return
        name, left, wait_s = self._budget.name, max(0, count.left), max(1, -(-count.reset_ms // 1000))
        self.headers = {"RateLimit-Policy": self._budget.policy, "RateLimit": f'"{name}";r={left};t={wait_s}'}
        if count.left < 0:
            raise GameError("limit/requests", budget=name, retry_after_s=wait_s)


class Lease:
    """The place of an open stream."""

    def __init__(self, rate_limiter: RateLimiter, limits: Limits, caller: str) -> None:
        self._rate_limiter = rate_limiter
        self._limits = limits
        self._caller = caller
        self._id = secrets.token_hex(8)
        self._over = False

    def hold(self) -> bool:
        """Take the place, or keep it longer."""
        return self._limits.hold(self._caller, OPEN_STREAMS, self._id, self._rate_limiter.max_streams)

    def kept(self, items: Iterable[Any]) -> Iterator[Any]:
        """The same items; there is one every 15 seconds at least, so the lease does not run out between two."""
        renew_at = time.monotonic() + RENEW_S
        for item in items:
            if time.monotonic() >= renew_at:
                self._rate_limiter.guarded(self.hold)
                renew_at = time.monotonic() + RENEW_S
            yield item
        self.give_back()

    def give_back(self) -> None:
        """The stream has ended, or was cut off: whichever is noticed first."""
        if self._over:
            return
        self._over = True
        self._rate_limiter.guarded(lambda: self._limits.release(self._caller, OPEN_STREAMS, self._id))


def register(app: Flask, settings: Settings, is_good: Callable[[str, str], bool]) -> None:
    """Hook into every request of the app, where there is something to look at."""
    if not (settings.limited or settings.api_keys):
        return
    rate_limiter = RateLimiter(settings, Limits(connect(settings.redis_url)) if settings.limited else None, is_good)
    app.extensions["rate_limiter"] = rate_limiter
    app.before_request(rate_limiter.before)
    app.after_request(rate_limiter.after)


def _is_dry_run() -> bool:
    """Trying changes nothing, so it is counted as reading."""
    return request.args.get("dry_run") in fields.Boolean.truthy


def _too_much(code: str, wait_s: int, **members: Any) -> Response:
    answer = problem(code, members=members)
    answer.headers["Retry-After"] = str(wait_s)
    return answer


def _without_key(code: str) -> Response:
    answer = problem(code)
    answer.headers["WWW-Authenticate"] = 'ApiKey realm="games"'
    return answer
