"""A service that requires an API key: the table asks for the key and continues."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

import pytest
import requests
from playwright.sync_api import Browser, Request, expect

from tests.browser.player import Player, Sit
from tests.browser.test_accessibility import serious
from tests.e2e.stack import Stack

KEY = "a-key-for-the-table"
pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def stack(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    keys = f"table:{hashlib.sha256(KEY.encode()).hexdigest()}"
    with Stack(tmp_path_factory.mktemp("keys"), API_KEYS=keys, API_KEY_REQUIRED="on", WEB_WORKERS="1") as running:
        yield running


def enter(player: Player, key: str) -> None:
    """Type a key and press Enter."""
    player.page.get_by_label("API key").fill(key)
    player.page.keyboard.press("Enter")


def remember(player: Player, key: str) -> None:
    """Store another key in the browser and reload."""
    player.page.evaluate(
        "apiKey => { const settings = JSON.parse(localStorage.getItem('azul-table-settings'));"
        "localStorage.setItem('azul-table-settings', JSON.stringify({ ...settings, apiKey })); }",
        key,
    )
    player.page.reload()


def test_the_page_loads_without_a_key(stack: Stack) -> None:
    page = requests.get(f"{stack.url}/play", timeout=10)
    parts = re.findall(r'(?:src|href)="([^"#]+\.(?:js|css))"', page.text)
    assert parts
    for part in parts:
        assert 200 == requests.get(f"{stack.url}/{part.removeprefix('./')}", timeout=10).status_code
    assert 401 == requests.get(f"{stack.api}/levels", timeout=10).status_code


def test_a_key_is_requested_remembered_and_sent_with_every_request(sit: Sit) -> None:
    player = sit()
    player.page.goto(f"{player.url}/play")
    field = player.page.get_by_label("API key")
    expect(field).to_be_focused()
    expect(player.page.get_by_role("alert")).to_have_text("This service requires an API key.")
    expect(player.page.locator(".toast p")).to_have_count(0)
    player.shoot("asked")
    assert [] == serious(player)
    enter(player, "another")
    expect(player.page.get_by_role("alert")).to_have_text("This API key is not valid.")
    expect(field).to_be_focused()
    player.shoot("unknown")
    assert [] == serious(player)
    sent: list[Request] = []
    player.page.on("request", lambda request: sent.append(request) if "/v1/" in request.url else None)
    enter(player, KEY)
    player.page.get_by_role("button", name="Play now: Azul").click()
    assert player.wait_for_turn()
    player.places.first.locator("rect").first.click()
    player.places.first.click()
    expect(player.page.locator(".log b").first).to_be_visible()
    assert len(sent) >= 8
    assert {KEY} == {request.headers.get("x-api-key") for request in sent}
    player.page.reload()
    assert player.wait_for_turn()
    player.page.goto(f"{player.url}/play#/me")
    expect(player.page.get_by_text("You don't need an account")).to_be_visible()
    expect(player.page.get_by_text("Sign in")).to_have_count(0)  # no provider is configured


def test_an_expired_key_is_requested_again_and_the_game_continues(sit: Sit) -> None:
    player = sit(390, 800)
    player.page.goto(f"{player.url}/play")
    expect(player.page.get_by_label("API key")).to_be_focused()
    remember(player, KEY)
    player.page.get_by_role("button", name="Play now: Azul").click()
    assert player.wait_for_turn()
    url = player.page.url
    remember(player, "of-last-year")
    expect(player.page.get_by_role("alert")).to_have_text("This API key is not valid.")
    player.page.get_by_role("button", name="Deutsch").click()
    expect(player.page.get_by_role("alert")).to_have_text("Dieser API-Schlüssel ist ungültig.")
    player.shoot("ended")
    player.page.get_by_label("API-Schlüssel").fill(f" {KEY} ")
    player.page.get_by_role("button", name="Weiter").click()
    expect(player.page.locator(".status")).to_contain_text("Du bist dran")
    assert url == player.page.url
