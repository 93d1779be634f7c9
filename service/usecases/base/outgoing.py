"""Outgoing calls: what the operator allows, who may call next, and endpoints that keep failing.

A call waits in one of two queues: decisions of endpoints, and deliveries to webhooks and devices. The queues share
their slots fairly between owners and hosts, see `service.storage.work.dial_queue`. Games and deliveries store when they
are due, so keepers add lost calls again.

An endpoint that keeps failing rests after each failure for half of the time since its first failure. After an outage,
it is called again within half of the outage's duration.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import orjson

from service.games.errors import GameError
from service.games.state.endpoints import ENDPOINT_DISABLED
from service.games.state.moments import rfc3339
from service.outgoing.outbound_http import DialError, Policy, authority_of, check_url
from service.storage.base.keys import id_from
from service.storage.work.dial_queue import Call
from service.storage.work.queue import CALLS
from service.usecases.base.context import Context

DIALER_KIND = "dialer"
SLOTS_OF_A_DIALER = 16
"""Calls in flight of each dialer and queue, on average."""
SLOT_LEASE_MS = 10_000
"""After this time, the dialer of a call is assumed dead. A call takes at most five seconds."""
ENDPOINT_CALL, DELIVERY, PUSH = "decision", "delivery", "push"
"""Kinds of calls: the first word of their names."""
MAX_FAILURES, FAILING_MS = 20, 86_400_000
"""An endpoint is disabled after this many failures in a row, if the first is at least this long ago."""

FAILING, GONE = "failing", "gone"
"""Why an endpoint is disabled: it kept failing, or its URL no longer exists."""
WEBHOOK, DEVICE, BOT = "webhook", "device", "bot"
ENDPOINT_KINDS = (WEBHOOK, DEVICE, BOT)


class Decision(NamedTuple):
    """A decision of an endpoint that is due. `attempt`: number of leases granted so far."""

    game_id: str
    revision: int
    seat: int
    attempt: int


def policy(context: Context) -> Policy:
    """Return the policy for outgoing calls."""
    settings = context.settings
    return Policy(
        enabled=settings.allows_calls,
        ports=frozenset(settings.outgoing_ports),
        loopback=settings.outgoing == "loopback",
    )


def must_be_on(context: Context) -> None:
    """Raise outgoing/off if the operator does not allow outgoing calls."""
    if not context.settings.allows_calls:
        raise GameError("outgoing/off")


def url_error(context: Context, url: str) -> str | None:
    """Return why a URL must not be called, or None, also without outgoing calls. The host name is not resolved."""
    allowed = policy(context)
    try:
        check_url(url, allowed)
    except DialError as error:
        if error.code == "off":
            return None
        if error.code == "port":
            return f"must use one of these ports: {', '.join(map(str, sorted(allowed.ports)))}"
        return "must be an https URL without user, password or fragment"
    return None


def must_be_new(secret: str, current: str) -> None:
    """Raise request/invalid if a new signing secret is the current one."""
    if secret == current:
        raise GameError("request/invalid", errors={"/secret": "must differ from the current secret"})


# ------------------------------------------------------------------------------------------------- queues


def owner_digest(owner: str) -> str:
    """Return a digest of who is responsible for an endpoint: a player's id, or the address of an anonymous caller."""
    return id_from(f"owner {owner}")


def endpoint_id(owner: str | None, url: str) -> str:
    """Return the id under which the failures of a seat's endpoint are counted, in all games of its owner."""
    return id_from(f"endpoint {owner} {url}")


def add_decision(context: Context, decision: Decision, url: str, owner: str | None) -> None:
    """Let a dialer ask an endpoint. `owner`: a digest, or None in games of older versions."""
    host = authority_of(url)
    add(context, CALLS, [Call(" ".join(map(str, (ENDPOINT_CALL, *decision))), owner or host, host)])


def add(context: Context, name: str, calls: Sequence[Call]) -> None:
    """Add calls to a queue and wake a dialer. Calls that are already waiting or in flight are not added again."""
    if calls:
        context.dial_queues[name].add(calls, context.now_ms())
        context.queue.wake_dialer(name)


def take(context: Context, name: str) -> str | None:
    """Return the name of the next call, with a slot, or None."""
    dialers = context.living.get(DIALER_KIND, lambda: context.queue.count_living(DIALER_KIND))
    now = context.now_ms()
    return context.dial_queues[name].take(now, now + SLOT_LEASE_MS, SLOTS_OF_A_DIALER * max(1, dialers))


def wake_dialers(context: Context) -> int:
    """Repeat lost wake-ups. Return the number of waiting calls."""
    count = 0
    for name, queue in context.dial_queues.items():
        if waiting := queue.waiting():
            context.queue.wake_dialer(name)
            count += waiting
    return count


# ------------------------------------------------------------------------------------------------- failures


def rests_until_ms(since_ms: int, last_ms: int, longest_ms: int) -> int:
    """Return until when an endpoint is not called. `since_ms`, `last_ms`: unix ms of the first and last failure."""
    return last_ms + min((last_ms - since_ms) // 2, longest_ms)


def is_to_be_disabled(failures: int, since_ms: int, now_ms: int) -> bool:
    """Return whether an endpoint with this many failures in a row must be disabled."""
    return failures >= MAX_FAILURES and now_ms - since_ms >= FAILING_MS


def notify_owners(
    context: Context, owners: Sequence[str], kind: str, endpoint_id: str, reason: str, since_ms: int
) -> None:
    """Notify players that their webhook, device or bot is not called any more."""
    now = rfc3339(context.now_ms())
    endpoint = {"kind": kind, "id": endpoint_id, "reason": reason, "failing_since": rfc3339(since_ms)}
    for owner in owners:
        notice = {"type": ENDPOINT_DISABLED, "timestamp": now, "data": {"player": owner, "endpoint": endpoint}}
        context.outbox.write(owner, orjson.dumps(notice), context.settings.player_ttl_s)
