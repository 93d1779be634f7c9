"""The admin page: its sections by clicking, as the operator and as a moderator."""

from __future__ import annotations

from typing import Any

import pytest
import requests
from playwright.sync_api import Locator, expect

from tests.browser.conftest import ADMIN_TOKEN
from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious, serious_in_light_and_dark
from tests.e2e.stack import Stack, bearer
from tests.patience import HANG_S

DESK, PHONE = (1440, 900), (390, 844)


def post(stack: Stack, path: str, token: str, **body: Any) -> dict[str, Any]:
    """POST, and return the body of the response."""
    answer = requests.post(f"{stack.api}{path}", json=body, headers=bearer(token), timeout=HANG_S)
    assert answer.ok, answer.text
    return dict(answer.json())


def report_message(stack: Stack, text: str) -> str:
    """Let a player report a message of another one, Ben. Return Ben's id."""
    ana, ben = (post(stack, "/players", "", name=name) for name in ("Ana", "Ben"))
    rules = {"ruleset": "azul", "variant": "grey"}
    challenge = post(stack, f"/players/{ben['player']['id']}/challenges", ana["token"], **rules)
    game = post(stack, f"/challenges/{challenge['id']}/accept", ben["token"])["game_id"]
    post(stack, f"/games/{game}/messages", ben["token"], text=text)
    post(stack, "/reports", ana["token"], type="message", category="abuse", game_id=game, message=1, text=text)
    return str(ben["player"]["id"])


def sign_in(player: Player, token: str) -> None:
    player.page.goto(f"{player.url}/admin")
    player.page.get_by_label("Token").fill(token)
    player.page.get_by_role("button", name="Sign in").click()
    expect(player.page.get_by_role("heading", level=1, name="Reports")).to_be_visible()


def go(player: Player, section: str) -> None:
    """Open a section of the navigation."""
    player.page.get_by_role("navigation", name="Sections").get_by_role("link", name=section).click()
    expect(player.page.get_by_role("heading", level=1, name=section)).to_be_visible()


def press(place: Locator | Player, name: str) -> None:
    within = place.page if isinstance(place, Player) else place
    within.get_by_role("button", name=name, exact=True).click()


def new_moderator(stack: Stack) -> str:
    return str(post(stack, "/admin/staff", ADMIN_TOKEN, name="Moderator 1", role="moderator")["token"])


def test_a_moderator_resolves_a_report_and_finds_it_in_the_log(sit: Sit, stack: Stack) -> None:
    ben, text = report_message(stack, "You are slow."), "You are slow."
    moderator = sit(*DESK)
    sign_in(moderator, new_moderator(stack))
    page = moderator.page
    page.get_by_role("listitem").filter(has_text=text).get_by_role("link").click()
    expect(page.locator("[data-reported=true]")).to_contain_text(text)
    expect(page.locator("figure.position img")).to_be_visible()
    press(moderator, "Mute")
    dialog = page.get_by_role("dialog", name="Mute: Ben")
    dialog.get_by_label("Duration").select_option(label="30 days")
    dialog.get_by_label("Reason for the audit log").fill("Insults.")
    press(dialog, "Mute")
    expect(page.get_by_role("button", name="Unmute")).to_be_visible()
    press(moderator, "Acted on")
    expect(page.locator(".heading .badge")).to_have_text("Acted on")
    assert [] == serious(moderator)
    go(moderator, "Audit log")
    entry = page.get_by_role("listitem").filter(has_text="Insults.")
    expect(entry).to_contain_text("Mute")
    expect(entry.get_by_role("link")).to_have_attribute("href", f"#/players/{ben}")
    expect(page.get_by_role("link", name="Staff")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", level=1, name="Audit log")).to_be_visible()
    press(moderator, "Sign out")
    assert "null" == page.evaluate("sessionStorage.getItem('azul-admin-session')")
