"""Competitions at the table: announced, joined by a link, played in automatically opened games, finished."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import requests
from playwright.sync_api import expect

from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious, serious_in_light_and_dark
from tests.browser.test_people import DESK, PHONE, arrive, button, expect_toast, go, identity
from tests.e2e.stack import Stack, bearer

CACHED_PATHS = """caches.open("azul-table-shell").then((shell) => shell.keys())
    .then((all) => all.map(({ url }) => new URL(url).pathname))"""
"""Returns the paths cached by the worker."""


def link_on(player: Player) -> str:
    """Return the link for players on the page."""
    return player.page.locator("input.link").first.input_value()


def test_a_swiss_competition_is_announced_joined_by_its_link_and_played_to_its_end(sit: Sit) -> None:
    ana, ben = sit(*DESK), sit(*PHONE, locale="de-DE", color_scheme="dark")
    ana.page.goto(f"{ana.url}/play")
    go(ana, "Competitions")
    expect(ana.page.get_by_role("heading", name="Competitions")).to_be_focused()
    ana.page.get_by_label("Your name").fill("Ana")
    ana.page.get_by_label("Name", exact=True).fill("Friday Open")
    assert [] == serious_in_light_and_dark(ana)
    ana.shoot("announce")
    button(ana.page, "Create a competition").click()
    expect(ana.page.get_by_role("heading", name="Friday Open")).to_be_visible()
    expect(ana.page.get_by_text("Send this link to the players:")).to_be_visible()
    button(ana.page, "Start now").press("Enter")
    expect_toast(ana, "You need at least two players to start.")

    ben.page.goto(link_on(ana))
    ben.page.get_by_label("Dein Name").fill("Ben")
    assert [] == serious(ben)
    ben.shoot("join")
    button(ben.page, "Mitspielen").click()
    expect(ben.page.get_by_text("Du spielst mit. Deine Spiele öffnen sich hier automatisch.")).to_be_visible()
    expect(ana.page.locator(".standings tbody tr")).to_have_count(2)
    ana.shoot("coming")
    button(ana.page, "Start now").press("Enter")
    for player in (ana, ben):
        expect(player.page.locator(".board svg")).to_be_visible()
    assert ana.game == ben.game

    ben.page.go_back()
    expect(ben.page.get_by_role("link", name="Zu deinem Spiel", exact=True)).to_be_visible()
    expect(ben.page.locator(".contests li[data-own=true]")).to_contain_text("Zu deinem Spiel")
    fewer = "Weniger Runden als die angekündigten 5, weil nur wenige mitspielen."
    expect(ben.page.get_by_text(fewer)).to_be_visible()
    ben.shoot("running")
    ana.resign()
    expect(ana.page.locator(".log")).to_contain_text("Ana resigned.")  # named once, without the seat
    expect(ben.page.locator(".podium li")).to_have_count(2)
    expect(ben.page.locator(".podium li").first).to_contain_text("Ben(du)1Punkte: 1")
    expect(ben.page.locator(".standings tr[data-own=true]")).to_contain_text("Ben(du)1")
    assert [] == serious_in_light_and_dark(ben)
    ben.shoot("over")
    ana.page.get_by_role("link", name="Competitions", exact=True).first.click()
    row = ana.page.get_by_role("list", name="Finished").locator("li", has_text="Friday Open")
    expect(row).to_contain_text("you're in")
    expect(row).to_contain_text("Swiss · 1 round · Azul, coloured side")


@pytest.mark.nightly
def test_an_arena_by_invitation_is_paused_and_cancelled(sit: Sit, stack: Stack) -> None:
    host, guest = sit(*PHONE), sit(*DESK, color_scheme="dark")
    arrive(host, "Hanna")
    arrive(guest, "Gil")
    basics = {"name": "Late Arena", "format": "arena", "ruleset": "azul", "variant": "grey", "minutes": 30}
    options = {"clock": {"turn_s": 60, "bank_s": 300}, "by_invitation": True, "visibility": "unlisted"}
    soon = (datetime.now(UTC) + timedelta(minutes=20)).isoformat()
    body = {**basics, **options, "starts_at": soon}
    headers = bearer(identity(host)["token"])
    made = requests.post(f"{stack.api}/competitions", json=body, headers=headers, timeout=10).json()
    page = f"{host.url}/play#/competition/{made['id']}"
    guest.page.goto(page)
    expect(guest.page.get_by_text("You need an invitation to join.")).to_be_visible()
    expect(guest.page.locator(".head .clock")).to_contain_text(":")
    host.page.goto(page)
    guest.page.goto(link_on(host))
    expect(guest.page).to_have_url(page)  # the invitation is stored and not in the address
    expect(guest.page.get_by_text("Playing as Gil")).to_be_visible()  # the name is not asked for again
    button(guest.page, "Join").click()
    expect(guest.page.get_by_text("You're in.")).to_be_visible()
    for name in ("P1", "P2"):
        enter, token = {"invitation": made["invitation"]}, stack.new_player(name=name)
        url = f"{stack.api}/competitions/{made['id']}/join"
        assert 200 == requests.post(url, json=enter, headers=bearer(token), timeout=10).status_code
    button(host.page, "Remove: P2").click()
    button(host.page, "Remove").click()
    expect(host.page.locator(".standings tbody tr")).to_have_count(2)
    assert [] == serious(host)
    host.shoot("host")
    button(host.page, "Start now").click()
    expect(guest.page.locator(".board svg")).to_be_visible()
    guest.page.go_back()
    expect(guest.page.locator(".head .clock")).to_contain_text(":")
    assert [] == serious_in_light_and_dark(guest)
    guest.shoot("arena")
    button(guest.page, "Pause").click()
    expect(guest.page.locator(".standings tr[data-own=true]")).to_contain_text("paused")
    button(guest.page, "Rejoin").click()
    expect(guest.page.locator(".standings tr[data-own=true]")).not_to_contain_text("paused")
    go(guest, "Lobby")
    guest.page.get_by_role("link", name="Your game in Late Arena has started").click()
    expect(guest.page.locator(".board svg")).to_be_visible()
    button(host.page, "Cancel competition").click()
    button(host.page, "Cancel it").click()
    expect(host.page.get_by_text("Cancelled.")).to_be_visible()


def test_a_link_has_a_qr_code_and_offline_actions_are_not_sent(sit: Sit) -> None:
    host = sit(*PHONE, worker=True)
    host.page.add_init_script("navigator.share = async (what) => { window.shared = what }")  # missing in this browser
    host.begin("azul", "coloured", "open")
    expect(host.page.get_by_text("1 seat is still open. Send this link")).to_be_visible()
    button(host.page, "Share: Invitation").click()
    assert f"?invite={host.tokens['invite']}" in host.page.evaluate("shared.url")
    button(host.page, "Show QR code: Invitation").click()
    expect(host.page.get_by_role("img", name="QR code: Invitation")).to_be_visible()
    assert [] == serious_in_light_and_dark(host)
    host.shoot("invitation")
    host.page.evaluate("navigator.serviceWorker.ready")
    host.page.context.set_offline(True)
    expect(host.page.get_by_text("You're offline. Nothing is sent until you reconnect.")).to_be_visible()
    host.shoot("offline")
    button(host.page, "Start now, with AIs in the open seats").click()
    expect_toast(host, "You're offline, so this was not sent.")
    assert [] == serious(host)
    host.page.reload()  # the page opens from the cache and retries the game
    expect(host.page.get_by_text("The game appears here as soon as you are online again.")).to_be_visible()
    cached = host.page.evaluate(CACHED_PATHS)
    assert {"play", "table.js", "game.js", "people_pages.js"} <= {path.rsplit("/", 1)[1] for path in cached}
    assert [] == [path for path in cached if path.startswith("/v1")]
    host.page.context.set_offline(False)
    start = button(host.page, "Start now, with AIs in the open seats")
    expect(start).to_be_visible()
    expect(host.page.locator(".banner")).to_have_count(0)
    assert "open" == host.view()["status"]
    start.click()
    expect(host.page.locator(".board svg")).to_be_visible()
