"""The animation of a finished game: in an `<img>` of another page, and at the table."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree as ET

import pytest
import requests
from PIL.GifImagePlugin import GifImageFile
from playwright.sync_api import Page, expect

from tests.browser.player import Sit
from tests.browser.test_accessibility import serious_in_light_and_dark
from tests.browser.test_embedding import act, new_game, resign
from tests.e2e.stack import Stack, bearer
from tests.patience import wait_until

STILL_S = 0.8  # between two moves of the picture
MAX_GIF_BYTES = 3_000_000
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


def play_to_the_end(stack: Stack, game: str, tokens: dict[str, str]) -> None:
    """Play random actions of all seats until the game is over."""
    rng = random.Random(1)
    while (legal := stack.get(f"/games/{game}/actions", headers=bearer(tokens["0"])).json()).get("actions"):
        action = rng.choice(legal["actions"])
        stack.act(game, tokens[str(legal["seat"])], action["id"], legal["revision"]).raise_for_status()


def save_gif(page: Page) -> GifImageFile:
    """Create and save the GIF of the open animation. Check its signature and size, and return it."""
    card = page.locator(".animation")
    card.get_by_role("button", name="Create GIF").click()
    with page.expect_download() as saved:
        card.get_by_role("button", name="Save as GIF").click()
    assert saved.value.suggested_filename.endswith(".gif")
    content = saved.value.path().read_bytes()
    assert b"GIF89a" == content[:6]
    assert 20_000 < len(content) < MAX_GIF_BYTES, len(content)
    return GifImageFile(saved.value.path())


def test_a_gif_contains_every_still_of_the_animation(sit: Sit, stack: Stack, game: str) -> None:
    """Each frame shows the next move, and the last one the result for longer. The device prefers reduced motion."""
    player = sit()
    player.page.goto(f"{player.url}/play#/{game}")
    player.page.get_by_text("Animated replay").click()
    gif = save_gif(player.page)
    root = ET.fromstring(requests.get(f"{stack.api}/games/{game}/animation.svg", timeout=10).text)  # noqa: S314 - ours
    assert int(root.attrib["data-stills"]) == gif.n_frames == 6  # the deal, four moves and the result
    box = [float(each) for each in root.attrib["viewBox"].split()]
    assert abs(gif.width / gif.height - box[2] / box[3]) < 0.01
    frames, seconds = [], []
    for number in range(gif.n_frames):
        gif.seek(number)
        seconds.append(gif.info["duration"] / 1000)
        frames.append(gif.convert("RGB").tobytes())
    assert gif.n_frames == len(set(frames))
    assert [float(root.attrib["data-seconds"])] * 5 + [float(root.attrib["data-held"])] == seconds
    player.shoot("gif")


def test_creating_a_gif_can_be_cancelled_and_started_again(sit: Sit, stack: Stack) -> None:
    """A whole game is a few hundred kilobytes."""
    made, tokens = new_game(stack, "unlisted", "summer-pavilion")
    play_to_the_end(stack, made, tokens["seats"])
    player = sit()
    page = player.page
    page.goto(f"{player.url}/play#/{made}")
    page.get_by_text("Animated replay").click()
    page.get_by_role("button", name="Create GIF").click()
    progress = page.get_by_role("progressbar", name="Creating the GIF")
    expect(progress).to_be_visible()
    page.locator(".gif").get_by_role("button", name="Cancel").click()
    expect(progress).to_have_count(0)
    gif = save_gif(page)
    assert 40 < gif.n_frames <= 160
