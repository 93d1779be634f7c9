"""The animation of a finished game: in an `<img>` of another page, and at the table."""

from __future__ import annotations

import re

import pytest
import requests
from playwright.sync_api import expect

from tests.browser.player import Sit
from tests.browser.test_accessibility import serious_in_light_and_dark
from tests.browser.test_embedding import act, new_game, resign
from tests.e2e.stack import Stack
from tests.patience import wait_until

STILL_S = 0.8  # between two moves of the picture
pytestmark = pytest.mark.nightly


@pytest.fixture
def game(stack: Stack) -> str:
    """Play four decisions and let Ana resign. Return the game's id."""
    made, tokens = new_game(stack, "unlisted")
    for number in range(4):
        act(stack, made, tokens["seats"][str(number % 2)])
    resign(stack, made, tokens["seats"]["0"])
    return made


def test_an_animation_in_an_img_moves_and_stops_at_the_end(sit: Sit, stack: Stack, game: str) -> None:
    """Its end equals the picture of the board pixel by pixel."""
    url = f"{stack.api}/games/{game}"
    box = re.search(r'viewBox="0 0 (\d+) (\d+)"', requests.get(f"{url}/board.svg", timeout=10).text)
    assert box is not None
    width, height = int(box[1]), int(box[2])
    player = sit(width, height + 200, moving=True)

    def show(picture: str) -> None:
        content = f'<!doctype html><body style="margin:0"><img src="{picture}" width="{width}" alt=""></body>'
        player.page.unroute_all()
        player.page.route("**/picture.html", lambda route: route.fulfill(content_type="text/html", body=content))
        player.page.goto(f"{stack.url}/picture.html")
        player.page.locator("img").evaluate("image => image.decode()")

    def take_screenshot() -> bytes:
        return player.page.screenshot(clip={"x": 0, "y": 0, "width": width, "height": height - 2})

    show(f"{url}/board.svg")
    end = take_screenshot()
    show(f"{url}/animation.svg?loop=false&seconds={STILL_S}")
    early = take_screenshot()
    player.shoot("early")
    assert early != end
    wait_until(lambda: take_screenshot() not in {early, end}, "it moves")
    wait_until(lambda: take_screenshot() == end, "the end")
    assert {end} == {take_screenshot() for _ in range(5)}
    player.shoot("end")


def test_an_animation_is_shown_saved_and_shared_at_the_table(sit: Sit, stack: Stack, game: str) -> None:
    player = sit(permissions=["clipboard-read", "clipboard-write"])
    page = player.page
    page.goto(f"{player.url}/play#/{game}")
    page.get_by_text("Animated replay").click()
    card = page.locator(".animation")
    picture = card.get_by_role("img", name="Animated replay of Azul: Ana, Ben")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    with page.expect_download() as saved:
        card.get_by_role("button", name="Save as SVG").click()
    assert f"azul-{game}.svg" == saved.value.suggested_filename
    assert "@keyframes" in saved.value.path().read_text("utf-8")
    card.get_by_role("button", name="Copy link").click()
    shared = page.evaluate("navigator.clipboard.readText()")
    assert "image/svg+xml" == requests.get(shared, timeout=10).headers["Content-Type"]
    assert [] == serious_in_light_and_dark(player)
    player.shoot("table")
    page.get_by_role("button", name="Deutsch").click()
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_text("Spiel als Animation").click()
    card.locator("img").scroll_into_view_if_needed()
    assert 390 == page.evaluate("document.documentElement.scrollWidth")
    player.shoot("phone")
