"""Real keepers, dialers and endpoints: notices are delivered, whatever an endpoint or a dialer does."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any

import orjson
import pytest
from standardwebhooks import Webhook

from service.outgoing import signing
from service.storage.notifications.webhooks import DeliveryKey
from service.storage.work.queue import HOOKS
from service.usecases.base.context import Caller, Context
from service.usecases.base.outgoing import DELIVERY
from service.usecases.games.endpoints import SignedRequest
from service.usecases.notifications import webhooks
from service.usecases.people import players
from tests.patience import HANG_S, wait_until
from tests.usecases.games.test_usecases import AI, PLAYER
from tests.usecases.players import Time, decide, new_game_of
from tests.usecases.webhook_deliveries import is_verified
from tests.workers.bots import Bot, serving
from tests.workers.processes import Processes
from tests.workers.test_calls import calling, context
from tests.workers.test_processes import child_pids, ready, start_ready, waiting_workers
from workers import deliveries as delivering

__all__ = ["calling", "context"]  # fixtures


class Endpoints:
    """Webhooks that behave differently by path. `seen`: headers and bodies by path, in order."""

    def __init__(self) -> None:
        self.seen: dict[str, list[tuple[dict[str, str], bytes]]] = {}
        self.held = threading.Event()

    def answer(self, bot: Bot, notice: dict[str, Any]) -> None:
        seen = self.seen.setdefault(bot.path, [])
        headers = {name.lower(): value for name, value in bot.headers.items()}
        seen.append((headers, orjson.dumps(notice)))
        if bot.path == "/held":
            self.held.wait(HANG_S)
        if bot.path == "/redirect":
            bot.answer(b"", 302, Location="/fine")
            return
        failing = bot.path == "/broken" or (bot.path == "/recovering" and len(seen) == 1)
        bot.answer(b"thanks", 410 if bot.path == "/gone" else 500 if failing else 200)


def new_player(context: Context) -> Caller:
    return Caller(players.create(context, {})["token"])


def new_webhook(context: Context, owner: Caller, url: str, events: list[str] | None = None) -> tuple[str, str]:
    """Create a webhook and return its id and secret."""
    created = webhooks.create(context, owner, url, events, None)
    return created["webhook"]["id"], created["secret"]


def latest_delivery(context: Context, owner: Caller, hook: str) -> dict[str, Any]:
    """Return the newest delivery of a webhook."""
    return webhooks.list_deliveries(context, owner, hook)[0]


def test_player_receives_signed_notices_of_a_game(context: Context, calling: Processes) -> None:
    start_ready(context, calling, "dialer", "keeper")
    endpoints, ana = Endpoints(), new_player(context)
    with serving(endpoints.answer) as (url, asked):
        hook, secret = new_webhook(context, ana, f"{url}fine?key=1")
        game, _ = new_game_of(context, ana, PLAYER, AI)
        wait_until(lambda: len(asked) == 2, calling.output)
        decide(context, game, ana)
        wait_until(lambda: latest_delivery(context, ana, hook)["status"] == "delivered")
    assert {"game_started", "your_turn"} == {actual["type"] for actual in asked}
    assert {game} == {actual["data"]["game"]["id"] for actual in asked}
    for headers, body in endpoints.seen["/fine?key=1"]:
        assert orjson.loads(body) == Webhook(secret).verify(body, headers)
        assert "application/json" == headers["content-type"]
    assert "Traceback" not in calling.output()


def test_owner_sees_the_responses_of_an_endpoint_and_failures_are_retried(context: Context, calling: Processes) -> None:
    start_ready(context, calling, "dialer", "keeper")
    endpoints, ana = Endpoints(), new_player(context)
    with serving(endpoints.answer) as (url, _):
        tempers = ("fine", "redirect", "gone", "recovering")
        hooks = {temper: new_webhook(context, ana, f"{url}{temper}", ["game_over"])[0] for temper in tempers}
        for hook in hooks.values():
            webhooks.ping(context, ana, hook)
        wait_until(lambda: all(latest_delivery(context, ana, hook)["attempts"] for hook in hooks.values()))
        wait_until(lambda: latest_delivery(context, ana, hooks["recovering"])["status"] == "delivered")
    result = {temper: latest_delivery(context, ana, hook) for temper, hook in hooks.items()}
    first = {temper: (actual["attempts"][0].error, actual["attempts"][0].status) for temper, actual in result.items()}
    assert {
        "fine": (None, None),
        "redirect": ("redirect", None),
        "gone": ("status", 410),
        "recovering": ("status", 500),
    } == first
    assert ("delivered", "failed") == (result["fine"]["status"], result["gone"]["status"])
    assert [] == [path for path in endpoints.seen if path not in {f"/{temper}" for temper in tempers}]
    assert 1 == len(endpoints.seen["/fine"])  # the redirect was not followed
    assert (False, "gone") == tuple(
        webhooks.get(context, ana, hooks["gone"])[name] for name in ("enabled", "disabled_reason")
    )
    one, other = endpoints.seen["/recovering"]
    assert one[0]["webhook-id"] == other[0]["webhook-id"] == result["recovering"]["id"]
    assert one[1] == other[1]


def test_a_delivery_sent_again_has_the_same_id_and_verifies(context: Context, calling: Processes) -> None:
    start_ready(context, calling, "dialer", "keeper")
    endpoints, ana = Endpoints(), new_player(context)
    with serving(endpoints.answer) as (url, _):
        hook, secret = new_webhook(context, ana, f"{url}fine")
        sent = webhooks.ping(context, ana, hook)
        for number in (1, 2):
            wait_until(lambda number=number: len(latest_delivery(context, ana, hook)["attempts"]) == number)  # type: ignore[misc]
            if number == 1:
                webhooks.resend(context, ana, hook, sent["id"])
    first, second = endpoints.seen["/fine"]
    assert first[0]["webhook-id"] == second[0]["webhook-id"] == sent["id"]
    assert first[1] == second[1]
    for headers, body in (first, second):
        Webhook(secret).verify(body, headers)


@pytest.mark.parametrize("is_ended", [False, True])
def test_receivers_change_the_secret_without_losing_a_message(
    at_work: Context, monkeypatch: pytest.MonkeyPatch, *, is_ended: bool
) -> None:
    """A receiver gets real requests before, in and after the overlap, which time or the owner ends."""
    time, endpoints, ana = Time(at_work, monkeypatch), Endpoints(), new_player(at_work)
    with serving(endpoints.answer) as (url, _):
        hook, old = new_webhook(at_work, ana, f"{url}fine")
        new = signing.new_secret()

        def verifying() -> list[str]:
            """Return which secrets verify the next request."""
            delivering.deliver(ana.player_id or "", hook, webhooks.ping(at_work, ana, hook)["id"])
            headers, body = endpoints.seen["/fine"][-1]
            return [secret for secret in (old, new) if is_verified(secret, SignedRequest(body, headers), time)]

        assert [old] == verifying()
        webhooks.rotate_secret(at_work, ana, hook, new, 60)
        time.pass_(59)
        assert [old, new] == verifying()
        if is_ended:
            webhooks.end_old_secrets(at_work, ana, hook)
        else:
            time.pass_(1)
        assert [new] == verifying()
    assert {"delivered"} == {one["status"] for one in webhooks.list_deliveries(at_work, ana, hook)}


def test_owner_sees_a_timeout(at_work: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivering, "DEADLINE_S", 0.1)
    endpoints, ana = Endpoints(), new_player(at_work)
    with serving(endpoints.answer) as (url, _):
        hook, _ = new_webhook(at_work, ana, f"{url}held")
        delivery = webhooks.ping(at_work, ana, hook)
        delivering.deliver(ana.player_id or "", hook, delivery["id"])
        endpoints.held.set()
    (attempt,) = latest_delivery(at_work, ana, hook)["attempts"]
    assert ("late", None) == (attempt.error, attempt.status)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the children of the dialer in /proc")
def test_another_dialer_delivers_after_a_kill(context: Context, calling: Processes) -> None:
    start_ready(context, calling, "dialer", "keeper")
    endpoints, ana = Endpoints(), new_player(context)
    with serving(endpoints.answer) as (url, asked):
        hook, _ = new_webhook(context, ana, f"{url}held")
        delivery = webhooks.ping(context, ana, hook)
        wait_until(lambda: asked, calling.output)
        dialer = calling.started[0]
        victims = [dialer.pid, *(pid for child in child_pids(dialer.pid) for pid in (child, *child_pids(child)))]
        for pid in victims:
            os.kill(pid, signal.SIGKILL)
        endpoints.held.set()
        calling.start("workers", "--dial")
        at = DeliveryKey(ana.player_id or "", hook, delivery["id"])
        context.dial_queues[HOOKS].finish(" ".join((DELIVERY, *at, "0")))  # its leases have expired
        context.webhooks.postpone(at, context.now_ms())
        wait_until(lambda: latest_delivery(context, ana, hook)["status"] == "delivered", calling.output)
    assert len(victims) >= 3
    assert 2 == len(asked)
    assert 1 == len({headers["webhook-id"] for headers, _ in endpoints.seen["/held"]})


def test_hanging_endpoints_of_strangers_do_not_delay_a_delivery(context: Context, calling: Processes) -> None:
    """There are more hanging endpoints than dialers."""
    start_ready(context, calling, "dialer", "keeper")
    endpoints, ana = Endpoints(), new_player(context)
    with serving(endpoints.answer) as (slow, asked), serving(endpoints.answer) as (quick, _):
        for owner in [new_player(context) for _ in range(3)]:
            for _ in range(3):
                webhooks.ping(context, owner, new_webhook(context, owner, f"{slow}held")[0])
        wait_until(lambda: len(asked) > 2, calling.output)
        hook, _ = new_webhook(context, ana, f"{quick}fine")
        webhooks.ping(context, ana, hook)
        wait_until(lambda: latest_delivery(context, ana, hook)["status"] == "delivered", calling.output)
        endpoints.held.set()
        wait_until(lambda: len(asked) == 9, calling.output)


def test_a_stopped_dialer_completes_its_calls(context: Context, calling: Processes) -> None:
    (dialer,) = start_ready(context, calling, "dialer")
    endpoints, ana = Endpoints(), new_player(context)
    with serving(endpoints.answer) as (url, asked):
        hook, _ = new_webhook(context, ana, f"{url}held")
        webhooks.ping(context, ana, hook)
        wait_until(lambda: asked, calling.output)
        dialer.send_signal(signal.SIGTERM)
        endpoints.held.set()
        assert 0 == dialer.wait(HANG_S)
    assert "delivered" == latest_delivery(context, ana, hook)["status"]


def test_two_keepers_deliver_once(context: Context, calling: Processes) -> None:
    start_ready(context, calling, "dialer", "keeper")
    calling.start("workers.keeper")
    ready(context, "keeper", 2)
    endpoints, ana = Endpoints(), new_player(context)
    with serving(endpoints.answer) as (url, asked):
        hook, _ = new_webhook(context, ana, f"{url}fine")
        for _ in range(10):
            new_game_of(context, ana, PLAYER, AI)
        wait_until(lambda: len(asked) >= 20, calling.output)
        wait_until(lambda: {"delivered"} == {one["status"] for one in webhooks.list_deliveries(context, ana, hook)})
        wait_until(lambda: waiting_workers(context) == 2)  # no dialer has work
    ids = [headers["webhook-id"] for headers, _ in endpoints.seen["/fine"]]
    assert 20 == len(ids) == len(set(ids))
