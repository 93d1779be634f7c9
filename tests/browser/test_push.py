"""Notifications by Web Push: the offer in a game without a time limit, the account, and the service worker.

The headless browser has neither a push service nor notifications. Its subscription is that of a device of the tests,
and the service worker records what it would show. The service sends real messages.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
import requests
from playwright.sync_api import expect

from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious, serious_in_light_and_dark
from tests.browser.test_people import PHONE, arrive, button, expect_toast
from tests.e2e.stack import bearer
from tests.outgoing.push_service import Device, PushService
from tests.patience import wait_until

RECORD = "registration.showNotification = async (title, options) => { self.shown = { title, ...options } }"
CLICK = """() => {
  const click = new ExtendableEvent("notificationclick");
  const notification = { close() {}, data: self.shown.data };
  dispatchEvent(Object.assign(click, { notification, waitUntil: () => {} }));
}"""
ALLOW = "Object.defineProperty(Notification, 'permission', { value: 'default' })"


def sit_with_push(sit: Sit, endpoint: str, device: Device) -> Player:
    """Open a page whose push manager returns this subscription."""
    player = sit(*PHONE, worker=True)
    player.page.add_init_script(ALLOW)
    subscription = json.dumps({"endpoint": endpoint, "keys": device.keys})
    player.page.add_init_script(f"PushManager.prototype.subscribe = async () => ({{ toJSON: () => ({subscription}) }})")
    return player


def deliver(player: Player, message: dict[str, Any]) -> None:
    """Let the browser deliver a message to the service worker of the page."""
    session, registrations = player.page.context.new_cdp_session(player.page), list[str]()
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(one["registrationId"] for one in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    wait_until(lambda: player.page.evaluate("true") and registrations, "the service worker")
    sent = {"origin": player.url, "registrationId": registrations[0], "data": json.dumps(message)}
    session.send("ServiceWorker.deliverPushMessage", sent)


@pytest.mark.nightly
def test_a_player_accepts_the_offer_of_notifications_and_gets_them(sit: Sit) -> None:
    device = Device()
    with PushService() as service:
        ana = sit_with_push(sit, f"{service.origin}/ana", device)
        arrive(ana, "Ana")
        ana.begin("azul", "grey", "open", clock="60 s per turn + 10 min reserve")
        expect(button(ana.page, "Copy link: Invitation")).to_be_visible()
        ana.page.evaluate("navigator.serviceWorker.ready")
        expect(button(ana.page, "Notify me")).to_have_count(0)  # the other player is about to come
        ana.begin("azul", "grey", "open")
        offer = button(ana.page, "Notify me")
        expect(offer).to_be_visible()
        assert [] == serious_in_light_and_dark(ana)
        ana.shoot("offer")
        offer.click()
        expect_toast(ana, "This browser now notifies you")
        expect(offer).to_have_count(0)
        other = requests.post(f"{ana.url}/v1/players", json={"name": "Ben"}, timeout=10).json()["token"]
        claim = {"token": ana.tokens["invite"]}
        requests.post(f"{ana.api}/seats", json=claim, headers=bearer(other), timeout=10).raise_for_status()
        wait_until(lambda: service.seen, "a message of the service")
        message = device.read(service.seen[0][2])
    assert (ana.game, ana.page.url) == (message["game_id"], message["url"])
    (worker,) = ana.page.context.service_workers
    worker.evaluate(RECORD)
    deliver(ana, message)
    shown = wait_until(lambda: worker.evaluate("self.shown"), "the notification")
    assert (message["title"], message["text"], ana.game) == (shown["title"], shown["body"], shown["tag"])

    ana.page.goto(f"{ana.url}/play#/me")
    entry = ana.page.locator(".tokens li", has_text="gets notifications")
    expect(entry).to_contain_text("(this browser)")
    worker.evaluate(CLICK)
    ana.page.wait_for_url(f"**/play#/{message['game_id']}")
    ana.page.goto(f"{ana.url}/play#/me")
    entry.get_by_role("button").click()
    expect(entry).to_have_count(0)
    button(ana.page, "Send notifications to this browser").click()
    expect(entry).to_be_visible()
    assert [] == serious(ana)


@pytest.mark.nightly
def test_a_player_declines_the_offer_of_notifications_once(sit: Sit) -> None:
    ana = sit_with_push(sit, "https://push.example/ana", Device())
    arrive(ana, "Ana")
    for is_offered in (True, False):
        ana.begin("azul", "grey", "open")
        expect(button(ana.page, "Copy link: Invitation")).to_be_visible()
        ana.page.evaluate("navigator.serviceWorker.ready")
        if is_offered:
            button(ana.page, "No thanks").click()
        expect(button(ana.page, "No thanks")).to_have_count(0)
    ana.page.goto(f"{ana.url}/play#/me")
    expect(button(ana.page, "Send notifications to this browser")).to_be_visible()
