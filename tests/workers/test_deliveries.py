"""Real keepers, dialers and endpoints: what players are told arrives, whatever an endpoint or a dialer does."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from typing import Any

import orjson
import pytest
from standardwebhooks import Webhook

from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.base.context import Caller, Context
from service.usecases.notifications import webhooks
from service.usecases.people import players
from tests.patience import HANG_S, until
from tests.usecases.games.test_usecases import AI, PLAYER
from tests.usecases.players import decide, new_of
from tests.workers.bots import Bot, serving
from tests.workers.processes import Processes
from tests.workers.test_calls import calling, context
from tests.workers.test_processes import children, ready, waiting_workers
from workers import deliveries as delivering

__all__ = ["calling", "context"]  # fixtures


class Endpoints:
    """Webhooks of several tempers, by path; what each was sent, with its headers, in order."""

    def __init__(self) -> None:
        self.seen: dict[str, list[tuple[dict[str, str], bytes]]] = {}
        self.held = threading.Event()

    def answer(self, bot: Bot, told: dict[str, Any]) -> None:
        seen = self.seen.setdefault(bot.path, [])
        headers = {name.lower(): value for name, value in bot.headers.items()}
        seen.append((headers, orjson.dumps(told)))
        if bot.path == "/held":
            self.held.wait(HANG_S)
        if bot.path == "/redirect":
            bot.send_response(302)
            bot.send_header("Location", "/fine")
            bot.end_headers()
            return
        failing = bot.path == "/broken" or (bot.path == "/recovering" and len(seen) == 1)
        with contextlib.suppress(OSError):  # nobody waits any more
            bot.say(b"thanks", 410 if bot.path == "/gone" else 500 if failing else 200)


def started(context: Context, processes: Processes) -> None:
    for arguments in (("workers", "--dial"), ("workers.keeper",)):
        processes.start(*arguments)
    for kind in ("keeper", "dialer"):
        ready(context, kind)


def new_player(context: Context) -> Caller:
    return Caller(players.create(context, {})["token"])


def named(context: Context, owner: Caller, url: str) -> tuple[str, str]:
    """A new webhook of the owner's: (id, secret)."""
    made = webhooks.create(context, owner, url, None, None)
    return made["webhook"]["id"], made["secret"]


def latest(context: Context, owner: Caller, hook: str) -> dict[str, Any]:
    """The webhook's newest delivery."""
    return webhooks.delivered(context, owner, hook)[0]


def test_a_player_is_told_of_his_game_by_signed_requests(context: Context, calling: Processes) -> None:
    started(context, calling)
    endpoints, ana = Endpoints(), new_player(context)
    with serving(endpoints.answer) as (url, asked):
        hook, secret = named(context, ana, f"{url}fine?key=1")
        game, _ = new_of(context, ana, PLAYER, AI)
        until(lambda: len(asked) == 2, calling.output)
        decide(context, game, ana)
        until(lambda: latest(context, ana, hook)["status"] == "delivered")
    assert {"game_started", "your_turn"} == {actual["type"] for actual in asked}
    assert {game} == {actual["data"]["game"]["id"] for actual in asked}
    for headers, body in endpoints.seen["/fine?key=1"]:
        assert orjson.loads(body) == Webhook(secret).verify(body, headers)
        assert "application/json" == headers["content-type"]
    assert "Traceback" not in calling.output()


def test_what_an_endpoint_does_is_told_to_its_owner_and_a_failure_is_tried_again(
    context: Context, calling: Processes
) -> None:
    started(context, calling)
    endpoints, ana = Endpoints(), new_player(context)
    with serving(endpoints.answer) as (url, _):
        tempers = ("fine", "redirect", "gone", "recovering")
        hooks = {temper: named(context, ana, f"{url}{temper}")[0] for temper in tempers}
        for hook in hooks.values():
            webhooks.ping(context, ana, hook)
        until(lambda: all(latest(context, ana, hook)["attempts"] for hook in hooks.values()))
        until(lambda: latest(context, ana, hooks["recovering"])["status"] == "delivered")
    result = {temper: latest(context, ana, hook) for temper, hook in hooks.items()}
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
        webhooks.look(context, ana, hooks["gone"])[name] for name in ("enabled", "disabled_reason")
    )
    one, other = endpoints.seen["/recovering"]
    assert one[0]["webhook-id"] == other[0]["webhook-id"] == result["recovering"]["id"]
    assert one[1] == other[1]


def test_a_late_answer_is_told_to_the_owner(at_work: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivering, "DEADLINE_S", 0.1)
    endpoints, ana = Endpoints(), new_player(at_work)
    with serving(endpoints.answer) as (url, _):
        hook, _ = named(at_work, ana, f"{url}held")
        delivery = webhooks.ping(at_work, ana, hook)
        delivering.deliver(ana.player_id or "", hook, delivery["id"])
        endpoints.held.set()
    (attempt,) = latest(at_work, ana, hook)["attempts"]
    assert ("late", None) == (attempt.error, attempt.status)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the children of the dialer in /proc")
def test_what_a_killed_dialer_was_delivering_is_delivered_by_another(context: Context, calling: Processes) -> None:
    started(context, calling)
    endpoints, ana = Endpoints(), new_player(context)
    with serving(endpoints.answer) as (url, asked):
        hook, _ = named(context, ana, f"{url}held")
        delivery = webhooks.ping(context, ana, hook)
        until(lambda: asked, calling.output)
        dialer = calling.started[0]
        victims = [dialer.pid, *(pid for child in children(dialer.pid) for pid in (child, *children(child)))]
        for pid in victims:
            os.kill(pid, signal.SIGKILL)
        endpoints.held.set()
        calling.start("workers", "--dial")
        at = DeliveryKey(ana.player_id or "", hook, delivery["id"])
        context.webhooks.postpone(at, context.now_ms())  # its lease is over
        until(lambda: latest(context, ana, hook)["status"] == "delivered", calling.output)
    assert len(victims) >= 3
    assert 2 == len(asked)
    assert 1 == len({headers["webhook-id"] for headers, _ in endpoints.seen["/held"]})


def test_two_keepers_deliver_once(context: Context, calling: Processes) -> None:
    started(context, calling)
    calling.start("workers.keeper")
    ready(context, "keeper", 2)
    endpoints, ana = Endpoints(), new_player(context)
    with serving(endpoints.answer) as (url, asked):
        hook, _ = named(context, ana, f"{url}fine")
        for _ in range(10):
            new_of(context, ana, PLAYER, AI)
        until(lambda: len(asked) >= 20, calling.output)
        until(lambda: {"delivered"} == {one["status"] for one in webhooks.delivered(context, ana, hook)})
        until(lambda: waiting_workers(context) == 2)  # no dialer has anything to do
    ids = [headers["webhook-id"] for headers, _ in endpoints.seen["/fine"]]
    assert 20 == len(ids) == len(set(ids))
