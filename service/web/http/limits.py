"""API keys, rate limits, and the limit on open streams.

A request counts against the budget of its method and path. It is counted before it is processed, or in the same round
trip that reads its game, so refused requests change nothing. Budgets are independent: a caller that has used up its
reads can still act. Applications with a key are counted by name, other callers by address, because anybody can create
tokens. Wrong secrets have their own budget, see `guesses`. While Redis is unavailable, all requests pass, and the
operation itself responds with 503.

`g.origin` is the name under which the request is counted. Use cases count under a digest of it (`Caller.share`).

The headers follow draft-ietf-httpapi-ratelimit-headers.
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

from service.games.errors import GameError
from service.settings import Settings
from service.storage.base.connect import RedisError, connect
from service.storage.base.limits import LEASE_S, Count, Limits
from service.storage.base.pipelining import Question
from service.web.http import guesses
from service.web.http.client_address import counted_address
from service.web.http.guesses import Guesses
from service.web.http.problems import problem, refusal

LOG = structlog.get_logger()
Answer = TypeVar("Answer")

TICKETED = tuple(f"/v1/games/<game_id>/{last}" for last in ("events", "board.svg", "animation.svg"))
"""Paths that browsers read with a ticket, because they cannot send a token or an API key there."""
WITH_A_GAME = {
    ("GET", "/v1/games/<game_id>"),
    ("GET", "/v1/games/<game_id>/actions"),
    ("GET", "/v1/games/<game_id>/choices"),
    ("POST", "/v1/games/<game_id>/actions"),
}
"""Requests that start by reading the game, and are counted in the same round trip."""
BUDGETS = {
    "actions": "limit_actions",
    "games": "limit_games",
    "handles": "limit_handles",
    "analyses": "limit_analyses",
    "animations": "limit_analyses",
    "reads": "limit_reads",
    "streams": "limit_reads",
    "guesses": "limit_guesses",
}
"""Setting with the quota of each budget."""
OPEN_STREAMS = "open_streams"
RENEW_S = LEASE_S / 4
SILENT_S = 1.0
"""Time without calls to Redis after a failure, so that limits do not double the wait of each request."""
STREAMS_RETRY_AFTER_S = 10
"""Retry-After if too many streams are open. A client that vanished is noticed in this time."""
API_KEY_CODES = ("auth/api_key_required", "auth/api_key_unknown")


class Row(NamedTuple):
    """The budget of the routes whose rule matches `path`, a regular expression. `codes`: other limits on them."""

    methods: str
    path: str
    budget: str
    codes: tuple[str, ...] = ()


ROWS = (  # the first match applies
    Row("GET", r"/v1/((admin/)?openapi\.(json|yaml)|asyncapi\.json|postman\.json)", ""),
    Row("GET", r"/v1/me/export", "games"),
    Row("GET", r"/v1/.+/events", "streams", ("limit/streams",)),
    Row("GET", r"/v1/games/<game_id>/animation\.svg", "animations"),
    Row("GET", r"/v1(/.+)?", "reads"),
    Row("POST", r"/v1/(positions|games/<game_id>/actions/preview)", "reads"),
    Row("POST", r"/v1/games/import", "games", ("limit/open_games", "limit/background")),
    Row("POST", r"/v1/games(/<game_id>/rematch)?", "games", ("limit/open_games",)),
    Row("POST", r"/v1/(games/<game_id>/)?(analyses|tournaments)", "analyses", ("limit/background",)),
    Row("PUT", r"/v1/me/handle", "handles"),
    Row("POST", r"/v1/(players|sign-ins(/<sign_in>/token)?|me/(tokens|identities|bots|devices))", "games"),
    Row("POST", r"/v1/players/<player>/challenges", "games"),
    Row("POST", r"/v1/reports", "games", ("limit/reports",)),
    Row("POST", r"/v1/seeks(/<seek_id>/join)?", "games"),
    Row("POST", r"/v1/competitions(/<competition_id>/join)?", "games"),
    Row("PUT", r"/v1/me/bot", "games"),
    Row("POST", r"/v1/me/bot/secret", "games"),
    Row("POST", r"/v1/me/webhooks(/<webhook_id>/(ping|secret))?", "games"),
    Row("POST", r"/v1/me/webhooks/<webhook_id>/deliveries/<delivery_id>/attempts", "games", ("limit/attempts",)),
    Row("POST PUT PATCH DELETE", r"/v1/.+", "actions"),
)
NO_ROW = Row("", "", "")


@cache
def row_of(method: str, rule: str) -> Row:
    """Return the row of a route; its budget is empty if the route is not counted."""
    method = "GET" if method == "HEAD" else method
    return next((row for row in ROWS if method in row.methods.split() and re.fullmatch(row.path, rule)), NO_ROW)


def limit_codes(method: str, rule: str) -> tuple[str, ...]:
    """Return the error codes of a route's limits and API keys."""
    row = row_of(method, rule)
    return ("limit/requests", *row.codes, *API_KEY_CODES) if row.budget else ()


@dataclass(frozen=True)
class Budget:
    """A quota: `requests` in a window of `seconds`."""

    name: str
    requests: int
    seconds: int

    @property
    def policy(self) -> str:
        """Value of the header RateLimit-Policy."""
        return f'"{self.name}";q={self.requests};w={self.seconds}'


class RateLimiter:
    """Refuses requests over the limits and without a required key. `limits`: None if limits are disabled.

    `is_good` returns whether a ticket is valid for a game.
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
        self.guesses = None if limits is None or not quotas["guesses"].requests else Guesses(self._count_guess)

    def check(self) -> Response | None:
        """Count the request. Return a response if it is refused."""
        rule = request.url_rule
        if rule is None or request.method == "OPTIONS":
            return None
        if self.guesses is not None and (wait_s := self.guesses.wait_s):
            g.may_guess = False
            if guesses.is_for_operators():
                return _too_many_guesses(wait_s)
        budget = row_of(request.method, rule.rule).budget
        if not budget:
            return None
        caller = None
        if self.applications:
            caller, code = self._application()
            if code:
                return _without_key(code)
        g.origin = caller = caller or counted_address(request.remote_addr or "")
        if self.limits is None:
            return None
        return self._count(self.limits, caller, rule.rule, budget)

    def _application(self) -> tuple[str | None, str | None]:
        """Return the calling application, and the error code if it is refused."""
        key = request.headers.get("X-Api-Key")
        if key is None:
            needed = self.key_required and not self._has_ticket()
            return None, "auth/api_key_required" if needed else None
        name = self.applications.get(hashlib.sha256(key.encode()).hexdigest())
        return (None, "auth/api_key_unknown") if name is None else (f"application {name}", None)

    def _has_ticket(self) -> bool:
        """Return whether a valid ticket replaces the key. The operation itself uses up the ticket."""
        rule, ticket = request.url_rule, request.args.get("ticket")
        if request.method != "GET" or rule is None or rule.rule not in TICKETED or not ticket:
            return False
        game_id = str((request.view_args or {})["game_id"])
        return bool(self.call_store(lambda: self.is_good(game_id, ticket)))

    def _count(self, limits: Limits, caller: str, rule: str, name: str) -> Response | None:
        budget = self.budgets[name]
        if budget.requests:
            g.counting = Counting(self, limits, caller, budget)
            if (request.method, rule) not in WITH_A_GAME:
                g.counting.count()
        if name == "streams" and request.method == "GET" and self.max_streams:
            lease = Lease(self, limits, caller)
            if self.call_store(lease.hold) is False:
                return refusal(GameError("limit/streams", limit=self.max_streams, retry_after_s=STREAMS_RETRY_AFTER_S))
            g.stream_lease = lease
        return None

    def _count_guess(self, address: str) -> tuple[int, int] | None:
        limits, budget = self.limits, self.budgets["guesses"]
        counted = (address, budget.name, budget.requests, budget.seconds)
        return None if limits is None else self.call_store(lambda: limits.hit(*counted))

    def add_headers(self, answer: Response) -> Response:
        """Add the headers of the budget, count wrong secrets, and hold the lease of a stream until it ends."""
        if self.guesses is not None and (wait_s := self.guesses.count()):
            answer = _too_many_guesses(wait_s)
        counting: Counting | None = g.get("counting")
        if counting is not None:
            try:
                counting.count()
            except GameError as error:
                answer = refusal(error)
            answer.headers.extend(counting.headers)
        lease: Lease | None = g.get("stream_lease")
        if lease is not None:
            if answer.is_streamed:
                answer.response = lease.renew_during(answer.response)
                answer.call_on_close(lease.release)
            else:
                lease.release()
        return answer

    def call_store(self, call: Callable[[], Answer]) -> Answer | None:
        """Return the result of a call to Redis, or None while Redis is unavailable."""
        if time.monotonic() < self.silent_until:
            return None
        try:
            return call()
        except RedisError as error:
            if time.monotonic() >= self.silent_until:  # log once for many concurrent requests
                self.silent_until = time.monotonic() + SILENT_S
                LOG.warning("limits not applied: store unavailable", error=str(error))
            return None


class Counting:
    """The count of the current request, by `count`, or earlier together with other commands by `question`."""

    def __init__(self, rate_limiter: RateLimiter, limits: Limits, caller: str, budget: Budget) -> None:
        counted = (caller, budget.name, budget.requests, budget.seconds)
        hit = limits.question(*counted)
        self.question = Question(
            hit.commands, lambda replies: self._apply(rate_limiter.call_store(lambda: hit.read(replies)))
        )
        self.headers: dict[str, str] = {}
        """Response headers about the budget."""
        self._budget = budget
        self._hit: Callable[[], Count | None] = lambda: rate_limiter.call_store(lambda: limits.hit(*counted))

    def count(self) -> None:
        """Count the request, unless it is counted already. Raise GameError `limit/requests` over the limit."""
        if not self.question.is_asked:
            self.question.is_asked = True
            self._apply(self._hit())

    def _apply(self, count: Count | None) -> None:
        if count is None:
            return
        name, left, wait_s = self._budget.name, max(0, count.left), max(1, -(-count.reset_ms // 1000))
        self.headers = {"RateLimit-Policy": self._budget.policy, "RateLimit": f'"{name}";r={left};t={wait_s}'}
        if count.left < 0:
            raise GameError("limit/requests", budget=name, retry_after_s=wait_s)


class Lease:
    """The lease of an open stream, which counts against the caller's limit."""

    def __init__(self, rate_limiter: RateLimiter, limits: Limits, caller: str) -> None:
        self._rate_limiter = rate_limiter
        self._limits = limits
        self._caller = caller
        self._id = secrets.token_hex(8)
        self._is_released = False

    def hold(self) -> bool:
        """Take or renew the lease. Return False if the caller has too many."""
        return self._limits.hold(self._caller, OPEN_STREAMS, self._id, self._rate_limiter.max_streams)

    def renew_during(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield the items and renew the lease. Streams send an item at least every `hub.KEEP_ALIVE_S`."""
        renew_at = time.monotonic() + RENEW_S
        for item in items:
            if time.monotonic() >= renew_at:
                self._rate_limiter.call_store(self.hold)
                renew_at = time.monotonic() + RENEW_S
            yield item
        self.release()

    def release(self) -> None:
        """Release the lease once, at the end of the stream or when its connection closes."""
        if not self._is_released:
            self._is_released = True
            self._rate_limiter.call_store(lambda: self._limits.release(self._caller, OPEN_STREAMS, self._id))


def register(app: Flask, settings: Settings, is_good: Callable[[str, str], bool]) -> None:
    """Add hooks to the app if limits or API keys are configured."""
    if not (settings.has_rate_limits or settings.api_keys):
        return
    limits = Limits(connect(settings.redis_url)) if settings.has_rate_limits else None
    rate_limiter = RateLimiter(settings, limits, is_good)
    app.extensions["rate_limiter"] = rate_limiter
    app.before_request(rate_limiter.check)
    app.after_request(rate_limiter.add_headers)


def _too_many_guesses(wait_s: int) -> Response:
    return refusal(GameError("limit/requests", budget="guesses", retry_after_s=wait_s))


def _without_key(code: str) -> Response:
    answer = problem(code)
    answer.headers["WWW-Authenticate"] = 'ApiKey realm="games"'
    return answer
