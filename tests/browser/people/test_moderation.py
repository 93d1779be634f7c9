"""Reports and sanctions at the table: players report, a moderator acts through the API, and players see it."""

from __future__ import annotations

from typing import Any

import pytest
import requests
from playwright.sync_api import Locator, expect

from tests.browser.conftest import ADMIN_TOKEN
from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious, serious_in_light_and_dark
from tests.browser.test_people import arrive, identity
from tests.e2e.stack import Stack, bearer
from tests.patience import HANG_S

DESK, PHONE = (1440, 900), (390, 844)
UNTIL = "2999-01-01T12:00:00Z"


def moderate(stack: Stack, method: str, path: str, **body: Any) -> None:
    """Send a request as the operator."""
    url = f"{stack.api}/admin{path}"
    answer = requests.request(method, url, json=body or None, headers=bearer(ADMIN_TOKEN), timeout=HANG_S)
    answer.raise_for_status()


def act(stack: Stack, player: Player, kind: str, **members: str) -> None:
    moderate(stack, "POST", f"/players/{identity(player)['id']}/acts", act=kind, reason="Please be kind.", **members)


def seat_together(stack: Stack, *players: Player) -> str:
    """Create a game of two players and open it. Return its id."""
    first, second = (bearer(identity(player)["token"]) for player in players)
    seats = [{"kind": "player"}, {"kind": "open"}]
    body = {"ruleset": "azul", "variant": "coloured", "seats": seats, "visibility": "private", "first_seat": 0}
    answer = requests.post(f"{stack.api}/games", json=body, headers=first, timeout=HANG_S)
    answer.raise_for_status()
    made = answer.json()
    game, claim = str(made["game"]["id"]), {"token": made["tokens"]["invite"]}
    requests.post(f"{stack.api}/games/{game}/seats", json=claim, headers=second, timeout=HANG_S).raise_for_status()
    for player in players:
        player.page.goto(f"{player.url}/play#/{game}")
        expect(player.page.locator(".board svg")).to_be_visible()
    return game


def lines(player: Player) -> Locator:
    return player.page.locator(".messages li")


@pytest.mark.nightly
def test_a_message_is_reported_and_deleted_and_its_sender_muted_warned_and_banned(sit: Sit, stack: Stack) -> None:
    ana, ben = sit(*PHONE), sit(*DESK, color_scheme="dark")
    arrive(ana, "Ana")
    arrive(ben, "Ben")
    game = seat_together(stack, ana, ben)
    ben.page.get_by_role("textbox", name="Write a message").fill("You fool!")
    ben.page.get_by_role("button", name="Send").click()

    ana.page.get_by_role("button", name="Report: The message “You fool!”").click()
    dialog = ana.page.get_by_role("dialog", name="Send a report")
    expect(dialog).to_contain_text("up to 25 others around it")
    dialog.get_by_label("Reason").select_option("abuse")
    dialog.get_by_label("What happened?").fill("He insults me.")
    assert [] == serious_in_light_and_dark(ana)
    ana.shoot("dialog")
    dialog.get_by_role("button", name="Send report").click()
    expect(dialog).to_contain_text("The moderators have received your report.")
    dialog.get_by_role("button", name="Done").click()
    expect(dialog).to_have_count(0)

    moderate(stack, "DELETE", f"/games/{game}/messages/1")
    for player in (ana, ben):
        expect(lines(player)).to_have_text(["A moderator deleted a message."])
    ana.page.goto(f"{ana.url}/play#/me")
    reports = ana.page.get_by_role("list", name="Your reports")
    expect(reports).to_contain_text("Message: Insults or threats")
    expect(reports).to_contain_text("received")
    assert [] == serious(ana)

    for kind, members in (("warn", {}), ("mute", {"until": UNTIL}), ("exclude_from_rated", {"until": UNTIL})):
        act(stack, ben, kind, **members)
    expect(ben.page.locator(".messages")).to_contain_text("The moderators have muted you until Jan 1, 2999")
    expect(ben.page.get_by_role("textbox", name="Write a message")).to_have_count(0)
    warning = ben.page.get_by_role("alertdialog", name="A warning from the moderators")
    expect(warning).to_contain_text("Please be kind.")
    assert [] == serious_in_light_and_dark(ben)
    warning.get_by_role("button", name="I understand").click()
    ben.page.goto(f"{ben.url}/play#/lobby")
    expect(ben.page.get_by_text("excluded you from rated games until Jan 1, 2999")).to_be_visible()
    expect(ben.page.get_by_label("Rated")).to_be_disabled()
    ben.page.goto(f"{ben.url}/play#/me")
    expect(ben.page.get_by_text("Please be kind.")).to_have_count(3)  # warning, mute and exclusion

    act(stack, ben, "ban", until=UNTIL)
    expect(ben.page.get_by_role("heading", name="You are banned")).to_be_visible()
    for text in ("Reason: Please be kind.", "You cannot use your profile until Jan 1, 2999", "no contact address"):
        expect(ben.page.get_by_role("main")).to_contain_text(text)
    assert [] == serious_in_light_and_dark(ben)
    ben.shoot("banned")
    act(stack, ben, "unban")
    ben.page.reload()
    expect(ben.page.get_by_role("heading", name="Name and handle")).to_be_visible()
